/** What takes seconds and is therefore done beside the thread that talks to models. */
import type { Tour } from '../../../world/film/tour.ts'
import type { SceneKind } from '../../../world/rooms/scene.ts'
import type { Look, VsiSample } from '../case.ts'
import { makeCases } from '../source/builtin-questions.ts'
import { builtScene } from './built.ts'
import { type GlbOrigin, glbOf } from './glb.ts'
import { builtinData, builtinHash, scanData, type StageData } from './stage-data.ts'

/** By name: what each job is given, and what it gives. */
export interface Jobs {
  scan: { given: { path: string }; gives: StageData }
  builtin: { given: { scene: SceneKind; seed: number; look: Look }; gives: StageData }
  tour: { given: { scene: SceneKind; seed: number; look: Look }; gives: { hash: string; tour: Tour } }
  questions: { given: { seed: number; index: number; look: Look }; gives: VsiSample[] }
  glb: { given: GlbOrigin; gives: Uint8Array }
}
export type JobName = keyof Jobs

type Work = { [Name in JobName]: (given: Jobs[Name]['given']) => Promise<Jobs[Name]['gives']> }

export const work: Work = {
  scan: ({ path }) => scanData(path),
  builtin: async ({ scene, seed, look }) => builtinData(scene, seed, look),
  tour: async ({ scene: kind, seed, look }) => {
    const { scene, tour } = builtScene(kind, seed)
    return { hash: builtinHash(scene, look), tour: tour() }
  },
  questions: async ({ seed, index, look }) => makeCases(seed, index, look),
  glb: (origin) => glbOf(origin),
}

export function perform<Name extends JobName>(name: Name, given: Jobs[Name]['given']): Promise<Jobs[Name]['gives']> {
  return work[name](given)
}
