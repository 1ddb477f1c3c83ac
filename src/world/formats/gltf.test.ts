import { Document } from '@gltf-transform/core'
import {
  EXTMeshoptCompression,
  KHRDracoMeshCompression,
  KHRMaterialsPBRSpecularGlossiness,
  KHRMaterialsUnlit,
  KHRMeshQuantization,
} from '@gltf-transform/extensions'
import sharp from 'sharp'
import { describe, expect, it } from 'vitest'
import { CUBE, glbOf, gltfText, ktx2Of } from '../../../test/support/world/gltf-files.ts'
import { encodePng } from '../../media/image.ts'
import { boundsOf } from '../geometry/bounds.ts'
import type { TriangleMesh } from '../mesh.ts'
import { parseMesh } from './parse.ts'

/** A cube of side 2, with a material and what is done to it. */
async function cubeGlb(change: (document: Document) => void): Promise<Uint8Array> {
  const document = new Document()
  const buffer = document.createBuffer()
  const accessor = (type: 'VEC3' | 'SCALAR', array: Float32Array | Uint16Array) =>
    document.createAccessor().setType(type).setArray(array).setBuffer(buffer)
  const material = document.createMaterial('paint').setBaseColorFactor([1, 0, 0, 1])
  const primitive = document
    .createPrimitive()
    .setAttribute('POSITION', accessor('VEC3', Float32Array.from(CUBE.positions)))
    .setIndices(accessor('SCALAR', Uint16Array.from(CUBE.indices)))
    .setMaterial(material)
  const node = document.createNode('cube').setMesh(document.createMesh('cube').addPrimitive(primitive))
  document.createScene().addChild(node)
  change(document)
  return glbOf(document)
}

const load = (bytes: Uint8Array, options = {}) => parseMesh(bytes, '/nowhere/at/all/a.gltf', options)
const sides = (mesh: TriangleMesh) => {
  const { min, max } = boundsOf(mesh.positions)
  return [0, 1, 2].map((axis) => Math.round((max[axis]! - min[axis]!) * 1000) / 1000)
}
const shades = ({ colors }: TriangleMesh) =>
  new Set(Array.from({ length: colors!.length / 3 }, (_, i) => colors![i * 3]))

describe('compressed glTF', () => {
  it.each([
    ['Draco', (document: Document) => void document.createExtension(KHRDracoMeshCompression).setRequired(true)],
    ['meshopt', (document: Document) => void document.createExtension(EXTMeshoptCompression).setRequired(true)],
    [
      'quantized positions',
      (document: Document) => {
        document.createExtension(KHRMeshQuantization).setRequired(true)
        const positions = document.getRoot().listAccessors()[0]!
        positions.setArray(Int8Array.from(CUBE.positions, (value) => value * 127)).setNormalized(true)
      },
    ],
  ])('with %s gives the same cube', async (_, change) => {
    const { mesh, notes } = await load(await cubeGlb(change))
    expect(notes).toEqual([])
    expect(mesh.indices.length / 3).toBe(12)
    expect(sides(mesh)).toEqual([2, 2, 2])
  })

  it.each([
    ['Draco', (document: Document) => void document.createExtension(KHRDracoMeshCompression).setRequired(true)],
    ['meshopt', (document: Document) => void document.createExtension(EXTMeshoptCompression).setRequired(true)],
  ])('with damaged %s data is refused', async (_, change) => {
    const bytes = await cubeGlb(change)
    const start = 20 + new DataView(bytes.buffer, bytes.byteOffset).getUint32(12, true) + 8
    await expect(load(Uint8Array.from(bytes).fill(0xee, start))).rejects.toThrow(/cannot be decompressed/)
  })
})

