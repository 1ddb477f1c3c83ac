/** An image as depth and ids, the only view of the world that `baseline/eye` has. */
import type { DisplayedObject } from './displayed-object.ts'

/** An entry of the id image, with what the object list and the contact sheet reveal about it. */
export interface Label {
  name: string
  kind: 'object' | 'door'
  /** The shape on the contact sheet; null for doors and objects without a front. */
  shape: DisplayedObject | null
}

/** Objects with fewer visible pixels count as hidden. */
export const MIN_PIXELS = 40

export interface DepthIdFrame {
  width: number
  height: number
  /** Meters along the view axis. */
  depth: Float32Array
  /** 0 is the room, `labels[id - 1]` anything else. */
  ids: Uint16Array
  labels: readonly Label[]
  /** Focal length in pixels; the view axis is level and at the center of the image. */
  focal: number
  /** Height of the camera above the floor, in meters. */
  cameraHeight: number
  /** Near plane, in meters. */
  near: number
}
