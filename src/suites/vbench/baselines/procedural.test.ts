import { mkdtemp, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { sha256 } from '../../../base/hash.ts'
import { openClip } from '../domain/clip.ts'
import { drawClip } from './procedural.ts'

let folder: string
beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'vbench-drawn-'))
})
afterAll(() => rm(folder, { recursive: true, force: true }))

test('draws the same clip for the same seed', async () => {
  const [one, same, other] = [await drawClip('a fox', 1), await drawClip('a fox', 1), await drawClip('a fox', 2)]
  expect(sha256(one)).toBe(sha256(same))
  expect(sha256(one)).not.toBe(sha256(other))
})

test('follows prompts about stillness and camera motion', async () => {
  const change = async (text: string) => {
    const path = join(folder, 'clip.mp4')
    await writeFile(path, await drawClip(text, 1))
    const clip = await openClip(path)
    const ends: Uint8Array[] = []
    let index = 0
    for await (const { decord } of clip.frames()) {
      if (index === 0 || index === clip.info.frames - 1) ends.push(Uint8Array.from(decord.data))
      index++
    }
    await clip.close()
    const [first, last] = ends as [Uint8Array, Uint8Array]
    return first.reduce((sum, value, i) => sum + Math.abs(value - last[i]!), 0) / first.length
  }
  expect(await change('a bench, still camera')).toBeLessThan(2)
  expect(await change('a bench, still camera, pan left')).toBeGreaterThan(4)
})
