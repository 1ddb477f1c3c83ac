/** Where scenes come from, and what is asked about them. */
import { readdir, readFile, stat } from 'node:fs/promises'
import { join } from 'node:path'
import { z } from 'zod'
import { messageOf, UserError } from '../../base/errors.ts'
import { shortHash } from '../../engine/fingerprint.ts'
import type { SourceKind } from '../../engine/suite.ts'
import { Random } from '../../base/random.ts'
import { reviseScene } from './belief/revision.ts'
import type { SpaceCase } from './episode.ts'
import { generateScene } from './grid/generate.ts'
import type { Topology } from './grid/layout.ts'
import { sceneFromJson, sceneId } from './grid/scene-json.ts'
import type { Scene } from './grid/scene.ts'
import { roomIds } from './grid/view.ts'
import { type SpaceOptions, tasksOf } from './options.ts'
import type { Profile } from './profile.ts'
import { generateQuestions, hasAllTasks } from './tasks/index.ts'

/** Raised whenever the same seed gives other scenes or questions. */
const GENERATOR_VERSION = 1
const PUBLISHED_SCENES = 100

const builtinArguments = z.strictObject({
  seed: z.coerce.number().int().optional(),
  scenes: z.coerce.number().int().min(1).max(1_000_000).default(PUBLISHED_SCENES),
})

export const builtin: SourceKind<SpaceOptions, SpaceCase> = {
  title: 'rooms drawn from a seed',
  usage: 'builtin:seed=7,scenes=100',
  open({ args, path }, options, run) {
    const parsed = builtinArguments.safeParse(args)
    if (path !== null || !parsed.success) {
      throw new UserError(`The built-in rooms are spelled ${builtin.usage}.`, {
        hint: 'seed and scenes are whole numbers; both may be left out.',
      })
    }
    const { scenes, seed = run.seed } = parsed.data
    // The first scene says at once whether rooms like these can be made at all.
    const profile = run.profile as Profile
    makeScene(`${seed}/0`, options, profile)
    return Promise.resolve({
      fingerprint: `builtin-${GENERATOR_VERSION}/${profile}/seed=${seed}/scenes=${scenes}`,
      count: scenes,
      *cases() {
        for (let i = 0; i < scenes; i++) {
          yield caseOf(
            `${seed}-${String(i).padStart(4, '0')}`,
            makeScene(`${seed}/${i}`, options, profile),
            options,
            profile,
          )
        }
      },
    })
  },
}

export const files: SourceKind<SpaceOptions, SpaceCase> = {
  title: 'scenes as JSON: a file or a folder, ours or as published',
  usage: 'scenes:/path',
  async open({ path }, options, run) {
    if (path === null) throw new UserError('Which scenes? Give a file or a folder: --source scenes:/path.')
    const scenes = await readScenes(path)
    return {
      fingerprint: `scenes/${shortHash(scenes.map(({ scene }) => sceneId(scene)))}`,
      count: scenes.length,
      *cases() {
        for (const { name, scene } of scenes) yield caseOf(name, scene, options, run.profile as Profile)
      },
    }
  },
}

/** A scene about which every task that is asked can be asked. */
function makeScene(seed: string, options: SpaceOptions, profile: Profile): Scene {
  const { rooms, topology, size, objects, spacing } = options
  const needsAll = options.tasks === 'all' && options.questions > 0
  return generateScene({
    seed,
    rooms,
    topology: topology as Topology,
    roomSize: [size, size],
    objectsPerRoom: objects,
    spacing,
    profile,
    // A single small room may not have all nine kinds of question; then it is asked what it has.
    ...(needsAll && rooms > 1 ? { accept: (scene) => hasAllTasks(generateQuestions(scene, `accept/${seed}`, 1)) } : {}),
  })
}

/** Questions are drawn by scene, not by place in the source: the same scene is asked the same in every file. */
function caseOf(id: string, scene: Scene, options: SpaceOptions, profile: Profile): SpaceCase {
  const key = `space/questions/${sceneId(scene)}`
  return {
    id,
    cluster: id,
    labels: { rooms: String(roomIds(scene).length) },
    scene,
    questions: generateQuestions(scene, key, options.questions, profile, tasksOf(options)),
    revision: options.revision ? reviseScene(scene, new Random(`space/changes/${sceneId(scene)}`)) : null,
  }
}

interface NamedScene {
  name: string
  scene: Scene
}

/** One scene a file, or a list of them; a folder is read file by file, in order of name. */
async function readScenes(path: string): Promise<NamedScene[]> {
  const found: NamedScene[] = []
  for (const file of await jsonFiles(path)) {
    const json = parseJson(await readFile(file, 'utf8'), file)
    for (const [i, item] of listOf(json).entries()) {
      const name = nameOf(item) ?? `${file.slice(path.length).replaceAll(/[^\w-]+/g, '-') || 'scene'}-${i}`
      found.push({ name, scene: sceneFromJson(item, `${file}, scene ${i}`) })
    }
  }
  if (found.length === 0) throw new UserError(`There is no scene in ${path}.`)
  const names = new Set(found.map(({ name }) => name))
  if (names.size < found.length) throw new UserError(`Two scenes in ${path} have the same id.`)
  return found
}

async function jsonFiles(path: string): Promise<string[]> {
  let isFolder: boolean
  try {
    isFolder = (await stat(path)).isDirectory()
  } catch (error) {
    throw new UserError(`The scenes ${path} cannot be read: ${messageOf(error)}`, { cause: error })
  }
  if (!isFolder) return [path]
  const entries = await readdir(path, { recursive: true })
  return entries
    .filter((entry) => entry.endsWith('.json'))
    .sort()
    .map((entry) => join(path, entry))
}

function parseJson(text: string, file: string): unknown {
  try {
    return JSON.parse(text)
  } catch (error) {
    throw new UserError(`${file} is not JSON: ${messageOf(error)}`, { cause: error })
  }
}

/** The published files keep their scenes under `rooms`. */
function listOf(json: unknown): unknown[] {
  if (Array.isArray(json)) return json
  if (typeof json === 'object' && json !== null && 'rooms' in json && Array.isArray(json.rooms)) return json.rooms
  return [json]
}

function nameOf(item: unknown): string | null {
  if (typeof item !== 'object' || item === null || !('id' in item)) return null
  return typeof item.id === 'string' && /^[\w.-]+$/.test(item.id) ? item.id : null
}
