/** File names of the published rendered scenes. */
import { stat } from 'node:fs/promises'
import { MissingAssetError } from '../../../suite.ts'
import type { ImageFiles } from '../samples/sample.ts'
import { START } from '../domain/grid/view.ts'

/** The calibration image, next to the scene folders. */
export const CALIBRATION = 'instruction.png'
/** The contact sheet of a scene. */
export const OBJECTS = 'orientation_instruction.png'

export function imageName({ cameras }: ImageFiles, anchor: string, heading: string, changed: boolean): string {
  const camera = anchor === START ? 'agent' : Object.hasOwn(cameras, anchor) ? cameras[anchor] : undefined
  if (camera === undefined) throw new MissingAssetError(`The rendered scene has no camera at "${anchor}".`)
  return `${camera}_facing_${heading}${changed ? '_fbexp' : ''}.png`
}

export async function exists(path: string): Promise<boolean> {
  return stat(path).then(
    () => true,
    () => false,
  )
}
