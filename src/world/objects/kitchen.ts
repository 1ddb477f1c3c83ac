/** What stands in a kitchen. */
import type { Random } from '../../base/random.ts'
import { displayPanel } from '../materials/screens.ts'
import {
  type Finish,
  chrome,
  coated,
  darkGlass,
  finish,
  granite,
  iron,
  marble,
  plastic,
  printed,
  steel,
  wood,
} from './finish-list.ts'
import type { ObjectKind, Surface } from './model.ts'
import { front } from './parts.ts'
import { type Sculpture, circle, curve } from './shapes.ts'

/** All kitchens have the same work-top height and depth, so that pieces stand in one row. */
export const COUNTER_HEIGHT = 0.9
export const COUNTER_DEPTH = 0.62

const FRONTS = [
  [240, 240, 236],
  [104, 124, 118],
  [62, 82, 104],
  [206, 200, 186],
  [170, 176, 172],
] as const

function topSurface(width: number, from = -COUNTER_DEPTH / 2 + 0.04): Surface {
  return {
    z: COUNTER_HEIGHT,
    x: [from, COUNTER_DEPTH / 2 - 0.05],
    y: [-width / 2 + 0.03, width / 2 - 0.03],
    clear: 0.5,
  }
}

interface KitchenLook {
  door: Finish
  top: Finish
  metal: Finish
}

/** Pieces of one variant match. */
function kitchenLook(style: Random): KitchenLook {
  const door = style.chance(0.4)
    ? wood(style.pick(['oak', 'beech', 'walnut'] as const))
    : finish('kitchen front', style.pick(FRONTS), { surface: 'plaster', tile: 1, roughness: 0.4 })
  const top = style.pick([
    granite([92, 92, 96]),
    granite([206, 200, 190]),
    granite([60, 58, 60]),
    marble(),
    wood('oak'),
  ])
  return { door, top, metal: style.chance(0.6) ? chrome() : iron() }
}

/** Plinth, carcass and work top, the latter with a hole for a basin where asked for. */
function baseUnit(s: Sculpture, { door, top }: KitchenLook, width: number, hole = false): void {
  const d = COUNTER_DEPTH
  s.box(plastic([52, 53, 56]), [d - 0.1, width, 0.1], [-0.03, 0, 0.05], 0)
  s.box(door, [d - 0.05, width, hole ? 0.6 : 0.75], [-0.02, 0, hole ? 0.4 : 0.475], 0.002)
  if (!hole) {
    s.box(top, [d, width, 0.04], [0, 0, COUNTER_HEIGHT - 0.02], 0.005)
    return
  }
  for (const y of [-1, 1]) s.box(door, [d - 0.05, 0.02, 0.18], [-0.02, y * (width / 2 - 0.01), 0.77], 0.001)
  s.box(door, [0.02, width, 0.18], [d / 2 - 0.055, 0, 0.77], 0.001)
  const [hx, hy] = [0.2, 0.25]
  for (const x of [-1, 1])
    s.box(top, [d / 2 - hx, width, 0.04], [x * (d / 2 + hx) * 0.5, 0, COUNTER_HEIGHT - 0.02], 0.004)
  for (const y of [-1, 1])
    s.box(top, [hx * 2, width / 2 - hy, 0.04], [0, y * (width / 2 + hy) * 0.5, COUNTER_HEIGHT - 0.02], 0.002)
}

function counter(s: Sculpture, random: Random, style: Random): readonly Surface[] {
  const w = 0.6 * random.pick([1, 2, 2])
  const look = kitchenLook(style)
  const { door, metal } = look
  baseUnit(s, look, w)
  const units = Math.round(w / 0.6)
  for (let i = 0; i < units; i++) {
    const y = -w / 2 + 0.6 * (i + 0.5)
    const x = COUNTER_DEPTH / 2 - 0.045
    if ((i + random.int(2)) % 2)
      for (let k = 0; k < 3; k++) front(s, door, x, y, 0.11 + 0.245 * (k + 0.5), 0.6, 0.245, 'bar', 0, metal)
    else {
      front(s, door, x, y, 0.76, 0.6, 0.17, 'bar', 0, metal)
      for (const k of [-1, 1]) front(s, door, x, y + k * 0.15, 0.39, 0.3, 0.56, 'barUpright', -k * 0.11, metal)
    }
  }
  return [topSurface(w)]
}

