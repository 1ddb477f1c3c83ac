/** What each network is shown of a frame. */
import { type Bitmap, roundHalfEven } from '../../../../suite.ts'
import { ACTION_CROP, ACTION_RESIZE, actionCropOrigin, shorterSideTo } from '../rules/sizes.ts'
import {
  CLIP,
  cropPlanes,
  IMAGENET,
  normalisePlanes,
  type Planes,
  planesOf,
  type ResizeKind,
  resizeLikeOpenCv,
  resizePlanes,
} from './resize.ts'

const SIDE = 224
const LARGER_SIDE = 256

/** DINO: shorter side 224, the whole picture. The published code resizes floats here, so nothing is rounded. */
export function forDino(bitmap: Bitmap): Planes {
  const planes = planesOf(bitmap)
  return normalisePlanes(resizePlanes(planes, shorterSideTo(SIDE, planes), 'bilinear', false), IMAGENET)
}

/** DINO in VBench-I2V and DINOv2 in VBench-Long: shorter side 256, the 224 square in the middle, of bytes. */
export function forDinoSquare(bitmap: Bitmap): Planes {
  const planes = planesOf(bitmap)
  const resized = resizePlanes(planes, shorterSideTo(LARGER_SIDE, planes), 'pillow-bicubic', true)
  return normalisePlanes(middleSquare(resized), IMAGENET)
}

/** DreamSim: all of the picture as a square, from 0 to 1. */
export function forDreamSim(bitmap: Bitmap): Planes {
  const resized = resizePlanes(planesOf(bitmap), { width: SIDE, height: SIDE }, 'pillow-bicubic', true)
  return normalisePlanes(resized, { mean: [0, 0, 0], std: [1, 1, 1] })
}

function middleSquare(planes: Planes): Planes {
  const top = roundHalfEven((planes.height - SIDE) / 2)
  const left = roundHalfEven((planes.width - SIDE) / 2)
  return cropPlanes(planes, top, left, { width: SIDE, height: SIDE })
}

/** Background consistency and aesthetic quality are shown the same of a frame; nothing writes to it. */
const seenByClip = new WeakMap<Bitmap, Planes>()

/** CLIP: shorter side 224, the square in the middle, resized in floats. */
export function forClip(bitmap: Bitmap): Planes {
  const seen = seenByClip.get(bitmap) ?? clipSquare(bitmap, 'bicubic', false)
  seenByClip.set(bitmap, seen)
  return seen
}

/** The same of bytes: by PyTorch for ViCLIP, by Pillow for appearance style. */
export function forClipOfBytes(bitmap: Bitmap, kind: ClipResize): Planes {
  return clipSquare(bitmap, kind, true)
}

type ClipResize = Extract<ResizeKind, 'bicubic' | 'pillow-bicubic'>

function clipSquare(bitmap: Bitmap, kind: ClipResize, bytes: boolean): Planes {
  const planes = planesOf(bitmap)
  const resized = resizePlanes(planes, shorterSideTo(SIDE, planes), kind, bytes)
  return normalisePlanes(middleSquare(resized), CLIP)
}

/** The action network: shorter side 256, the 224 square in the middle. */
export function forAction(bitmap: Bitmap): Planes {
  const resized = planesOf(resizeLikeOpenCv(bitmap, shorterSideTo(ACTION_RESIZE, bitmap)))
  const { y, x } = actionCropOrigin(resized)
  return normalisePlanes(cropPlanes(resized, y, x, { width: ACTION_CROP, height: ACTION_CROP }), IMAGENET)
}

const DETECTOR_SHORTER = 800
const DETECTOR_LONGER = 1333

/** COCO detectors of the DETR family: shorter side 800, longer at most 1333. */
export function forDetector(bitmap: Bitmap): Planes {
  const planes = planesOf(bitmap)
  const { width, height } = planes
  const scale = Math.min(DETECTOR_SHORTER / Math.min(width, height), DETECTOR_LONGER / Math.max(width, height))
  const size = { width: Math.round(width * scale), height: Math.round(height * scale) }
  return normalisePlanes(resizePlanes(planes, size, 'bilinear', true), IMAGENET)
}