describe('glTF surfaces', () => {
  it('of one color are shaded by direction, unless they are unlit', async () => {
    const plain = await load(await cubeGlb(() => {}))
    expect(shades(plain.mesh).size).toBe(3)
    const left = await load(await cubeGlb(() => {}), { uncolored: 'leave' })
    expect(left.mesh.colors).toBeUndefined()
    const unlit = await load(
      await cubeGlb((document) => {
        const extension = document.createExtension(KHRMaterialsUnlit)
        document.getRoot().listMaterials()[0]!.setExtension('KHR_materials_unlit', extension.createUnlit())
      }),
    )
    expect(unlit.mesh.colors).toBeUndefined()
  })

  it('take the diffuse color of KHR_materials_pbrSpecularGlossiness', async () => {
    const { mesh } = await load(
      await cubeGlb((document) => {
        const extension = document.createExtension(KHRMaterialsPBRSpecularGlossiness).setRequired(true)
        const gloss = extension.createPBRSpecularGlossiness().setDiffuseFactor([0, 1, 0, 1])
        document.getRoot().listMaterials()[0]!.setExtension('KHR_materials_pbrSpecularGlossiness', gloss)
      }),
    )
    expect(mesh.materials[0]!.color).toEqual([0, 255, 0])
  })

  const quad = [Float32Array.of(0, 0, 0, 1, 0, 0, 0, 1, 0), Float32Array.of(0, 0, 1, 0, 0, 1)]
  const textured = (picture: Uint8Array, material: object = {}, texture: object = { source: 0 }) =>
    gltfText([...quad, picture], {
      meshes: [{ primitives: [{ attributes: { POSITION: 0, TEXCOORD_0: 1 }, material: 0 }] }],
      accessors: [
        { bufferView: 0, componentType: 5126, count: 3, type: 'VEC3' },
        { bufferView: 1, componentType: 5126, count: 3, type: 'VEC2' },
      ],
      materials: [{ pbrMetallicRoughness: { baseColorTexture: { index: 0 } }, ...material }],
      textures: [texture],
      images: [{ bufferView: 2 }],
    })
  const CLEAR_RED = { width: 1, height: 1, channels: 4 as const, data: Uint8Array.of(255, 0, 0, 100) }

  it.each([
    ['OPAQUE', 255],
    ['MASK', 0],
    ['BLEND', 100],
  ])('take the alpha of a texture as the mode %s says', async (alphaMode, alpha) => {
    const { mesh } = await load(textured(await encodePng(CLEAR_RED), { alphaMode }))
    expect([...mesh.materials[0]!.texture!.rgba]).toEqual([255, 0, 0, alpha])
  })

  it.each(['webp', 'avif'] as const)('show %s textures', async (type) => {
    const red = sharp({ create: { width: 8, height: 8, channels: 3, background: '#ff0000' } })
    const picture = await (type === 'webp' ? red.webp({ lossless: true }) : red.avif({ quality: 90 })).toBuffer()
    const { mesh, notes } = await load(
      textured(picture, {}, { extensions: { [`EXT_texture_${type}`]: { source: 0 } } }),
    )
    expect(notes).toEqual([])
    const [r, g, b] = mesh.materials[0]!.texture!.rgba
    expect([r! > 245, g! < 10, b! < 10]).toEqual([true, true, true])
  })

  it('show Basis Universal textures', async () => {
    const picture = ktx2Of(8, 4, [200, 100, 50])
    const { mesh, notes } = await load(textured(picture, {}, { extensions: { KHR_texture_basisu: { source: 0 } } }))
    expect(notes).toEqual([])
    const { width, height, rgba } = mesh.materials[0]!.texture!
    expect([width, height, ...rgba.subarray(0, 4)]).toEqual([8, 4, 200, 100, 50, 255])
  })

  it.each([
    ['a texture of 40,000 × 40,000', ktx2Of(40_000, 40_000, [1, 2, 3]), /40000 × 40000 texels/],
    ['a texture that ends early', ktx2Of(4096, 4096, [1, 2, 3]), /KTX 2|broken|decoded/],
    ['no picture at all', Buffer.from('nothing'), /could not be decoded/],
  ])('are drawn without %s', async (_, picture, note) => {
    const { mesh, notes } = await load(textured(picture))
    expect(mesh.materials[0]!.texture).toBeUndefined()
    expect(notes).toEqual([expect.stringMatching(note)])
  })
})

