import { access, readdir } from 'node:fs/promises'
import { join, relative } from 'node:path'
import { UserError } from '../../base/errors.ts'
import { readRegularText } from '../../base/regular-file.ts'

/** The datasets of scanned rooms whose folders are understood. */
export const SCAN_DATASETS = ['scannet', 'scannetpp', 'arkitscenes'] as const
export type ScanDataset = (typeof SCAN_DATASETS)[number]

/** What was found of one scene. */
export interface Scan {
  dataset: ScanDataset
  sceneId: string
  /** Path of the mesh (meters, z up, colors at the vertices); undefined when it is not there. */
  mesh: string | undefined
  /** Path of the video; undefined when it is not there. */
  video: string | undefined
  /** The still frames in the order of the capture; empty when they are not there. */
  frames: readonly string[]
  /** What is not there, each as a sentence that says where below the root it was looked for. */
  missing: readonly string[]
}

interface Layout {
  title: string
  /** Form of a scene's name; anything else is not looked for on disk. */
  sceneId: RegExp
  /** Where the mesh may be, best first, from the folder of the dataset. */
  meshes(id: string): string[]
  frames(id: string): { folder: string; file: RegExp; order: (name: string) => number }[]
}

/** Time in an ARKitScenes file name: `41069025_3379.247.png`. As text, `…_1000.1` would come before `…_589.3`. */
const afterUnderscore = (name: string) => Number(/_([\d.]+)\.[a-z]+$/i.exec(name)?.[1] ?? Number.NaN)
const wholeNumber = (name: string) => Number.parseInt(name.replaceAll(/\D/g, ''), 10)

const LAYOUTS: Readonly<Record<ScanDataset, Layout>> = {
  scannet: {
    title: 'ScanNet',
    sceneId: /^scene\d{4}_\d{2}$/,
    meshes: (id) => [`${id}/${id}_vh_clean_2.ply`, `scans/${id}/${id}_vh_clean_2.ply`],
    frames: (id) => [{ folder: `${id}/frames/color`, file: /\.jpe?g$/i, order: wholeNumber }],
  },
  scannetpp: {
    title: 'ScanNet++',
    sceneId: /^[0-9a-z]{10}$/,
    meshes: (id) => [
      `${id}/scans/mesh_aligned_0.05.ply`,
      `${id}/mesh_aligned_0.05.ply`,
      `data/${id}/scans/mesh_aligned_0.05.ply`,
    ],
    frames: (id) => [{ folder: `${id}/dslr/resized_undistorted_images`, file: /\.jpe?g$/i, order: wholeNumber }],
  },
  arkitscenes: {
    title: 'ARKitScenes',
    sceneId: /^\d{8}$/,
    meshes: (id) =>
      // The publisher's script makes a folder for each of its datasets; 3dod and raw have the mesh.
      ['', '3dod/', 'raw/']
        .flatMap((part) => ['Validation', 'Training'].map((split) => `${part}${split}`))
        .concat('.')
        .map((split) => `${split}/${id}/${id}_3dod_mesh.ply`),
    frames: (id) =>
      ['Validation', 'Training'].map((split) => ({
        folder: `${split}/${id}/vga_wide`,
        file: /\.png$/i,
        order: afterUnderscore,
      })),
  },
}

/**
 * Looks for a scene's mesh, video and frames in the folder layouts that the datasets are published in.
 * `root` may be the folder of the dataset itself or a folder that holds one folder per dataset.
 *
 * @example
 * const { mesh, missing } = await findScan('/data', 'scannet', 'scene0251_00')
 */
export async function findScan(root: string, dataset: ScanDataset, sceneId: string): Promise<Scan> {
  const layout = LAYOUTS[dataset]
  // Names come from data files: they must never lead out of the folder.
  if (!layout.sceneId.test(sceneId)) {
    throw new UserError(`"${sceneId.slice(0, 40)}" is not the name of a ${layout.title} scene.`, {
      hint: 'Names look like scene0251_00 (ScanNet), 7b6477cb95 (ScanNet++) and 41069025 (ARKitScenes).',
    })
  }
  const bases = [root, join(root, dataset)]
  const meshPaths = bases.flatMap((base) => layout.meshes(sceneId).map((path) => join(base, path)))
  const videoPaths = bases.map((base) => join(base, `${sceneId}.mp4`))
  const mesh = await firstExisting(meshPaths)
  const video = await firstExisting(videoPaths)
  const frames = await firstFrames(bases, layout.frames(sceneId))
  const missing: string[] = []
  const below = (path: string) => relative(root, path)
  if (!mesh) {
    const others = meshPaths.length - 1
    missing.push(`mesh of ${sceneId}: not at ${below(meshPaths[0]!)} nor in the ${others} other usual places`)
  }
  if (frames.length === 0)
    missing.push(
      `frames of ${sceneId}: not in ${layout
        .frames(sceneId)
        .map(({ folder }) => folder)
        .join(' nor in ')}`,
    )
  if (!video) missing.push(`video of ${sceneId}: neither at ${videoPaths.map(below).join(' nor at ')}`)
  return { dataset, sceneId, mesh, video, frames, missing }
}

const SKY_DIRECTIONS = ['Up', 'Left', 'Down', 'Right'] as const
/** Which side of a frame shows what is up. */
export type SkyDirection = (typeof SKY_DIRECTIONS)[number]

const MAX_METADATA_BYTES = 50 * 1024 ** 2

/** Where the sky is in a scene's frames, from the metadata.csv of ARKitScenes; `Up` in other datasets and without it. */
export async function skyDirection(root: string, dataset: ScanDataset, sceneId: string): Promise<SkyDirection> {
  if (dataset !== 'arkitscenes') return 'Up'
  const folders = [root, join(root, dataset)].flatMap((base) => ['', '3dod', 'raw'].map((part) => join(base, part)))
  const path = await firstExisting(folders.map((folder) => join(folder, 'metadata.csv')))
  if (path === undefined) return 'Up'
  const [header = '', ...lines] = (await readRegularText(path, MAX_METADATA_BYTES)).split(/\r?\n/)
  const columns = header.split(',')
  const [id, sky] = [columns.indexOf('video_id'), columns.indexOf('sky_direction')]
  const row = lines.map((line) => line.split(',')).find((cells) => cells[id] === sceneId)
  return SKY_DIRECTIONS.find((direction) => direction === row?.[sky]) ?? 'Up'
}

async function firstExisting(paths: readonly string[]): Promise<string | undefined> {
  for (const path of paths) {
    try {
      await access(path)
      return path
    } catch {
      // Not here; look in the next place.
    }
  }
  return undefined
}

async function firstFrames(bases: readonly string[], places: ReturnType<Layout['frames']>): Promise<string[]> {
  for (const base of bases) {
    for (const { folder, file, order } of places) {
      const names = await readdir(join(base, folder)).catch((): string[] => [])
      const frames = names.filter((name) => file.test(name))
      if (frames.length === 0) continue
      const sorted = frames.sort((a, b) => order(a) - order(b) || (a < b ? -1 : 1))
      return sorted.map((name) => join(base, folder, name))
    }
  }
  return []
}