function kitchenSink(s: Sculpture, _: Random, style: Random): readonly Surface[] {
  const w = 0.9
  const look = kitchenLook(style)
  const { door, metal } = look
  baseUnit(s, look, w, true)
  for (const k of [-1, 1])
    front(s, door, COUNTER_DEPTH / 2 - 0.045, k * 0.225, 0.475, 0.45, 0.73, 'barUpright', -k * 0.18, metal)
  const basin = steel()
  const [hx, hy] = [0.2, 0.25]
  const z = COUNTER_HEIGHT
  s.box(basin, [hx * 2, hy * 2, 0.006], [0, 0, z - 0.17], 0.001)
  for (const x of [-1, 1]) s.box(basin, [0.012, hy * 2, 0.18], [x * (hx - 0.006), 0, z - 0.085], 0.004)
  for (const y of [-1, 1]) s.box(basin, [hx * 2, 0.012, 0.18], [0, y * (hy - 0.006), z - 0.085], 0.004)
  s.tube(
    basin,
    [
      [-hx, -hy, z + 0.002],
      [hx, -hy, z + 0.002],
      [hx, hy, z + 0.002],
      [-hx, hy, z + 0.002],
    ],
    0.009,
    6,
    true,
  )
  s.cylinder(iron(), 0.03, 0.004, [0, 0, z - 0.167], 16)
  tap(s, -hx - 0.045, z, 0.32, 0.17)
  s.holds('sink')
  return [{ z, x: [-0.24, 0.24], y: [0.29, w / 2 - 0.04], clear: 0.5 }]
}

/** A swan-neck tap at x that reaches forwards. */
export function tap(s: Sculpture, x: number, z: number, tall: number, reach: number): void {
  const metal = chrome()
  s.lathe(
    metal,
    [
      [0.028, 0],
      [0.028, 0.01],
      [0.016, 0.03],
      [0.014, 0.06],
    ],
    [x, 0, z],
    16,
  )
  s.tube(
    metal,
    curve(
      [
        [x, 0, z + 0.03],
        [x, 0, z + tall * 0.7],
        [x + reach * 0.25, 0, z + tall * 0.97],
        [x + reach * 0.75, 0, z + tall * 0.93],
        [x + reach, 0, z + tall * 0.68],
      ],
      5,
    ),
    0.011,
    10,
  )
  s.tube(
    metal,
    [
      [x, 0.014, z + 0.05],
      [x, 0.05, z + 0.075],
      [x + 0.012, 0.085, z + 0.085],
    ],
    0.007,
    8,
  )
}

/** A free-standing cooker: four rings above, knobs, and the oven's window below. */
function oven(s: Sculpture, random: Random): readonly Surface[] {
  const body = random.chance(0.5) ? steel() : coated([242, 242, 240])
  const w = 0.6
  const d = COUNTER_DEPTH
  const z = COUNTER_HEIGHT
  s.box(plastic([44, 45, 48]), [d - 0.1, w - 0.02, 0.08], [-0.03, 0, 0.04], 0)
  s.box(body, [d - 0.03, w, z - 0.09], [-0.015, 0, 0.08 + (z - 0.09) / 2], 0.004)
  s.box(darkGlass(), [d, w, 0.014], [0, 0, z - 0.007], 0.004)
  for (const [x, y, r] of [
    [-0.14, -0.14, 0.075],
    [-0.14, 0.14, 0.095],
    [0.13, -0.14, 0.095],
    [0.13, 0.14, 0.075],
  ] as const) {
    s.cylinder(iron(), r, 0.008, [x, y, z], 24)
    s.tube(
      finish('hot plate', [120, 52, 44], { roughness: 0.6 }),
      circle([x, y, z + 0.008], r * 0.7, 'z'),
      0.004,
      5,
      true,
    )
    s.tube(chrome(), circle([x, y, z + 0.003], r + 0.004, 'z'), 0.004, 5, true)
  }
  const x = d / 2 - 0.03
  s.box(body, [0.03, w - 0.01, 0.11], [x, 0, z - 0.08], 0.006)
  for (let i = 0; i < 6; i++) {
    if (i === 2 || i === 3) continue
    const y = -0.225 + i * 0.09
    s.at(
      [x + 0.014, y, z - 0.08],
      () => {
        s.cylinder(plastic([36, 37, 41]), 0.02, 0.024, [0, 0, 0], 16, 0.004)
        s.box(plastic([236, 236, 236]), [0.02, 0.004, 0.003], [-0.008, 0, 0.0245], 0)
      },
      { pitch: 90 },
    )
  }
  s.panel(
    printed('oven clock', () => displayPanel('12:30', [110, 255, 150]), { glow: 0.8 }),
    0.12,
    0.045,
    [x + 0.016, 0, z - 0.08],
  )
  s.box(body, [0.035, w - 0.01, 0.48], [x, 0, 0.5], 0.008)
  s.box(darkGlass(), [0.006, w - 0.14, 0.28], [x + 0.017, 0, 0.47], 0.003)
  for (const k of [0.4, 0.5])
    s.box(finish('oven rack', [120, 116, 110], { roughness: 0.5 }), [0.002, w - 0.18, 0.005], [x + 0.0205, 0, k], 0)
  s.tube(
    chrome(),
    [
      [x + 0.015, -0.22, 0.69],
      [x + 0.055, -0.22, 0.69],
      [x + 0.055, 0.22, 0.69],
      [x + 0.015, 0.22, 0.69],
    ],
    0.011,
    8,
  )
  s.box(body, [0.035, w - 0.01, 0.14], [x, 0, 0.175], 0.008)
  s.tube(
    chrome(),
    [
      [x + 0.015, -0.12, 0.19],
      [x + 0.04, -0.12, 0.19],
      [x + 0.04, 0.12, 0.19],
      [x + 0.015, 0.12, 0.19],
    ],
    0.007,
    8,
  )
  return [{ z: z + 0.008, x: [0.05, 0.2], y: [-0.22, -0.06], clear: 0.4 }]
}

