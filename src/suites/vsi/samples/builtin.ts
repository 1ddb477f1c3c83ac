/** Built-in scenes with questions of all ten types, generated from a seed and identical on every machine. */
import { z } from 'zod'
import { defineSource, hashOf, type SourceRequest } from '../../../suite.ts'
import { SCENE_LOOKS } from '../../../world.ts'
import { levelOf } from '../domain/levels.ts'
import type { Mode } from '../domain/protocol.ts'
import { QUESTION_TYPES } from '../domain/question-types.ts'
import { sceneKnobs } from '../domain/scene/origin.ts'
import type { VsiOptions } from '../options.ts'
import { askedKnobs } from './asked.ts'
import { clusterName, GENERATOR } from './builtin-questions.ts'
import { budgetOf, builtinSamples } from './question-thread.ts'
import { slottedSource } from './slots.ts'

const SCENES = 200
const MAX_QUESTIONS = 20

const args = z.object({
  seed: z.int().min(0).optional().describe('seed; default: the seed of the run'),
  scenes: z.int().min(1).default(SCENES).describe('number of scenes'),
  look: z
    .enum(SCENE_LOOKS)
    .default('lit')
    .describe('lit: textures and light; plain: one color per surface, faster to build; rich: finer light and mirrors'),
  questions: z.int().min(1).max(MAX_QUESTIONS).default(1).describe('questions of each type per scene, at most'),
  ...sceneKnobs.shape,
  ...askedKnobs.shape,
})

export function builtinSource<Options extends VsiOptions>(mode: Mode) {
  return defineSource({
    title: 'furnished rooms generated from a seed, with exact ground truth',
    usage: 'builtin:seed=7,scenes=200,look=lit,clutter=0',
    args,
    async open({ args: given, options, seed }: SourceRequest<Options, z.output<typeof args>>) {
      const { scenes, look, questions } = given
      const asked = askedKnobs.parse(given)
      const scene = {
        seed,
        look,
        knobs: sceneKnobs.parse(given),
        ...(Object.keys(asked).length > 0 && { asked }),
        ...(questions > 1 && { questions }),
      }
      const budget = budgetOf(options)
      const settings = hashOf({ ...scene, level: options.level, budget })
      return slottedSource(mode, options, {
        fingerprint: `${GENERATOR}/${scenes}/${options.types}/${settings}`,
        scenes,
        slots: Array.from({ length: questions }, () => QUESTION_TYPES).flat(),
        isComplete: budget === null && questions === 1,
        cluster: (index) => clusterName(seed, index),
        make: (index) => builtinSamples({ ...scene, index, level: levelOf(options.level, index) }, budget),
      })
    },
  })
}
