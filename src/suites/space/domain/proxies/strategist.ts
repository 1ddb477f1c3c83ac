/**
 * The strategist sweeps a room on entry, then goes to the least certain node and looks where most unknown partners are
 * likely to be, until the room's positions are certain.
 */
import { PositionSolver } from '../explore/solver.ts'
import { closestHeading, headingIndex } from '../grid/relations.ts'
import { HEADINGS, type Vec } from '../grid/scene.ts'
import { START } from '../grid/view.ts'
import { sweep } from './sweep.ts'
import type { Walk } from './walk.ts'

const MAX_OBSERVES_IN_ROOM = 100
/** The published agent samples this many points of a larger domain; counts are scaled to match. */
const SAMPLES = 30
/** Larger domains are thinned evenly before pairs are counted. */
const MAX_POINTS = 400

export function strategistRoom(walk: Walk): void {
  const before = walk.views.length
  sweep(walk)
  const solver = roomSolver(walk, before)
  const settled = (): boolean => walk.allEdgesKnown() || walk.roomNodes().every((name) => solver.size(name) === 1)
  const visited = new Set<string>()
  let budget = MAX_OBSERVES_IN_ROOM
  while (budget > 0 && !settled()) {
    const anchor = leastCertain(walk, solver, visited)
    if (anchor === undefined) return
    visited.add(anchor)
    const others = new Set(visited)
    const used = new Set<number>()
    // Try each heading at most once while the node has unknown edges.
    for (;;) {
      const heading = likeliestHeading(walk, solver, anchor, others, used)
      if (heading === undefined) break
      used.add(headingIndex(heading))
      const turn = lookFrom(walk, anchor, heading)
      if (turn.view) {
        solver.observe(turn.view)
        for (const { name } of turn.view.visible) others.add(name)
      }
      budget -= 1
      if (budget === 0 || settled() || !hasUnknownEdges(walk, anchor)) break
    }
  }
}

/** A solver for one room with the entry as origin, initialized with the room's views so far. */
export function roomSolver(walk: Walk, firstView: number): PositionSolver {
  const names = walk.entryDoor === undefined ? [...walk.roomNodes(), START] : walk.roomNodes()
  const solver = new PositionSolver(names, walk.progress.solver.gridSize)
  solver.fix(walk.entryAnchor, [0, 0])
  for (const { view } of walk.views.slice(firstView)) if (view) solver.observe(view)
  return solver
}

export function lookFrom(walk: Walk, anchor: string, heading: Vec): ReturnType<Walk['observe']> {
  walk.jumpTo(walk.entity(anchor))
  walk.rotateTo(heading)
  return walk.observe(anchor)
}

function hasUnknownEdges(walk: Walk, anchor: string): boolean {
  return [...walk.roomNodes(), START].some((other) => walk.edgeUnknown(anchor, other))
}

/** The node with the largest domain among those with unknown edges; ties go to the first by name. */
function leastCertain(walk: Walk, solver: PositionSolver, visited: ReadonlySet<string>): string | undefined {
  let best: string | undefined
  let most = -1
  for (const name of walk.roomNodes()) {
    if (visited.has(name) || !walk.roomNodes().some((other) => walk.edgeUnknown(name, other))) continue
    const size = solver.size(name) ?? solver.squareSize
    if (size > most) {
      most = size
      best = name
    }
  }
  return best
}

/** The unused heading with most pairs of possible positions of the anchor and its unknown partners. */
function likeliestHeading(
  walk: Walk,
  solver: PositionSolver,
  anchor: string,
  excluded: ReadonlySet<string>,
  used: ReadonlySet<number>,
): Vec | undefined {
  const totals = [0, 0, 0, 0]
  const from = thinned(solver.points(anchor))
  for (const other of walk.roomNodes()) {
    if (other === anchor || excluded.has(other) || !walk.edgeUnknown(anchor, other)) continue
    const to = thinned(solver.points(other))
    const scale = sampledShare(solver, anchor, from.length) * sampledShare(solver, other, to.length)
    for (const a of from) {
      for (const b of to) totals[headingIndex(closestHeading(b[0] - a[0], b[1] - a[1]))]! += scale
    }
  }
  let best: number | undefined
  for (let i = 0; i < HEADINGS.length; i++) {
    if (!used.has(i) && totals[i]! > (best === undefined ? 0 : totals[best]!)) best = i
  }
  return best === undefined ? undefined : HEADINGS[best]
}

function sampledShare(solver: PositionSolver, name: string, points: number): number {
  return Math.min(SAMPLES, solver.size(name) ?? solver.squareSize) / Math.max(1, points)
}

function thinned(points: readonly Vec[]): readonly Vec[] {
  if (points.length <= MAX_POINTS) return points
  const stride = points.length / MAX_POINTS
  return Array.from({ length: MAX_POINTS }, (_, i) => points[Math.floor(i * stride)]!)
}
