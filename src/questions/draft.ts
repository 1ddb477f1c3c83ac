/** `sightline new questions`: starts a suite's file from a table, by the names of its columns and what is in them. */
import { type Row, type Table, UserError } from '../suite.ts'
import { cellText, readOptions, readTruth } from './domain/truth.ts'
import {
  answers,
  coordinatesOf,
  type DraftKind,
  folderOfFiles,
  groupsRows,
  holdsImages,
  isMainGroup,
  isUnique,
  kindOf,
  KINDS,
  longest,
  markIn,
  named,
  NAMES,
  optionColumns,
} from './draft-columns.ts'
import { lookedAt } from './draft-table.ts'

/** Rows that are looked at. */
const LOOKED_AT = 200
/** Where no column looks like the ground truth. */
const UNKNOWN = 'ANSWER'

/** The text of a suite's file, with comments. @param data path of the table, relative to the file, which is in the folder */
export async function draftFile(name: string, table: Table, data: string, folder: string): Promise<string> {
  const { columns, rows } = await lookedAt(table, LOOKED_AT)
  if (rows.some((row) => Object.values(row).some((cell) => typeof cell === 'string' && cell.includes('\uFFFD'))))
    throw new UserError(`${data} is not UTF-8.`, { hint: 'Save it as UTF-8 ("CSV UTF-8" in Excel), and try again.' })
  const find = (names: readonly string[]): string | undefined => named(columns, names)
  const options = find(NAMES.options) ?? optionColumns(columns)
  // Where no name tells, what is in a column may.
  const mask = find(NAMES.mask)
  const found = find(NAMES.answer) ?? columns.findLast((column) => answers(rows, column, options))
  const isMask = mask !== undefined && found === undefined && holdsImages(rows, mask)
  const answer = found ?? UNKNOWN
  const [id, video, sound, cluster] = [find(NAMES.id), find(NAMES.video), find(NAMES.sound), find(NAMES.cluster)]
  const isElsewhere = (column: string): boolean => [answer, mask, video, sound].includes(column)
  const images = columns.filter((column) => !isElsewhere(column) && holdsImages(rows, column))
  const taken = new Set([answer, mask ?? [], options ?? [], images, id ?? [], video ?? [], sound ?? []].flat())
  const question =
    find(NAMES.question) ??
    longest(
      rows,
      columns.filter((column) => !taken.has(column)),
    )
  const used = new Set([...taken, ...(question === undefined ? [] : [question])])
  const groups = columns.filter((column) => !used.has(column) && column !== cluster && groupsRows(rows, column))
  const main = groups.find(isMainGroup)
  const { kind, others } = isMask ? { kind: 'point' as const, others: [] } : kindsOf(rows, { answer, options, main })
  const [width, height] = [find(NAMES.width), find(NAMES.height)]
  const hasSize = !isMask && (kind === 'box' || kind === 'point') && width !== undefined && height !== undefined
  const media = [...images, video ?? [], sound ?? []].flat()
  const folders = await Promise.all(media.map((column) => folderOfFiles(rows, [column], folder)))
  // One folder for all, or each column with its own.
  const [inside = null] = folders.every((each) => each === folders[0]) ? folders : []
  const placed = (column: string): string => {
    const own = inside === null ? folders[media.indexOf(column)] : null
    return own ? `${own}{${column}}` : column
  }
  const texts = question === undefined ? [] : rows.map((row) => cellText(row[question]))
  const marks = (
    [
      ['image', 'mark', images[0]],
      ['video', 'videoMark', video],
      ['audio', 'soundMark', sound],
    ] as const
  ) // prettier-ignore
    .flatMap(([what, key, column]) => {
      const mark = column === undefined ? null : markIn(texts, what)
      return mark === null ? [] : [{ key, mark, isDefault: mark === `<${what}>` }]
    })
  const groupColumns = new Set([...used, ...groups, cluster, width, height, mask])
  const unused = columns.filter((column) => !groupColumns.has(column))
  const asked = (each: DraftKind): string[] => [
    ...(question === undefined ? [] : ['{question}']),
    ...(each === 'choice' && options !== undefined ? ['{options}'] : []),
    INSTRUCTIONS[each] + (isMask ? ', in pixels.' : scaleText(rows, answer, each)),
  ]
  const lines = [
    '# yaml-language-server: $schema=node_modules/sightline/docs/reference/questions.schema.json',
    '# A question suite. The format is described in docs/questions.md of sightline.',
    'format: 1',
    `name: ${name}`,
    `title: ${name}`,
    'version: 1 # raise it whenever questions, prompts or scores change',
    '',
    'data:',
    `  files: ${quoted(data)}`,
    ...(inside === null ? [] : [`  paths: { '': ${quoted(inside)} } # where the files are that the table names`]),
    '',
    'columns:',
    ...(id !== undefined && isUnique(rows, id) ? [`  id: ${quoted(id)}`] : []),
    question === undefined ? '  # question: no column looks like it' : `  question: ${quoted(question)}`,
    ...(options !== undefined && [kind, ...others.map((each) => each.kind)].includes('choice')
      ? [`  options: ${quoted(options)}`]
      : []),
    ...(isMask
      ? [`  mask: ${quoted(mask)} # an image that is white where a point is right`]
      : [
          `  answer: ${quoted(answer)}${found === undefined ? ' # no column looks like the ground truth: write its name' : ''}`,
        ]),
    ...(images.length === 0
      ? []
      : [`  images: ${quoted(images.length === 1 ? placed(images[0]!) : images.map(placed))}`]),
    ...(video === undefined ? [] : [`  video: ${quoted(placed(video))}`]),
    ...(sound === undefined ? [] : [`  sound: ${quoted(placed(sound))}`]),
    ...(hasSize ? [`  width: ${quoted(width)}`, `  height: ${quoted(height)}`] : []),
    ...(cluster === undefined ? [] : [`  cluster: ${quoted(cluster)} # questions about one scene are not independent`]),
    ...(groups.length === 0
      ? []
      : ['  labels:', ...groups.map((column) => `    ${labelName(column)}: ${quoted(column)}`)]),
    ...(unused.length === 0
      ? []
      : [`  # Not used; prompts may have them as {column}: ${unused.join(', ').slice(0, 500).replaceAll('\n', ' ')}`]),
    '',
    'answer:',
    `  kind: ${kind} # ${KINDS.join(', ')} or moves`,
    ...(isMask
      ? ['  written: mask', '  scale: pixels # replies have these too, unless read.scale says otherwise']
      : writtenLines(rows, answer, options, kind)),
    ...(marks.length > 0 || video !== undefined ? ['', 'media:'] : []),
    ...(marks.length > 0 ? ['  place: marks # images and videos replace their marks in the text'] : []),
    ...marks.flatMap(({ key, mark, isDefault }) => (isDefault ? [] : [`  ${key}: ${JSON.stringify(mark)}`])),
    ...(video === undefined ? [] : ['  frames: 32']),
    '',
    'prompt:',
    '  text: |-',
    ...asked(kind).map((line) => `    ${line}`),
    '',
    ...(others.length === 0
      ? []
      : [
          '# Questions with other kinds of answers.',
          'cases:',
          ...others.flatMap((each) => [
            `  - when: { ${quoted(main!)}: ${quoted(each.values)} }`,
            `    answer: { kind: ${each.kind} }`,
            '    prompt:',
            '      text: |-',
            ...asked(each.kind).map((line) => `        ${line}`),
          ]),
          '',
        ]),
    ...(main === undefined
      ? []
      : [
          '# The headline is the mean over the values of a label; without this, the share of correct answers.',
          'total:',
          `  by: ${labelName(main)}`,
          '',
        ]),
  ]
  return lines.join('\n')
}

