/**
 * The published rendered scenes: one folder a scene (`run00` …) with `meta_data.json`, a picture for every camera and
 * heading (`<camera>_facing_<heading>.png`), the same after the changes (`…_fbexp.png`, `falsebelief_exp.json`) and the
 * contact sheet; the calibration picture stands beside the folders.
 */
import { readdir, readFile, stat } from 'node:fs/promises'
import { basename, dirname, join } from 'node:path'
import { z } from 'zod'
import { MissingAssetError, UserError, whyUnreadable } from '../../../base/errors.ts'
import { sha256 } from '../../../base/hash.ts'
import { listingHash } from '../../../base/listing.ts'
import { shortHash } from '../../../engine/fingerprint.ts'
import { placeOf, registerPlace } from '../../../engine/places.ts'
import type { Episode, SourceKind } from '../../../engine/suite.ts'
import { type Bitmap, decodeImage, encodePng, encoderName, resizeBitmap } from '../../../media/image.ts'
import type { MediaRef } from '../../../media/ref.ts'
import type { Change } from '../cases/revise.ts'
import { caseOf, CHANGED_SCENE, parseJson } from '../cases/sources.ts'
import type { PictureFiles, SpaceSample } from '../cases/sample.ts'
import type { Eyes } from '../play/renderer.ts'
import { headingName } from '../domain/grid/relations.ts'
import { sceneFromJson, sceneId } from '../domain/grid/scene-json.ts'
import type { Scene } from '../domain/grid/scene.ts'
import { START } from '../domain/grid/view.ts'
import type { SpaceOptions } from '../options.ts'
import type { Profile } from '../domain/profile.ts'
import { PICTURE_SIZE } from '../domain/vision/camera.ts'
import { fogPicture, MAP_SIZE } from '../play/pictures/fog-picture.ts'
import { calibrationPicture } from '../play/pictures/instructions.ts'

const SCENE = 'meta_data.json'
const CALIBRATION = 'instruction.png'
const OBJECTS = 'orientation_instruction.png'
const HEADINGS = ['north', 'east', 'south', 'west'] as const

/** What names the pictures; the scene itself is read by `sceneFromJson`. */
const cameras = z.object({
  objects: z.array(
    z.object({
      name: z.string(),
      // It becomes part of a file name.
      object_id: z.union([z.int(), z.string().regex(/^\w{1,40}$/)]),
    }),
  ),
})

export const published: SourceKind<SpaceOptions, SpaceSample> = {
  title: 'the published rendered scenes: a folder of runs, or one run',
  usage: 'published:/path',
  async open({ path }, options, run) {
    if (path === null)
      throw new UserError('Where are the rendered scenes? Give their folder: --source published:/path.')
    const runs = await runFolders(path)
    const cases: SpaceSample[] = []
    const notes: string[] = []
    for (const folder of runs) {
      const { sample, missing } = await readRun(folder, options, run.profile as Profile)
      cases.push(sample)
      if (missing > 0) notes.push(`${basename(folder)}: ${missing} pictures are missing; looking there fails`)
    }
    return {
      fingerprint: `published/${shortHash(cases.map(({ scene, revision }) => [sceneId(scene), revision]))}`,
      count: cases.length,
      notes,
      files: () => listingHash(runs),
      cases: () => cases,
    }
  },
}

async function runFolders(path: string): Promise<string[]> {
  let entries: string[]
  try {
    entries = await readdir(path)
  } catch (error) {
    throw new UserError(`The rendered scenes ${path} cannot be read: ${whyUnreadable(error)}.`, { cause: error })
  }
  if (entries.includes(SCENE)) return [path]
  const runs: string[] = []
  for (const entry of entries.toSorted()) if (await exists(join(path, entry, SCENE))) runs.push(join(path, entry))
  if (runs.length === 0) {
    throw new UserError(`There is no rendered scene in ${path}.`, {
      hint: `A scene is a folder with ${SCENE} and its pictures; give that folder or the one above it.`,
    })
  }
  return runs
}

async function readRun(
  folder: string,
  options: SpaceOptions,
  profile: Profile,
): Promise<{ sample: SpaceSample; missing: number }> {
  const file = join(folder, SCENE)
  const json = parseJson(await readFile(file, 'utf8'), file)
  const scene = sceneFromJson(json, file)
  const sample = caseOf(basename(folder).replaceAll(/[^\w.-]+/g, '-'), scene, { ...options, revision: false }, profile)
  const pictures: PictureFiles = {
    key: `space/${shortHash([sample.id, sceneId(scene)])}`,
    cameras: camerasOf(json, file),
  }
  registerPlace(pictures.key, folder)
  const revision = options.revision ? await changedScene(folder, scene) : null
  const present = new Set(await readdir(folder))
  const wanted = [START, ...scene.order].flatMap((anchor) =>
    HEADINGS.flatMap((heading) => [
      pictureName(pictures, anchor, heading, false),
      ...(revision === null ? [] : [pictureName(pictures, anchor, heading, true)]),
    ]),
  )
  const missing = [OBJECTS, ...wanted].filter((name) => !present.has(name)).length
  return { sample: { ...sample, revision, pictures }, missing }
}

