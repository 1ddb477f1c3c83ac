import { describe, expect, it } from 'vitest'
import { Random } from '../../../../base/random.ts'
import { generateScene } from '../../samples/generate.ts'
import { egoBin } from '../../../../../test/support/suites/space/bins.ts'
import { bearingDegrees, cardinalBin, distanceBin } from '../grid/relations.ts'
import { HEADINGS, type Scene, type Vec } from '../grid/scene.ts'
import { entitiesOf, poseAt, proximityPairs, START } from '../grid/view.ts'
import { gridSizeOf, PositionSolver } from './solver.ts'
import { takeView, type View } from './views.ts'

interface Relation {
  a: string
  b: string
  holds: (a: Vec, b: Vec) => boolean
}

function distance(a: Vec, b: Vec): number {
  return Math.hypot(a[0] - b[0], a[1] - b[1])
}

/** The relations of a view, as a naive reference implementation. */
function relationsOf({ anchor, pose, visible }: View): Relation[] {
  const same = (heading: Vec, bin: (bearing: number) => number, from: Vec, to: Vec): Relation['holds'] => {
    const wanted = [bin(bearingDegrees(from, heading, to)), distanceBin(distance(from, to))]
    return (a, b) => bin(bearingDegrees(b, heading, a)) === wanted[0] && distanceBin(distance(a, b)) === wanted[1]
  }
  return [
    ...visible.map((entity) => ({
      a: entity.name,
      b: anchor,
      holds: same(pose.heading, egoBin, pose.pos, entity.pos),
    })),
    ...proximityPairs(visible, pose.heading).map(({ subject, anchor: near }) => ({
      a: subject.name,
      b: near.name,
      holds: same(pose.heading, cardinalBin, near.pos, subject.pos),
    })),
  ]
}

/** Naive arc consistency over lists, to the fixpoint. */
function naiveSizes(scene: Scene, views: readonly View[]): Map<string, number> {
  const g = gridSizeOf(scene)
  const square: Vec[] = []
  for (let x = -g; x <= g; x++) for (let y = -g; y <= g; y++) square.push([x, y])
  const relations = views.flatMap(relationsOf)
  const domains = new Map<string, Vec[]>([[START, [[0, 0]]]])
  const pairs = new Map<string, Relation[]>()
  for (const relation of relations) {
    for (const name of [relation.a, relation.b]) if (!domains.has(name)) domains.set(name, square)
    const key = [relation.a, relation.b].sort().join('|')
    pairs.set(key, [...(pairs.get(key) ?? []), relation])
  }
  for (let changed = true; changed;) {
    changed = false
    for (const [key, both] of pairs) {
      const [p, q] = key.split('|') as [string, string]
      for (const [one, other] of [
        [p, q],
        [q, p],
      ] as const) {
        const left = domains
          .get(one)!
          .filter((v) =>
            domains.get(other)!.some((w) => both.every(({ a, holds }) => (a === one ? holds(v, w) : holds(w, v)))),
          )
        if (left.length === domains.get(one)!.length) continue
        domains.set(one, left)
        changed = true
      }
    }
  }
  return new Map([...domains].map(([name, domain]) => [name, domain.length]))
}

describe('PositionSolver', () => {
  it('agrees with naive arc consistency', () => {
    for (let seed = 0; seed < 6; seed++) {
      const scene = generateScene({ seed, rooms: 2, topology: 0, roomSize: [4, 4], objectsPerRoom: 3 })
      const random = new Random(`views/${seed}`)
      const views = Array.from({ length: 7 }, (_, i) => {
        const at = i < 2 ? START : random.pick(entitiesOf(scene))
        return takeView(scene, poseAt(scene, at, random.pick(HEADINGS)))
      })
      const solver = PositionSolver.forScene(scene)
      for (const view of views) solver.observe(view)
      for (const [name, size] of naiveSizes(scene, views)) {
        if (solver.size(name) !== size) expect([seed, name, solver.size(name)]).toEqual([seed, name, size])
      }
    }
  })

  it('never removes the true position and only ever narrows', () => {
    const scene = generateScene({ seed: 'truth', rooms: 4, topology: 2 })
    const random = new Random('truth')
    const solver = PositionSolver.forScene(scene)
    let level = solver.level('fixed')
    expect(level).toBe(0)
    for (let i = 0; i < 60; i++) {
      const at = i === 0 ? START : random.pick(entitiesOf(scene))
      solver.observe(takeView(scene, poseAt(scene, at, random.pick(HEADINGS))))
      expect(solver.level('fixed')).toBeGreaterThanOrEqual(level)
      level = solver.level('fixed')
    }
    for (const { name, pos } of entitiesOf(scene)) {
      expect(solver.points(name)).toContainEqual([pos[0] - scene.start.pos[0], pos[1] - scene.start.pos[1]])
    }
  })

  it('clones into an independent solver', () => {
    const scene = generateScene({ seed: 3 })
    const solver = PositionSolver.forScene(scene)
    const { name, pos } = entitiesOf(scene)[0]!
    const trial = solver.clone()
    trial.locate(name, [pos[0] - scene.start.pos[0], pos[1] - scene.start.pos[1]])
    expect(trial.size(name)).toBe(1)
    expect(solver.size(name)).toBeUndefined()
  })

  it('survives contradictory observations', () => {
    const scene = generateScene({ seed: 4 })
    const { name } = entitiesOf(scene)[0]!
    const solver = PositionSolver.forScene(scene)
    solver.locate(name, [1, 1])
    solver.locate(name, [2, 2])
    expect([solver.size(name), solver.size(START)]).toContain(0)
    solver.observe(takeView(scene, poseAt(scene, START)))
    expect(solver.level('fixed')).toBeGreaterThan(0)
    expect(solver.level('fixed')).toBeLessThanOrEqual(1)
  })
})
