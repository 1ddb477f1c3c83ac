/** How the files of the published rendered scenes are called. */
import { stat } from 'node:fs/promises'
import { MissingAssetError } from '../../../suite.ts'
import type { PictureFiles } from '../samples/sample.ts'
import { START } from '../domain/grid/view.ts'

/** Stands beside the folders of the scenes. */
export const CALIBRATION = 'instruction.png'
/** The contact sheet of a scene. */
export const OBJECTS = 'orientation_instruction.png'

export function pictureName({ cameras }: PictureFiles, anchor: string, heading: string, changed: boolean): string {
  const camera = anchor === START ? 'agent' : Object.hasOwn(cameras, anchor) ? cameras[anchor] : undefined
  if (camera === undefined) throw new MissingAssetError(`The rendered scene has no camera at “${anchor}”.`)
  return `${camera}_facing_${heading}${changed ? '_fbexp' : ''}.png`
}

export async function exists(path: string): Promise<boolean> {
  return stat(path).then(
    () => true,
    () => false,
  )
}
