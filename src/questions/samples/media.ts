/** Images, videos and sounds of a row: files that its cells name, or cells that hold them. */
import type { QuestionsFile } from '../domain/format.ts'
import type { MediaItem } from '../domain/sample.ts'
import { fill, placeholders } from '../domain/template.ts'
import { cellText, listOf } from '../domain/truth.ts'
import { isObject, type Row } from '../../suite.ts'
import { mediaSources, valueOf } from './columns.ts'
import type { DataRow } from './tables.ts'

const VIDEO = /\.(?:mp4|m4v|webm|mov|mkv|avi)$/i
const IMAGE = /\.(?:jpe?g|png|webp)$/i
const MAX_FILES = 2000

/** @param paths columns that name files; the others hold images */
export function mediaOf(
  file: QuestionsFile,
  { table, row, cells }: DataRow,
  texts: Readonly<Record<string, string>>,
  paths: ReadonlySet<string>,
): MediaItem[] {
  const placed = (path: string): string => placedPath(path, file.data.paths)
  const isCell = (source: string): boolean => placeholders(source).length === 0 && !paths.has(source)
  const images = mediaSources(file, 'images').flatMap((source): MediaItem[] =>
    isCell(source)
      ? [{ kind: 'image', table, row, column: source }]
      : flat(pathsOf(source, cells, texts)).map((path) => fileAt(placed(path))),
  )
  const videos = mediaSources(file, 'video').flatMap((source) => videosIn(pathsOf(source, cells, texts), placed))
  const sounds = mediaSources(file, 'sound').flatMap((source): MediaItem[] =>
    isCell(source)
      ? [{ kind: 'sound', table, row, column: source }]
      : flat(pathsOf(source, cells, texts)).map((path) => ({ kind: 'sound', path: placed(path) })),
  )
  return [...images, ...videos, ...sounds]
}

/** Paths, and lists of them. */
type Paths = readonly (string | Paths)[]

/** What a column or template says of a row; of a column with a list, something for each of its entries. */
function pathsOf(source: string, cells: Row, texts: Readonly<Record<string, string>>): Paths {
  const [only, ...others] = placeholders(source)
  const column = only ?? source
  const list = others.length > 0 || !Object.hasOwn(cells, column) ? null : listIn(cells[column])
  if (list === null) return [valueOf(source, texts)].filter((path) => path !== '')
  return nested(list, (entry) => (only === undefined ? entry : fill(source, { [column]: entry })))
}

function listIn(cell: unknown): unknown[] | null {
  return Array.isArray(cell) || (typeof cell === 'string' && cell.trimStart().startsWith('[')) ? listOf(cell) : null
}

function nested(list: readonly unknown[], path: (entry: string) => string, depth = 0): Paths {
  return list.slice(0, MAX_FILES).flatMap((entry): Paths => {
    if (Array.isArray(entry)) return depth === 0 ? [nested(entry, path, depth + 1)] : []
    const name = cellText(isObject(entry) ? entry['path'] : entry).trim()
    return name === '' ? [] : [path(name)]
  })
}

function flat(paths: Paths): string[] {
  return paths.flatMap((path) => (typeof path === 'string' ? [path] : flat(path)))
}

/** A list of images is the frames of one video; lists of them are several. */
function videosIn(paths: Paths, placed: (path: string) => string): MediaItem[] {
  const frames = paths.filter((path) => typeof path === 'string' && !VIDEO.test(path)) as string[]
  const isClip = frames.length > 1 || IMAGE.test(frames[0] ?? '')
  const clip: MediaItem[] = isClip ? [{ kind: 'clip', frames: frames.map(placed) }] : []
  const others = paths.flatMap((path): MediaItem[] => {
    if (typeof path !== 'string') return [{ kind: 'clip', frames: flat(path).map(placed) }]
    return isClip && !VIDEO.test(path) ? [] : [{ kind: 'video', path: placed(path) }]
  })
  return [...clip, ...others]
}

function fileAt(path: string): MediaItem {
  return { kind: VIDEO.test(path) ? 'video' : 'image', path }
}

/** Where a path of the data leads in the data folder. */
export function placedPath(path: string, paths: QuestionsFile['data']['paths'] = {}): string {
  const found = Object.entries(paths).find(([beginning]) => path.startsWith(beginning))
  return found === undefined ? path : found[1] + path.slice(found[0].length)
}
