import { mkdir, mkdtemp, rm, symlink, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { type Bitmap, videoBackend } from '../../../media/index.ts'
import { maskOfId } from '../domain/mask-encode.ts'
import { suiteOptions } from '../../../engine/options.ts'
import { openSource } from '../../../engine/source.ts'
import { vsig } from '../suite.ts'
import { checkFolder } from './folder.ts'
import type { VsigSample } from './sample.ts'

const WIDTH = 96
const HEIGHT = 64
const PERSON = '四楼_李四_拍摄'

let root: string
let mp4: Uint8Array
beforeAll(async () => {
  root = await mkdtemp(join(tmpdir(), 'sightline-vsig-'))
  const backend = await videoBackend()
  function* frames(): Generator<Bitmap> {
    for (let i = 0; i < 5; i++) {
      yield { width: WIDTH, height: HEIGHT, channels: 3, data: new Uint8Array(WIDTH * HEIGHT * 3).fill(40 * i) }
    }
  }
  mp4 = (await backend.encode(frames(), { width: WIDTH, height: HEIGHT, fps: 10 })).bytes
})
afterAll(() => rm(root, { recursive: true }))

/** Rotates the video by metadata only, as phones do. */
function turned(bytes: Uint8Array): Uint8Array {
  const copy = Uint8Array.from(bytes)
  const at = Buffer.from(copy.buffer).indexOf('tkhd') + 44
  const view = new DataView(copy.buffer)
  ;[0, 1, 0, -1, 0, 0, 0, 0, 0x40_00].forEach((value, i) => view.setInt32(at + i * 4, value * 0x1_00_00))
  return copy
}

function mask(width = WIDTH, height = HEIGHT) {
  const ids = new Uint8Array(width * height)
  for (let y = 10; y <= 20; y++) for (let x = 30; x <= 50; x++) ids[y * width + x] = 1
  return { mask_base64: maskOfId(ids, 1, width, height), bbox: [30, 10, 50, 20], point_on_mask: true }
}

const object = (more: object = {}) => ({ name: '杯子', type: 'object', points: [[240, 420]], mask: mask(), ...more })
const area = (more: object = {}) => ({ name: '左边', type: 'space', points: [[500, 500]], ...more })
const entry = (template: string, objectSpace: unknown[], more: object = {}) => ({
  id: '1',
  folder: 'C:\\Users\\x',
  video_name: 'a.mp4',
  task_template: template,
  object_space: objectSpace,
  asr_result: null,
  is_invalid: false,
  ...more,
})

const LFS = 'version https://git-lfs.github.com/spec/v1\noid sha256:4d7a\nsize 12345\n'

let made = 0
/** Writes a dataset of one folder with these annotations and one video; returns the parent folder. */
async function dataset(
  template: string,
  annotations: unknown,
  { video = mp4, videoName = 'a.mp4', atTop = false }: { video?: Uint8Array; videoName?: string; atTop?: boolean } = {},
): Promise<string> {
  const top = join(root, `data${made++}`)
  const place = join(top, PERSON, template)
  await mkdir(place, { recursive: true })
  await writeFile(join(place, videoName), video)
  const text = typeof annotations === 'string' ? annotations : JSON.stringify(annotations)
  await writeFile(join(atTop ? join(top, PERSON) : place, 'annotations.json'), text)
  return top
}

const check = (path: string) => checkFolder(path, { invalid: false, profile: 'seed' })
const kinds = ({ defects }: Awaited<ReturnType<typeof check>>) =>
  defects.map(({ severity, kind }) => `${severity}: ${kind}`)

describe('a folder in the published layout', () => {
  it('gives its clips, with an alias for the folder name', async () => {
    const found = await check(await dataset('指令1', [entry('指令1', [object()])]))
    expect(found.defects).toEqual([])
    expect(found.samples).toHaveLength(1)
    expect(found.samples[0]!.labels).toMatchObject({ template: 'T1', slots: '1', windows: '0' })
    expect(found.samples[0]!.frame).toEqual({ width: WIDTH, height: HEIGHT })
    const { annotation: _annotation, ...kept } = found.samples[0]!
    expect(JSON.stringify(kept)).not.toContain('李四')
  })

  it('accepts annotations one level up, and video names in any case', async () => {
    const found = await check(await dataset('指令1', [entry('指令1', [object()])], { atTop: true, videoName: 'A.MP4' }))
    expect(found.defects).toEqual([])
    expect(found.samples).toHaveLength(1)
  })

  it('follows links, and reports dangling ones', async () => {
    const top = await dataset('指令1', [entry('指令1', [object()])])
    const linked = join(root, 'linked')
    await mkdir(linked)
    await symlink(join(top, PERSON), join(linked, 'set'))
    expect((await check(linked)).samples).toHaveLength(1)
    await symlink(join(root, 'nowhere.mp4'), join(top, PERSON, '指令1', 'b.mp4'))
    expect(kinds(await check(linked))).toEqual(['warning: broken link'])
    await symlink(join(root, 'nowhere'), join(linked, 'another set'))
    await symlink(join(root, 'nowhere'), join(top, PERSON, '指令2'))
    await symlink(join(root, 'nowhere.json'), join(top, PERSON, '指令1', 'eval_gt.json'))
    expect(await check(`${linked}/`)).toMatchObject({
      samples: { length: 1 },
      defects: ['another set', 'set/指令2', 'set/指令1/b.mp4', 'set/指令1/eval_gt.json'].map((where) => ({ where })),
    })
  })

  it.each([
    ['指令一', '指令1', 'T1'],
    ['指令１', '指令1', 'T1'],
    ['模板 2', '指令二', 'T2'],
    ['instruction_1', 'T1', 'T1'],
  ])('reads template %s in a folder %s', async (template, folder, short) => {
    const found = await check(await dataset(folder, [entry(template, [object()])]))
    expect(found.samples.map(({ labels, problem }) => [labels.template, problem])).toEqual([[short, undefined]])
    expect(kinds(found).filter((kind) => /template/.test(kind))).toEqual([])
  })

  it('plays different clips that share an id, each under its own', async () => {
    const clips = ['杯子', '盒子', '杯子', '瓶子'].map((name) => entry('指令1', [object({ name })]))
    const { samples } = await check(await dataset('指令1', clips))
    const [first] = samples
    expect(samples.map(({ id }) => id)).toEqual([first!.id, `${first!.id}-2`, `${first!.id}-3`])
  })

  it('can be a single dataset itself', async () => {
    const top = await dataset('指令1', [entry('指令1', [object()])])
    expect((await check(join(top, PERSON))).samples).toHaveLength(1)
  })

  it('skips clips that the annotators rejected, unless invalid=true', async () => {
    const top = await dataset('指令1', [entry('指令1', [object()], { is_invalid: true })])
    expect(await check(top)).toMatchObject({ samples: [], rejected: 1 })
    expect((await checkFolder(top, { invalid: true, profile: 'seed' })).samples).toHaveLength(1)
  })
})

describe('reports defects', () => {
  const cut = (): string => mask().mask_base64.slice(0, 60)
  const words = [
    { text: '把这个', begin_time: 900, end_time: 1200 },
    { text: '拿起来', begin_time: 300, end_time: 500 },
  ]
  it.each<[string, string, unknown, object]>([
    ['error: broken mask', '指令1', [entry('指令1', [object({ mask: { ...mask(), mask_base64: '!!!!' } })])], {}],
    ['error: broken mask', '指令1', [entry('指令1', [object({ mask: { ...mask(), mask_base64: cut() } })])], {}],
    ['error: mask size differs', '指令1', [entry('指令1', [object({ mask: mask(120, 120) })])], {}],
    ['warning: mask size differs', '指令1', [entry('指令1', [object({ mask: mask(192, 128) })])], {}],
    ['error: empty mask', '指令1', [entry('指令1', [object({ mask: { ...mask(), mask_base64: emptyMask() } })])], {}],
    ['error: too few entries', '指令4', [entry('指令4', [object(), area()])], {}],
    ['error: unknown template', '指令1', [entry('指令9', [object()])], { atTop: true }],
    ['error: no video', '指令1', [entry('指令1', [object()], { video_name: 'b.mp4' })], {}],
    ['warning: duplicate id', '指令1', [entry('指令1', [object()]), entry('指令1', [object({ name: '盒子' })])], {}],
    ['warning: repeated entry', '指令1', [entry('指令1', [object()]), entry('指令1', [object()])], {}],
    ['warning: no transcript', '指令2', [entry('指令2', [object()])], {}],
    ['error: Git LFS pointer', '指令1', LFS, {}],
    ['error: Git LFS pointer', '指令1', [entry('指令1', [object()])], { video: Buffer.from(LFS) }],
    ['error: area without points', '指令3', [entry('指令3', [object(), area({ points: null })])], {}],
    ['error: broken JSON', '指令1', '[{', {}],
    ['error: unreadable entry', '指令1', [7], {}],
    ['error: unreadable entries', '指令1', [entry('指令1', [null])], {}],
    ['error: unreadable entries', '指令1', [entry('指令1', [object({ mask: 'abc' })])], {}],
    ['error: unreadable entries', '指令1', [entry('指令1', [null], { asr_result: undefined })], {}],
    ['error: unreadable entries', '指令1', [{ ...entry('指令1', []), object_space: { 0: object() } }], {}],
    ['warning: unreadable transcript', '指令2', [entry('指令2', [object()], { asr_result: '把这个拿起来' })], {}],
    ['warning: object without a mask', '指令1', [entry('指令1', [object({ mask: null })])], {}],
    ['error: object without mask or points', '指令1', [entry('指令1', [object({ mask: null, points: null })])], {}],
    ['warning: points outside mask', '指令1', [entry('指令1', [object({ points: [[900, 900]] })])], {}],
    [
      'warning: box does not match mask',
      '指令1',
      [entry('指令1', [object({ mask: { ...mask(), bbox: [0, 0, 9, 9] } })])],
      {},
    ],
    ['warning: unexpected entry type', '指令1', [entry('指令1', [object({ type: 'space' })])], {}],
    [
      'warning: words out of order',
      '指令2',
      [entry('指令2', [object()], { asr_result: { text: '把这个拿起来', words } })],
      {},
    ],
    ['warning: no time window', '指令2', [entry('指令2', [object()], { asr_result: { text: '拿', words: [] } })], {}],
    [
      'warning: direction not spoken',
      '指令4',
      [entry('指令4', [object(), object(), area()], { asr_result: { text: '把这个放到它的右边', words: [] } })],
      {},
    ],
  ])('%s (%s)', async (expected, template, annotations, more) => {
    expect(kinds(await check(await dataset(template, annotations, more)))).toContain(expected)
  })

  it('recognizes two directions in one sentence', async () => {
    const places = [object(), object(), area({ name: '右边' }), object(), object(), area({ name: '左边' })]
    const asr_result = { text: '把这个放在它的右边，然后把它放在它的左侧。', words: [] }
    const found = await check(await dataset('指令6', [entry('指令6', places, { asr_result })], {}))
    expect(kinds(found)).not.toContain('warning: direction not spoken')
  })

  it('truncated videos, and rotated ones whose masks do not match', async () => {
    const broken = await dataset('指令1', [entry('指令1', [object()])], { video: mp4.subarray(0, mp4.length / 2) })
    expect(kinds(await check(broken))).toContain('error: unreadable last frame')
    const rotated = await dataset('指令1', [entry('指令1', [object()])], { video: turned(mp4) })
    expect(kinds(await check(rotated))).toEqual(['warning: rotated video', 'error: mask of the unrotated video'])
    const upright = await dataset(
      '指令1',
      [entry('指令1', [object({ mask: mask(HEIGHT, WIDTH), points: [[160, 625]] })])],
      {
        video: turned(mp4),
      },
    )
    expect(kinds(await check(upright))).toEqual(['warning: rotated video'])
  })

  it.each(['upstream-v2', 'upstream-v3', 'upstream-v4', 'ecog-v4'])(
    'missing options, which %s requires',
    async (profile) => {
      const top = await dataset('指令1', [entry('指令1', [object()])])
      expect(kinds(await checkFolder(top, { invalid: false, profile }))).toEqual(['error: no options'])
    },
  )
})

describe('opening the source', () => {
  const open = async (path: string, options: Record<string, unknown> = {}) =>
    openSource(vsig, `vsig:${path}`, suiteOptions(vsig, options), { seed: 1, profile: 'seed' })

  it('stops with a list of errors, or skips these clips with defects=leave-out', async () => {
    const top = await dataset('指令4', [entry('指令4', [object(), area()]), entry('指令4', [], { id: '2' })])
    await expect(open(top)).rejects.toThrow(/2 errors[\s\S]*too few entries, 2 of 3/)
    const opened = await open(top, { defects: 'leave-out' })
    expect([...(opened.samples() as Iterable<VsigSample>)].map(({ problem }) => problem)).toEqual([
      'too few entries, 2 of 3 for 指令4',
      'too few entries, 0 of 3 for 指令4',
    ])
  })

  it('says before the run how many clips have no transcript, and how to let the model hear them', async () => {
    const clips = [entry('指令2', [object()]), entry('指令2', [object({ name: '盒子' })])]
    const top = await dataset('指令2', clips)
    const { notes } = await open(top)
    expect(notes).toEqual([
      expect.stringMatching(/^2 of 2 clips with speech have no transcript.*input=video -T speech=audio/),
      expect.stringMatching(/^1 clip with the id of another clip/),
    ])
    expect((await open(top, { input: 'video', speech: 'audio' })).notes).toHaveLength(1)
    expect((await open(await dataset('指令1', [entry('指令1', [object()])]))).notes).toEqual([])
  })

  it('lists warnings with defects=list', async () => {
    const top = await dataset('指令1', [entry('指令1', [object({ points: [[900, 900]] })])])
    await open(top)
    const listing = open(top, { defects: 'list' })
    await expect(listing).rejects.toThrow(/0 errors and 1 warning:[\s\S]*points outside mask[\s\S]*1 clip\./)
  })

  it('rejects audio without video, video without speech, and a folder without clips', async () => {
    const top = await dataset('指令1', [entry('指令1', [object()])])
    await expect(open(top, { speech: 'audio' })).rejects.toThrow(/input=video/)
    const mute = { speech: 'none', input: 'video' }
    await expect(open(top, mute)).rejects.toThrow(/Cannot use speech=none with input=video/)
    await expect(open(join(root, 'nowhere'))).rejects.toThrow(/does not exist/)
    const empty = join(root, 'empty')
    await mkdir(empty)
    await expect(open(empty)).rejects.toThrow(/No dataset found/)
  })
})

function emptyMask(): string {
  return maskOfId(new Uint8Array(WIDTH * HEIGHT), 1, WIDTH, HEIGHT)
}