function refrigerator(s: Sculpture, random: Random): void {
  const body = random.pick([steel(), coated([244, 244, 242]), coated([60, 62, 68]), coated([196, 70, 60])])
  const w = random.range(0.6, 0.72)
  const d = 0.66
  const h = random.range(1.7, 1.9)
  const split = random.chance(0.5) ? h * 0.34 : h * 0.68
  s.box(plastic([60, 61, 64]), [d - 0.1, w - 0.03, 0.05], [-0.03, 0, 0.025], 0)
  s.box(body, [d - 0.08, w, h - 0.04], [-0.04, 0, 0.04 + (h - 0.04) / 2], 0.012)
  const x = d / 2 - 0.045
  const side = random.chance(0.5) ? 1 : -1
  const parts = [
    [0.05, split - 0.005],
    [split + 0.005, h],
  ] as const
  parts.forEach(([low, high], i) => {
    s.box(body, [0.075, w, high - low], [x, 0, (low + high) / 2], 0.018, 2)
    const long = Math.min(0.5, (high - low) * 0.6)
    const from = i === 0 ? high - 0.06 - long : low + 0.06
    const y = side * (w / 2 - 0.06)
    s.tube(
      chrome(),
      [
        [x + 0.035, y, from],
        [x + 0.085, y, from + 0.01],
        [x + 0.085, y, from + long - 0.01],
        [x + 0.035, y, from + long],
      ],
      0.012,
      8,
    )
  })
  if (random.chance(0.6)) {
    for (let i = 0; i < 4; i++) {
      const z = split + 0.2 + random.range(0, 0.5) * (h - split)
      s.box(
        finish(
          'note',
          random.pick([
            [250, 232, 120],
            [170, 220, 240],
            [250, 180, 180],
            [200, 236, 170],
          ] as const),
          { roughness: 1 },
        ),
        [0.002, 0.075, 0.075],
        [x + 0.0385, -side * random.range(0.0, w * 0.3), z],
        0,
      )
    }
  }
}

function microwave(s: Sculpture, random: Random): void {
  const body = random.pick([steel(), coated([240, 240, 238]), coated([44, 45, 50])])
  const [d, w, h] = [0.36, 0.49, 0.28]
  s.box(body, [d - 0.02, w, h], [-0.01, 0, h / 2 + 0.012], 0.01)
  for (const x of [-1, 1])
    for (const y of [-1, 1]) s.cylinder(plastic([40, 40, 44]), 0.015, 0.014, [x * 0.13, y * 0.19, 0], 10)
  const x = d / 2 - 0.012
  const z = h / 2 + 0.012
  s.box(body, [0.024, w * 0.74, h - 0.01], [x, -w * 0.125, z], 0.006)
  s.box(darkGlass(), [0.006, w * 0.55, h - 0.1], [x + 0.011, -w * 0.145, z], 0.004)
  s.tube(
    chrome(),
    [
      [x + 0.01, w * 0.2, z - 0.09],
      [x + 0.035, w * 0.2, z - 0.09],
      [x + 0.035, w * 0.2, z + 0.09],
      [x + 0.01, w * 0.2, z + 0.09],
    ],
    0.008,
    8,
  )
  s.box(plastic([34, 35, 39]), [0.024, w * 0.24, h - 0.01], [x, w * 0.375, z], 0.006)
  s.panel(
    printed('microwave clock', () => displayPanel('10:45', [90, 230, 255]), { glow: 0.9 }),
    0.09,
    0.032,
    [x + 0.0125, w * 0.375, z + 0.095],
  )
  for (let r = 0; r < 4; r++)
    for (let c = 0; c < 3; c++)
      s.box(
        plastic([206, 208, 212]),
        [0.005, 0.022, 0.016],
        [x + 0.012, w * 0.375 + (c - 1) * 0.029, z + 0.052 - r * 0.026],
        0.002,
      )
  s.box(plastic([90, 170, 110]), [0.006, 0.08, 0.022], [x + 0.012, w * 0.375, z - 0.1], 0.003)
}

