/** Draws the room from above, with numbered poses, headings, fields of view and the question's objects. */
import { type Bitmap, encodeJpeg, escapeXml, quickPng, svgToBitmap } from '../../../suite.ts'
import { boxCorners, type Camera, project, topDown, turnedBox } from '../../../world.ts'
import { type CameraSettings, PUBLISHED_CAMERA } from '../domain/camera.ts'
import type { NamedObject } from '../domain/question.ts'
import type { PathStep } from '../domain/outcome.ts'
import type { Stage } from '../domain/scene/stage.ts'

const WIDTH = 600
const VIEW_METERS = 0.9
const TITLE_COLUMNS = 68
const LINE_HEIGHT = 18
/** Half the width of a letter in an object label, in pixels. */
const HALF_LETTER = 4
const BLUE = '#1f6feb'
const BLOCKED = '#b35900'
const RED = '#e4572e'

export interface TopDown {
  svg: string
  png: Uint8Array
  width: number
  height: number
  floor: Floor
}

/** The room from above without a path, so the viewer can draw its own. */
export interface Floor {
  jpeg: Uint8Array
  width: number
  height: number
  pixelsPerMeter: number
}

/** Converts meters on the floor to map pixels. */
export type ToPixels = (x: number, y: number) => [number, number]

interface DrawnFloor {
  bitmap: Bitmap
  jpeg: Uint8Array
  /** The JPEG as a data URI, for embedding in an SVG. */
  href: string
  camera: Camera
}

/** Cached because all questions of a scene share it. */
const floors = new WeakMap<Stage, Promise<DrawnFloor>>()

async function drawFloor({ bounds, renderer, cutAbove }: Stage): Promise<DrawnFloor> {
  const { min, max } = bounds
  const aspect = (max[1] - min[1]) / (max[0] - min[0] || 1)
  const size = { width: WIDTH, height: Math.round(Math.min(1.5, Math.max(0.4, aspect)) * WIDTH) }
  const camera = topDown(bounds, size, { margin: 0.06, above: 2 })
  const { color } = renderer.render(camera, { ...size, cutAbove })
  const bitmap: Bitmap = { ...size, channels: 3, data: color }
  const jpeg = await encodeJpeg(bitmap)
  return { bitmap, jpeg, href: `data:image/jpeg;base64,${Buffer.from(jpeg).toString('base64')}`, camera }
}

/** `marks` adds SVG that is specific to one drawing, such as a distance or a route. */
export async function drawTopDown(
  stage: Stage,
  path: readonly PathStep[],
  things: readonly NamedObject[],
  title: string,
  { marks = () => '', lens = PUBLISHED_CAMERA }: { marks?: (at: ToPixels) => string; lens?: CameraSettings } = {},
): Promise<TopDown> {
  const known = floors.get(stage) ?? drawFloor(stage)
  floors.set(stage, known)
  const { bitmap, jpeg, href, camera } = await known
  const { width } = bitmap
  const scale = camera.lens.fx
  const at: ToPixels = (x, y) => {
    const point = project(camera, [x, y, 0])
    return [round(point.x), round(point.y)]
  }
  const lines = wrapLines(title, TITLE_COLUMNS)
  const top = lines.length * LINE_HEIGHT + 12
  const height = bitmap.height + top
  const drawing = [
    ...lines.map(
      (line, i) => `<text x="10" y="${20 + i * LINE_HEIGHT}" font-size="14" fill="#222">${escapeXml(line)}</text>`,
    ),
    `<g transform="translate(0 ${top})">`,
    ...things.map((thing) => objectShape(thing, at)),
    marks(at),
    pathShape(path, at),
    ...path.map((step) => viewShape(step, at, scale, lens)),
    ...markersAlong(path, at).map(markerShape),
    scaleBar(scale, bitmap.height),
    '</g>',
  ].join('')
  const whole = (content: string): string =>
    `<svg xmlns="http://www.w3.org/2000/svg" width="${width}" height="${height}" font-family="DejaVu Sans, sans-serif">${content}</svg>`
  const room = `<rect width="${width}" height="${height}" fill="#ffffff"/><image href="${href}" y="${top}" width="${width}" height="${bitmap.height}"/>`
  // Rasterizing only the drawing and blending it over the rendered room takes a third of the time.
  const foreground = await svgToBitmap(whole(drawing))
  return {
    svg: whole(room + drawing),
    png: quickPng(overlay(bitmap, top, foreground)),
    width,
    height,
    floor: { jpeg, width, height: bitmap.height, pixelsPerMeter: scale },
  }
}

