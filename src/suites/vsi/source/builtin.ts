/** Built-in scenes with questions of all ten types: from a seed, the same on every machine. */
import { z } from 'zod'
import { defineSource } from '../../../engine/define.ts'
import type { OpenedSource, SourceRequest } from '../../../engine/suite.ts'
import type { Look, VsiSample } from '../case.ts'
import { typesOf, type VsiOptions } from '../options.ts'
import { runInThread } from '../scene/run-in-thread.ts'
import { QUESTION_TYPES, type Way } from '../types.ts'
import { GENERATOR } from './builtin-questions.ts'

const SCENES = 200
const PER_SCENE = QUESTION_TYPES.length

const args = z.object({
  seed: z.int().min(0).optional().describe('seed; default: the seed of the run'),
  scenes: z.int().min(1).default(SCENES).describe('how many scenes'),
  look: z.enum(['lit', 'plain']).default('lit').describe('textures and light, or flat colours'),
})

export function builtinSource<Options extends VsiOptions>(way: Way) {
  return defineSource({
    title: 'furnished rooms from a seed, with truth from geometry',
    usage: 'builtin:seed=7,scenes=200,look=lit',
    args,
    async open({ args: { scenes, look }, options, seed }: SourceRequest<Options, z.output<typeof args>>) {
      return openBuiltin(way, seed, scenes, look, options)
    },
  })
}

function openBuiltin(way: Way, seed: number, scenes: number, look: Look, options: VsiOptions): OpenedSource<VsiSample> {
  const types = new Set(typesOf(options).filter((type) => way !== 'explore' || type !== 'obj_appearance_order'))
  const all = options.types.trim() === 'all'
  return {
    fingerprint: `${GENERATOR}/${seed}/${scenes}/${look}/${options.types}`,
    count: all ? scenes * (way === 'explore' ? PER_SCENE - 1 : PER_SCENE) : null,
    async *cases() {
      for (let index = 0; index < scenes; index++) {
        for (const [slot, sample] of (await casesOfScene(seed, index, look)).entries()) {
          // The place of the order stays empty when there is no video, so that all ways ask the same of the others.
          if (way === 'explore' && QUESTION_TYPES[slot] === 'obj_appearance_order') continue
          if (types.has(sample.type)) yield sample
        }
      }
    },
  }
}

/** Questions that were made before: a run counts its cases first, and several suites ask the same ones. */
const made = new Map<string, Promise<readonly VsiSample[]>>()
const SCENES_KEPT = 2000

/** The ten questions of a scene. */
export function casesOfScene(seed: number, index: number, look: Look): Promise<readonly VsiSample[]> {
  const key = `${seed}/${index}/${look}`
  const cases = made.get(key) ?? runInThread('questions', { seed, index, look })
  made.set(key, cases)
  if (made.size > SCENES_KEPT) made.delete(made.keys().next().value!)
  return cases
}
