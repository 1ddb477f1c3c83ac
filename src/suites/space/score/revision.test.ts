import { describe, expect, test } from 'vitest'
import { Random } from '../../../base/random.ts'
import { generateScene } from '../samples/generate.ts'
import { sceneProblems } from '../domain/grid/invariants.ts'
import { SPACING } from '../domain/grid/spacing.ts'
import { startPose } from '../domain/grid/view.ts'
import { PROFILES } from '../domain/profile.ts'
import { parseChanges } from '../parse/changes.ts'
import { type RevisionContext, revisionMetrics, revisionTurn } from './inertia.ts'
import { revisionRecord } from './record.ts'
import { reviseScene } from '../samples/revise.ts'
import { scoreChanges } from './changes.ts'
import type { JsonObject } from '../../../suite.ts'
import { trueGlobalText } from '../domain/belief/map-text.ts'
import { trueGlobalMap } from '../domain/belief/ground-truth.ts'

describe('changes to a scene', () => {
  test('turn two objects, move two others, and keep the scene valid', () => {
    for (let i = 0; i < 100; i++) {
      const scene = generateScene({ seed: `revise/${i}` })
      const { scene: changed, changes } = reviseScene(scene, new Random(`revise/${i}`))
      expect(sceneProblems(changed).filter((problem) => !problem.includes('has no object'))).toEqual([])
      expect(new Set(changes.map(({ name }) => name)).size).toBe(4)
      expect(changes.map(({ kind }) => kind)).toEqual(['orientation', 'orientation', 'position', 'position'])
      for (const before of scene.objects) {
        const after = changed.objects.find(({ name }) => name === before.name)!
        const kind = changes.find(({ name }) => name === before.name)?.kind
        const moved = Math.hypot(after.pos[0] - before.pos[0], after.pos[1] - before.pos[1])
        if (kind === 'position') expect(moved).toBeGreaterThanOrEqual(6)
        else expect(moved).toBe(0)
        expect(String(after.heading) !== String(before.heading)).toBe(kind === 'orientation')
      }
      expect(reviseScene(scene, new Random(`revise/${i}`))).toEqual({ scene: changed, changes })
    }
  })

  test('follow the given placement rules', () => {
    for (let i = 0; i < 40; i++) {
      const scene = generateScene({ seed: `spaced/${i}`, spacing: 'dataset' })
      const { scene: changed, changes } = reviseScene(scene, new Random(`spaced/${i}`), { rules: SPACING.dataset })
      expect(changes).toHaveLength(4)
      for (const a of changed.objects) {
        for (const b of changed.objects) {
          const apart = Math.max(Math.abs(a.pos[0] - b.pos[0]), Math.abs(a.pos[1] - b.pos[1]))
          if (a.name < b.name) expect(apart, `${a.name} and ${b.name}, scene ${i}`).toBeGreaterThan(1)
        }
      }
    }
  })
})

describe('reported changes', () => {
  const names = ['lamp', 'air conditioner', 'chair', 'trash can']

  test.each([
    ['lamp: position, air_conditioner: rotated', ['lamp position', 'air conditioner orientation']],
    ['Lamp: moved; The Chair: facing', ['lamp position', 'chair orientation']],
    ['chair rotated, lamp moved', ['chair orientation', 'lamp position']],
    ['lamp: composition', []],
    ['lamp: position, lamp: orientation', ['lamp position', 'lamp orientation']],
    ['unicorn: position', ['unicorn position']],
    ['nothing', []],
    ['', []],
  ])('fixed parses %j', (text, expected) => {
    const parsed = parseChanges(text, names, 'fixed').flatMap(({ name, position, orientation }) => [
      ...(position ? [`${name} position`] : []),
      ...(orientation ? [`${name} orientation`] : []),
    ])
    expect(parsed).toEqual(expected)
  })

  test('upstream matches substrings and ignores entries without a colon', () => {
    expect(parseChanges('lamp: composition, chair rotated, air_conditioner: foo', names, 'upstream')).toEqual([
      { name: 'lamp', position: true, orientation: false },
    ])
  })

  test('are scored by name and kind', () => {
    const truth = [
      { name: 'lamp', kind: 'position' as const },
      { name: 'chair', kind: 'orientation' as const },
    ]
    const score = (text: string) => scoreChanges(parseChanges(text, names, 'fixed'), truth)
    expect(score('lamp: position, chair: orientation')).toMatchObject({ f1: 1, position: 1, orientation: 1 })
    expect(score('lamp: orientation, chair: position')).toMatchObject({ f1: 0, position: 0, orientation: 0 })
    expect(score('lamp: position').f1).toBeCloseTo(2 / 3)
    expect(score('')).toMatchObject({ f1: 0, precision: 0, recall: 0 })
    expect(scoreChanges([], []).f1).toBe(0)
  })
})

