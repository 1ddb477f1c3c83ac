/** What the images of an episode show of each object: the proof that a question can be answered from them. */
import { fromYawPitch, type Pose, type Renderer } from '../../../world.ts'
import { cameraAt, type CameraSettings } from './camera.ts'
import { startOf } from './pose.ts'
import type { Stage } from './scene/stage.ts'
import { Survey } from './survey.ts'
import { walk } from './walk.ts'

/** An object counts as shown from this share of an image on: 400 pixels of 640 × 480. */
export const SHOWN_SHARE = 0.0013
/** Share from which an object can be noticed: about 150 pixels. */
export const GLIMPSE_SHARE = 0.0005
/** Objects are measured in images of half the size. */
const SCALE = 1 / 2

/** Share of an image that each object covers, by instance. */
export type Shares = ReadonlyMap<number, number>

/** @param scale of the image that is measured, compared with the one that is shown */
export function sharesFrom(renderer: Renderer, camera: CameraSettings, pose: Pose, scale = SCALE): Shares {
  const [width, height] = [Math.round(camera.width * scale), Math.round(camera.height * scale)]
  const options = { width, height, color: false, ids: true }
  const counts = renderer.lend(cameraAt(camera, pose, scale), options, ({ ids }) => pixelsOf(ids))
  counts.delete(0)
  return new Map([...counts].map(([instance, pixels]) => [instance, pixels / (width * height)]))
}

/** The number of pixels with each id. */
function pixelsOf(ids: Uint16Array): Map<number, number> {
  const counts = new Map<number, number>()
  // Pixel by pixel would cost as much as drawing: most have the id of the one before.
  for (let from = 0; from < ids.length;) {
    const end = endOfRun(ids, from)
    counts.set(ids[from]!, (counts.get(ids[from]!) ?? 0) + end - from)
    from = end
  }
  return counts
}

function endOfRun(ids: Uint16Array, from: number): number {
  const id = ids[from]!
  let end = from + 1
  while (end < ids.length && ids[end] === id) end++
  return end
}

/** What an agent sees that walks the survey from the start, in at most so many moves. */
export function surveySeen(stage: Stage, camera: CameraSettings, steps: number): Shares[] {
  const survey = new Survey(stage)
  let pose = fromYawPitch(startOf(stage, camera), 0, camera.pitchDegrees)
  const seen = [sharesFrom(stage.renderer, camera, pose)]
  for (let step = 0; step < steps; step++) {
    const move = survey.next(pose)
    if (move === null) break
    pose = walk(pose, move, stage, 'official').pose
    seen.push(sharesFrom(stage.renderer, camera, pose))
  }
  return seen
}

/** The objects that at least one of the images shows well enough. */
export function shownIn(images: readonly Shares[], share = SHOWN_SHARE): Set<number> {
  const shown = new Set<number>()
  for (const shares of images) for (const [instance, of] of shares) if (of >= share) shown.add(instance)
  return shown
}

/** The first image that shows one of the instances; -1 if none does. */
export function firstImage(instances: readonly number[], images: readonly Shares[], share: number): number {
  return images.findIndex((shares) => instances.some((instance) => (shares.get(instance) ?? 0) >= share))
}

/** Whether no group appears in an earlier image than the group before it, and all appear. */
export function appearInOrder(
  groups: readonly (readonly number[])[],
  images: readonly Shares[],
  share: number,
): boolean {
  const firsts = groups.map((instances) => firstImage(instances, images, share))
  return firsts.every((first, i) => first !== -1 && (i === 0 || firsts[i - 1]! <= first))
}
