import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import type { SchemaElement } from 'hyparquet'
import { parquetWriteBuffer } from 'hyparquet-writer'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { writePly } from '../../../world/formats/index.ts'
import { vsiExplore } from '../suite.ts'
import { exploreOptions } from '../options.ts'
import { coloredRoom, scripted } from '../../../../test/support/suites/vsi.ts'
import {
  sampleById,
  type Files,
  idsOf,
  lines,
  openBlind,
  openExplore,
  row,
  writeFiles,
} from '../../../../test/support/suites/vsi/source.ts'

let root: string
beforeAll(async () => {
  root = await mkdtemp(join(tmpdir(), 'vsi-layouts-'))
})
afterAll(() => rm(root, { recursive: true, force: true }))
const folder = (name: string, files: Files): Promise<string> => writeFiles(join(root, name), files)

const COUNT = row(3, 'scannet', 'scene0251_00', 'object_counting', 'How many chair(s) are in this room?', null, '4')
const NEAREST = row(
  9,
  'scannetpp',
  '7b6477cb95',
  'object_rel_distance',
  'Measuring from the closest point of each object, which of these objects (sofa, tv) is the closest to the door?',
  ['A. sofa', 'B. tv'],
  'B',
)
const SIZE = row(11, 'arkitscenes', '41069025', 'room_size_estimation', 'What is the size of this room?', null, '26.4')

describe('tables published since November 2025', () => {
  const text = (name: string): SchemaElement => ({
    name,
    type: 'BYTE_ARRAY',
    converted_type: 'UTF8',
    repetition_type: 'OPTIONAL',
  })
  /** As pandas writes them: options are lists of strings, and the index is an extra column. */
  const SCHEMA: SchemaElement[] = [
    { name: 'schema', num_children: 9 },
    { name: 'id', type: 'INT64', repetition_type: 'OPTIONAL' },
    ...['dataset', 'scene_name', 'question_type', 'question', 'ground_truth'].map(text),
    { name: 'options', num_children: 1, converted_type: 'LIST', repetition_type: 'OPTIONAL' },
    { name: 'list', num_children: 1, repetition_type: 'REPEATED' },
    text('element'),
    { name: 'pruned', type: 'BOOLEAN', repetition_type: 'OPTIONAL' },
    { name: '__index_level_0__', type: 'INT64', repetition_type: 'OPTIONAL' },
  ]
  const table = (rows: readonly ReturnType<typeof row>[], pruned: boolean): Uint8Array => {
    const column = (name: string, data: unknown[]) => ({ name, data })
    return new Uint8Array(
      parquetWriteBuffer({
        schema: SCHEMA,
        columnData: [
          column(
            'id',
            rows.map(({ id }) => BigInt(id)),
          ),
          ...(['dataset', 'scene_name', 'question_type', 'question', 'ground_truth'] as const).map((name) =>
            column(
              name,
              rows.map((each) => each[name]),
            ),
          ),
          column(
            'options',
            rows.map(({ options }) => options),
          ),
          column(
            'pruned',
            rows.map(() => pruned),
          ),
          column(
            '__index_level_0__',
            rows.map((_, i) => BigInt(i)),
          ),
        ],
      }),
    )
  }
  const files = (): Files => ({
    'test_debiased.parquet': table([NEAREST], false),
    'test_pruned.parquet': table([COUNT, SIZE], true),
  })
  const of = async (path: string, set: string) => openBlind(`vsi-bench:path=${path},set=${set}`)

  test('merge into the full set in order of ids; each part is a set', async () => {
    const path = await folder('parts', files())
    expect(await idsOf(await of(path, 'full'))).toEqual(['3', '9', '11'])
    expect(await idsOf(await of(path, 'debiased'))).toEqual(['9'])
    expect(await idsOf(await of(path, 'pruned'))).toEqual(['3', '11'])
    expect(await idsOf(await of(path, 'tiny'))).toEqual(['3', '9'])
    expect(await sampleById(await of(path, 'full'), '9')).toMatchObject({
      options: ['A. sofa', 'B. tv'],
      truth: 'B',
      labels: { pruned: 'no' },
    })
    expect(await sampleById(await of(path, 'full'), '3')).toMatchObject({ options: null, labels: { pruned: 'yes' } })
  })

  test('give only their own set if one part is missing', async () => {
    const path = await folder('one-part', { 'test_debiased.parquet': table([NEAREST], false) })
    expect(await idsOf(await of(path, 'debiased'))).toEqual(['9'])
    await expect(of(path, 'full')).rejects.toThrow(/No table for set=full.*test_pruned.parquet/)
    await expect(of(path, 'pruned')).rejects.toThrow(/No table for set=pruned/)
  })

  test('give the same sets as JSON lines with the list of ids', async () => {
    const path = await folder('lines', { 'test.jsonl': lines([COUNT, NEAREST, SIZE]), 'pruned_ids.txt': '3\n11\n' })
    expect(await idsOf(await of(path, 'debiased'))).toEqual(['9'])
    expect(await idsOf(await of(path, 'pruned'))).toEqual(['3', '11'])
    expect(await sampleById(await of(path, 'full'), '11')).toMatchObject({ labels: { pruned: 'yes' } })
  })
})

