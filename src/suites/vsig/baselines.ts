/** Baselines, which need no model. They reply as text, in the requested format and coordinate convention. */
import { BASELINE_THOUGHT } from '../../suite.ts'
import type { Baseline, Random } from '../../suite.ts'
import { dot, project, seenThings, subtract, type Vec3 } from '../../world.ts'
import { centerPixel } from './samples/clips/annotate.ts'
import { allFrames, eyeAnswers } from './samples/clips/eye.ts'
import { lastFrameIds } from './samples/clips/draw.ts'
import { type Finger, heldFingers, unit } from './samples/clips/hand.ts'
import {
  cameraAt,
  type ClipPlan,
  HEIGHT,
  centerOf,
  freeNames,
  planClip,
  sidePosition,
  TABLE,
  uniqueName,
  WIDTH,
} from './samples/clips/plan.ts'
import { directionsSaid, sideName } from './samples/clips/speech.ts'
import { frameMs } from './samples/clips/timing.ts'
import type { VsigSample } from './samples/sample.ts'
import { fromThousand } from './domain/coords.ts'
import { decodeGray } from './domain/mask-png.ts'
import { FOREGROUND_ABOVE } from './domain/mask.ts'
import { meanOf, pairsOf, type Point } from './domain/points.ts'
import { PROFILE_RULES, type Profile } from './domain/profiles.ts'
import { canonicalCommand, placeName, SHAPES } from './domain/templates.ts'
import { truthOf, type TruthSlot } from './domain/truth.ts'
import type { VsigOptions } from './options.ts'
import type { BaselineInput } from './play.ts'

/** A baseline's answer for one slot. */
interface Answer {
  point: Point
  description: string
  /** A moment, or the whole window in which the slot is mentioned. */
  moment: number | readonly [number, number] | null
  option: string
}

type BaselinePolicy = (
  slots: readonly TruthSlot[],
  sample: VsigSample,
  baselineInput: BaselineInput,
  random: Random,
  options: VsigOptions,
) => { command: string; answers: Answer[] }

type VsigBaseline = Baseline<VsigSample, VsigOptions, Profile>

function baseline(title: string, policy: BaselinePolicy): VsigBaseline {
  return {
    title,
    start:
      (sample, { random, options, profile }) =>
      ({ baselineInput }) => {
        const given = baselineInput as BaselineInput
        const { slots } = truthOf(sample.template, sample.annotation, sample.evalTruth, sample.frame)
        const { command, answers } = policy(slots, sample, given, random, options)
        const letters = PROFILE_RULES[profile].letters ? { selected_options: answers.map(({ option }) => option) } : {}
        return JSON.stringify({
          explicit_command: command,
          ...letters,
          point_list: answers.map(({ point, description, moment }, i) => ({
            type: slots[i]!.kind === 'object' ? 'target_object' : 'spatial_affordance',
            description,
            point: fromThousand(point, options.coords, given.shown),
            timestamp: PROFILE_RULES[profile].time === 'moment' ? middleMs(moment) : range(moment),
          })),
          reasoning: BASELINE_THOUGHT,
        })
      },
  }
}

function middleMs(moment: Answer['moment']): number | null {
  if (moment === null) return null
  return Math.round(typeof moment === 'number' ? moment : (moment[0] + moment[1]) / 2)
}

/** A short range around a moment. */
function range(moment: Answer['moment']): readonly [number, number] | null {
  return typeof moment === 'number' ? [Math.round(moment) - 20, Math.round(moment) + 20] : moment
}

/** A correct point: on the mask, or in the middle of the area. */
function correctPoint(slot: TruthSlot): Point {
  if (slot.kind === 'area' || !slot.target || slot.target.kind === 'broken') {
    return slot.points.length > 0 ? meanOf(slot.points) : [500, 500]
  }
  const { png } = slot.target
  const gray = decodeGray(png)
  const frame = slot.target.kind === 'crop' ? slot.target.frame : png
  const [ox, oy] = slot.target.kind === 'crop' ? slot.target.box : [0, 0]
  let best: Point = [500, 500]
  let most = -1
  // The middle of the widest run of the mask, so the point stays on it after rounding.
  if (!gray) return best
  for (let y = 0; y < png.height; y++) {
    for (let x = 0; x < png.width; x++) {
      let end = x
      while (end < png.width && gray[y * png.width + end]! > FOREGROUND_ABOVE) end++
      if (end - x > most && end > x) {
        most = end - x
        best = [((ox + (x + end) / 2) / frame.width) * 1000, ((oy + y + 0.5) / frame.height) * 1000]
      }
      x = end
    }
  }
  return best
}

