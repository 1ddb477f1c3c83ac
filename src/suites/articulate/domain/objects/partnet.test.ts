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
})
