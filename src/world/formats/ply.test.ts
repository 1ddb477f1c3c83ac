import { mkdtemp, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { describe, expect, test } from 'vitest'
import { UserError } from '../../base/errors.ts'
import { encodePng } from '../../media/image.ts'
import { parseMesh } from './parse.ts'
import { parsePly } from './ply.ts'
import { writePly } from './ply-write.ts'

/** A PLY body of typed values in either byte order. */
type Value = [type: 'u8' | 'i8' | 'u16' | 'i32' | 'u32' | 'f32' | 'f64', value: number]

function binary(header: string[], values: readonly Value[], little: boolean): Uint8Array {
  const format = `format binary_${little ? 'little' : 'big'}_endian 1.0`
  const head = Buffer.from(['ply', format, ...header, 'end_header', ''].join('\n'))
  const parts = values.map(([type, value]) => {
    const bytes = Buffer.alloc(8)
    const view = new DataView(bytes.buffer, bytes.byteOffset, 8)
    switch (type) {
      case 'u8':
        view.setUint8(0, value)
        return bytes.subarray(0, 1)
      case 'i8':
        view.setInt8(0, value)
        return bytes.subarray(0, 1)
      case 'u16':
        view.setUint16(0, value, little)
        return bytes.subarray(0, 2)
      case 'i32':
        view.setInt32(0, value, little)
        return bytes.subarray(0, 4)
      case 'u32':
        view.setUint32(0, value, little)
        return bytes.subarray(0, 4)
      case 'f32':
        view.setFloat32(0, value, little)
        return bytes.subarray(0, 4)
      case 'f64':
        view.setFloat64(0, value, little)
        return bytes
      default:
        throw new TypeError('no such type')
    }
  })
  return Buffer.concat([head, ...parts])
}

function ascii(header: string[], body: string): Uint8Array {
  return Buffer.from(['ply', 'format ascii 1.0', ...header, 'end_header', body].join('\n'))
}

const XYZ = ['property float x', 'property float y', 'property float z']
const FACES = 'property list uchar int vertex_indices'
const f32 = (...values: number[]) => values.map((value): Value => ['f32', value])
const i32 = (...values: number[]) => values.map((value): Value => ['i32', value])
const TRIANGLE = [0, 0, 0, 1, 0, 0, 0, 1, 0]

describe('a PLY file is read', () => {
  test.each([true, false])('in binary, little-endian %s', (little) => {
    const header = ['element vertex 3', ...XYZ, 'element face 1', FACES]
    const mesh = parsePly(binary(header, [...f32(...TRIANGLE), ['u8', 3], ...i32(0, 1, 2)], little), 'a.ply')
    expect([...mesh.positions]).toEqual(TRIANGLE)
    expect([...mesh.indices]).toEqual([0, 1, 2])
    expect(mesh.colors).toBeUndefined()
  })

  test.each([true, false])('with doubles, colours first, alpha, quality and another element between, %s', (little) => {
    const header = [
      'comment made for a test',
      'element vertex 3',
      'property uchar red',
      'property uchar green',
      'property uchar blue',
      'property uchar alpha',
      'property double z',
      'property double y',
      'property double x',
      'property float quality',
      'element camera 2',
      'property list uint16 double weights',
      'property int id',
      'element face 1',
      FACES,
    ]
    const vertex = (red: number, x: number, y: number, z: number): Value[] => [
      ['u8', red],
      ['u8', 20],
      ['u8', 30],
      ['u8', 255],
      ['f64', z],
      ['f64', y],
      ['f64', x],
      ['f32', 0.5],
    ]
    const mesh = parsePly(
      binary(
        header,
        [
          ...vertex(10, 0, 0, 5),
          ...vertex(11, 1, 0, 5),
          ...vertex(12, 0, 1, 5),
          ['u16', 2],
          ['f64', 1],
          ['f64', 2],
          ['i32', 7],
          ['u16', 0],
          ['i32', 8],
          ['u8', 3],
          ...i32(2, 1, 0),
        ],
        little,
      ),
      'b.ply',
    )
    expect([...mesh.positions]).toEqual([0, 0, 5, 1, 0, 5, 0, 1, 5])
    expect([...(mesh.colors ?? [])]).toEqual([10, 20, 30, 11, 20, 30, 12, 20, 30])
    expect([...mesh.indices]).toEqual([2, 1, 0])
  })

  test('with polygons, extra lists and numbers on faces, and faces of two corners', () => {
    const header = [
      'element vertex 5',
      ...XYZ,
      'element face 3',
      'property uchar flags',
      'property list uchar float texcoord',
      'property list int uint vertex_index',
    ]
    const mesh = parsePly(
      binary(
        header,
        [
          ...f32(...Array.from({ length: 15 }, (_, i) => i)),
          ...([['u8', 1], ['u8', 2], ...f32(0.1, 0.2), ...i32(5, 0, 1, 2, 3, 4)] as Value[]),
          ...([['u8', 1], ['u8', 0], ...i32(2, 0, 1)] as Value[]),
          ...([['u8', 1], ['u8', 0], ...i32(3, 4, 3, 2)] as Value[]),
        ],
        true,
      ),
      'c.ply',
    )
    expect([...mesh.indices]).toEqual([0, 1, 2, 0, 2, 3, 0, 3, 4, 4, 3, 2])
  })

  test('with quads only, in the layout of plain triangles', () => {
    const header = ['element vertex 4', ...XYZ, 'element face 1', FACES]
    const mesh = parsePly(
      binary(header, [...f32(...TRIANGLE, 1, 1, 0), ['u8', 4], ...i32(0, 1, 3, 2)], true),
      'quad.ply',
    )
    expect([...mesh.indices]).toEqual([0, 1, 3, 0, 3, 2])
  })

  test('as text, with exponents, carriage returns and colours as real numbers', () => {
    const header = ['element vertex 3', ...XYZ, 'property float red', 'property float green', 'property float blue']
    const text = ascii(
      [...header, 'element face 1', FACES],
      '0 -0.25 1e-1 1 0 0.5\r\n+1 0 1.0E+1 0 1 0\n 0 1.5 123456789.123456789 0 0 1\n3 0 1 2',
    )
    const mesh = parsePly(text, 'd.ply')
    expect([...mesh.positions]).toEqual([0, -0.25, 0.1, 1, 0, 10, 0, 1.5, 123_456_789.123_456_79].map(Math.fround))
    expect([...(mesh.colors ?? [])]).toEqual([255, 0, 128, 0, 255, 0, 0, 0, 255])
  })

  test('as triangle strips', () => {
    const header = ['element vertex 4', ...XYZ, 'element tristrips 1', 'property list int int vertex_indices']
    const mesh = parsePly(ascii(header, '0 0 0\n1 0 0\n0 1 0\n1 1 0\n8 0 1 2 3 -1 3 1 0'), 'strips.ply')
    expect([...mesh.indices]).toEqual([0, 1, 2, 1, 2, 3, 3, 1, 0])
  })

  test('as it was written', () => {
    const colors = Uint8Array.from([1, 2, 3, 4, 5, 6, 7, 8, 9])
    const mesh = { positions: Float32Array.from(TRIANGLE), indices: Uint32Array.of(0, 1, 2), colors, materials: [] }
    const back = parsePly(writePly(mesh), 'e.ply')
    expect(back).toMatchObject({ positions: mesh.positions, indices: mesh.indices, colors })
  })
})

describe('a broken PLY file is rejected with a clear error', () => {
  const header = ['element vertex 3', ...XYZ, 'element face 1', FACES]
  const whole = [...f32(...TRIANGLE), ['u8', 3] as Value, ...i32(0, 1, 2)]
  const cases: [string, Uint8Array, RegExp][] = [
    ['cut off in the faces', binary(header, whole, true).subarray(0, -2), /face 0 .*the file ends before/],
    ['cut off in the vertices', binary(header, f32(0, 0, 0, 1), true), /promises 3 of vertex/],
    ['cut off in the header', Buffer.from('ply\nformat ascii 1.0\nelement ver'), /no end_header/],
    ['cut off as text', ascii(header, '0 0 0\n1 0 0\n0 1 0\n3 0 1'), /face 0 .*the file ends before/],
    [
      'a count beyond all memory',
      binary(['element vertex 4000000000', ...XYZ, 'element face 1', FACES], whole, true),
      /promises 4000000000 of vertex/,
    ],
    [
      'a count beyond all memory, as text',
      ascii(['element vertex 900000000', ...XYZ, 'element face 1', FACES], '0 0 0'),
      /promises 900000000/,
    ],
    [
      'a face of absurd length',
      binary(
        ['element vertex 3', ...XYZ, 'element face 1', 'property list uint int vertex_indices'],
        [...f32(...TRIANGLE), ['u32', 4_000_000_000], ...i32(0, 1, 2)],
        true,
      ),
      /face 0 says that it has 4000000000 corners/,
    ],
    [
      'not a number',
      binary(header, [...f32(0, 0, 0, 1, NaN, 0, 0, 1, 0), ...whole.slice(9)], true),
      /vertex 1 has y = NaN/,
    ],
    ['infinite', ascii(header, '0 0 0\n1 0 0\n0 1 -inf\n3 0 1 2'), /vertex 2 has z = -Infinity/],
    [
      'too large an index',
      binary(header, [...whole.slice(0, -1), ['i32', 3]], true),
      /face 0 names vertex 3, but there are 3/,
    ],
    ['a negative index', binary(header, [...whole.slice(0, -1), ['i32', -1]], true), /face 0 names vertex -1/],
    ['a negative index as text', ascii(header, '0 0 0\n1 0 0\n0 1 0\n3 0 1 -2'), /face 0 names vertex -2/],
    ['no faces', binary(['element vertex 3', ...XYZ], f32(...TRIANGLE), true), /no faces/],
    ['only lines', ascii(header, '0 0 0\n1 0 0\n0 1 0\n2 0 1'), /none of its faces/],
    [
      'no z',
      ascii(['element vertex 1', ...XYZ.slice(0, 2), 'element face 1', FACES], '0 0\n3 0 0 0'),
      /lack x, y or z/,
    ],
    ['words for numbers', ascii(header, '0 zero 0\n1 0 0\n0 1 0\n3 0 1 2'), /vertex 0: "zero" is not a number/],
    ['an unknown type', ascii(['element vertex 3', 'property real x'], ''), /line 4 of the PLY header/],
    ['an unknown format', Buffer.from('ply\nformat cuneiform 1.0\nend_header\n'), /unknown format "cuneiform"/],
    [
      'endless elements of nothing',
      ascii(['element vertex 3', ...XYZ, 'element void 1e15', 'element face 1', FACES], '0 0 0\n1 0 0\n0 1 0\n3 0 1 9'),
      /names vertex 9/,
    ],
  ]
  test.each(cases)('%s', (_, bytes, message) => {
    expect(() => parsePly(bytes, 'broken.ply')).toThrow(UserError)
    expect(() => parsePly(bytes, 'broken.ply')).toThrow(message)
    expect(() => parsePly(bytes, 'broken.ply')).toThrow(/^broken\.ply: /)
  })
})

describe('PLY as other programs write it', () => {
  const header = ['element vertex 3', ...XYZ, 'element face 1', FACES]

  test.each([
    ['numbers that the header does not name', '0 0 0 0.5 9\n1 0 0 0.5\n0 1 0\n3 0 1 2 255 255 255\n'],
    ['a row over two lines', '0 0\n0\n1 0 0\n0 1 0\n3 0 1 2\n'],
    ['all rows on one line', '0 0 0 1 0 0 0 1 0 3 0 1 2'],
  ])('is read with %s', (_, body) => {
    const { positions, indices } = parsePly(ascii(header, body), 'a.ply')
    expect([...positions]).toEqual(TRIANGLE)
    expect([...indices]).toEqual([0, 1, 2])
  })

  test('takes colors that are not numbers for black', () => {
    const colored = [
      'element vertex 3',
      ...XYZ,
      ...['red', 'green', 'blue'].map((name) => `property float ${name}`),
      'element face 1',
      FACES,
    ]
    const body = '0 0 0 nan nan nan\n1 0 0 1 0 0\n0 1 0 0 0.5 0\n3 0 1 2\n'
    expect([...parsePly(ascii(colored, body), 'a.ply').colors!]).toEqual([0, 0, 0, 255, 0, 0, 0, 128, 0])
  })

  test('says that a point cloud is one', () => {
    expect(() => parsePly(ascii(['element vertex 3', ...XYZ], '0 0 0\n1 0 0\n0 1 0\n'), 'a.ply')).toThrow(
      /3 vertices but no faces: it is a point cloud/,
    )
  })

  test.each([
    [
      'at the corners of faces',
      [
        'comment TextureFile paint.png',
        'element vertex 3',
        ...XYZ,
        'element face 1',
        FACES,
        'property list uchar float texcoord',
      ],
      '0 0 0\n1 0 0\n0 1 0\n3 0 1 2 6 0 0 1 0 1 0.75\n',
    ],
    [
      'at vertices',
      [
        'comment TextureFile paint.png',
        'element vertex 3',
        ...XYZ,
        'property float s',
        'property float t',
        'element face 1',
        FACES,
      ],
      '0 0 0 0 0\n1 0 0 1 0\n0 1 0 1 0.75\n3 0 1 2\n',
    ],
  ])('shows its texture by coordinates %s', async (_, lines, body) => {
    const folder = await mkdtemp(join(tmpdir(), 'sightline-ply-'))
    try {
      const bytes = ascii(lines, body)
      const lost = await parseMesh(bytes, join(folder, 'a.ply'))
      expect(lost.notes).toEqual(['"paint.png" was not found next to the mesh'])
      expect(lost.mesh.colors).toBeDefined()
      await writeFile(
        join(folder, 'paint.png'),
        await encodePng({ width: 1, height: 1, channels: 3, data: Uint8Array.of(1, 2, 3) }),
      )
      const { mesh } = await parseMesh(bytes, join(folder, 'a.ply'))
      expect([...mesh.uvs!]).toEqual([0, 1, 1, 1, 1, 0.25])
      expect([...mesh.materials[0]!.texture!.rgba]).toEqual([1, 2, 3, 255])
      expect(mesh.colors).toBeUndefined()
    } finally {
      await rm(folder, { recursive: true })
    }
  })

  test('is shaded where it is painted in one color, and left alone where its colors were captured', async () => {
    const corner = (color: number) => Uint8Array.from({ length: 9 }, (_, i) => (i < 3 ? color : 250))
    const write = (color: number) =>
      writePly({
        positions: Float32Array.from(TRIANGLE),
        indices: Uint32Array.of(0, 1, 2),
        colors: corner(color),
        materials: [],
      })
    expect([...(await parseMesh(write(40), 'a.ply')).mesh.colors!]).toEqual([...corner(40)])
    expect(Math.max(...(await parseMesh(write(250), 'a.ply')).mesh.colors!)).toBeLessThan(240)
  })
})
