import { mkdir, mkdtemp, readFile, rename, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { MissingAssetError } from '../../../../base/errors.ts'
import { DataFiles } from '../../../../engine/data-files.ts'
import { buildFrom } from '../../parse/answer.ts'
import { evaluate } from '../../measure/evaluate.ts'
import { writeProgram } from './write-program.ts'
import { modelOf } from './find.ts'
import { loadPartNet, partNetFolders } from './partnet.ts'
import { writePartNet } from '../../../../../test/support/suites/articulate/objects.ts'

let root = ''
beforeAll(async () => {
  root = await mkdtemp(join(tmpdir(), 'partnet-'))
  await writePartNet(root)
  await mkdir(join(root, 'not-an-object'))
})
afterAll(() => rm(root, { recursive: true }))

describe('PartNet-Mobility', () => {
  it('is loaded facing +x, with part names and joints', async () => {
    const [folder, ...others] = await partNetFolders(root)
    expect(others).toEqual([])
    const model = await loadPartNet(join(root, folder!))
    expect(model).toMatchObject({ category: 'StorageFurniture', id: '45001' })
    expect(model.parts.map(({ name }) => name)).toEqual(['furniture_body', 'door'])
    const round = (values: readonly number[]): number[] => values.map((value) => Math.round(value * 1e5) / 1e5 + 0)
    expect(round(model.parts[0]!.size)).toEqual([0.5, 1, 0.8])
    expect(round(model.parts[1]!.center)).toEqual([0.26, 0.25, 0])
    const [hinge] = model.joints
    expect(round(hinge!.origin)).toEqual([0.25, 0.5, 0])
    expect(round(hinge!.axis)).toEqual([0, 0, 1])
    const built = buildFrom('```python\n' + writeProgram(model) + '```', model.shelf)
    if (built.kind !== 'robot') throw new Error(built.problem)
    const { placed, joints } = evaluate(model, built.robot, 'fixed')
    expect(placed && joints.every(({ success }) => success)).toBe(true)
  })

  it('takes names from mobility_v2.json without semantics.txt, and works without either', async () => {
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

  it('reports what is missing', async () => {
    await expect(partNetFolders(join(root, 'nowhere'))).rejects.toThrow('cannot be read: it does not exist')
    await expect(partNetFolders(join(root, '45001'))).rejects.toThrow('holds a mobility.urdf')
    await expect(partNetFolders(join(root, '45001', 'mobility.urdf'))).rejects.toThrow(
      'cannot be read: it is not a folder',
    )
  })

  it.each([
    ['cut-off', (urdf: string) => urdf.slice(0, 300), /without its closing quote/],
    ['hostile', (urdf: string) => urdf.replace('<robot', '<!DOCTYPE r [<!ENTITY x "y">]><robot'), /not allowed/],
    ['escaping', (urdf: string) => urdf.replace('textured_objs/door.obj', '../../secret.obj'), /secret/],
  ])('with %s URDF is a missing asset: the other objects are played', async (name, spoil, words) => {
    const broken = join(root, `broken-${name}`)
    await writePartNet(broken)
    const file = join(broken, '45001', 'mobility.urdf')
    await writeFile(file, spoil(await readFile(file, 'utf8')))
    const read = modelOf({ source: name, folder: '45001' }, new DataFiles({ [name]: broken }))
    await expect(read).rejects.toThrow(MissingAssetError)
    await expect(read).rejects.toThrow(words)
  })

  const screw = (semantics: string, joints: string): ((folder: string) => Promise<void>) => {
    return async (folder) => {
      const file = join(folder, 'mobility.urdf')
      const urdf = await readFile(file, 'utf8')
      const helper = urdf
        .replace('<link name="base"/>', '<link name="base"/><link name="link_0_helper"/>')
        .replace(/<joint name="joint_0".*?<\/joint>/s, joints)
      await writeFile(file, helper)
      await writeFile(join(folder, 'semantics.txt'), semantics)
    }
  }
  const joint = (name: string, type: string, parent: string, child: string, more = ''): string =>
    `<joint name="${name}" type="${type}"><origin xyz="0 0 0"/><axis xyz="0 1 0"/><child link="${child}"/><parent link="${parent}"/>${more}</joint>`
  const LIMIT = '<limit lower="0" upper="0.1"/>'

  it.each([
    [
      'slide first',
      joint('a', 'prismatic', 'link_1', 'link_0_helper', LIMIT) + joint('b', 'continuous', 'link_0_helper', 'link_0'),
    ],
    [
      'turn first',
      joint('a', 'continuous', 'link_1', 'link_0_helper') + joint('b', 'prismatic', 'link_0_helper', 'link_0', LIMIT),
    ],
  ])('a lid that screws (slider+) slides: %s', async (name, joints) => {
    const own = join(root, `screw-${name}`)
    await writePartNet(own)
    const folder = join(own, '45001')
    await screw('link_0 slider+ translation_lid\nlink_1 heavy body\n', joints)(folder)
    const { joints: found } = await loadPartNet(folder)
    expect(found).toMatchObject([{ child: 'lid', parent: 'body', type: 'prismatic', lower: 0, upper: 0.1 }])
    await writeFile(join(folder, 'semantics.txt'), 'link_0 hinge rotation_lid\nlink_1 heavy body\n')
    expect((await loadPartNet(folder)).joints).toMatchObject([{ type: 'continuous' }])
  })

  it('with a URDF that is a Git LFS pointer is a missing asset', async () => {
    const own = join(root, 'lfs')
    await writePartNet(own)
    const pointer = 'version https://git-lfs.github.com/spec/v1\noid sha256:00\nsize 12\n'
    await writeFile(join(own, '45001', 'mobility.urdf'), pointer)
    await expect(loadPartNet(join(own, '45001'))).rejects.toThrow(/is a Git LFS pointer.*git lfs pull/)
  })
})
