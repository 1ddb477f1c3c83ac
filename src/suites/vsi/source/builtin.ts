/** Built-in scenes with questions of all ten types: from a seed, the same on every machine. */
import { UserError } from '../../../base/errors.ts'
import { Random } from '../../../base/random.ts'
import type { OpenedSource, SourceContext, SourceKind, SourceSpec } from '../../../engine/suite.ts'
import { pixelCounts } from '../../../world/geometry/index.ts'
import type { TriangleMesh } from '../../../world/mesh.ts'
import { focalLength, prepareScene, Renderer } from '../../../world/render/index.ts'
import type { SceneKind } from '../../../world/rooms/scene.ts'
import type { Look, VsiCase } from '../case.ts'
import { typesOf, type VsiOptions } from '../options.ts'
import { type Question, questionsOf, type QuestionScene } from '../questions/index.ts'
import { builtScene, FILM_VIEW } from '../stages.ts'
import { QUESTION_TYPES, type QuestionType, type Way } from '../types.ts'
import frequent from './builtin-frequent.json' with { type: 'json' }

/** Raised whenever the same seed gives other questions. */
const GENERATOR = 'vsi-builtin-1'
const SCENES = 200
const PER_SCENE = QUESTION_TYPES.length
/** Rooms with many different things are asked about more often. */
const KINDS: readonly SceneKind[] = [
  'living room',
  'living room',
  'bedroom',
  'bedroom',
  'kitchen',
  'office',
  'class room',
  'workshop',
  'flat',
  'flat',
  'bathroom',
  'corridor',
]
/** When a type cannot be asked in a scene, another takes its place; never the order, which only a video has. */
const SUBSTITUTES: readonly QuestionType[] = [
  'object_rel_distance',
  'object_abs_distance',
  'object_rel_direction_hard',
  'object_size_estimation',
  'object_rel_direction_easy',
]
const SEEDS_TRIED = 20

export function builtinSource<Options extends VsiOptions>(way: Way): SourceKind<Options, VsiCase> {
  return {
    title: 'furnished rooms from a seed, with truth from geometry',
    usage: 'builtin:seed=7,scenes=200,look=lit',
    open: (spec, options, run) => Promise.resolve(openBuiltin(way, spec, options, run)),
  }
}

function openBuiltin(
  way: Way,
  { path, args }: SourceSpec,
  options: VsiOptions,
  run: SourceContext,
): OpenedSource<VsiCase> {
  const known = new Set(['seed', 'scenes', 'look'])
  const strange = Object.keys(args).find((key) => !known.has(key))
  if (path !== null || strange !== undefined) {
    throw new UserError(`builtin does not know "${strange ?? path}".`, {
      hint: 'Write builtin:seed=7,scenes=200,look=lit.',
    })
  }
  const seed = wholeNumber('seed', args['seed'] ?? String(run.seed), 0)
  const scenes = wholeNumber('scenes', args['scenes'] ?? String(SCENES), 1)
  const look = args['look'] ?? 'lit'
  if (look !== 'lit' && look !== 'plain') throw new UserError(`look is lit or plain, not "${look}".`)
  const types = new Set(typesOf(options).filter((type) => way !== 'explore' || type !== 'obj_appearance_order'))
  const all = options.types.trim() === 'all'
  return {
    fingerprint: `${GENERATOR}/${seed}/${scenes}/${look}/${options.types}`,
    count: all ? scenes * (way === 'explore' ? PER_SCENE - 1 : PER_SCENE) : null,
    *cases() {
      for (let index = 0; index < scenes; index++) {
        for (const [slot, kase] of casesOfScene(seed, index, look).entries()) {
          // The place of the order stays empty when there is no video, so that all ways ask the same of the others.
          if (way === 'explore' && QUESTION_TYPES[slot] === 'obj_appearance_order') continue
          if (types.has(kase.type)) yield kase
        }
      }
    },
  }
}

function wholeNumber(name: string, text: string, least: number): number {
  const value = Number(text)
  if (!Number.isSafeInteger(value) || value < least)
    throw new UserError(`builtin: ${name} must be a whole number from ${least}, not "${text}".`)
  return value
}

/** Questions that were made before: a run counts its cases first, and several suites ask the same ones. */
const made = new Map<string, readonly VsiCase[]>()
const SCENES_KEPT = 2000

