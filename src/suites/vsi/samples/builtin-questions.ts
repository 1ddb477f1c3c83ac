/** Generates the questions of built-in scenes. */
import { Random, sampledFrames } from '../../../suite.ts'
import type { Renderer, SceneKind, SceneObject, TourFrame } from '../../../world.ts'
import { type CameraOptions, type CameraSettings, cameraFor } from '../domain/camera.ts'
import { GLIMPSE_SHARE, type Shares, sharesFrom, shownIn, surveySeen } from '../domain/evidence.ts'
import { floorArea, interiorBounds } from '../domain/interior.ts'
import { type Stage, stageOf } from '../domain/scene/stage.ts'
import { eyeAnswer } from './eye.ts'
import { DEFAULT_FRAMES, stepsFor } from '../options.ts'
import type { BuiltinOrigin, SceneKnobs } from '../domain/scene/origin.ts'
import { LEVELS, type Level } from '../domain/levels.ts'
import type { VsiSample } from './sample.ts'
import { type Question, questionOf, type QuestionScene, stratified, unstratified } from './questions/index.ts'
import { type BuiltScene, builtScene } from '../domain/scene/built.ts'
import { QUESTION_TYPES, type QuestionType } from '../domain/question-types.ts'
import frequent from './builtin-frequent.json' with { type: 'json' }

