/** The camera of both suites: what a model sees while it moves and what it is shown of a video differ in nothing else. */
import { type Camera, focalLength, type Pose } from '../../../world.ts'
import type { SceneOrigin } from './scene/origin.ts'

export interface CameraSettings {
  /** Size of the images in pixels. */
  width: number
  height: number
  /** In pixels. */
  focal: number
  /** Nothing nearer is drawn, in meters. */
  near: number
  /** Above the floor. */
  eyeMeters: number
  /** Degrees up from level. */
  pitchDegrees: number
}

/** The published agent's: a field of view of 93.7° by 77.3°, held level. */
export const PUBLISHED_CAMERA: CameraSettings = {
  width: 640,
  height: 480,
  focal: 300,
  near: 0.1,
  eyeMeters: 1.6,
  pitchDegrees: 0,
}

/** People hold a camera a little down; level, half of every image is wall and ceiling. */
const DRAWN_PITCH = -10

/** As set with `-T`; the defaults are the published camera's, tilted where the walkthrough is drawn, too. */
export interface CameraOptions {
  lens?: number | undefined
  pitch?: number | undefined
  height?: number | undefined
  size?: string | undefined
}

export function cameraFor({ kind }: Pick<SceneOrigin, 'kind'>, options: CameraOptions = {}): CameraSettings {
  const published = PUBLISHED_CAMERA
  const [width, height] = options.size?.split('x').map(Number) ?? [published.width, published.height]
  const focal =
    options.lens === undefined ? (published.focal * width!) / published.width : focalFor(options.lens, width!)
  return {
    width: width!,
    height: height!,
    focal,
    near: published.near,
    eyeMeters: options.height ?? published.eyeMeters,
    pitchDegrees: options.pitch ?? (kind === 'scan' ? published.pitchDegrees : DRAWN_PITCH),
  }
}

/** The horizontal field of view in degrees. */
export function fovOf({ width, focal }: CameraSettings): number {
  return (Math.atan(width / 2 / focal) * 360) / Math.PI
}

export function withFov(settings: CameraSettings, degrees: number): CameraSettings {
  return { ...settings, focal: focalFor(degrees, settings.width) }
}

function focalFor(degrees: number, width: number): number {
  return width / 2 / Math.tan((degrees * Math.PI) / 360)
}

/** @param scale of the image, for small ones that are only measured */
export function cameraAt({ width, height, focal, near }: CameraSettings, pose: Pose, scale = 1): Camera {
  return { pose, lens: focalLength(focal * scale, width * scale, height * scale), near }
}