function camerasOf(json: unknown, file: string): Record<string, string> {
  const read = cameras.safeParse(json)
  if (!read.success) {
    throw new UserError(`${file} does not say which pictures belong to its objects: each needs an "object_id".`)
  }
  return Object.fromEntries(read.data.objects.map(({ name, object_id: id }) => [name.replaceAll('_', ' '), String(id)]))
}

/** The scene after the changes that were rendered, and what they are. */
async function changedScene(folder: string, before: Scene): Promise<{ scene: Scene; changes: Change[] }> {
  const file = join(folder, CHANGED_SCENE)
  if (!(await exists(file))) {
    throw new UserError(`${folder} has no ${CHANGED_SCENE}: this scene was not rendered after changes.`, {
      hint: 'Play it without -T revision=true.',
    })
  }
  const scene = sceneFromJson(parseJson(await readFile(file, 'utf8'), file), file)
  const old = new Map(before.objects.map((object) => [object.name, object]))
  const changes = scene.objects.flatMap(({ name, pos, heading, oriented }): Change[] => {
    const was = old.get(name)
    if (was === undefined) return []
    if (String(was.pos) !== String(pos)) return [{ name, kind: 'position' }]
    return oriented && String(was.heading) !== String(heading) ? [{ name, kind: 'orientation' }] : []
  })
  return { scene, changes }
}

function pictureName({ cameras: ids }: PictureFiles, anchor: string, heading: string, changed: boolean): string {
  const camera = anchor === START ? 'agent' : Object.hasOwn(ids, anchor) ? ids[anchor] : undefined
  if (camera === undefined) throw new MissingAssetError(`The rendered scene has no camera at “${anchor}”.`)
  return `${camera}_facing_${heading}${changed ? '_fbexp' : ''}.png`
}

/** Eyes that read files. Nothing is known of them but their pixels: no depth, no ids. */
export function fileEyes(sample: SpaceSample, pictures: PictureFiles, episode: Episode): Eyes {
  const profile = episode.profile as Profile
  const folder = placeOf(pictures.key, `The rendered scene ${sample.id}`)
  return {
    async instructions() {
      const calibration = join(dirname(folder), CALIBRATION)
      const first = (await exists(calibration))
        ? await keepFile(episode, calibration, true)
        : // The picture of the data set is shared by all its scenes, and is not in the folder of one.
          await episode.keep(calibrationPicture(profile), 'image/png', { made: 'render', what: 'calibration' })
      return [first, await keepFile(episode, join(folder, OBJECTS), false)]
    },
    async observe({ anchor, pose }, scene) {
      const name = pictureName(pictures, anchor, headingName(pose.heading), scene !== sample.scene)
      return { picture: await keepFile(episode, join(folder, name), true), sight: null, hidden: [] }
    },
    async fog(probe, scene, pose) {
      const size = { width: MAP_SIZE, height: MAP_SIZE }
      const provenance = { made: 'render', what: 'fog', scene: sceneId(scene), cell: pose.pos }
      return episode.keep(await fogPicture(probe, scene, pose), 'image/png', provenance, size)
    },
  }
}

/** A picture of the data set; views are scaled to the size of the protocol, with Lanczos as published. */
async function keepFile(episode: Episode, file: string, isView: boolean): Promise<MediaRef> {
  const { bytes, read } = await readPicture(file)
  const bitmap = isView ? await resizeBitmap(read, PICTURE_SIZE, PICTURE_SIZE) : read
  const provenance = {
    made: 'file',
    file: basename(file),
    source: sha256(bytes),
    resize: isView ? `lanczos3 ${PICTURE_SIZE}×${PICTURE_SIZE}` : null,
    encoder: encoderName('image/png'),
  }
  const { width, height } = bitmap
  return episode.keep(await encodePng(bitmap), 'image/png', provenance, { width, height })
}

/** What is missing or broken ends the episode that looks at it, not the run. */
async function readPicture(file: string): Promise<{ bytes: Uint8Array; read: Bitmap }> {
  try {
    const bytes = await readFile(file)
    return { bytes, read: await decodeImage(bytes) }
  } catch (error) {
    throw new MissingAssetError(`The picture ${file} cannot be read: ${whyUnreadable(error)}.`, { cause: error })
  }
}

async function exists(path: string): Promise<boolean> {
  return stat(path).then(
    () => true,
    () => false,
  )
}
