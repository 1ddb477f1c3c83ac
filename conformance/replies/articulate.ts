/** What critics of Articulate say, apart from programs. */
import { readCriticReply } from '../../src/suites/articulate/parse/critic-reply.ts'
import { readJointCritique, readLinkCritique, readUrdfCritique } from '../../src/suites/articulate/parse/critique.ts'
import { JOINT_MANNERS, JOINT_OTHERS, JOINT_VERDICTS } from './articulate-joint.ts'
import {
  LINK_MANNERS,
  LINK_OTHERS,
  LINK_VERDICTS,
  URDF_JOINTS,
  URDF_MANNERS,
  URDF_OTHERS,
  URDF_VERDICTS,
  urdfExpected,
} from './articulate-link.ts'
import type { Corpus, ReadReply } from './corpus.ts'

/** A critic's reply is read by the loop and by the critic benchmark; both must agree. */
function reasonIn(reply: string): string | null {
  const read = readJointCritique(reply)
  const reason = read.ok ? read.value.reason : null
  return (readCriticReply('joint', reply, 'fixed')?.reason ?? null) === reason ? reason : 'the readers disagree'
}

function ratingIn(reply: string): number | null {
  const read = readLinkCritique(reply)
  return read.ok ? read.value.rating : null
}

function scoresIn(reply: string): { position: number; joint: number } | null {
  const read = readUrdfCritique(reply, URDF_JOINTS)
  return read.ok ? { position: read.value.position, joint: read.value.joint } : null
}

function* replies(): Generator<ReadReply> {
  for (const [manner, write] of Object.entries(JOINT_MANNERS))
    for (const verdict of JOINT_VERDICTS) {
      const reply = write(verdict)
      yield { manner: `joint critic: ${manner}`, reply, expected: verdict.reason, read: reasonIn(reply) }
    }
  for (const { manner, reply, expected } of JOINT_OTHERS)
    yield { manner: `joint critic: ${manner}`, reply, expected, read: reasonIn(reply) }
  for (const [manner, write] of Object.entries(LINK_MANNERS))
    for (const verdict of LINK_VERDICTS) {
      const reply = write(verdict)
      yield { manner: `link critic: ${manner}`, reply, expected: verdict.rating, read: ratingIn(reply) }
    }
  for (const { manner, reply, expected } of LINK_OTHERS)
    yield { manner: `link critic: ${manner}`, reply, expected, read: ratingIn(reply) }
  for (const [manner, write] of Object.entries(URDF_MANNERS))
    for (const verdict of URDF_VERDICTS) {
      const reply = write(verdict)
      yield { manner: `URDF critic: ${manner}`, reply, expected: urdfExpected(verdict), read: scoresIn(reply) }
    }
  for (const { manner, reply, expected } of URDF_OTHERS)
    yield { manner: `URDF critic: ${manner}`, reply, expected, read: scoresIn(reply) }
}

export const articulateCritics: Corpus = { bar: 0.97, replies }
