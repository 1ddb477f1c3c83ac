/** Tables as text (JSON, JSON lines, CSV, TSV): one pass finds where rows begin, and rows are parsed on demand. */
import { createHash } from 'node:crypto'
import type { FileHandle } from 'node:fs/promises'
import { messageOf, UserError } from '../errors.ts'
import { parseForeignJson } from '../foreign/json.ts'
import { isObject } from '../json-object.ts'
import { openRegular } from '../regular-file.ts'
import type { Row, Table, TableFormat } from './rows.ts'

type TextFormat = Exclude<TableFormat, 'parquet'>

const CHUNK_BYTES = 2 ** 20
const MAX_ROWS = 10_000_000
/** A row with a dozen base64 images. */
const MAX_ROW_BYTES = 64 * 2 ** 20

const NEWLINE = 0x0a
const RETURN = 0x0d
const QUOTE = 0x22
const BACKSLASH = 0x5c
const COMMA = 0x2c
const SEMICOLON = 0x3b
const TAB = 0x09
const OPEN = 0x5b
const CLOSE = 0x5d
const OPEN_OBJECT = 0x7b
const CLOSE_OBJECT = 0x7d
const BYTE_ORDER_MARK = '\uFEFF'

/** Where each row begins and ends, in bytes. */
class Spans {
  #at = new Float64Array(2048)
  count = 0

