/** How far links are from where they belong, as the published evaluation has it. */
import { mean } from '../../../suite.ts'
import { lengthOf, subtract } from '../../../world.ts'
import type { LinkState, LinkStates } from '../domain/states.ts'
import { quaternionAngle } from './joint.ts'

export interface PublishedLinkDiff {
  position_diff: Record<string, number>
  orientation_diff: Record<string, number>
}

const LINK_CUTOFF = 0.05

/** As published: only names that both have, and the nearest link whose name begins with the same word serves. */
export function publishedLinkDiff(truth: LinkStates, predicted: LinkStates): PublishedLinkDiff {
  const diff: PublishedLinkDiff = { position_diff: {}, orientation_diff: {} }
  for (const name of Object.keys(truth)) {
    if (!Object.hasOwn(predicted, name)) continue
    const wanted = truth[name]!
    const word = name.split('_')[0]!
    let best: LinkState | null = null
    let distance = Infinity
    for (const candidate of Object.keys(predicted).filter((other) => other.startsWith(word))) {
      const state = predicted[candidate]!
      const apart = lengthOf(subtract(wanted.center, state.center))
      if (apart < distance) {
        best = state
        distance = apart
      }
    }
    // Nothing is nearer than infinity where a place is not a number: the link is left out.
    if (!best) continue
    diff.position_diff[name] = distance
    diff.orientation_diff[name] = quaternionAngle(wanted.orientation, best.orientation)
  }
  return diff
}

export interface ReducedLinkDiff {
  position_diff: number
  orientation_diff: number
  /** Meters and radians, averaged as if they were the same. */
  average_diff: number
}

export function reducePublished({ position_diff, orientation_diff }: PublishedLinkDiff): ReducedLinkDiff {
  const position = mean(Object.values(position_diff), 0)
  const orientation = mean(Object.values(orientation_diff), 0)
  return { position_diff: position, orientation_diff: orientation, average_diff: (position + orientation) / 2 }
}

export function isPublishedSuccess({ average_diff }: ReducedLinkDiff): boolean {
  return average_diff < LINK_CUTOFF
}
