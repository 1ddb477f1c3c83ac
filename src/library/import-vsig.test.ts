import { mkdir, mkdtemp, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { dirname, join } from 'node:path'
import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import { score } from './results.ts'
import { importReplies } from './run.ts'
import { maskOfId } from '../suites/vsig/domain/mask-encode.ts'
import type { Profile } from '../suites/vsig/domain/profiles.ts'
import { vsig } from '../suites/vsig/suite.ts'

let folder: string
beforeEach(async () => {
  folder = await mkdtemp(join(tmpdir(), 'sightline-vsig-import-'))
})
afterEach(() => rm(folder, { recursive: true }))

const PERSON = '三楼_张三_拍摄'
const ids = new Uint8Array(200 * 100)
for (let y = 20; y < 30; y++) for (let x = 50; x < 90; x++) ids[y * 200 + x] = 1
const mask = { mask_base64: maskOfId(ids, 1, 200, 100), bbox: [50, 20, 89, 29] }
const cup = { name: '杯子', type: 'object', points: [[250, 350]], mask }

function truth(video: string, more: object = {}) {
  return {
    id: video.replace(/\W/g, ''),
    video_name: video,
    task_template: '指令2',
    object_space: [cup],
    asr_result: { text: '把这个拿起来', words: [{ text: '把这个', begin_time: 500, end_time: 900 }] },
    _video_dir: `data/${PERSON}/指令2`,
    _video_width: 200,
    _video_height: 100,
    _correct_options: ['A'],
    _gt_speech_temporal: [{ choice: 'A', asr_begin_time: 500, asr_end_time: 900, points: [[250, 350]], mask }],
    ...more,
  }
}

const prediction = (video: string, point: unknown = [350, 250], more: object = {}) => ({
  explicit_command: '把杯子拿起来',
  selected_options: ['A'],
  point_list: [{ type: 'target_object', description: '杯子', point, timestamp: 700 }],
  video_name: video,
  ...more,
})

async function results(name: string, predictions: unknown, truths: unknown, more: object = {}): Promise<string> {
  const file = join(folder, 'results', name)
  await mkdir(dirname(file), { recursive: true })
  await writeFile(file, JSON.stringify({ model_name: 'some-vlm', predictions, ground_truths: truths, ...more }))
  return file
}

async function imported(path: string, options: { profile?: Profile; source?: string } = {}) {
  const notes: string[] = []
  const onNote = (note: string): number => notes.push(note)
  const run = await importReplies(vsig, path, { store: join(folder, 'store'), threads: 0, onNote, ...options })
  const rows = Object.fromEntries(run.report.rows.map(({ key, value }) => [key, value]))
  return { ...run, notes, rows }
}

describe('published result files', () => {
  it('are scored with any profile, from the ground truth in them', async () => {
    await results('指令2/results_a_some-vlm.json', [prediction('a.mp4')], [truth('a.mp4')])
    await results('指令2/results_b_some-vlm.json', [prediction('b.mp4', [1, 1])], [truth('b.mp4')])
    await results('results_some-vlm_summary.json', [prediction('a.mp4')], [truth('a.mp4')])
    await writeFile(join(folder, 'results', 'metrics_summary.json'), '{}')
    const { rows, report, id, progress } = await imported(join(folder, 'results'), { profile: 'upstream-v3' })
    expect(report.models).toEqual({ player: 'imported/some-vlm' })
    expect(progress.byStatus).toEqual({ answered: 2 })
    expect(rows).toMatchObject({ intent: 1, spatial: 0.5, temporal: 1 })
    const again = await score(id, { store: join(folder, 'store'), profile: 'upstream-v1' })
    expect(again.report.rows.find(({ key }) => key === 'intent')?.value).toBe(0.5)
    expect(JSON.stringify(report)).not.toContain('张三')
  })

  it('number clips that share an id, and keep a failed inference as no answer', async () => {
    const twice = truth('a.mp4', { id: '7' })
    const failed = prediction('b.mp4', null, { explicit_command: 'FAILED_INFERENCE', point_list: [] })
    const path = await results('results_x.json', [prediction('a.mp4'), failed], [twice, truth('b.mp4', { id: '7' })])
    const { notes, progress } = await imported(path)
    expect(notes).toEqual([expect.stringMatching(/1 clip with the id of another clip/)])
    expect(progress.byStatus).toEqual({ answered: 1, no_answer: 1 })
  })

  it('of generation 2 have letters alone; targets then come from the annotation', async () => {
    const early = truth('a.mp4', { _gt_speech_temporal: undefined, _video_width: undefined })
    const path = await results('results_x.json', [prediction('a.mp4')], [early])
    expect((await imported(path, { profile: 'upstream-v2' })).rows).toMatchObject({ intent: 1, spatial: 1 })
  })

  it('with a clip that cannot be scored miss that clip', async () => {
    const broken = [truth('a.mp4', { task_template: '指令9' }), truth('b.mp4', { object_space: [] }), truth('c.mp4')]
    const names = ['a.mp4', 'b.mp4', 'c.mp4']
    const path = await results(
      'results_x.json',
      names.map((name) => prediction(name)),
      broken,
    )
    expect((await imported(path)).progress.byStatus).toEqual({ missing_asset: 2, answered: 1 })
  })

  it.each([
    ['no list of predictions', { a: 1 }, [], /predictions: .*expected array/],
    ['an item that is not an object', [5], [truth('a.mp4')], /predictions\.0/],
    ['different numbers', [prediction('a.mp4')], [], /1 prediction, but 0 ground truths/],
    ['different clips', [prediction('a.mp4')], [truth('b.mp4')], /is about a\.mp4, its ground truth about "b\.mp4"/],
    ['no video name', [{}], [truth('')], /prediction 1: no "video_name"/],
    ['no ground truth', [prediction('a.mp4')], undefined, /has no ground truth/],
    ['no predictions', [], [], /has no replies to import/],
  ])('with %s are refused', async (_, predictions, truths, message) => {
    await expect(imported(await results('results_x.json', predictions, truths))).rejects.toThrow(message)
  })

  it('of several models, broken files and folders without any are refused', async () => {
    await results('a/results_x.json', [prediction('a.mp4')], [truth('a.mp4')])
    await results('b/results_x.json', [prediction('a.mp4')], [truth('a.mp4')], { model_name: 'other' })
    await expect(imported(join(folder, 'results'))).rejects.toThrow(/results of 2 models: some-vlm, other/)
    await writeFile(join(folder, 'results', 'b', 'results_x.json'), '{"predictions": [')
    await expect(imported(join(folder, 'results'))).rejects.toThrow(/not valid JSON/)
    await mkdir(join(folder, 'empty'))
    await expect(imported(join(folder, 'empty'))).rejects.toThrow(/No result files/)
    await expect(imported(join(folder, 'nowhere'))).rejects.toThrow(/does not exist/)
  })

  it('can be paired with the clips of a source', async () => {
    const path = await results('results_x.json', [prediction('clip-9.mp4')], undefined)
    await expect(imported(path, { source: 'builtin:clips=2' })).rejects.toThrow(/None of the 1 prediction is about/)
  })
})
