/** Built-in scenes with questions of all ten types: from a seed, the same on every machine. */
import { z } from 'zod'
import { defineSource, type OpenedSource, Recent, type SourceRequest, Thread } from '../../../suite.ts'
import { LOOKS, type Look } from '../domain/scene/origin.ts'
import type { VsiSample } from './sample.ts'
import { selectedTypes, type VsiOptions } from '../options.ts'
import type { Mode } from '../domain/protocol.ts'
import { QUESTION_TYPES } from '../domain/question-types.ts'
import { GENERATOR } from './builtin-questions.ts'

const SCENES = 200
const PER_SCENE = QUESTION_TYPES.length

const args = z.object({
  seed: z.int().min(0).optional().describe('seed; default: the seed of the run'),
  scenes: z.int().min(1).default(SCENES).describe('how many scenes'),
  look: z.enum(LOOKS).default('lit').describe('textures and light, or flat colours'),
})

export function builtinSource<Options extends VsiOptions>(mode: Mode) {
  return defineSource({
    title: 'furnished rooms from a seed, with truth from geometry',
    usage: 'builtin:seed=7,scenes=200,look=lit',
    args,
    async open({ args: { scenes, look }, options, seed }: SourceRequest<Options, z.output<typeof args>>) {
      return openBuiltin(mode, seed, scenes, look, options)
    },
  })
}

function openBuiltin(
  mode: Mode,
  seed: number,
  scenes: number,
  look: Look,
  options: VsiOptions,
): OpenedSource<VsiSample> {
  const types = new Set(selectedTypes(options).filter((type) => mode !== 'explore' || type !== 'obj_appearance_order'))
  const all = options.types.trim() === 'all'
  return {
    fingerprint: `${GENERATOR}/${seed}/${scenes}/${look}/${options.types}`,
    count: all ? scenes * (mode === 'explore' ? PER_SCENE - 1 : PER_SCENE) : null,
    async *samples() {
      for (let index = 0; index < scenes; index++) {
        for (const [slot, sample] of (await samplesOfScene(seed, index, look)).entries()) {
          // The place of the order stays empty when there is no video, so that all suites ask the same of the others.
          if (mode === 'explore' && QUESTION_TYPES[slot] === 'obj_appearance_order') continue
          if (types.has(sample.type)) yield sample
        }
      }
    },
  }
}

/** What `thread.ts` does, so that replies of models need not wait for seconds. */
export interface QuestionWork {
  questions(given: { seed: number; index: number; look: Look }): VsiSample[]
}

const thread = new Thread<QuestionWork>('./thread', import.meta.url, {
  title: 'the thread that thinks of questions',
  handlers: {},
})

/** Questions that were made before: a run counts its samples first, and several suites ask the same ones. */
const made = new Recent<Promise<readonly VsiSample[]>>(2000)

/** The ten questions of a scene. */
function samplesOfScene(seed: number, index: number, look: Look): Promise<readonly VsiSample[]> {
  return made.of(`${seed}/${index}/${look}`, () => thread.call('questions', { seed, index, look }))
}
