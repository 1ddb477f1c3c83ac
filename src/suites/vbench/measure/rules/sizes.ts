/** To which size each network's input is brought, with the truncations of the published evaluator. */
import { roundHalfEven } from '../../../../suite.ts'

export interface Size {
  height: number
  width: number
}

/** Shorter side to `side`, the other in proportion, truncated. */
export function shorterSideTo(side: number, { height, width }: Size): Size {
  return width <= height
    ? { height: Math.trunc((side * height) / width), width: side }
    : { height: side, width: Math.trunc((side * width) / height) }
}

function scaledBy(scale: number, { height, width }: Size): Size {
  return { height: Math.trunc(scale * height), width: Math.trunc(scale * width) }
}

const IMAGING_SIDE = 512

/** Imaging quality: pictures whose longer side is above 512 are made smaller. */
export function imagingSize(size: Size): Size {
  const side = Math.max(size.height, size.width)
  return side > IMAGING_SIDE ? scaledBy(IMAGING_SIDE / side, size) : size
}

export const ACTION_RESIZE = 256
export const ACTION_CROP = 224

/** Where the action network's center crop begins. */
export function actionCropOrigin({ height, width }: Size): { y: number; x: number } {
  return { y: roundHalfEven((height - ACTION_CROP) / 2), x: roundHalfEven((width - ACTION_CROP) / 2) }
}

export interface Padding {
  left: number
  right: number
  top: number
  bottom: number
}

/** Padding on both sides up to a multiple, the odd pixel right and below. */
export function centredPadding(multiple: number, { height, width }: Size): Padding {
  const extra = (side: number) => (multiple - (side % multiple)) % multiple
  const left = extra(width) >> 1
  const top = extra(height) >> 1
  return { left, right: extra(width) - left, top, bottom: extra(height) - top }
}

/** RAFT and AMT compare features at an eighth of the size, and at a half, a quarter and an eighth of that. */
const MOTION_SMALLEST = 128

/** Whether the last of them has a single row or column, by whose distance to the next the published networks then divide. */
export function isTooSmallForMotion(multiple: number, size: Size): boolean {
  const padded = (side: number) => Math.ceil(side / multiple) * multiple
  return Math.min(padded(size.height), padded(size.width)) < MOTION_SMALLEST
}

const GRIT_LARGEST = 768
const GRIT_SHOWN = 720

/** What GRiT is shown: the frame as it is, or if its shorter side is above 768, with 720 there. */
export function gritSize({ width, height }: Size): Size {
  if (Math.min(width, height) <= GRIT_LARGEST) return { width, height }
  const scale = GRIT_SHOWN / Math.min(width, height)
  return { width: Math.trunc(scale * width), height: Math.trunc(scale * height) }
}
