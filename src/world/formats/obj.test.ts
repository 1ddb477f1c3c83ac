import { mkdir, mkdtemp, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { encodePng } from '../../media/image.ts'
import { loadMesh } from './load.ts'
import { parseMesh } from './parse.ts'

let folder: string
beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'sightline-obj-'))
  await mkdir(join(folder, 'set/maps'), { recursive: true })
  const paint = await encodePng({ width: 1, height: 1, channels: 3, data: Uint8Array.of(1, 2, 3) })
  for (const name of ['paint.png', 'my paint (2).png', 'maps/Wood.png'])
    await writeFile(join(folder, 'set', name), paint)
  await writeFile(join(folder, 'set/pointer.png'), LFS_POINTER)
})
afterAll(() => rm(folder, { recursive: true }))

const LFS_POINTER = `version https://git-lfs.github.com/spec/v1\noid sha256:${'0'.repeat(64)}\nsize 12345\n`
const FACES = 'v 0 0 0\nv 1 0 0\nv 0 1 0\nvt 0 0\nusemtl m\nf 1/1 2/1 3/1\n'

/** The mesh of an OBJ file with a material library next to it. */
async function withMtl(mtl: string, obj = `mtllib m.mtl\n${FACES}`) {
  await writeFile(join(folder, 'set/m.mtl'), mtl)
  await writeFile(join(folder, 'set/m.obj'), obj)
  return loadMesh(join(folder, 'set/m.obj'))
}

describe('material libraries', () => {
  it.each([
    ['Tr 1, as MeshLab writes it for opaque', 'Tr 1.000000', undefined],
    ['Tr 0', 'Tr 0', undefined],
    ['Tr 0.25', 'Tr 0.25', 0.75],
    ['d 0, which would hide the surface', 'd 0', undefined],
    ['d 0.5 against Tr 1', 'Tr 1\nd 0.5', 0.5],
    ['a halo', 'd -halo 0.5', 0.5],
  ])('with %s', async (_, line, opacity) => {
    const { mesh } = await withMtl(`newmtl m\nKd 1 1 1\n${line}\n`)
    expect(mesh.materials[0]!.opacity).toBe(opacity)
  })

  it.each([
    'map_Kd paint.png',
    'map_Kd my paint (2).png',
    'map_Kd "my paint (2).png"',
    'map_Kd PAINT.PNG',
    'map_Kd C:\\Users\\me\\Desktop\\paint.png',
    'map_Kd maps\\wood.png',
    'map_Kd -s 1 1 1 -o 0.5 0 -clamp on my paint (2).png',
    'map_Kd -bm 0.2 -mm 0 1 .\\paint.png',
    'map_kd /home/someone/else/paint.png',
  ])('find the picture of: %s', async (line) => {
    const { mesh, notes } = await withMtl(`newmtl m\r\nKd 0 0 0\r\n${line}\r\n`)
    expect(notes).toEqual([])
    expect([...mesh.materials[0]!.texture!.rgba.subarray(0, 3)]).toEqual([1, 2, 3])
    expect(mesh.materials[0]!.color).toEqual([255, 255, 255])
  })

  it.each([
    ['map_Kd nowhere.png', '"nowhere.png" was not found next to the mesh'],
    ['map_Kd pointer.png', '"pointer.png" is a Git LFS pointer, not the file itself; run `git lfs pull`'],
    [
      'map_Kd ../../../../etc/secret.png',
      '"../../../../etc/secret.png" lies outside of the mesh\'s folder and was not read',
    ],
  ])('go without a picture, with a note: %s', async (line, note) => {
    const { mesh, notes } = await withMtl(`newmtl m\nKd 0 1 0\n${line}\n`)
    expect(notes).toEqual([note])
    expect(mesh.materials[0]).toEqual({ name: 'm', color: [0, 255, 0] })
    // Shaded, since no picture shows its form.
    expect(mesh.colors).toBeDefined()
  })

  it('may be missing: the surface is gray', async () => {
    const { mesh, notes } = await withMtl('', `mtllib lost one.mtl\n${FACES}`)
    expect(notes).toEqual([
      '"lost one.mtl" was not found next to the mesh',
      '"lost" was not found next to the mesh',
      '"one.mtl" was not found next to the mesh',
    ])
    expect(mesh.materials).toEqual([{ name: 'm', color: [200, 200, 200] }])
  })

  it('may be several, on one line or more', async () => {
    await writeFile(join(folder, 'set/n.mtl'), 'newmtl n\nKd 0 0 1\n')
    const two = `${FACES}usemtl n\nf 1 2 3\n`
    for (const lines of ['mtllib m.mtl n.mtl\n', 'mtllib m.mtl\nmtllib n.mtl\n']) {
      const { mesh, notes } = await withMtl('newmtl m\nKd 1 0 0\n', lines + two)
      expect(notes).toEqual([])
      expect(mesh.materials.map(({ color }) => color)).toEqual([
        [255, 0, 0],
        [0, 0, 255],
      ])
    }
  })
})

