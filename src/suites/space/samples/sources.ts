/** Sources of scenes, and the questions about them. */
import { readdir, stat } from 'node:fs/promises'
import { join } from 'node:path'
import {
  defineSource,
  messageOf,
  Random,
  shortHash,
  type SourceRequest,
  UserError,
  fileErrorReason,
  z,
  readRegularText,
  parseForeignJson,
} from '../../../suite.ts'
import { TASK_NAMES, type TaskName } from '../domain/answers/question.ts'
import { sceneFromJson, sceneId } from '../domain/grid/scene-json.ts'
import type { RevisedScene, Scene } from '../domain/grid/scene.ts'
import { SPACING, type SpacingRules } from '../domain/grid/spacing.ts'
import { roomIds } from '../domain/grid/view.ts'
import type { Profile } from '../domain/profile.ts'
import type { SpaceOptions } from '../options.ts'
import { generateScene } from './generate.ts'
import type { Topology } from './layout.ts'
import { generateQuestions, hasAllTasks } from './questions.ts'
import { reviseScene } from './revise.ts'
import type { SpaceSample } from './sample.ts'

/** Increased when a seed gives different scenes, answers or ids, so that runs without recorded samples are not scored wrongly. */
const GENERATOR_VERSION = 3
const DEFAULT_SCENES = 100
/** File name of a changed scene in the published dataset. */
export const CHANGED_SCENE = 'falsebelief_exp.json'

/** Throws a `UserError` if the suite cannot play a scene. */
type CheckScene = (scene: Scene, from: string) => void

export function builtinRooms(check?: CheckScene) {
  return defineSource({
    title: 'rooms generated from a seed',
    usage: 'builtin:seed=7,scenes=100',
    args: z.object({
      seed: z.int().optional().describe('default: the seed of the run'),
      scenes: z.int().min(1).max(1_000_000).default(DEFAULT_SCENES).describe('number of scenes'),
    }),
    open({ args: { scenes }, options, seed, profile }: SourceRequest<SpaceOptions, { scenes: number }, Profile>) {
      // Generate the first scene now, to fail early if the options are impossible.
      const askAll = canAskEveryTask(`${seed}/0`, options, profile)
      const first = makeScene(`${seed}/0`, options, profile, askAll)
      check?.(first, `Scene 0 of seed ${seed}`)
      return Promise.resolve({
        fingerprint: `builtin-${GENERATOR_VERSION}/${profile}/seed=${seed}/scenes=${scenes}`,
        count: scenes,
        *samples() {
          for (let i = 0; i < scenes; i++) {
            const scene = i === 0 ? first : makeScene(`${seed}/${i}`, options, profile, askAll)
            check?.(scene, `Scene ${i} of seed ${seed}`)
            // The scene's hash in the id keeps runs with different rooms from being paired by number.
            const id = `${seed}-${String(i).padStart(4, '0')}-${sceneId(scene).slice(0, 6)}`
            yield sampleOf(id, scene, options, profile)
          }
        },
      })
    },
  })
}

export function sceneFiles(check?: CheckScene) {
  return defineSource({
    title: "JSON scenes, a file or folder, in Sightline's or a published format",
    usage: 'scenes:/path',
    args: z.object({ path: z.string().describe('file or folder') }),
    async open({ args: { path }, options, profile }: SourceRequest<SpaceOptions, { path: string }, Profile>) {
      const scenes = await readScenes(path)
      for (const { name, scene } of scenes) check?.(scene, `Scene ${name}`)
      return {
        fingerprint: `scenes-${GENERATOR_VERSION}/${shortHash(scenes.map(({ scene }) => sceneId(scene)))}`,
        count: scenes.length,
        *samples() {
          for (const { name, scene } of scenes) yield sampleOf(name, scene, options, profile)
        },
      }
    },
  })
}

/**
 * Can rooms with these options have a question of every task? A single room, or one with few objects, cannot; then all
 * scenes are accepted. Does not depend on the selected tasks, so they do not change the scenes.
 */
function canAskEveryTask(seed: string, options: SpaceOptions, profile: Profile): boolean {
  if (options.rooms === 1) return false
  try {
    makeScene(seed, options, profile, true)
    return true
  } catch (error) {
    if (error instanceof UserError) return false
    throw error
  }
}

function makeScene(seed: string, options: SpaceOptions, profile: Profile, askAll: boolean): Scene {
  const { rooms, topology, size, objects } = options
  return generateScene({
    seed,
    rooms,
    topology: topology as Topology,
    roomSize: [size, size],
    objectsPerRoom: objects,
    spacing: spacingOf(options),
    profile,
    ...(askAll ? { accept: (scene) => hasAllTasks(generateQuestions(scene, `accept/${seed}`, 1)) } : {}),
  })
}

