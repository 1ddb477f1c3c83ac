/** Named ways to play and score: our own reading of the document, the four published generations, and ours of the last. */

export const PROFILES = ['seed', 'upstream-v1', 'upstream-v2', 'upstream-v3', 'upstream-v4', 'ecog-v4'] as const
export type Profile = (typeof PROFILES)[number]

/** What is asked under a profile. */
interface ProfileRules {
  /** Option letters too: needs clips with options. */
  letters: boolean
  /** When a slot was meant: from when to when, or at which moment. */
  time: 'range' | 'moment'
  /** What a judge is asked, where there is one: about the command, all moments at once, or one moment after the other. */
  judge: readonly ('intent' | 'moments' | 'each moment')[]
}

export const PROFILE_RULES: Readonly<Record<Profile, ProfileRules>> = {
  seed: { letters: false, time: 'range', judge: ['intent'] },
  'upstream-v1': { letters: false, time: 'range', judge: ['intent', 'moments'] },
  'upstream-v2': { letters: true, time: 'range', judge: ['each moment'] },
  'upstream-v3': { letters: true, time: 'moment', judge: [] },
  'upstream-v4': { letters: true, time: 'moment', judge: [] },
  'ecog-v4': { letters: true, time: 'moment', judge: ['intent'] },
}

export function asksForLetters(profile: string): boolean {
  return PROFILES.some((each) => each === profile && PROFILE_RULES[each].letters)
}
