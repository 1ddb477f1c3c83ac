/** What images show of a scene whose objects are known, and which questions about it they answer. */
import { sampledFrames } from '../../../suite.ts'
import type { Pose } from '../../../world.ts'
import { type CameraOptions, type CameraSettings, cameraFor } from '../domain/camera.ts'
import { GLIMPSE_SHARE, type Shares, sharesFrom, shownIn, surveySeen } from '../domain/evidence.ts'
import { mostShares } from '../domain/most-share.ts'
import type { NamedObject } from '../domain/question.ts'
import type { KnownScene } from '../domain/scene/known.ts'
import type { BuiltinOrigin, OwnOrigin } from '../domain/scene/origin.ts'
import { type Stage, stageOf } from '../domain/scene/stage.ts'
import { DEFAULT_FRAMES, stepsFor } from '../options.ts'
import { eyeAnswer } from './eye.ts'
import type { Appearance, Question, QuestionScene } from './questions/index.ts'
import type { VsiSample } from './sample.ts'
import frequent from './builtin-frequent.json' with { type: 'json' }

/** All scenes with known objects have the same camera. */
const DRAWN = { kind: 'builtin' } as const

/** The images of a run, if they are not the default ones for which all questions are answerable. */
export interface Budget {
  camera: CameraOptions
  /** Of the walkthrough, or moves of the agent. */
  frames?: number
  steps?: number
}

/** Null in place of the samples of a scene that a perfect eye cannot answer from the images of a budget. */
export function answerable(
  samples: readonly (VsiSample | null)[],
  known: KnownScene,
  { camera: options, frames = 0, steps }: Budget,
): (VsiSample | null)[] {
  const stage = bareStage(known)
  const camera = cameraFor(DRAWN, options)
  const { frames: all } = known.tour(camera)
  const numbers = sampledFrames(all.length, frames)
  const images =
    steps === undefined
      ? numbers.map((index) => sharesFrom(stage.renderer, camera, all[index]!.pose))
      : surveySeen(stage, camera, steps)
  const seen = (instance = 0): Partial<NamedObject> =>
    steps === undefined
      ? { seenIn: bestFrames(instance, images, numbers, camera) }
      : { seenAfter: bestMoves(instance, images, camera) }
  const kept = samples.map((sample) =>
    sample && eyeAnswer(sample, stage.objects, images) === sample.truth
      ? { ...sample, things: sample.things?.map((thing) => ({ ...thing, ...seen(thing.instance) })) ?? null }
      : null,
  )
  const leftOut = kept.filter((sample, i) => sample === null && samples[i] !== null).length
  const first = kept.findIndex((sample) => sample !== null)
  return kept.map((sample, i) => (sample && i === first && leftOut > 0 ? { ...sample, leftOut } : sample))
}

export function toSample(
  { type, question, options, truth, about, things }: Question,
  id: string,
  cluster: string,
  origin: BuiltinOrigin | OwnOrigin,
  labels: Readonly<Record<string, string>>,
  { area, frames, frameNumbers, survey }: QuestionScene,
): VsiSample {
  return {
    id,
    cluster,
    labels: { type, dataset: origin.kind, ...labels },
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
      seenAfter: bestMoves(instance, survey),
    })),
    about,
    // Exact, or the truth of a room size could be rounded another way.
    floorArea: Math.round(area * 1e6) / 1e6,
  }
}

/** Images named per object. */
const BEST_IMAGES = 3

function bestImages(instance: number, images: readonly Shares[], { width, height }: CameraSettings) {
  return images
    .map((shares, image) => ({ image, pixels: Math.round((shares.get(instance) ?? 0) * width * height) }))
    .sort((a, b) => b.pixels - a.pixels || a.image - b.image)
    .slice(0, BEST_IMAGES)
    .filter(({ pixels }) => pixels > 0)
}

function bestFrames(
  instance: number,
  frames: readonly Shares[],
  numbers: readonly number[],
  camera = cameraFor(DRAWN),
): NamedObject['seenIn'] {
  return bestImages(instance, frames, camera).map(({ image, pixels }) => ({ frame: numbers[image]!, pixels }))
}

function bestMoves(instance: number, survey: readonly Shares[], camera = cameraFor(DRAWN)): NamedObject['seenAfter'] {
  return bestImages(instance, survey, camera).map(({ image, pixels }) => ({ moves: image, pixels }))
}

/** Share of an image from which an object is clearly visible, for first appearances. */
const SEEN_SHARE = 0.002
/** First appearances are searched in small images of every third frame; questions need frames further apart. */
const SCAN_SCALE = 1 / 4
const SCAN_EVERY = 3

/** A scene without colors and light, which is all that measuring needs. */
function bareStage({ mesh, objects, bounds, space }: KnownScene): Stage {
  const { uvs: _, light: __, colors: ___, ...bare } = mesh
  // No spread: textures are painted when they are read.
  const materials = mesh.materials.map(({ name, color, opacity = 1 }) => ({ name, color, opacity }))
  return stageOf({ ...bare, materials }, '', { objects, space: space(), bounds })
}

/** A scene as the question generators need it. */
export function questionScene(known: KnownScene, names: QuestionScene['names']): QuestionScene {
  const { objects, area, rooms, tour } = known
  const stage = bareStage(known)
  const camera = cameraFor(DRAWN)
  const { frames } = tour(camera)
  const frameNumbers = sampledFrames(frames.length, DEFAULT_FRAMES)
  const shown = frameNumbers.map((index) => sharesFrom(stage.renderer, camera, frames[index]!.pose))
  const survey = surveySeen(stage, camera, stepsFor({ floorArea: area }, {}))
  const inVideo = shownIn(shown)
  return {
    objects,
    area,
    rooms,
    names,
    space: stage.space,
    shown: new Set([...shownIn(survey)].filter((instance) => inVideo.has(instance))),
    frames: shown,
    frameNumbers,
    survey,
    firstAppearances: appearancesIn(
      frames.map(({ pose }) => pose),
      mostShares(known.mesh, camera, SCAN_SCALE),
      (pose) => sharesFrom(stage.renderer, camera, pose, SCAN_SCALE),
    ),
  }
}

/**
 * When groups of objects appear in a video. Looks no further than where all have, at no frame twice, and at none in which no
 * missing one can be large enough.
 */
function appearancesIn(
  poses: readonly Pose[],
  mostOf: (instance: number, pose: Pose) => number,
  look: (pose: Pose) => Shares,
): QuestionScene['firstAppearances'] {
  const known = new Map<number, Shares>()
  return (groups) => {
    const found = groups.map((instances): Appearance & { instances: readonly number[] } => {
      return { instances, seen: null, glimpse: null }
    })
    for (let frame = 0; frame < poses.length; frame += SCAN_EVERY) {
      const pose = poses[frame]!
      const missing = found.filter(({ seen }) => seen === null)
      if (missing.length === 0) break
      const mayAppear = missing.some(({ instances, glimpse }) => {
        const least = glimpse === null ? GLIMPSE_SHARE : SEEN_SHARE
        return instances.some((instance) => mostOf(instance, pose) >= least)
      })
      if (!mayAppear) continue
      const shares = known.get(frame) ?? look(pose)
      known.set(frame, shares)
      for (const group of missing) {
        const share = Math.max(...group.instances.map((instance) => shares.get(instance) ?? 0))
        if (share >= SEEN_SHARE) group.seen = frame
        if (share >= GLIMPSE_SHARE) group.glimpse ??= frame
      }
    }
    return found.map(({ seen, glimpse }) => ({ seen, glimpse }))
  }
}
