import { mkdir, mkdtemp, rename, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { buildFrom } from '../answer.ts'
import { evaluate } from '../evaluate.ts'
import { writeProgram } from '../program/write.ts'
import { shelfOfModel } from './model.ts'
import { loadPartNet, partNetFolders } from './partnet.ts'

/** A box as OBJ, in the data set's axes: y up, front +z. */
function box(size: readonly number[], center: readonly number[]): string {
  const corners = [0, 1, 2, 3, 4, 5, 6, 7].map((i) =>
    [0, 1, 2].map((k) => center[k]! + (((i >> k) & 1) - 0.5) * size[k]!).join(' '),
  )
  const faces = ['1 2 4 3', '5 7 8 6', '1 5 6 2', '3 4 8 7', '1 3 7 5', '2 6 8 4']
  return `${corners.map((corner) => `v ${corner}`).join('\n')}\n${faces.map((face) => `f ${face}`).join('\n')}\n`
}

let root = ''
beforeAll(async () => {
  root = await mkdtemp(join(tmpdir(), 'partnet-'))
  const folder = join(root, '45001')
  await mkdir(join(folder, 'textured_objs'), { recursive: true })
  // Width along x, height along y, depth along z.
  await writeFile(join(folder, 'textured_objs/body.obj'), box([1, 0.8, 0.5], [0, 0, 0]))
  await writeFile(join(folder, 'textured_objs/door.obj'), box([0.5, 0.8, 0.02], [0.25, 0, 0.26]))
  await writeFile(join(folder, 'semantics.txt'), 'link_0 hinge rotation_door\nlink_1 heavy furniture_body\n')
  await writeFile(join(folder, 'meta.json'), '{"model_cat": "StorageFurniture"}')
  const visual = (file: string, xyz: string): string =>
    `<visual><origin xyz="${xyz}"/><geometry><mesh filename="textured_objs/${file}"/></geometry></visual>`
  await writeFile(
    join(folder, 'mobility.urdf'),
    `<?xml version="1.0"?><robot name="partnet_1"><link name="base"/>
    <link name="link_0">${visual('door.obj', '-0.5 0 -0.25')}</link><link name="link_1">${visual('body.obj', '0 0 0')}</link>
    <joint name="joint_0" type="revolute"><origin xyz="0.5 0 0.25"/><axis xyz="0 1 0"/><child link="link_0"/><parent link="link_1"/><limit lower="0" upper="1.57"/></joint>
    <joint name="joint_1" type="fixed"><origin rpy="1.570796326794897 0 -1.570796326794897" xyz="0 0 0"/><child link="link_1"/><parent link="base"/></joint></robot>`,
  )
  await mkdir(join(root, 'not-an-object'))
})
afterAll(() => rm(root, { recursive: true }))

describe('PartNet-Mobility', () => {
  it('is read with its front to +x, its parts named and its joints in place', async () => {
    const [folder, ...others] = await partNetFolders(root)
    expect(others).toEqual([])
    const model = await loadPartNet(folder!)
    expect(model).toMatchObject({ category: 'StorageFurniture', id: '45001' })
    expect(model.parts.map(({ name }) => name)).toEqual(['furniture_body', 'door'])
    const round = (values: readonly number[]): number[] => values.map((value) => Math.round(value * 1e5) / 1e5 + 0)
    expect(round(model.parts[0]!.size)).toEqual([0.5, 1, 0.8])
    expect(round(model.parts[1]!.center)).toEqual([0.26, 0.25, 0])
    const [hinge] = model.joints
    expect(round(hinge!.origin)).toEqual([0.25, 0.5, 0])
    expect(round(hinge!.axis)).toEqual([0, 0, 1])
    const built = buildFrom('```python\n' + writeProgram(model) + '```', shelfOfModel(model), 'fixed')
    if (built.kind !== 'robot') throw new Error(built.problem)
    const { placed, joints } = evaluate(model, built.robot, 'fixed')
    expect(placed && joints.every(({ success }) => success)).toBe(true)
  })

  it('takes names from mobility_v2.json where there are no semantics, and does without either', async () => {
    const folder = join(root, '45001')
    const names = async (): Promise<string[]> => (await loadPartNet(folder)).parts.map(({ name }) => name)
    await rename(join(folder, 'semantics.txt'), join(folder, 'kept'))
    expect(await names()).toEqual(['link_1', 'link_0'])
    const mobility = [
      { id: 0, parent: 1, joint: 'hinge', name: 'rotation_door', parts: [], jointData: {} },
      { id: 1, parent: -1, joint: 'heavy', name: 'body', parts: [], jointData: {} },
    ]
    await writeFile(join(folder, 'mobility_v2.json'), JSON.stringify(mobility))
    expect(await names()).toEqual(['body', 'door'])
    await rename(join(folder, 'kept'), join(folder, 'semantics.txt'))
    expect(await names()).toEqual(['furniture_body', 'door'])
  })

  it('says what is missing', async () => {
    await expect(partNetFolders(join(root, 'nowhere'))).rejects.toThrow('There is no folder')
    await expect(partNetFolders(join(root, '45001'))).rejects.toThrow('holds a mobility.urdf')
  })
})
