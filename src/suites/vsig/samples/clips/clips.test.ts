import { describe, expect, it } from 'vitest'
import { hashOf } from '../../../../base/hash.ts'
import { project } from '../../../../world/render/index.ts'
import { pairsOf } from '../../domain/points.ts'
import { type Language, SHAPES, TEMPLATES } from '../../domain/templates.ts'
import { spokenWindows } from '../../domain/windows.ts'
import { annotatedClip } from './annotate.ts'
import { ClipRenderer } from './draw.ts'
import { allFrames, evidenceOf, isAnswerable, isFair } from './eye.ts'
import { fingerAt, heldFingers } from './hand.ts'
import { type Level } from './levels.ts'
import { cameraAt, centerOf, type ClipPlan, HEAD, HEIGHT, planClip, TABLE, uniqueName, WIDTH } from './plan.ts'
import { frameMs } from './timing.ts'

const LANGUAGES = ['zh', 'en'] as const

function planned(seed: number, index: number, language: Language, level: Level = 'medium', attempt = 0): ClipPlan {
  return planClip({ seed, index, language, level, attempt })
}

describe('a planned clip', () => {
  it('depends only on the seed', () => {
    const [a, b, c] = [planned(1, 4, 'zh'), planned(1, 4, 'zh'), planned(2, 4, 'zh')]
    const bare = ({ objects: things, ...plan }: typeof a) =>
      hashOf([plan, things.map(({ key, position, yaw }) => [key, position, yaw])])
    expect(bare(a)).toBe(bare(b))
    expect(bare(a)).not.toBe(bare(c))
  })

  it.each(LANGUAGES)('has words in %s that determine the windows of all slots', (language) => {
    for (let index = 0; index < 24; index++) {
      const plan = planned(9, index, language)
      const { slots } = SHAPES[plan.template]
      expect(plan.gestures.flatMap(({ slot }) => slot ?? [])).toEqual(slots.map((_, i) => i))
      if (plan.template === '指令1') {
        expect(plan.words).toEqual([])
        continue
      }
      const windows = spokenWindows(plan.template, plan.words)
      expect([plan.text, windows?.length]).toEqual([plan.text, slots.length])
      // Hand and voice lag behind each other, but never miss each other.
      for (const { hold, slot } of plan.gestures) {
        if (slot === null) continue
        const [begin, end] = windows![slot]!
        expect(hold[0]).toBeLessThan(end)
        expect(hold[1]).toBeGreaterThan(begin)
      }
    }
  })

  it('points along a ray that passes close to its target, and hides the hand before the end', () => {
    for (let index = 0; index < 12; index++) {
      const plan = planned(9, index, 'en')
      for (const [i, { tip, direction }] of heldFingers(plan).entries()) {
        const { target, away } = plan.gestures[i]!
        const to = [target[0] - tip[0], target[1] - tip[1], target[2] - tip[2]] as const
        const along = to[0] * direction[0] + to[1] * direction[1] + to[2] * direction[2]
        const off = Math.sqrt(Math.max(0, Math.hypot(...to) ** 2 - along ** 2))
        expect(along).toBeGreaterThan(0.05)
        expect(off).toBeLessThan(0.015 + 0.05 * away)
        // The finger is above the table and in the frame.
        expect(tip[2]).toBeGreaterThan(TABLE.z)
      }
      expect(fingerAt(plan, frameMs(plan.frames - 1))).toBeNull()
      expect(fingerAt(plan, 0)).toBeNull()
    }
  })

  it('keeps objects apart; look-alikes differ only in their place', () => {
    for (let index = 0; index < 12; index++) {
      const { objects: things } = planned(9, index, 'zh')
      expect(new Set(things.map(({ zh }) => zh)).size).toBeLessThan(things.length)
      expect(new Set(things.map((thing) => uniqueName(thing, things, 'zh'))).size).toBe(things.length)
      for (const a of things) {
        for (const b of things) {
          if (a.id >= b.id) continue
          expect(Math.hypot(a.position[0] - b.position[0], a.position[1] - b.position[1])).toBeGreaterThan(
            a.radius + b.radius,
          )
        }
      }
    }
  })
})

