/** The actions of exploration as tools; each is one step, as in `Actions: […]`. */
import { z } from 'zod'
import { defineTool } from '../../suite.ts'
import { type Action, actionText } from './parse/actions.ts'

const object = z
  .string()
  .regex(/^[\w -]{1,60}$/)
  .describe('name of an object or a door')
const none = z.object({})
const act = (...actions: readonly Action[]): string =>
  `THINK: next step\nFINAL ANSWER: Actions: [${actions.map(actionText).join(', ')}]`

export const tools = {
  observe: defineTool({ description: 'look ahead', input: none, reply: () => act({ kind: 'observe' }) }),
  rotate: defineTool({
    description: 'turn clockwise, then look',
    input: z.object({ degrees: z.literal([90, 180, 270]) }),
    reply: ({ degrees }) => act({ kind: 'rotate', degrees }, { kind: 'observe' }),
  }),
  jump_to: defineTool({
    description: 'go to an object that is in view, then look',
    input: z.object({ object }),
    reply: ({ object: name }) => act({ kind: 'jump', name }, { kind: 'observe' }),
  }),
  query: defineTool({
    description: 'ask where an object in view is exactly',
    input: z.object({ object }),
    reply: ({ object: name }) => act({ kind: 'query', name }),
  }),
  term: defineTool({
    description: 'end the exploration',
    input: z.object({
      changes: z
        .string()
        .regex(/^[^"\n]{1,2000}$/)
        .optional()
        .describe('after the scene changed: "lamp: position, chair: orientation"'),
    }),
    reply: ({ changes }) => act({ kind: 'term', ...(changes !== undefined && { changes }) }),
  }),
  answer: defineTool({
    description: 'answer a question',
    input: z.object({ answer: z.string().max(10_000) }),
    reply: ({ answer }) => `THINK: answer\nFINAL ANSWER: ${answer}`,
  }),
}