/** Blends a drawing over an image that starts at row `top`; the rest is white. */
function overlay(image: Bitmap, top: number, { width, height, data: drawn }: Bitmap): Bitmap {
  const data = new Uint8Array(width * height * 3).fill(255)
  data.set(image.data, top * width * 3)
  for (let from = 0, to = 0; to < data.length; from += 4, to += 3) {
    const alpha = drawn[from + 3]!
    if (alpha === 0) continue
    for (let c = 0; c < 3; c++) {
      const under = data[to + c]!
      data[to + c] = Math.round(under + ((drawn[from + c]! - under) * alpha) / 255)
    }
  }
  return { width, height, channels: 3, data }
}

function objectShape({ category, box }: NamedObject, at: ToPixels): string {
  const [a, b, c, d] = boxCorners(turnedBox(box)).map(([x, y]) => at(x, y).join(','))
  const [middle, y] = at(box.center[0], box.center[1])
  // Keeps labels of objects at a wall inside the map.
  const half = category.length * HALF_LETTER + 4
  const x = Math.min(Math.max(middle, half), WIDTH - half)
  return (
    `<polygon points="${[a, b, d, c].join(' ')}" fill="${RED}" fill-opacity="0.25" stroke="${RED}" stroke-width="2"/>` +
    `<text x="${x}" y="${y}" font-size="13" text-anchor="middle" fill="#7a1f00" stroke="#fff" stroke-width="3" paint-order="stroke">${escapeXml(category)}</text>`
  )
}

function pathShape(path: readonly PathStep[], at: ToPixels): string {
  const points = path.map(({ position }) => at(position[0], position[1]).join(',')).join(' ')
  return `<polyline points="${points}" fill="none" stroke="${BLUE}" stroke-width="2"/>`
}

const ARROW = 22

function viewShape(
  { position, heading }: PathStep,
  at: ToPixels,
  scale: number,
  { width, focal }: CameraSettings,
): string {
  /** Half the horizontal field of view, in radians. */
  const half = Math.atan(width / 2 / focal)
  const [x, y] = at(position[0], position[1])
  const ahead = (heading * Math.PI) / 180
  const reach = VIEW_METERS * scale
  const end = (angle: number, length: number): [number, number] => [
    round(x + Math.cos(angle) * length),
    round(y - Math.sin(angle) * length),
  ]
  const [left, right] = [end(ahead + half, reach), end(ahead - half, reach)]
  const [tipX, tipY] = end(ahead, ARROW)
  return (
    `<polygon points="${x},${y} ${right.join()} ${left.join()}" fill="${BLUE}" fill-opacity="0.14" stroke="${BLUE}" stroke-opacity="0.45"/>` +
    `<line x1="${x}" y1="${y}" x2="${tipX}" y2="${tipY}" stroke="${BLUE}" stroke-width="4"/>`
  )
}

interface Marker {
  x: number
  y: number
  first: number
  last: number
  blocked: boolean
}

/** Consecutive images from the same position share a marker, so none hides the others. */
function markersAlong(path: readonly PathStep[], at: ToPixels): Marker[] {
  const markers: Marker[] = []
  for (const [i, { position, blocked }] of path.entries()) {
    const [x, y] = at(position[0], position[1])
    const here = markers.at(-1)
    if (here && Math.hypot(here.x - x, here.y - y) < 4) {
      here.last = i
      here.blocked ||= blocked
    } else markers.push({ x, y, first: i, last: i, blocked })
  }
  return markers
}

function markerShape({ x, y, first, last, blocked }: Marker): string {
  const label = first === last ? String(first) : `${first}–${last}`
  const width = 18 + Math.max(0, label.length - 2) * 6
  return (
    `<rect x="${round(x - width / 2)}" y="${y - 9}" width="${width}" height="18" rx="9" fill="${blocked ? BLOCKED : BLUE}" stroke="#fff" stroke-width="1.5"/>` +
    `<text x="${x}" y="${y + 4}" font-size="10" text-anchor="middle" fill="#fff">${label}</text>`
  )
}

function scaleBar(scale: number, height: number): string {
  const y = height - 12
  return (
    `<line x1="12" y1="${y}" x2="${round(12 + scale)}" y2="${y}" stroke="#222" stroke-width="3"/>` +
    `<text x="12" y="${y - 6}" font-size="12" fill="#222" stroke="#fff" stroke-width="3" paint-order="stroke">1 m</text>`
  )
}

function wrapLines(text: string, width: number): string[] {
  const lines: string[] = []
  for (const paragraph of text.split('\n')) {
    let line = ''
    for (const word of paragraph.split(' ')) {
      if (line !== '' && line.length + word.length + 1 > width) {
        lines.push(line)
        line = word
      } else line = line === '' ? word : `${line} ${word}`
    }
    lines.push(line)
  }
  return lines
}

function round(value: number): number {
  return Math.round(value * 10) / 10
}
