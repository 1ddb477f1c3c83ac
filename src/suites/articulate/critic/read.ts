/** What a critic under test said, under either profile. */
import { isObject } from '../../../base/json-object.ts'
import type { Profile } from '../profile.ts'
import { PythonError } from '../python.ts'
import { readJointCritique, readLinkCritique } from './reply.ts'
import { publishedJointReply, publishedLinkScore, publishedReply } from './upstream.ts'

/** `reason` is what a joint critic named; a link critic only says whether it accepts. */
export interface Said {
  reason: string
  accepts: boolean
  /** The rating does not belong to the reason. */
  isInconsistent: boolean
}

/** The published loop takes more than 5 for a success. */
const ACCEPTED = 5

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
  const accepts = read.value.rating > ACCEPTED
  return { reason: accepts ? 'success' : 'placement', accepts, isInconsistent: false }
}

function publishedSaid(critic: 'joint' | 'link', reply: string): Said | null {
  try {
    if (critic === 'link') {
      const accepts = publishedLinkScore(publishedReply(reply)) > ACCEPTED
      return { reason: accepts ? 'success' : 'placement', accepts, isInconsistent: false }
    }
    const parsed = publishedJointReply(reply, true)
    const reason = isObject(parsed) ? String(parsed['failure_reason']) : ''
    return { reason, accepts: reason === 'success', isInconsistent: false }
  } catch (error) {
    if (error instanceof PythonError) return null
    throw error
  }
}
