/** Damages suites and rows of questions where it hurts: values of the wrong kind, paths that lead out, patterns, templates. */
import { parse, stringify } from 'yaml'
import { isObject } from '../../../src/base/json-object.ts'
import type { Random } from '../../../src/base/random.ts'
import { mutate } from './mutate.ts'

/** Next to the data folder; nothing may read it. Links in the data folder lead to it. */
export const SECRET = 'secret'
export const LINK = 'link'

const PATHS = ['.png', '.jsonl', '.csv', '.yaml', '.mp4', ''].flatMap((ending) => [
  `../${SECRET}${ending}`,
  `./../${SECRET}${ending}`,
  `a.png/../../${SECRET}${ending}`,
  `..\\${SECRET}${ending}`,
  `%2e%2e/${SECRET}${ending}`,
  `${LINK}${ending}`,
  `${LINK}/${SECRET}${ending}`,
  `${LINK}/../${SECRET}${ending}`,
])
const TEXTS = [
  ...PATHS,
  '/etc/passwd',
  'file:///etc/passwd',
  'http://127.0.0.1:9/a.png',
  '~/.profile',
  '../*',
  '**/*',
  '.',
  '..',
  'a.png\0.txt',
  'data:image/png;base64,AAAA',
  '{__proto__}',
  '{constructor}',
  '{question.constructor}',
  '{id}/../../secret.png',
  '${process.exit(3)}',
  '{',
  '}}',
  '(a+)+$',
  '(.*)*(.*)*$',
  '(?=a)',
  '(?<=a)b',
  '\\1',
  '[',
  '('.repeat(400),
  '(a{1000}){1000}',
  'x'.repeat(30_000),
  '__proto__',
  'constructor',
  'toString',
  '',
  ' ',
  '\u202e',
  '\ud800',
  'NaN',
  '1e999',
  '[[[[[1]]]]]',
  "['a', 'b'",
  'A. x B. y',
]
/** What the format knows. */
const WORDS = (
  'choice number yes-no text point box moves letter index mask count chance pixels 0-1 0-1000 before after marks video ' +
  'drop keep first whole wrong stated option mmmu exact mra f1 iou inside normalized m folder tsv parquet question options ' +
  'answer image type clips sound w {question} {options} {image} rows.jsonl media.jsonl a.png *.jsonl * ./suite.yaml ' +
  './link.yaml spar-bench <image>'
).split(' ')
const NUMBERS = [0, -1, 0.5, 1, 2, 1e308, 2 ** 53, -0.001, 1024, 26]
const VALUES: readonly unknown[] = [
  null,
  true,
  false,
  ...NUMBERS,
  [],
  {},
  [[]],
  [null],
  [{ bytes: 'iVBORw0KGgo', path: '../secret.png' }],
  { path: '../secret.png' },
  Array.from({ length: 3000 }, () => 'a.png'),
  [['../secret.png', 'link.png']],
]
const TAGS = [
  '!!js/function "function () { throw 1 }"',
  '!!python/object/apply:os.exit [1]',
  '&a [*a, *a]',
  '*a',
  '!x y',
]

/** A damaged suite. */
export function mutateSuite(files: readonly Uint8Array[], random: Random): Uint8Array {
  if (random.chance(0.2)) return mutate(files, random)
  const suite: unknown = edited(parse(Buffer.from(random.pick(files)).toString()), random)
  let text = random.chance(0.7) ? stringify(suite, { lineWidth: 0 }) : JSON.stringify(suite)
  if (random.chance(0.1)) {
    const lines = text.split('\n')
    const at = random.int(lines.length)
    lines[at] = lines[at]!.replace(/: .*$/, `: ${random.pick(TAGS)}`)
    text = lines.join('\n')
  }
  return Buffer.from(text)
}

/** Damaged rows of JSON. */
export function mutateRows(files: readonly Uint8Array[], random: Random): Uint8Array {
  if (random.chance(0.2)) return mutate(files, random)
  const lines = Buffer.from(random.pick(files)).toString().trim().split('\n')
  const rows = edited(
    lines.map((line): unknown => JSON.parse(line)),
    random,
  )
  return Buffer.from([rows].flat().map((row) => JSON.stringify(row)).join('\n')) // prettier-ignore
}

/** Damaged cells of a table with commas. */
export function mutateCsv(files: readonly Uint8Array[], random: Random): Uint8Array {
  if (random.chance(0.4)) return mutate(files, random)
  const cells = Buffer.from(random.pick(files)).toString().split(',')
  for (let edits = 1 + random.int(3); edits > 0; edits--)
    cells[random.int(cells.length)] = `"${random.pick(TEXTS).replaceAll('"', '""')}"`
  return Buffer.from(cells.join(','))
}

/** What ends reading before anything interesting happens. */
const DULL: ReadonlySet<string> = new Set(['format', 'name', 'id'])

function edited(value: unknown, random: Random): unknown {
  let result = value
  for (let edits = random.weighted([1, 2, 3, 6], [4, 3, 2, 1]); edits > 0; edits--) result = edit(result, random)
  return result
}

function edit(value: unknown, random: Random, depth = 0): unknown {
  const isList = Array.isArray(value)
  const isLeaf = !isList && !isObject(value)
  const keys = isLeaf ? [] : Object.keys(value).filter((key) => !DULL.has(key) || random.chance(0.1))
  if (keys.length === 0 || random.chance(depth * 0.05)) return hostile(value, random)
  const key = random.pick(keys)
  const child = (value as Record<string, unknown>)[key]
  if (random.chance(0.85)) {
    const changed = edit(child, random, depth + 1)
    return isList
      ? value.map((each, i) => (String(i) === key ? changed : each))
      : { ...(value as object), [key]: changed }
  }
  const kind = random.pick(['remove', 'rename', 'swap'] as const)
  if (isList) return kind === 'remove' ? value.filter((_, i) => String(i) !== key) : [...value, child]
  const entries = Object.entries(value as object).filter(([name]) => name !== key)
  if (kind === 'rename') entries.push([random.pick(TEXTS).slice(0, 100), child])
  if (kind === 'swap') entries.push([key, (value as Record<string, unknown>)[random.pick(keys)]])
  return Object.fromEntries(entries)
}

/** Mostly of the same kind: what is of another kind is soon refused. */
function hostile(value: unknown, random: Random): unknown {
  if (random.chance(0.1)) return [value, value]
  const isText = typeof value === 'string' ? random.chance(0.85) : random.chance(0.3)
  if (isText) return random.pick(random.chance(0.5) ? WORDS : TEXTS)
  return random.pick(typeof value === 'number' && random.chance(0.8) ? NUMBERS : VALUES)
}
