import { mkdtemp, mkdir, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { encodePng } from '../../media/image.ts'
import type { TriangleMesh } from '../mesh.ts'
import { writeGlb } from './glb-write.ts'
import { loadMesh } from './load.ts'
import { parseMesh } from './parse.ts'
import { writePly } from './ply-write.ts'

let folder: string
beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'sightline-load-'))
})
afterAll(() => rm(folder, { recursive: true }))

const RED_GREEN = { width: 2, height: 1, channels: 4 as const, data: Uint8Array.of(255, 0, 0, 255, 0, 255, 0, 255) }

function scene(): TriangleMesh {
  return {
    positions: Float32Array.of(0, 0, 0, 1, 0, 0, 0, 2, 0, 0, 0, 3),
    indices: Uint32Array.of(0, 1, 2, 0, 1, 3, 0, 2, 3),
    uvs: Float32Array.of(0, 0, 1, 0, 0.25, 0.75, 1, 1),
    colors: Uint8Array.of(255, 255, 255, 128, 128, 128, 10, 20, 30, 0, 0, 0),
    triangleMaterials: Uint16Array.of(0, 1, 1),
    triangleInstances: Uint16Array.of(5, 5, 9),
    materials: [
      { name: 'wood', color: [200, 100, 50], roughness: 0.5, metallic: 0 },
      {
        name: 'picture',
        color: [255, 255, 255],
        texture: { width: 2, height: 1, rgba: RED_GREEN.data },
        opacity: 0.5,
        roughness: 1,
        metallic: 0,
      },
    ],
  }
}

/** Triangles as sets of corner places, so that two meshes can be compared whatever their vertex order. */
function triangles({ positions, indices, triangleInstances }: TriangleMesh): string[] {
  const lines: string[] = []
  for (let i = 0; i < indices.length; i += 3) {
    const corners = [0, 1, 2].map((k) =>
      [...positions.subarray(indices[i + k]! * 3, indices[i + k]! * 3 + 3)].join(','),
    )
    lines.push(`${triangleInstances?.[i / 3] ?? 0}: ${corners.join(' ')}`)
  }
  return lines.sort()
}

describe('GLB', () => {
  test('round-trips with instances, materials, textures and colors, z up', async () => {
    const names = new Map([[5, 'chair']])
    const { mesh, format, parts, notes } = await parseMesh(await writeGlb(scene(), { names }), join(folder, 'x.glb'))
    expect(format).toBe('glb')
    expect(notes).toEqual([])
    expect(parts).toEqual([
      { instance: 5, name: 'chair' },
      { instance: 9, name: 'instance 9' },
    ])
    expect(triangles(mesh)).toEqual(triangles(scene()))
    expect(mesh.materials.slice(0, 2)).toEqual(scene().materials)
    expect(
      new Set(
        Array.from({ length: mesh.colors!.length / 3 }, (_, i) => [...mesh.colors!.subarray(i * 3, i * 3 + 3)].join()),
      ),
    ).toEqual(new Set(['255,255,255', '128,128,128', '10,20,30', '0,0,0']))
  })

  test('is deterministic to the byte', async () => {
    expect(await writeGlb(scene())).toEqual(await writeGlb(scene()))
  })

  test.each([
    ['cut off', (bytes: Uint8Array) => bytes.subarray(0, -20), /cut off/],
    ['of version 1', (bytes: Uint8Array) => bytes.fill(1, 4, 5), /version 1/],
    ['with broken JSON', (bytes: Uint8Array) => bytes.fill(0x58, 20, 21), /JSON part/],
  ])('%s is refused', async (_, damage, message) => {
    const bytes = damage(await writeGlb(scene()))
    await expect(parseMesh(bytes, 'x.glb')).rejects.toThrow(message)
  })
})

describe('glTF as text', () => {
  const triangle = Buffer.from(Float32Array.of(0, 0, 0, 1, 0, 0, 0, 1, 0).buffer)
  const document = (changes: object) => ({
    asset: { version: '2.0' },
    scenes: [{ nodes: [0] }],
    nodes: [{ mesh: 0, translation: [0, 10, 0], scale: [2, 2, 2], name: 'thing' }],
    meshes: [{ primitives: [{ attributes: { POSITION: 0 } }] }],
    accessors: [{ bufferView: 0, componentType: 5126, count: 3, type: 'VEC3' }],
    bufferViews: [{ buffer: 0, byteLength: 36 }],
    buffers: [{ byteLength: 36, uri: `data:application/octet-stream;base64,${triangle.toString('base64')}` }],
    ...changes,
  })
  const load = (changes: object) => parseMesh(Buffer.from(JSON.stringify(document(changes))), join(folder, 'a.gltf'))

  test('applies node transforms and turns y-up to z-up', async () => {
    const { mesh, parts } = await load({})
    // (x, y, z) → (x, −z, y): lifted by 10, twice as large.
    expect([...mesh.positions]).toEqual([0, 0, 10, 2, 0, 10, 0, 0, 12])
    expect(parts).toEqual([{ instance: 1, name: 'thing' }])
  })

  test.each([
    [
      'an accessor beyond its buffer',
      { accessors: [{ bufferView: 0, componentType: 5126, count: 4, type: 'VEC3' }] },
      /beyond its buffer/,
    ],
    [
      'an absurd count',
      { accessors: [{ bufferView: 0, componentType: 5126, count: 4e9, type: 'VEC3' }] },
      /beyond its buffer/,
    ],
    ['a node that is its own child', { nodes: [{ mesh: 0, children: [0] }] }, /node 0 is its own ancestor/],
    [
      'a node with two parents',
      { nodes: [{ children: [2] }, { children: [2] }, { mesh: 0 }], scenes: [{ nodes: [0, 1] }] },
      /node 2 has two parents/,
    ],
    [
      'a buffer outside of its folder',
      { buffers: [{ byteLength: 36, uri: '../../../../etc/passwd' }] },
      /buffer 0 is missing/,
    ],
    ['no triangles', { meshes: [{ primitives: [{ attributes: { POSITION: 0 }, mode: 0 }] }] }, /no triangles/],
  ])('with %s is refused', async (_, changes, message) => {
    await expect(load(changes)).rejects.toThrow(message)
  })
})

