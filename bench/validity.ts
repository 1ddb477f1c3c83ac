/**
 * Whether the built-in benchmarks need eyes and can be answered with them, on scenes that nothing was tuned on: what words
 * alone gain over guessing in each row, what a perfect eye gets, and whether rooms are as rooms should be.
 * `npm run bench -- validity vsig articulate/joint rooms` measures parts of it. docs/validity.md has the rule.
 */
import { auditedSamples, isChosen } from '../scripts/audit/samples.ts'
import { audit } from '../src/library/audit.ts'
import type { Audit, AuditRow } from '../src/report/audit.ts'
import { UserError } from '../src/base/errors.ts'
import { givesAway } from '../src/report/render/audit.ts'
import { builtinSuite, suiteNames } from '../src/suites/index.ts'
import { checkScene } from '../src/world/rooms/check.ts'
import { generateScene } from '../src/world/rooms/generate.ts'
import { SCENE_KINDS } from '../src/world/rooms/scene.ts'
import type { Bar, Bench } from './harness.ts'

/** Neither the default nor the one of the shipped numbers. */
const SEED = 618_034
/** Points above the better of chance and the best constant answer. */
const MAX_GAIN = 3
const MIN_SIGHT = 97
const ROOMS = 'rooms'
const SCENES = 504

/** The interval of a gain may be this much wider than its bar. */
const WIDEST = 1.5

/** Rows with a bar of their own; the limit is on the score itself, or on what words gain. */
const OWN_BARS: readonly { suite: RegExp; row: RegExp; value: 'blind' | 'gain'; atMost: number }[] = [
  { suite: /^vsig$/, row: /^temporal$/, value: 'blind', atMost: 40 },
  { suite: /^articulate\/critic$/, row: /^verdict$/, value: 'blind', atMost: 55 },
  { suite: /^articulate\/joint$/, row: /^success$/, value: 'gain', atMost: 20 },
]

/** What these tell is in the total, which has a bar of its own. */
const PARTS_OF_OWN = /^T\d\.temporal, target \d$/

const bench: Bench = async (parts) => {
  const figures: Record<string, number> = {}
  const bars: Record<string, Bar> = {}
  const names = parts.filter((part) => part !== ROOMS)
  const chosen = parts.length > 0 && names.length === 0 ? [] : suiteNames().filter((name) => isChosen(name, names))
  for (const name of names)
    if (!chosen.some((suite) => isChosen(suite, [name])))
      throw new UserError(`No built-in suite or family is called "${name}".`)
  for (const name of chosen) {
    const suite = await builtinSuite(name)
    if (!suite.audit) continue
    const audited = await audit(suite, { seed: SEED, ...auditedSamples(name) })
    for (const row of audited.rows) judge(audited, row)
  }
  if (parts.length === 0 || parts.includes(ROOMS)) judgeRooms()
  return { figures, bars }

  function put(name: string, value: number, bar?: Bar): void {
    figures[name] = value
    if (bar) bars[name] = bar
  }

  function judge({ suite }: Audit, row: AuditRow): void {
    const key = `${suite} ${row.key}`
    const own = OWN_BARS.find((bar) => bar.suite.test(suite) && bar.row.test(row.key))
    // Rows that were learned as one. Totals follow from them, and breakdowns have too few samples of their own.
    if (!own && (row.constantAnswer === undefined || PARTS_OF_OWN.test(row.key))) return
    const { value, atMost } = own ?? { value: 'gain', atMost: MAX_GAIN }
    const measured = row[value]
    if (measured !== null && value === 'blind') put(`${key}: words alone`, 100 * measured, { atMost })
    if (measured !== null && value === 'gain') {
      // A gain that these scenes cannot tell from none has no bar to hold; but they must be able to tell.
      put(`${key}: words gain`, 100 * measured, givesAway(row, 0) ? { atMost } : undefined)
      const [low, high] = row.gainInterval ?? [-1, 1]
      put(`${key}: words gain, ±`, 50 * (high - low), { atMost: WIDEST * atMost })
    }
    if (row.ceiling !== null) put(`${key}: perfect eye`, 100 * row.ceiling, { atLeast: MIN_SIGHT })
  }

  function judgeRooms(): void {
    const counts = new Map<string, number>()
    for (let i = 0; i < SCENES; i++) {
      const scene = generateScene({ seed: SEED + i, kind: SCENE_KINDS[i % SCENE_KINDS.length]! })
      for (const { rule, what } of checkScene(scene)) {
        console.error(`${scene.kind} ${SEED + i}: ${rule}: ${what}`)
        counts.set(rule, (counts.get(rule) ?? 0) + 1)
      }
    }
    put(`${ROOMS} checked`, SCENES)
    for (const rule of ['intersection', 'floating', 'outside', 'unreachable', 'hidden', 'incomplete'])
      put(`${ROOMS}: ${rule}`, counts.get(rule) ?? 0, { atMost: 0 })
  }
}

export default bench
