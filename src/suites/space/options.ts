import { z } from 'zod'
import { PROXY_NAMES } from './domain/proxies/run.ts'
import { TASK_NAMES } from './domain/answers/question.ts'

/** Settings of the published tables, all with rooms of 6 × 6 cells and 4 objects each. */
const PRESETS = {
  '2-rooms': { rooms: 2, topology: 0 },
  '3-rooms': { rooms: 3, topology: 1 },
  '4-rooms': { rooms: 4, topology: 2 },
} as const

/** Kept as text: parsed options must pass through this schema again unchanged. */
const tasks = z
  .string()
  .refine(
    (text) =>
      text === 'all' || text.split(',').every((name) => (TASK_NAMES as readonly string[]).includes(name.trim())),
    `must be "all" or a comma-separated list of ${TASK_NAMES.join(', ')}`,
  )

/** Options that can be set with `-T`. `proxy` is the agent whose log the published passive runs read. */
const optionsWith = (proxy: (typeof PROXY_NAMES)[number]) =>
  z
    .object({
      preset: z
        .enum(['2-rooms', '3-rooms', '4-rooms'])
        .default('3-rooms')
        .describe('published setting of rooms and topology'),
      rooms: z.int().min(1).max(8).optional().describe('number of rooms; overrides the preset'),
      topology: z
        .int()
        .min(0)
        .max(3)
        .optional()
        .describe('0: chain, 1: first room has two neighbors, 2: three neighbors, 3: ring of four'),
      size: z.int().min(3).max(20).default(6).describe('cells per side of a room'),
      objects: z.int().min(1).max(20).default(4).describe('objects per room'),
      spacing: z
        .enum(['dataset', 'free'])
        .default('dataset')
        .describe('dataset: keep objects apart as in the published scenes; free: no placement rules'),
      minDistance: z.number().min(0).max(10).optional().describe('minimum distance between objects, in cells'),
      clearNeighbours: z.boolean().optional().describe('keep the cells around objects, doors and the start empty'),
      collinearWithin: z
        .number()
        .min(0)
        .max(2)
        .optional()
        .describe('no three objects within this many cells of a line; 0: off'),
      orientedInFirst: z
        .int()
        .min(0)
        .max(20)
        .optional()
        .describe('minimum number of objects with a front in the first room'),
      orientedInOthers: z
        .int()
        .min(0)
        .max(20)
        .optional()
        .describe('minimum number of objects with a front in every other room'),
      explore: z
        .enum(['active', 'passive'])
        .default('active')
        .describe('active: the player moves; passive: it reads the log of a proxy agent'),
      proxy: z.enum(PROXY_NAMES).default(proxy).describe('proxy agent whose log is read with explore=passive'),
      steps: z.int().min(1).max(200).default(20).describe('maximum number of replies during exploration'),
      think: z.boolean().default(true).describe('ask for reasoning before the answer'),
      tasks: tasks.default('all').describe('tasks to ask, comma-separated, or all'),
      questions: z.int().min(0).max(20).default(3).describe('questions per task'),
      evaluation: z
        .enum(['plain', 'own-map', 'last-map', 'true-map'])
        .default('plain')
        .describe('map to answer from: none, a new map by the player, its last map, the ground truth'),
      maps: z
        .enum(['none', 'last', 'every'])
        .default('none')
        .describe('ask for maps: never, after exploration, after every turn'),
      views: z
        .int()
        .min(1)
        .max(4)
        .optional()
        .describe(
          'also ask about this many single views from the start, each in a conversation of its own: perception alone',
        ),
      revision: z.boolean().default(false).describe('change the scene, explore again, report the changes'),
      changes: z
        .int()
        .min(2)
        .max(5)
        .optional()
        .describe('with revision=true: how often the scene changes, each time from the scene before; default: once'),
      revisionSteps: z
        .int()
        .min(1)
        .max(200)
        .default(15)
        .describe('maximum number of replies during the second exploration'),
    })
    .transform(({ preset, rooms, topology, ...rest }, context) => {
      if (rest.changes !== undefined && !rest.revision)
        context.addIssue({ code: 'custom', path: ['changes'], message: 'needs revision=true' })
      const published = PRESETS[preset]
      return {
        ...rest,
        rooms: rooms ?? published.rooms,
        topology: topology ?? (rooms === undefined ? published.topology : defaultTopology(rooms)),
      }
    })

export const spaceOptions = optionsWith('strategist')
export const visionOptions = optionsWith('scout')

export type SpaceOptions = z.output<typeof spaceOptions>

/** The topology of the published setting with this number of rooms. */
function defaultTopology(rooms: number): number {
  return rooms <= 2 ? 0 : rooms === 3 ? 1 : 2
}
