import { mkdir, mkdtemp, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { dirname, join } from 'node:path'
import { parquetWriteBuffer } from 'hyparquet-writer'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { checkSamples } from '../engine/check.ts'
import { planRun } from '../engine/plan.ts'
import { encodePng } from '../media/image.ts'
import { videoBackend } from '../media/index.ts'
import { catalogNames, catalogSuite } from './catalog.ts'

/** Suites that read the data of others, or data of the same layout. */
const SHARED: Readonly<Record<string, string>> = {
  'revsi-16': 'revsi',
  'revsi-64': 'revsi',
  'revsi-all': 'revsi',
  'spar-bench-tiny': 'spar-bench',
}

/** Small data in the published layouts, made here. */
let folder: string
beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'sightline-catalog-'))
  const png = await encodePng({ width: 4, height: 4, channels: 3, data: new Uint8Array(48).fill(200) })
  for (const [name, make] of Object.entries(LAYOUTS)) await make(join(folder, name), png)
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

let video: Promise<Uint8Array> | undefined

async function writeVideo(path: string): Promise<void> {
  await write(path, await (video ??= makeVideo()))
}

async function makeVideo(): Promise<Uint8Array> {
  const frame = { width: 64, height: 48, channels: 3 as const, data: new Uint8Array(64 * 48 * 3).fill(90) }
  const images = Array.from({ length: 4 }, () => frame)
  return (await (await videoBackend()).encode(images, { width: 64, height: 48, fps: 10, quantizer: 10 })).bytes
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
    for (const { task_type: task } of rows) await write(join(path, 'OmniSpatial-test', task, '15.png'), png)
    await write(join(path, 'OmniSpatial-test/data.json'), JSON.stringify(rows))
  },
  async 'robospatial-home'(path, png) {
    const answers = {
      context: '[(0.21, 0.33), (0.47, 0.29), (0.58, 0.52), (0.41, 0.71)]',
      compatibility: 'yes',
      configuration: 'no',
    }
    for (const [category, answer] of Object.entries(answers)) {
      const image = [{ bytes: png, path: 'a.png' }]
      await writeParquet(join(path, `data/${category}-00000-of-00001.parquet`), [
        { name: 'category', type: 'text', data: [category] },
        { name: 'question', type: 'text', data: ['Can the chair be placed in front of the sofa?'] },
        { name: 'answer', type: 'text', data: [answer] },
        { name: 'img', type: 'image', data: image },
        { name: 'depth_image', type: 'image', data: image },
        { name: 'mask', type: 'image', data: [category === 'context' ? image[0] : null] },
      ])
    }
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
    for (const frames of ['16', '32', '64', 'all']) {
      await writeParquet(join(path, `${frames}_frame/test-00000-of-00001.parquet`), [
        { name: 'scene_id', type: 'text', data: ['s1', 's1'] },
        { name: 'num_frames', type: 'text', data: [frames, frames] },
        { name: 'question_type', type: 'text', data: ['object_rel_distance_closest', 'object_counting_single'] },
        { name: 'question', type: 'text', data: ['Which is closest?', 'How many chairs?'] },
        { name: 'options', type: 'texts', data: [['A. bed', 'B. lamp'], null] },
        { name: 'ground_truth', type: 'text', data: ['B', '4'] },
      ])
      await writeVideo(join(path, `${frames}_frame/s1.mp4`))
    }
  },
  async 'spar-bench'(path, png) {
    const moves = 'move_right:0.9,move_down:0.3,move_forward:0.4,rotate_left:35,rotate_down:10'
    const tasks = ['depth_prediction_oc', 'distance_prediction_oo_mv', 'view_change_infer', 'position_matching']
    const question = 'Which one is it?\nA. bed\nB. lamp\nC. sofa\nD. rug'
    await writeParquet(join(path, 'data/test-00000-of-00001.parquet'), [
      { name: 'id', type: 'number', data: [1n, 2n, 3n, 4n] },
      { name: 'img_type', type: 'text', data: ['single_view', 'multi_view', 'multi_view', 'multi_view'] },
      { name: 'format_type', type: 'text', data: ['fill', 'fill', 'fill', 'select'] },
      { name: 'task', type: 'text', data: tasks },
      { name: 'source', type: 'text', data: tasks.map(() => 'scannet') },
      {
        name: 'image',
        type: 'images',
        data: tasks.map((_, i) => tasks.slice(0, i || 1).map(() => ({ bytes: png, path: null }))),
      },
      { name: 'question', type: 'text', data: ['How deep?', 'How far?', 'How did the camera move?', question] },
      { name: 'answer', type: 'text', data: ['1.5', '2.25', moves, 'C'] },
    ])
  },
  async 'mmsi-video'(path, png) {
    const clip = (name: string, frames: number): string[] =>
      Array.from({ length: frames }, (_, i) => `${name}/frame_${String(i).padStart(3, '0')}.jpg`)
    const frames = [clip('a/clip_0', 60), clip('a/clip_1', 40)]
    for (const frame of frames.flat()) await write(join(path, 'frames', frame), png)
    await write(join(path, 'ref_images/q2.jpg'), png)
    const row = (id: string, type: string, question: string) => ({
      id,
      type,
      ref_images: question.includes('<image>') ? ['q2.jpg'] : [],
      video_list: frames.map((_, i) => ({ path: `a/clip_${i}.mp4`, start: 0, end: 60, base_fps: 1 })),
      frames_list: frames,
      system_prompt: 'You watch videos.',
      task_prompt: 'Two clips of one house. ',
      user_prompt: question,
      format_prompt: '\nAnswer with {"answer": "X"}.',
      ori_question: question,
      ground_truth: 'E',
    })
    const options = ['A. up', 'B. down', 'C. left', 'D. right', 'E. back'].join('\n')
    const rows = [
      row('question_0001', '(Cross-Video) Memoery Update', `First: <video> Then: <video>\nWhat moved?\n${options}`),
      row('question_0002', 'Planning', `<video><video> Where is <image>?\n${options}`),
    ]
    await write(join(path, 'mmsivideo.json'), JSON.stringify(rows))
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
      source: `data:${join(folder, SHARED[name] ?? name)}`,
    })
    const { problems, examples, samples } = await checkSamples(plan)
    expect(problems).toEqual([])
    expect(samples).toBe(plan.source.count)
    expect(examples[0]?.messages).toMatchSnapshot()
  })
})
