/** The actions of `vsi/explore` as tools. */
import { z } from 'zod'
import { defineTool } from '../../suite.ts'

const meters = (most: number, what: string) => z.number().min(-most).max(most).default(0).describe(what)
const NO_MOVE = { rotation_angle_degrees: 0, forward_meters: 0, left_meters: 0, z_delta_meters: 0 }

export const tools = {
  choose_view: defineTool({
    description: 'choose the first view',
    input: z.object({ angle: z.literal([0, 90, 180, 270]) }),
    reply: ({ angle }) => JSON.stringify({ reasoning: '', selected_angle: angle }),
  }),
  move: defineTool({
    description: 'turn, then walk',
    input: z.object({
      rotation_angle_degrees: z.number().min(-90).max(90).default(0),
      forward_meters: meters(1, 'negative is back'),
      left_meters: meters(0.5, 'negative is right'),
      z_delta_meters: meters(0.3, 'negative is down'),
    }),
    reply: (move) => JSON.stringify({ ...move, answer: null, done: false }),
  }),
  answer: defineTool({
    description: 'answer the question',
    input: z.object({ answer: z.union([z.string().max(1000), z.number()]) }),
    reply: ({ answer }) => JSON.stringify({ ...NO_MOVE, answer, done: true }),
  }),
}
