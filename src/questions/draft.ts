/** `sightline new questions`: starts a suite's file from a table, by the names of its columns and what is in them. */
import { didYouMean, type Row, type Table, UserError } from '../suite.ts'
import { cellText, readOptions, readTruth } from './domain/truth.ts'
import { imagesIn } from './samples/images.ts'

/** Rows that are looked at. */
const LOOKED_AT = 200
/** A column with more values does not group questions. */
const MAX_GROUPS = 30
const MAX_GROUP_NAME = 60
/** Of a question, on average. */
const MIN_WORDS = 3

const NAMES = {
  id: ['id', 'idx', 'index', 'qid', 'question_id', 'uid', 'sample_id'],
  question: ['question', 'query', 'prompt', 'instruction', 'text'],
  options: ['options', 'choices', 'candidates', 'answer_options', 'multi-choice options'],
  answer: ['answer', 'ground_truth', 'gt', 'gt_answer', 'correct_answer', 'label', 'target'],
  video: ['video', 'video_path', 'video_file'],
  cluster: ['scene', 'room', 'scene_name', 'scene_id', 'scan_id', 'video_id', 'image_id'],
} as const
const LETTER_COLUMNS = ['A', 'B', 'C', 'D', 'E', 'F', 'G', 'H']
const IMAGE_NAME = /^(?:image|images|img|picture|pictures|photo|image_paths?|img_paths?|image_file)(?:[_-]?\d+)?$/i
const GROUP_NAME = /(?:type|task|category|subset|split|source|dataset|domain|skill|level|difficulty|topic)/i

