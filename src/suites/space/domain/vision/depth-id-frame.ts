/** A picture as depth and ids: all that `baseline/eye` knows of the world. */
import type { ShownObject } from './shown.ts'

/** Something that has a number in the id picture, as the list of objects and the contact sheet tell of it. */
export interface Label {
  name: string
  kind: 'object' | 'door'
  /** As the contact sheet shows it, where it has a front; null for doors and things without one. */
  shape: ShownObject | null
}

/** A thing of fewer pixels is nothing that one could point at. */
export const MIN_PIXELS = 40

export interface DepthIdFrame {
  width: number
  height: number
  /** Metres along the view axis. */
  depth: Float32Array
  /** 0 is the room, `labels[id - 1]` anything else. */
  ids: Uint16Array
  labels: readonly Label[]
  /** Pixels per unit of right over ahead; the view axis is level and in the middle of the picture. */
  focal: number
  /** Of the camera above the floor, metres. */
  cameraHeight: number
  /** Nothing nearer than this is drawn, metres. */
  near: number
}
