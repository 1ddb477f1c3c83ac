import type { ObjectRef } from '../episode.ts'
import { buildArticulated } from './catalogue.ts'
import type { ArticulatedModel } from './model.ts'

/** The object of a case. */
export function modelOf({ category, seed }: ObjectRef): ArticulatedModel {
  return buildArticulated(category, seed)
}
