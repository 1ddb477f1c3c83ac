/** What a critic under test said, under either profile. */
import type { Profile } from '../domain/profile.ts'
import { CUTOFF } from '../published/loop.ts'
import { PythonError } from '../published/python.ts'
import { readJointCritique, readLinkCritique } from './critique.ts'
import { publishedJointReply, publishedLinkScore, publishedReply } from '../published/critiques.ts'

/** `reason` is what a joint critic named; a link critic only says whether it accepts. */
export interface CriticReply {
  reason: string
  accepts: boolean
  /** The rating does not belong to the reason. */
  isInconsistent: boolean
}

/** Null when it cannot be read. */
export function readCriticReply(critic: 'joint' | 'link', reply: string, profile: Profile): CriticReply | null {
  if (profile === 'upstream') return publishedCriticReply(critic, reply)
  if (critic === 'joint') {
    const read = readJointCritique(reply)
    return read.ok ? named(read.value.reason, read.value.isInconsistent) : null
  }
  const read = readLinkCritique(reply)
  return read.ok ? rated(read.value.rating) : null
}

function publishedCriticReply(critic: 'joint' | 'link', reply: string): CriticReply | null {
  try {
    if (critic === 'link') return rated(publishedLinkScore(publishedReply(reply)))
    return named(publishedJointReply(reply).failure_reason)
  } catch (error) {
    if (error instanceof PythonError) return null
    throw error
  }
}

function named(reason: string, isInconsistent = false): CriticReply {
  return { reason, accepts: reason === 'success', isInconsistent }
}

function rated(rating: number): CriticReply {
  return named(rating > CUTOFF ? 'success' : 'placement')
}
