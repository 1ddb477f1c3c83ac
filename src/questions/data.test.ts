/** Where questions, media and ground truth may come from. */
import { mkdir, mkdtemp, rm, symlink, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { dirname, join } from 'node:path'
import { parquetWriteBuffer } from 'hyparquet-writer'
import { afterAll, beforeAll, expect, it, vi } from 'vitest'
import { type CheckedSamples, checkSamples } from '../engine/check.ts'
import { planRun, type RunPlan } from '../engine/plan.ts'
import { encodePng } from '../media/image.ts'
import { parseQuestionsFile } from './read-file.ts'
import { questionSuiteAt } from './suite.ts'

let folder: string
let png: Uint8Array
beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'sightline-question-data-'))
  png = await encodePng({ width: 4, height: 4, channels: 3, data: new Uint8Array(48).fill(99) })
})
afterAll(() => rm(folder, { recursive: true }))

type Content = string | Uint8Array | readonly object[]

/** Plans a run of a suite in a folder of its own. @param files the suite is suite.yaml */
async function plan(name: string, files: Readonly<Record<string, Content>>): Promise<RunPlan> {
  for (const [file, content] of Object.entries(files)) {
    const path = join(folder, name, file)
    await mkdir(dirname(path), { recursive: true })
    const isRows = Array.isArray(content)
    await writeFile(
      path,
      isRows ? content.map((row) => JSON.stringify(row)).join('\n') : (content as string | Uint8Array),
    )
  }
  const suite = await questionSuiteAt(join(folder, name, 'suite.yaml'), 'suite.yaml')
  return planRun({ suite, models: { player: 'baseline/oracle' } })
}

async function check(name: string, files: Readonly<Record<string, Content>>): Promise<CheckedSamples> {
  return checkSamples(await plan(name, files))
}

const ROW = { id: 'a', question: 'Is it red?', answer: 'yes' }

it('asks about the files of a folder', async () => {
  const { problems, examples, samples } = await check('folder', {
    'suite.yaml': `
format: 1
name: rooms
data: { files: ., format: folder, where: { ending: png } }
columns: { id: path, answer: folder, images: path }
answer: { kind: text }
prompt: { text: "Which room is {name}?" }`,
    'photos/kitchen/one.png': png,
    'photos/attic/two.png': png,
    'photos/attic/notes.txt': 'no',
  })
  expect([problems, samples]).toEqual([[], 2])
  expect(examples[0]?.messages[0]?.text).toBe('[image]Which room is two?')
})

it('finds the tables of a split as the Hub names them', async () => {
  const file = (hub: string): string => `
format: 1
name: splits
data: { hub: { dataset: a/b, ${hub} } }
columns: { id: id, question: question, answer: answer }
answer: { kind: yes-no }`
  const rows = { 'data/test.jsonl': [ROW], 'easy/test.jsonl': [ROW, { ...ROW, id: 'b' }] }
  expect(await check('split', { 'suite.yaml': file('split: test'), ...rows })).toMatchObject({
    samples: 1,
    problems: [],
  })
  const easy = await check('config', { 'suite.yaml': file('split: test, config: easy'), ...rows })
  expect(easy).toMatchObject({ samples: 2, problems: [] })
  await expect(check('none', { 'suite.yaml': file('split: train'), ...rows })).rejects.toThrow('split "train"')
})

it('shows videos that are lists of frames at their marks, all together within the number of frames', async () => {
  const names = (clip: string, count: number): string[] => Array.from({ length: count }, (_, i) => `${clip}${i}.png`)
  const clips = [names('a', 6), names('b', 2), names('c', 1)]
  const row = { ...ROW, question: 'From <video> to <video>, <image>? <video>', clips, photo: ['p.png'] }
  const { problems, examples } = await check('clips', {
    'suite.yaml': `
format: 1
name: clips
data: { files: rows.jsonl }
columns: { id: id, question: question, answer: answer, video: "frames/{clips}", images: "photos/{photo}" }
answer: { kind: yes-no }
media: { place: marks, frames: 4 }`,
    'rows.jsonl': [row],
    'photos/p.png': png,
    ...Object.fromEntries(clips.flat().map((name) => [`frames/${name}`, png])),
  })
  expect(problems).toEqual([])
  expect(examples[0]?.messages[0]?.text).toBe('From [image][image][image] to [image], [image]? [image]')
})

it('shows a video of a single frame', async () => {
  const { problems, examples } = await check('frame', {
    'suite.yaml': `
format: 1
name: frame
data: { files: rows.jsonl }
columns: { id: id, question: question, answer: answer, video: frames }
answer: { kind: yes-no }`,
    'rows.jsonl': [{ ...ROW, frames: ['a.png'] }],
    'a.png': png,
  })
  expect(problems).toEqual([])
  expect(examples[0]?.messages[0]?.text).toContain('[image]Is it red?')
})

