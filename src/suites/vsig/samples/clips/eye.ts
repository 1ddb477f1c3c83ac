/**
 * A perfect eye: it knows the objects in the frames it is shown and the pose of every finger that points in them, and
 * nothing of other frames. What it cannot answer, nobody can: it proves that a clip is answerable, and is the ceiling.
 */
import { addScaled, type Camera, dot, project, subtract, type Vec3 } from '../../../../world.ts'
import { DEFAULT_FRAMES, shownFrames } from '../../domain/frames.ts'
import { SHAPES } from '../../domain/templates.ts'
import { spokenWindows } from '../../domain/windows.ts'
import { type Finger, fingerAt, heldFingers, unit } from './hand.ts'
import { cameraAt, type ClipPlan, HEIGHT, isInRegion, centerOf, type PlacedObject, TABLE, WIDTH } from './plan.ts'
import { FPS, frameMs } from './timing.ts'

/** What a model is given of a clip: some of its frames, and the times of its words or not. */
export interface Budget {
  frames: readonly number[]
  /** Whether it is told or hears when each word is said. */
  timed: boolean
}

/** A pointing hand, in frames in which it does not move. */
export interface SeenGesture {
  /** What the finger points at; null if that is not clear. */
  object: number | null
  /** Where its ray meets the table. */
  spot: Vec3
  /** The first and the last frame that shows it. */
  frames: readonly [number, number]
}

/** What the eye finds out about a slot. */
export interface EyeAnswer extends SeenGesture {
  moment: number
}

export function allFrames({ frames }: ClipPlan): number[] {
  return Array.from({ length: frames }, (_, i) => i)
}

/** The options that a budget depends on. */
export interface BudgetOptions {
  input: string
  frames: number
  fps?: number | undefined
  speech: string
  timings: boolean
}

/** The budget of a run, by its options. */
export function budgetFor(plan: ClipPlan, { input, speech, timings, ...shown }: BudgetOptions): Budget {
  return {
    frames: input === 'video' ? allFrames(plan) : shownFrames(plan.frames, shown, FPS),
    timed: speech === 'audio' || ((speech === 'text' || speech === 'asr') && timings),
  }
}

/** A held hand trembles by less than this, in meters. */
const STILL = 0.02

/** The pointing hands in the frames, in order. */
export function seenGestures(plan: ClipPlan, frames: readonly number[]): SeenGesture[] {
  const held = heldFingers(plan)
  const seen: SeenGesture[] = []
  let last: Vec3 | null = null
  for (const frame of frames) {
    const finger = fingerAt(plan, frameMs(frame), held)
    if (!finger?.pointing || !isVisible(plan, finger, cameraAt(plan, frameMs(frame)))) continue
    const before = seen.at(-1)
    if (before && last && Math.hypot(...subtract(finger.tip, last)) < STILL) {
      seen[seen.length - 1] = { ...before, frames: [before.frames[0], frame] }
    } else {
      seen.push({ object: pointedAt(plan, finger), spot: onTable(finger), frames: [frame, frame] })
    }
    last = finger.tip
  }
  return seen
}

/** Distance of fingers from the edge of the frame, in pixels. */
const MARGIN = 6
const FINGER_LENGTH = 0.08

/** Whether both ends of the finger are in the frame and not behind an object. */
function isVisible({ objects }: ClipPlan, { tip, direction }: Finger, camera: Camera): boolean {
  return [tip, addScaled(tip, direction, -FINGER_LENGTH)].every((end) => {
    const { x, y } = project(camera, end)
    const isInside = x >= MARGIN && y >= MARGIN && x < WIDTH - MARGIN && y < HEIGHT - MARGIN
    return isInside && objects.every((object) => !isBehind(camera.pose.position, end, object))
  })
}

/** Whether the way from the camera to a point passes through the cylinder around an object. */
function isBehind(from: Vec3, to: Vec3, { position, radius, model }: PlacedObject): boolean {
  const steps = 24
  for (let i = 1; i < steps; i++) {
    const [x, y, z] = addScaled(from, subtract(to, from), i / steps)
    const isInside = Math.hypot(x - position[0], y - position[1]) < radius
    if (isInside && z < TABLE.z + model.size[2]) return true
  }
  return false
}

