/** From where a scene comes to what can be looked at: meshes and walkthroughs, kept while they are in use. */
import { readFile } from 'node:fs/promises'
import { messageOf, MissingAssetError, UserError } from '../../base/errors.ts'
import { hashOf, sha256 } from '../../base/hash.ts'
import { type Bitmap, openVideo, readFrames } from '../../media/index.ts'
import { quickPng } from '../../media/quick-png.ts'
import { film, planTour, type Tour } from '../../world/film/index.ts'
import { findScan, loadMesh, type ScanDataset } from '../../world/formats/index.ts'
import { type FreeSpace, freeSpace } from '../../world/geometry/index.ts'
import type { SceneObject, TriangleMesh } from '../../world/mesh.ts'
import { focalLength, type Pose } from '../../world/render/index.ts'
import { buildScene } from '../../world/rooms/assemble.ts'
import { generateScene } from '../../world/rooms/generate.ts'
import { type Scene, type SceneKind, sceneHash } from '../../world/rooms/scene.ts'
import type { Look, SceneOrigin } from './case.ts'
import { type Stage, StageCache, stageOf } from './stage.ts'

/** Where the files of opened sources are, by the name that their cases carry. Cases hold no paths. */
const roots = new Map<string, ScanRoots>()

export interface ScanRoots {
  videos: string
  meshes: string
}

export function registerScans(source: string, places: ScanRoots): void {
  roots.set(source, places)
}

const stages = new StageCache()

/** The scene, loaded or built. Throws `MissingAssetError` with the reason when its files are not there or broken. */
export function loadStage(origin: SceneOrigin): Promise<Stage> {
  return stages.get(hashOf(origin), () => (origin.kind === 'scan' ? scanStage(origin) : builtinStage(origin)))
}

async function scanStage({ source, dataset, scene }: Extract<SceneOrigin, { kind: 'scan' }>): Promise<Stage> {
  const path = await scanFile(source, dataset, scene, 'mesh')
  return asset(async () => {
    const { mesh, sha256: hash } = await loadMesh(path)
    return stageOf(mesh, hash)
  })
}

async function scanFile(source: string, dataset: ScanDataset, scene: string, what: 'mesh' | 'video'): Promise<string> {
  const places = roots.get(source)
  if (!places) throw new MissingAssetError(`the source of ${scene} was not opened in this process`)
  const scan = await asset(() => findScan(what === 'mesh' ? places.meshes : places.videos, dataset, scene))
  const path = scan[what]
  if (path === undefined)
    throw new MissingAssetError(scan.missing.find((each) => each.startsWith(what)) ?? `${what} of ${scene}`)
  return path
}

/** What is wrong with a file is told in its own words; the case is left out, the others go on. */
async function asset<T>(load: () => Promise<T>): Promise<T> {
  try {
    return await load()
  } catch (error) {
    if (error instanceof UserError || error instanceof RangeError)
      throw new MissingAssetError(messageOf(error), { cause: error })
    throw error
  }
}

async function builtinStage({ scene, seed, look }: Extract<SceneOrigin, { kind: 'builtin' }>): Promise<Stage> {
  const built = builtScene(scene, seed, look)
  return stageOf(built.mesh, built.hash, { objects: built.objects, space: built.space() })
}

interface Built {
  scene: Scene
  hash: string
  mesh: TriangleMesh
  objects: readonly SceneObject[]
  space: () => FreeSpace
  tour: () => Tour
}

/** The last few scenes, whatever their look: questions, stages and films of one scene follow each other. */
const built = new Map<string, Built>()
const BUILT_LIMIT = 4

