/** What the columns of a table are, by their names and by what is in them. */
import { readdir } from 'node:fs/promises'
import { containedFile, type Row } from '../suite.ts'
import { cellText, listOf, readOptions, readTruth } from './domain/truth.ts'
import { imagesIn, looksLikePath, pathsIn } from './samples/images.ts'

/** A column with more values does not group questions. */
const MAX_GROUPS = 30
const MAX_GROUP_NAME = 60
/** Of a question, on average. */
const MIN_WORDS = 3

export const NAMES = {
  id: ['id', 'idx', 'index', 'qid', 'question_id', 'uid', 'sample_id'],
  question: ['question', 'query', 'prompt', 'instruction', 'text'],
  options: ['options', 'choices', 'candidates', 'answer_options', 'multi-choice options'],
  answer: [
    'answer',
    'ground_truth',
    'gt',
    'gt_answer',
    'correct_answer',
    'correct_option',
    'correct',
    'label',
    'target',
    'solution',
    'gold',
    'gold_answer',
    'groundtruth',
    'truth',
    'bbox',
    'box',
    'polygon',
    'point',
  ],
  video: ['video', 'video_path', 'video_file', 'clip', 'frames', 'video_frames', 'frame_paths'],
  sound: ['sound', 'audio', 'audio_path', 'wav'],
  mask: ['mask', 'mask_path', 'gt_mask', 'mask_image'],
  cluster: ['scene', 'room', 'scene_name', 'scene_id', 'scan_id', 'video_id', 'image_id', 'pair_id', 'group_id'],
  width: ['width', 'w', 'image_width', 'img_width'],
  height: ['height', 'h', 'image_height', 'img_height'],
} as const
const OPTION_NAME =
  /^(?:(?:option|choice|opt|candidate)[_ -]?)?([A-H])$|^(?:option|choice|opt|candidate)[_ -]?([1-8])$/i
const IMAGE_NAME =
  /^(?:image|images|img|picture|pictures|photo|photos|image_paths?|img_paths?|image_file)(?:[_-]?\d+)?$/i
const GROUP_NAME = /(?:type|task|category|subset|split|source|dataset|domain|skill|level|difficulty|topic)/i

/** Columns with one option each, in their order. */
export function optionColumns(columns: readonly string[]): string[] | undefined {
  const place = (column: string): number => {
    const [, letter, number] = OPTION_NAME.exec(column) ?? []
    return letter === undefined ? Number(number ?? Number.NaN) : letter.toUpperCase().charCodeAt(0) - 64
  }
  const found = columns.filter((column) => place(column) > 0).sort((a, b) => place(a) - place(b))
  const isRow = found.length >= 2 && found.every((column, i) => place(column) === i + 1)
  // Single small letters are the names of many things.
  return isRow && found.some((column) => column.length > 1 || column === column.toUpperCase()) ? found : undefined
}

/** The column with one of these names, whatever it is inside of. */
export function named(columns: readonly string[], names: readonly string[]): string | undefined {
  return names
    .map((name) => columns.find((column) => lastName(column).toLowerCase() === name))
    .find((found) => found !== undefined)
}

function lastName(column: string): string {
  return column.slice(column.lastIndexOf('.') + 1)
}

export function holdsImages(rows: readonly Row[], column: string): boolean {
  const images = rows.flatMap((row) => imagesIn(row[column]))
  const isNamed = IMAGE_NAME.test(lastName(column)) && images.length > 0
  return isNamed || images.some((image) => typeof image !== 'string' && isImage(image)) || namesImages(rows, column)
}

/** By the first bytes of PNG, JPEG, WebP and GIF. */
function isImage(bytes: Uint8Array): boolean {
  return /^(?:\x89PNG|\xff\xd8\xff|RIFF....WEBP|GIF8)/s.test(Buffer.from(bytes.subarray(0, 12)).toString('latin1'))
}

/** What stands for an image, video or sound in the texts, with {n} for its number; null if nothing does. */
export function markIn(texts: readonly string[], what: 'image' | 'video' | 'audio'): string | null {
  for (const text of texts) {
    const found = MARKS[what].exec(text)
    // Braces of its own are doubled.
    if (found) return found[0].replace(/^\{/, '{{').replace(/\}$/, '}}').replace(/\d+/, '{n}')
  }
  return null
}

