import { mkdir, mkdtemp, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { dirname, join } from 'node:path'
import { parquetWriteBuffer } from 'hyparquet-writer'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import oracle from '../../conformance/oracle/questions/readers.json' with { type: 'json' }
import { checkSamples } from '../engine/check.ts'
import { planRun } from '../engine/plan.ts'
import { encodePng } from '../media/image.ts'
import { catalogNames, catalogSuite } from './catalog.ts'

/** Small data in the published layouts, made here. */
let folder: string
beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'sightline-catalog-'))
  const png = await encodePng({ width: 4, height: 4, channels: 3, data: new Uint8Array(48).fill(200) })
  for (const name of catalogNames()) await LAYOUTS[name]!(join(folder, name), png)
})
afterAll(() => rm(folder, { recursive: true }))

type Column = { name: string; type: 'text' | 'number' | 'image' | 'texts' | 'images' | 'bytes'; data: unknown[] }

/** A table as Hugging Face datasets write it: images are structs of bytes and path, lists have three levels. */
async function writeParquet(path: string, columns: readonly Column[]): Promise<void> {
  type Element = NonNullable<Parameters<typeof parquetWriteBuffer>[0]['schema']>[number]
  const optional = { repetition_type: 'OPTIONAL' } as const
  const text = { type: 'BYTE_ARRAY', converted_type: 'UTF8', ...optional } as const
  const struct = (name: string): Element[] => [
    { name, num_children: 2, ...optional },
    { name: 'bytes', type: 'BYTE_ARRAY', ...optional },
    { name: 'path', ...text },
  ]
  const list = (name: string, element: Element[]): Element[] => [
    { name, num_children: 1, converted_type: 'LIST', ...optional },
    { name: 'list', num_children: 1, repetition_type: 'REPEATED' },
    ...element,
  ]
  const element = ({ name, type }: Column): Element[] => {
    if (type === 'text') return [{ name, ...text }]
    if (type === 'number') return [{ name, type: 'INT64', ...optional }]
    if (type === 'image') return struct(name)
    if (type === 'images') return list(name, struct('element'))
    if (type === 'bytes') return list(name, [{ name: 'element', type: 'BYTE_ARRAY', ...optional }])
    return list(name, [{ name: 'element', ...text }])
  }
  const content = parquetWriteBuffer({
    schema: [{ name: 'root', num_children: columns.length }, ...columns.flatMap(element)],
    columnData: columns.map(({ name, data }) => ({ name, data })),
  })
  await mkdir(dirname(path), { recursive: true })
  await writeFile(path, new Uint8Array(content))
}

