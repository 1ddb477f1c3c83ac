/** Built-in scenes with questions of all ten types, generated from a seed and identical on every machine. */
import { z } from 'zod'
import { defineSource, hashOf, type OpenedSource, LruCache, type SourceRequest, Thread } from '../../../suite.ts'
import { SCENE_LOOKS } from '../../../world.ts'
import { levelOf } from '../domain/levels.ts'
import { sceneKnobs } from '../domain/scene/origin.ts'
import type { VsiSample } from './sample.ts'
import { DEFAULT_FRAMES, selectedTypes, type VsiOptions } from '../options.ts'
import type { Mode } from '../domain/protocol.ts'
import { QUESTION_TYPES } from '../domain/question-types.ts'
import { type Budget, clusterName, GENERATOR, type SceneRequest } from './builtin-questions.ts'

const SCENES = 200

const args = z.object({
  seed: z.int().min(0).optional().describe('seed; default: the seed of the run'),
  scenes: z.int().min(1).default(SCENES).describe('number of scenes'),
  look: z
    .enum(SCENE_LOOKS)
    .default('lit')
    .describe('lit: textures and light; plain: one color per surface, faster to build; rich: finer light and mirrors'),
  ...sceneKnobs.shape,
})

export function builtinSource<Options extends VsiOptions>(mode: Mode) {
  return defineSource({
    title: 'furnished rooms generated from a seed, with exact ground truth',
    usage: 'builtin:seed=7,scenes=200,look=lit,clutter=0',
    args,
    async open({ args: given, options, seed }: SourceRequest<Options, z.output<typeof args>>) {
      const { scenes, look } = given
      return openBuiltin(mode, { seed, look, knobs: sceneKnobs.parse(given) }, scenes, options)
    },
  })
}

function openBuiltin(
  mode: Mode,
  scene: Pick<SceneRequest, 'seed' | 'look' | 'knobs'>,
  scenes: number,
  options: VsiOptions,
): OpenedSource<VsiSample> {
  const types = new Set(selectedTypes(options))
  const slots = QUESTION_TYPES.map((type, slot) => ({ type, slot })).filter(
    // Without a video the slot of the appearance-order question stays empty, so all suites ask the same other questions.
    ({ type }) => mode !== 'explore' || type !== 'obj_appearance_order',
  )
  const budget = options.unanswerable === 'ask' ? null : budgetOf(options)
  const all = slots.every(({ type }) => types.has(type)) && budget === null
  const inSlots = async (index: number): Promise<readonly (VsiSample | null)[]> =>
    samplesOfScene({ ...scene, index, level: levelOf(options.level, index) }, budget)
  // A scene without a question of a type has one of another type in its slot.
  const asked = (sample: VsiSample | null | undefined): VsiSample | null =>
    sample && types.has(sample.type) ? sample : null
  const outlined = slots.filter(({ type }) => types.has(type))
  return {
    fingerprint: `${GENERATOR}/${scenes}/${options.types}/${hashOf({ ...scene, level: options.level, budget })}`,
    count: all ? scenes * slots.length : null,
    async *samples() {
      for (let index = 0; index < scenes; index++) {
        const made = await inSlots(index)
        yield* slots.flatMap(({ slot }) => asked(made[slot]) ?? [])
      }
    },
    *outline() {
      for (let index = 0; index < scenes; index++) {
        for (const { type } of outlined) yield { cluster: clusterName(scene.seed, index), labels: { type } }
      }
    },
    at: async (position) => {
      const made = await inSlots(Math.floor(position / outlined.length))
      return asked(made[outlined[position % outlined.length]!.slot])
    },
  }
}

/** The images of a run with which some questions may not be answerable; null for the default ones. */
function budgetOf({ frames, steps, input, lens, height, pitch, size }: VsiOptions): Budget | null {
  const camera = {
    ...(lens !== undefined && { lens }),
    ...(height !== undefined && { height }),
    ...(pitch !== undefined && { pitch }),
    ...(size !== undefined && { size }),
  }
  const other = Object.keys(camera).length > 0
  if (frames !== undefined) {
    const fewer = input !== 'video' && frames !== DEFAULT_FRAMES
    return fewer || other ? { camera, frames: input === 'video' ? WHOLE_VIDEO : frames } : null
  }
  return steps !== undefined || other ? { camera, steps: steps ?? WHOLE_SURVEY } : null
}

/** More than any walkthrough has frames, and more moves than any survey takes. */
const WHOLE_VIDEO = 256
const WHOLE_SURVEY = 256

/** Calls served by `thread.ts`: generating questions takes seconds and would block model requests. */
export interface QuestionWork {
  questions(given: SceneRequest & { budget: Budget | null }): (VsiSample | null)[]
}

const thread = new Thread<QuestionWork>('./thread', import.meta.url, {
  title: 'the question thread',
  handlers: {},
})

/** Cached because a run iterates its samples more than once, and several suites share them. */
const made = new LruCache<Promise<readonly (VsiSample | null)[]>>(2000)

/** The ten questions of a scene. */
function samplesOfScene(scene: SceneRequest, budget: Budget | null): Promise<readonly (VsiSample | null)[]> {
  return made.getOrCreate(hashOf({ ...scene, budget }), () => thread.call('questions', { ...scene, budget }))
}