/** The text of a suite's file, with comments. @param data path of the table, relative to the file */
export async function draftFile(name: string, table: Table, data: string): Promise<string> {
  const rows = await table.rows(0, LOOKED_AT, table.columns)
  if (rows.some((row) => Object.values(row).some((cell) => typeof cell === 'string' && cell.includes('\uFFFD'))))
    throw new UserError(`${data} is not UTF-8.`, { hint: 'Save it as UTF-8 ("CSV UTF-8" in Excel), and try again.' })
  const find = (names: readonly string[]): string | undefined =>
    names
      .map((each) => table.columns.find((column) => column.toLowerCase() === each))
      .find((each) => each !== undefined)
  const letters = LETTER_COLUMNS.filter((letter) => table.columns.includes(letter))
  const options = find(NAMES.options) ?? (letters.length >= 2 ? letters : undefined)
  // Where no name tells, what is in a column may.
  const answer = find(NAMES.answer) ?? table.columns.findLast((column) => answers(rows, column, options))
  if (answer === undefined) {
    throw new UserError(`${data} has no column that looks like the ground truth.`, {
      hint: `Rename it to "answer". ${didYouMean('answer', table.columns, 'Columns')}`,
    })
  }
  const images = table.columns.filter(
    (column) =>
      (IMAGE_NAME.test(column) && rows.some((row) => imagesIn(row[column]).length > 0)) || namesImages(rows, column),
  )
  const id = find(NAMES.id)
  const video = find(NAMES.video)
  const cluster = find(NAMES.cluster)
  const taken = new Set([answer, options ?? [], images, id ?? [], video ?? []].flat())
  const question =
    find(NAMES.question) ??
    longest(
      rows,
      table.columns.filter((column) => !taken.has(column)),
    )
  const used = new Set([...taken, ...(question === undefined ? [] : [question])])
  const groups = table.columns.filter((column) => !used.has(column) && groupsRows(rows, column))
  const main = groups.find((column) => GROUP_NAME.test(column))
  const kind = kindOf(rows, answer, options)
  const marked = question !== undefined && rows.some((row) => cellText(row[question]).includes('<image>'))
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
    '',
    'columns:',
    ...(id !== undefined && isUnique(rows, id) ? [`  id: ${quoted(id)}`] : []),
    question === undefined ? '  # question: no column looks like it' : `  question: ${quoted(question)}`,
    ...(kind === 'choice' && options !== undefined ? [`  options: ${quoted(options)}`] : []),
    `  answer: ${quoted(answer)}`,
    ...(images.length === 0 ? [] : [`  images: ${quoted(images.length === 1 ? images[0]! : images)}`]),
    ...(video === undefined ? [] : [`  video: ${quoted(video)}`]),
    ...(cluster === undefined ? [] : [`  cluster: ${quoted(cluster)} # questions about one scene are not independent`]),
    ...(groups.length === 0
      ? []
      : ['  labels:', ...groups.map((column) => `    ${labelName(column)}: ${quoted(column)}`)]),
    '',
    'answer:',
    `  kind: ${kind} # choice, number, yes-no, text, point or box`,
    ...writtenLines(rows, answer, options, kind),
    ...(marked || video !== undefined ? ['', 'media:'] : []),
    ...(marked ? ['  place: marks # images replace <image> in the text'] : []),
    ...(video === undefined ? [] : ['  frames: 32']),
    '',
    'prompt:',
    '  text: |-',
    ...(question === undefined ? [] : ['    {question}']),
    ...(kind === 'choice' && options !== undefined ? ['    {options}'] : []),
    `    ${INSTRUCTIONS[kind]}`,
    '',
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

const INSTRUCTIONS = {
  choice: 'Answer with the letter of the right option.',
  number: 'Answer with a number.',
  'yes-no': 'Answer with yes or no.',
  text: 'Answer with a word or a short phrase.',
}
type DraftKind = keyof typeof INSTRUCTIONS

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

function kindOf(rows: readonly Row[], answer: string, options: string | readonly string[] | undefined): DraftKind {
  const truths = rows.map((row) => cellText(row[answer]).trim()).filter((text) => text !== '')
  const has = (pattern: RegExp): boolean => truths.length > 0 && truths.every((text) => pattern.test(text))
  if (options !== undefined && rows.some((row) => canBeOptions(row, options))) return 'choice'
  if (has(/^\(?[A-H][.)]?$/)) return 'choice'
  if (has(/^(?:yes|no|true|false)[.!]?$/i)) return 'yes-no'
  return has(/^[-+]?(?:\d+\.?\d*|\.\d+)(?:e[-+]?\d+)?$/i) ? 'number' : 'text'
}

function canBeOptions(row: Row, options: string | readonly string[]): boolean {
  try {
    return readOptions([options].flat().map((column) => row[column])).length > 1
  } catch {
    return false
  }
}

/** How the right choice is written, if it is neither a letter nor a text; and how many options there are. */
function writtenLines(
  rows: readonly Row[],
  answer: string,
  options: string | readonly string[] | undefined,
  kind: DraftKind,
): string[] {
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

/** Few values for many rows, and short ones. */
function groupsRows(rows: readonly Row[], column: string): boolean {
  const values = new Set(rows.map((row) => cellText(row[column])))
  const isShort = [...values].every((value) => value.length <= MAX_GROUP_NAME)
  const isRepeated = GROUP_NAME.test(column) || 2 * values.size <= rows.length
  return isShort && isRepeated && values.size > 1 && values.size <= MAX_GROUPS
}

/** Whether a column can be the ground truth of these options. */
function answers(rows: readonly Row[], column: string, options: string | readonly string[] | undefined): boolean {
  if (options === undefined || [options].flat().includes(column)) return false
  return rows.every((row) => {
    try {
      readTruth(row[column], readOptions([options].flat().map((each) => row[each])), { kind: 'choice' })
      return true
    } catch {
      return false
    }
  })
}

function namesImages(rows: readonly Row[], column: string): boolean {
  return rows.length > 0 && rows.every((row) => /\.(?:png|jpe?g|webp|gif)"?\]?$/i.test(cellText(row[column]).trim()))
}

/** The column with the longest texts, if they are sentences. */
function longest(rows: readonly Row[], columns: readonly string[]): string | undefined {
  const words = (column: string): number =>
    rows.reduce((sum, row) => sum + cellText(row[column]).trim().split(/\s+/).length, 0) / Math.max(1, rows.length)
  const [best] = columns.toSorted((a, b) => words(b) - words(a))
  return best !== undefined && words(best) >= MIN_WORDS ? best : undefined
}

function isUnique(rows: readonly Row[], column: string): boolean {
  return new Set(rows.map((row) => cellText(row[column]))).size === rows.length
}
