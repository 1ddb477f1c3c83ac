import { mkdir, mkdtemp, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { boundsOf } from '../geometry/bounds.ts'
import { loadMesh } from './load.ts'
import { parseMesh } from './parse.ts'

const TRIANGLE = 'v 0 0 0\nv 1 0 0\nv 0 1 0\nf 1 2 3\n'
const STL =
  'solid a\nfacet normal 0 0 1\nouter loop\nvertex 0 0 0\nvertex 1 0 0\nvertex 0 1 0\nendloop\nendfacet\nendsolid a\n'
let folder: string
beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'sightline-urdf-'))
  for (const path of ['arm_pack/urdf', 'arm_pack/meshes', 'other_pack/meshes'])
    await mkdir(join(folder, 'ws', path), { recursive: true })
  await writeFile(join(folder, 'ws/arm_pack/meshes/a.obj'), TRIANGLE)
  await writeFile(join(folder, 'ws/other_pack/meshes/b.stl'), STL)
  await writeFile(join(folder, 'secret.obj'), TRIANGLE)
})
afterAll(() => rm(folder, { recursive: true }))

const mesh = (name: string, scale = '') => `<visual><geometry><mesh filename="${name}" ${scale}/></geometry></visual>`
const robot = (inside: string) => `<robot name="r"><link name="base">${inside}</link></robot>`
async function load(text: string) {
  const path = join(folder, 'ws/arm_pack/urdf/arm.urdf')
  await writeFile(path, text)
  return loadMesh(path)
}

describe('a robot as a mesh', () => {
  it('has its links where its joints are at zero', async () => {
    const box =
      '<visual><geometry><box size="1 1 1"/></geometry><material name="m"><color rgba="1 0 0 1"/></material></visual>'
    const { mesh: shown, parts } = await load(
      `<robot name="r"><link name="base">${box}</link><link name="hand">${box}</link>
      <joint name="j" type="revolute"><parent link="base"/><child link="hand"/><origin xyz="0 0 3" rpy="0 0 1.5707963"/>
      <limit lower="1" upper="2"/></joint></robot>`,
    )
    const { min, max } = boundsOf(shown.positions)
    expect([...min, ...max].map((value) => Math.round(value * 1e5) / 1e5)).toEqual([-0.5, -0.5, -0.5, 0.5, 0.5, 3.5])
    expect(parts.map(({ name }) => name)).toEqual(['base', 'hand'])
    expect(shown.materials[0]!.color).toEqual([255, 0, 0])
  })

  it.each([
    '../meshes/a.obj',
    'package://arm_pack/meshes/a.obj',
    'package://other_pack/meshes/b.stl',
    'model://arm_pack/meshes/a.obj',
    'package://renamed_pack/meshes/a.obj',
    'file:///somewhere/else/meshes/a.obj',
  ])('finds the mesh %s', async (name) => {
    if (name.startsWith('file:')) await writeFile(join(folder, 'ws/arm_pack/urdf/a.obj'), TRIANGLE)
    const { mesh: shown, notes } = await load(robot(mesh(name, 'scale="2 2 2"')))
    expect(notes).toEqual([])
    expect(boundsOf(shown.positions).max[0]).toBe(2)
  })

  it.each([
    '../../../secret.obj',
    'package://arm_pack/../../secret.obj',
    'package://../secret.obj',
    '/etc/passwd',
    'http://example.org/b.obj',
    'nowhere.stl',
  ])('goes without the mesh %s, and says so', async (name) => {
    const ball = '<visual><geometry><sphere radius="1"/></geometry></visual>'
    const { notes, mesh: shown } = await load(robot(mesh(name) + ball))
    expect(notes).toHaveLength(1)
    expect(boundsOf(shown.positions).max[2]).toBeCloseTo(1)
  })

  it('shows collision shapes where it has no others', async () => {
    const { mesh: shown } = await load(
      robot('<collision><geometry><cylinder radius="1" length="4"/></geometry></collision>'),
    )
    expect(boundsOf(shown.positions).max.map((value) => Math.round(value * 100) / 100)).toEqual([1, 1, 2])
  })

  it.each([
    [
      'a xacro template',
      '<robot xmlns:xacro="x"><xacro:include filename="a"/><link name="a"/></robot>',
      /xacro template/,
    ],
    ['nothing to show', robot(''), /none of its links has a shape/],
    ['itself as a mesh', robot(mesh('arm.urdf')), /none of its links has a shape/],
  ])('with %s is refused', async (_, text, message) => {
    await expect(load(text)).rejects.toThrow(message)
  })

  it('with xacro in a comment is a robot', async () => {
    const ball = '<visual><geometry><sphere radius="1"/></geometry></visual>'
    const text = `<?xml version="1.0"?>\n<!-- ${'made with <xacro:arm/> '.repeat(500)} -->\n${robot(ball)}`
    expect((await parseMesh(Buffer.from(text), 'a.urdf')).format).toBe('urdf')
  })
})
