/**
 * Finds what names alone tell about numbers, sizes and distances, and the constant answers that score best on built-in questions:
 * `npx tsx scripts/vsi-constants.ts names [scenes]`, then `npx tsx scripts/vsi-constants.ts answers [scenes]` write
 * builtin-names.json and builtin-frequent.json in src/suites/vsi/samples. Run both after the world changes.
 */
import { writeFile } from 'node:fs/promises'
import { mean } from '../src/base/numbers.ts'
import { Random } from '../src/base/random.ts'
import { sceneObjects } from '../src/world/rooms/assemble.ts'
import { generateScene } from '../src/world/rooms/generate.ts'
import { safeScore } from '../src/suites/vsi/score/safe-score.ts'
import { builtScene } from '../src/suites/vsi/domain/scene/built.ts'
import { GENERATOR, makeSamples, KINDS } from '../src/suites/vsi/samples/builtin-questions.ts'
import { appearing } from '../src/suites/vsi/samples/questions/order.ts'
import {
  askableCategories,
  type Contents,
  gapToNearest,
  type QuestionScene,
  restsOn,
} from '../src/suites/vsi/samples/questions/scene.ts'
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
/** Scenes in which it is measured which things stand together: most pairs of names are then seen five times and more. */
const SCENES_APART = 1500
/** In meters; things that touch are not infinitely closer than others. */
const TOUCHING = 0.1
/** Observations of what is usual that every name or pair starts with. */
const UNKNOWN = 4
/** Rounds after which worths hardly change any more. */
const FITTING_ROUNDS = 60

const [what, count = String(SCENES)] = process.argv.slice(2)
if (what === 'names') await save('builtin-names', JSON.stringify(names(Number(count))))
else await save('builtin-frequent', JSON.stringify(frequent(Number(count)), null, 2))

function names(scenes: number): object {
  return { counts: counts(scenes), ...sizesAndDistances(), apart: apart() }
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
 * How far things of two names are apart in a scene, as the mean logarithm, less that of the scene, in tenths. Of pairs that
 * are rarely or never seen, what each of the two names is apart from others.
 */
function apart(): Record<string, number[]> {
  const pairs = new Map<string, number[]>()
  const single = new Map<string, number[]>()
  for (const contents of furnished(SCENES_APART)) {
    const logs = measurableGroups(contents).map(({ names, meters }) => ({ names, log: Math.log(meters + TOUCHING) }))
    const ofScene = mean(logs.map(({ log }) => log))
    for (const { names, log } of logs) {
      push(pairs, names.join('|'), log - ofScene)
      for (const name of names) push(single, name, log - ofScene)
    }
  }
  const known = [...single.keys()].sort()
  const alone = new Map(known.map((name) => [name, shrunken(single.get(name)!, 0)]))
  return Object.fromEntries(
    known.map((b, k) => [
      b,
      known
        .slice(0, k)
        .map((a) => Math.round(10 * shrunken(pairs.get(`${a}|${b}`) ?? [], alone.get(a)! + alone.get(b)!))),
    ]),
  )
}

/** Pairs of names, one of which is a single thing, in one room, none on the other. */
function measurableGroups(contents: Contents): { names: string[]; meters: number }[] {
  const groups = [...askableCategories(contents)].filter(([, group]) =>
    group.every(({ room }) => room === group[0]!.room),
  )
  return groups.flatMap(([a, own], i) =>
    groups
      .slice(i + 1)
      .filter(
        ([, others]) =>
          Math.min(own.length, others.length) === 1 &&
          own.every((x) => others.every((y) => x.room === y.room && !restsOn(x, y))),
      )
      .map(([b, others]) => ({
        names: [a, b].sort(),
        meters: own.length === 1 ? gapToNearest(own[0]!, others) : gapToNearest(others[0]!, own),
      })),
  )
}

/** A mean that starts with a few observations of what is expected. */
function shrunken(values: readonly number[], expected: number): number {
  return values.reduce((sum, value) => sum + value, UNKNOWN * expected) / (values.length + UNKNOWN)
}

function push<V>(lists: Map<string, V[]>, key: string, value: V): void {
  const list = lists.get(key)
  if (list) list.push(value)
  else lists.set(key, [value])
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
      const random = new Random(`${GENERATOR}/${seed}/${i}`)
      const kind = random.pick(KINDS)
      const origin = { kind: 'builtin', scene: kind, seed: random.int(2 ** 31 - 1), look: 'plain' } as const
      const scene = questionScene(builtScene(origin), 'balanced')
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
