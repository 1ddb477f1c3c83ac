/**
 * The published rendered scenes: one folder per scene (`run00` …) with `meta_data.json`, an image for every camera and
 * heading (`<camera>_facing_<heading>.png`), the same after the changes (`falsebelief_exp.json`, `…_fbexp.png`) and the
 * contact sheet; the calibration image is next to the folders.
 */
import { readdir } from 'node:fs/promises'
import { basename, join } from 'node:path'
import {
  defineSource,
  listingHash,
  shortHash,
  type SourceRequest,
  UserError,
  fileErrorReason,
  z,
  plural,
  readRegularText,
} from '../../../suite.ts'
import type { ImageFiles, SpaceSample } from '../samples/sample.ts'
import { CHANGED_SCENE, parseJson, sampleOf } from '../samples/sources.ts'
import { sceneFromJson, sceneId } from '../domain/grid/scene-json.ts'
import type { Change, RevisedScene, Scene } from '../domain/grid/scene.ts'
import { START } from '../domain/grid/view.ts'
import type { Profile } from '../domain/profile.ts'
import type { SpaceOptions } from '../options.ts'
import { exists, OBJECTS, imageName } from './image-files.ts'

const SCENE = 'meta_data.json'
const HEADINGS = ['north', 'east', 'south', 'west'] as const

/** The ids in image file names; `sceneFromJson` reads the scene itself. */
const cameras = z.object({
  objects: z.array(
    z.object({
      name: z.string(),
      // Becomes part of a file name.
      object_id: z.union([z.int(), z.string().regex(/^\w{1,40}$/)]),
    }),
  ),
})

export const renderedScenes = defineSource({
  title: 'published rendered scenes: a folder of runs, or one run',
  usage: 'published:/path',
  dataset: {
    name: 'tos-data',
    license: 'CC-BY-4.0',
    from: { hub: 'MLL-Lab/tos-data' },
    unpack: ['**/*.zip'],
  },
  args: z.object({ path: z.string().describe('folder of runs, or folder of one run') }),
  async open({ args: { path }, options, profile }: SourceRequest<SpaceOptions, { path: string }, Profile>) {
    const runs = await runFolders(path)
    const samples: SpaceSample[] = []
    const notes: string[] = []
    const roots: Record<string, string> = {}
    for (const folder of runs) {
      const { sample, images, missing } = await readRun(folder, options, profile)
      samples.push(sample)
      roots[images.key] = folder
      if (missing > 0) {
        notes.push(`${basename(folder)}: ${plural(missing, 'image')} missing; observing there fails`)
      }
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
    throw new UserError(`Cannot read the rendered scenes in ${path}: ${fileErrorReason(error)}.`, { cause: error })
  }
  if (entries.includes(SCENE)) return [path]
  const runs: string[] = []
  for (const entry of entries.toSorted()) if (await exists(join(path, entry, SCENE))) runs.push(join(path, entry))
  if (runs.length === 0) {
    throw new UserError(`No rendered scenes in ${path}.`, {
      hint: `A scene is a folder with ${SCENE} and its images. Use that folder or its parent.`,
    })
  }
  return runs
}

async function readRun(
  folder: string,
  options: SpaceOptions,
  profile: Profile,
): Promise<{ sample: SpaceSample; images: ImageFiles; missing: number }> {
  const file = join(folder, SCENE)
  const json = parseJson(await readRegularText(file), file)
  const scene = sceneFromJson(json, file)
  const sample = sampleOf(
    basename(folder).replaceAll(/[^\w.-]+/g, '-'),
    scene,
    { ...options, revision: false },
    profile,
  )
  const images: ImageFiles = {
    key: `space/${shortHash([sample.id, sceneId(scene)])}`,
    cameras: camerasOf(json, file),
  }
  const revision = options.revision ? await changedScene(folder, scene) : null
  const present = new Set(await readdir(folder))
  const wanted = [START, ...scene.order].flatMap((anchor) =>
    HEADINGS.flatMap((heading) => [
      imageName(images, anchor, heading, false),
      ...(revision === null ? [] : [imageName(images, anchor, heading, true)]),
    ]),
  )
  const missing = [OBJECTS, ...wanted].filter((name) => !present.has(name)).length
  return { sample: { ...sample, revision, pictures: images }, images, missing }
}

function camerasOf(json: unknown, file: string): Record<string, string> {
  const read = cameras.safeParse(json)
  if (!read.success) {
    throw new UserError(`${file} is invalid: every object needs an "object_id", which names its images.`)
  }
  return Object.fromEntries(read.data.objects.map(({ name, object_id: id }) => [name.replaceAll('_', ' '), String(id)]))
}

/** The changed scene and its changes, as rendered. */
async function changedScene(folder: string, before: Scene): Promise<RevisedScene> {
  const file = join(folder, CHANGED_SCENE)
  if (!(await exists(file))) {
    throw new UserError(`${folder} has no ${CHANGED_SCENE}, which -T revision=true needs.`, {
      hint: 'Run without -T revision=true.',
    })
  }
  const scene = sceneFromJson(parseJson(await readRegularText(file), file), file)
  const old = new Map(before.objects.map((object) => [object.name, object]))
  const changes = scene.objects.flatMap(({ name, pos, heading, oriented }): Change[] => {
    const was = old.get(name)
    if (was === undefined) return []
    if (String(was.pos) !== String(pos)) return [{ name, kind: 'position' }]
    return oriented && String(was.heading) !== String(heading) ? [{ name, kind: 'orientation' }] : []
  })
  return { scene, changes }
}
