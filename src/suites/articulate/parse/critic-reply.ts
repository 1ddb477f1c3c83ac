/** What a critic under test said, under either profile. */
import { isObject } from '../../../suite.ts'
import type { Profile } from '../domain/profile.ts'
import { CUTOFF } from '../published/loop.ts'
import { isTrue, PythonError } from '../published/python.ts'
import { publishedEvaluation, publishedJointReply, publishedLinkScore, publishedReply } from '../published/critiques.ts'
import type { Critic } from '../samples/sample.ts'
import { readJointCritique, readLinkCritique, readUrdfCritique } from './critique.ts'

/** `reason` is what a joint critic named; the others only say whether they accept, and a URDF critic which score is lower. */
export interface CriticReply {
  reason: string
  accepts: boolean
  /** The rating does not belong to the reason, or the scores not to the verdict. */
  isInconsistent: boolean
}

/** Null when it cannot be read. @param movable joints that a URDF critic has to judge */
export function readCriticReply(
  critic: Critic,
  reply: string,
  profile: Profile,
  movable: readonly string[] = [],
): CriticReply | null {
  if (profile === 'upstream') return publishedCriticReply(critic, reply)
  if (critic === 'joint') {
    const read = readJointCritique(reply)
    return read.ok ? named(read.value.reason, read.value.isInconsistent) : null
  }
  if (critic === 'urdf') {
    const read = readUrdfCritique(reply, movable)
    return read.ok ? scored(read.value, read.value.discrepancies.length > 0) : null
  }
  const read = readLinkCritique(reply)
  return read.ok ? rated(read.value.rating) : null
}

function publishedCriticReply(critic: Critic, reply: string): CriticReply | null {
  try {
    if (critic === 'link') return rated(publishedLinkScore(publishedReply(reply)))
    if (critic === 'joint') return named(publishedJointReply(reply).failure_reason)
    const parsed = publishedReply(reply)
    if (!isObject(parsed)) return null
    const { position_score: position, joint_score: joint, success } = publishedEvaluation(parsed)
    return scored({ position, joint, success: isTrue(success) }, false)
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

/** What is wrong is what got the lower score. */
function scored(
  { position, joint, success }: { position: number; joint: number; success: boolean },
  isInconsistent: boolean,
): CriticReply {
  return named(success ? 'success' : position <= joint ? 'placement' : 'joint', isInconsistent)
}
