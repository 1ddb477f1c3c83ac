/**
 * Whether the built-in benchmarks need eyes and can be answered with them, on scenes that nothing was tuned on: what words
 * alone gain over guessing in each row, what a perfect eye gets, and whether rooms are as rooms should be.
 * `npm run bench -- validity vsig articulate/joint rooms` measures parts of it; `validity shipped` judges the numbers that
 * the suites ship instead. docs/validity.md has the rule.
 */
import { AUDIT_SEED, auditedSamples, isChosen } from '../scripts/audit/samples.ts'
import { audit } from '../src/library/audit.ts'
import { UserError } from '../src/base/errors.ts'
import { builtinSuite, suiteNames } from '../src/suites/index.ts'
import { checkScene } from '../src/world/rooms/check.ts'
import { generateScene } from '../src/world/rooms/generate.ts'
import { SCENE_KINDS } from '../src/world/rooms/scene.ts'
import type { Bar, Bench } from './harness.ts'
import { judge, type Judged } from './validity/bars.ts'

const ROOMS = 'rooms'
const SHIPPED = 'shipped'
const SCENES = 504

const bench: Bench = async (parts) => {
  const names = parts.filter((part) => part !== ROOMS && part !== SHIPPED)
  const isShipped = parts.includes(SHIPPED)
  const isRoomsAlone = !isShipped && parts.length > 0 && names.length === 0
  const chosen = isRoomsAlone ? [] : suiteNames().filter((name) => isChosen(name, names))
  for (const name of names)
    if (!chosen.some((suite) => isChosen(suite, [name])))
      throw new UserError(`No built-in suite or family is called "${name}".`)
  const judged: Judged[] = []
  for (const name of chosen) {
    const suite = await builtinSuite(name)
    if (!suite.audit) continue
    const audits = isShipped
      ? (suite.audits?.() ?? []).filter((each) => each.suite === name)
      : [await audit(suite, auditedSamples(name))]
    judged.push(...audits.flatMap(judge))
  }
  if (parts.length === 0 || parts.includes(ROOMS)) judged.push(...judgeRooms())
  const bars = judged.flatMap(({ name, bar }): [string, Bar][] => (bar ? [[name, bar]] : []))
  return {
    figures: Object.fromEntries(judged.map(({ name, value }) => [name, value])),
    bars: Object.fromEntries(bars),
  }
}

function judgeRooms(): Judged[] {
  const counts = new Map<string, number>()
  for (let i = 0; i < SCENES; i++) {
    const scene = generateScene({ seed: AUDIT_SEED + i, kind: SCENE_KINDS[i % SCENE_KINDS.length]! })
    for (const { rule, what } of checkScene(scene)) {
      console.error(`${scene.kind} ${scene.seed}: ${rule}: ${what}`)
      counts.set(rule, (counts.get(rule) ?? 0) + 1)
    }
  }
  const rules = ['intersection', 'floating', 'outside', 'unreachable', 'hidden', 'incomplete']
  return [
    { name: `${ROOMS} checked`, value: SCENES },
    ...rules.map((rule) => ({ name: `${ROOMS}: ${rule}`, value: counts.get(rule) ?? 0, bar: { atMost: 0 } })),
  ]
}

export default bench
