/** The room from above with what happened in it: numbered poses, headings, field of view, the things of the question. */
import { encodeJpeg, escapeSvg, svgToPng } from '../../media/index.ts'
import { boxCorners, turnedBox } from '../../world/geometry/index.ts'
import { project, topDown, type Camera } from '../../world/render/index.ts'
import { VIEW } from './agent/pose.ts'
import type { NamedThing } from './case.ts'
import type { PathStep } from './outcome.ts'
import type { Stage } from './scene/stage.ts'

const WIDTH = 600
const FIELD_METERS = 0.9
const TITLE_LINE = 68
/** Of deflate: there is a map for every episode, and few are looked at. */
const LEVEL = 3

export interface TopDown {
  svg: string
  png: Uint8Array<ArrayBuffer>
  width: number
  height: number
}

/** The picture of the room alone is the same for all questions: it is drawn once a scene. */
const floors = new WeakMap<Stage, Promise<{ href: string; camera: Camera; width: number; height: number }>>()

async function drawFloor(stage: Stage): Promise<{ href: string; camera: Camera; width: number; height: number }> {
  const { min, max } = stage.bounds
  const aspect = (max[1] - min[1]) / (max[0] - min[0] || 1)
  const height = Math.round(Math.min(1.5, Math.max(0.4, aspect)) * WIDTH)
  const camera = topDown(stage.bounds, { width: WIDTH, height }, { margin: 0.06, above: 2 })
  const { color } = stage.renderer.render(camera, { width: WIDTH, height, cutAbove: stage.cutAbove })
  const jpeg = await encodeJpeg({ width: WIDTH, height, channels: 3, data: color })
  return { href: `data:image/jpeg;base64,${Buffer.from(jpeg).toString('base64')}`, camera, width: WIDTH, height }
}

export async function drawTopDown(
  stage: Stage,
  path: readonly PathStep[],
  things: readonly NamedThing[],
  title: string,
): Promise<TopDown> {
  const known = floors.get(stage) ?? drawFloor(stage)
  floors.set(stage, known)
  const { href, camera, width, height } = await known
  const at = (x: number, y: number): [number, number] => {
    const point = project(camera, [x, y, 0])
    return [round(point.x), round(point.y)]
  }
  const lines = wrapped(title, TITLE_LINE)
  const top = lines.length * 18 + 12
  const parts = [
    `<rect width="${width}" height="${height + top}" fill="#ffffff"/>`,
    ...lines.map((line, i) => `<text x="10" y="${20 + i * 18}" font-size="14" fill="#222">${escapeSvg(line)}</text>`),
    `<g transform="translate(0 ${top})">`,
    `<image href="${href}" width="${width}" height="${height}"/>`,
    ...things.map((thing) => thingShape(thing, at)),
    pathShape(path, at),
    ...path.map((step, i) => poseShape(step, i, at, camera.lens.fx)),
    scaleBar(camera.lens.fx, height),
    '</g>',
  ]
  const svg = `<svg xmlns="http://www.w3.org/2000/svg" width="${width}" height="${height + top}" font-family="DejaVu Sans, sans-serif">${parts.join('')}</svg>`
  // The drawing covers everything: without transparency there is a quarter less to compress.
  const png = await svgToPng(svg, { background: '#ffffff', level: LEVEL })
  return { svg, png, width, height: height + top }
}

type ToPicture = (x: number, y: number) => [number, number]

function thingShape({ category, box }: NamedThing, at: ToPicture): string {
  const [a, b, c, d] = boxCorners(turnedBox(box)).map(([x, y]) => at(x, y).join(',')) as [
    string,
    string,
    string,
    string,
  ]
  const [x, y] = at(box.center[0], box.center[1])
  return (
    `<polygon points="${[a, b, d, c].join(' ')}" fill="#e4572e" fill-opacity="0.25" stroke="#e4572e" stroke-width="2"/>` +
    `<text x="${x}" y="${y}" font-size="13" text-anchor="middle" fill="#7a1f00" stroke="#fff" stroke-width="3" paint-order="stroke">${escapeSvg(category)}</text>`
  )
}

function pathShape(path: readonly PathStep[], at: ToPicture): string {
  const points = path.map(({ position }) => at(position[0], position[1]).join(',')).join(' ')
  return `<polyline points="${points}" fill="none" stroke="#1f6feb" stroke-width="2"/>`
}

/** Half the horizontal field of view, in radians. */
const HALF_FIELD = Math.atan(VIEW.width / 2 / VIEW.focal)

function poseShape({ position, heading, blocked }: PathStep, index: number, at: ToPicture, scale: number): string {
  const [x, y] = at(position[0], position[1])
  const ahead = (heading * Math.PI) / 180
  const reach = FIELD_METERS * scale
  const edge = (angle: number, length: number): string =>
    `${round(x + Math.cos(angle) * length)},${round(y - Math.sin(angle) * length)}`
  const field = `<polygon points="${x},${y} ${edge(ahead - HALF_FIELD, reach)} ${edge(ahead + HALF_FIELD, reach)}" fill="#1f6feb" fill-opacity="0.10"/>`
  const arrow = `<line x1="${x}" y1="${y}" x2="${edge(ahead, 18).replace(',', '" y2="')}" stroke="#1f6feb" stroke-width="3"/>`
  const dot = `<circle cx="${x}" cy="${y}" r="9" fill="${blocked ? '#b35900' : '#1f6feb'}" stroke="#fff" stroke-width="1.5"/>`
  const number = `<text x="${x}" y="${y + 4}" font-size="10" text-anchor="middle" fill="#fff">${index}</text>`
  return field + arrow + dot + number
}

function scaleBar(scale: number, height: number): string {
  const y = height - 12
  return (
    `<line x1="12" y1="${y}" x2="${round(12 + scale)}" y2="${y}" stroke="#222" stroke-width="3"/>` +
    `<text x="12" y="${y - 6}" font-size="12" fill="#222">1 m</text>`
  )
}

function wrapped(text: string, width: number): string[] {
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