/** Cosines: how near the finger's ray must pass to the middle of an object, and how much nearer than to any other. */
const NEAR = Math.cos((6 * Math.PI) / 180)
const CLEARER_RADIANS = (4 * Math.PI) / 180

function pointedAt({ objects }: ClipPlan, { tip, direction }: Finger): number | null {
  const cosines = objects.map((object) => dot(unit(subtract(centerOf(object), tip)), direction))
  const best = Math.max(...cosines)
  if (best < NEAR) return null
  const limit = Math.cos(Math.acos(Math.min(1, best)) + CLEARER_RADIANS)
  return cosines.filter((cosine) => cosine > limit).length === 1 ? objects[cosines.indexOf(best)]!.id : null
}

function onTable({ tip, direction }: Finger): Vec3 {
  const t = direction[2] < 0 ? (TABLE.z - tip[2]) / direction[2] : 0
  return addScaled(tip, direction, t)
}

/** What the eye makes of each slot; null if the frames do not show which gestures are meant. */
export function eyeAnswers(plan: ClipPlan, { frames, timed }: Budget): EyeAnswer[] | null {
  const seen = seenGestures(plan, frames)
  const { slots } = SHAPES[plan.template]
  const windows = timed ? spokenWindows(plan.template, plan.words) : null
  if (windows) {
    const middles = windows.map(([begin, end]) => (begin + end) / 2)
    const meant = middles.map((moment) => nearest(seen, moment))
    return meant.every((gesture) => gesture !== null)
      ? meant.map((gesture, i) => ({ ...gesture, moment: middles[i]! }))
      : null
  }
  return seen.length === slots.length ? seen.map((gesture) => ({ ...gesture, moment: middleMs(gesture) })) : null
}

function middleMs({ frames }: SeenGesture): number {
  return (frameMs(frames[0]) + frameMs(frames[1])) / 2
}

function nearest(seen: readonly SeenGesture[], moment: number): SeenGesture | null {
  const off = (gesture: SeenGesture): number => Math.abs(middleMs(gesture) - moment)
  return seen.reduce<SeenGesture | null>((best, each) => (best === null || off(each) < off(best) ? each : best), null)
}

/** Whether the eye is right about every slot. */
export function isAnswerable(plan: ClipPlan, budget: Budget): boolean {
  const answers = eyeAnswers(plan, budget)
  if (!answers) return false
  const { slots } = SHAPES[plan.template]
  const windows = plan.words.length > 0 ? spokenWindows(plan.template, plan.words) : null
  return answers.every(({ object, spot, moment }, i) => {
    const { entry, reference } = slots[i]!
    const meant = plan.entries[reference ?? entry]!
    const isPlace =
      meant.kind === 'object' ? object === meant.object : isInRegion([spot[0], spot[1]], meant, plan.objects)
    const window = windows?.[i]
    return isPlace && (!window || (moment >= window[0] && moment <= window[1]))
  })
}

/**
 * Whether the default frames and the whole clip answer it. A hand that points while nothing is said takes the times of the
 * words, so it must be seen: without those times, not even the whole clip answers it.
 */
export function isFair(plan: ClipPlan): boolean {
  const timed = plan.gestures.some(({ slot, pointing }) => slot === null && pointing)
  const sampled = shownFrames(plan.frames, { frames: DEFAULT_FRAMES }, FPS)
  const all = allFrames(plan)
  if (timed && isAnswerable(plan, { frames: all, timed: false })) return false
  return [sampled, all].every((frames) => isAnswerable(plan, { frames, timed }))
}

/** The frames that show the hand as it points at each slot, first and last: one of them must be seen. */
export function evidenceOf(plan: ClipPlan): (readonly [number, number])[] {
  const answers = eyeAnswers(plan, { frames: allFrames(plan), timed: true })
  return (answers ?? []).map(({ frames }) => frames)
}