const INSTRUCTIONS: Readonly<Record<DraftKind, string>> = {
  choice: 'Answer with the letter of the right option.',
  number: 'Answer with a number.',
  'yes-no': 'Answer with yes or no.',
  text: 'Answer with a word or a short phrase.',
  box: 'Answer with the box as [left, top, right, bottom]',
  point: 'Answer with the point as (x, y)',
}

/** Whether all coordinates are parts of the image. */
function isPart(rows: readonly Row[], answer: string): boolean {
  return rows.every((row) => coordinatesOf(row[answer])?.every((each) => each >= 0 && each <= 1) ?? true)
}

function scaleText(rows: readonly Row[], answer: string, kind: DraftKind): string {
  if (kind !== 'box' && kind !== 'point') return ''
  return isPart(rows, answer) ? ', from 0 to 1.' : ', in pixels.'
}

interface Others {
  kind: DraftKind
  values: string[]
}

/** The kind of most answers, and of those of other groups, where each has its own. */
function kindsOf(
  rows: readonly Row[],
  {
    answer,
    options,
    main,
  }: { answer: string; options: string | readonly string[] | undefined; main: string | undefined },
): { kind: DraftKind; others: Others[] } {
  const all = kindOf(rows, answer, options)
  if (main === undefined || (all !== 'text' && all !== 'choice')) return { kind: all, others: [] }
  const byKind = new Map<DraftKind, string[]>()
  for (const value of new Set(rows.map((row) => cellText(row[main])))) {
    const kind = kindOf(
      rows.filter((row) => cellText(row[main]) === value),
      answer,
      options,
    )
    byKind.set(kind, [...(byKind.get(kind) ?? []), value])
  }
  const [first, ...rest] = [...byKind].sort(([, a], [, b]) => b.length - a.length)
  return { kind: first![0], others: rest.map(([kind, values]) => ({ kind, values })) }
}

/** Names are quoted as JSON, which is YAML too. */
function quoted(value: string | readonly string[]): string {
  return typeof value === 'string' &&
    /^[A-Za-z][\w./-]*$/.test(value) &&
    !/^(?:y|n|yes|no|on|off|true|false|null)$/i.test(value)
    ? value
    : JSON.stringify(value)
}

function labelName(column: string): string {
  return (
    column
      .toLowerCase()
      .replaceAll(/[^a-z0-9]+/g, '-')
      .replaceAll(/^-+|-+$/g, '') || 'group'
  )
}

/** How the right choice is written, if it is neither a letter nor a text; and how many options there are. */
function writtenLines(
  rows: readonly Row[],
  answer: string,
  options: string | readonly string[] | undefined,
  kind: DraftKind,
): string[] {
  if (kind === 'box' || kind === 'point')
    return [
      `  scale: "${isPart(rows, answer) ? '0-1' : 'pixels'}" # of the data; read: { scale: pixels } if replies have another`,
    ]
  if (kind !== 'choice') return []
  if (options === undefined) {
    const last = rows
      .map((row) => cellText(row[answer]).replaceAll(/[^A-H]/g, ''))
      .reduce((a, b) => (b > a ? b : a), 'D')
    return [`  letters: ${Math.max(2, last.charCodeAt(0) - 64)} # options A to ${last}, which are in the question`]
  }
  const fitting = ([undefined, 'index', 'number'] as const).find((written) =>
    rows.every((row) => {
      try {
        readTruth(row[answer], readOptions([options].flat().map((column) => row[column])), { kind, written })
        return true
      } catch {
        return false
      }
    }),
  )
  return fitting === undefined ? [] : [`  written: ${fitting} # the answer is the position of the right option`]
}