export function builtScene(kind: SceneKind, seed: number, look: Look): Built {
  const key = `${kind}/${seed}/${look}`
  const known = built.get(key)
  if (known) return known
  const scene = generateScene({ kind, seed })
  const { mesh, objects } = buildScene(scene, { light: look === 'lit' })
  let space: FreeSpace | undefined
  let tour: Tour | undefined
  const made: Built = {
    scene,
    hash: `${sceneHash(scene)}/${look}`,
    mesh,
    objects,
    space: () => (space ??= freeSpace(mesh)),
    tour: () => (tour ??= planTour(mesh, { space: made.space(), fps: FILM_FPS })),
  }
  built.set(key, made)
  if (built.size > BUILT_LIMIT) built.delete(built.keys().next().value!)
  return made
}

export const FILM_FPS = 10
/** Phones film wider than the agent sees is narrow: 66° from left to right. */
export const FILM_VIEW = { width: 640, height: 480, focal: 490, near: 0.1 } as const

export function filmCamera(pose: Pose): { pose: Pose; lens: ReturnType<typeof focalLength>; near: number } {
  return { pose, lens: focalLength(FILM_VIEW.focal, FILM_VIEW.width, FILM_VIEW.height), near: FILM_VIEW.near }
}

/** A recorded or rendered walk through the scene, as frames. */
export interface Walkthrough {
  frames: number
  /** Where each frame came from, for its provenance. */
  provenance: Readonly<Record<string, string | number>>
  pictures(indices: readonly number[]): Promise<WalkthroughFrame[]>
  /** The whole video as a file. */
  bytes(): Promise<Uint8Array>
}

export interface WalkthroughFrame {
  index: number
  png: Uint8Array
  width: number
  height: number
  pose: Pose | null
}

export async function openWalkthrough(origin: SceneOrigin): Promise<Walkthrough> {
  return origin.kind === 'scan' ? scanWalkthrough(origin) : builtinWalkthrough(origin)
}

async function scanWalkthrough({
  source,
  dataset,
  scene,
}: Extract<SceneOrigin, { kind: 'scan' }>): Promise<Walkthrough> {
  const path = await scanFile(source, dataset, scene, 'video')
  const { frames, decoder, hash } = await asset(async () => {
    const video = await openVideo(path)
    const opened = { frames: video.info.frames, decoder: video.decoder, hash: sha256(await readFile(path)) }
    await video.close()
    return opened
  })
  if (frames === 0) throw new MissingAssetError(`the video of ${scene} has no frames`)
  return {
    frames,
    provenance: { video: hash, decoder },
    pictures: (indices) =>
      asset(async () => {
        const video = await openVideo(path)
        try {
          const found = await readFrames(video, indices)
          const missing = indices.find((_, i) => found[i] === undefined)
          if (missing !== undefined) throw new UserError(`The video of ${scene} ends before its frame ${missing}.`)
          return found.map(({ index, bitmap }) => {
            const { width, height } = bitmap
            return { index, width, height, png: quickPng(bitmap), pose: null }
          })
        } finally {
          await video.close()
        }
      }),
    bytes: () => asset(() => readFile(path)),
  }
}

/** Frames of a built-in scene are drawn when they are asked for; only the whole video is encoded. */
async function builtinWalkthrough(origin: Extract<SceneOrigin, { kind: 'builtin' }>): Promise<Walkthrough> {
  const scene = builtScene(origin.scene, origin.seed, origin.look)
  const { frames } = scene.tour()
  const { width, height } = FILM_VIEW
  const draw = async (pose: Pose): Promise<Bitmap> => {
    const { renderer } = await loadStage(origin)
    const { color } = renderer.render(filmCamera(pose), { width, height, antialias: true })
    return { width, height, channels: 3, data: color }
  }
  return {
    frames: frames.length,
    provenance: { scene: scene.hash, fps: FILM_FPS },
    pictures: async (indices) => {
      const { pictures } = await loadStage(origin)
      return Promise.all(
        indices.map(async (index) => {
          const { pose } = frames[index]!
          const png = await pictures.get(`film/${index}`, async () => quickPng(await draw(pose)))
          return { index, width, height, pose, png }
        }),
      )
    },
    bytes: async () => (await film(scene.tour(), draw, { width, height })).bytes,
  }
}
