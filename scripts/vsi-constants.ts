/**
 * Finds what names alone tell about numbers, sizes and distances, and the constant answers that score best on built-in questions:
 * `npx tsx scripts/vsi-constants.ts names`, `… closest FILE` and then `… answers` write builtin-names.json,
 * builtin-closest.json and builtin-frequent.json in src/suites/vsi/samples. Run all after the world changes. FILE keeps the
 * scenes that were looked at, so that a stop loses nothing; begin without one whenever the generator changes.
 */
import { appendFile, readFile, truncate, writeFile } from 'node:fs/promises'
import { codeOf, UserError } from '../src/base/errors.ts'
import { Random } from '../src/base/random.ts'
import { sceneObjects } from '../src/world/rooms/assemble.ts'
import { generateScene } from '../src/world/rooms/generate.ts'
import { safeScore } from '../src/suites/vsi/score/safe-score.ts'
import { builtScene } from '../src/suites/vsi/domain/scene/built.ts'
import { GENERATOR, makeSamples, KINDS } from '../src/suites/vsi/samples/builtin-questions.ts'
import { appearing } from '../src/suites/vsi/samples/questions/order.ts'
import { closestShares } from '../src/suites/vsi/samples/questions/names.ts'
import { drawnComparison, type Nearness, nearnessIn } from '../src/suites/vsi/samples/questions/relative.ts'
import type { Contents, QuestionScene } from '../src/suites/vsi/samples/questions/scene.ts'
import { questionScene } from '../src/suites/vsi/samples/known-questions.ts'
import {
  binOf,
  type Bins,
  countable,
  DISTANCES,
  longestSide,
  measurable,
  measurablePairs,
  SIZES,
} from '../src/suites/vsi/samples/questions/numbers.ts'
import { QUESTION_TYPES } from '../src/suites/vsi/domain/question-types.ts'

/** Not the default seed: what is learned here must hold for unseen scenes. */
const SEED = 90_210
const SCENES = 200
/** Enough for the spread of a category. */
const MOST_OBSERVED = 60
/** Scenes whose sizes and distances are counted. */
const SEEDS = [9101, 9202]
const SCENES_PER_SEED = 130
/** Scenes per seed whose walkthroughs are watched: a name is then seen about seventy times. Takes five minutes per seed. */
const SCENES_FOR_ORDER = 300
/**
 * Scenes from which it is learned which things stand together, and how. Of fewer, what a pair does by chance is learned with it,
 * and a learner finds that in other scenes: with 2,000 it was right in 28.0% of the questions about 700 others, with 8,500 in 26.6%.
 */
const CLOSEST_SEED = 9403
const CLOSEST_SCENES = 8600
const CLOSEST_ROUNDS = 10
const CLOSEST_QUESTIONS = 6
/** In tenths, for a question. */
const CLOSEST_RATE = 0.7
/** Pull to 0: a pair that is rarely asked about says little. */
const DECAY = 0.002
/** Observations of what is usual that every name or pair starts with. */
const UNKNOWN = 4
/** Rounds after which worths hardly change any more. */
const FITTING_ROUNDS = 60

const [what, file] = process.argv.slice(2)
if (what === 'names') await save('builtin-names', JSON.stringify(names(SCENES)))
else if (what === 'closest') {
  if (file === undefined) throw new UserError('closest needs a FILE that keeps the scenes: … closest scenes.jsonl')
  await save('builtin-closest', JSON.stringify(closeness(await nearScenes(file))))
} else await save('builtin-frequent', JSON.stringify(frequent(SCENES), null, 2))

function names(scenes: number): object {
  return { counts: counts(scenes), ...sizesAndDistances() }
}

/** All objects count, seen or not: their number does not depend on the camera. */
function counts(scenes: number): object {
  const found = new Map<string, number[]>()
  for (const contents of furnished(scenes))
    for (const [category, group] of countable(contents)) note(found, category, group.length)
  return sorted(found)
}

function* furnished(scenes: number): Generator<Contents> {
  const random = new Random(`vsi/names/${SEED}`)
  for (let i = 0; i < scenes; i++) {
    const objects = sceneObjects(generateScene({ kind: random.pick(KINDS), seed: random.int(2 ** 31 - 1) }))
    yield { objects, shown: new Set(objects.map(({ instance }) => instance)) }
  }
}

