import { Document } from '@gltf-transform/core'
import { EXTMeshoptCompression, KHRDracoMeshCompression } from '@gltf-transform/extensions'
import { expect, test } from 'vitest'
import { UserError } from '../../base/errors.ts'
import { Random } from '../../base/random.ts'
import { boxRoom } from '../../../test/support/world/box-room.ts'
import { CUBE, glbOf } from '../../../test/support/world/gltf-files.ts'
import { writeGlb } from './glb-write.ts'
import { parseMesh } from './parse.ts'
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
const DAE_TEXT = `<?xml version="1.0"?><COLLADA version="1.4.1"><asset><unit meter="0.01"/></asset>
<library_geometries><geometry id="g"><mesh><source id="p"><float_array id="a" count="9">0 0 0 1 0 0 0 1 0</float_array>
<technique_common><accessor source="#a" count="3" stride="3"/></technique_common></source>
<vertices id="v"><input semantic="POSITION" source="#p"/></vertices>
<polylist count="1"><input semantic="VERTEX" source="#v" offset="0"/><vcount>3</vcount><p>0 1 2</p></polylist></mesh></geometry></library_geometries>
<library_visual_scenes><visual_scene id="s"><node><rotate>0 0 1 90</rotate><instance_geometry url="#g"/></node></visual_scene></library_visual_scenes>
<scene><instance_visual_scene url="#s"/></scene></COLLADA>`
const URDF_TEXT = `<robot name="r"><link name="a"><visual><geometry><box size="1 2 3"/></geometry></visual></link>
<link name="b"><visual><origin xyz="0 0 1"/><geometry><cylinder radius="1" length="2"/></geometry></visual></link>
<joint name="j" type="prismatic"><parent link="a"/><child link="b"/><axis xyz="0 0 1"/><limit lower="0" upper="1"/></joint></robot>`
const STL_TEXT =
  'solid a\nfacet normal 0 0 1\nouter loop\nvertex 0 0 0\nvertex 1 0 0\nvertex 0 1 0\nendloop\nendfacet\nendsolid'

async function packed(extension: typeof KHRDracoMeshCompression | typeof EXTMeshoptCompression): Promise<Uint8Array> {
  const document = new Document()
  const buffer = document.createBuffer()
  const place = document.createAccessor().setType('VEC3').setArray(Float32Array.from(CUBE.positions)).setBuffer(buffer)
  const order = document.createAccessor().setType('SCALAR').setArray(Uint16Array.from(CUBE.indices)).setBuffer(buffer)
  const primitive = document.createPrimitive().setAttribute('POSITION', place).setIndices(order)
  document.createScene().addChild(document.createNode().setMesh(document.createMesh().addPrimitive(primitive)))
  if (extension === KHRDracoMeshCompression) document.createExtension(KHRDracoMeshCompression).setRequired(true)
  else document.createExtension(EXTMeshoptCompression).setRequired(true)
  return glbOf(document)
}
const OBJ_TEXT = 'v 0 0 0\nv 1 0 0\nv 0 1 0\nvt 0 0\nvt 1 1\nvn 0 0 1\nusemtl a\nf 1/1/1 2/2/1 3/1/1\nf -1 -2 -3\n'

test.each([
  ['binary PLY', writePly(room)],
  ['PLY as text', Buffer.from(PLY_TEXT)],
  ['OBJ', Buffer.from(OBJ_TEXT)],
  ['GLB', await writeGlb(room)],
  ['GLB with Draco', await packed(KHRDracoMeshCompression)],
  ['GLB with meshopt', await packed(EXTMeshoptCompression)],
  ['STL', Buffer.from(STL_TEXT)],
  ['COLLADA', Buffer.from(DAE_TEXT)],
  ['URDF', Buffer.from(URDF_TEXT)],
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
