/** Answers that give the coordinates of several objects. */
import { Random } from '../../../../suite.ts'
import { bearingOfOffset, cardinalBin, cardinalBinOfCells } from '../grid/relations.ts'
import type { Position } from '../grid/frames.ts'
import { NORTH, type Scene, type Vec } from '../grid/scene.ts'
import { closeness, floorCells, lengthScale } from '../grid/distance-score.ts'
import { coordinateFields } from '../../parse/fields.ts'
import type { AnswerForm } from './form.ts'
import { readCoordinates, readNamedCoordinates } from '../../parse/grammar.ts'
import { zeroScore, type PlacesAnswer, type TaskScore } from './question.ts'

/** Samples for the chance level of the published score, which has no closed form. */
const CHANCE_DRAWS = 64

export const places = (answer: PlacesAnswer, scene: Scene): AnswerForm => ({
  score: (text, profile) => (profile === 'upstream' ? scoreUpstream(answer, text) : scoreFixed(answer, scene, text)),
  truth: () => coordinatesText(answer.places),
  perfect: () => coordinatesText(answer.places),
  random: (random) => coordinatesText(randomPlaces(answer, scene, random)),
  chance: (profile) => (profile === 'upstream' ? sampledChance(answer, scene) : exactChance(answer, scene)),
  ceiling: () => 1,
})

export function coordinatesText(coordinates: readonly Position[]): string {
  return coordinates.map(([x, y]) => `(${x}, ${y})`).join('; ')
}

/** An independent random floor cell for each object. */
function randomPlaces(answer: PlacesAnswer, scene: Scene, random: Random): Position[] {
  const [x0, y0] = scene.start.pos
  return answer.places.map(() => {
    const [x, y] = random.pick(floorCells(scene))
    return [x - x0, y - y0]
  })
}

function scoreUpstream(answer: PlacesAnswer, text: string): TaskScore {
  const read = coordinateFields(text)
  if (read === null) return zeroScore('invalid_prediction_format', true)
  if (read.length !== answer.places.length) return zeroScore('mismatched_coordinate_count', true)
  const score = publishedScore(answer.places, read)
  return { score, exact: allEqual(answer.places, read) ? 1 : 0, formatError: 0, extra: {} }
}

/** Mean of the position score, exp(−RMSE / RMS distance of the true positions), and the pairwise direction score. */
function publishedScore(truth: readonly Vec[], read: readonly Position[]): number {
  let error = 0
  let size = 0
  for (let i = 0; i < truth.length; i++) {
    const [x, y] = truth[i]!
    error += (read[i]![0] - x) ** 2 + (read[i]![1] - y) ** 2
    size += x * x + y * y
  }
  const scale = size > 0 ? Math.sqrt(size / truth.length) : 1
  return (closeness(Math.sqrt(error / truth.length), scale) + directionShare(truth, read)) / 2
}

/** Fraction of pairs, origin included, with the right cardinal direction. Coincident points count as north. */
function directionShare(truth: readonly Position[], read: readonly Position[]): number {
  const [here, there]: [Position[], Position[]] = [
    [...truth, [0, 0]],
    [...read, [0, 0]],
  ]
  let right = 0
  let pairs = 0
  for (let i = 0; i < here.length; i++) {
    for (let j = i + 1; j < here.length; j++) {
      pairs += 1
      if (binBetween(here[j]!, here[i]!) === binBetween(there[j]!, there[i]!)) right += 1
    }
  }
  return right / pairs
}

function binBetween(from: Position, to: Position): number {
  const dx = to[0] - from[0]
  const dy = to[1] - from[1]
  // Whole cells, nearly always the case, need no arc tangent.
  if (Number.isInteger(dx) && Number.isInteger(dy)) return cardinalBinOfCells(dx, dy)
  return cardinalBin(bearingOfOffset(dx, dy, NORTH))
}

/** Mean closeness over all objects. Directions go into `extra`, because they say nothing about scale. */
function scoreFixed(answer: PlacesAnswer, scene: Scene, text: string): TaskScore {
  const read = readNamedCoordinates(text, answer.names) ?? readCoordinates(text, answer.places.length)
  if (read === null) return zeroScore(`expected ${answer.places.length} coordinates`, true)
  const scale = lengthScale(scene)
  let sum = 0
  answer.places.forEach(([x, y], i) => {
    sum += closeness(Math.hypot(read[i]![0] - x, read[i]![1] - y), scale)
  })
  return {
    score: sum / answer.places.length,
    exact: allEqual(answer.places, read) ? 1 : 0,
    formatError: 0,
    extra: { directions: directionShare(answer.places, read) },
  }
}

function allEqual(truth: readonly Vec[], read: readonly Position[]): boolean {
  return truth.every(([x, y], i) => read[i]![0] === x && read[i]![1] === y)
}

function sampledChance(answer: PlacesAnswer, scene: Scene): number {
  const random = new Random(`space/chance/${coordinatesText(answer.places)}`)
  let sum = 0
  for (let i = 0; i < CHANCE_DRAWS; i++) sum += publishedScore(answer.places, randomPlaces(answer, scene, random))
  return sum / CHANCE_DRAWS
}

function exactChance(answer: PlacesAnswer, scene: Scene): number {
  const cells = floorCells(scene)
  const scale = lengthScale(scene)
  const [x0, y0] = scene.start.pos
  let sum = 0
  for (const [px, py] of answer.places) {
    for (const [x, y] of cells) sum += closeness(Math.sqrt((x - x0 - px) ** 2 + (y - y0 - py) ** 2), scale)
  }
  return sum / (cells.length * answer.places.length)
}
