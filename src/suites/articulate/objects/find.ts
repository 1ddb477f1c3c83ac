import { join } from 'node:path'
import { asMissing } from '../../../base/errors.ts'
import { Recent } from '../../../base/recent.ts'
import { placeOf } from '../../../engine/places.ts'
import type { ObjectRef } from '../episode.ts'
import { buildArticulated } from './catalogue.ts'
import type { ArticulatedModel } from './model.ts'
import { loadPartNet } from './partnet.ts'

/** Objects from files are large: only the last ones are kept. */
const loaded = new Recent<Promise<ArticulatedModel>>(6)

/** The object of a case. Throws `MissingAssetError` when its files are not there or broken: the others go on. */
export async function modelOf(object: ObjectRef): Promise<ArticulatedModel> {
  if (!('folder' in object)) return buildArticulated(object.category, object.seed)
  const folder = join(placeOf(object.source, `the object ${object.folder}`), object.folder)
  return loaded.of(folder, () => loadPartNet(folder).catch((error: unknown) => asMissing(error)))
}
