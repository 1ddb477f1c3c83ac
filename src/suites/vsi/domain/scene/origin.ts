/** Where a scene comes from. Paths are resolved at play time, by the source of the sample. */
import { z } from 'zod'
import { LIGHTINGS, SCAN_DATASETS, SCENE_KINDS, SCENE_LOOKS, TOUR_PATHS } from '../../../../world.ts'

/** What makes a built-in scene harder or easier; drawn from the seed where absent. */
export const sceneKnobs = z.object({
  rooms: z.int().min(2).max(8).optional().describe('rooms of a flat'),
  objects: z.int().min(4).max(60).optional().describe('furniture per room, before small things'),
  clutter: z.int().min(0).max(100).optional().describe('things per room, with the small ones'),
  lookAlikes: z.number().min(0).max(1).optional().describe('how often a thing is almost like another in the room'),
  lighting: z.enum(LIGHTINGS).optional().describe('hour and weather'),
  walkthrough: z
    .enum(TOUR_PATHS)
    .optional()
    .describe(
      'path of the camera: looks around at every stop (tour, the default), only ahead (walk), or turns on the spot (stand)',
    ),
})
export type SceneKnobs = z.output<typeof sceneKnobs>

const builtin = sceneKnobs.extend({
  kind: z.literal('builtin'),
  scene: z.enum(SCENE_KINDS),
  seed: z.int(),
  look: z.enum(SCENE_LOOKS),
})

/** A user's scene: the folder of that name, in the folder that the source was opened with. */
const own = z.object({ kind: z.literal('own'), source: z.string(), scene: z.string() })

export const sceneOrigin = z.discriminatedUnion('kind', [
  z.object({
    kind: z.literal('scan'),
    source: z.string(),
    dataset: z.enum(SCAN_DATASETS),
    scene: z.string(),
    /** What is shown of it, if not the benchmark's video. */
    capture: z.literal('frames').optional(),
  }),
  builtin,
  own,
])
export type SceneOrigin = z.output<typeof sceneOrigin>
export type ScanOrigin = Extract<SceneOrigin, { kind: 'scan' }>
export type BuiltinOrigin = z.output<typeof builtin>
export type OwnOrigin = z.output<typeof own>
