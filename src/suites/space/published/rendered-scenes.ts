/**
 * The published rendered scenes: one folder a scene (`run00` …) with `meta_data.json`, a picture for every camera and
 * heading (`<camera>_facing_<heading>.png`), the same after the changes (`…_fbexp.png`, `falsebelief_exp.json`) and the
 * contact sheet; the calibration picture stands beside the folders.
 */
import { readdir, readFile } from 'node:fs/promises'
import { basename, join } from 'node:path'
import {
  defineSource,
  listingHash,
  shortHash,
  type SourceRequest,
  UserError,
  fileErrorReason,
  z,
} from '../../../suite.ts'
import type { PictureFiles, SpaceSample } from '../samples/sample.ts'
import { CHANGED_SCENE, parseJson, sampleOf } from '../samples/sources.ts'
import { sceneFromJson, sceneId } from '../domain/grid/scene-json.ts'
import type { Change, Revised, Scene } from '../domain/grid/scene.ts'
import { START } from '../domain/grid/view.ts'
import type { Profile } from '../domain/profile.ts'
import type { SpaceOptions } from '../options.ts'
import { exists, OBJECTS, pictureName } from './picture-files.ts'

const SCENE = 'meta_data.json'
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

export const renderedScenes = defineSource({
  title: 'the published rendered scenes: a folder of runs, or one run',
  usage: 'published:/path',
  args: z.object({ path: z.string().describe('folder of runs, or of one run') }),
  async open({ args: { path }, options, profile }: SourceRequest<SpaceOptions, { path: string }, Profile>) {
    const runs = await runFolders(path)
    const samples: SpaceSample[] = []
    const notes: string[] = []
    const roots: Record<string, string> = {}
    for (const folder of runs) {
      const { sample, pictures, missing } = await readRun(folder, options, profile)
      samples.push(sample)
      roots[pictures.key] = folder
      if (missing > 0) notes.push(`${basename(folder)}: ${missing} pictures are missing; looking there fails`)
    }
    return {
      fingerprint: `published/${shortHash(samples.map(({ scene, revision }) => [sceneId(scene), revision]))}`,
      count: samples.length,
      notes,
      roots,
      files: () => listingHash(runs),
      samples: () => samples,
    }
  },
})

async function runFolders(path: string): Promise<string[]> {
  let entries: string[]
  try {
    entries = await readdir(path)
  } catch (error) {
    throw new UserError(`The rendered scenes ${path} cannot be read: ${fileErrorReason(error)}.`, { cause: error })
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
): Promise<{ sample: SpaceSample; pictures: PictureFiles; missing: number }> {
  const file = join(folder, SCENE)
  const json = parseJson(await readFile(file, 'utf8'), file)
  const scene = sceneFromJson(json, file)
  const sample = sampleOf(
    basename(folder).replaceAll(/[^\w.-]+/g, '-'),
    scene,
    { ...options, revision: false },
    profile,
  )
  const pictures: PictureFiles = {
    key: `space/${shortHash([sample.id, sceneId(scene)])}`,
    cameras: camerasOf(json, file),
  }
  const revision = options.revision ? await changedScene(folder, scene) : null
  const present = new Set(await readdir(folder))
  const wanted = [START, ...scene.order].flatMap((anchor) =>
    HEADINGS.flatMap((heading) => [
      pictureName(pictures, anchor, heading, false),
      ...(revision === null ? [] : [pictureName(pictures, anchor, heading, true)]),
    ]),
  )
  const missing = [OBJECTS, ...wanted].filter((name) => !present.has(name)).length
  return { sample: { ...sample, revision, pictures }, pictures, missing }
}

function camerasOf(json: unknown, file: string): Record<string, string> {
  const read = cameras.safeParse(json)
  if (!read.success) {
    throw new UserError(`${file} does not say which pictures belong to its objects: each needs an "object_id".`)
  }
  return Object.fromEntries(read.data.objects.map(({ name, object_id: id }) => [name.replaceAll('_', ' '), String(id)]))
}

/** The scene after the changes that were rendered, and what they are. */
async function changedScene(folder: string, before: Scene): Promise<Revised> {
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
