/** What an episode records next to messages and media. README.md says what each field means. */
import * as z from 'zod/mini'

const triple = z.readonly(z.tuple([z.number(), z.number(), z.number()]))
/** 4 × 4, row by row. */
const matrix = z.readonly(z.array(z.number()).check(z.length(16)))
const media = z.object({ sha256: z.string(), type: z.string() })

const joint = z.object({
  name: z.string(),
  type: z.string(),
  parent: z.string(),
  child: z.string(),
  /** The part that it moves. */
  part: z.string(),
  /** The joint's frame in its parent's. */
  origin: matrix,
  /** In the joint's frame. */
  axis: triple,
  /** In radians or meters; null where there is no end. */
  lower: z.nullable(z.number()),
  upper: z.nullable(z.number()),
  /** What a slider should run over; null when nothing moves. */
  range: z.nullable(z.readonly(z.tuple([z.number(), z.number()]))),
  mimic: z.optional(
    z.nullable(
      z.object({
        joint: z.string(),
        multiplier: z._default(z.number(), 1),
        offset: z._default(z.number(), 0),
      }),
    ),
  ),
  /** The axis in the world, everything at rest. */
  world: z.optional(z.object({ origin: triple, axis: triple })),
})
export type JointData = z.infer<typeof joint>

/** Enough to pose a robot without reading URDF. */
const robot = z.object({
  root: z.string(),
  /** `part` is the node of the GLB that the link shows, `visual` where it is in the link's frame. */
  links: z.array(z.object({ name: z.string(), part: z.nullable(z.string()), visual: matrix })),
  joints: z.array(joint),
})
export type RobotData = z.infer<typeof robot>

export const objectEvent = z.object({
  type: z.literal('articulate/object'),
  object: z.string(),
  category: z.string(),
  target: z.nullable(z.string()),
  parts: z.optional(z.array(z.object({ name: z.string(), size: triple }))),
  ground: z.optional(z.number()),
  meshes: media,
  truth: robot,
  urdf: z.optional(z.string()),
})

export const picturesEvent = z.object({
  type: z.literal('articulate/pictures'),
  shows: z.enum(['stills', 'sweep', 'film']),
  what: z.string(),
  part: z.optional(z.string()),
  views: z.optional(z.readonly(z.array(z.string()))),
  pictures: z.array(media),
})

export type PicturesEvent = z.infer<typeof picturesEvent>

export const videoEvent = z.object({
  type: z.literal('articulate/video'),
  what: z.string(),
  part: z.optional(z.string()),
  media,
})

const measuredJoint = z.object({
  child: z.string(),
  trueType: z.string(),
  finding: z.string(),
  success: z.boolean(),
  /** What is not a number is null in a log. */
  diff: z.optional(
    z.nullable(
      z.object({
        axisAngle: z.nullable(z.number()),
        axisPosition: z.nullable(z.number()),
        sweepError: z.nullable(z.number()),
      }),
    ),
  ),
})

export const iterationEvent = z.object({
  type: z.literal('articulate/iteration'),
  iteration: z.number(),
  seed: z.optional(z.number()),
  feedback_score: z.optional(z.nullable(z.number())),
  position_score: z.optional(z.nullable(z.number())),
  joint_score: z.optional(z.nullable(z.number())),
  source: z.optional(z.nullable(z.string())),
  urdf: z.optional(z.nullable(z.string())),
  problem: z.nullable(z.string()),
  feedback: z.optional(z.nullable(z.string())),
  robot: z.optional(z.nullable(robot)),
  /** What a critic model said, as it was read. */
  verdict: z.optional(z.unknown()),
  measured: z.optional(
    z.nullable(
      z.object({
        placed: z.boolean(),
        positions: z.optional(z.readonly(z.record(z.string(), z.nullable(z.number())))),
        joints: z.array(measuredJoint),
        extraJoints: z.number(),
      }),
    ),
  ),
  verifier: z.optional(
    z.nullable(z.object({ stops: z.boolean(), code: z.nullable(z.string()), text: z.nullable(z.string()) })),
  ),
})
export type IterationEvent = z.infer<typeof iterationEvent>

export const stopEvent = z.object({
  type: z.literal('articulate/stop'),
  code: z.string(),
  text: z.string(),
  best: z.nullable(z.number()),
})
export type StopEvent = z.infer<typeof stopEvent>

export const critiqueEvent = z.object({
  type: z.literal('articulate/critique'),
  critic: z.string(),
  /** In words: `range × 2`. */
  fault: z.string(),
  kind: z.string(),
  size: z.optional(z.number()),
  part: z.nullable(z.string()),
  expected: z.nullable(z.string()),
  robot: z.nullable(robot),
  source: z.optional(z.string()),
  reply: z.optional(z.string()),
  said: z.nullable(
    z.object({ reason: z.nullable(z.string()), accepts: z.boolean(), isInconsistent: z.optional(z.boolean()) }),
  ),
})
export type CritiqueEvent = z.infer<typeof critiqueEvent>

const criticFailedEvent = z.object({
  type: z.literal('articulate/critic-failed'),
  critic: z.string(),
  problem: z.string(),
})

export const articulateEvents = {
  'articulate/object': objectEvent,
  'articulate/pictures': picturesEvent,
  'articulate/video': videoEvent,
  'articulate/iteration': iterationEvent,
  'articulate/stop': stopEvent,
  'articulate/critique': critiqueEvent,
  'articulate/critic-failed': criticFailedEvent,
}
export type ArticulateEvent = z.infer<(typeof articulateEvents)[keyof typeof articulateEvents]>
