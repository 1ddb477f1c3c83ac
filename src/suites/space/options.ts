import { z } from 'zod'
import { PROXY_NAMES } from './domain/proxies/run.ts'
import { TASK_NAMES } from './domain/answers/question.ts'

/** Settings of the published table: equal rooms of 6 × 6 cells with 4 objects each, and how they hang together. */
const PRESETS = {
  '2-rooms': { rooms: 2, topology: 0 },
  '3-rooms': { rooms: 3, topology: 1 },
  '4-rooms': { rooms: 4, topology: 2 },
} as const

/** Kept as text, so that options that went through this schema go through it again unchanged. */
const tasks = z
  .string()
  .refine(
    (text) =>
      text === 'all' || text.split(',').every((name) => (TASK_NAMES as readonly string[]).includes(name.trim())),
    `tasks are ${TASK_NAMES.join(', ')}, comma-separated, or all`,
  )

/** What can be set with `-T`. */
export const spaceOptions = z
  .object({
    preset: z.enum(['2-rooms', '3-rooms', '4-rooms']).default('3-rooms').describe('setting of the published table'),
    rooms: z.int().min(1).max(8).optional().describe("rooms, instead of the preset's"),
    topology: z
      .int()
      .min(0)
      .max(3)
      .optional()
      .describe('0 chain, 1 two neighbours, 2 three neighbours, 3 ring of four'),
    size: z.int().min(3).max(20).default(6).describe('cells along each side of a room'),
    objects: z.int().min(1).max(20).default(4).describe('objects in each room'),
    spacing: z
      .enum(['dataset', 'free'])
      .default('dataset')
      .describe('dataset keeps objects apart as the published scenes do; free does not'),
    minDistance: z.number().min(0).max(10).optional().describe('least distance between objects, in cells'),
    clearNeighbours: z.boolean().optional().describe('keep the cells around objects, doors and the start free'),
    collinearWithin: z
      .number()
      .min(0)
      .max(2)
      .optional()
      .describe('no three things within this of one line; 0 allows it'),
    orientedInFirst: z.int().min(0).max(20).optional().describe('least objects with a front in the first room'),
    orientedInOthers: z.int().min(0).max(20).optional().describe('least objects with a front in each other room'),
    explore: z.enum(['active', 'passive']).default('active').describe('walk oneself, or read the log of a proxy agent'),
    proxy: z.enum(PROXY_NAMES).default('strategist').describe('whose log is read when passive'),
    steps: z.int().min(1).max(200).default(20).describe('replies before exploration is over'),
    think: z.boolean().default(true).describe('ask for thoughts before the answer'),
    tasks: tasks.default('all').describe('tasks to ask, comma-separated, or all'),
    questions: z.int().min(0).max(20).default(3).describe('questions of each task'),
    evaluation: z
      .enum(['plain', 'own-map', 'last-map', 'true-map'])
      .default('plain')
      .describe('before a question: nothing, a map of its own, its last map, the true map'),
    maps: z
      .enum(['none', 'last', 'every'])
      .default('none')
      .describe('probe the belief: never, at the end, after every turn'),
    revision: z.boolean().default(false).describe('change the scene, explore again, find what has changed'),
    revisionSteps: z.int().min(1).max(200).default(15).describe('replies before the second exploration is over'),
  })
  .transform(({ preset, rooms, topology, ...rest }) => {
    const published = PRESETS[preset]
    return {
      ...rest,
      rooms: rooms ?? published.rooms,
      topology: topology ?? (rooms === undefined ? published.topology : usualTopology(rooms)),
    }
  })

export type SpaceOptions = z.output<typeof spaceOptions>

/** What the published settings use for so many rooms. */
function usualTopology(rooms: number): number {
  return rooms <= 2 ? 0 : rooms === 3 ? 1 : 2
}
