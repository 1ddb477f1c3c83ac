/** Profiles: our reading of the published document, the five published generations, and our version of the last one. */

export const PROFILES = [
  'seed',
  'upstream-v0',
  'upstream-v1',
  'upstream-v2',
  'upstream-v3',
  'upstream-v4',
  'ecog-v4',
] as const
export type Profile = (typeof PROFILES)[number]

export type PromptGeneration = 'v1' | 'v2' | 'v3' | 'v4'

/** What the player and the judge are asked under a profile. */
interface ProfileRules {
  /** Whose prompts: the generation with these texts, or ours. The first generation was scored in two ways. */
  prompts: PromptGeneration | 'own'
  /** Whether to ask for option letters; requires clips with options. */
  letters: boolean
  /** Whether to ask for a time range or a single moment per slot. */
  time: 'range' | 'moment'
  /** What a judge is asked about: the command, all moments in one request, or each moment separately. */
  judge: readonly ('intent' | 'moments' | 'each moment')[]
}

export const PROFILE_RULES: Readonly<Record<Profile, ProfileRules>> = {
  seed: { prompts: 'own', letters: false, time: 'range', judge: ['intent'] },
  'upstream-v0': { prompts: 'v1', letters: false, time: 'range', judge: ['intent', 'moments'] },
  'upstream-v1': { prompts: 'v1', letters: false, time: 'range', judge: ['intent', 'moments'] },
  'upstream-v2': { prompts: 'v2', letters: true, time: 'range', judge: ['each moment'] },
  'upstream-v3': { prompts: 'v3', letters: true, time: 'moment', judge: [] },
  'upstream-v4': { prompts: 'v4', letters: true, time: 'moment', judge: [] },
  'ecog-v4': { prompts: 'own', letters: true, time: 'moment', judge: ['intent'] },
}

export function asksForLetters(profile: string): boolean {
  return PROFILES.some((each) => each === profile && PROFILE_RULES[each].letters)
}

/** Published requests ask for 0.2. */
export function temperatureOf(profile: Profile): number {
  return PROFILE_RULES[profile].prompts === 'own' ? 0 : 0.2
}
