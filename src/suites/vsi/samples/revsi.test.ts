import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, beforeAll, expect, test } from 'vitest'
import {
  idsOf,
  lines,
  openBlind,
  openExplore,
  openVideoSource,
  sampleById,
  writeFiles,
} from '../../../../test/support/suites/vsi/source.ts'

let root: string
beforeAll(async () => {
  root = await mkdtemp(join(tmpdir(), 'revsi-'))
  const rows = (chairs: string): object[] => [
    {
      scene_id: 'scene0001_00',
      question_type: 'object_counting_single',
      question: 'How many chairs?',
      ground_truth: chairs,
    },
    {
      scene_id: '41069025',
      question_type: 'object_rel_direction_forward_hard',
      question: 'Where is the lamp?',
      options: ['A. front-left', 'B. back-right'],
      ground_truth: 'B',
    },
    { scene_id: '41069025', question_type: 'object_moods', question: 'How is the lamp?', ground_truth: 'B' },
  ]
  await writeFiles(root, {
    '16_frame/test.jsonl': lines(rows('2')),
    '16_frame/scene0001_00.mp4': 'x',
    'data/all_frame/test-00000-of-00001.jsonl': lines(rows('4')),
    'all_frame/scene0001_00.mp4': 'x',
  })
})
afterAll(() => rm(root, { recursive: true }))

test('takes the ground truth of the frames that are shown, or of all', async () => {
  const few = await openVideoSource(`revsi:${root}`, { frames: 16 })
  const chosen = await openVideoSource(`revsi:path=${root},budget=16`, { frames: 8 })
  const all = await openVideoSource(`revsi:${root}`, { frames: 24 })
  const truths = await Promise.all([few, chosen, all].map(async (each) => (await sampleById(each, '0')).truth))
  expect(truths).toEqual(['2', '2', '4'])
  expect(few.notes?.[0]).toBe('The ground truth is for 16 frames.')
  expect(new Set([few, chosen, all].map(({ fingerprint }) => fingerprint)).size).toBe(2)
  await expect(openVideoSource(`revsi:${root}`)).rejects.toThrow('No table of 32_frame')
})

test('keeps its own types as labels, and reports what it does not know', async () => {
  const opened = await openVideoSource(`revsi:${root}`, { frames: 16 })
  expect(await idsOf(opened)).toEqual(['0', '1', '2'])
  expect(await sampleById(opened, '1')).toMatchObject({
    type: 'object_rel_direction_hard',
    options: ['A. front-left', 'B. back-right'],
    labels: { type: 'object_rel_direction_hard', dataset: 'arkitscenes', subtype: 'object_rel_direction_forward_hard' },
    problem: expect.stringContaining('video of 41069025'),
  })
  expect((await sampleById(opened, '2')).problem).toContain('unknown question type')
  expect((await sampleById(await openBlind(`revsi:${root}`), '1')).problem).toBeUndefined()
  await expect(openExplore(`revsi:${root}`)).rejects.toThrow('has no source "revsi"')
})
