import { brokenFile } from './broken.ts'

/** What the head of a PLY file says about its body. */
export interface PlyHeader {
  format: 'ascii' | 'binary_little_endian' | 'binary_big_endian'
  elements: readonly PlyElement[]
  /** Pictures that `comment TextureFile` lines name, as MeshLab writes them. */
  textureFiles: readonly string[]
  /** Where the body starts, in bytes. */
  bodyStart: number
}

export interface PlyElement {
  name: string
  count: number
  properties: readonly PlyProperty[]
}

export interface PlyProperty {
  name: string
  type: PlyType
  /** Type of the length that stands before a list's values; absent for a single value. */
  lengthType?: PlyType
}

export type PlyType = 'i8' | 'u8' | 'i16' | 'u16' | 'i32' | 'u32' | 'f32' | 'f64'

export const PLY_TYPE_BYTES: Readonly<Record<PlyType, number>> = {
  i8: 1,
  u8: 1,
  i16: 2,
  u16: 2,
  i32: 4,
  u32: 4,
  f32: 4,
  f64: 8,
}

const TYPE_NAMES: Readonly<Record<string, PlyType>> = {
  char: 'i8',
  int8: 'i8',
  uchar: 'u8',
  uint8: 'u8',
  short: 'i16',
  int16: 'i16',
  ushort: 'u16',
  uint16: 'u16',
  int: 'i32',
  int32: 'i32',
  uint: 'u32',
  uint32: 'u32',
  float: 'f32',
  float32: 'f32',
  double: 'f64',
  float64: 'f64',
}

/** Longer heads than this are not heads: comments of real scans stay far below. */
const HEADER_LIMIT = 1 << 16
const NEWLINE = 10
const RETURN = 13

export function parsePlyHeader(bytes: Uint8Array, file: string): PlyHeader {
  const fail = (line: number, problem: string) => brokenFile(file, `line ${line} of the PLY header: ${problem}`)
  const lines = headerLines(bytes, file)
  if (lines.texts[0]?.trim() !== 'ply') throw brokenFile(file, 'a PLY file starts with the line "ply"')

  let format: PlyHeader['format'] | undefined
  const textureFiles: string[] = []
  const elements: { name: string; count: number; properties: PlyProperty[] }[] = []
  lines.texts.forEach((text, at) => {
    const words = text.trim().split(/\s+/)
    const line = at + 1
    switch (words[0] ?? '') {
      case 'format':
        if (words[1] !== 'ascii' && words[1] !== 'binary_little_endian' && words[1] !== 'binary_big_endian') {
          throw fail(line, `unknown format "${words[1] ?? ''}"`)
        }
        format = words[1]
        break
      case 'element': {
        const count = Number(words[2])
        if (words[1] === undefined || !Number.isSafeInteger(count) || count < 0) {
          throw fail(line, `an element needs a name and a count, found "${text.trim()}"`)
        }
        elements.push({ name: words[1], count, properties: [] })
        break
      }
      case 'property': {
        const element = elements.at(-1)
        if (!element) throw fail(line, 'a property stands before the first element')
        element.properties.push(parseProperty(words, () => fail(line, `cannot read "${text.trim()}"`)))
        break
      }
      case 'comment':
        if (words[1]?.toLowerCase() === 'texturefile') textureFiles.push(words.slice(2).join(' '))
        break
      default: // 'ply', 'obj_info', 'end_header' and what writers add of their own
    }
  })
  if (!format) throw brokenFile(file, 'the PLY header has no format line')
  return { format, elements, textureFiles, bodyStart: lines.end }
}

function parseProperty(words: readonly string[], fail: () => Error): PlyProperty {
  if (words[1] === 'list') {
    const lengthType = TYPE_NAMES[words[2] ?? '']
    const type = TYPE_NAMES[words[3] ?? '']
    if (!lengthType || !type || words[4] === undefined) throw fail()
    if (lengthType === 'f32' || lengthType === 'f64') throw fail()
    return { name: words[4], type, lengthType }
  }
  const type = TYPE_NAMES[words[1] ?? '']
  if (!type || words[2] === undefined) throw fail()
  return { name: words[2], type }
}

/** Lines up to `end_header`. Old Mac files end lines with a carriage return alone; the first line tells. */
function headerLines(bytes: Uint8Array, file: string): { texts: string[]; end: number } {
  const lineEnd = bytes[3] === RETURN && bytes[4] !== NEWLINE ? RETURN : NEWLINE
  const texts: string[] = []
  const limit = Math.min(bytes.length, HEADER_LIMIT)
  let start = 0
  for (let at = 0; at < limit; at++) {
    if (bytes[at] !== lineEnd) continue
    const text = Buffer.from(bytes.buffer, bytes.byteOffset + start, at - start).toString('latin1')
    texts.push(text)
    start = at + 1
    if (text.trim() === 'end_header') return { texts, end: start }
  }
  throw brokenFile(file, 'the PLY header has no end_header line; the file is cut off or not a PLY file')
}