/** Raised whenever the same seed gives different questions. */
export const GENERATOR = 'vsi-builtin-3'
/** Rooms with many different objects occur more often. */
export const KINDS: readonly SceneKind[] = [
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

/** A scene of the source, by its number. */
export interface SceneRequest {
  seed: number
  index: number
  look: BuiltinOrigin['look']
  level: Level
  /** Given by the user, instead of those of the level. */
  knobs: SceneKnobs
}

/** The images of a run, if they are not the default ones for which all questions are answerable. */
export interface Budget {
  camera: CameraOptions
  /** Of the walkthrough, or moves of the agent. */
  frames?: number
  steps?: number
}

/** The ten questions of a scene: one of each type if possible. All are answerable from the default images. */
export function makeSamples({ seed, index, look, level, knobs }: SceneRequest): VsiSample[] {
  const random = new Random(`${GENERATOR}/${seed}/${index}`)
  const shape = { ...LEVELS[level], ...knobs }
  for (let attempt = 0; attempt < MAX_ATTEMPTS; attempt++) {
    const kind = random.pick(KINDS)
    const { rooms: _, ...ofRooms } = shape
    const origin: BuiltinOrigin = {
      kind: 'builtin',
      scene: kind,
      seed: random.int(2 ** 31 - 1),
      look,
      // Only a flat has rooms to count.
      ...(kind === 'flat' ? shape : ofRooms),
    }
    const scene = questionScene(origin)
    const questions = chooseQuestions(scene, random.fork(`questions/${attempt}`), `${GENERATOR}/${seed}`, index)
    if (questions === null) continue
    const cluster = clusterName(seed, index)
    return questions.map((question, slot) => toSample(question, `${cluster}-${slot}`, cluster, origin, level, scene))
  }
  throw new Error(`No scene with enough questions found for ${seed}/${index}.`)
}

/** Null in place of the samples of a scene that a perfect eye cannot answer from the images of a budget. */
export function answerable(
  samples: readonly VsiSample[],
  { camera: options, frames = 0, steps }: Budget,
): (VsiSample | null)[] {
  const origin = samples[0]?.scene
  if (origin?.kind !== 'builtin') return [...samples]
  const { stage, tour } = bareStage(origin)
  const camera = cameraFor({ kind: 'builtin' }, options)
  const { frames: all } = tour(camera)
  const images =
    steps === undefined
      ? sampledFrames(all.length, frames).map((index) => sharesFrom(stage.renderer, camera, all[index]!.pose))
      : surveySeen(stage, camera, steps)
  const kept = samples.map((sample) => (eyeAnswer(sample, stage.objects, images) === sample.truth ? sample : null))
  const leftOut = kept.filter((sample) => sample === null).length
  const first = kept.findIndex((sample) => sample !== null)
  return kept.map((sample, i) => (sample && i === first && leftOut > 0 ? { ...sample, leftOut } : sample))
}

function chooseQuestions(scene: QuestionScene, random: Random, key: string, index: number): Question[] | null {
  const chosen: Question[] = []
  const isNew = ({ question, options }: Question): boolean =>
    !chosen.some((other) => other.question === question && sameOptions(other.options, options))
  for (const type of QUESTION_TYPES) {
    const own = questionOf(type, scene, stratified(`${key}/${type}`, index, random.fork(type)))
    const question =
      own ??
      firstOf(random.shuffle([...SUBSTITUTES]), (other) => {
        const made = questionOf(other, scene, unstratified(random.fork(`${type}/${other}`)))
        return made !== null && isNew(made) ? made : null
      })
    if (question === null) return null
    chosen.push(question)
  }
  return chosen
}

function firstOf<T, R>(items: readonly T[], find: (item: T) => R | null): R | null {
  for (const item of items) {
    const found = find(item)
    if (found !== null) return found
  }
  return null
}

function sameOptions(a: readonly string[] | null, b: readonly string[] | null): boolean {
  const texts = (options: readonly string[] | null) =>
    (options ?? [])
      .map((option) => option.slice(3))
      .sort()
      .join('|')
  return texts(a) === texts(b)
}

function toSample(
  { type, question, options, truth, about, things }: Question,
  id: string,
  cluster: string,
  origin: BuiltinOrigin,
  level: Level,
  { area, frames, frameNumbers }: QuestionScene,
): VsiSample {
  return {
    id,
    cluster,
    labels: { type, dataset: 'builtin', scene: origin.scene, level },
    type,
    question,
    options,
    truth,
    frequent: frequent[type],
    scene: origin,
    things: things.map(({ category, box, instance }) => ({
      category,
      box,
      instance,
      seenIn: bestFrames(instance, frames, frameNumbers),
    })),
    about,
    floorArea: Math.round(area * 100) / 100,
  }
}

/** Frames named per object. */
const BEST_FRAMES = 3

function bestFrames(
  instance: number,
  frames: readonly Shares[],
  numbers: readonly number[],
): { frame: number; pixels: number }[] {
  const { width, height } = cameraFor({ kind: 'builtin' })
  return frames
    .map((shares, i) => ({ frame: numbers[i]!, pixels: Math.round((shares.get(instance) ?? 0) * width * height) }))
    .sort((a, b) => b.pixels - a.pixels || a.frame - b.frame)
    .slice(0, BEST_FRAMES)
    .filter(({ pixels }) => pixels > 0)
}

/** Share of an image from which an object is clearly visible, for first appearances. */
const SEEN_SHARE = 0.002
/** First appearances are searched in small images of every third frame; questions need frames further apart. */
const SCAN_SCALE = 1 / 4
const SCAN_EVERY = 3

/** A scene without colors and light, which is all that measuring needs. */
function bareStage(origin: BuiltinOrigin): Pick<BuiltScene, 'scene' | 'tour'> & { stage: Stage } {
  const { scene, mesh, objects, space, tour } = builtScene(origin)
  const materials = mesh.materials.map((material) => {
    const { texture: _, ...untextured } = material
    return untextured
  })
  return {
    scene,
    tour,
    stage: stageOf({ ...mesh, materials }, '', { objects, space: space(), bounds: interiorBounds(scene) }),
  }
}

/** A built-in scene as the question generators need it. */
export function questionScene(origin: BuiltinOrigin): QuestionScene {
  const { scene, stage, tour } = bareStage(origin)
  const { objects, space } = stage
  const camera = cameraFor({ kind: 'builtin' })
  const { frames } = tour(camera)
  const area = floorArea(scene)
  const frameNumbers = sampledFrames(frames.length, DEFAULT_FRAMES)
  const shown = frameNumbers.map((index) => sharesFrom(stage.renderer, camera, frames[index]!.pose))
  const survey = surveySeen(stage, camera, stepsFor({ floorArea: area }, {}))
  const inVideo = shownIn(shown)
  return {
    objects,
    area,
    rooms: scene.rooms.length,
    space,
    shown: new Set([...shownIn(survey)].filter((instance) => inVideo.has(instance))),
    frames: shown,
    frameNumbers,
    ...firstAppearances(stage.renderer, camera, objects, frames),
  }
}

function firstAppearances(
  renderer: Renderer,
  camera: CameraSettings,
  objects: readonly SceneObject[],
  frames: readonly TourFrame[],
): Pick<QuestionScene, 'firstSeen' | 'firstGlimpse'> {
  const firstSeen = new Map<number, number>()
  const firstGlimpse = new Map<number, number>()
  for (let frame = 0; frame < frames.length && firstSeen.size < objects.length; frame += SCAN_EVERY) {
    for (const [instance, share] of sharesFrom(renderer, camera, frames[frame]!.pose, SCAN_SCALE)) {
      if (share >= SEEN_SHARE && !firstSeen.has(instance)) firstSeen.set(instance, frame)
      if (share >= GLIMPSE_SHARE && !firstGlimpse.has(instance)) firstGlimpse.set(instance, frame)
    }
  }
  return { firstSeen, firstGlimpse }
}