/** The ten questions of a scene: one of each type where it can be asked. */
export function casesOfScene(seed: number, index: number, look: Look): readonly VsiCase[] {
  const key = `${seed}/${index}/${look}`
  const cases = made.get(key) ?? makeCases(seed, index, look)
  made.set(key, cases)
  if (made.size > SCENES_KEPT) made.delete(made.keys().next().value!)
  return cases
}

function makeCases(seed: number, index: number, look: Look): VsiCase[] {
  const random = new Random(`${GENERATOR}/${seed}/${index}`)
  for (let attempt = 0; attempt < SEEDS_TRIED; attempt++) {
    const kind = random.pick(KINDS)
    const sceneSeed = random.int(2 ** 31 - 1)
    const scene = questionScene(kind, sceneSeed)
    const questions = chosenQuestions(scene, random.fork(`questions/${attempt}`))
    if (questions === null) continue
    const cluster = `builtin-${seed}-${String(index).padStart(4, '0')}`
    return questions.map((question, slot) => toCase(question, `${cluster}-${slot}`, cluster, { kind, sceneSeed, look }))
  }
  throw new Error(`No scene with enough to ask about was found for ${seed}/${index}.`)
}

function chosenQuestions(scene: QuestionScene, random: Random): Question[] | null {
  const pools = new Map(QUESTION_TYPES.map((type) => [type, questionsOf(type, scene, random.fork(type))]))
  const chosen: Question[] = []
  for (const type of QUESTION_TYPES) {
    const question = pools.get(type)!.shift() ?? SUBSTITUTES.map((other) => pools.get(other)!.pop()).find(Boolean)
    if (question === undefined) return null
    chosen.push(question)
  }
  return chosen
}

function toCase(
  { type, question, options, truth, about, things }: Question,
  id: string,
  cluster: string,
  { kind, sceneSeed, look }: { kind: SceneKind; sceneSeed: number; look: Look },
): VsiCase {
  return {
    id,
    cluster,
    labels: { type, dataset: 'builtin', scene: kind },
    type,
    question,
    options,
    truth,
    frequent: frequent[type],
    scene: { kind: 'builtin', scene: kind, seed: sceneSeed, look },
    things: things.map(({ category, box }) => ({ category, box })),
    about,
  }
}

/** A thing counts as seen when it has this share of the picture. */
const SEEN_SHARE = 0.004
/** And as glimpsed with this one: about 150 pixels of a picture of 640 × 480. */
const GLIMPSE_SHARE = 0.0005
/** First appearances are looked for in small pictures of every third frame; questions keep frames further apart. */
const LOOK_SCALE = 1 / 4
const LOOK_EVERY = 3

/** What can be asked about a built-in scene. */
export function questionScene(kind: SceneKind, seed: number): QuestionScene {
  // Shapes are enough to know what is where and what is seen when.
  const { scene, mesh, objects, space, tour } = builtScene(kind, seed, 'plain')
  const area = scene.rooms.reduce((sum, { x, y }) => sum + (x[1] - x[0]) * (y[1] - y[0]), 0)
  return {
    objects,
    area,
    rooms: scene.rooms.length,
    space: space(),
    ...firstAppearances(mesh, tour().frames),
  }
}

function firstAppearances(
  mesh: TriangleMesh,
  frames: ReturnType<ReturnType<typeof builtScene>['tour']>['frames'],
): Pick<QuestionScene, 'firstSeen' | 'firstGlimpse'> {
  const { positions, indices, triangleInstances } = mesh
  const shapes = { positions, indices, materials: [], ...(triangleInstances && { triangleInstances }) }
  const renderer = new Renderer(prepareScene(shapes))
  const width = FILM_VIEW.width * LOOK_SCALE
  const height = FILM_VIEW.height * LOOK_SCALE
  const lens = focalLength(FILM_VIEW.focal * LOOK_SCALE, width, height)
  const pixels = width * height
  const firstSeen = new Map<number, number>()
  const firstGlimpse = new Map<number, number>()
  for (let frame = 0; frame < frames.length; frame += LOOK_EVERY) {
    const { ids } = renderer.render(
      { pose: frames[frame]!.pose, lens, near: FILM_VIEW.near },
      { width, height, color: false, ids: true },
    )
    const counts = pixelCounts(ids)
    for (let instance = 1; instance < counts.length; instance++) {
      const share = counts[instance]! / pixels
      if (share >= SEEN_SHARE && !firstSeen.has(instance)) firstSeen.set(instance, frame)
      if (share >= GLIMPSE_SHARE && !firstGlimpse.has(instance)) firstGlimpse.set(instance, frame)
    }
  }
  return { firstSeen, firstGlimpse }
}
