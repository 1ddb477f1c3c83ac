/** The objects and turns in a question, as data. */
import { z } from 'zod'

const triple = z.tuple([z.number(), z.number(), z.number()]).readonly()

/** An object named in the question, with its known position, for maps. */
export const namedObject = z.object({
  category: z.string(),
  box: z.object({ center: triple, size: triple, yaw: z.number() }),
  /** In built-in scenes: its number in the scene. */
  instance: z.int().optional(),
  /** Frames of the walkthrough that show it best, with its pixels, among those that the run shows. */
  seenIn: z
    .array(z.object({ frame: z.int(), pixels: z.int() }))
    .readonly()
    .optional(),
  /** The same for an agent that walks to see everything: after how many moves. */
  seenAfter: z
    .array(z.object({ moves: z.int(), pixels: z.int() }))
    .readonly()
    .optional(),
})
export type NamedObject = z.output<typeof namedObject>

const turn = z.enum(['left', 'right', 'back'])
export type Turn = z.output<typeof turn>

/** What a baseline that knows the scene needs to answer the question. */
export const about = z.object({
  /** In the order the question names them. */
  categories: z.array(z.string()).readonly(),
  /** For routes: the turns of each option. */
  turns: z.array(z.array(turn).readonly()).readonly().optional(),
})
export type About = z.output<typeof about>
