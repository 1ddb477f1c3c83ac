/** Which object a sample is about, and where it comes from. */
import { join } from 'node:path'
import { toMissingAsset, type DataFiles, Recent } from '../../../../suite.ts'
import { buildArticulated } from './catalogue.ts'
import type { ArticulatedModel } from './model.ts'
import { loadPartNet } from './partnet.ts'

/** A built-in object, which follows from category and seed, or one of PartNet-Mobility, by the name of its folder. */
export type ObjectRef = { category: string; seed: number } | { source: string; folder: string }

/** Objects from files are large: only the last ones are kept. */
const loaded = new Recent<Promise<ArticulatedModel>>(6)

/** The object. Throws `MissingAssetError` when its files are not there or broken: the others go on. */
export async function modelOf(object: ObjectRef, files: DataFiles): Promise<ArticulatedModel> {
  if (!('folder' in object)) return buildArticulated(object.category, object.seed)
  const folder = join(files.path(object.source, `the object ${object.folder}`), object.folder)
  return loaded.of(folder, () => loadPartNet(folder).catch((error: unknown) => toMissingAsset(error)))
}
