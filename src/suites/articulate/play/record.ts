/** Makes the events that an episode leaves for those who look at it later: truth and every prediction, ready to be posed in 3D. */
import type { Episode } from '../../../suite.ts'
import {
  type Frame,
  IDENTITY,
  isMovable,
  jointStates,
  poseFrame,
  type Robot,
  rootOf,
  writeGlb,
  writeUrdf,
} from '../../../world.ts'
import type { Critique } from '../measure/critique.ts'
import type { Iteration, Stop } from '../domain/outcome.ts'
import type { Profile } from '../domain/profile.ts'
import type { ArticulateEvent, IterationEvent, JointData, RobotData } from '../events.ts'
import type { Evaluation } from '../measure/evaluate.ts'
import { type ArticulatedModel, trueRobot } from '../domain/objects/model.ts'
import { partOfLink, rangeOf } from '../domain/objects/pose.ts'
import { modelDiagonal, posedMesh } from './pictures/stage.ts'

/** Records an event of one of the suite's types. */
export function note(episode: Episode<Profile>, event: ArticulateEvent): void {
  episode.note(event)
}

function matrixOf(frame: Frame): number[] {
  return [...frame, 0, 0, 0, 1]
}

export function robotData(robot: Robot): RobotData {
  const states = new Map(jointStates(robot).map((state) => [state.name, state]))
  return {
    root: rootOf(robot) ?? '',
    links: robot.links.map(({ name, visuals: [visual] }) => ({
      name,
      part: partOfLink(robot, name),
      visual: matrixOf(visual ? poseFrame(visual.origin) : IDENTITY),
    })),
    joints: robot.joints.map((joint): JointData => {
      const { name, type, parent, child, origin, axis, limit, mimic } = joint
      const state = states.get(name)
      const hasEnds = limit !== undefined && type !== 'continuous' && isMovable(joint)
      return {
        name,
        type,
        parent,
        child,
        part: partOfLink(robot, child),
        origin: matrixOf(poseFrame(origin)),
        axis,
        lower: hasEnds ? limit.lower : null,
        upper: hasEnds ? limit.upper : null,
        range: isMovable(joint) ? rangeOf(joint) : null,
        mimic: mimic ?? null,
        world: { origin: state?.origin ?? [0, 0, 0], axis: state?.axis ?? axis },
      }
    }),
  }
}

/** All parts of an object as GLB, one node a part under its name, each around its own origin. */
export async function partsGlb(model: ArticulatedModel): Promise<Uint8Array> {
  const frames = new Map(model.parts.map(({ name }): [string, Frame] => [name, IDENTITY]))
  const mesh = posedMesh(model, frames, { diagonal: modelDiagonal(model), ground: null })
  return writeGlb(mesh, { names: new Map(model.parts.map(({ name }, i) => [i + 1, name])) })
}

/** Notes the object: its parts as GLB, and the true robot. */
export async function noteObject(
  episode: Episode<Profile>,
  model: ArticulatedModel,
  target: string | null,
): Promise<void> {
  const truth = trueRobot(model)
  const provenance = { made: 'export', object: model.id, shows: 'parts' }
  const meshes = await episode.keep(await partsGlb(model), 'model/gltf-binary', provenance)
  note(episode, {
    type: 'articulate/object',
    object: model.id,
    category: model.category,
    target,
    parts: model.parts.map(({ name, size }) => ({ name, size })),
    ground: model.ground,
    meshes,
    truth: robotData(truth),
    urdf: writeUrdf(truth),
  })
}

export interface IterationDetails {
  record: Iteration
  robot: Robot | null
  critique: Critique | null
  measured: Evaluation | null
  stop: Stop | null
}

export function iterationEvent({ record, robot, critique, measured, stop }: IterationDetails): IterationEvent {
  return {
    type: 'articulate/iteration',
    ...record,
    robot: robot && robotData(robot),
    verdict: critique?.verdict ?? null,
    measured: measured && {
      placed: measured.placed,
      positions: measured.links.position,
      joints: measured.joints,
      extraJoints: measured.extraJoints,
    },
    verifier: { stops: stop !== null, code: stop?.code ?? null, text: stop?.text ?? null },
  }
}
