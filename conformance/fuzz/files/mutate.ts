/** Damages files the way bad downloads, editors and attackers do. */
import { unzipSync, zipSync } from 'fflate'
import { crc32 } from 'node:zlib'
import type { Random } from '../../../src/base/random.ts'

/** Bytes that headers and numbers are made of do more damage than others. */
const TELLING = [...Buffer.from('0123456789-+.eE \n\t{}[]()<>"\',:;/\\#\0')]
const WORDS = [
  '1e999',
  '-1',
  '4294967295',
  '99999999999999999999',
  'NaN',
  'null',
  '"__proto__":',
  '\uFEFF',
  '../../x',
  '&a;',
]
const NUMBERS = [0, 1, 2, 0x7f, 0x80, 0xff, 0x7fff, 0xffff, 0x10000, 0x7fffffff, 0x80000000, 0xfffffffe, 0xffffffff]
const NESTING = ['[', '{"a":', '<a>', '(', '{"a":[', '[{}, ', '"\\']
const MAX_NESTED_BYTES = 400_000

/** A damaged copy of one of the files. */
export function mutate(files: readonly Uint8Array[], random: Random): Uint8Array {
  let bytes: Uint8Array = Uint8Array.from(random.pick(files))
  for (let edits = random.weighted([1, 2, 3, 8], [5, 3, 2, 1]); edits > 0; edits--) bytes = edit(bytes, files, random)
  return bytes
}

function edit(bytes: Uint8Array, files: readonly Uint8Array[], random: Random): Uint8Array {
  const at = random.int(bytes.length + 1)
  const length = random.int(Math.min(random.pick([4, 64, 4096]), bytes.length - at) + 1)
  const kind = random.weighted(
    ['bits', 'byte', 'number', 'text number', 'cut', 'insert', 'remove', 'repeat', 'splice', 'nest'],
    [3, 3, 4, 4, 1, 1, 1, 1, 1, 0.4],
  )
  const view = new DataView(bytes.buffer, bytes.byteOffset, bytes.byteLength)
  switch (kind) {
    case 'bits':
      if (bytes.length > 0) bytes[random.int(bytes.length)]! ^= 1 << random.int(8)
      return bytes
    case 'byte':
      if (bytes.length > 0)
        bytes[random.int(bytes.length)] = random.chance(0.5) ? random.pick(TELLING) : random.int(256)
      return bytes
    case 'number': {
      // A length, count or offset in a binary header.
      const size = random.pick([1, 2, 4, 8])
      if (bytes.length < size) return bytes
      const place = random.int(bytes.length - size + 1)
      const value = random.chance(0.7) ? random.pick(NUMBERS) : random.int(bytes.length + 2)
      const little = random.chance(0.5)
      if (size === 1) view.setUint8(place, value & 0xff)
      else if (size === 2) view.setUint16(place, value & 0xffff, little)
      else if (size === 4) view.setUint32(place, value, little)
      else view.setBigUint64(place, random.chance(0.5) ? 0xffff_ffff_ffff_ffffn : BigInt(value) << 24n, little)
      return bytes
    }
    case 'text number': {
      // A number in a text, from the place on.
      const text = Buffer.from(bytes).toString('latin1')
      const found = /\d+(\.\d+)?/.exec(text.slice(at))
      if (!found) return joined(bytes.subarray(0, at), Buffer.from(random.pick(WORDS)), bytes.subarray(at))
      const from = at + found.index
      return joined(bytes.subarray(0, from), Buffer.from(random.pick(WORDS)), bytes.subarray(from + found[0].length))
    }
    case 'cut':
      return bytes.slice(0, at)
    case 'insert':
      return joined(
        bytes.subarray(0, at),
        Uint8Array.from({ length }, () => random.int(256)),
        bytes.subarray(at),
      )
    case 'remove':
      return joined(bytes.subarray(0, at), bytes.subarray(at + length))
    case 'repeat': {
      const part = bytes.subarray(at, at + length)
      return joined(
        bytes.subarray(0, at),
        ...Array.from({ length: random.pick([2, 10, 100]) }, () => part),
        bytes.subarray(at),
      )
    }
    case 'splice': {
      const other = random.pick(files)
      return joined(bytes.subarray(0, at), other.subarray(random.int(other.length + 1)))
    }
    default: {
      const word = random.pick(NESTING)
      const times = Math.floor(random.pick([1_000, 20_000, MAX_NESTED_BYTES]) / word.length)
      return joined(bytes.subarray(0, at), Buffer.from(word.repeat(times)), bytes.subarray(at))
    }
  }
}

function joined(...parts: Uint8Array[]): Uint8Array {
  return Uint8Array.from(Buffer.concat(parts))
}

/** Damages an archive, or an entry of it: otherwise most damage ends at the archive. */
export function mutateZip(files: readonly Uint8Array[], random: Random): Uint8Array {
  if (random.chance(0.3)) return mutate(files, random)
  const entries: Record<string, Uint8Array> = unzipSync(random.pick(files))
  const name = random.pick(Object.keys(entries))
  entries[name] = mutate([entries[name]!], random)
  return zipSync(entries, { level: random.chance(0.5) ? 0 : 6 })
}

const PNG_HEADER_BYTES = 8

/** Damages a PNG, often with checksums that fit: otherwise most damage ends there. */
export function mutatePng(files: readonly Uint8Array[], random: Random): Uint8Array {
  const bytes = mutate(files, random)
  if (random.chance(0.3)) return bytes
  const view = new DataView(bytes.buffer, bytes.byteOffset, bytes.byteLength)
  for (let at = PNG_HEADER_BYTES; at + 12 <= bytes.length;) {
    const end = at + 8 + view.getUint32(at)
    if (end + 4 > bytes.length) break
    view.setUint32(end, crc32(bytes.subarray(at + 4, end)))
    at = end + 4
  }
  return bytes
}
