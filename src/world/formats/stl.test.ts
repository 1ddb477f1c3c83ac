import { describe, expect, it } from 'vitest'
import { CUBE } from '../../../test/support/world/gltf-files.ts'
import { parseMesh } from './parse.ts'

/** The cube as binary STL, under a header of choice. */
function binaryStl(header = 'made by a test', extraBytes = 0): Uint8Array {
  const count = CUBE.indices.length / 3
  const bytes = Buffer.alloc(84 + count * 50 + extraBytes)
  bytes.write(header, 'latin1')
  bytes.writeUInt32LE(count, 80)
  for (let triangle = 0; triangle < count; triangle++) {
    for (let corner = 0; corner < 3; corner++) {
      const vertex = CUBE.indices[triangle * 3 + corner]!
      for (let axis = 0; axis < 3; axis++)
        bytes.writeFloatLE(CUBE.positions[vertex * 3 + axis]!, 84 + triangle * 50 + 12 + corner * 12 + axis * 4)
    }
    // Where some writers put a color.
    bytes.writeUInt16LE(0x8fff, 84 + triangle * 50 + 48)
  }
  return bytes
}

const FACET = 'facet normal 0 0 1\n outer loop\n  vertex 0 0 0\n  vertex 1 0 0\n  vertex 0 1 0\n endloop\nendfacet\n'
const load = (bytes: Uint8Array | string) => parseMesh(Buffer.from(bytes), 'part.stl')

describe('STL', () => {
  it.each([
    ['binary', binaryStl()],
    ['binary with "solid" in its header', binaryStl('solid facet of a liar')],
    ['binary with bytes after its end', binaryStl('x', 20)],
  ])('%s is a cube with flat sides', async (_, bytes) => {
    const { mesh, format } = await load(bytes)
    expect(format).toBe('stl')
    expect(mesh.indices.length / 3).toBe(12)
    // Eight corners, each split between three sides, in three shades.
    expect(mesh.positions.length / 3).toBe(24)
    expect(new Set(mesh.colors).size).toBe(3)
  })

  it.each([
    ['text', `solid a\n${FACET}endsolid a\n`, 1],
    [
      'text of two solids, in capitals, on Windows',
      `SOLID A\n${FACET.toUpperCase()}ENDSOLID\n`.repeat(2).replaceAll('\n', '\r\n'),
      2,
    ],
    [
      'text with a facet of four corners',
      `solid\n${FACET.replace(' endloop', '  vertex 0 0.5 0\n endloop')}endsolid`,
      2,
    ],
  ])('%s is read', async (_, text, triangles) => {
    expect((await load(text)).mesh.indices.length / 3).toBe(triangles)
  })

  it.each([
    ['is cut off', `solid a\n${FACET.slice(0, 60)}`, /ends inside a facet/],
    ['has no facets', 'solid a\nendsolid a\n', /no triangles/],
    [
      'has numbers that are none',
      `solid a\n${FACET.replace('1 0 0', '1 x 0')}endsolid`,
      /"vertex 1 x 0" needs 3 finite numbers/,
    ],
    ['has a coordinate that is not finite', Uint8Array.from(binaryStl()).fill(0xff, 96, 100), /vertex 0 has x = NaN/],
  ])('that %s is refused', async (_, bytes, message) => {
    await expect(load(bytes)).rejects.toThrow(message)
  })
})
