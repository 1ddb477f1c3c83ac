import { mkdir, mkdtemp, rm, symlink, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import sharp from 'sharp'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { videoBackend } from '../../../media/index.ts'
import { planOf } from './plan.ts'
import { builtinPromptSuite } from './builtin.ts'
import { checkMatched, listFolder } from './check.ts'
import { matchFolder, planCustom } from './request.ts'
import { openClip } from '../domain/clip.ts'
import { customPlan } from './custom.ts'
import { matchVideos } from './match.ts'
import { nameProblem, officialName, parseOfficial, promptOfFile, safeName } from '../domain/names.ts'

async function clip(frames: number, fps = 8): Promise<Uint8Array> {
  const size = { width: 32, height: 32 }
  const pictures = Array.from({ length: frames }, (_, i) => ({
    ...size,
    channels: 3 as const,
    data: new Uint8Array(32 * 32 * 3).fill(40 + 10 * i),
  }))
  return (await (await videoBackend()).encode(pictures, { ...size, fps })).bytes
}

const MANIFEST_LINE = {
  prompt: 'classroom',
  text: 'classroom',
  index: 0,
  seed: 1,
  generator: 'test',
  model: null,
  fps: 8,
  frames: 4,
  width: 32,
  height: 32,
  seconds: 0.5,
  bytes: 1,
  sha256: '',
  plan: '',
}

describe('names', () => {
  test.each([
    ['a/b', 'leave the folder'],
    ['..\\x', 'leave the folder'],
    ['two\nlines', 'control character'],
    ['why?', 'not every file system'],
    ['', 'is empty'],
    ['.', 'hidden'],
    ['x'.repeat(250), '250 bytes'],
    ['\ud800', 'Unicode'],
  ])('%j cannot be one', (prompt, words) => {
    expect(nameProblem(prompt)).toContain(words)
    expect(safeName(prompt, 3)).toMatch(/^\w+~[0-9a-f]{12}-3\.mp4$/)
  })

  test.each(['A 3D model of a 1800s victorian house.', 'sky - background.', 'rock-carved façades', 'close-up'])(
    '%s can be one, and is read back from it',
    (prompt) => {
      expect(nameProblem(prompt)).toBeNull()
      const name = officialName(prompt, 12)
      expect(promptOfFile(name)).toBe(prompt)
      expect(parseOfficial(name)).toEqual({ prompt, index: 12, extension: '.mp4' })
    },
  )

  test('ignores an index with a leading zero; safe names of similar prompts differ', () => {
    expect(parseOfficial('alley-00.mp4')).toBeNull()
    expect(safeName('a b', 0)).not.toBe(safeName('a/b', 0))
  })
})

describe('a folder with every kind of problem', () => {
  let folder: string
  let elsewhere: string
  beforeAll(async () => {
    folder = await mkdtemp(join(tmpdir(), 'vbench-check-'))
    elsewhere = await mkdtemp(join(tmpdir(), 'vbench-elsewhere-'))
    const whole = await clip(4)
    const put = (name: string, bytes: Uint8Array | string) => writeFile(join(folder, name), bytes)
    await put('classroom-0.mp4', whole)
    await put('Classroom-0.mp4', whole)
    await put('classroom-1.mp4', whole.subarray(0, whole.length / 2))
    await put('classroom-2.mp4', await clip(1))
    await put('classroom-3.mp4', await clip(6, 1))
    await put('classroom-7.mp4', whole)
    const page = (shade: number) =>
      sharp({ create: { width: 24, height: 24, channels: 3, background: { r: shade, g: 0, b: 0 } } })
        .png()
        .toBuffer()
    const gif = await sharp([await page(10), await page(200), await page(90)], { join: { animated: true } })
      .gif({ delay: [100, 100, 100] })
      .toBuffer()
    await put('bathroom-0.gif', gif)
    await put('bathroom-1.mp4', whole)
    await put('bathroom-1.webm', 'not a film')
    await put('.DS_Store', 'junk')
    await put('notes.txt', 'hello')
    await put('-5.mp4', whole)
    await put('noindex.mp4', '')
    await put('line\nbreak-0.mp4', whole)
    await put('manifest.jsonl', JSON.stringify({ ...MANIFEST_LINE, file: '../../etc/passwd' }))
    await writeFile(join(elsewhere, 'film.mp4'), whole)
    await symlink(join(elsewhere, 'film.mp4'), join(folder, 'kitchen-0.mp4'))
    await symlink('classroom-0.mp4', join(folder, 'kitchen-1.mp4'))
    await symlink('gone.mp4', join(folder, 'kitchen-2.mp4'))
    await symlink('/etc/passwd', join(folder, 'kitchen-3.mp4'))
    await mkdir(join(folder, 'old'))
    await mkdir(join(folder, 'scene'))
    await writeFile(join(folder, 'scene', 'kitchen-4.mp4'), whole)
  })
  afterAll(async () => {
    await rm(folder, { recursive: true, force: true })
    await rm(elsewhere, { recursive: true, force: true })
  })

  test('reports each problem, none of them fatal', async () => {
    const plan = planOf(builtinPromptSuite(), { dimensions: ['scene'] })
    const { videos, issues, shapes } = await checkMatched(folder, await matchFolder(plan, folder))
    expect(videos.map(({ path }) => path).toSorted()).toEqual([
      'bathroom-0.gif',
      'bathroom-1.mp4',
      'classroom-0.mp4',
      'classroom-2.mp4',
      'classroom-3.mp4',
      'kitchen-0.mp4',
      'kitchen-1.mp4',
      'scene/kitchen-4.mp4',
    ])
    const found = (kind: string) => issues.filter((issue) => issue.kind === kind).map(({ file }) => file)
    expect(found('missing')).toHaveLength(15 - 10)
    expect(found('extra').toSorted()).toEqual(
      [
        '-5.mp4',
        '.DS_Store',
        'classroom-7.mp4',
        'line\nbreak-0.mp4',
        'noindex.mp4',
        'notes.txt',
        'old',
        'kitchen-2.mp4',
      ].toSorted(),
    )
    expect(found('manifest')).toEqual(['../../etc/passwd'])
    expect(found('outside')).toEqual(['kitchen-0.mp4', 'kitchen-3.mp4'])
    expect(found('misnamed')).toEqual(['Classroom-0.mp4'])
    expect(found('colliding')).toEqual(['classroom-0.mp4'])
    expect(found('ambiguous')).toEqual(['bathroom-1.mp4'])
    expect(found('unreadable').toSorted()).toEqual(['classroom-1.mp4', 'kitchen-3.mp4'])
    expect(found('long')).toEqual(['classroom-3.mp4'])
    expect(found('length').toSorted()).toEqual(['bathroom-0.gif', 'classroom-2.mp4', 'classroom-3.mp4'])
    expect(shapes[0]).toEqual({ shape: '32 × 32, 4 frames at 8 fps', videos: 5 })
  })

  test('reports a set of several models', async () => {
    const mixed = await mkdtemp(join(folder, 'mixed-'))
    const names = ['kitchen-0.mp4', 'kitchen-1.mp4', 'gone-0.mp4']
    for (const [at, name] of names.slice(0, 2).entries()) await writeFile(join(mixed, name), await clip(2 + at))
    const rows = names.map((file, at) => JSON.stringify({ ...MANIFEST_LINE, file, model: `model-${at}` }))
    await writeFile(join(mixed, 'manifest.jsonl'), rows.join('\n'))
    const plan = planOf(builtinPromptSuite(), { dimensions: ['scene'] })
    const { issues } = await checkMatched(mixed, await matchFolder(plan, mixed))
    const words = 'has videos of model-0 and of model-1'
    expect(issues).toContainEqual({ kind: 'manifest', file: 'manifest.jsonl', words })
  })

  test('reads a GIF frame by frame', async () => {
    const gif = await openClip(join(folder, 'bathroom-0.gif'))
    const reds: number[] = []
    for await (const { decord } of gif.frames()) reds.push(decord.data[0]!)
    expect([gif.info.frames, gif.info.fps]).toEqual([3, 10])
    expect(reds.map((red) => Math.round(red / 10))).toEqual([1, 20, 9])
  })

  test('takes prompts of your own videos from file names or a file', async () => {
    const listing = await listFolder(folder)
    const own = customPlan(listing, ['imaging_quality'], null)
    expect(own.plan.prompts.find(({ prompt }) => prompt === 'classroom')?.samples).toBe(5)
    const given = customPlan(listing, ['imaging_quality'], { 'noindex.mp4': 'a red fox', 'gone.mp4': 'x' })
    expect(given.plan.prompts.map(({ prompt }) => prompt)).toEqual(['a red fox'])
    expect(given.matched.issues.filter(({ kind }) => kind === 'missing').map(({ file }) => file)).toEqual(['gone.mp4'])
    const empty = await mkdtemp(join(tmpdir(), 'no-videos-'))
    await expect(planCustom({ videos: empty })).rejects.toThrow(`${empty} has no videos.`)
    await rm(empty, { recursive: true })
  })

  test('finds and reports names with decomposed accents', () => {
    const plan = planOf(builtinPromptSuite(), { dimensions: ['temporal_flickering'], flickeringSamples: 5 })
    const name = officialName('a café chair in a kitchen before breakfast, still camera'.normalize('NFD'), 2)
    const listing = [{ path: name, name, kind: 'file' as const }]
    const { videos, issues } = matchVideos(plan, listing, { lines: new Map(), broken: 0, leaving: [] })
    expect(videos.map(({ video }) => video.index)).toEqual([2])
    expect(issues.filter(({ kind }) => kind === 'misnamed')).toHaveLength(1)
  })
})
