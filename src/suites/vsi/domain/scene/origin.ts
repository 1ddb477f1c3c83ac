/** Where a scene comes from. Paths are resolved at play time, by the source of the sample. */
import { z } from 'zod'
import { SCAN_DATASETS, SCENE_KINDS } from '../../../../world.ts'

/** `plain` scenes have no lighting and are faster to build. */
export const LOOKS = ['lit', 'plain'] as const
export type Look = (typeof LOOKS)[number]

export const sceneOrigin = z.discriminatedUnion('kind', [
  z.object({ kind: z.literal('scan'), source: z.string(), dataset: z.enum(SCAN_DATASETS), scene: z.string() }),
  z.object({ kind: z.literal('builtin'), scene: z.enum(SCENE_KINDS), seed: z.int(), look: z.enum(LOOKS) }),
])
export type SceneOrigin = z.output<typeof sceneOrigin>
export type ScanOrigin = Extract<SceneOrigin, { kind: 'scan' }>
export type BuiltinOrigin = Extract<SceneOrigin, { kind: 'builtin' }>
