/**
 * Joints matched by geometry, as S2O and OPD do it: by the boxes of the parts that they move, whatever the parts are called.
 * A pair counts if the boxes share at least half of what they fill together.
 */
import type { Robot } from '../../../world.ts'
import { diagonalOf } from '../domain/assembly/box.ts'
import { type ObjectShape, trueRobot } from '../domain/objects/model.ts'
import { partBoxes, partFrames, partOfLink, wholeBox } from '../domain/objects/pose.ts'
import { measuredInOrder, movingJoints } from './evaluate.ts'
import { iou } from './field.ts'
import { jointDiff, jointVerdict } from './joint.ts'
import { assigned } from './link.ts'

const LEAST_IOU = 0.5

/** F1 over true and predicted joints. */
export interface GeometryMatch {
  /** How many pairs there are. */
  pairs: number
  type: number
  axis: number
  origin: number
}

export function matchedByGeometry(object: ObjectShape, predicted: Robot): GeometryMatch {
  const truth = trueRobot(object)
  const moving = (robot: Robot) => {
    const boxes = partBoxes(object, partFrames(robot))
    return movingJoints(robot).flatMap((joint) => {
      const box = boxes.get(partOfLink(robot, joint.child))
      return box ? [{ joint: measuredInOrder(joint), box }] : []
    })
  }
  const [wanted, found] = [moving(truth), moving(predicted)]
  const cost = wanted.map(({ box }) => found.map((other) => 1 - iou(box, other.box)))
  const diagonal = object.diagonal ?? diagonalOf(wholeBox(object, partFrames(truth)))
  const verdicts = assigned(cost).flatMap((at, i) => {
    if (at < 0 || cost[i]![at]! > 1 - LEAST_IOU) return []
    const [{ joint: a, box: part }, { joint: b }] = [wanted[i]!, found[at]!]
    return [jointVerdict(a, b, jointDiff(a, b, { part, diagonal }), part)]
  })
  const total = movingJoints(truth).length + movingJoints(predicted).length
  const f1 = (hits: number): number => (total === 0 ? 1 : (2 * hits) / total)
  return {
    pairs: verdicts.length,
    type: f1(verdicts.filter(({ type }) => type).length),
    axis: f1(verdicts.filter(({ axis }) => axis).length),
    origin: f1(verdicts.filter(({ position }) => position).length),
  }
}