describe('OBJ', () => {
  test('is read with materials and textures next to it', async () => {
    await mkdir(join(folder, 'object/images'), { recursive: true })
    await mkdir(join(folder, 'object/meshes'), { recursive: true })
    await writeFile(join(folder, 'object/images/paint.png'), await encodePng(RED_GREEN))
    await writeFile(
      join(folder, 'object/meshes/m.mtl'),
      'newmtl plain\nKd 1 0.5 0\nd 0.25\nnewmtl painted\nKd 0 0 0\nmap_Kd -s 1 1 1 ../images/paint.png\nnewmtl lost\nmap_Kd ../../../secret.png\n',
    )
    await writeFile(
      join(folder, 'object/meshes/m.obj'),
      [
        'mtllib m.mtl',
        'v 0 0 0\nv 1 0 0\nv 1 1 0\nv 0 1 0',
        'vt 0 0\nvt 1 0.25',
        'usemtl plain\nf 1 2 3 4',
        'usemtl painted\nf -4/1 -3/2 \\\n -2/1',
        'usemtl lost\nf 1//  2 3',
      ].join('\n'),
    )
    const { mesh, notes, format } = await loadMesh(join(folder, 'object/meshes/m.obj'))
    expect(format).toBe('obj')
    expect(mesh.indices.length / 3).toBe(4)
    expect(mesh.materials).toEqual([
      { name: 'plain', color: [255, 128, 0], opacity: 0.25 },
      { name: 'painted', color: [255, 255, 255], texture: { width: 2, height: 1, rgba: RED_GREEN.data } },
      { name: 'lost', color: [255, 255, 255] },
    ])
    expect([...mesh.triangleMaterials!]).toEqual([0, 0, 1, 2])
    expect([...mesh.uvs!.subarray(8, 12)]).toEqual([0, 1, 1, 0.75])
    expect(notes).toEqual([expect.stringContaining('outside of the mesh')])
  })

  test.each([
    [
      'an index out of range',
      'v 0 0 0\nv 1 0 0\nv 0 1 0\nf 1 2 4\n',
      /line 4: the face names vertex 4, but there are 3/,
    ],
    ['index 0', 'v 0 0 0\nf 0 1 1\n', /line 2/],
    ['not a number', 'v 0 nan 0\n', /line 1: .* needs 3 finite numbers/],
    ['no faces', 'v 0 0 0\nv 1 0 0\n', /no faces/],
  ])('with %s is refused', async (_, text, message) => {
    await expect(parseMesh(Buffer.from(text), 'a.obj')).rejects.toThrow(message)
  })
})

describe('any mesh', () => {
  test('is recognized by content, not name', async () => {
    await writeFile(join(folder, 'really-a-ply.obj'), writePly(scene()))
    const { format, sha256 } = await loadMesh(join(folder, 'really-a-ply.obj'))
    expect(format).toBe('ply')
    expect(sha256).toMatch(/^[0-9a-f]{64}$/)
  })

  test('without colors is shaded to stand out from a white background', async () => {
    const { colors: _, ...plain } = scene()
    const { mesh } = await parseMesh(writePly(plain), 'a.ply')
    expect(Math.max(...mesh.colors!)).toBeLessThan(250)
    expect(new Set(mesh.colors).size).toBeGreaterThan(1)
    const left = await parseMesh(writePly(plain), 'a.ply', { uncolored: 'leave' })
    expect(left.mesh.colors).toBeUndefined()
  })

  test.each([
    ['y', [1, -3, 2]],
    ['x', [2, 3, 1]],
    ['z', [1, 2, 3]],
  ] as const)('with %s up and millimetres becomes metres, z up', async (up, place) => {
    const mesh = { ...scene(), positions: Float32Array.of(1000, 2000, 3000, 0, 0, 0, 0, 0, 0, 0, 0, 0) }
    const loaded = await parseMesh(writePly(mesh), 'a.ply', { up, metersPerUnit: 0.001 })
    expect([...loaded.mesh.positions.subarray(0, 3)]).toEqual(place)
  })

  test.each([
    ['is empty', new Uint8Array(), /0 bytes/],
    ['is something else', Buffer.from('\u0000\u0001binary'), /no mesh that Sightline reads/],
  ])('that %s is refused', async (_, bytes, message) => {
    await expect(parseMesh(bytes, 'a.ply')).rejects.toThrow(message)
  })

  test('that is missing is reported with its path', async () => {
    await expect(loadMesh(join(folder, 'none.ply'))).rejects.toThrow(/File not found: .*none\.ply/)
  })
})