/**
 * How much each name makes an option the closest to each other name: the table by which, of the questions that are kept, an
 * option is right as often as any other, whatever the names are. That depends on what is kept, so questions are drawn as the
 * suite draws them, and each moves the table a little: up where an option is right, down where it is not (stochastic
 * approximation). Of a pair that is rarely seen, what each of its names does with others.
 */
function closeness(scenes: readonly Nearness[]): Record<string, number[]> {
  const all = scenes.flatMap(({ from }) =>
    from.flatMap(({ reference, others }) => [reference, ...others.map(([name]) => name)]),
  )
  const known = [...new Set(all)].sort()
  const table = Object.fromEntries(known.map((name, i) => [name, Array.from({ length: i + 1 }, () => 0)]))
  const places = new Map(known.map((name, i) => [name, i]))
  const random = new Random(`vsi/closest/${CLOSEST_SEED}`)
  const shares = closestShares(table)
  for (let round = 0; round < CLOSEST_ROUNDS; round++) {
    const rate = CLOSEST_RATE * Math.min(1, 2 * (1 - round / CLOSEST_ROUNDS))
    for (const scene of random.shuffle([...scenes])) {
      for (let k = 0; k < CLOSEST_QUESTIONS; k++) {
        const drawn = drawnComparison(scene, random, shares)
        if (drawn === null) break
        const { reference, names: options, right } = drawn
        options.forEach((option, position) => {
          const excess = Number(position === right) - 1 / options.length
          const [at, to] = [places.get(option)!, places.get(reference)!]
          for (const [row, column] of [
            [Math.max(at, to), Math.min(at, to)],
            [at, at],
          ] as const) {
            const own = table[known[row]!]!
            own[column]! += rate * (excess - DECAY * own[column]!)
          }
        })
      }
    }
  }
  return Object.fromEntries(known.map((name) => [name, table[name]!.map((tenths) => Math.round(tenths))]))
}

/**
 * Scenes of built-in rooms as relative distances are drawn from them, half a second each. Those that a file has are read: its
 * first line names their generator, and a last line without an end is of a run that was killed.
 */
async function nearScenes(file: string): Promise<Nearness[]> {
  const text = await readFile(file, 'utf8').catch((error: unknown) => {
    if (codeOf(error) === 'ENOENT') return ''
    throw error
  })
  const header = `${GENERATOR}\n`
  if (!text.startsWith(header) && !header.startsWith(text))
    throw new UserError(`${file} does not begin with ${GENERATOR}: its scenes are of another generator`)
  if (text.length < header.length) await writeFile(file, header)
  else await truncate(file, Buffer.byteLength(text.slice(0, text.lastIndexOf('\n') + 1)))
  const found = text
    .slice(header.length, text.lastIndexOf('\n') + 1)
    .split('\n')
    .filter(Boolean)
    .map((line): Nearness => JSON.parse(line))
  for (let i = found.length; i < CLOSEST_SCENES; i++) {
    const near = inMillimeters(nearnessIn(builtinScene(CLOSEST_SEED, i)))
    await appendFile(file, `${JSON.stringify(near)}\n`)
    found.push(near)
  }
  return found.slice(0, CLOSEST_SCENES)
}

/** The file is half as large. */
function inMillimeters({ margin, from }: Nearness): Nearness {
  const rounded = from.map(({ reference, others }) => ({
    reference,
    others: others.map(([name, meters]) => [name, Math.round(meters * 1000) / 1000] as const),
  }))
  return { margin, from: rounded }
}

function builtinScene(seed: number, index: number): QuestionScene {
  const random = new Random(`${GENERATOR}/${seed}/${index}`)
  const kind = random.pick(KINDS)
  const origin = { kind: 'builtin', scene: kind, seed: random.int(2 ** 31 - 1), look: 'plain' } as const
  return questionScene(builtScene(origin), 'balanced')
}

