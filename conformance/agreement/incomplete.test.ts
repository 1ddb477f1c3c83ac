/** Oracle files may lack columns, and may hold nulls and non-finite numbers as text: that is no disagreement in form. */
import { readFileSync } from 'node:fs'
import { expect, it, test } from 'vitest'
import { isObject } from '../../src/base/json-object.ts'
import { checks } from '../checks.ts'
import { firstDifference, knownDifference, number, verdictsOn } from './check.ts'

const oracle = new URL('../oracle/', import.meta.url)
const fileOf = (name: string): unknown => JSON.parse(readFileSync(new URL(name, oracle), 'utf8'))

/** One case of every list of cases, so that each variant is quick. */
function shortened(value: unknown): unknown {
  if (Array.isArray(value)) return value.slice(0, value.every(isObject) ? 1 : Infinity).map(shortened)
  if (!isObject(value)) return value
  return Object.fromEntries(Object.entries(value).map(([key, each]) => [key, shortened(each)]))
}

/** Every way to leave out, null or make non-finite one column of the file, of its sections or of their first cases. */
function* variants(value: unknown, depth = 0): Generator<{ what: string; file: unknown }> {
  if (Array.isArray(value)) {
    for (const { what, file } of variants(value[0], depth))
      yield { what: `[0]${what}`, file: [file, ...value.slice(1)] }
    return
  }
  if (!isObject(value) || depth > 1) return
  for (const [key, given] of Object.entries(value)) {
    const { [key]: _, ...rest } = value
    yield { what: `.${key} absent`, file: rest }
    yield { what: `.${key} null`, file: { ...value, [key]: null } }
    if (typeof given === 'number') yield { what: `.${key} inf`, file: { ...value, [key]: 'inf' } }
    for (const { what, file } of variants(given, depth + 1))
      yield { what: `.${key}${what}`, file: { ...value, [key]: file } }
  }
}

it.each([
  'vsi/scoring.json',
  'vsi/agent.json',
  'vsi/tiny_ids.json',
  'vsig/asr_windows.json',
  'vbench/aggregate.json',
  'vbench/rules.json',
  'vbench/spatial_relationship.json',
  'articulate/joint_metrics.json',
  'articulate/leak_and_fk.json',
  'space/relations.json',
])(
  '%s is compared as far as it goes',
  async (name) => {
    const check = checks[name]!
    const sibling = (other: string): Promise<unknown> => Promise.resolve(fileOf(`${name.split('/')[0]}/${other}`))
    const problems: string[] = []
    for (const { what, file } of variants(shortened(fileOf(name)))) {
      for await (const { where, agrees, leftOut, detail } of verdictsOn(check, file, sibling, JSON.stringify(file)))
        if (!agrees && !leftOut && /invalid input|ours fails/i.test(detail ?? ''))
          problems.push(`${what}: ${where}: ${detail}`)
    }
    expect(problems).toEqual([])
  },
  60_000,
)

test('non-finite numbers may stand as text', () => {
  expect(number.parse('-inf')).toBe(-Infinity)
  expect(number.safeParse('far').success).toBe(false)
  expect(firstDifference({ a: NaN, b: Infinity }, { a: 'nan', b: 'inf' })).toBeNull()
  expect(firstDifference({ a: 'nan' }, { a: 'inf' })).not.toBeNull()
})

test('only columns that are there are compared', () => {
  expect(knownDifference({ a: 1, b: 2 }, { b: 2 })).toBeNull()
  expect(knownDifference({ a: 1, b: 2 }, { b: 3 })).not.toBeNull()
  expect(knownDifference({ a: 1 }, { b: 3 })).not.toBeNull()
})

test('a movement without bounds is not held back', async () => {
  const { movements } = fileOf('vsi/agent.json') as { movements: Record<string, unknown>[] }
  const [first] = movements
  const free = { ...first, bounds: null, forward_meters: 0, left_meters: 0, z_delta_meters: 0, t_new: first!['t'] }
  const verdicts = []
  for await (const each of verdictsOn(checks['vsi/agent.json']!, { movements: [free] }, () => Promise.reject(), ''))
    verdicts.push(each)
  expect(verdicts).toMatchObject([{ agrees: true }])
})
