import { mkdir, mkdtemp, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { dirname, join } from 'node:path'
import { parquetWriteBuffer } from 'hyparquet-writer'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import oracle from '../../conformance/oracle/questions/readers.json' with { type: 'json' }
import revsi from '../../conformance/oracle/questions/revsi.json' with { type: 'json' }
import robospatial from '../../conformance/oracle/questions/robospatial.json' with { type: 'json' }
import { checkSamples } from '../engine/check.ts'
import { planRun } from '../engine/plan.ts'
import { encodePng } from '../media/image.ts'
import { videoBackend } from '../media/index.ts'
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
  await write(path, new Uint8Array(content))
}

async function write(path: string, content: string | Uint8Array): Promise<void> {
  await mkdir(dirname(path), { recursive: true })
  await writeFile(path, content)
}

async function writeVideo(path: string): Promise<void> {
  const frame = { width: 64, height: 48, channels: 3 as const, data: new Uint8Array(64 * 48 * 3).fill(90) }
  const images = Array.from({ length: 4 }, () => frame)
  const { bytes } = await (await videoBackend()).encode(images, { width: 64, height: 48, fps: 10, quantizer: 10 })
  await write(path, bytes)
}

function tsv(rows: readonly string[][]): string {
  const quoted = (cell: string): string => (cell.includes('"') ? `"${cell.replaceAll('"', '""')}"` : cell)
  return rows.map((row) => row.map(quoted).join('\t')).join('\n')
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
  async 'mindcube-tiny'(path, png) {
    const images = ['other_all_image/among/group1/front.png', 'other_all_image/among/group1/left.png']
    const question =
      'Based on these two images: what is to the left of the cup? A. Sofa B. Wooden table C. Curtains D. TV'
    const rows = ['among_group1_q0_1', 'aroundnew_group2_q1_3'].map((id) => ({ id, question, images, gt_answer: 'D' }))
    for (const image of images) await write(join(path, 'data', image), png)
    await write(join(path, 'data/raw/MindCube_tinybench.jsonl'), rows.map((row) => JSON.stringify(row)).join('\n'))
  },
  async 'viewspatial-bench'(path, png) {
    const row = (type: string, image: string) => ({
      question_type: type,
      image_path: [`ViewSpatial-Bench/${image}`],
      question: 'Where is the counter?',
      answer: 'B. front-up',
      choices: 'A. right\nB. front-up\nC. back-left\nD. front',
    })
    const images = ['scannetv2_val/scene0011_00/original_images/280.png', 'val2017/1.png']
    for (const image of images) await write(join(path, image), png)
    const [scene, photo] = images
    const rows = [
      row('Camera perspective - Relative Direction', scene!),
      row('Person perspective - Object View Orientation', photo!),
    ]
    await write(join(path, 'ViewSpatial-Bench.json'), JSON.stringify(rows))
  },
  async omnispatial(path, png) {
    const row = { id: '15_1', question: 'How long will it take?', options: ['2.7s', '14.7s', '25.7s', '3.9s'] }
    const rows = [
      { ...row, answer: 0, task_type: 'Dynamic_Reasoning', sub_task_type: 'Motion_Analysis' },
      { ...row, answer: 2, task_type: 'Perspective_Taking', sub_task_type: 'Egocentric' },
    ]
    for (const { task_type: task } of rows) await write(join(path, task, '15.png'), png)
    await write(join(path, 'data.json'), JSON.stringify(rows))
  },
  async 'robospatial-home'(path, png) {
    const row = (category: string, answer: string, i: number) => ({
      category,
      question: 'Can the chair be placed in front of the sofa?',
      answer,
      img: `images/img_${category}_${i}.png`,
      depth_image: `images/depth_${category}_${i}.png`,
      mask: null,
    })
    const rows = [
      row('context', '[(0.21, 0.33), (0.47, 0.29), (0.58, 0.52), (0.41, 0.71)]', 0),
      row('compatibility', 'yes', 0),
      row('configuration', 'no', 0),
    ]
    for (const { img } of rows) await write(join(path, img), png)
    await write(join(path, 'annotations.json'), JSON.stringify(rows))
  },
  async '3dsrbench'(path, png) {
    const image = Buffer.from(png).toString('base64')
    const rows = [
      ['index', 'image', 'question', 'A', 'B', 'C', 'D', 'answer', 'category', 'qid'],
      ['0', image, 'Which is higher?', 'the lamp', 'the sofa', '', '', 'A', 'height_higher', 'VIN6MS3J'],
      ['1', image, 'Which is higher?', 'the sofa', 'the lamp', '', '', 'B', 'height_higher', 'VIN6MS3J-flip-1'],
      ['2', image, 'Which side?', 'front', 'left', 'back', 'right', 'C', 'orientation_viewpoint', '2AB3CD4E'],
    ]
    await write(join(path, '3DSRBench.tsv'), tsv(rows))
  },
  async revsi(path) {
    const rows = [
      ['scene_id', 'num_frames', 'question_type', 'question', 'options', 'ground_truth', 'video'],
      ['s1', '32', 'object_rel_distance_closest', 'Which is closest?', "['A. bed', 'B. lamp']", 'B', 's1.mp4'],
      ['s1', '32', 'object_counting_single', 'How many chairs?', '', '4', 's1.mp4'],
    ]
    await writeVideo(join(path, 'revsi_videos/32_frame/s1.mp4'))
    await write(join(path, '32_frame.tsv'), tsv(rows))
  },
  async 'site-image'(path, png) {
    await write(join(path, 'images/a.png'), png)
    const options = "['left', 'right']"
    const category = 'counting & existence'
    const rows = [
      ['index', 'category', 'image_path', 'question', 'options', 'answer'],
      ['0', category, "['images/a.png', 'images/a.png']", 'Compare <image> with <image>.', options, 'B'],
      ['1', category, "['images/a.png']", 'Where is the cup?', options, 'A'],
    ]
    await write(join(path, 'SiteBenchImage.tsv'), tsv(rows))
  },
  async 'site-video'(path) {
    const rows = [
      ['index', 'category', 'video_path', 'question', 'candidates', 'answer'],
      ['0', 'movement prediction & navigation', 'videos/s1.mp4', 'Where next?', "['left', 'right', 'back']", 'C'],
    ]
    await writeVideo(join(path, 'videos/s1.mp4'))
    await write(join(path, 'SiteBenchVideo.tsv'), tsv(rows))
  },
  async erqa(path, png) {
    const image = Buffer.from(png).toString('base64')
    const ask = 'Choices: A. left B. right C. up D. down. Please answer directly with only the letter.'
    const rows = [
      ['index', 'category', 'image', 'question', 'answer'],
      ['0', 'Trajectory Reasoning', image, `<image>Where does the arm go? ${ask}`, 'B'],
      ['1', 'Multi-view Reasoning', JSON.stringify([image, image]), `From <image> to <image>? ${ask}`, 'A'],
    ]
    await write(join(path, 'ERQA.tsv'), tsv(rows))
  },
  async 'embspatial-bench'(path, png) {
    const row = {
      relation: 'above',
      question: 'Which one is above?',
      image: Buffer.from(png).toString('base64'),
      data_source: 'mp3d',
    }
    const rows = [2, 0].map((answer, i) => ({
      ...row,
      question_id: `mp3d_${i}`,
      answer_options: ['bed', 'lamp', 'sofa', 'rug'],
      answer,
    }))
    await write(join(path, 'embspatial_bench.json'), JSON.stringify(rows))
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
  ['mindcube-tiny', 'official', 3],
  ['viewspatial-bench', 'official', 4],
  ['viewspatial-bench', 'lmms-eval', 4],
  ['erqa', 'official', 5],
  ['3dsrbench', 'lmms-eval', 6],
  ['revsi', 'official', 8],
  ['omnispatial', 'official', 7],
  ['site-image', 'official', 9],
  ['site-video', 'official', 9],
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

it('robospatial-home reads points and yes or no as the code that official follows', async () => {
  const suite = catalogSuite('robospatial-home')
  const sample = { id: '1', cluster: '1', labels: {}, question: '', options: null, media: [], frequent: true }
  const context = { profile: 'official', options: {}, measurements: {} }
  const isRight = async (category: string, truth: boolean | number[], reply: string): Promise<boolean> => {
    const scores = await suite.score({ ...sample, truth, cells: { category } }, { answer: null, reply }, context)
    return scores['correct'] === 1
  }
  const outline = robospatial.outline.flat()
  for (const [reply, right] of robospatial.points)
    expect([reply, await isRight('context', outline, String(reply))]).toEqual([reply, right])
  for (const [reply, said] of robospatial.yesNo) {
    const yes = await isRight('compatibility', true, reply!)
    const no = await isRight('compatibility', false, reply!)
    expect([reply, yes ? 'yes' : no ? 'no' : '']).toEqual([reply, said])
  }
})

it('revsi scores numbers as the code that official follows', async () => {
  const suite = catalogSuite('revsi')
  const cells = { question_type: 'object_counting_single' }
  const sample = { id: '1', cluster: '1', labels: {}, question: '', options: null, cells, media: [], frequent: 1 }
  const context = { profile: 'official', options: {}, measurements: {} }
  for (const [reply, truth, score] of revsi.replies) {
    const scores = await suite.score({ ...sample, truth }, { answer: null, reply: String(reply) }, context)
    expect([reply, truth, scores['correct'] ?? 0]).toEqual([reply, truth, expect.closeTo(Number(score), 5)])
  }
})