/** The slot's window, or the gesture if nothing is said. */
function correctTime(slot: TruthSlot, sample: VsigSample, index: number): Answer['moment'] {
  if (slot.window.kind === 'window') return slot.window.window
  const { stroke_begin_time: begin, stroke_end_time: end } = sample.evalTruth?.answer?.[index] ?? {}
  return typeof begin === 'number' && typeof end === 'number' ? [begin, end] : null
}

function correctAnswer(slot: TruthSlot, sample: VsigSample, index: number): Answer {
  return {
    point: correctPoint(slot),
    description: slot.name,
    moment: correctTime(slot, sample, index),
    option: sample.evalTruth?.answer?.[index]?.choice ?? '',
  }
}

function correctCommand(slots: readonly TruthSlot[], { template }: VsigSample): string {
  const names = slots.map(({ name }) => name)
  return canonicalCommand(template, names)
}

const oracle = baseline('knows the ground truth', (slots, sample) => ({
  command: correctCommand(slots, sample),
  answers: slots.map((slot, i) => correctAnswer(slot, sample, i)),
}))

const center = baseline('the center of the last frame, the middle of the clip', (slots, _, { durationMs }) => ({
  command: '',
  answers: slots.map(() => ({ point: [500, 500], description: '', moment: durationMs / 2, option: '' })),
}))

const random = baseline('random points, random moments', (slots, sample, { durationMs }, draw) => ({
  command: '',
  answers: slots.map(({ kind }) => {
    const choices = (kind === 'object' ? sample.evalTruth?.object_choices : sample.evalTruth?.space_choices) ?? []
    return {
      point: [draw.range(0, 1000), draw.range(0, 1000)],
      description: '',
      moment: draw.range(0, durationMs),
      option: choices.length === 0 ? '' : draw.pick(choices).slice(0, 1),
    }
  }),
}))

/** Correct, except that it points at the reference object instead of the free area next to it. */
const reference = baseline(
  'knows the ground truth, but points at the reference object instead of the area',
  (slots, sample) => ({
    command: correctCommand(slots, sample),
    answers: slots.map((slot, i) => {
      const answer = correctAnswer(slot, sample, i)
      const at = SHAPES[sample.template].slots[i]!.reference
      const points = at === undefined ? null : pairsOf(sample.annotation.object_space[at]?.points)
      if (!points) return answer
      const [y, x] = meanOf(points)
      return { ...answer, point: [x, y] }
    }),
  }),
)

function planOf({ origin }: VsigSample): ClipPlan {
  if (origin.kind !== 'clip') throw new TypeError('not a built-in clip')
  return planClip(origin)
}

/** Follows the finger's ray to the nearest object or to the table, projected into the last frame. */
const fingerRay = baseline(
  'follows the finger to the nearest object or the table (built-in clips only)',
  (slots, sample) => {
    const plan = planOf(sample)
    const { language } = plan
    const fingers = heldFingers(plan)
    const answers = slots.map((slot, i): Answer => {
      const at = plan.gestures.findIndex((gesture) => gesture.slot === i)
      const finger = fingers[at]!
      const pointed = slot.kind === 'area' && sample.template === '指令3' ? null : nearestObject(plan, finger)
      const [begin, end] = plan.gestures[at]!.hold
      return {
        point: inLastFrame(plan, pointed ? centerOf(pointed) : tablePoint(finger)),
        description: pointed ? pointed[language] : '',
        moment: (begin + end) / 2,
        option: pointed ? optionOf(sample, uniqueName(pointed, plan.objects, language)) : '',
      }
    })
    const names = answers.map(({ description }) => description)
    return { command: canonicalCommand(sample.template, names), answers }
  },
)

