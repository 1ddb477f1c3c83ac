/** How far links are from where they belong. */
import { groupBy, mean } from '../../../suite.ts'
import { lengthOf, type Quaternion, subtract } from '../../../world.ts'
import { kindOf } from '../domain/assembly/parts.ts'
import type { LinkStates } from '../domain/states.ts'

/** Meters and radians that the paper states; every link must keep both. */
export const LINK_TOLERANCES = { position: 0.05, orientation: 0.25 }

export interface LinkDiff {
  /** By true link: meters, or null when it is missing. */
  position: Readonly<Record<string, number | null>>
  orientation: Readonly<Record<string, number | null>>
  /** Share of true links that are where they belong; `parts`: without the root, which is there for everyone. */
  placed: number
  parts: number | null
  /** Mean distance over the links that are there, meters; null when there are none. */
  meanPosition: number | null
  success: boolean
}

/**
 * Ours: every true link counts, missing ones as wrong, and links of one kind (door, door_2) are matched one to one so
 * that the sum of distances is smallest.
 */
export function linkDiff(truth: LinkStates, predicted: LinkStates, root?: string): LinkDiff {
  const position: Record<string, number | null> = {}
  const orientation: Record<string, number | null> = {}
  const names = Object.keys(truth)
  const partner = partnersOf(truth, predicted)
  for (const name of names) {
    const state = predicted[partner.get(name) ?? '']
    position[name] = state ? lengthOf(subtract(truth[name]!.center, state.center)) : null
    orientation[name] = state ? clippedAngle(truth[name]!.orientation, state.orientation) : null
  }
  const isPlaced = (name: string): boolean => {
    const [p, o] = [position[name], orientation[name]]
    return (
      typeof p === 'number' &&
      typeof o === 'number' &&
      p <= LINK_TOLERANCES.position &&
      o <= LINK_TOLERANCES.orientation
    )
  }
  const there = names.map((name) => position[name]).filter((value) => typeof value === 'number')
  const placed = names.filter((name) => isPlaced(name)).length
  return {
    position,
    orientation,
    placed: names.length === 0 ? 0 : placed / names.length,
    parts: mean(
      names.filter((name) => name !== root).map((name) => (isPlaced(name) ? 1 : 0)),
      null,
    ),
    meanPosition: mean(there, null),
    success: names.length > 0 && placed === names.length,
  }
}

/** By true link the predicted one of its kind that it is compared with, if there is one. */
export function partnersOf(truth: LinkStates, predicted: LinkStates): Map<string, string> {
  const partners = new Map<string, string>()
  for (const [kind, names] of groupBy(Object.keys(truth), kindOf)) {
    const candidates = Object.keys(predicted).filter((name) => kindOf(name) === kind)
    matched(names, candidates, truth, predicted).forEach((other, i) => {
      if (other !== undefined) partners.set(names[i]!, other)
    })
  }
  return partners
}

function clippedAngle(a: Quaternion, b: Quaternion): number {
  const cosine = Math.abs(a[0] * b[0] + a[1] * b[1] + a[2] * b[2] + a[3] * b[3])
  return 2 * Math.acos(Math.min(1, cosine))
}

/** Above so many of a kind the nearest pairs are taken one after the other. */
const EXACT_UP_TO = 7

function matched(
  names: readonly string[],
  candidates: readonly string[],
  truth: LinkStates,
  predicted: LinkStates,
): (string | undefined)[] {
  const cost = names.map((name) =>
    candidates.map((other) => lengthOf(subtract(truth[name]!.center, predicted[other]!.center))),
  )
  return assigned(cost).map((at) => (at < 0 ? undefined : candidates[at]))
}

/** By row the column it gets, −1 for none: the cheapest of all ways, or the cheapest pairs first where there are many. */
export function assigned(cost: readonly (readonly number[])[]): number[] {
  const isSmall = cost.length <= EXACT_UP_TO && (cost[0]?.length ?? 0) <= EXACT_UP_TO
  return isSmall ? cheapest(cost) : greedy(cost)
}

/** By row the column it gets, −1 for none, so that the sum is smallest and as many as possible are matched. */
function cheapest(cost: readonly (readonly number[])[]): number[] {
  const columns = cost[0]?.length ?? 0
  const skips = Math.max(0, cost.length - columns)
  let best: number[] = cost.map(() => -1)
  let least = Infinity
  const chosen: number[] = []
  const used = new Set<number>()
  const visit = (row: number, sum: number, skipped: number): void => {
    if (sum >= least) return
    if (row === cost.length) {
      least = sum
      best = [...chosen]
      return
    }
    for (let column = 0; column < columns; column++) {
      if (used.has(column)) continue
      used.add(column)
      chosen.push(column)
      visit(row + 1, sum + cost[row]![column]!, skipped)
      chosen.pop()
      used.delete(column)
    }
    if (skipped < skips) {
      chosen.push(-1)
      visit(row + 1, sum, skipped + 1)
      chosen.pop()
    }
  }
  visit(0, 0, 0)
  return best
}

function greedy(cost: readonly (readonly number[])[]): number[] {
  const pairs = cost.flatMap((row, i) => row.map((value, j) => ({ i, j, value }))).sort((a, b) => a.value - b.value)
  const result = cost.map(() => -1)
  const used = new Set<number>()
  for (const { i, j } of pairs) {
    if (result[i] !== -1 || used.has(j)) continue
    result[i] = j
    used.add(j)
  }
  return result
}