describe('glTF geometry', () => {
  const triangle = Float32Array.of(0, 0, 0, 1, 0, 0, 0, 1, 0)
  const accessor = { bufferView: 0, componentType: 5126, count: 3, type: 'VEC3' }
  const plain = { meshes: [{ primitives: [{ attributes: { POSITION: 0 } }] }], accessors: [accessor] }
  const corners = ({ positions }: TriangleMesh) => [...positions].map((value) => Math.round(value * 1000) / 1000 + 0)

  it('replaces the items that a sparse accessor lists', async () => {
    const sparse = {
      count: 1,
      indices: { bufferView: 1, componentType: 5121 },
      values: { bufferView: 2 },
    }
    const data = [triangle, Uint8Array.of(1, 0, 0, 0), Float32Array.of(5, 0, 0)]
    const { mesh } = await load(gltfText(data, { ...plain, accessors: [{ ...accessor, sparse }] }))
    expect(corners(mesh)).toEqual([0, 0, 0, 5, 0, 0, 0, 0, 1])
  })

  it('shows every copy of EXT_mesh_gpu_instancing, each a part of its own', async () => {
    const { mesh, parts } = await load(
      gltfText([triangle, Float32Array.of(0, 0, 0, 10, 0, 0), Float32Array.of(1, 1, 1, 2, 2, 2)], {
        ...plain,
        nodes: [{ mesh: 0, extensions: { EXT_mesh_gpu_instancing: { attributes: { TRANSLATION: 1, SCALE: 2 } } } }],
        accessors: [accessor, { ...accessor, bufferView: 1, count: 2 }, { ...accessor, bufferView: 2, count: 2 }],
      }),
    )
    expect(parts.map(({ instance }) => instance)).toEqual([1, 2])
    expect(corners(mesh)).toEqual([0, 0, 0, 1, 0, 0, 0, 0, 1, 10, 0, 0, 12, 0, 0, 10, 0, 2])
  })

  it('leaves out what KHR_node_visibility hides', async () => {
    const hidden = { extensions: { KHR_node_visibility: { visible: false } } }
    const { parts } = await load(
      gltfText([triangle], {
        ...plain,
        scenes: [{ nodes: [0, 1] }],
        nodes: [{ mesh: 0, name: 'seen' }, { ...hidden, children: [2] }, { mesh: 0 }],
      }),
    )
    expect(parts.map(({ name }) => name)).toEqual(['seen'])
  })

  it('adds morph targets at their default weights', async () => {
    const { mesh } = await load(
      gltfText([triangle, Float32Array.of(0, 0, 0, 2, 0, 0, 0, 0, 0)], {
        meshes: [{ weights: [0.5], primitives: [{ attributes: { POSITION: 0 }, targets: [{ POSITION: 1 }] }] }],
        accessors: [accessor, { ...accessor, bufferView: 1 }],
      }),
    )
    expect(corners(mesh)).toEqual([0, 0, 0, 2, 0, 0, 0, 0, 1])
  })

  it('puts a skin where its joints are at rest, not where its node is', async () => {
    const { mesh } = await load(
      gltfText(
        [
          triangle,
          Uint8Array.of(1, 0, 0, 0, 1, 0, 0, 0, 1, 0, 0, 0),
          Float32Array.of(1, 0, 0, 0, 1, 0, 0, 0, 1, 0, 0, 0),
        ],
        {
          scenes: [{ nodes: [0, 1] }],
          nodes: [{ mesh: 0, skin: 0, translation: [100, 0, 0] }, { children: [2] }, { translation: [3, 0, 0] }],
          skins: [{ joints: [1, 2] }],
          meshes: [{ primitives: [{ attributes: { POSITION: 0, JOINTS_0: 1, WEIGHTS_0: 2 } }] }],
          accessors: [
            accessor,
            { bufferView: 1, componentType: 5121, count: 3, type: 'VEC4' },
            { bufferView: 2, componentType: 5126, count: 3, type: 'VEC4' },
          ],
        },
      ),
    )
    expect(corners(mesh)).toEqual([3, 0, 0, 4, 0, 0, 3, 0, 1])
  })

  it.each([
    ['KHR_materials_iridescence', []],
    ['KHR_node_hoverability', []],
    ['ACME_teapot', [expect.stringContaining('ACME_teapot, which Sightline ignores')]],
  ])('is read though it requires %s', async (name, notes) => {
    const loaded = await load(gltfText([triangle], { ...plain, extensionsRequired: [name] }))
    expect(loaded.notes).toEqual(notes)
  })

  it('that is all in an unknown extension says which', async () => {
    const splats = { ...plain, meshes: [{ primitives: [{ attributes: { POSITION: 0 }, mode: 0 }] }] }
    await expect(load(gltfText([triangle], { ...splats, extensionsRequired: ['ACME_splats'] }))).rejects.toMatchObject({
      message: expect.stringContaining('no triangles'),
      hint: expect.stringContaining('ACME_splats'),
    })
  })

  it.each([
    ['a billion zeros', { accessors: [{ ...accessor, bufferView: undefined, count: 1e9 }] }, /no data/],
    [
      'meshopt data that unpacks to a terabyte',
      {
        bufferViews: [
          {
            buffer: 0,
            byteLength: 36,
            extensions: {
              EXT_meshopt_compression: { buffer: 0, byteLength: 36, byteStride: 256, count: 4e9, mode: 'ATTRIBUTES' },
            },
          },
        ],
      },
      /would unpack to/,
    ],
    [
      'a Draco mesh that promises too much',
      {
        meshes: [
          {
            primitives: [
              {
                attributes: { POSITION: 0 },
                extensions: { KHR_draco_mesh_compression: { bufferView: 0, attributes: { POSITION: 0 } } },
              },
            ],
          },
        ],
        accessors: [{ ...accessor, count: 4e9 }],
      },
      /promise/,
    ],
    [
      'more copies than anyone can see',
      {
        nodes: [{ mesh: 0, extensions: { EXT_mesh_gpu_instancing: { attributes: { TRANSLATION: 1 } } } }],
        accessors: [accessor, { ...accessor, bufferView: undefined, count: 2e6 }],
      },
      /more than 1000000 times/,
    ],
    [
      'nodes nested without end',
      { nodes: Array.from({ length: 5000 }, (_, i) => ({ mesh: 0, children: i < 4999 ? [i + 1] : [] })) },
      /nested deeper/,
    ],
    [
      'a sparse item that is not there',
      {
        accessors: [
          {
            ...accessor,
            sparse: {
              count: 1,
              indices: { bufferView: 0, byteOffset: 12, componentType: 5125 },
              values: { bufferView: 0 },
            },
          },
        ],
      },
      /replaces item 1065353216/,
    ],
  ])('with %s is refused', async (_, changes, message) => {
    await expect(load(gltfText([triangle], { ...plain, ...changes }))).rejects.toThrow(message)
  })
})
