/** Robots as URDF: read, check, write, move. */
export * from '../frames.ts'
export * from '../vector.ts'
export {
  type JointPositions,
  type JointState,
  jointStates,
  linkFrames,
  motionOf,
  poseFrame,
  positionOf,
} from './kinematics.ts'
export { meshPath } from './mesh-path.ts'
export * from './model.ts'
export { readUrdf, type ReadUrdf } from './read.ts'
export { checkTree, rootOf, walkOrder } from './tree.ts'
export { writeUrdf } from './write.ts'
export { readXml, type XmlElement } from '../../base/xml.ts'