const LAYOUTS: Readonly<Record<string, (path: string, png: Uint8Array) => Promise<void>>> = {
  async 'cv-bench'(path, png) {
    const files = { 'test_2d.parquet': ['ADE20K', 'COCO'], 'test_3d.parquet': ['Omni3D', 'Omni3D'] }
    for (const [file, sources] of Object.entries(files)) {
      await writeParquet(join(path, file), [
        { name: 'idx', type: 'number', data: [0n, 1n] },
        { name: 'type', type: 'text', data: file.includes('2d') ? ['2D', '2D'] : ['3D', '3D'] },
        { name: 'task', type: 'text', data: ['Count', 'Relation'] },
        { name: 'image', type: 'image', data: [0, 1].map(() => ({ bytes: png, path: 'a.png' })) },
        { name: 'question', type: 'text', data: ['How many chairs are there?', 'Where is the cup?'] },
        {
          name: 'choices',
          type: 'texts',
          data: [
            ['1', '2', '3'],
            ['above', 'below'],
          ],
        },
        { name: 'answer', type: 'text', data: ['(C)', '(A)'] },
        {
          name: 'prompt',
          type: 'text',
          data: ['How many chairs?\n(A) 1\n(B) 2\n(C) 3', 'Where is the cup?\n(A) above\n(B) below'],
        },
        { name: 'source', type: 'text', data: sources },
      ])
    }
  },
  async blink(path, png) {
    const tasks =
      'Art_Style Counting Forensic_Detection Functional_Correspondence IQ_Test Jigsaw Multi-view_Reasoning Object_Localization Relative_Depth Relative_Reflectance Semantic_Correspondence Spatial_Relation Visual_Correspondence Visual_Similarity'
    for (const task of tasks.split(' ')) {
      await writeParquet(join(path, task, 'val-00000-of-00001.parquet'), [
        { name: 'idx', type: 'text', data: [`val_${task}_1`] },
        { name: 'sub_task', type: 'text', data: [task] },
        { name: 'question', type: 'text', data: ['Which image is most similar?'] },
        ...[1, 2, 3, 4].map((n): Column => ({
          name: `image_${n}`,
          type: 'image',
          data: [n < 3 ? { bytes: png, path: null } : null],
        })),
        { name: 'choices', type: 'texts', data: [['the second image', 'the third image']] },
        { name: 'answer', type: 'text', data: ['(B)'] },
        { name: 'prompt', type: 'text', data: ['Which image?\n(A) the second image\n(B) the third image'] },
      ])
    }
  },
  async 'mmsi-bench'(path, png) {
    await writeParquet(join(path, 'MMSI_Bench.parquet'), [
      { name: 'id', type: 'number', data: [0n, 1n] },
      { name: 'images', type: 'bytes', data: [[png, png], [png]] },
      { name: 'question_type', type: 'text', data: ['Motion (Cam.)', 'MSR'] },
      {
        name: 'question',
        type: 'text',
        data: [0, 1].map((i) => `How did the camera move? ${i}\nOptions: A: left, B: right, C: up, D: down`),
      },
      { name: 'answer', type: 'text', data: ['A', 'D'] },
      { name: 'thought', type: 'text', data: ['', ''] },
    ])
  },
  async 'embspatial-bench'(path, png) {
    const row = {
      relation: 'above',
      question: 'Which one is above?',
      image: Buffer.from(png).toString('base64'),
      data_source: 'mp3d',
    }
    await mkdir(path, { recursive: true })
    const rows = [2, 0].map((answer, i) => ({
      ...row,
      question_id: `mp3d_${i}`,
      answer_options: ['bed', 'lamp', 'sofa', 'rug'],
      answer,
    }))
    await writeFile(join(path, 'embspatial_bench.json'), JSON.stringify(rows))
  },
}

describe.each(catalogNames())('%s', (name) => {
  const suite = catalogSuite(name)

  it.each([...suite.profiles])('asks and reads the published layout under %s', async (profile) => {
    const plan = await planRun({
      suite,
      profile,
      models: { player: 'baseline/oracle' },
      source: `data:${join(folder, name)}`,
    })
    const { problems, examples, samples } = await checkSamples(plan)
    expect(problems).toEqual([])
    expect(samples).toBe(plan.source.count)
    expect(examples[0]?.messages).toMatchSnapshot()
  })
})

it.each([
  ['cv-bench', 'lmms-eval', 1],
  ['blink', 'lmms-eval', 1],
  ['embspatial-bench', 'lmms-eval', 1],
  ['mmsi-bench', 'official', 2],
] as const)('%s reads replies as the code that %s follows', async (name, profile, column) => {
  const suite = catalogSuite(name)
  const cells = {}
  const sample = {
    id: '1',
    cluster: '1',
    labels: {},
    question: '',
    options: ['', '', '', ''],
    cells,
    media: [],
    frequent: 'A',
  }
  expect(oracle.replies.length).toBeGreaterThan(200)
  for (const row of oracle.replies) {
    const outcome = { answer: null, reply: row[0]! }
    const right = []
    for (const truth of 'ABCD') {
      const scores = await suite.score({ ...sample, truth }, outcome, { profile, options: {}, measurements: {} })
      if (scores['correct'] === 1) right.push(truth)
    }
    expect([row[0], right.join('')]).toEqual([row[0], row[column]])
  }
})
