/** VBench-I2V's rule of camera motion: which way the middles of the four edges of the picture went. */

export interface Point {
  x: number
  y: number
}

export const CAMERA_MOTIONS = {
  'camera pans left': 'pan_left',
  'camera pans right': 'pan_right',
  'camera tilts up': 'tilt_up',
  'camera tilts down': 'tilt_down',
  'camera zooms in': 'zoom_in',
  'camera zooms out': 'zoom_out',
  'camera static': 'static',
} as const
export type CameraMotion = (typeof CAMERA_MOTIONS)[keyof typeof CAMERA_MOTIONS]

/** What a prompt asks for; null if it asks for none. */
export function wantedMotion(prompt: string): CameraMotion | null {
  return Object.entries(CAMERA_MOTIONS).find(([words]) => prompt.includes(words))?.[1] ?? null
}

/** Of the shorter side. */
const STILL_SHARE = 0.005

type Direction = 'left' | 'right' | 'up' | 'down' | 'static'

function directionsOf({ x, y }: Point, shorterSide: number): Direction[] {
  const least = shorterSide * STILL_SHARE
  const found: Direction[] = []
  if (x > least) found.push('right')
  else if (x < -least) found.push('left')
  if (y > least) found.push('down')
  else if (y < -least) found.push('up')
  return found.length > 0 ? found : ['static']
}

const ALONG: Readonly<Record<string, CameraMotion>> = {
  left_left: 'pan_right',
  right_right: 'pan_left',
  down_down: 'tilt_up',
  up_up: 'tilt_down',
  static_static: 'static',
}
const TOP_BOTTOM: Readonly<Record<string, CameraMotion>> = { ...ALONG, up_down: 'zoom_in', down_up: 'zoom_out' }
const LEFT_RIGHT: Readonly<Record<string, CameraMotion>> = { ...ALONG, left_right: 'zoom_in', right_left: 'zoom_out' }

export type Edges = Readonly<Record<'top' | 'bottom' | 'left' | 'right', Point>>

/** @param moved how far each went from the first frame to the last, in pixels */
export function cameraMotions(moved: Edges, shorterSide: number): CameraMotion[] {
  const pairs = (table: Readonly<Record<string, CameraMotion>>, a: Point, b: Point): (CameraMotion | null)[] => {
    const found = directionsOf(a, shorterSide).flatMap((one) =>
      directionsOf(b, shorterSide).flatMap((other) => table[`${one}_${other}`] ?? []),
    )
    return found.length > 0 ? found : [null]
  }
  const found = new Set([...pairs(TOP_BOTTOM, moved.top, moved.bottom), ...pairs(LEFT_RIGHT, moved.left, moved.right)])
  // Where two edges are still and the other two are at odds, nothing is found, as published.
  if (found.size > 1) found.delete('static')
  return [...found].filter((each) => each !== null)
}
