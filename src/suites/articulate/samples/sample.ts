/** What is asked: plain JSON. */
import type { SampleBase } from '../../../suite.ts'
import type { Fault } from '../domain/objects/faults.ts'
import type { ObjectRef } from '../domain/objects/find.ts'
import type { StoredShape } from '../domain/objects/shape.ts'

export type Task = 'place' | 'joint' | 'build'

interface ObjectSample extends SampleBase {
  object: ObjectRef
}

export interface LoopSample extends ObjectSample {
  /** The part whose joint is asked for; null for all. */
  target: string | null
  /** What scoring needs of an object that comes from files; built-in ones follow from category and seed. */
  shape?: StoredShape
}

export interface CriticSample extends ObjectSample {
  critic: 'joint' | 'link'
  fault: Fault
}