/** How many objects that the images show have a size, and a distance to another one, of each bin. */
function sizesAndDistances(): object {
  const [sizes, distances] = [new Map<string, number[]>(), new Map<string, number[]>()]
  const orders: string[][] = []
  const tally = (counts: Map<string, number[]>, category: string, value: number, bins: Bins): void => {
    const bin = binOf(value, bins)
    if (bin < 0 || bin >= bins.count) return
    const known = counts.get(category) ?? Array.from({ length: bins.count }, () => 0)
    known[bin]! += 1
    counts.set(category, known)
  }
  for (const seed of SEEDS) {
    for (let i = 0; i < SCENES_FOR_ORDER; i++) {
      const scene = builtinScene(seed, i)
      orders.push(orderOf(scene))
      if (i >= SCENES_PER_SEED) continue
      for (const thing of measurable(scene)) tally(sizes, thing.category, longestSide(thing), SIZES)
      for (const { pair, meters } of measurablePairs(scene))
        for (const { category } of pair) tally(distances, category, meters, DISTANCES)
    }
  }
  const byName = (counts: Map<string, number[]>) => Object.fromEntries([...counts].sort(([a], [b]) => (a < b ? -1 : 1)))
  return { sizes: byName(sizes), distances: byName(distances), worth: worths(orders) }
}

/** Categories as they appear. */
function orderOf(scene: QuestionScene): string[] {
  return appearing(scene)
    .toSorted((a, b) => a.frame - b.frame)
    .map(({ category }) => category)
}

/**
 * How early each category tends to appear: the worths of Plackett and Luce's model, in which the next one is drawn from
 * those left, each as often as it is worth. Fitted by minorization and maximization (Hunter 2004).
 */
function worths(orders: readonly (readonly string[])[]): Record<string, number> {
  const names = [...new Set(orders.flat())].sort()
  const worth = new Map(names.map((name) => [name, 1]))
  for (let round = 0; round < FITTING_ROUNDS; round++) {
    const chosen = new Map(names.map((name) => [name, UNKNOWN]))
    const offered = new Map(names.map((name) => [name, UNKNOWN]))
    for (const order of orders) {
      let left = order.reduce((sum, name) => sum + worth.get(name)!, 0)
      let sum = 0
      order.forEach((name, i) => {
        // The last one is not chosen from others.
        if (i < order.length - 1) {
          sum += 1 / left
          left -= worth.get(name)!
          chosen.set(name, chosen.get(name)! + 1)
        }
        offered.set(name, offered.get(name)! + sum)
      })
    }
    for (const name of names) worth.set(name, chosen.get(name)! / offered.get(name)!)
    const middle = Math.exp(names.reduce((sum, name) => sum + Math.log(worth.get(name)!), 0) / names.length)
    for (const name of names) worth.set(name, worth.get(name)! / middle)
  }
  return Object.fromEntries([...worth].map(([name, value]) => [name, Math.round(1000 * value) / 1000]))
}

function note(values: Map<string, number[]>, category: string, value: number): void {
  const list = values.get(category) ?? []
  if (list.length < MOST_OBSERVED) values.set(category, [...list, value])
}

function sorted(values: Map<string, number[]>): Record<string, number[]> {
  const names = [...values.keys()].sort()
  return Object.fromEntries(names.map((name) => [name, values.get(name)!.toSorted((a, b) => a - b)]))
}

function frequent(scenes: number): Record<string, string> {
  const truths = new Map<string, string[]>(QUESTION_TYPES.map((type) => [type, []]))
  for (let index = 0; index < scenes; index++) {
    const samples = makeSamples({ seed: SEED, index, look: 'plain', level: 'medium', knobs: {} })
    for (const sample of samples) if (sample) truths.get(sample.type)!.push(sample.truth)
  }
  const best: Record<string, string> = {}
  for (const [type, values] of truths) {
    const scoreOf = (prediction: string): number =>
      values.reduce((sum, truth) => sum + safeScore('official', { type, prediction, truth }), 0) / values.length
    const ranked = [...new Set(values)].sort((a, b) => scoreOf(b) - scoreOf(a))
    best[type] = ranked[0] ?? 'A'
    console.log(type.padEnd(30), String(values.length).padStart(5), best[type], (scoreOf(best[type]) * 100).toFixed(1))
  }
  return best
}

async function save(name: string, text: string): Promise<void> {
  await writeFile(new URL(`../src/suites/vsi/samples/${name}.json`, import.meta.url), `${text}\n`)
}
