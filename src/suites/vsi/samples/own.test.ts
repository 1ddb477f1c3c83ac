/** Questions about a scene that others saved, and files that nobody should trust. */
import { execFileSync } from 'node:child_process'
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { openSource } from '../../../engine/source.ts'
import { QUESTION_TYPES } from '../domain/question-types.ts'
import { ownScene } from '../domain/scene/own.ts'
import { blindOptions } from '../options.ts'
import { vsiBlind } from '../suite.ts'
import { answerable } from './known-questions.ts'
import { ownSamples } from './own-questions.ts'
import { vsiSample } from './sample.ts'

let folder = ''
const studio = (): string => join(folder, 'studio')
const scene = (): Record<string, unknown> => JSON.parse(readFileSync(join(studio(), 'scene.json'), 'utf8'))

beforeAll(() => {
  folder = mkdtempSync(join(tmpdir(), 'sightline-own-'))
  execFileSync(process.execPath, [
    fileURLToPath(new URL('../../../../examples/own-scene.mjs', import.meta.url)),
    folder,
  ])
})
afterAll(() => rmSync(folder, { recursive: true }))

const request = () => ({ folder: studio(), name: 'studio', source: 's', seed: 0, index: 0, questions: 2 })

test('every type is asked, and a perfect eye answers from the default frames', async () => {
  const samples = await ownSamples(request())
  const asked = samples.flatMap((sample) => (sample ? [vsiSample.parse(sample)] : []))
  expect(new Set(asked.map(({ type }) => type))).toEqual(new Set(QUESTION_TYPES))
  expect(asked.find(({ type }) => type === 'object_counting')).toMatchObject({
    question: 'How many chair(s) are in this room?',
    truth: '3',
  })
  const known = await ownScene(studio())
  expect(answerable(samples, known, { camera: {}, frames: 32 })).toEqual(samples)
  // One frame shows a part of the room.
  const few = answerable(samples, known, { camera: {}, frames: 1 }).filter((sample) => sample !== null)
  expect(few.length).toBeLessThan(asked.length)
  expect(few[0]!.leftOut).toBe(asked.length - few.length)
  expect(await ownSamples(request())).toEqual(samples)
})

test('objects have the triangles in their boxes, and stand on what is below', async () => {
  const { mesh, objects } = await ownScene(studio())
  const sizes = new Map<number, number>()
  for (const instance of mesh.triangleInstances!) sizes.set(instance, (sizes.get(instance) ?? 0) + 1)
  // A cube has twelve triangles; the bottom of one on the floor is not seen. The building has the rest.
  expect(objects.every(({ instance }) => [10, 12].includes(sizes.get(instance)!))).toBe(true)
  const supportOf = (name: string) => objects.find(({ category }) => category === name)!.support
  const table = objects.find(({ category }) => category === 'coffee table')!
  expect([supportOf('sofa'), supportOf('vase'), supportOf('picture')]).toEqual(['floor', table.instance, 'wall'])
})

const open = (source: string) => openSource(vsiBlind, source, blindOptions.parse({}), { seed: 0, profile: 'official' })

test.each([
  ['a mesh elsewhere', { mesh: '../../etc/passwd' }, /scene\.json does not describe a scene: at mesh: name a file in/],
  ['an unknown key', { meshes: 'x' }, /Unrecognized key: "meshes"/],
  ['a name with commands', { objects: [{ name: 'a\nb', center: [0, 0, 0], size: [1, 1, 1] }] }, /at objects\.0\.name/],
  ['a box without end', { objects: [{ name: 'a', center: [0, 0, 0], size: [1e9, 1, 1] }] }, /at objects\.0\.size\.0/],
  ['a mesh that is not there', { mesh: 'other.glb' }, /Cannot read the mesh .*other\.glb/],
])('refuses %s', async (_, change, message) => {
  const before = scene()
  writeFileSync(join(studio(), 'scene.json'), JSON.stringify({ ...before, ...change }))
  await expect(open(`scenes:${studio()}`)).rejects.toThrow(message)
  writeFileSync(join(studio(), 'scene.json'), JSON.stringify(before))
})

test('says which box is empty, and where there are no scenes', async () => {
  const before = scene()
  writeFileSync(
    join(studio(), 'scene.json'),
    JSON.stringify({ ...before, objects: [{ name: 'lamp', center: [40, 0, 1], size: [1, 1, 1] }] }),
  )
  await expect(ownSamples(request())).rejects.toThrow(
    /the box of "lamp" has nothing of the mesh in it, which reaches from/,
  )
  await expect(open(`scenes:${join(folder, 'nowhere')}`)).rejects.toThrow(/Cannot read .*nowhere/)
  writeFileSync(join(studio(), 'scene.json'), JSON.stringify(before))
  expect(await open(`scenes:${folder}`)).toMatchObject({ count: null, roots: expect.anything() })
})
