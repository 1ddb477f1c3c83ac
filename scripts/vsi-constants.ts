/**
 * Finds the constant answers that score best on built-in questions, and counts the questions of each type:
 * `npx tsx scripts/vsi-constants.ts [scenes]` writes src/suites/vsi/samples/builtin-frequent.json.
 */
import { writeFile } from 'node:fs/promises'
import { safeScore } from '../src/suites/vsi/score/safe-score.ts'
import { makeSamples } from '../src/suites/vsi/samples/builtin-questions.ts'
import { QUESTION_TYPES } from '../src/suites/vsi/domain/question-types.ts'

const scenes = Number(process.argv[2] ?? 200)
/** Not the default seed: the constants must hold for unseen scenes. */
const SEED = 90_210

const truths = new Map<string, string[]>(QUESTION_TYPES.map((type) => [type, []]))
const keys = new Set<string>()
for (let index = 0; index < scenes; index++) {
  for (const { type, truth, question, cluster } of makeSamples(SEED, index, 'plain')) {
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
const file = new URL('../src/suites/vsi/samples/builtin-frequent.json', import.meta.url)
await writeFile(file, `${JSON.stringify(best, null, 2)}\n`)
