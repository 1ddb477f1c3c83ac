import { mkdir, mkdtemp, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { encodePng } from '../../media/image.ts'
import { loadMesh } from './load.ts'
import { parseMesh } from './parse.ts'

let folder: string
beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'sightline-dae-'))
})
afterAll(() => rm(folder, { recursive: true }))

interface Parts {
  asset?: string
  /** Inside of <mesh>, after the sources and <vertices>. */
  primitives?: string
  effect?: string
  nodes?: string
}

const TRIANGLE =
  '<triangles count="1" material="m"><input semantic="VERTEX" source="#v" offset="0"/><p>0 1 2</p></triangles>'
const NODE =
  '<node name="thing"><instance_geometry url="#g"><bind_material><technique_common><instance_material symbol="m" target="#red"/></technique_common></bind_material></instance_geometry></node>'
const RED = '<diffuse><color>1 0 0 1</color></diffuse>'

function dae({ asset = '', primitives = TRIANGLE, effect = RED, nodes = NODE }: Parts = {}): string {
  return `<?xml version="1.0" encoding="utf-8"?>
<COLLADA xmlns="http://www.collada.org/2005/11/COLLADASchema" version="1.4.1">
  <asset>${asset}</asset>
  <library_images><image id="img"><init_from>paint%20box.png</init_from></image></library_images>
  <library_effects><effect id="e"><profile_COMMON>
    <newparam sid="surf"><surface type="2D"><init_from>img</init_from></surface></newparam>
    <newparam sid="samp"><sampler2D><source>surf</source></sampler2D></newparam>
    <technique sid="t"><lambert>${effect}</lambert></technique>
  </profile_COMMON></effect></library_effects>
  <library_materials><material id="red" name="red paint"><instance_effect url="#e"/></material></library_materials>
  <library_geometries><geometry id="g"><mesh>
    <source id="p"><float_array id="pa" count="12">0 0 0 1 0 0 1 1 0 0 1 0</float_array>
      <technique_common><accessor source="#pa" count="4" stride="3"/></technique_common></source>
    <source id="t"><float_array id="ta" count="6">0 0 1 0 1 0.25</float_array>
      <technique_common><accessor source="#ta" count="3" stride="2"/></technique_common></source>
    <vertices id="v"><input semantic="POSITION" source="#p"/></vertices>
    ${primitives}
  </mesh></geometry></library_geometries>
  <library_nodes><node id="again">${NODE}</node></library_nodes>
  <library_visual_scenes><visual_scene id="s">${nodes}</visual_scene></library_visual_scenes>
  <scene><instance_visual_scene url="#s"/></scene>
</COLLADA>`
}

const load = (parts: Parts) => parseMesh(Buffer.from(dae(parts)), join(folder, 'a.dae'))
const rounded = (positions: Float32Array) => [...positions].map((value) => Math.round(value * 1000) / 1000 + 0)

