import { mkdtemp, rm, truncate, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { parquetWriteBuffer } from 'hyparquet-writer'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { MissingAssetError, UserError } from '../../../base/errors.ts'
import { openSource } from '../../../engine/source.ts'
import { type Bitmap, decodeImage, encodePng, videoBackend } from '../../../media/index.ts'
import { DataFiles } from '../../../suite.ts'
import { writePly } from '../../../world/formats/index.ts'
import { vsiExplore, vsiVideo } from '../suite.ts'
import { PUBLISHED_CAMERA } from '../domain/camera.ts'
import { openWalkthrough } from '../domain/scene/walkthrough.ts'
import { exploreOptions, videoOptions } from '../options.ts'
import { coloredRoom, scripted } from '../../../../test/support/suites/vsi.ts'
import { categoriesIn } from './meta.ts'
import {
  sampleById,
  type Files,
  idsOf,
  lines,
  openBlind,
  openExplore,
  openVideoSource,
  row,
  writeFiles,
} from '../../../../test/support/suites/vsi/source.ts'

let root: string
beforeAll(async () => {
  root = await mkdtemp(join(tmpdir(), 'vsi-bench-'))
})
afterAll(() => rm(root, { recursive: true, force: true }))

const ROWS = [
  row(3, 'scannet', 'scene0001_00', 'object_counting', 'How many chair(s) are in this room?', null, '4'),
  row(
    9,
    'scannet',
    'scene0001_00',
    'object_rel_distance',
    'Which of these objects (a, b) is the closest to the c?',
    ['A. a', 'B. b'],
    'B',
  ),
  row(
    11,
    'arkitscenes',
    '41069025',
    'room_size_estimation',
    'What is the size of this room (in square meters)?',
    null,
    '26.4',
  ),
  row(
    12,
    'scannetpp',
    '3864514494',
    'obj_appearance_order',
    'What comes first in the video: x, y?',
    ['A. x, y', 'B. y, x'],
    'A',
  ),
  row(13, 'scannet', 'scene0001_00', 'object_colour', 'What colour is it?', null, '1'),
]
const SCENES = { full: 5, pruned: [9] }

const folder = (name: string, files: Files): Promise<string> => writeFiles(join(root, name), files)

const mesh = (files: Partial<{ a: Uint8Array; b: Uint8Array }>) => ({
  ...(files.a && { 'scannet/scene0001_00/scene0001_00_vh_clean_2.ply': files.a }),
  ...(files.b && { 'arkitscenes/Validation/41069025/41069025_3dod_mesh.ply': files.b }),
})
const room = () => writePly(coloredRoom([{ center: [6, 4, 0.5], size: [1, 1, 1], yaw: 0 }]))

/** A video of plain frames, each in a different gray. */
async function grayVideo(frames: number): Promise<Uint8Array> {
  const images: Bitmap[] = Array.from({ length: frames }, (_, i) => ({
    width: 64,
    height: 48,
    channels: 3,
    data: new Uint8Array(64 * 48 * 3).fill(20 + i * 6),
  }))
  return (await (await videoBackend()).encode(images, { width: 64, height: 48, fps: 10, quantizer: 10 })).bytes
}

test("scans' own frames are another capture", async () => {
  const png = await encodePng({
    width: 4,
    height: 2,
    channels: 3,
    data: Uint8Array.from({ length: 24 }, (_, i) => i * 10),
  })
  const path = await folder('capture', {
    'test.jsonl': lines(ROWS),
    'scannet/scene0001_00/frames/color/10.jpg': png,
    'scannet/scene0001_00/frames/color/9.jpg': png,
    'arkitscenes/Validation/41069025/vga_wide/41069025_1.5.png': png,
    'arkitscenes/metadata.csv': 'video_id,sky_direction\n41069025,Left\n',
  })
  const opened = await openVideoSource(`vsi-bench:path=${path},capture=frames`)
  expect(opened.fingerprint).toMatch(/\/frames$/)
  expect((opened.notes ?? []).join()).toContain('1 scene has no frames')
  const first = await sampleById(opened, '3')
  expect(first.scene).toMatchObject({ capture: 'frames' })
  const walk = await openWalkthrough(first.scene, new DataFiles(opened.roots), PUBLISHED_CAMERA)
  expect(walk).toMatchObject({ frames: 2, fps: null, provenance: { capture: 'frames' } })
  const scene = (await sampleById(opened, '11')).scene
  const upright = await openWalkthrough(scene, new DataFiles(opened.roots), PUBLISHED_CAMERA)
  const [image] = await upright.frameImages([0], () => undefined)
  expect([image?.width, image?.height]).toEqual([2, 4])
  // What was on the left is up now: the top right corner was the top left one.
  const { data } = await decodeImage(image!.png)
  expect(data.slice(3, 6)).toEqual(Uint8Array.of(0, 10, 20))
  await expect(
    openSource(vsiVideo, `vsi-bench:path=${path},capture=frames`, videoOptions.parse({ input: 'video' }), {
      seed: 1,
      profile: 'official',
    }),
  ).rejects.toThrow('not a video')
})

describe('the tables', () => {
  test('give the same questions as JSON lines and as Parquet', async () => {
    const columns = Object.keys(ROWS[0]!) as (keyof (typeof ROWS)[number])[]
    const parquet = parquetWriteBuffer({
      columnData: columns.map((name) => ({
        name,
        data: ROWS.map((each) => (name === 'id' ? BigInt(each.id) : (each[name] ?? null))) as unknown[],
        ...(name === 'options' ? { type: 'JSON' as const } : {}),
      })),
    })
    const fromLines = await openBlind(`vsi-bench:${await folder('lines', { 'test.jsonl': lines(ROWS) })}`)
    const fromParquet = await openBlind(
      `vsi-bench:${await folder('parquet', { 'test-00000-of-00001.parquet': new Uint8Array(parquet) })}`,
    )
    expect(await idsOf(fromParquet)).toEqual(await idsOf(fromLines))
    expect(await sampleById(fromParquet, '9')).toMatchObject({ options: ['A. a', 'B. b'], truth: 'B' })
  })

  test('select tiny by ids, and debiased and pruned by the list', async () => {
    const path = await folder('sets', { 'test.jsonl': lines(ROWS), 'pruned_ids.txt': '9\n' })
    const of = async (set: string) => idsOf(await openBlind(`vsi-bench:path=${path},set=${set}`))
    expect(await of('tiny')).toEqual(['3', '9'])
    expect(await of('pruned')).toEqual(SCENES.pruned.map(String))
    expect(await of('debiased')).toEqual(['3', '11', '12', '13'])
    await expect(of('huge')).rejects.toThrow(UserError)
  })

  test('apply an exclusion list, which is part of the fingerprint', async () => {
    const path = await folder('exclude', { 'test.jsonl': lines(ROWS), 'doubtful.txt': '3 # counted wrongly\n\n' })
    const without = await openBlind(`vsi-bench:path=${path},exclude=${join(path, 'doubtful.txt')}`)
    expect(await idsOf(without)).not.toContain('3')
    expect(without.fingerprint).not.toBe((await openBlind(`vsi-bench:${path}`)).fingerprint)
  })

  test('ask only listed ids, scenes and datasets', async () => {
    const files = { 'test.jsonl': lines(ROWS), 'ids.txt': '9\n11\n', 'scenes.json': '["41069025", "3864514494"]' }
    const path = await folder('filters', files)
    const of = async (filter: string) => idsOf(await openBlind(`vsi-bench:path=${path},${filter}`))
    expect(await of(`ids=${join(path, 'ids.txt')}`)).toEqual(['9', '11'])
    expect(await of(`scenes=${join(path, 'scenes.json')}`)).toEqual(['11', '12'])
    expect(await of(`datasets=scannetpp+arkitscenes,ids=${join(path, 'ids.txt')}`)).toEqual(['11'])
    await expect(of('datasets=scanet')).rejects.toThrow('joined by +')
  })

  test.each([
    ['no such folder', {}, 'does not exist'],
    ['no table', { 'readme.md': 'x' }, 'No table for set=full'],
    ['an empty table', { 'test.jsonl': '' }, '0 bytes'],
    ['a truncated line', { 'test.jsonl': '{"id": 1' }, 'line 1 is not JSON'],
    ['a row without ground truth', { 'test.jsonl': '{"id": 1, "dataset": "scannet"}' }, 'row 1'],
    ['two rows with one id', { 'test.jsonl': lines([ROWS[0]!, ROWS[0]!]) }, 'two rows with id 3'],
    ['a broken Parquet file', { 'test.parquet': 'PAR1' }, 'Parquet'],
  ])('report %s', async (name, files, message) => {
    const path = await folder(`bad-${name.replaceAll(' ', '-')}`, files)
    await expect(openBlind(`vsi-bench:${path}`)).rejects.toThrow(message)
  })

  test('have no appearance order in explore, and list missing files before the run', async () => {
    const path = await folder('listed', { 'test.jsonl': lines(ROWS), ...mesh({ a: room() }) })
    const opened = await openExplore(`vsi-bench:${path}`)
    expect(await idsOf(opened)).toEqual(['3', '9', '11', '13'])
    // Samples must not depend on the machine, and end up in logs.
    expect(JSON.stringify(await sampleById(opened, '11'))).not.toContain(root)
    expect(opened.notes!.join('\n')).toMatch(
      /1 scene has no mesh; 1 question is skipped.*\n.*41069025.*\n1 question is skipped.*\n.*unknown question type "object_colour"/,
    )
  })

  test.each<[string, string, string[] | null, string]>([
    ['no options', 'object_rel_distance', [], 'A'],
    ['a ground truth outside its options', 'object_rel_distance', ['A. a', 'B. b'], 'D'],
    ['text instead of a letter', 'route_planning', ['A. left', 'B. right'], 'left'],
    ['more options than letters', 'object_rel_distance', Array.from({ length: 27 }, (_, i) => `thing ${i}`), 'A'],
    ['a ground truth that is not a number', 'object_counting', null, 'many'],
    ['a NaN ground truth', 'object_size_estimation', null, 'nan'],
  ])('list a question with %s as missing before the run', async (name, type, choices, truth) => {
    const broken = row(21, 'scannet', 'scene0001_00', type, 'Which?', choices, truth)
    const path = await folder(`row-${name.replaceAll(' ', '-')}`, { 'test.jsonl': lines([ROWS[0]!, broken]) })
    const opened = await openBlind(`vsi-bench:${path}`)
    expect(opened.notes!.join('\n')).toMatch(
      /^1 question is skipped as missing because of invalid rows:\n.*question 21/,
    )
    expect((await sampleById(opened, '21')).problem).toContain('21')
    expect((await sampleById(opened, '3')).problem).toBeUndefined()
  })

  test('fail if there is nothing to play, and name the searched folder', async () => {
    const path = await folder('nothing', { 'test.jsonl': lines(ROWS) })
    await expect(openExplore(`vsi-bench:${path}`)).rejects.toThrow(`No mesh found for any scene in ${path}:`)
  })
})

describe('broken scenes', () => {
  const done = '{"rotation_angle_degrees": 0, "answer": 4, "done": true}'
  const options = exploreOptions.parse({ firstView: 'fixed' })

  test('a truncated mesh is missing; other samples still play', async () => {
    const whole = room()
    const path = await folder('meshes', { 'test.jsonl': lines(ROWS), ...mesh({ a: whole, b: whole }) })
    const opened = await openExplore(`vsi-bench:${path}`)
    const good = await vsiExplore.play(
      await sampleById(opened, '3'),
      scripted([done], 'official', opened.roots).episode,
      options,
    )
    expect(good).toMatchObject({ status: 'answered', outcome: { answer: '4' } })
    // The recorded outcome is enough to rescore it.
    const [sample, outcome] = JSON.parse(JSON.stringify([await sampleById(opened, '3'), good.outcome]))
    const context = { profile: 'official', options, measurements: {} } as const
    expect(await vsiExplore.score(sample, outcome, context)).toMatchObject({ score: 1, pictures: 1 })
    await truncate(join(path, 'arkitscenes/Validation/41069025/41069025_3dod_mesh.ply'), whole.length - 40)
    await expect(
      vsiExplore.play(await sampleById(opened, '11'), scripted([done], 'official', opened.roots).episode, options),
    ).rejects.toThrow(MissingAssetError)
  })

  test('a mesh with a NaN vertex is missing', async () => {
    const broken =
      'ply\nformat ascii 1.0\nelement vertex 3\nproperty float x\nproperty float y\nproperty float z\nelement face 1\nproperty list uchar int vertex_indices\nend_header\n0 0 nan\n1 0 0\n0 1 0\n3 0 1 2\n'
    const path = await folder('nan', {
      'test.jsonl': lines(ROWS.slice(0, 3)),
      ...mesh({ a: Buffer.from(broken), b: room() }),
    })
    const opened = await openExplore(`vsi-bench:${path}`)
    await expect(
      vsiExplore.play(await sampleById(opened, '3'), scripted([done], 'official', opened.roots).episode, options),
    ).rejects.toThrow(MissingAssetError)
  })

  test('a mesh without colors is shaded, not white on white', async () => {
    const { colors: _, ...plain } = coloredRoom([])
    const path = await folder('plain', { 'test.jsonl': lines(ROWS.slice(0, 2)), ...mesh({ a: writePly(plain) }) })
    const opened = await openExplore(`vsi-bench:${path}`)
    const player = scripted([done], 'official', opened.roots)
    await vsiExplore.play(
      await sampleById(opened, '3'),
      player.episode,
      exploreOptions.parse({ firstView: 'visibility' }),
    )
    const { scores } = player.events.find(({ type }) => type === 'vsi/first-view') as unknown as { scores: number[] }
    expect(Math.max(...scores)).toBeGreaterThan(0.5)
  })

  test('an unknown question type counts as missing, not as wrong', async () => {
    const path = await folder('unknown', { 'test.jsonl': lines(ROWS), ...mesh({ a: room() }) })
    const opened = await openExplore(`vsi-bench:${path}`)
    const played = vsiExplore.play(
      await sampleById(opened, '13'),
      scripted([done], 'official', opened.roots).episode,
      options,
    )
    await expect(played).rejects.toThrow('object_colour')
  })
})

describe('videos', () => {
  const options = videoOptions.parse({ frames: 4 })

  test('give N frames by the sampling rule, in order and with provenance', async () => {
    const path = await folder('videos', {
      'test.jsonl': lines(ROWS.slice(0, 3)),
      'scannet/scene0001_00.mp4': await grayVideo(10),
    })
    const opened = await openVideoSource(`vsi-bench:${path}`)
    const player = scripted(['{"reasoning": "…", "answer": 4}'], 'official', opened.roots)
    const { status, outcome } = await vsiVideo.play(await sampleById(opened, '3'), player.episode, options)
    expect({ status, answer: outcome.answer, pictures: outcome.pictures }).toEqual({
      status: 'answered',
      answer: '4',
      pictures: 4,
    })
    expect(player.events.filter(({ type }) => type === 'vsi/frame').map(({ frame }) => frame)).toEqual([0, 3, 6, 9])
    await expect(vsiVideo.play(await sampleById(opened, '11'), player.episode, options)).rejects.toThrow(
      MissingAssetError,
    )
    const whole = scripted(['4'], 'official', opened.roots)
    await vsiVideo.play(await sampleById(opened, '3'), whole.episode, videoOptions.parse({ input: 'video' }))
    expect(whole.kept.map(({ type }) => type)).toEqual(['video/mp4'])
  })

  test('are missing if they end early or are empty', async () => {
    const video = await grayVideo(12)
    const path = await folder('short', {
      'test.jsonl': lines(ROWS.slice(0, 3)),
      'scannet/scene0001_00.mp4': video.slice(0, Math.floor(video.length * 0.6)),
      'arkitscenes/41069025.mp4': await grayVideo(2),
    })
    const opened = await openVideoSource(`vsi-bench:${path}`)
    await expect(
      vsiVideo.play(await sampleById(opened, '3'), scripted(['4'], 'official', opened.roots).episode, options),
    ).rejects.toThrow(MissingAssetError)
    const few = await vsiVideo.play(
      await sampleById(opened, '11'),
      scripted(['{"answer": 26}'], 'official', opened.roots).episode,
      options,
    )
    expect(few.outcome.pictures).toBe(2)
    await writeFile(join(path, 'scannet/scene0001_00.mp4'), '')
    expect((await openVideoSource(`vsi-bench:${path}`)).notes!.join('\n')).toContain('0 bytes')
  })
})

test.each([
  ['object_counting', 'How many trash can(s) are in this room?', ['trash can']],
  [
    'object_abs_distance',
    'Measuring from the closest point of each object, what is the distance between the stove and the tv (in meters)?',
    ['stove', 'tv'],
  ],
  [
    'object_rel_distance',
    'Measuring from the closest point of each object, which of these objects (sofa, tv, bed) is the closest to the door?',
    ['door', 'sofa', 'tv', 'bed'],
  ],
  [
    'object_rel_direction_hard',
    'If I am standing by the bed and facing the tv, is the sofa to my front-left, front-right, back-left, or back-right?',
    ['bed', 'tv', 'sofa'],
  ],
] as const)('%s: the objects of a question', (type, question, names) => {
  expect(categoriesIn(type, question)).toEqual(names)
})
