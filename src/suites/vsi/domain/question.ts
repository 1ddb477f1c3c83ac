/** What a question speaks of, as data. */
import { z } from 'zod'

const triple = z.tuple([z.number(), z.number(), z.number()]).readonly()

/** A thing that the question speaks of, where its place is known: for maps. */
export const namedObject = z.object({
  category: z.string(),
  box: z.object({ center: triple, size: triple, yaw: z.number() }),
})
export type NamedObject = z.output<typeof namedObject>

const turn = z.enum(['left', 'right', 'back'])
export type Turn = z.output<typeof turn>

/** What a player that knows the scene needs to answer the question. */
export const about = z.object({
  /** In the order in which the question names them. */
  categories: z.array(z.string()).readonly(),
  /** For routes: the turns of each option. */
  turns: z.array(z.array(turn).readonly()).readonly().optional(),
})
export type About = z.output<typeof about>
