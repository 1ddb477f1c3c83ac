/** Parts that many objects share: legs, drawers, handles, cushions, stacks of books. */
import type { Random } from '../../base/random.ts'
import type { Color } from '../materials/canvas.ts'
import { type Finish, type Wood, bookFinish, chrome, finish, wood } from './finish-list.ts'
import { type Sculpture, type Vec3 } from './shapes.ts'

export const WOOD_TONES: readonly Wood[] = ['pine', 'oak', 'beech', 'cherry', 'walnut', 'wenge', 'white']

export const CLOTH: readonly Color[] = [
  [92, 112, 136],
  [150, 140, 126],
  [176, 84, 66],
  [78, 104, 84],
  [206, 192, 168],
  [84, 84, 92],
  [196, 156, 78],
  [122, 92, 120],
  [60, 78, 110],
  [188, 122, 112],
]

export const BRIGHT: readonly Color[] = [
  [206, 62, 54],
  [44, 104, 176],
  [238, 182, 52],
  [62, 142, 92],
  [236, 120, 50],
  [120, 84, 160],
  [240, 240, 236],
  [54, 56, 62],
]

export function anyWood(random: Random): Finish {
  return wood(random.pick(WOOD_TONES))
}

/** Four square legs under a top of the given size, tapering a little. */
export function fourLegs(
  s: Sculpture,
  finish: Finish,
  depth: number,
  width: number,
  height: number,
  thick: number,
  inset = 0.03,
): void {
  for (const x of [-1, 1]) {
    for (const y of [-1, 1]) {
      s.box(
        finish,
        [thick, thick, height],
        [x * (depth / 2 - inset - thick / 2), y * (width / 2 - inset - thick / 2), height / 2],
        0.005,
      )
    }
  }
}

/** Slim turned legs that lean outwards. */
export function splayedLegs(
  s: Sculpture,
  finish: Finish,
  depth: number,
  width: number,
  height: number,
  radius: number,
  lean = 0.06,
): void {
  for (const x of [-1, 1]) {
    for (const y of [-1, 1]) {
      const fx = x * (depth / 2)
      const fy = y * (width / 2)
      const top: Vec3 = [fx - x * lean, fy - y * lean, height]
      const foot: Vec3 = [fx, fy, 0]
      s.tube(finish, [foot, top], (t) => radius * (0.65 + 0.35 * t), 10)
    }
  }
}

/** What one sees in the gap between two doors. */
const SEAM = finish('seam', [58, 50, 44], { roughness: 1 })

/** A front panel at x with its grip: doors and drawers. `face` is width × height. */
export function front(
  s: Sculpture,
  surface: Finish,
  x: number,
  y: number,
  z: number,
  width: number,
  height: number,
  grip: 'knob' | 'bar' | 'barUpright' | 'none',
  gripY = 0,
  metal: Finish = chrome(),
): void {
  s.box(SEAM, [0.004, width, height], [x + 0.002, y, z], 0)
  s.box(surface, [0.02, width - 0.009, height - 0.009], [x + 0.012, y, z], 0.003)
  const gx = x + 0.022
  if (grip === 'knob') s.ball(metal, [0.014, 0.014, 0.014], [gx + 0.014, y + gripY, z], 10)
  if (grip === 'bar') {
    const half = Math.min(0.08, width * 0.25)
    s.tube(
      metal,
      [
        [gx, y + gripY - half, z],
        [gx + 0.025, y + gripY - half, z],
        [gx + 0.025, y + gripY + half, z],
        [gx, y + gripY + half, z],
      ],
      0.006,
      6,
    )
  }
  if (grip === 'barUpright') {
    const half = Math.min(0.09, height * 0.25)
    s.tube(
      metal,
      [
        [gx, y + gripY, z - half],
        [gx + 0.025, y + gripY, z - half],
        [gx + 0.025, y + gripY, z + half],
        [gx, y + gripY, z + half],
      ],
      0.006,
      6,
    )
  }
}

/** Books side by side along y, spines toward +x; returns how far they reach. */
export function bookRow(
  s: Sculpture,
  random: Random,
  from: number,
  to: number,
  z: number,
  x: number,
  depth: number,
  tall: number,
): void {
  let y = from
  const spines = bookFinish(random.int(6))
  while (true) {
    const thick = random.range(0.018, 0.045)
    if (y + thick > to) break
    const height = tall * random.range(0.72, 0.97)
    const deep = depth * random.range(0.75, 0.98)
    book(s, spines, random.int(16), [x - deep / 2, y + thick / 2, z + height / 2], [deep, thick, height])
    s.holds('books')
    y += thick + 0.001
    if (random.chance(0.06)) y += random.range(0.02, 0.08)
  }
  s.holds('row of books')
}

/** One upright book: covers with its spine's part of the strip to +x. */
export function book(s: Sculpture, spines: Finish, which: number, center: Vec3, size: Vec3): void {
  s.strip(spines, which / 16, (which + 1) / 16, center, size)
}
