/** GRiT: finds things in a picture and puts each into words. The networks see; what is chosen is chosen here. */
import type { NamedBox } from '../rules/spatial.ts'
import { best, boxesAt, joined, type ScoredBoxes, suppress } from './boxes.ts'
import { IMAGENET, normalisePlanes, padWithZeros, type Planes } from './resize.ts'
import { type Network, outputOf, type Tensor } from './runtime.ts'
import type { WordPieces } from './wordpiece.ts'

/** Thresholds and counts of the published configuration. */
const SIDE_MULTIPLE = 32
const LEVELS = ['3', '4', '5', '6', '7'] as const
const PROPOSAL_SCORE = 0.0001
const PROPOSALS_PER_LEVEL = 1000
const PROPOSAL_OVERLAP = 0.9
const PROPOSALS = 256
const BOX_SCORE = 0.5
const BOX_OVERLAP = 0.5
const MOST_BOXES = 256
const MOST_TOKENS = 40
/** Boxes put into words together: what is remembered of each takes 7 MB. */
const BATCH = 8

/** The token that a text begins with says what kind of text it is. */
export const NAME_TOKEN = 101
export const DESCRIPTION_TOKEN = 104

export interface GritNetworks {
  features: Network
  boxes: Network
  objects: Network
  words: Network
  vocabulary: WordPieces
}

/** What was found in a picture, the surest first. */
export interface Sight {
  boxes: Float32Array
  count: number
  /** Words for the first boxes, or for all. */
  describe(begin: number, first?: number): Promise<string[]>
}

export async function look(networks: GritNetworks, picture: Planes): Promise<Sight> {
  const { width, height } = picture
  const shown = padWithZeros(normalisePlanes(picture, IMAGENET), SIDE_MULTIPLE)
  const seen = await networks.features.run({ dims: [1, 3, shown.height, shown.width], data: shown.data })
  const maps = ['p3', 'p4', 'p5'].map((name) => outputOf(seen, name))
  const levels = LEVELS.map((level) => {
    const all: ScoredBoxes = {
      boxes: outputOf(seen, `boxes${level}`).data,
      scores: outputOf(seen, `scores${level}`).data,
    }
    return boxesAt(all, best(all, PROPOSALS_PER_LEVEL, PROPOSAL_SCORE))
  })
  const proposals = chosenProposals(joined(levels))
  if (proposals.scores.length === 0) return { boxes: new Float32Array(), count: 0, describe: async () => [] }
  const refined = await networks.boxes.run(
    ...maps,
    boxTensor(proposals.boxes),
    { dims: [proposals.scores.length], data: proposals.scores },
    { dims: [2], data: Float32Array.of(height, width) },
  )
  const found: ScoredBoxes = { boxes: outputOf(refined, 'boxes').data, scores: outputOf(refined, 'scores').data }
  const sure = boxesAt(found, best(found, Infinity, BOX_SCORE))
  const { boxes } = boxesAt(
    sure,
    suppress(sure, BOX_OVERLAP)
      .slice(0, MOST_BOXES)
      .filter((i) => isNotEmpty(sure.boxes, i)),
  )
  return {
    boxes,
    count: boxes.length / 4,
    async describe(begin, first = boxes.length / 4) {
      const texts: string[] = []
      for (let start = 0; start < first; start += BATCH) {
        const part = boxes.subarray(start * 4, Math.min(start + BATCH, first) * 4)
        texts.push(...(await wordsFor(networks, maps, part, begin)))
      }
      return texts
    },
  }
}

/** Names and boxes in whole pixels, cut off as the published code does it. */
export async function namedBoxes(networks: GritNetworks, picture: Planes): Promise<NamedBox[]> {
  const sight = await look(networks, picture)
  const names = await sight.describe(NAME_TOKEN)
  return names.map((name, i) => {
    const [left = 0, top = 0, right = 0, bottom = 0] = sight.boxes.subarray(i * 4, i * 4 + 4)
    return { name, box: [Math.trunc(left), Math.trunc(top), Math.trunc(right), Math.trunc(bottom)] }
  })
}

/** All levels together; those as sure as the last that stays, stay too. */
function chosenProposals(all: ScoredBoxes): ScoredBoxes {
  const rooted = { boxes: all.boxes, scores: all.scores.map(Math.sqrt) }
  const kept = boxesAt(rooted, suppress(rooted, PROPOSAL_OVERLAP))
  const limit = kept.scores[PROPOSALS - 1] ?? -Infinity
  return boxesAt(
    kept,
    [...kept.scores.keys()].filter((i) => kept.scores[i]! >= limit),
  )
}

function isNotEmpty(boxes: Float32Array, i: number): boolean {
  return boxes[i * 4 + 2]! > boxes[i * 4]! && boxes[i * 4 + 3]! > boxes[i * 4 + 1]!
}

function boxTensor(boxes: Float32Array): Tensor {
  return { dims: [boxes.length / 4, 4], data: boxes }
}

/** The likeliest token follows, never the same twice in a row, until the text ends. */
async function wordsFor(
  { objects, words, vocabulary }: GritNetworks,
  maps: readonly Tensor[],
  boxes: Float32Array,
  begin: number,
): Promise<string[]> {
  const end = vocabulary.id('[SEP]')
  const remembered = await objects.run(...maps, boxTensor(boxes))
  const memory = [outputOf(remembered, 'keys'), outputOf(remembered, 'values')]
  const texts = Array.from({ length: boxes.length / 4 }, () => [begin])
  const isEnded = (text: readonly number[]) => text.length > 1 && text.at(-1) === end
  for (let length = 1; length < MOST_TOKENS && !texts.every(isEnded); length++) {
    const data = BigInt64Array.from(texts.flat(), BigInt)
    const { data: logits } = outputOf(await words.run({ dims: [texts.length, length], data }, ...memory), 'logits')
    const size = logits.length / texts.length
    for (const [row, text] of texts.entries()) {
      text.push(
        isEnded(text) ? end : likeliest(logits.subarray(row * size, (row + 1) * size), length > 1 ? text.at(-1)! : -1),
      )
    }
  }
  return texts.map((text) => vocabulary.decode(text.slice(1)))
}

function likeliest(logits: Float32Array, but: number): number {
  let found = but === 0 ? 1 : 0
  for (let i = 0; i < logits.length; i++) if (i !== but && logits[i]! > logits[found]!) found = i
  return found
}
