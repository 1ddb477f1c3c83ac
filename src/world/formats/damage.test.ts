import { expect, test } from 'vitest'
import { UserError } from '../../base/errors.ts'
import { Random } from '../../base/random.ts'
import { boxRoom } from '../../../test/support/world/box-room.ts'
import { writeGlb } from './glb-write.ts'
import { parseMesh } from './load.ts'
import { writePly } from './ply-write.ts'

const ROUNDS = 300
/** Bytes that headers and numbers are made of do more damage than others. */
const TELLING = [...Buffer.from('0123456789-.e \n{}[]",')]
const room = boxRoom({ size: [2, 2] })
const PLY_TEXT = `ply
format ascii 1.0
element vertex 4
property float x
property double y
property float z
property uchar red
property uchar green
property uchar blue
element face 2
property list uchar int vertex_indices
property list uchar float texcoord
end_header
0 0 0 1 2 3
1 0 0 1 2 3
0 1 0 4 5 6
1 1 1 7 8 9
3 0 1 2 2 0.5 0.5
4 0 1 3 2 0
`
const OBJ_TEXT = 'v 0 0 0\nv 1 0 0\nv 0 1 0\nvt 0 0\nvt 1 1\nvn 0 0 1\nusemtl a\nf 1/1/1 2/2/1 3/1/1\nf -1 -2 -3\n'

test.each([
  ['binary PLY', writePly(room)],
  ['PLY as text', Buffer.from(PLY_TEXT)],
  ['OBJ', Buffer.from(OBJ_TEXT)],
  ['GLB', await writeGlb(room)],
])('damaged %s gives a sound mesh or a sentence, never anything else', async (name, whole) => {
  const random = new Random(`damage/${name}`)
  let refused = 0
  for (let round = 0; round < ROUNDS; round++) {
    const bytes = Uint8Array.from(whole)
    for (let k = random.between(1, 4); k > 0; k--) {
      bytes[random.int(bytes.length)] = random.chance(0.5) ? random.pick(TELLING) : random.int(256)
    }
    const cut = random.chance(0.2) ? bytes.subarray(0, random.int(bytes.length)) : bytes
    try {
      const { mesh } = await parseMesh(cut, '/nowhere/at/all/mesh')
      const vertices = mesh.positions.length / 3
      expect(mesh.indices.length).toBeGreaterThan(0)
      expect(mesh.indices.every((index) => index < vertices)).toBe(true)
      expect(mesh.positions.every(Number.isFinite)).toBe(true)
    } catch (error) {
      if (!(error instanceof UserError)) throw error
      refused++
    }
  }
  expect(refused).toBeGreaterThan(0)
})
