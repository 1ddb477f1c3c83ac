/**
 * Finds what names alone tell about numbers and sizes, then the constant answers that score best on built-in questions:
 * `npx tsx scripts/vsi-constants.ts [scenes]` writes builtin-names.json and builtin-frequent.json in
 * src/suites/vsi/samples. Run it twice after the world changes: the second run uses the names of the first.
 */
import { writeFile } from 'node:fs/promises'
import { safeScore } from '../src/suites/vsi/score/safe-score.ts'
import { makeSamples, questionScene } from '../src/suites/vsi/samples/builtin-questions.ts'
import { countable, longestSide, measurable } from '../src/suites/vsi/samples/questions/numbers.ts'
import { QUESTION_TYPES } from '../src/suites/vsi/domain/question-types.ts'

const scenes = Number(process.argv[2] ?? 200)
/** Not the default seed: the constants must hold for unseen scenes. */
const SEED = 90_210

const truths = new Map<string, string[]>(QUESTION_TYPES.map((type) => [type, []]))
const keys = new Set<string>()
const counts: Record<string, number[]> = {}
const sizes: Record<string, number[]> = {}
/** Enough for the spread of a category. */
const MOST_OBSERVED = 40

function observe(scene: ReturnType<typeof questionScene>): void {
  for (const [category, group] of countable(scene)) note(counts, category, group.length)
  for (const thing of measurable(scene)) note(sizes, thing.category, Math.round(longestSide(thing) * 1000) / 1000)
}

function note(values: Record<string, number[]>, category: string, value: number): void {
  const list = (values[category] ??= [])
  if (list.length < MOST_OBSERVED) list.push(value)
}

for (let index = 0; index < scenes; index++) {
  for (const [slot, { type, truth, question, cluster, scene }] of makeSamples(SEED, index, 'plain').entries()) {
    if (slot === 0 && scene.kind === 'builtin') observe(questionScene(scene.scene, scene.seed))
    truths.get(type)!.push(truth)
    keys.add(`${cluster} ${type} ${question}`)
  }
}
const best: Record<string, string> = {}
for (const [type, values] of truths) {
  const scoreOf = (prediction: string): number =>
    values.reduce((sum, truth) => sum + safeScore('official', { type, prediction, truth }), 0) / values.length
  const ranked = [...new Set(values)].sort((a, b) => scoreOf(b) - scoreOf(a))
  best[type] = ranked[0] ?? 'A'
  console.log(type.padEnd(30), String(values.length).padStart(5), best[type], (scoreOf(best[type]) * 100).toFixed(1))
}
console.log(`${scenes} scenes, ${keys.size} different questions`)
await save('builtin-frequent', JSON.stringify(best, null, 2))
for (const values of [counts, sizes]) for (const list of Object.values(values)) list.sort((a, b) => a - b)
await save('builtin-names', JSON.stringify({ counts: sorted(counts), sizes: sorted(sizes) }))

function sorted<T>(record: Record<string, T>): Record<string, T> {
  return Object.fromEntries(Object.entries(record).sort(([a], [b]) => (a < b ? -1 : 1)))
}

async function save(name: string, text: string): Promise<void> {
  await writeFile(new URL(`../src/suites/vsi/samples/${name}.json`, import.meta.url), `${text}\n`)
}