describe('OBJ', () => {
  const load = (text: string) => parseMesh(Buffer.from(text), join(folder, 'a.obj'))

  it('is read without the texture coordinates and normals that are missing', async () => {
    const { mesh, notes } = await load('v 0 0 0\nv 1 0 0\nv 0 1 0\nvt 0 0\nf 1/1/1 2/7/2 3/0/-3\n')
    expect(mesh.indices.length).toBe(3)
    expect(notes).toEqual([
      '1 corners name a texture coordinate that is not in the file; drawn without it',
      '2 corners name a normal that is not in the file; drawn without it',
    ])
  })

  it.each([
    [
      'colors that are not numbers',
      'v 0 0 0 nan nan nan\nv 1 0 0 1 0 0\nv 0 1 0 0 0 1\nf 1 2 3\n',
      [0, 0, 0, 255, 0, 0],
    ],
    ['colors at some vertices only', 'v 0 0 0\nv 1 0 0 1 0 0\nv 0 1 0\nf 1 2 3\n', [255, 255, 255, 255, 0, 0]],
  ])('takes %s', async (_, text, colors) => {
    expect([...(await load(text)).mesh.colors!.subarray(0, 6)]).toEqual(colors)
  })

  it('is found behind a byte order mark and Windows line ends', async () => {
    expect(
      (await load('\uFEFF# a\r\nv 0 0 0\r\nv 1 0 0\r\nv 0 1 0\r\nf -3 -2 \\\r\n -1\r\n')).mesh.indices.length,
    ).toBe(3)
  })

  it('reads many corners at one vertex in one pass', async () => {
    const count = 60_000
    const uvs = Array.from({ length: count }, (_, i) => `vt ${i} 0`).join('\n')
    const faces = Array.from({ length: count }, (_, i) => `f 1/${i + 1} 2/${i + 1} 3/${i + 1}`).join('\n')
    const { mesh } = await load(`v 0 0 0\nv 1 0 0\nv 0 1 0\n${uvs}\n${faces}\n`)
    expect(mesh.uvs!.length / 2).toBe(count * 3)
  })

  it.each(['a.obj', 'a.ply', 'a.glb', 'a.stl', 'a.dae', 'a.urdf'])(
    '%s that is a Git LFS pointer says so',
    async (name) => {
      await expect(parseMesh(Buffer.from(LFS_POINTER), name)).rejects.toMatchObject({
        message: expect.stringContaining('Git LFS pointer'),
        hint: expect.stringContaining('git lfs pull'),
      })
    },
  )

  it('tells other files by what they are', async () => {
    await expect(load('newmtl a\nKd 1 1 1\n')).rejects.toThrow(/materials of an OBJ mesh/)
    await expect(load('Kaydara FBX Binary  ')).rejects.toThrow(/an FBX file/)
    await expect(load('<sdf version="1.6"/>')).rejects.toThrow(/an SDF file/)
  })
})