/** A second of silence. */
function wav(): Uint8Array {
  const bytes = Buffer.alloc(44 + 800)
  bytes.write('RIFF')
  bytes.writeUInt32LE(bytes.length - 8, 4)
  bytes.write('WAVEfmt ', 8)
  for (const [at, value] of [[16, 16], [24, 8000], [28, 8000]] as const) bytes.writeUInt32LE(value, at) // prettier-ignore
  for (const [at, value] of [[20, 1], [22, 1], [32, 1], [34, 8]] as const) bytes.writeUInt16LE(value, at) // prettier-ignore
  bytes.write('data', 36)
  bytes.writeUInt32LE(800, 40)
  return bytes
}

it('plays sounds, at their marks', async () => {
  const { problems, examples } = await check('sound', {
    'suite.yaml': `
format: 1
name: sounds
data: { files: rows.jsonl }
columns: { id: id, question: question, answer: answer, sound: sound }
answer: { kind: yes-no }
media: { place: marks }`,
    'rows.jsonl': [
      { ...ROW, question: 'Is <audio> near?', sound: 'steps.wav' },
      { ...ROW, id: 'b', sound: '../x.wav' },
    ],
    'steps.wav': wav(),
  })
  expect(problems).toEqual([expect.stringContaining('outside of the data folder')])
  expect(examples[0]?.messages[0]?.text).toBe('Is [audio] near?')
})

it('takes a mask as ground truth, with replies in pixels or parts of the image', async () => {
  const mask = await encodePng({
    width: 8,
    height: 4,
    channels: 3,
    data: Uint8Array.from({ length: 96 }, (_, i) => (Math.floor(i / 3) % 8 > 5 ? 255 : 0)),
  })
  const empty = await encodePng({ width: 8, height: 4, channels: 3, data: new Uint8Array(96) })
  for (const scale of ['pixels', '0-1', '0-1000']) {
    const { problems, samples } = await check(`mask-${scale}`, {
      'suite.yaml': `
format: 1
name: masks
data: { files: rows.jsonl, paths: { /home/me/: masks/ } }
columns: { id: id, question: question, mask: mask }
answer: { kind: point, written: mask }
read: { scale: "${scale}" }`,
      'rows.jsonl': [
        { ...ROW, mask: '/home/me/mask.png' },
        { ...ROW, id: 'b', mask: 'empty.png' },
        { ...ROW, id: 'c', mask: 'no.png' },
      ],
      'masks/mask.png': mask,
      'empty.png': empty,
    })
    expect(problems).toEqual([expect.stringContaining('b'), expect.stringContaining('no.png')])
    expect(samples).toBe(3)
  }
})

it('has a fingerprint of all that decides samples and ground truth', async () => {
  const rows = (mask: string): Uint8Array =>
    new Uint8Array(
      parquetWriteBuffer({
        statistics: false,
        columnData: Object.entries({ ...ROW, mask }).map(([name, value]) => ({ name, data: [value] })),
      }),
    )
  const fingerprint = async (paths: string, part: string, mask: string): Promise<string> => {
    const suite = `
format: 1
name: fingerprint
data: { files: rows.parquet, paths: { a: '${paths}' }, derive: { part: { from: id, pattern: '${part}' } } }
columns: { id: id, question: question, mask: mask, labels: { part: part } }
answer: { kind: point, written: mask }`
    return (await plan('fingerprint', { 'suite.yaml': suite, 'rows.parquet': rows(mask) })).source.fingerprint
  }
  const all = [
    await fingerprint('b', '(.)', 'a.png'),
    await fingerprint('c', '(.)', 'a.png'),
    await fingerprint('b', '(..)', 'a.png'),
    await fingerprint('b', '(.)', 'c.png'),
  ]
  expect(new Set(all).size).toBe(all.length)
})

it('cannot ask for points in other units than pixels if the size of the image is missing', async () => {
  const row = { ...ROW, type: 'where', answer: [10, 20, 30, 40], width: 64, height: 48 }
  const { problems } = await check('size', {
    'suite.yaml': `
format: 1
name: size
data: { files: rows.jsonl }
columns: { id: id, question: question, answer: answer, width: width, height: height }
answer: { kind: box, scale: pixels }
cases: [{ when: { type: red }, answer: { kind: yes-no } }]
profiles: { ours: {}, thousandths: { read: { scale: 0-1000 } } }`,
    'rows.jsonl': [row, { ...row, id: 'b', width: '' }, { ...row, ...ROW, id: 'c', type: 'red', width: '' }],
  })
  expect(problems).toEqual([expect.stringMatching(/row 2 .*no width and height of the image/)])
})

