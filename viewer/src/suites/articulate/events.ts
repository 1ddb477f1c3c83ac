/** What Articulate records. The suite's README says what each field means. */
import { z } from '../../episode/read.ts'

const triple = z.tuple([z.number(), z.number(), z.number()])
const matrix = z.array(z.number()).check(z.length(16))
const media = z.object({ sha256: z.string(), type: z.string() })

const joint = z.object({
  name: z.string(),
  type: z.string(),
  parent: z.string(),
  child: z.string(),
  part: z.string(),
  origin: matrix,
  axis: triple,
  lower: z.nullable(z.number()),
  upper: z.nullable(z.number()),
  range: z.nullable(z.tuple([z.number(), z.number()])),
  mimic: z.optional(
    z.nullable(
      z.object({
        joint: z.string(),
        multiplier: z._default(z.number(), 1),
        offset: z._default(z.number(), 0),
      }),
    ),
  ),
})
export type Joint = z.infer<typeof joint>

const robot = z.object({
  root: z.string(),
  links: z.array(z.object({ name: z.string(), part: z.nullable(z.string()), visual: matrix })),
  joints: z.array(joint),
})
export type Robot = z.infer<typeof robot>

export const objectEvent = z.object({
  object: z.string(),
  category: z.string(),
  target: z.nullable(z.string()),
  meshes: media,
  truth: robot,
})

export const videoEvent = z.object({ what: z.string(), part: z.optional(z.string()), media })

const measuredJoint = z.object({
  child: z.string(),
  trueType: z.string(),
  finding: z.string(),
  success: z.boolean(),
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
  iteration: z.number(),
  seed: z.optional(z.number()),
  feedback_score: z.optional(z.nullable(z.number())),
  position_score: z.optional(z.nullable(z.number())),
  joint_score: z.optional(z.nullable(z.number())),
  problem: z.nullable(z.string()),
  feedback: z.optional(z.unknown()),
  source: z.optional(z.nullable(z.string())),
  robot: z.optional(z.nullable(robot)),
  verdict: z.optional(z.unknown()),
  measured: z.optional(
    z.nullable(
      z.object({
        placed: z.boolean(),
        joints: z.array(measuredJoint),
        extraJoints: z.number(),
      }),
    ),
  ),
  verifier: z.optional(z.nullable(z.object({ stops: z.boolean(), code: z.string(), text: z.string() }))),
})
export type Iteration = z.infer<typeof iterationEvent>

export const stopEvent = z.object({ code: z.string(), text: z.string(), best: z.nullable(z.number()) })

export const critiqueEvent = z.object({
  critic: z.string(),
  /** In words: `range × 2`. */
  fault: z.string(),
  kind: z.string(),
  part: z.nullable(z.string()),
  expected: z.nullable(z.string()),
  robot: z.nullable(robot),
  said: z.nullable(z.object({ reason: z.nullable(z.string()), accepts: z.boolean() })),
})
export type Critique = z.infer<typeof critiqueEvent>