describe('an annotated clip', () => {
  it.each(TEMPLATES.map((template, index) => [template, index] as const))(
    '%s matches the format of the dataset',
    (template, index) => {
      const { plan, annotation, evalTruth } = annotatedClip({ seed: 4, index, language: 'zh', level: 'medium' })
      expect(annotation.task_template).toBe(template)
      expect(annotation.object_space.map(({ type }) => type[0]).join('')).toBe(SHAPES[template].entries)
      const camera = cameraAt(plan, frameMs(plan.frames - 1))
      for (const [i, entry] of annotation.object_space.entries()) {
        const planned = plan.entries[i]!
        const at =
          planned.kind === 'object' ? centerOf(plan.objects[planned.object - 1]!) : ([...planned.at, TABLE.z] as const)
        const spot = project(camera, at)
        const [y, x] = pairsOf(entry.points)![0]!
        expect(Math.hypot((x / 1000) * WIDTH - spot.x, (y / 1000) * HEIGHT - spot.y)).toBeLessThan(60)
      }
      for (const [i, { choice }] of evalTruth.answer!.entries()) {
        const isObject = SHAPES[template].entries[SHAPES[template].slots[i]!.entry] === 'o'
        const choices = isObject ? evalTruth.object_choices! : evalTruth.space_choices!
        expect(choices.filter((each) => each.startsWith(`${choice}. `))).toHaveLength(1)
      }
    },
  )
})

describe('a perfect eye', () => {
  it('knows only what the frames show, and needs the times of words if the hand also points without any', () => {
    const plans = Array.from({ length: 24 }, (_, i) => planned(5, i % 6, 'en', 'hard', i)).filter(isFair)
    expect(plans.length).toBeGreaterThan(4)
    for (const plan of plans) {
      const frames = allFrames(plan)
      const isPointless = plan.gestures.some(({ slot, pointing }) => slot === null && pointing)
      expect(isAnswerable(plan, { frames, timed: false })).toBe(!isPointless)
      expect(isAnswerable(plan, { frames: [0, plan.frames - 1], timed: true })).toBe(false)
      for (const [from, to] of evidenceOf(plan)) expect(from).toBeLessThanOrEqual(to)
    }
  })

  it('does not take free places for ones next to the object that goes there', () => {
    for (let index = 2; index < 60; index += 6) {
      const { entries, objects } = planned(8, index, 'en')
      const [thing, place] = entries
      const moved = objects.find(({ id }) => thing?.kind === 'object' && id === thing.object)!
      expect(place!.name).not.toContain(moved.en)
    }
  })
})

describe('a drawn clip', () => {
  it('is seen from where the faces that are left out face away', () => {
    for (let index = 0; index < 60; index++) {
      const plan = planned(10, index, 'en')
      for (let frame = 0; frame < plan.frames; frame++) {
        for (const [i, range] of [HEAD.x, HEAD.y, HEAD.z].entries()) {
          const at = cameraAt(plan, frameMs(frame)).pose.position[i]!
          expect(at).toBeGreaterThanOrEqual(range[0])
          expect(at).toBeLessThanOrEqual(range[1])
        }
      }
    }
  })

  it('shows the same table with and without the arm, the arm where the finger is', () => {
    const plan = planned(9, 1, 'en')
    const renderer = new ClipRenderer(plan)
    const at0 = plan.gestures.findIndex(({ pointing }) => pointing)
    const first = plan.gestures[at0]!
    const held = frameMs(0) + (first.hold[0] + first.hold[1]) / 2
    const index = Math.round((held / 1000) * 15)
    const { data } = renderer.frame(index)
    const finger = heldFingers(plan)[at0]
    // A point on the finger just behind the tip is skin, which has more red than blue.
    const { tip, direction } = finger!
    const on = project(cameraAt(plan, frameMs(index)), [
      tip[0] - direction[0] * 0.1,
      tip[1] - direction[1] * 0.1,
      tip[2] - direction[2] * 0.1,
    ])
    const at = (Math.floor(on.y) * WIDTH + Math.floor(on.x)) * 3
    expect(data[at]! - data[at + 2]!).toBeGreaterThan(15)
    const table = renderer.frame(plan.frames - 1).data
    expect(table).toHaveLength(WIDTH * HEIGHT * 3)
    expect(renderer.frame(plan.frames - 1).data).toEqual(table)
  })
})