function dishwasher(s: Sculpture, random: Random, style: Random): readonly Surface[] {
  const body = random.chance(0.5) ? steel() : coated([244, 244, 242])
  const w = 0.6
  const d = COUNTER_DEPTH
  const z = COUNTER_HEIGHT
  s.box(plastic([44, 45, 48]), [d - 0.12, w - 0.01, 0.1], [-0.04, 0, 0.05], 0)
  s.box(body, [d - 0.04, w, z - 0.13], [-0.02, 0, 0.1 + (z - 0.13) / 2], 0.003)
  s.box(kitchenLook(style).top, [d, w, 0.04], [0, 0, z - 0.02], 0.005)
  const x = d / 2 - 0.035
  s.box(body, [0.035, w - 0.008, 0.6], [x, 0, 0.41], 0.008)
  s.box(plastic([38, 39, 43]), [0.035, w - 0.008, 0.12], [x, 0, 0.79], 0.006)
  s.box(chrome(), [0.03, 0.34, 0.022], [x + 0.025, 0, 0.685], 0.008)
  for (let i = 0; i < 6; i++) s.cylinderX(chrome(), 0.011, 0.01, [x + 0.016, -0.24 + i * 0.045, 0.79], 12)
  s.panel(
    printed('dishwasher time', () => displayPanel('1:20', [255, 120, 90]), { glow: 0.9 }),
    0.1,
    0.035,
    [x + 0.0182, 0.16, 0.79],
  )
  // A plate with fork and knife tells what it is for.
  s.at([x + 0.0185, 0, 0.42], () => {
    const ink = plastic([120, 126, 132])
    s.tube(ink, circle([0, 0, 0], 0.06, 'x'), 0.0022, 4, true)
    s.tube(ink, circle([0, 0, 0], 0.04, 'x'), 0.0016, 4, true)
    s.tube(
      ink,
      [
        [0, 0.09, -0.05],
        [0, 0.09, 0.06],
      ],
      0.003,
      4,
    )
    s.tube(
      ink,
      [
        [0, -0.09, -0.05],
        [0, -0.09, 0.02],
      ],
      0.0025,
      4,
    )
    for (const k of [-1, 0, 1])
      s.tube(
        ink,
        [
          [0, -0.09 + k * 0.009, 0.02],
          [0, -0.09 + k * 0.009, 0.06],
        ],
        0.0016,
        4,
      )
  })
  return [topSurface(w)]
}

/** A cupboard that hangs above the work top. */
function wallCabinet(s: Sculpture, random: Random, style: Random): void {
  const w = 0.6 * random.pick([1, 2])
  const { door, metal } = kitchenLook(style)
  const [d, h] = [0.34, 0.68]
  s.box(door, [d - 0.02, w, h], [-0.01, 0, h / 2], 0.003)
  const units = Math.round(w / 0.3)
  for (let i = 0; i < units; i++)
    front(s, door, d / 2 - 0.022, -w / 2 + 0.3 * (i + 0.5), h / 2, 0.3, h, 'barUpright', (i % 2 ? -1 : 1) * 0.11, metal)
}

function rangeHood(s: Sculpture): void {
  const metal = steel()
  s.box(metal, [0.3, 0.28, 0.42], [-0.08, 0, 0.46], 0.004)
  s.extrudeFrustum(metal, [0.48, 0.6], [0.3, 0.28], 0.06, 0.26, -0.08)
  s.box(metal, [0.48, 0.6, 0.06], [0, 0, 0.03], 0.006)
  for (let i = 0; i < 4; i++) s.cylinderX(plastic([40, 40, 44]), 0.008, 0.008, [0.24, -0.06 + i * 0.04, 0.03], 10)
  s.box(finish('hood light', [255, 246, 220], { glow: 0.9 }), [0.06, 0.3, 0.004], [0.1, 0, 0.001], 0)
}

const appliance = (build: ObjectKind['build']): ObjectKind => ({ mount: 'floor', oriented: true, build })
const small = (oriented: boolean, build: ObjectKind['build']): ObjectKind => ({ mount: 'surface', oriented, build })

export const kitchen = {
  'kitchen counter': appliance(counter),
  'kitchen sink': appliance(kitchenSink),
  oven: appliance(oven),
  refrigerator: appliance(refrigerator),
  dishwasher: appliance(dishwasher),
  microwave: small(true, microwave),
  'wall cabinet': { mount: 'wall', oriented: true, build: wallCabinet },
  'range hood': { mount: 'wall', oriented: true, build: rangeHood },
} as const satisfies Record<string, ObjectKind>