test('the official meta info gives object boxes, and contradictions are reported', async () => {
  const box = {
    centroid: [1, 1, 0.5],
    axesLengths: [1, 1, 1],
    normalizedAxes: [1, 0, 0, 0, 1, 0, 0, 0, 1],
    min: [0, 0, 0],
    max: [1, 2, 1],
  }
  const info = {
    dataset: 'scannet',
    video_path: 'scannet/scene0251_00.mp4',
    room_size: 26.371,
    room_center: [0, 0, 0],
    object_counts: { chair: 5 },
    object_bbox: { chair: [box] },
  }
  const path = await folder('meta', {
    'test.jsonl': lines([COUNT, SIZE]),
    'data/meta_info/scannet_meta_info_val.json': JSON.stringify({ scene0251_00: info }),
    'data/meta_info/arkitscenes_meta_info_val.json': JSON.stringify({ 41069025: { ...info, dataset: 'arkitscenes' } }),
  })
  const opened = await openBlind(`vsi-bench:${path}`)
  expect((await sampleById(opened, '3')).things).toEqual([
    { category: 'chair', box: { center: [0.5, 1, 0.5], size: [1, 2, 1], yaw: 0 } },
  ])
  // Five chairs contradict four; 26.371 m² rounds to 26.4.
  expect(opened.notes).toEqual(['The ground truth of 1 question contradicts the meta info: 3'])
})

describe('finds and plays meshes in their published layout', () => {
  test.each([
    ['ScanNet, as downloaded by its script', COUNT, 'scans/scene0251_00/scene0251_00_vh_clean_2.ply'],
    ['ScanNet, one folder per scene', COUNT, 'scene0251_00/scene0251_00_vh_clean_2.ply'],
    ['ScanNet++', NEAREST, 'data/7b6477cb95/scans/mesh_aligned_0.05.ply'],
    ['ScanNet++ next to the other datasets', NEAREST, 'scannetpp/data/7b6477cb95/scans/mesh_aligned_0.05.ply'],
    ['ARKitScenes, 3dod', SIZE, '3dod/Validation/41069025/41069025_3dod_mesh.ply'],
    ['ARKitScenes, raw', SIZE, 'arkitscenes/raw/Training/41069025/41069025_3dod_mesh.ply'],
  ])('%s', async (name, asked, file) => {
    const questions = await folder(`q-${name.replaceAll(',', '')}`, { 'test.jsonl': lines([asked]) })
    const room = coloredRoom([{ center: [6, 4, 0.5], size: [1, 1, 1], yaw: 0 }])
    const meshes = await folder(`m-${name.replaceAll(',', '')}`, { [file]: writePly(room) })
    const opened = await openExplore(`vsi-bench:path=${questions},meshes=${meshes}`)
    expect(opened.notes ?? []).toEqual([])
    const reply = `{"answer": ${asked.options === null ? asked.ground_truth : `"${asked.ground_truth}"`}, "done": true}`
    const options = exploreOptions.parse({ firstView: 'fixed' })
    const played = await vsiExplore.play(
      await sampleById(opened, String(asked.id)),
      scripted([reply], 'official', opened.roots).episode,
      options,
    )
    expect(played).toMatchObject({ status: 'answered', outcome: { pictures: 1 } })
  })
})

test('reports questions without a map before the run', async () => {
  const path = await folder('no-meta', {
    'test.jsonl': lines([COUNT]),
    'scans/scene0251_00/scene0251_00_vh_clean_2.ply': writePly(coloredRoom([])),
  })
  expect((await openExplore(`vsi-bench:${path}`, { map: true })).notes).toEqual([
    expect.stringMatching(/^map=true: no map for 1 of 1 questions.*meta_info/),
  ])
  expect((await openExplore(`vsi-bench:${path}`)).notes).toEqual([])
})

test.each([
  ['{', /not a VSI-Bench meta info file: .*JSON/],
  ['{"scene0251_00": 1}', /not a VSI-Bench meta info file: at scene0251_00: Invalid input: expected object[^\n]*$/],
])('rejects invalid meta info (%s)', async (text, message) => {
  const path = await folder(`bad-meta-${text.length}`, {
    'test.jsonl': lines([COUNT]),
    'meta_info/scannet_meta_info_val.json': text,
  })
  await expect(openBlind(`vsi-bench:${path}`)).rejects.toThrow(message)
})