describe('COLLADA', () => {
  it.each([
    ['', [0, 0, 0, 1, 0, 0, 1, 0, 1]],
    ['<up_axis>Z_UP</up_axis>', [0, 0, 0, 1, 0, 0, 1, 1, 0]],
    ['<unit meter="0.01"/><up_axis>Z_UP</up_axis>', [0, 0, 0, 0.01, 0, 0, 0.01, 0.01, 0]],
  ])('is turned and scaled as its asset says: %j', async (asset, positions) => {
    expect(rounded((await load({ asset })).mesh.positions)).toEqual(positions)
  })

  it('applies transforms in their order, nodes in nodes, and nodes by reference', async () => {
    const { mesh, parts } = await load({
      asset: '<up_axis>Z_UP</up_axis>',
      nodes: `<node><translate>10 0 0</translate><rotate>0 0 1 90</rotate><scale>2 2 2</scale>${NODE}</node>
        <node><matrix>1 0 0 5  0 1 0 6  0 0 1 7  0 0 0 1</matrix><instance_node url="#again"/></node>`,
    })
    expect(parts.map(({ name }) => name)).toEqual(['thing', 'thing'])
    expect(rounded(mesh.positions)).toEqual([10, 0, 0, 10, 2, 0, 8, 2, 0, 5, 6, 7, 6, 6, 7, 6, 7, 7])
  })

  const input = '<input semantic="VERTEX" source="#v" offset="0"/>'
  it.each([
    ['polylist', `<polylist count="1">${input}<vcount>4</vcount><p>0 1 2 3</p></polylist>`, 2],
    ['polygons', `<polygons count="2">${input}<p>0 1 2 3</p><p>0 1 2</p></polygons>`, 3],
    ['tristrips', `<tristrips count="1">${input}<p>0 1 2 3</p></tristrips>`, 2],
    ['trifans', `<trifans count="1">${input}<p>0 1 2 3</p></trifans>`, 2],
    ['lines beside triangles', `<lines count="1">${input}<p>0 1</p></lines>${TRIANGLE}`, 1],
  ])('reads %s', async (_, primitives, triangles) => {
    expect((await load({ primitives })).mesh.indices.length / 3).toBe(triangles)
  })

  it('shades its colors and shows its textures', async () => {
    const plain = await load({})
    expect(plain.mesh.materials[1]).toMatchObject({ name: 'red paint', color: [255, 0, 0] })
    expect(plain.mesh.colors).toBeDefined()
    const textured = dae({
      effect: '<diffuse><texture texture="samp" texcoord="UVMap"/></diffuse>',
      primitives: TRIANGLE.replace(
        '<p>0 1 2</p>',
        '<input semantic="TEXCOORD" source="#t" offset="1"/><p>0 0 1 1 2 2</p>',
      ),
    })
    await mkdir(join(folder, 'textured'))
    await writeFile(
      join(folder, 'textured/Paint Box.PNG'),
      await encodePng({ width: 1, height: 1, channels: 3, data: Uint8Array.of(9, 8, 7) }),
    )
    await writeFile(join(folder, 'textured/a.dae'), textured)
    const { mesh, notes } = await loadMesh(join(folder, 'textured/a.dae'))
    expect(notes).toEqual([])
    expect([...mesh.materials[1]!.texture!.rgba]).toEqual([9, 8, 7, 255])
    expect([...mesh.uvs!]).toEqual([0, 1, 1, 1, 1, 0.75])
    const lost = await parseMesh(Buffer.from(textured), join(folder, 'a.dae'))
    expect(lost.notes).toEqual(['"paint box.png" was not found next to the mesh'])
  })

  const entities = Array.from({ length: 9 }, (_, i) => `<!ENTITY a${i + 1} "${`&a${i};`.repeat(10)}">`).join('')
  it.each([
    [
      'an entity bomb',
      dae().replace('<COLLADA', `<!DOCTYPE C [<!ENTITY a0 "ha">${entities}]><COLLADA`),
      /document type/,
    ],
    ['a file of the machine as an entity', dae({ asset: '<unit name="&xxe;"/>' }), /the entity &xxe;/],
    ['a node that shows itself', dae({ nodes: '<node id="n"><instance_node url="#n"/></node>' }), /shows itself/],
    [
      'nodes that double each other',
      dae({
        nodes: `<node id="n0">${NODE}</node>${Array.from({ length: 30 }, (_, i) => `<node id="n${i + 1}">${`<instance_node url="#n${i}"/>`.repeat(2)}</node>`).join('')}`,
      }),
      /more than 100000 nodes/,
    ],
    ['elements nested without end', dae({ nodes: '<node>'.repeat(1000) }), /nested deeper/],
    [
      'a vertex that is not there',
      dae({ primitives: TRIANGLE.replace('0 1 2', '0 1 9') }),
      /names vertex 9, but there are 4/,
    ],
    ['numbers that are none', dae().replace('0 0 0 1 0 0', '0 0 x 1 0 0'), /vertex 0 has/],
    ['nothing to see', dae({ primitives: '' }), /no triangles/],
  ])('with %s is refused', async (_, text, message) => {
    await expect(parseMesh(Buffer.from(text), join(folder, 'a.dae'))).rejects.toThrow(message)
  })
})
