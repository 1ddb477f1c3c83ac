import { mkdir, mkdtemp, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { dirname, join } from 'node:path'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { findScan, type ScanDataset, skyDirection } from './scans.ts'

let root: string
beforeAll(async () => {
  root = await mkdtemp(join(tmpdir(), 'sightline-scans-'))
  const files = [
    'scannet/scene0251_00/scene0251_00_vh_clean_2.ply',
    'scannet/scene0251_00.mp4',
    'scannet/scene0251_00/frames/color/10.jpg',
    'scannet/scene0251_00/frames/color/9.jpg',
    'scannetpp/3864514494/scans/mesh_aligned_0.05.ply',
    'scannetpp/7b6477cb95/mesh_aligned_0.05.ply',
    'arkitscenes/Training/41069025/41069025_3dod_mesh.ply',
    'arkitscenes/Training/41069025/vga_wide/41069025_1000.1.png',
    'arkitscenes/Training/41069025/vga_wide/41069025_589.3.png',
  ]
  for (const file of files) {
    await mkdir(dirname(join(root, file)), { recursive: true })
    await writeFile(join(root, file), '')
  }
})
afterAll(() => rm(root, { recursive: true }))

describe('a scan is found', () => {
  test.each<[ScanDataset, string, string]>([
    ['scannet', 'scene0251_00', 'scannet/scene0251_00/scene0251_00_vh_clean_2.ply'],
    ['scannetpp', '3864514494', 'scannetpp/3864514494/scans/mesh_aligned_0.05.ply'],
    ['scannetpp', '7b6477cb95', 'scannetpp/7b6477cb95/mesh_aligned_0.05.ply'],
    ['arkitscenes', '41069025', 'arkitscenes/Training/41069025/41069025_3dod_mesh.ply'],
  ])('in the folders of %s: %s', async (dataset, id, mesh) => {
    expect((await findScan(root, dataset, id)).mesh).toBe(join(root, mesh))
    expect((await findScan(join(root, dataset), dataset, id)).mesh).toBe(join(root, mesh))
  })

  test('with its frames in the order of the capture', async () => {
    const { frames } = await findScan(root, 'arkitscenes', '41069025')
    expect(frames.map((path) => path.split('_').at(-1))).toEqual(['589.3.png', '1000.1.png'])
    const scannet = await findScan(root, 'scannet', 'scene0251_00')
    expect(scannet.frames.map((path) => path.split('/').at(-1))).toEqual(['9.jpg', '10.jpg'])
    expect(scannet.missing).toEqual([])
  })
})

test('knows which side of ARKitScenes frames is up', async () => {
  await writeFile(join(root, 'metadata.csv'), 'video_id,visit_id,fold,sky_direction\n41069025,1,Training,Left\n')
  const sky = (dataset: ScanDataset, id: string) => skyDirection(root, dataset, id)
  expect(await sky('arkitscenes', '41069025')).toBe('Left')
  expect(await sky('arkitscenes', '41069026')).toBe('Up')
  expect(await sky('scannet', 'scene0251_00')).toBe('Up')
})

test('lists missing files', async () => {
  const { mesh, missing } = await findScan(root, 'scannet', 'scene9999_00')
  expect(mesh).toBeUndefined()
  // These sentences end up in logs: they tell nothing of this machine.
  expect(missing).toEqual([
    'mesh of scene9999_00: not at scene9999_00/scene9999_00_vh_clean_2.ply nor in the 3 other usual places',
    'frames of scene9999_00: not in scene9999_00/frames/color',
    'video of scene9999_00: neither at scene9999_00.mp4 nor at scannet/scene9999_00.mp4',
  ])
})

test.each<[ScanDataset, string]>([
  ['scannet', '../../etc'],
  ['arkitscenes', 'scene0251_00'],
  ['scannetpp', ''],
])('a name that is none of %s is refused: "%s"', async (dataset, id) => {
  await expect(findScan(root, dataset, id)).rejects.toThrow(/is not the name of/)
})