it('extends a file of its folder or a suite of the catalog, and nothing else', async () => {
  const base = `
format: 1
name: base
data: { files: rows.jsonl }
columns: { id: id, question: question, answer: answer }
answer: { kind: yes-no }
prompt: { text: "{question}", system: "Look." }`
  const own = `{ format: 1, extends: ./base.yaml, name: own, prompt: { text: "{question} Say yes or no.", system: null } }`
  const { examples } = await check('extends', { 'suite.yaml': own, 'base.yaml': base, 'rows.jsonl': [ROW] })
  expect(examples[0]?.messages.map(({ text }) => text)).toEqual(['Is it red? Say yes or no.'])
  const other = (name: string): string => `{ format: 1, extends: ${name}, name: own }`
  await expect(check('loop', { 'suite.yaml': other('./suite.yaml') })).rejects.toThrow('extend each other')
  await expect(check('out', { 'suite.yaml': other('./../extends/base.yaml') })).rejects.toThrow(
    'outside of the data folder',
  )
  await expect(check('unknown', { 'suite.yaml': other('cv-bensh') })).rejects.toThrow('neither in the catalog nor')
  await mkdir(join(folder, 'linked'))
  await symlink(join(folder, 'extends/base.yaml'), join(folder, 'linked/base.yaml'))
  await expect(check('linked', { 'suite.yaml': other('./base.yaml') })).rejects.toThrow('link out of the data folder')
  await expect(check('catalog', { 'suite.yaml': other('cv-bench') })).rejects.toMatchObject({
    message: expect.stringContaining('test_2d.parquet'),
    hint: expect.stringContaining('sightline data get suite.yaml'),
  })
})

it('reads the data of the suite that it extends, unless it has its own', async () => {
  vi.stubEnv('SIGHTLINE_DATA', folder)
  const row = { ...ROW, options: ['1s', '2s'], answer: 0, task_type: 'Motion', sub_task_type: 'x' }
  const files = { 'OmniSpatial-test/data.json': JSON.stringify([row]), 'OmniSpatial-test/Motion/a.png': png }
  for (const [file, content] of Object.entries(files)) {
    await mkdir(dirname(join(folder, 'omnispatial', file)), { recursive: true })
    await writeFile(join(folder, 'omnispatial', file), content)
  }
  const own = '{ format: 1, extends: omnispatial, name: own, sampling: { maxTokens: 9 } }'
  expect(await check('own', { 'suite.yaml': own })).toMatchObject({ problems: [], samples: 1 })
  vi.unstubAllEnvs()
  const named = (data: string): string | undefined =>
    parseQuestionsFile(`{ format: 1, extends: mmsi-video, name: own, data: ${data} }`, 'own.yaml').data.name
  expect(['{ where: { type: x } }', '{ name: other }', '{ hub: { dataset: a/b } }'].map(named)).toEqual([
    'mmsi-video',
    'other',
    undefined,
  ])
})

it('reads fields of objects, of lists and of JSON in a cell', async () => {
  const inside = { text: 'Is it red?', pics: [{ data: Buffer.from(png).toString('base64') }], file: { name: 'a' } }
  const { problems, examples } = await check('nested', {
    'suite.yaml': `
format: 1
name: nested
data: { files: all.json }
columns: { id: meta.uid, question: in.text, answer: meta.truth, images: [in.pics.0.data, "{in.file.name}.png"], labels: { kind: meta.kind } }
answer: { kind: yes-no }
prompt: { text: "{question} {meta.kind}" }`,
    'all.json': JSON.stringify({
      version: 2,
      items: [{ in: inside, meta: '{"uid": "u1", "truth": "yes", "kind": "color"}' }],
    }),
    'a.png': png,
  })
  expect(problems).toEqual([])
  expect(examples[0]).toMatchObject({ id: 'u1', messages: [{ text: '[image][image]Is it red? color' }], truth: 'yes' })
})

it('refuses a question with more images than anyone shows', async () => {
  const suite = `
format: 1
name: many
data: { files: rows.jsonl }
columns: { id: id, question: question, answer: answer, images: images }
answer: { kind: yes-no }`
  const { problems } = await check('many', {
    'suite.yaml': suite,
    'rows.jsonl': [{ ...ROW, images: Array.from({ length: 300 }, () => 'a.png') }],
    'a.png': png,
  })
  expect(problems).toEqual([expect.stringContaining('300 images or more; 256 are allowed')])
})
