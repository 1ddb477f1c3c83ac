/** What a critic under test said, under either profile. */
import type { Profile } from '../domain/profile.ts'
import { CUTOFF } from '../published/loop.ts'
import { PythonError } from '../published/python.ts'
import { readJointCritique, readLinkCritique } from './critique.ts'
import { publishedJointReply, publishedLinkScore, publishedReply } from '../published/critiques.ts'

/** `reason` is what a joint critic named; a link critic only says whether it accepts. */
export interface Said {
  reason: string
  accepts: boolean
  /** The rating does not belong to the reason. */
  isInconsistent: boolean
}

/** Null when it cannot be read. */
export function readSaid(critic: 'joint' | 'link', reply: string, profile: Profile): Said | null {
  return profile === 'upstream' ? publishedSaid(critic, reply) : fixedSaid(critic, reply)
}

function fixedSaid(critic: 'joint' | 'link', reply: string): Said | null {
  if (critic === 'joint') {
    const read = readJointCritique(reply)
    if (!read.ok) return null
    const { reason, isInconsistent } = read.value
    return { reason, accepts: reason === 'success', isInconsistent }
  }
  const read = readLinkCritique(reply)
  if (!read.ok) return null
  const accepts = read.value.rating > CUTOFF
  return { reason: accepts ? 'success' : 'placement', accepts, isInconsistent: false }
}

function publishedSaid(critic: 'joint' | 'link', reply: string): Said | null {
  try {
    if (critic === 'link') {
      const accepts = publishedLinkScore(publishedReply(reply)) > CUTOFF
      return { reason: accepts ? 'success' : 'placement', accepts, isInconsistent: false }
    }
    const { failure_reason: reason } = publishedJointReply(reply)
    return { reason, accepts: reason === 'success', isInconsistent: false }
  } catch (error) {
    if (error instanceof PythonError) return null
    throw error
  }
}