/** Sees the objects of the last frame and the pointing hand in the frames shown, and knows the transcript; nothing else. */
const eye = baseline(
  'a perfect eye: follows the hand in the frames shown to what it points at (built-in clips only)',
  (slots, sample, { frames, durationMs }, _, { speech, timings }) => {
    const plan = planOf(sample)
    const { language, objects, template } = plan
    const timed = speech === 'audio' || (speech === 'text' && timings)
    const seen = eyeAnswers(plan, { frames: frames ?? allFrames(plan), timed })
    const ids = lastFrameIds(plan)
    const things = new Map(seenThings(ids, WIDTH).map((thing) => [thing.instance, thing]))
    const moved = objects.find(({ id }) => id === seen?.[0]?.object)
    const sides = speech === 'none' ? [] : directionsSaid(plan.text)
    const answers = slots.map(({ kind }, i): Answer => {
      const gesture = seen?.[i]
      const object = objects.find(({ id }) => id === gesture?.object)
      const thing = object && things.get(object.id)
      const said = { description: '', moment: gesture?.moment ?? durationMs / 2, option: '' }
      if (kind === 'area' && template === '指令3' && gesture) {
        const [x, y] = gesture.spot
        const others = objects.filter(({ key }) => key !== moved?.key)
        const [description = ''] = freeNames([x, y], others, language)
        return { ...said, description, point: inLastFrame(plan, gesture.spot), option: optionOf(sample, description) }
      }
      if (!object || !thing) return { ...said, point: [500, 500] }
      if (kind === 'object') {
        const [x, y] = centerPixel(ids, thing)
        const option = optionOf(sample, uniqueName(object, objects, language))
        const point: Point = [((x + 0.5) / WIDTH) * 1000, ((y + 0.5) / HEIGHT) * 1000]
        return { ...said, description: object[language], point, option }
      }
      const direction = sides[slots.slice(0, i).filter((slot) => slot.kind === 'area').length]
      if (!direction) return { ...said, point: inLastFrame(plan, centerOf(object)) }
      const side = sideName(direction, language)
      return {
        ...said,
        description: placeName(object[language], side),
        point: inLastFrame(plan, [...sidePosition(object, direction), TABLE.z]),
        option: optionOf(sample, placeName(uniqueName(object, objects, language), side)),
      }
    })
    const names = answers.map(({ description }) => description)
    return { command: canonicalCommand(template, names), answers }
  },
)

function optionOf({ evalTruth }: VsigSample, name: string): string {
  const choices = [...(evalTruth?.object_choices ?? []), ...(evalTruth?.space_choices ?? [])]
  return choices.find((choice) => choice.slice(3) === name)?.slice(0, 1) ?? ''
}

function nearestObject(plan: ClipPlan, { tip, direction }: Finger): ClipPlan['objects'][number] {
  const along = (object: ClipPlan['objects'][number]): number => dot(unit(subtract(centerOf(object), tip)), direction)
  return plan.objects.reduce((best, object) => (along(object) > along(best) ? object : best))
}

function tablePoint({ tip, direction }: Finger): Vec3 {
  const t = direction[2] < 0 ? (TABLE.z - tip[2]) / direction[2] : 0
  return [tip[0] + direction[0] * t, tip[1] + direction[1] * t, TABLE.z]
}

function inLastFrame(plan: ClipPlan, point: Vec3): Point {
  const { x, y } = project(cameraAt(plan, frameMs(plan.frames - 1)), point)
  return [(x / WIDTH) * 1000, (y / HEIGHT) * 1000]
}

const KNOWN_FINGERS = { cannotPlay: { vsig: 'the finger pose is not known in these clips' } }

export const baselines = {
  oracle,
  centre: center,
  random,
  reference,
  'finger-ray': { ...fingerRay, ...KNOWN_FINGERS },
  eye: { ...eye, ...KNOWN_FINGERS },
} satisfies Record<string, VsigBaseline>
