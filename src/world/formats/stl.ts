import { brokenFile } from './broken.ts'
import type { ParsedMesh } from './parsed-mesh.ts'
import { checkFinite } from './pieces.ts'

const HEADER_BYTES = 80
const BODY_AT = 84
const TRIANGLE_BYTES = 50
/** A direction stands before the three corners and is not needed: the corners give it. */
const CORNERS_AT = 12

/** Bytes that some writers append to binary files. */
const TRAILER_BYTES = 4096

/** Binary files may start with "solid" as well, so that their length tells first. */
export function isStl(bytes: Uint8Array): boolean {
  return isBinaryStl(bytes) || isTextStl(bytes)
}

function isBinaryStl(bytes: Uint8Array): boolean {
  if (bytes.length < BODY_AT) return false
  const promised = BODY_AT + TRIANGLE_BYTES * triangleCount(bytes)
  if (promised === bytes.length) return triangleCount(bytes) > 0
  // A longer file is one if its first triangle is made of numbers, which those of other formats are not.
  return promised > BODY_AT && promised < bytes.length && bytes.length - promised <= TRAILER_BYTES && plausible(bytes)
}

function triangleCount(bytes: Uint8Array): number {
  return new DataView(bytes.buffer, bytes.byteOffset).getUint32(HEADER_BYTES, true)
}

function plausible(bytes: Uint8Array): boolean {
  const view = new DataView(bytes.buffer, bytes.byteOffset)
  for (let at = BODY_AT; at < BODY_AT + 48; at += 4) {
    const size = Math.abs(view.getFloat32(at, true))
    if (!(size === 0 || (size > 1e-12 && size < 1e12))) return false
  }
  return true
}

function isTextStl(bytes: Uint8Array): boolean {
  const start = Buffer.from(bytes.buffer, bytes.byteOffset, Math.min(bytes.length, 2048)).toString('latin1')
  return /^\s*solid\b/i.test(start) && /\bfacet\b|\bendsolid\b/i.test(start)
}

/** Reads STL, binary or text. Colors, which writers put into spare bits each in their own way, are passed over. */
export function parseStl(bytes: Uint8Array, file: string): ParsedMesh {
  const corners = isBinaryStl(bytes) ? binaryCorners(bytes) : textCorners(bytes, file)
  if (corners.length === 0) throw brokenFile(file, 'it has no triangles')
  checkFinite(corners, file)
  return {
    mesh: { ...welded(corners), materials: [{ name: 'stl', color: [255, 255, 255] }] },
    shading: ['full'],
  }
}

function binaryCorners(bytes: Uint8Array): Float32Array {
  const view = new DataView(bytes.buffer, bytes.byteOffset, bytes.byteLength)
  const count = triangleCount(bytes)
  const corners = new Float32Array(count * 9)
  for (let triangle = 0, at = BODY_AT + CORNERS_AT; triangle < count; triangle++, at += TRIANGLE_BYTES) {
    for (let k = 0; k < 9; k++) corners[triangle * 9 + k] = view.getFloat32(at + k * 4, true)
  }
  return corners
}

const VERTEX = /\bvertex\s+(\S+)\s+(\S+)\s+(\S+)|\bendloop\b/gi

function textCorners(bytes: Uint8Array, file: string): Float32Array {
  const text = Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength).toString('latin1')
  const values: number[] = []
  let loop: number[] = []
  for (const [, x, y, z] of text.matchAll(VERTEX)) {
    if (x !== undefined) {
      const point = [Number(x), Number(y), Number(z)]
      if (!point.every(Number.isFinite)) throw brokenFile(file, `"vertex ${x} ${y} ${z}" needs 3 finite numbers`)
      loop.push(...point)
      continue
    }
    // A loop of more than three corners is cut into a fan.
    for (let at = 6; at + 2 < loop.length; at += 3)
      values.push(...loop.slice(0, 3), ...loop.slice(at - 3, at), ...loop.slice(at, at + 3))
    loop = []
  }
  if (loop.length > 0) throw brokenFile(file, 'it ends inside a facet; it is cut off', 'Copy or download it again.')
  return Float32Array.from(values)
}

/** STL repeats each corner; equal ones become one vertex, so that round surfaces can be told from edges. */
function welded(corners: Float32Array): { positions: Float32Array; indices: Uint32Array } {
  const count = corners.length / 3
  const size = 2 ** Math.ceil(Math.log2(count * 2 + 1))
  const table = new Int32Array(size).fill(-1)
  const bits = new Uint32Array(corners.buffer, corners.byteOffset, corners.length)
  const positions = new Float32Array(corners.length)
  const indices = new Uint32Array(count)
  let vertices = 0
  for (let corner = 0; corner < count; corner++) {
    const i = corner * 3
    // −0 and 0 are the same place.
    for (let k = i; k < i + 3; k++) corners[k] = corners[k]! + 0
    const mixed =
      Math.imul(bits[i]!, 0x9e3779b1) ^ Math.imul(bits[i + 1]!, 0x85ebca6b) ^ Math.imul(bits[i + 2]!, 0xc2b2ae35)
    let slot = (mixed ^ (mixed >>> 15)) & (size - 1)
    for (;;) {
      const held = table[slot]!
      if (held === -1) {
        positions.set(corners.subarray(i, i + 3), vertices * 3)
        table[slot] = vertices
        indices[corner] = vertices++
        break
      }
      const p = held * 3
      if (positions[p] === corners[i] && positions[p + 1] === corners[i + 1] && positions[p + 2] === corners[i + 2]) {
        indices[corner] = held
        break
      }
      slot = (slot + 1) & (size - 1)
    }
  }
  return { positions: positions.slice(0, vertices * 3), indices }
}
