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

/** What the player and the judge are asked under a profile. */
interface ProfileRules {
  /** Whether to ask for option letters; requires clips with options. */
  letters: boolean
  /** Whether to ask for a time range or a single moment per slot. */
  time: 'range' | 'moment'
  /** What a judge is asked about: the command, all moments in one request, or each moment separately. */
  judge: readonly ('intent' | 'moments' | 'each moment')[]
}

export const PROFILE_RULES: Readonly<Record<Profile, ProfileRules>> = {
  seed: { letters: false, time: 'range', judge: ['intent'] },
  'upstream-v0': { letters: false, time: 'range', judge: ['intent', 'moments'] },
  'upstream-v1': { letters: false, time: 'range', judge: ['intent', 'moments'] },
  'upstream-v2': { letters: true, time: 'range', judge: ['each moment'] },
  'upstream-v3': { letters: true, time: 'moment', judge: [] },
  'upstream-v4': { letters: true, time: 'moment', judge: [] },
  'ecog-v4': { letters: true, time: 'moment', judge: ['intent'] },
}

export function asksForLetters(profile: string): boolean {
  return PROFILES.some((each) => each === profile && PROFILE_RULES[each].letters)
}
