/** Where a robot has an object's parts, and how far they reach when its joints move. */
import {
  compose,
  type Frame,
  frameOf,
  isMovable,
  type Joint,
  type JointPositions,
  linkFrames,
  poseFrame,
  type Robot,
} from '../../../../world.ts'
import { type Box, boxAround, union } from '../assembly/box.ts'
import type { ObjectShape } from './model.ts'

/** Turns of joints without end are shown over this angle. */
export const ENDLESS_TURN = Math.PI * 1.5

/** The part that a link shows: the one its mesh is named after, or its own name. */
export function partOfLink(robot: Robot, link: string): string {
  const [visual] = robot.links.find(({ name }) => name === link)?.visuals ?? []
  const file = visual?.geometry.kind === 'mesh' ? visual.geometry.filename : link
  return file.replace(/^.*[/\\]/, '').replace(/\.\w+$/, '')
}

/** The frame of every part that the robot has. */
export function partFrames(robot: Robot, positions: JointPositions = {}): Map<string, Frame> {
  const frames = new Map<string, Frame>()
  for (const [link, frame] of linkFrames(robot, positions)) {
    const [visual] = robot.links.find(({ name }) => name === link)?.visuals ?? []
    frames.set(partOfLink(robot, link), compose(frame, visual ? poseFrame(visual.origin) : frameOf([0, 0, 0])))
  }
  return frames
}

export function partBoxes({ shelf }: Pick<ObjectShape, 'shelf'>, frames: ReadonlyMap<string, Frame>): Map<string, Box> {
  const boxes = new Map<string, Box>()
  for (const [name, part] of shelf) {
    const frame = frames.get(name)
    const box = frame ? boxAround(part.points, frame) : null
    if (box) boxes.set(name, box)
  }
  return boxes
}

export function wholeBox(object: Pick<ObjectShape, 'shelf'>, frames: ReadonlyMap<string, Frame>): Box {
  const boxes = [...partBoxes(object, frames).values()]
  return boxes.reduce((all, box) => union(all, box), boxes[0] ?? { min: [0, 0, 0], max: [0, 0, 0] })
}

/** Farther than this, meters or radians, nothing is shown: a limit of 1e300 is a number too. */
const FARTHEST = 1000

/** What is shown of a joint's range. */
export function rangeOf({ type, limit }: Joint): readonly [number, number] {
  if (type === 'continuous' || !limit) return [0, ENDLESS_TURN]
  const shown = (end: number): number => Math.max(-FARTHEST, Math.min(FARTHEST, end))
  return [shown(Math.min(limit.lower, limit.upper)), shown(Math.max(limit.lower, limit.upper))]
}

/** The box that holds the object at rest and at both ends of every joint. */
export function reachedBox(object: Pick<ObjectShape, 'shelf'>, robot: Robot): Box {
  let all = wholeBox(object, partFrames(robot))
  for (const joint of robot.joints) {
    if (!isMovable(joint)) continue
    const [lower, upper] = rangeOf(joint)
    for (const t of [0, 0.5, 1])
      all = union(all, wholeBox(object, partFrames(robot, { [joint.name]: lower + (upper - lower) * t })))
  }
  return all
}