/** Questions depend on the scene, not on its position in the source. */
export function sampleOf(id: string, scene: Scene, options: SpaceOptions, profile: Profile): SpaceSample {
  const key = `space/questions/${sceneId(scene)}`
  return {
    id,
    cluster: id,
    labels: { rooms: String(roomIds(scene).length) },
    scene,
    questions: generateQuestions(scene, key, options.questions, profile, tasksOf(options)),
    ...changesOf(scene, options, profile),
  }
}

function changesOf(scene: Scene, options: SpaceOptions, profile: Profile): Pick<SpaceSample, 'revision' | 'later'> {
  if (!options.revision) return { revision: null }
  const revised = [revisionOf(scene, options, profile)]
  while (revised.length < (options.changes ?? 1)) revised.push(revisionOf(revised.at(-1)!.scene, options, profile))
  const [revision, ...later] = revised
  return { revision: revision!, ...(later.length > 0 && { later }) }
}

/** Profile `upstream` moves objects anywhere; `fixed` follows the placement rules of the scene. */
function revisionOf(scene: Scene, options: SpaceOptions, profile: Profile): RevisedScene {
  const random = new Random(`space/changes/${sceneId(scene)}`)
  return reviseScene(scene, random, profile === 'fixed' ? { rules: spacingOf(options) } : {})
}

/** The preset with individual rules overridden. */
function spacingOf(options: SpaceOptions): SpacingRules {
  const preset = SPACING[options.spacing]
  return {
    minDistance: options.minDistance ?? preset.minDistance,
    clearNeighbours: options.clearNeighbours ?? preset.clearNeighbours,
    collinearWithin: options.collinearWithin ?? preset.collinearWithin,
    orientedInFirst: options.orientedInFirst ?? preset.orientedInFirst,
    orientedInOthers: options.orientedInOthers ?? preset.orientedInOthers,
  }
}

/** The selected tasks, in their standard order. */
function tasksOf({ tasks: text }: Pick<SpaceOptions, 'tasks'>): TaskName[] {
  const wanted = new Set(text.split(',').map((name) => name.trim()))
  return TASK_NAMES.filter((name) => text === 'all' || wanted.has(name))
}

interface NamedScene {
  name: string
  scene: Scene
}

/** Reads one scene or a list of scenes per file; the files of a folder in order of name. */
async function readScenes(path: string): Promise<NamedScene[]> {
  const found: NamedScene[] = []
  for (const file of await jsonFiles(path)) {
    const json = parseJson(await readRegularText(file), file)
    for (const [i, item] of listOf(json).entries()) {
      const name = nameOf(item) ?? `${file.slice(path.length).replaceAll(/[^\w-]+/g, '-') || 'scene'}-${i}`
      found.push({ name, scene: sceneFromJson(item, `${file}, scene ${i}`) })
    }
  }
  if (found.length === 0) throw new UserError(`No scenes in ${path}.`)
  const names = new Set(found.map(({ name }) => name))
  if (names.size < found.length) throw new UserError(`Scene ids in ${path} are not unique.`)
  return found
}

async function jsonFiles(path: string): Promise<string[]> {
  let isFolder: boolean
  try {
    isFolder = (await stat(path)).isDirectory()
  } catch (error) {
    throw new UserError(`Cannot read scenes from ${path}: ${fileErrorReason(error)}.`, { cause: error })
  }
  if (!isFolder) return [path]
  const entries = await readdir(path, { recursive: true })
  return (
    entries
      // The changed scenes of the published dataset belong to the scenes next to them.
      .filter((entry) => entry.endsWith('.json') && !entry.endsWith(CHANGED_SCENE))
      .sort()
      .map((entry) => join(path, entry))
  )
}

export function parseJson(text: string, file: string): unknown {
  try {
    return parseForeignJson(text)
  } catch (error) {
    throw new UserError(`${file} is not valid JSON: ${messageOf(error)}`, { cause: error })
  }
}

/** Published files have their scenes under `rooms`. */
function listOf(json: unknown): unknown[] {
  if (Array.isArray(json)) return json
  if (typeof json === 'object' && json !== null && 'rooms' in json && Array.isArray(json.rooms)) return json.rooms
  return [json]
}

function nameOf(item: unknown): string | null {
  if (typeof item !== 'object' || item === null || !('id' in item)) return null
  return typeof item.id === 'string' && /^[\w.-]+$/.test(item.id) ? item.id : null
}
