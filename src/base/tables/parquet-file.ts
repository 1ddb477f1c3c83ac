/** Reads parts of Parquet files, in the thread of `parquet-table.ts`. */
import { createHash } from 'node:crypto'
import { type FileHandle, open, stat } from 'node:fs/promises'
import type { AsyncBuffer, FileMetaData } from 'hyparquet'
import { boundedCompressors, MAX_ROWS } from './parquet.ts'

/** The end of a file, which lists its parts. */
const MAX_FOOTER_BYTES = 64 * 2 ** 20
/** Unpacked bytes of the columns that one call reads; a group of rows is unpacked as a whole. */
const MAX_PART_BYTES = 2 ** 30

const MAX_JOINED_BYTES = 16 * 2 ** 20

export interface ParquetOutline {
  columns: string[]
  count: number
}

export interface ParquetPart {
  path: string
  columns: readonly string[]
  from: number
  to: number
}

export type ParquetCells = Readonly<Record<string, readonly unknown[]>>

interface OpenedParquet {
  buffer: AsyncBuffer
  metadata: FileMetaData
}

/** The files that were used last, with their metadata. */
const known = new Map<string, { stamp: string; metadata: FileMetaData }>()
const MAX_KNOWN = 64

export async function parquetOutline(path: string): Promise<ParquetOutline> {
  return withFile(path, ({ metadata }) => {
    const [root, ...rest] = metadata.schema
    const columns: string[] = []
    // The schema is a tree in depth-first order; the children of the root are the columns.
    for (let at = 0; at < rest.length && columns.length < (root?.num_children ?? 0);) {
      const name: unknown = rest[at]!.name
      if (typeof name !== 'string') throw new Error('it has a column without a name')
      columns.push(name)
      let open = 1
      while (open > 0 && at < rest.length) open += (rest[at++]!.num_children ?? 0) - 1
    }
    return { columns, count: Number(metadata.num_rows) }
  })
}

/** Cells by column: a few lists reach the other thread much faster than many rows. */
export async function parquetPart({ path, columns, from, to }: ParquetPart): Promise<ParquetCells> {
  if (to <= from) return Object.fromEntries(columns.map((name) => [name, []]))
  return withFile(path, async ({ buffer, metadata }) => {
    let first = 0
    let bytes = 0
    for (const group of metadata.row_groups) {
      const last = first + Number(group.num_rows)
      if (last > from && first < to) bytes += sizeOf(group, columns)
      first = last
    }
    if (!(bytes <= MAX_PART_BYTES)) throw new Error(`rows ${from + 1} to ${to} declare ${bytes} bytes`)
    const { parquetRead } = await import('hyparquet')
    const count = Math.min(to, Number(metadata.num_rows)) - from
    const cells = new Map(columns.map((name) => [name, Array.from({ length: count }, (): unknown => undefined)]))
    await parquetRead({
      file: buffer,
      metadata,
      columns: [...columns],
      rowStart: from,
      rowEnd: to,
      compressors: await boundedCompressors(MAX_PART_BYTES),
      utf8: false,
      useOffsetIndex: true,
      // Groups of rows are read as a whole, so there may be more than was asked for.
      onChunk: ({ columnName, columnData, rowStart }) => {
        const column = cells.get(columnName)
        if (column === undefined) return
        const first = Math.max(0, from - rowStart)
        const last = Math.min(columnData.length, from + count - rowStart)
        for (let i = first; i < last; i++) column[rowStart + i - from] = plain(columnData[i])
      },
    })
    return Object.fromEntries(cells)
  })
}

