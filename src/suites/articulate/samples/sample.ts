/** What is asked: plain JSON. */
import type { SampleBase } from '../../../suite.ts'
import type { Fault, Variant } from '../domain/objects/faults.ts'
import type { ObjectRef } from '../domain/objects/find.ts'
import type { StoredShape } from '../domain/objects/shape.ts'
import type { Look } from '../play/pictures/look.ts'
import type { MotionView } from '../play/pictures/visible.ts'

export type Task = 'place' | 'joint' | 'build'

interface ObjectSample extends SampleBase {
  object: ObjectRef
  /** How the motion of the part in question is shown; where absent, whole and from the front. */
  view?: MotionView
  /** Questions that were left out before this one, because what they ask for cannot be seen. */
  leftOut?: number
}

export interface LoopSample extends ObjectSample {
  /** The part whose joint is asked for; null for all. */
  target: string | null
  /** What scoring needs of an object that comes from files; built-in ones follow from category and seed. */
  shape?: StoredShape
}

/** The published critics: of a joint, of placement, and of a whole URDF without an original. */
export type Critic = 'joint' | 'link' | 'urdf'

export interface CriticSample extends ObjectSample {
  critic: Critic
  /** What was built. */
  fault: Fault
  /** What it should have been; where absent, the object as it is. */
  truth?: Variant
  /** How the original and what was built are photographed: differently, since that must not matter. */
  looks?: { truth: Look; prediction: Look }
}
