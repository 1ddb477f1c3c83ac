/** A robot that was built from the dataset's meshes, as one that is built from parts in frames of their own. */
import {
  compose,
  type Frame,
  frameOf,
  IDENTITY,
  inverse,
  originOf,
  poseFrame,
  type Robot,
  rpyOf,
  turned,
} from '../../../world.ts'
import { BASE } from '../domain/assembly/parts.ts'
import type { DatasetFrames } from '../domain/objects/model.ts'

/** What the published language puts between the base and what moves on it. */
const HELPER = 'base_helper'

/** Nothing moves: links get the frames of parts, which stand upright, and what they show is put back where it was. */
export function inOwnFrames(robot: Robot, { meshes, middle }: DatasetFrames): Robot {
  const { links, joints } = withoutHelper(robot)
  const upright = turnOf([...meshes.values()][0] ?? IDENTITY)
  const back = inverse(upright)
  // The world's origin is the middle of the root part.
  const world = frameOf([-middle[0], -middle[1], -middle[2]])
  return {
    ...robot,
    links: links.map((link) => {
      const mesh = meshes.get(link.name)
      if (!mesh) return link
      const shown = link.visuals.slice(0, 1).map((visual) => ({
        ...visual,
        origin: poseOf(compose(back, compose(poseFrame(visual.origin), mesh))),
      }))
      return { ...link, collisions: [], visuals: shown }
    }),
    joints: joints.map((joint) => ({
      ...joint,
      origin: poseOf(compose(joint.parent === BASE ? world : back, compose(poseFrame(joint.origin), upright))),
      axis: turned(back, joint.axis),
    })),
  }
}

/** A frame without its place. */
function turnOf(frame: Frame): Frame {
  return frame.map((value, i) => (i % 4 === 3 ? 0 : value))
}

function poseOf(frame: Frame): Robot['joints'][number]['origin'] {
  return { xyz: originOf(frame), rpy: rpyOf(frame) }
}

function withoutHelper({ links, joints }: Robot): Pick<Robot, 'links' | 'joints'> {
  const helper = joints.find(({ child, type }) => child === HELPER && type === 'fixed')
  if (!helper) return { links, joints }
  return {
    links: links.filter(({ name }) => name !== HELPER),
    joints: joints
      .filter((joint) => joint !== helper)
      .map((joint) =>
        joint.parent === HELPER
          ? {
              ...joint,
              parent: helper.parent,
              origin: poseOf(compose(poseFrame(helper.origin), poseFrame(joint.origin))),
            }
          : joint,
      ),
  }
}
