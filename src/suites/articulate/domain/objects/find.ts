/** Which object a sample is about, and where it comes from. */
import { join } from 'node:path'
import { toMissingAsset, type DataFiles, LruCache, MissingAssetError } from '../../../../suite.ts'
import { buildArticulated, type Drawing } from './catalogue.ts'
import type { ArticulatedModel } from './model.ts'
import { loadPartNet } from './partnet.ts'

/** A built-in object, which follows from category and seed, or one of PartNet-Mobility, by the name of its folder. */
export type ObjectRef = BuiltinRef | { source: string; folder: string }

/** Without the number of a generator it is the first one's. */
export interface BuiltinRef extends Drawing {
  category: string
  seed: number
}

export function builtinModel({ category, seed, generator = 1, ...drawing }: BuiltinRef): ArticulatedModel {
  return buildArticulated(category, seed, { ...drawing, generator })
}

/** Objects from files are large: only the last ones are kept. */
const loaded = new LruCache<Promise<ArticulatedModel>>(6)

/** The object. Throws `MissingAssetError` when its files are not there or broken: the others go on. */
export async function modelOf(object: ObjectRef, files: DataFiles): Promise<ArticulatedModel> {
  if (!('folder' in object)) return builtinModel(object)
  const folder = join(files.path(object.source, `the object ${object.folder}`), object.folder)
  return loaded.getOrCreate(folder, () => loadPartNet(folder).catch((error: unknown) => toMissingAsset(error)))
}

/** Null when its files are not there or broken. */
export async function readableModel(object: ObjectRef, files: DataFiles): Promise<ArticulatedModel | null> {
  return modelOf(object, files).catch((error: unknown) => {
    if (error instanceof MissingAssetError) return null
    throw error
  })
}