  add(from: number, to: number): void {
    if (this.count === MAX_ROWS) throw new UserError(`it has more than ${MAX_ROWS} rows`)
    if (to - from > MAX_ROW_BYTES) throw new UserError(`row ${this.count + 1} has more than ${MAX_ROW_BYTES} bytes`)
    if (2 * this.count === this.#at.length) {
      const larger = new Float64Array(2 * this.#at.length)
      larger.set(this.#at)
      this.#at = larger
    }
    this.#at[2 * this.count] = from
    this.#at[2 * this.count + 1] = to
    this.count++
  }

  from(row: number): number {
    return this.#at[2 * row]!
  }

  to(row: number): number {
    return this.#at[2 * row + 1]!
  }
}

/** Finds rows in the bytes that it is fed. */
interface Splitter {
  feed(bytes: Uint8Array, offset: number): void
  end(size: number): void
}

/** Lines that are not blank. Inside quotes of CSV and TSV a line may break. */
function lineSplitter(spans: Spans, delimiter: number | null): Splitter {
  let from = 0
  let quoted = false
  let blank = true
  let fieldStart = true
  const add = (to: number): void => {
    if (!blank) spans.add(from, to)
    from = to + 1
    blank = true
    fieldStart = true
  }
  if (delimiter === null) {
    return {
      feed(bytes, offset) {
        for (let at = 0; at < bytes.length;) {
          const end = bytes.indexOf(NEWLINE, at)
          const to = end < 0 ? bytes.length : end
          for (let i = at; blank && i < to; i++) blank = bytes[i]! <= 0x20
          if (end < 0) return
          add(offset + end)
          at = end + 1
        }
      },
      end: add,
    }
  }
  return {
    feed(bytes, offset) {
      for (let at = 0; at < bytes.length; at++) {
        const byte = bytes[at]!
        if (byte === QUOTE && (quoted || fieldStart)) {
          // The second of two quotes opens the field again, so it stays quoted.
          quoted = !quoted
          fieldStart = !quoted
          blank = false
        } else if (quoted) continue
        else if (byte === NEWLINE) add(offset + at)
        else {
          fieldStart = byte === delimiter
          if (byte > 0x20 || byte === delimiter) blank = false
        }
      }
    },
    end: add,
  }
}

/** The elements of a list at the top of a JSON file, or of the only list of objects in an object there. */
function elementSplitter(spans: Spans): Splitter {
  let depth = 0
  let inString = false
  let escaped = false
  let from = -1
  let ended = false
  /** How deep the list of rows is: 1 at the top, 2 in an object. 0 before it is known. */
  let listDepth = 0
  let lists = 0
  /** Whether the list that is being read has rows; null before its first element. */
  let hasRows: boolean | null = null
  return {
    feed(bytes, offset) {
      for (let at = 0; at < bytes.length; at++) {
        const byte = bytes[at]!
        if (inString) {
          if (escaped) escaped = false
          else if (byte === BACKSLASH) escaped = true
          else if (byte === QUOTE) inString = false
          continue
        }
        if (byte <= 0x20 || (depth === 0 && offset + at < 3 && byte > 0x7f)) continue
        const isOpening = byte === OPEN || byte === OPEN_OBJECT
        if (ended || (depth === 0 && !isOpening)) throw notRows()
        if (depth === 0) {
          listDepth = byte === OPEN ? 1 : 2
          hasRows = byte === OPEN ? true : null
        } else if (depth === 1 && listDepth === 2) hasRows = byte === OPEN ? null : false
        else if (depth === listDepth) {
          if (hasRows === null && byte !== CLOSE) {
            hasRows = byte === OPEN_OBJECT
            if (hasRows && ++lists > 1)
              throw new UserError('it has several lists of rows; save the one to ask about as a file')
          }
          if (byte === COMMA || byte === CLOSE) {
            if (from >= 0) spans.add(from, offset + at)
            from = -1
          } else if (from < 0 && hasRows === true) from = offset + at
        }
        if (byte === QUOTE) inString = true
        else if (isOpening) depth++
        else if (byte === CLOSE || byte === CLOSE_OBJECT) ended = --depth === 0
      }
    },
    end() {
      if (!ended) throw new UserError('it ends in the middle')
      if (listDepth === 2 && lists === 0) throw notRows()
    },
  }
}

function notRows(): UserError {
  return new UserError('it is not a list of rows: [ {…}, {…} ], nor an object with one')
}

export class TextTable implements Table {
  readonly columns: readonly string[]
  readonly count: number
  readonly #path: string
  readonly #name: string
  /** Null for JSON. */
  readonly #delimiter: string | null
  readonly #spans: Spans
  readonly #hash: string
  /** Rows before the first one: the header of CSV and TSV. */
  readonly #skipped: number

  private constructor(path: string, name: string, index: Index, columns: readonly string[]) {
    this.#path = path
    this.#name = name
    this.#delimiter = index.delimiter
    this.#spans = index.spans
    this.#hash = index.hash
    this.#skipped = index.delimiter === null ? 0 : 1
    this.columns = columns
    this.count = Math.max(0, index.spans.count - this.#skipped)
  }

  static async open(path: string, name: string, format: TextFormat): Promise<TextTable> {
    const file = await openRegular(path)
    try {
      const index = await indexOf(file, format)
      if (index.spans.count === 0) throw new UserError('it has no rows')
      const first = await textAt(file, index.spans.from(0), index.spans.to(0))
      const columns =
        index.delimiter === null ? Object.keys(object(first)) : fields(first, index.delimiter).map((each) => each ?? '')
      const twice = columns.find((column, i) => columns.indexOf(column) !== i)
      if (twice !== undefined) throw new UserError(`it has two columns "${twice}"`)
      return new TextTable(path, name, index, columns)
    } catch (error) {
      throw unreadable(name, error)
    } finally {
      await file.close()
    }
  }

  hash(): Promise<string> {
    return Promise.resolve(this.#hash)
  }

  async rows(from: number, to: number, columns: readonly string[]): Promise<Row[]> {
    const file = await openRegular(this.#path)
    try {
      const rows: Row[] = []
      for (let row = from; row < Math.min(to, this.count); row++) {
        const at = row + this.#skipped
        const text = await textAt(file, this.#spans.from(at), this.#spans.to(at))
        try {
          rows.push(this.#parse(text, columns))
        } catch (error) {
          throw unreadable(`${this.#name}, row ${row + 1}`, error)
        }
      }
      return rows
    } finally {
      await file.close()
    }
  }

  #parse(text: string, columns: readonly string[]): Row {
    if (this.#delimiter === null) {
      const found = object(text)
      return Object.fromEntries(
        columns.flatMap((column) => (Object.hasOwn(found, column) ? [[column, found[column]]] : [])),
      )
    }
    const found = fields(text, this.#delimiter)
    if (found.length > this.columns.length)
      throw new UserError(`it has ${found.length} fields, the header has ${this.columns.length}`)
    return Object.fromEntries(columns.map((column) => [column, found[this.columns.indexOf(column)] ?? null]))
  }
}

interface Index {
  spans: Spans
  delimiter: string | null
  hash: string
}

async function indexOf(file: FileHandle, format: TextFormat): Promise<Index> {
  const spans = new Spans()
  const delimiter = format === 'csv' ? await csvDelimiter(file) : format === 'tsv' ? TAB : null
  const splitter = format === 'json' ? elementSplitter(spans) : lineSplitter(spans, delimiter)
  const hash = createHash('sha256')
  const buffer = Buffer.alloc(CHUNK_BYTES)
  let offset = 0
  for (;;) {
    const { bytesRead } = await file.read(buffer, 0, CHUNK_BYTES, offset)
    if (bytesRead === 0) break
    const bytes = buffer.subarray(0, bytesRead)
    hash.update(bytes)
    splitter.feed(bytes, offset)
    offset += bytesRead
  }
  splitter.end(offset)
  return { spans, delimiter: delimiter === null ? null : String.fromCharCode(delimiter), hash: hash.digest('hex') }
}

async function textAt(file: FileHandle, from: number, to: number): Promise<string> {
  const buffer = Buffer.alloc(to - from)
  const { bytesRead } = await file.read(buffer, 0, buffer.length, from)
  const text = buffer.toString('utf8', 0, bytesRead)
  return from === 0 && text.startsWith(BYTE_ORDER_MARK) ? text.slice(1) : text
}

function object(text: string): Record<string, unknown> {
  const found = parseForeignJson(text)
  if (!isObject(found)) throw new UserError('it is not an object')
  return found
}

/** A comma, or the semicolon that spreadsheets write where the comma is in numbers: by the header. */
async function csvDelimiter(file: FileHandle): Promise<number> {
  const buffer = Buffer.alloc(CHUNK_BYTES)
  const { bytesRead } = await file.read(buffer, 0, CHUNK_BYTES, 0)
  const end = buffer.indexOf(NEWLINE)
  const header = buffer.subarray(0, end < 0 ? bytesRead : Math.min(end, bytesRead))
  return header.includes(SEMICOLON) && !header.includes(COMMA) ? SEMICOLON : COMMA
}

/** The fields of a line; null for an empty one. Quotes work as in RFC 4180. */
function fields(line: string, delimiter: string): (string | null)[] {
  const end = line.charCodeAt(line.length - 1) === RETURN ? line.length - 1 : line.length
  const found: (string | null)[] = []
  let at = 0
  for (;;) {
    let field = ''
    if (line[at] === '"') {
      for (at++; at < end;) {
        const quote = line.indexOf('"', at)
        const to = quote < 0 ? end : quote
        field += line.slice(at, to)
        at = to + 1
        if (line[at] !== '"') break
        field += '"'
        at++
      }
    }
    const next = line.indexOf(delimiter, at)
    const to = next < 0 ? end : next
    field += line.slice(at, Math.max(at, to))
    found.push(field === '' ? null : field)
    if (next < 0) return found
    at = next + 1
  }
}

function unreadable(name: string, error: unknown): UserError {
  return new UserError(`${name} cannot be read: ${messageOf(error)}.`, { cause: error })
}