/** Of the footer, which holds all sizes and statistics, and of the packed bytes of the columns. */
export async function parquetHash({ path, columns }: Pick<ParquetPart, 'path' | 'columns'>): Promise<string> {
  return withFile(path, async ({ buffer, metadata }) => {
    const hash = createHash('sha256')
    const footer = buffer.byteLength - metadata.metadata_length - 8
    hash.update(`${buffer.byteLength}\0`).update(new Uint8Array(await buffer.slice(Math.max(0, footer))))
    // Neighbors are read at once.
    let range: [from: number, to: number] = [0, 0]
    const flush = async (): Promise<void> => {
      if (range[1] > range[0]) hash.update(new Uint8Array(await buffer.slice(...range)))
    }
    for (const group of metadata.row_groups) {
      for (const { meta_data: column } of group.columns) {
        if (column === undefined || !columns.includes(column.path_in_schema[0] ?? '')) continue
        const from = Number(column.dictionary_page_offset ?? column.data_page_offset)
        const to = from + Number(column.total_compressed_size)
        if (!(to - from <= MAX_PART_BYTES)) throw new Error(`a column declares ${to - from} bytes`)
        if (from === range[1] && to - range[0] <= MAX_JOINED_BYTES) range = [range[0], to]
        else {
          await flush()
          range = [from, to]
        }
      }
    }
    await flush()
    return hash.digest('hex')
  })
}

function sizeOf(group: FileMetaData['row_groups'][number], columns: readonly string[]): number {
  let bytes = 0
  for (const { meta_data: column } of group.columns) {
    if (column !== undefined && columns.includes(column.path_in_schema[0] ?? ''))
      bytes += Math.abs(Number(column.total_uncompressed_size))
  }
  return bytes
}

async function withFile<T>(path: string, use: (opened: OpenedParquet) => T | Promise<T>): Promise<T> {
  const { size, mtimeMs } = await stat(path)
  const file = await open(path)
  try {
    const buffer: AsyncBuffer = { byteLength: size, slice: (from, to) => slice(file, from, to ?? size, size) }
    const stamp = `${size}/${mtimeMs}`
    let found = known.get(path)
    if (found?.stamp !== stamp) {
      found = { stamp, metadata: await metadataOf(buffer) }
      known.delete(path)
      known.set(path, found)
      if (known.size > MAX_KNOWN) known.delete(known.keys().next().value!)
    }
    return await use({ buffer, metadata: found.metadata })
  } finally {
    await file.close()
  }
}

async function metadataOf(buffer: AsyncBuffer): Promise<FileMetaData> {
  const { parquetMetadata } = await import('hyparquet')
  if (buffer.byteLength < 12) throw new Error(`it has only ${buffer.byteLength} bytes`)
  const end = new DataView(await buffer.slice(buffer.byteLength - 8))
  const length = end.getUint32(0, true) + 8
  if (length > Math.min(MAX_FOOTER_BYTES, buffer.byteLength)) throw new Error(`its end declares ${length} bytes`)
  const metadata = parquetMetadata(await buffer.slice(buffer.byteLength - length))
  if (metadata.num_rows < 0 || metadata.num_rows > MAX_ROWS) throw new Error(`it declares ${metadata.num_rows} rows`)
  return metadata
}

async function slice(file: FileHandle, from: number, to: number, size: number): Promise<ArrayBuffer> {
  if (!(from >= 0 && from <= to && to <= size)) throw new Error(`it refers to bytes ${from} to ${to} of ${size}`)
  if (to - from > MAX_PART_BYTES) throw new Error(`it refers to ${to - from} bytes at once`)
  const buffer = new ArrayBuffer(to - from)
  const { bytesRead } = await file.read(new Uint8Array(buffer), 0, to - from, from)
  if (bytesRead < to - from) throw new Error('it ends in the middle')
  return buffer
}

/** Integers of 64 bits as numbers where they fit; everything else as it is. */
function plain(value: unknown): unknown {
  if (typeof value === 'string') return value
  if (typeof value === 'bigint') return Number.isSafeInteger(Number(value)) ? Number(value) : String(value)
  if (Array.isArray(value)) return value.map(plain)
  if (ArrayBuffer.isView(value) && !(value instanceof Uint8Array)) return Array.from(value as Float64Array, plain)
  if (value instanceof Date) return value.toISOString()
  if (typeof value === 'object' && value !== null && !(value instanceof Uint8Array))
    return Object.fromEntries(Object.entries(value).map(([name, each]) => [name, plain(each)]))
  return value
}