describe('revising a map', () => {
  const before = generateScene({ seed: 'follow' })
  const { scene, changes } = reviseScene(before, new Random('follow'))
  const context: RevisionContext = {
    scene,
    before,
    pose: startPose(scene),
    changes,
    oldBelief: trueGlobalMap({ scene: before, pose: startPose(before) }, new Set(before.order)),
    oldJson: JSON.parse(
      trueGlobalText({ scene: before, pose: startPose(before), observed: new Set(before.order) }),
    ) as JsonObject,
  }
  const seen = {
    changed: changes.map(({ name }) => name),
    unchanged: scene.order.filter((name) => !changes.some((change) => change.name === name)),
  }
  const now = trueGlobalMap({ scene, pose: startPose(scene) }, new Set(scene.order))

  test('a correct new map has no inertia', () => {
    for (const profile of PROFILES) {
      const metrics = revisionMetrics([revisionTurn(now, seen, context, profile)], profile)
      expect(metrics.changed).toEqual({ position: 1, facing: 1 })
      expect(metrics.retention.facing).toBe(0)
      expect(metrics.unchanged!.overall).toBe(1)
      // The published code leaves perfect revisions out; the paper counts them.
      expect(metrics.inertia).toBe(profile === 'upstream' ? null : 0)
    }
  })

  test('upstream looks old positions up in the raw map, and compares nothing if everything has changed', () => {
    const moved = changes.find(({ kind }) => kind === 'position')!.name
    const nested = { ...context, oldJson: { objects: context.oldJson! } }
    expect(revisionTurn(now, seen, context, 'upstream').moves[moved]).toBeDefined()
    expect(revisionTurn(now, seen, nested, 'upstream').moves[moved]).toBeUndefined()
    const all = scene.order.map((name) => ({ name, kind: 'position' as const }))
    expect(revisionTurn(now, seen, { ...context, changes: all }, 'upstream').unchanged).toBeNull()
    expect(revisionTurn(now, seen, { ...context, changes: all }, 'fixed').unchanged).not.toBeNull()
  })

  test('an unchanged map has full inertia', () => {
    const metrics = revisionMetrics([revisionTurn(context.oldBelief, seen, context, 'fixed')], 'fixed')
    expect(metrics.changed.facing).toBe(0)
    expect(metrics.changed.position).toBeLessThan(0.6)
    expect(metrics.retention).toEqual({ position: 1, facing: 1 })
    expect(metrics.inertia).toBeCloseTo(1, 6)
  })

  test('an unreadable map scores 0 under fixed and is skipped under upstream', () => {
    const fixed = revisionMetrics([revisionTurn(null, seen, context, 'fixed')], 'fixed')
    expect(fixed.changed).toEqual({ position: 0, facing: 0 })
    expect(revisionMetrics([revisionTurn(null, seen, context, 'upstream')], 'upstream').changed.position).toBeNull()
  })

  test('revisionRecord flattens the metrics', () => {
    const turns = [revisionTurn(now, seen, context, 'fixed')]
    const record = revisionRecord({ identified: null, turns, final: null, cost: 7, redundantCost: undefined }, 'fixed')
    expect(record).toMatchObject({
      'revision.identification.f1': 0,
      'revision.belief.position': 1,
      'revision.inertia.facing': 0,
      'revision.final.overall': 0,
      'revision.cost': 7,
    })
    expect(record).not.toHaveProperty('revision.redundantCost')
  })
})
