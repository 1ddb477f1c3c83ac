/** Baselines, which need no model. They reply as text, in the format the prompt asks for. */
import { BASELINE_THOUGHT, type Baseline, type BaselinePlayer, type ModelRequest, Random } from '../../../suite.ts'
import { FIRST_ANGLES, type Mode, MOVE_LIMITS } from '../domain/protocol.ts'
import { lettersOf, type VsiSample } from '../samples/sample.ts'
import type { BaselineInput } from '../play/baseline-input.ts'
import { priorAnswer } from '../domain/prior.ts'
import type { Shares } from '../domain/evidence.ts'
import { Survey } from '../domain/survey.ts'
import { eyeAnswer } from '../samples/eye.ts'
import { answerReply, type BaselineStep, stepReply } from './replies.ts'
import { isNumberType, type NumberType } from '../domain/question-types.ts'

type VsiBaseline = Baseline<VsiSample, unknown>

/** A baseline that decides on its answer without looking. */
function fixedAnswer(title: string, answer: (sample: VsiSample, random: Random) => string): VsiBaseline {
  return {
    title,
    start(sample, { random }) {
      const fixed = answer(sample, random)
      return playerFrom(sample, { step: () => ({ answer: fixed }), answer: () => fixed, map: centeredMap })
    },
  }
}

type StepInput = Extract<BaselineInput, { ask: 'step' }>

interface BaselinePolicy {
  step: (baselineInput: StepInput) => BaselineStep
  answer: (baselineInput: Extract<BaselineInput, { ask: 'answer' }>) => string | Promise<string>
  map: (baselineInput: Extract<BaselineInput, { ask: 'map' }>) => string
}

function playerFrom(sample: VsiSample, { step, answer, map }: BaselinePolicy): BaselinePlayer {
  return async (request: ModelRequest) => {
    const baselineInput = request.baselineInput as BaselineInput
    switch (baselineInput.ask) {
      case 'first-view':
        return JSON.stringify({ selected_angle: FIRST_ANGLES[0], reasoning: BASELINE_THOUGHT })
      case 'step':
        return stepReply(sample, step(baselineInput), baselineInput)
      case 'answer':
        return answerReply(sample, await answer(baselineInput), baselineInput.bare ?? false)
      case 'map':
        return map(baselineInput)
      case 'thought':
        return 'The best choice is 1.'
      default:
        return baselineInput satisfies never
    }
  }
}

/** Puts every category in the middle; only the oracle has a real map. */
function centeredMap({ truth }: Extract<BaselineInput, { ask: 'map' }>): string {
  return JSON.stringify(Object.fromEntries(Object.keys(truth ?? {}).map((name) => [name, [[5, 5]]])))
}

/** Ranges of random numeric answers, sampled log-uniformly. */
const RANGES: Readonly<Record<NumberType, readonly [number, number]>> = {
  object_counting: [1, 12],
  object_abs_distance: [0.2, 8],
  object_size_estimation: [10, 300],
  room_size_estimation: [5, 100],
}

function randomAnswer({ type, options }: VsiSample, random: Random): string {
  if (!isNumberType(type)) return random.pick(lettersOf(options ?? ['A']))
  const [from, to] = RANGES[type]
  const value = from * (to / from) ** random.unit()
  return type === 'object_counting' || type === 'object_size_estimation' ? String(Math.round(value)) : value.toFixed(1)
}

/** Probability that the random explorer stops at a step. */
const STOP_PROBABILITY = 1 / 3

const random: VsiBaseline = {
  title: 'a random answer, after a few random moves',
  start(sample, { random: draws }) {
    const fixed = randomAnswer(sample, draws)
    const anyMove = (limit: number): number => Math.round(draws.range(-limit, limit) * 100) / 100
    return playerFrom(sample, {
      step: ({ final }) =>
        final || draws.chance(STOP_PROBABILITY)
          ? { answer: fixed }
          : {
              move: {
                turnDegrees: Math.round(anyMove(MOVE_LIMITS.turnDegrees)),
                forwardMeters: anyMove(MOVE_LIMITS.forwardMeters),
                leftMeters: anyMove(MOVE_LIMITS.leftMeters),
                upMeters: anyMove(MOVE_LIMITS.upMeters),
              },
            },
      answer: () => fixed,
      map: centeredMap,
    })
  },
}

/** Sees which object every pixel of the shown images belongs to, and nothing else; guesses where they do not suffice. */
const eye: VsiBaseline = {
  title: 'a perfect eye: recognizes what the images show, and walks a covering path in explore',
  cannotPlay: { 'vsi-bench': 'where the objects of a scan are is not known' },
  start(sample, { random: draws }) {
    const images: Shares[] = []
    let survey: Survey | null = null
    const guess = sample.options === null ? sample.frequent : draws.pick(lettersOf(sample.options))
    return playerFrom(sample, {
      step: ({ stage, pose, seen, final }) => {
        images.push(seen())
        survey ??= new Survey(stage)
        const move = final ? null : survey.next(pose)
        return move === null ? { answer: eyeAnswer(sample, stage.objects, images) ?? guess } : { move }
      },
      answer: async ({ shown }) => {
        const { objects, images: frames } = (await shown?.()) ?? { objects: [], images: [] }
        return eyeAnswer(sample, objects, frames) ?? guess
      },
      map: centeredMap,
    })
  },
}

const oracle: VsiBaseline = {
  title: 'knows the ground truth',
  start: (sample) =>
    playerFrom(sample, {
      step: () => ({ answer: sample.truth }),
      answer: () => sample.truth,
      map: ({ truth }) => JSON.stringify(truth ?? {}),
    }),
}

export function baselinesFor(mode: Mode): Readonly<Record<string, VsiBaseline>> {
  return {
    random,
    frequency: fixedAnswer('always the most frequent answer of the type', (sample) => sample.frequent),
    blind: fixedAnswer('typical sizes and counts, from the question alone', (sample) => priorAnswer(sample)),
    oracle,
    ...(mode !== 'blind' && { eye }),
  }
}
