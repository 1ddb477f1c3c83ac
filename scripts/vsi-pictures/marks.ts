/** Marks on the map that show the answer: distances, sizes, bearings, routes. */
import { optionText, type VsiSample } from '../../src/suites/vsi/samples/sample.ts'
import { bearing } from '../../src/suites/vsi/samples/questions/relative.ts'
import { gap } from '../../src/suites/vsi/samples/questions/scene.ts'
import type { BuiltScene } from '../../src/suites/vsi/domain/scene/built.ts'
import type { ToPixels } from '../../src/suites/vsi/play/top-down.ts'
import { isDirectionType } from '../../src/suites/vsi/domain/question-types.ts'
import { closestOfBoxes, turnedBox } from '../../src/world/geometry/index.ts'
import type { SceneObject } from '../../src/world/mesh.ts'

const INK = '#0b5d1e'
const MAP_WIDTH = 600
type Point = readonly [number, number]

export function marksFor(sample: VsiSample, { objects, scene }: BuiltScene): (at: ToPixels) => string {
  const groups = (sample.about?.categories ?? []).map((name) => objects.filter(({ category }) => category === name))
  const [a, b, c, d] = groups.map((group) => group[0])
  return (at) => {
    if (isDirectionType(sample.type)) return a && b && c ? directionMarks(at, a, b, c) : ''
    switch (sample.type) {
      case 'object_counting':
        return groups[0]!.map(({ box }, i) => label(at, [box.center[0], box.center[1]], String(i + 1), 22, 20)).join('')
      case 'object_abs_distance':
        return a && b ? distanceMark(at, a, b) : ''
      case 'object_size_estimation':
        return a ? sizeMark(at, a) : ''
      case 'room_size_estimation':
        return scene.rooms.map(({ x, y }) => roomMark(at, x, y)).join('')
      case 'object_rel_distance':
        return groups
          .slice(1)
          .map((group) =>
            distanceMark(
              at,
              a!,
              group.reduce((p, q) => (gap(a!, q) < gap(a!, p) ? q : p)),
            ),
          )
          .join('')
      case 'route_planning':
        return a && b && c && d ? routeMarks(sample, at, [a, b, c, d]) : ''
      case 'obj_appearance_order':
        return ''
      default:
        return ''
    }
  }
}

function label(at: ToPixels, place: Point, text: string, size = 14, down = 0): string {
  const [wanted, y] = at(...place)
  // Keeps long labels on the map; a letter is about 0.62 times as wide as it is high.
  const half = text.length * size * 0.31 + 4
  const x = Math.min(Math.max(wanted, half), MAP_WIDTH - half)
  return `<text x="${x}" y="${y + down}" font-size="${size}" font-weight="bold" text-anchor="middle" fill="${INK}" stroke="#fff" stroke-width="4" paint-order="stroke">${text}</text>`
}

function line(at: ToPixels, from: Point, to: Point, dashed = false): string {
  const [[x1, y1], [x2, y2]] = [at(...from), at(...to)]
  return `<line x1="${x1}" y1="${y1}" x2="${x2}" y2="${y2}" stroke="${INK}" stroke-width="3"${dashed ? ' stroke-dasharray="7 5"' : ''}/>`
}

function arrow(at: ToPixels, from: Point, to: Point, dashed = false): string {
  const [[x1, y1], [x2, y2]] = [at(...from), at(...to)]
  const angle = Math.atan2(y2 - y1, x2 - x1)
  const wing = (turn: number): string => `${x2 - 13 * Math.cos(angle + turn)},${y2 - 13 * Math.sin(angle + turn)}`
  return `${line(at, from, to, dashed)}<polygon points="${x2},${y2} ${wing(0.45)} ${wing(-0.45)}" fill="${INK}"/>`
}

const middle = (p: Point, q: Point): Point => [(p[0] + q[0]) / 2, (p[1] + q[1]) / 2]
const center = ({ box }: SceneObject): Point => [box.center[0], box.center[1]]

function distanceMark(at: ToPixels, a: SceneObject, b: SceneObject): string {
  const near = closestOfBoxes(turnedBox(a.box), turnedBox(b.box))
  const [p, q]: [Point, Point] = [
    [near.a[0], near.a[1]],
    [near.b[0], near.b[1]],
  ]
  return line(at, p, q) + label(at, middle(p, q), `${near.distance.toFixed(2)} m`, 14, -5)
}

function sizeMark(at: ToPixels, object: SceneObject): string {
  const [long, wide, high] = object.box.size
  return label(at, center(object), `${cm(long)} × ${cm(wide)} cm, ${cm(high)} cm high`, 14, 22)
}

const cm = (meters: number): string => String(Math.round(meters * 100))

function roomMark(at: ToPixels, [x1, x2]: Point, [y1, y2]: Point): string {
  const inset = 0.12
  const [deep, wide] = [y2 - y1, x2 - x1]
  return (
    line(at, [x1, y1 + inset], [x2, y1 + inset]) +
    line(at, [x1 + inset, y1], [x1 + inset, y2]) +
    label(
      at,
      [(x1 + x2) / 2, (y1 + y2) / 2],
      `${wide.toFixed(2)} m × ${deep.toFixed(2)} m = ${(wide * deep).toFixed(1)} m²`,
    )
  )
}

function directionMarks(at: ToPixels, standing: SceneObject, faced: SceneObject, asked: SceneObject): string {
  const degrees = bearing(standing, faced, asked)
  const text = `${Math.abs(degrees).toFixed(0)}° to the ${degrees > 0 ? 'left' : 'right'}`
  return (
    arrow(at, center(standing), center(faced), true) +
    arrow(at, center(standing), center(asked)) +
    label(at, middle(center(standing), center(faced)), 'facing', 13) +
    label(at, middle(center(standing), center(asked)), text)
  )
}

function routeMarks(sample: VsiSample, at: ToPixels, [start, faced, via, end]: readonly SceneObject[]): string {
  const turns = optionText(sample.options![sample.truth.charCodeAt(0) - 65]!).split(', ')
  const first = turns.length === 2 ? label(at, center(start!), turns[0]!, 14, -14) : ''
  return (
    (faced === via ? '' : arrow(at, center(start!), center(faced!), true)) +
    arrow(at, center(start!), center(via!)) +
    arrow(at, center(via!), center(end!)) +
    first +
    label(at, center(via!), turns.at(-1)!, 14, -14)
  )
}
