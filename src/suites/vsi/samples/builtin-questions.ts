/** Generates the questions of built-in scenes. */
import { Random } from '../../../suite.ts'
import {
  focalLength,
  pixelCounts,
  prepareScene,
  Renderer,
  type SceneKind,
  type TourFrame,
  type TriangleMesh,
} from '../../../world.ts'
import type { Look } from '../domain/scene/origin.ts'
import type { VsiSample } from './sample.ts'
import { type Question, questionsOf, type QuestionScene } from './questions/index.ts'
import { builtScene } from '../domain/scene/built.ts'
import { VIDEO_VIEW } from '../domain/scene/video-view.ts'
import { QUESTION_TYPES, type QuestionType } from '../domain/question-types.ts'
import frequent from './builtin-frequent.json' with { type: 'json' }

/** Raised whenever the same seed gives different questions. */
export const GENERATOR = 'vsi-builtin-2'
/** Rooms with many different objects occur more often. */
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
/** Replacements for types that a scene has no question of; never appearance order, which needs a video. */
const SUBSTITUTES: readonly QuestionType[] = [
  'object_rel_distance',
  'object_abs_distance',
  'object_rel_direction_hard',
  'object_size_estimation',
  'object_rel_direction_easy',
]
const MAX_ATTEMPTS = 20

export function clusterName(seed: number, index: number): string {
  return `builtin-${seed}-${String(index).padStart(4, '0')}`
}

/** The ten questions of a scene: one of each type if possible. */
export function makeSamples(seed: number, index: number, look: Look): VsiSample[] {
  const random = new Random(`${GENERATOR}/${seed}/${index}`)
  for (let attempt = 0; attempt < MAX_ATTEMPTS; attempt++) {
    const kind = random.pick(KINDS)
    const sceneSeed = random.int(2 ** 31 - 1)
    const scene = questionScene(kind, sceneSeed)
    const questions = chooseQuestions(scene, random.fork(`questions/${attempt}`))
    if (questions === null) continue
    const cluster = clusterName(seed, index)
    return questions.map((question, slot) =>
      toSample(question, `${cluster}-${slot}`, cluster, { kind, sceneSeed, look }),
    )
  }
  throw new Error(`No scene with enough questions found for ${seed}/${index}.`)
}

function chooseQuestions(scene: QuestionScene, random: Random): Question[] | null {
  const pools = new Map(QUESTION_TYPES.map((type) => [type, questionsOf(type, scene, random.fork(type))]))
  const chosen: Question[] = []
  for (const type of QUESTION_TYPES) {
    const question = pools.get(type)!.shift() ?? SUBSTITUTES.map((other) => pools.get(other)!.pop()).find(Boolean)
    if (question === undefined) return null
    chosen.push(question)
  }
  return chosen
}

function toSample(
  { type, question, options, truth, about, things }: Question,
  id: string,
  cluster: string,
  { kind, sceneSeed, look }: { kind: SceneKind; sceneSeed: number; look: Look },
): VsiSample {
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

/** Share of the image from which an object counts as seen. */
const SEEN_SHARE = 0.004
/** Share from which it counts as glimpsed: about 150 pixels of a 640 × 480 image. */
const GLIMPSE_SHARE = 0.0005
/** First appearances are searched in small images of every third frame; questions need frames further apart. */
const SCAN_SCALE = 1 / 4
const SCAN_EVERY = 3

/** A built-in scene as the question generators need it. */
export function questionScene(kind: SceneKind, seed: number): QuestionScene {
  const { scene, mesh, objects, space, tour } = builtScene(kind, seed)
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
  frames: readonly TourFrame[],
): Pick<QuestionScene, 'firstSeen' | 'firstGlimpse'> {
  const { positions, indices, triangleInstances } = mesh
  const shapes = { positions, indices, materials: [], ...(triangleInstances && { triangleInstances }) }
  const renderer = new Renderer(prepareScene(shapes))
  const width = VIDEO_VIEW.width * SCAN_SCALE
  const height = VIDEO_VIEW.height * SCAN_SCALE
  const lens = focalLength(VIDEO_VIEW.focal * SCAN_SCALE, width, height)
  const pixels = width * height
  const firstSeen = new Map<number, number>()
  const firstGlimpse = new Map<number, number>()
  let unseen = [...new Set(triangleInstances)].filter((instance) => instance > 0)
  for (let frame = 0; frame < frames.length && unseen.length > 0; frame += SCAN_EVERY) {
    const { ids } = renderer.render(
      { pose: frames[frame]!.pose, lens, near: VIDEO_VIEW.near },
      { width, height, color: false, ids: true },
    )
    const counts = pixelCounts(ids)
    for (const instance of unseen) {
      const share = (counts[instance] ?? 0) / pixels
      if (share >= SEEN_SHARE) firstSeen.set(instance, frame)
      if (share >= GLIMPSE_SHARE && !firstGlimpse.has(instance)) firstGlimpse.set(instance, frame)
    }
    unseen = unseen.filter((instance) => !firstSeen.has(instance))
  }
  return { firstSeen, firstGlimpse }
}