const MARKS = {
  image: /<(?:image|img)[ _-]?\d*>|\[(?:image|img)[ _-]?\d*\]|\{(?:image|img)[ _-]?\d*\}/i,
  video: /<(?:video|vid)[ _-]?\d*>|\[(?:video|vid)[ _-]?\d*\]|\{(?:video|vid)[ _-]?\d*\}/i,
  audio: /<(?:audio|sound)[ _-]?\d*>|\[(?:audio|sound)[ _-]?\d*\]|\{(?:audio|sound)[ _-]?\d*\}/i,
} as const

export function isMainGroup(column: string): boolean {
  return GROUP_NAME.test(column)
}

export const KINDS = ['choice', 'number', 'yes-no', 'box', 'point', 'text'] as const
export type DraftKind = (typeof KINDS)[number]

export function kindOf(
  rows: readonly Row[],
  answer: string,
  options: string | readonly string[] | undefined,
): DraftKind {
  const truths = rows.map((row) => cellText(row[answer]).trim()).filter((text) => text !== '')
  const has = (pattern: RegExp): boolean => truths.length > 0 && truths.every((text) => pattern.test(text))
  if (options !== undefined && rows.some((row) => canBeOptions(row, options))) return 'choice'
  if (has(/^\(?[A-H][.)]?$/)) return 'choice'
  if (has(/^(?:yes|no|true|false)[.!]?$/i)) return 'yes-no'
  const shapes = rows.map((row) => coordinatesOf(row[answer]))
  if (shapes.every((shape) => shape !== null)) return shapes.every((shape) => shape.length === 4) ? 'box' : 'point'
  return has(/^[-+]?(?:\d+\.?\d*|\.\d+)(?:e[-+]?\d+)?$/i) ? 'number' : 'text'
}

function canBeOptions(row: Row, options: string | readonly string[]): boolean {
  try {
    return readOptions([options].flat().map((column) => row[column])).length > 1
  } catch {
    return false
  }
}

/** The numbers of a point, box or outline. */
export function coordinatesOf(cell: unknown): number[] | null {
  const numbers = (listOf(cell) ?? []).flat(2)
  return numbers.length >= 2 && numbers.length % 2 === 0 && numbers.every((each) => typeof each === 'number')
    ? numbers
    : null
}

/** Few values for many rows, and short ones. */
export function groupsRows(rows: readonly Row[], column: string): boolean {
  const values = new Set(rows.map((row) => cellText(row[column])))
  const isShort = [...values].every((value) => value.length <= MAX_GROUP_NAME && !value.includes('\n'))
  const isRepeated = GROUP_NAME.test(column) || 2 * values.size <= rows.length
  return isShort && isRepeated && values.size > 1 && values.size <= MAX_GROUPS
}

/** Whether a column can be the ground truth of these options. */
export function answers(
  rows: readonly Row[],
  column: string,
  options: string | readonly string[] | undefined,
): boolean {
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
export function longest(rows: readonly Row[], columns: readonly string[]): string | undefined {
  const words = (column: string): number =>
    rows.reduce((sum, row) => sum + cellText(row[column]).trim().split(/\s+/).length, 0) / Math.max(1, rows.length)
  const [best] = columns.toSorted((a, b) => words(b) - words(a))
  return best !== undefined && words(best) >= MIN_WORDS ? best : undefined
}

export function isUnique(rows: readonly Row[], column: string): boolean {
  return new Set(rows.map((row) => cellText(row[column]))).size === rows.length
}

/** The folder that the files of a column are in, if they are not where their paths say: `photos/`. */
export async function folderOfFiles(
  rows: readonly Row[],
  columns: readonly string[],
  folder: string,
): Promise<string | null> {
  const [first] = columns.flatMap((column) => (looksLikePath(rows[0]?.[column]) ? pathsIn(rows[0]?.[column]) : []))
  const isThere = (path: string): Promise<boolean> =>
    containedFile(folder, path).then(
      () => true,
      () => false,
    )
  if (first === undefined || (await isThere(first))) return null
  const entries = await readdir(folder, { withFileTypes: true })
  for (const entry of entries.filter((each) => each.isDirectory()).sort((a, b) => (a.name < b.name ? -1 : 1)))
    if (await isThere(`${entry.name}/${first}`)) return `${entry.name}/`
  return null
}
