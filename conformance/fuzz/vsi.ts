/** The VSI profiles against the evaluators and the agent that they reproduce. */
import { protocolBounds } from '../../src/suites/vsi/domain/bounds.ts'
import { startPosition } from '../../src/suites/vsi/domain/pose.ts'
import { PUBLISHED_CAMERA } from '../../src/suites/vsi/domain/camera.ts'
import { FIRST_ANGLES, type Profile } from '../../src/suites/vsi/domain/protocol.ts'
import { DIRECTION_TYPES, isNumberType } from '../../src/suites/vsi/domain/question-types.ts'
import { sampledFrames } from '../../src/media/sampled-frames.ts'
import { isRaised, publishedScore } from '../../src/suites/vsi/published/evaluators.ts'
import { readUpstreamAngle, readUpstreamReply } from '../../src/suites/vsi/published/upstream-reply.ts'
import { upstreamVideoAnswer } from '../../src/suites/vsi/published/upstream-video-answer.ts'
import { fromYawPitch, toMatrix } from '../../src/world/render/index.ts'
import { moveThroughAll } from '../../src/world/walk/move.ts'
import { matrixRows, publishedTable } from '../vsi.ts'
import { type Checkout, type FuzzTarget, fuzzTarget, Raised } from './target.ts'
import {
  agentReply,
  angleReply,
  rows,
  scored,
  type ScoredRow,
  type TypeScore,
  vertices,
  videoReply,
} from './vsi-cases.ts'

const OFFICIAL: Checkout = { repository: 'vision-x-nyu/thinking-in-space', commit: '51e089c' }
const LMMS_EVAL: Checkout = { repository: 'EvolvingLMMs-Lab/lmms-eval', commit: '75571cf' }
const VLMEVALKIT: Checkout = { repository: 'open-compass/VLMEvalKit', commit: 'e8e78f0' }
const UPSTREAM: Checkout = { repository: 'besteaydemir/multi-turn-rl', commit: '0c11ff6' }

function scores(profile: Profile, checkout: Checkout, driver: string): FuzzTarget<ScoredRow> {
  return {
    checkout,
    driver,
    generate: scored,
    ours: (row) => {
      const score = publishedScore(profile, row)
      if (isRaised(score)) throw new Raised(score.raises)
      return score
    },
  }
}

/** Whether the published code fails on these types: some of it needs all three levels of direction. */
const FAILS: Readonly<Partial<Record<Profile, (types: ReadonlySet<string>) => boolean>>> = {
  official: (types) => types.has('object_rel_direction_easy') && !allLevels(types),
  'lmms-eval': (types) => !allLevels(types),
}

function allLevels(types: ReadonlySet<string>): boolean {
  return DIRECTION_TYPES.every((level) => types.has(level))
}

function tables(profile: Profile, checkout: Checkout, driver: string): FuzzTarget<{ rows: TypeScore[] }> {
  return {
    checkout,
    driver,
    generate: (random) => ({ rows: rows(random) }),
    ours: (run) => {
      const types = new Set(run.rows.map(({ type }) => type))
      const { headline, values } = publishedTable(profile, run.rows)
      if (FAILS[profile]?.(types)) {
        if (headline === 'overall') return headline
        throw new Raised()
      }
      // The published table has no row for levels that it did not merge.
      const { object_rel_direction_accuracy: merged, ...others } = values
      return merged === undefined || !allLevels(types) ? others : values
    },
  }
}

/** A whole question of the published agent: the reply that chooses the first view, then one reply per step. */
const play = fuzzTarget({
  checkout: UPSTREAM,
  driver: 'vsi_upstream.py',
  generate: (random) => ({
    do: 'play',
    numeric: random.chance(0.5),
    vertices: vertices(random),
    replies: [angleReply(random), ...Array.from({ length: random.between(1, 5) }, () => agentReply(random))],
  }),
  ours: ({ numeric, vertices: corners, replies }) => {
    const bounds = protocolBounds(corners.flat())
    const [first, ...steps] = replies
    const angle = readUpstreamAngle(first!)
    let pose = fromYawPitch(
      startPosition(bounds, PUBLISHED_CAMERA.eyeMeters),
      FIRST_ANGLES.find((each) => each === angle) ?? 0,
    )
    const poses = [pose]
    let answer: string | null = null
    for (const [step, said] of steps.entries()) {
      const reply = readUpstreamReply(said, { numeric, previous: answer })
      if ('raises' in reply) throw new Raised(reply.raises)
      answer = reply.answer
      if (reply.stops || step === steps.length - 1) break
      const [turnDegrees, forwardMeters, leftMeters, upMeters] = reply.movement
      if (!reply.movementComplete) continue
      const move = { turnDegrees: turnDegrees!, forwardMeters: forwardMeters!, leftMeters: leftMeters!, upMeters: upMeters! } // prettier-ignore
      pose = moveThroughAll(pose, move, bounds, { mirrorLeft: true })
      poses.push(pose)
    }
    return { answer, moves: poses.length - 1, poses: poses.map((each) => matrixRows(toMatrix(each))) }
  },
  // Python's JSON has numbers that no camera can be placed at.
  explained: ({ replies }) => (replies.some((text) => /nan|inf|e999/i.test(text)) ? 'vsi-endless-moves' : null),
})

const video = fuzzTarget({
  checkout: UPSTREAM,
  driver: 'vsi_upstream.py',
  generate: (random) => ({ do: 'video', reply: videoReply(random), numeric: random.chance(0.5) }),
  ours: ({ reply, numeric }) => upstreamVideoAnswer(reply, numeric),
})

const score = fuzzTarget({
  checkout: UPSTREAM,
  driver: 'vsi_upstream.py',
  generate: (random) => {
    const row = scored(random)
    return { do: 'score', ...row, numeric: isNumberType(row.type) }
  },
  ours: ({ numeric, ...row }) => {
    const accuracy = publishedScore('upstream', row)
    if (isRaised(accuracy)) throw new Raised(accuracy.raises)
    return numeric ? { right: accuracy !== null && accuracy > 0.5, accuracy } : { right: accuracy === 1 }
  },
})

const frames = fuzzTarget({
  checkout: UPSTREAM,
  driver: 'vsi_upstream.py',
  generate: (random) => ({
    do: 'frames',
    total: random.int(random.pick([20, 500, 6000])),
    count: random.between(1, 64),
  }),
  ours: ({ total, count }) => sampledFrames(total, count),
})

const bounds = fuzzTarget({
  checkout: UPSTREAM,
  driver: 'vsi_upstream.py',
  generate: (random) => ({ do: 'bounds', vertices: vertices(random) }),
  ours: ({ vertices: corners }) => protocolBounds(corners.flat()),
})

export const vsiTargets: Readonly<Record<string, FuzzTarget>> = {
  'vsi-official': scores('official', OFFICIAL, 'vsi_official.py'),
  'vsi-official-table': tables('official', OFFICIAL, 'vsi_official.py'),
  'vsi-lmms-eval': scores('lmms-eval', LMMS_EVAL, 'vsi_official.py'),
  'vsi-lmms-eval-table': tables('lmms-eval', LMMS_EVAL, 'vsi_official.py'),
  'vsi-vlmevalkit': scores('vlmevalkit', VLMEVALKIT, 'vsi_vlmevalkit.py'),
  'vsi-vlmevalkit-table': tables('vlmevalkit', VLMEVALKIT, 'vsi_vlmevalkit.py'),
  'vsi-upstream': score,
  'vsi-upstream-agent': play,
  'vsi-upstream-video': video,
  'vsi-upstream-frames': frames,
  'vsi-upstream-bounds': bounds,
}
