/** Players that need no model. They answer in words, in the format that the prompt asks for. */
import { type Baseline, type BaselinePlayer, type ModelRequest, Random } from '../../../suite.ts'
import { FIRST_ANGLES, type Mode, MOVE_LIMITS } from '../domain/protocol.ts'
import { lettersOf, type VsiSample } from '../samples/sample.ts'
import type { BaselineInput } from '../play/baseline-input.ts'
import { priorAnswer } from '../domain/prior.ts'
import { TourPlayer } from './tour.ts'
import { answerReply, doneReply, stepReply } from './replies.ts'
import { isNumberType, type NumberType } from '../domain/question-types.ts'

type VsiBaseline = Baseline<VsiSample, unknown>

/** A player that knows its answer from the start and does not look. */
function fixedAnswer(title: string, answer: (sample: VsiSample, random: Random) => string): VsiBaseline {
  return {
    title,
    start(sample, { random, options }) {
      const said = answer(sample, random)
      const direct = wantsBareAnswer(options)
      return playerFrom(sample, direct, { step: () => doneReply(sample, said), answer: () => said, map: centeredMap })
    },
  }
}

function wantsBareAnswer(options: unknown): boolean {
  return typeof options === 'object' && options !== null && 'prompts' in options && options.prompts === 'leaderboard'
}

interface BaselinePolicy {
  step: (baselineInput: Extract<BaselineInput, { ask: 'step' }>) => string
  answer: () => string
  map: (baselineInput: Extract<BaselineInput, { ask: 'map' }>) => string
}

function playerFrom(sample: VsiSample, direct: boolean, { step, answer, map }: BaselinePolicy): BaselinePlayer {
  return (request: ModelRequest) => {
    const baselineInput = request.baselineInput as BaselineInput
    switch (baselineInput.ask) {
      case 'first-view':
        return JSON.stringify({ selected_angle: FIRST_ANGLES[0], reasoning: 'built-in player' })
      case 'step':
        return step(baselineInput)
      case 'answer':
        return answerReply(sample, answer(), direct)
      case 'map':
        return map(baselineInput)
      default:
        return baselineInput satisfies never
    }
  }
}

/** Only the oracle's map is any good; the others have everything in the middle. */
function centeredMap({ truth }: Extract<BaselineInput, { ask: 'map' }>): string {
  return JSON.stringify(Object.fromEntries(Object.keys(truth ?? {}).map((name) => [name, [[5, 5]]])))
}

/** Where random numbers are drawn from, evenly on a scale of ratios. */
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

/** A step at which the random explorer has had enough, on average one in three. */
const STOP_PROBABILITY = 1 / 3

const random: VsiBaseline = {
  title: 'any answer, after a few random moves',
  start(sample, { random: draws, options }) {
    const said = randomAnswer(sample, draws)
    const anyMove = (limit: number): number => Math.round(draws.range(-limit, limit) * 100) / 100
    return playerFrom(sample, wantsBareAnswer(options), {
      step: ({ final }) =>
        final || draws.chance(STOP_PROBABILITY)
          ? doneReply(sample, said)
          : stepReply({
              turnDegrees: Math.round(anyMove(MOVE_LIMITS.turnDegrees)),
              forwardMeters: anyMove(MOVE_LIMITS.forwardMeters),
              leftMeters: anyMove(MOVE_LIMITS.leftMeters),
              upMeters: anyMove(MOVE_LIMITS.upMeters),
            }),
      answer: () => said,
      map: centeredMap,
    })
  },
}

const tour: VsiBaseline = {
  title: 'walks a covering path and answers from what it saw',
  start(sample, { random: draws, options }) {
    const player = new TourPlayer(sample, draws)
    return playerFrom(sample, wantsBareAnswer(options), {
      step: (baselineInput) => {
        const move = player.next(baselineInput)
        return baselineInput.final || move === null ? doneReply(sample, player.answer()) : stepReply(move)
      },
      answer: () => player.answer(),
      map: centeredMap,
    })
  },
}

const oracle: VsiBaseline = {
  title: 'knows the answer',
  start: (sample, { options }) =>
    playerFrom(sample, wantsBareAnswer(options), {
      step: () => doneReply(sample, sample.truth),
      answer: () => sample.truth,
      map: ({ truth }) => JSON.stringify(truth ?? {}),
    }),
}

export function baselinesFor(mode: Mode): Readonly<Record<string, VsiBaseline>> {
  return {
    random,
    frequency: fixedAnswer('always the most frequent answer of the type', (sample) => sample.frequent),
    blind: fixedAnswer('what is usual, from the words of the question', (sample) => priorAnswer(sample)),
    oracle,
    ...(mode === 'explore' && { tour }),
  }
}
