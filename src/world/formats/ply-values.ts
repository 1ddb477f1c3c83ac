import { brokenFile } from './broken.ts'
import { PLY_TYPE_BYTES, type PlyType } from './ply-header.ts'

/** Values of a PLY body, one after the other, whatever it is written in. */
export interface PlyValues {
  /** The next value; throws at the end of the file. `what` names the element for the error. */
  next(type: PlyType): number
  /** True when `count` values of this type can still be there. Asked before anything is allocated for them. */
  has(count: number, type: PlyType): boolean
  /** Passes over what a line holds beyond the row that was just read; binary rows hold nothing else. */
  endRow(): void
  /** Says in what element of the file the reader is, for its errors. */
  place: { element: string; index: number }
}

export class BinaryPlyValues implements PlyValues {
  readonly view: DataView
  readonly little: boolean
  at: number
  place = { element: 'body', index: 0 }
  readonly #file: string

  constructor(bytes: Uint8Array, start: number, little: boolean, file: string) {
    this.view = new DataView(bytes.buffer, bytes.byteOffset, bytes.byteLength)
    this.little = little
    this.at = start
    this.#file = file
  }

  has(count: number, type: PlyType): boolean {
    return this.at + count * PLY_TYPE_BYTES[type] <= this.view.byteLength
  }

  endRow(): void {}

  next(type: PlyType): number {
    const { at, view, little } = this
    const end = at + PLY_TYPE_BYTES[type]
    if (end > view.byteLength) throw cutOff(this.#file, this.place)
    this.at = end
    return readScalar(view, at, type, little)
  }
}

export function readScalar(view: DataView, at: number, type: PlyType, little: boolean): number {
  switch (type) {
    case 'i8':
      return view.getInt8(at)
    case 'u8':
      return view.getUint8(at)
    case 'i16':
      return view.getInt16(at, little)
    case 'u16':
      return view.getUint16(at, little)
    case 'i32':
      return view.getInt32(at, little)
    case 'u32':
      return view.getUint32(at, little)
    case 'f32':
      return view.getFloat32(at, little)
    case 'f64':
    default:
      return view.getFloat64(at, little)
  }
}

const NEWLINE = 10
const RETURN = 13
const SPACE = 32
const MINUS = 45
const PLUS = 43
const POINT = 46
const DIGIT_0 = 48
const DIGIT_9 = 57
/** Up to 15 digits and this power of ten, digits and power are exact in a double, so one division rounds right. */
const EXACT_POWER = 22
const EXACT_DIGITS = 15
const POWERS_OF_TEN = Array.from({ length: EXACT_POWER + 1 }, (_, power) => Number(`1e${power}`))

export class AsciiPlyValues implements PlyValues {
  place = { element: 'body', index: 0 }
  readonly #bytes: Uint8Array
  readonly #file: string
  readonly #rows: number
  readonly #start: number
  #at: number
  #rowsAreLines: boolean | undefined

  /** `rows` is how many the header promises. */
  constructor(bytes: Uint8Array, start: number, file: string, rows: number) {
    this.#bytes = bytes
    this.#start = start
    this.#at = start
    this.#file = file
    this.#rows = rows
  }

  /** Some writers append numbers that the header does not name. Where rows share lines, what follows is the next row. */
  endRow(): void {
    const bytes = this.#bytes
    let at = this.#at
    while (at < bytes.length && bytes[at]! <= SPACE && bytes[at] !== NEWLINE && bytes[at] !== RETURN) at++
    if (at >= bytes.length || bytes[at]! <= SPACE) return
    this.#rowsAreLines ??= lineCount(bytes, this.#start) >= this.#rows
    if (!this.#rowsAreLines) return
    while (at < bytes.length && bytes[at] !== NEWLINE && bytes[at] !== RETURN) at++
    this.#at = at
  }

  has(count: number): boolean {
    // A number and the blank before the next take at least two bytes; the last needs no blank.
    return this.#at + count * 2 - 1 <= this.#bytes.length
  }

  next(): number {
    const bytes = this.#bytes
    let at = this.#at
    while (at < bytes.length && bytes[at]! <= SPACE) at++
    if (at >= bytes.length) throw cutOff(this.#file, this.place)
    const start = at
    let negative = false
    if (bytes[at] === MINUS || bytes[at] === PLUS) negative = bytes[at++] === MINUS
    let value = 0
    let digits = 0
    let decimals = 0
    let pointSeen = false
    for (; at < bytes.length; at++) {
      const byte = bytes[at]!
      if (byte >= DIGIT_0 && byte <= DIGIT_9) {
        value = value * 10 + (byte - DIGIT_0)
        digits++
        if (pointSeen) decimals++
      } else if (byte === POINT && !pointSeen) pointSeen = true
      else break
    }
    const plain = at >= bytes.length || bytes[at]! <= SPACE
    if (plain && digits > 0 && digits <= EXACT_DIGITS) {
      this.#at = at
      const magnitude = decimals === 0 ? value : value / POWERS_OF_TEN[decimals]!
      return negative ? -magnitude : magnitude
    }
    while (at < bytes.length && bytes[at]! > SPACE) at++
    this.#at = at
    return this.#uncommon(start, at)
  }

  /** Exponents, many digits, nan and inf. */
  #uncommon(start: number, end: number): number {
    const text = Buffer.from(this.#bytes.buffer, this.#bytes.byteOffset + start, Math.min(end - start, 64)).toString(
      'latin1',
    )
    if (/^[+-]?(\d+\.?\d*|\.\d+)(e[+-]?\d+)?$/i.test(text)) return Number(text)
    if (/^[+-]?nan/i.test(text)) return Number.NaN
    if (/^[+-]?inf/i.test(text)) return text.codePointAt(0) === MINUS ? -Infinity : Infinity
    const { element, index } = this.place
    throw brokenFile(this.#file, `${element} ${index}: "${text.slice(0, 20)}" is not a number`)
  }
}

/** Lines with something in them. */
function lineCount(bytes: Uint8Array, start: number): number {
  let lines = 0
  let blank = true
  for (let at = start; at < bytes.length; at++) {
    const byte = bytes[at]!
    if (byte === NEWLINE || byte === RETURN) blank = true
    else if (byte > SPACE && blank) {
      lines++
      blank = false
    }
  }
  return lines
}

function cutOff(file: string, place: PlyValues['place']): Error {
  return brokenFile(
    file,
    `the file ends inside ${place.element} ${place.index}; it is cut off`,
    'Copy or download it again.',
  )
}
