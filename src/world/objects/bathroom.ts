/** What stands in a bathroom or a laundry. */
import type { Random } from '../../base/random.ts'
import { displayPanel } from '../materials/screens.ts'
import {
  ceramic,
  chrome,
  coated,
  darkGlass,
  finish,
  glass,
  linen,
  marble,
  mirror,
  paper,
  plastic,
  printed,
  wicker,
} from './finish-list.ts'
import { tap } from './kitchen.ts'
import type { ObjectKind, Surface } from './model.ts'
import { ellipse, roundedRect } from './outline.ts'
import { CLOTH, anyWood, front } from './parts.ts'
import { type Sculpture, type Vec3, circle, curve } from './shapes.ts'
import { TAU, cosine, sine } from '../trig.ts'

/** A closed loop of egg shape: round at the front (+x), straight at the back. */
function egg(t: number, long: number, wide: number): readonly [number, number] {
  const c = cosine(t * TAU)
  const e = sine(t * TAU)
  return [c > 0 ? c * long * 0.58 : c * long * 0.42, e * wide * 0.5 * (1 - 0.1 * c)]
}

function toilet(s: Sculpture): void {
  const white = ceramic()
  // The bowl: rings from foot to rim.
  const rings: readonly (readonly [number, number, number, number])[] = [
    [0, 0.42, 0.22, 0],
    [0.03, 0.41, 0.215, 0],
    [0.16, 0.34, 0.19, 0],
    [0.26, 0.4, 0.27, 0.02],
    [0.34, 0.5, 0.35, 0.045],
    [0.39, 0.52, 0.37, 0.05],
    [0.4, 0.515, 0.365, 0.05],
  ]
  const ringPoint = (k: number, u: number): Vec3 => {
    const [z, long, wide, shift] = rings[k]!
    const [x, y] = egg(u, long, wide)
    return [x + shift + 0.08, y, z]
  }
  s.sheet(white, 28, rings.length - 1, (u, v) => ringPoint(Math.round(v * (rings.length - 1)), u))
  s.sheet(white, 28, 4, (u, v) => {
    const [x, y] = egg(u, 0.515 - v * 0.24, 0.365 - v * 0.18)
    return [x + 0.13, y, 0.4 - (v > 0.3 ? (v - 0.3) * 0.25 : 0)]
  })
  s.sheet(finish('water', [190, 216, 226], { roughness: 0.02 }), 20, 2, (u, v) => {
    const [x, y] = egg(u, 0.3 * (1 - v), 0.2 * (1 - v))
    return [x + 0.13, y, 0.25]
  })
  // The seat is down, the lid leans on the cistern.
  s.sheet(white, 28, 3, (u, v) => {
    const grow = v === 0 ? 0.535 : v < 0.5 ? 0.53 : v < 0.9 ? 0.36 : 0.345
    const wide = v === 0 ? 0.385 : v < 0.5 ? 0.38 : v < 0.9 ? 0.22 : 0.205
    const [x, y] = egg(u, grow, wide)
    return [x + 0.13, y, v === 0 || v > 0.9 ? 0.405 : 0.427]
  })
  s.at(
    [-0.1, 0, 0.43],
    () => {
      for (const side of [0, 1]) {
        s.sheet(white, 28, 3, (u, v) => {
          const [x, y] = egg(
            side ? 1 - u : u,
            0.5 * (v < 0.3 ? 1 : v < 0.6 ? 0.985 : 0),
            0.38 * (v < 0.3 ? 1 : v < 0.6 ? 0.98 : 0),
          )
          return [x + 0.21, y, (side ? -1 : 1) * (v < 0.3 ? 0 : 0.011)]
        })
      }
    },
    { pitch: -97 },
  )
  s.box(white, [0.19, 0.38, 0.36], [-0.23, 0, 0.57], 0.03, 2)
  s.box(white, [0.21, 0.4, 0.035], [-0.23, 0, 0.765], 0.014, 2)
  s.box(white, [0.16, 0.26, 0.34], [-0.24, 0, 0.22], 0.03, 2)
  s.cylinder(chrome(), 0.026, 0.012, [-0.23, 0, 0.782], 18)
}

function bathtub(s: Sculpture, random: Random): void {
  const white = ceramic()
  const long = random.range(1.55, 1.75)
  const wide = random.range(0.72, 0.8)
  const h = 0.56
  const outer = roundedRect(long, wide, 0.08, 4)
  const count = outer.length
  const loops: readonly (readonly [number, number, number])[] = [
    [long - 0.02, wide - 0.02, 0],
    [long - 0.01, wide - 0.01, h - 0.04],
    [long, wide, h - 0.03],
    [long, wide, h - 0.006],
    [long - 0.012, wide - 0.012, h],
    [long - 0.12, wide - 0.12, h],
    [long - 0.14, wide - 0.14, h - 0.012],
    [long - 0.26, wide - 0.22, 0.2],
    [long - 0.42, wide - 0.34, 0.13],
    [0.2, 0.1, 0.12],
  ]
  s.sheet(white, count, loops.length - 1, (u, v) => {
    const k = Math.round(v * (loops.length - 1))
    const [l, w, z] = loops[k]!
    const round = k < 6 ? 0.08 : Math.min(0.22, w * 0.4)
    const loop = roundedRect(l, w, round, 4)
    const [a, b] = loop[Math.round(u * count) % count]!
    return [a, b, z]
  })
  s.cylinder(chrome(), 0.03, 0.005, [-long / 2 + 0.4, 0, 0.125], 16)
  s.at([-long / 2 + 0.06, 0, 0], () => {
    tap(s, 0, h, 0.16, 0.15)
    for (const y of [-1, 1]) {
      s.cylinder(chrome(), 0.012, 0.05, [0, y * 0.1, h], 12)
      for (const yaw of [0, 90])
        s.at([0, y * 0.1, h + 0.055], () => s.box(chrome(), [0.06, 0.012, 0.012], [0, 0, 0], 0.005), { yaw })
    }
  })
  if (random.chance(0.6)) {
    const cloth = linen(random.pick(CLOTH))
    s.sheet(
      cloth,
      12,
      12,
      (u, v) => {
        const along = (v - 0.5) * 0.62
        const over = Math.abs(along) - 0.06
        const x = 0.25 + (u - 0.5) * 0.36
        const y = wide / 2 - 0.055
        const wave = sine(u * 14) * 0.004
        return over <= 0 ? [x, y + along, h + 0.006] : [x, y + (along > 0 ? 0.064 : -0.07) + wave, h + 0.004 - over]
      },
      [0.6, 0.9],
    )
  }
}

function shower(s: Sculpture): void {
  const white = ceramic()
  const w = 0.9
  s.box(white, [w, w, 0.06], [0, 0, 0.03], 0.012, 2)
  s.box(finish('shower floor', [226, 230, 232], { roughness: 0.3 }), [w - 0.1, w - 0.1, 0.004], [0, 0, 0.061], 0.001)
  s.cylinder(chrome(), 0.045, 0.004, [0, 0, 0.063], 20)
  for (let i = 0; i < 8; i++) s.box(plastic([60, 62, 66]), [0.05, 0.004, 0.002], [0, -0.028 + i * 0.008, 0.067], 0)
  const pane = glass()
  const metal = chrome()
  s.box(pane, [0.008, w - 0.04, 1.9], [w / 2 - 0.03, 0, 1.01], 0)
  for (const y of [-1, 1]) s.box(pane, [w - 0.05, 0.008, 1.9], [-0.005, y * (w / 2 - 0.02), 1.01], 0)
  for (const y of [-1, 1]) {
    s.box(metal, [0.025, 0.025, 1.92], [w / 2 - 0.03, y * (w / 2 - 0.02), 1.02], 0.005)
    s.box(metal, [0.025, 0.025, 1.92], [-w / 2 + 0.02, y * (w / 2 - 0.02), 1.02], 0.005)
    s.box(metal, [w - 0.05, 0.025, 0.025], [-0.005, y * (w / 2 - 0.02), 1.97], 0.005)
  }
  s.box(metal, [0.025, w - 0.04, 0.025], [w / 2 - 0.03, 0, 1.97], 0.005)
  s.tube(
    metal,
    [
      [w / 2 - 0.028, 0.12, 0.9],
      [w / 2 + 0.02, 0.12, 0.9],
      [w / 2 + 0.02, 0.12, 1.2],
      [w / 2 - 0.028, 0.12, 1.2],
    ],
    0.009,
    8,
  )
  // Riser, head and mixer on the wall behind.
  const x = -w / 2 + 0.05
  s.tube(
    metal,
    curve(
      [
        [x, 0, 1.0],
        [x, 0, 1.5],
        [x, 0, 1.95],
        [x + 0.06, 0, 2.08],
        [x + 0.24, 0, 2.1],
        [x + 0.3, 0, 2.06],
      ],
      4,
    ),
    0.011,
    10,
  )
  s.lathe(
    metal,
    [
      [0, -0.012],
      [0.1, -0.012],
      [0.105, -0.004],
      [0.05, 0.012],
      [0.016, 0.03],
    ],
    [x + 0.3, 0, 2.03],
    26,
  )
  s.lathe(
    rubber(),
    [
      [0, -0.013],
      [0.094, -0.013],
    ],
    [x + 0.3, 0, 2.03],
    26,
  )
  s.at([x, -0.13, 1.0], () => s.cylinder(metal, 0.024, 0.26, [0, 0, 0], 16), { roll: -90 })
  for (const y of [-1, 1]) s.at([x, y * 0.13, 1.0], () => s.cylinderX(metal, 0.03, 0.03, [0, 0, 0], 16))
}

const rubber = () => finish('shower jets', [70, 72, 76], { roughness: 0.8 })

function washbasin(s: Sculpture, random: Random): readonly Surface[] {
  const white = ceramic()
  const body = anyWood(random)
  const w = random.range(0.6, 0.85)
  const [d, h] = [0.48, 0.84]
  if (random.chance(0.35)) {
    // On a pedestal.
    s.lathe(
      white,
      [
        [0, 0],
        [0.13, 0],
        [0.13, 0.02],
        [0.09, 0.1],
        [0.075, 0.4],
        [0.1, h - 0.18],
        [0, h - 0.17],
      ],
      [-0.08, 0, 0],
      24,
    )
    basin(s, white, 0.46, 0.58, h)
    tap(s, -0.17, h, 0.17, 0.13)
    return []
  }
  s.box(body, [d - 0.04, w, 0.5], [-0.02, 0, 0.48], 0.005)
  for (const y of [-1, 1]) {
    front(s, body, d / 2 - 0.042, (y * w) / 4, 0.48, w / 2 - 0.008, 0.48, 'barUpright', -y * (w / 4 - 0.05))
    for (const x of [-1, 1]) s.cylinder(chrome(), 0.018, 0.24, [x * (d / 2 - 0.07), y * (w / 2 - 0.05), 0], 12)
  }
  s.box(marble(), [d, w + 0.02, 0.03], [0, 0, 0.745], 0.005)
  basin(s, white, 0.36, 0.46, h + 0.03)
  tap(s, -0.2, 0.76, 0.26, 0.15)
  return [{ z: 0.76, x: [-0.18, 0.18], y: [0.25, w / 2 - 0.02] }]
}

/** An oval bowl whose rim is at z. */
function basin(s: Sculpture, white: ReturnType<typeof ceramic>, d: number, w: number, z: number): void {
  const loops: readonly (readonly [number, number])[] = [
    [0.4, -0.12],
    [0.62, -0.11],
    [0.85, -0.06],
    [0.98, -0.01],
    [1, 0],
    [0.97, 0.004],
    [0.92, -0.004],
    [0.75, -0.06],
    [0.4, -0.095],
    [0.04, -0.1],
  ]
  const rim = ellipse(d / 2, w / 2, 28)
  s.sheet(white, 28, loops.length - 1, (u, v) => {
    const [scale, dz] = loops[Math.round(v * (loops.length - 1))]!
    const [x, y] = rim[Math.round(u * 28) % 28]!
    return [x * scale + 0.02, y * scale, z + dz]
  })
  s.cylinder(chrome(), 0.02, 0.004, [0.02, 0, z - 0.099], 14)
}

function washingMachine(s: Sculpture, random: Random): readonly Surface[] {
  const body = coated(
    random.pick([
      [244, 244, 244],
      [244, 244, 244],
      [120, 124, 130],
    ] as const),
  )
  const [d, w, h] = [0.58, 0.6, 0.85]
  s.box(body, [d, w, h], [0, 0, h / 2], 0.014, 2)
  const x = d / 2
  s.box(plastic([226, 228, 230]), [0.012, w - 0.02, 0.12], [x, 0, h - 0.08], 0.005)
  s.box(body, [0.016, 0.17, 0.1], [x + 0.002, -w / 2 + 0.11, h - 0.08], 0.006)
  s.cylinderX(chrome(), 0.035, 0.025, [x + 0.004, 0.0, h - 0.08], 24, 0.006)
  s.panel(
    printed('washer time', () => displayPanel('0:45', [120, 220, 255]), { glow: 0.9 }),
    0.11,
    0.04,
    [x + 0.0065, 0.14, h - 0.08],
  )
  for (let i = 0; i < 3; i++)
    s.cylinderX(plastic([120, 124, 130]), 0.009, 0.006, [x + 0.004, 0.22 + i * 0.026, h - 0.08], 10)
  s.at(
    [x - 0.006, 0, 0.42],
    () => {
      s.lathe(
        plastic([206, 208, 212]),
        [
          [0.2, 0],
          [0.205, 0.02],
          [0.19, 0.034],
          [0.16, 0.03],
          [0.15, 0.014],
        ],
        [0, 0, 0],
        36,
      )
      s.lathe(
        darkGlass(),
        [
          [0.155, 0.016],
          [0.13, 0.034],
          [0.08, 0.046],
          [0, 0.05],
        ],
        [0, 0, 0],
        32,
      )
      s.tube(chrome(), circle([0, 0, 0.034], 0.178, 'z', 36), 0.012, 8, true)
    },
    { pitch: 90 },
  )
  s.box(chrome(), [0.02, 0.03, 0.08], [x + 0.03, 0.175, 0.42], 0.008)
  s.box(plastic([210, 212, 214]), [0.004, 0.12, 0.09], [x + 0.001, w / 2 - 0.1, 0.07], 0.002)
  return [{ z: h, x: [-d / 2 + 0.08, d / 2 - 0.08], y: [-w / 2 + 0.08, w / 2 - 0.08] }]
}

/** Towels on a rail at the wall. */
function towel(s: Sculpture, random: Random): void {
  const w = random.range(0.5, 0.62)
  const z = 0.62
  s.tube(
    chrome(),
    [
      [-0.06, -w / 2, z],
      [0.02, -w / 2, z],
      [0.02, w / 2, z],
      [-0.06, w / 2, z],
    ],
    0.009,
    8,
  )
  for (const y of [-1, 1]) s.cylinderX(chrome(), 0.022, 0.008, [-0.064, (y * w) / 2, z], 14)
  const color = random.pick([...CLOTH, [246, 244, 240]] as const)
  const cloth = finish('towel', color, { surface: 'carpet', tile: 0.25, roughness: 1 })
  const band = finish('towel', [color[0] * 0.7, color[1] * 0.7, color[2] * 0.7], {
    surface: 'carpet',
    tile: 0.25,
    roughness: 1,
  })
  const wide = w - 0.1
  const drape = (from: number, to: number, finishOf: typeof cloth): void => {
    s.sheet(
      finishOf,
      10,
      14,
      (u, v) => {
        const along = from + (to - from) * v
        const y = (u - 0.5) * wide * (1 - 0.04 * Math.abs(along))
        const wave = sine(u * 17) * 0.004 * Math.min(1, Math.abs(along) * 4)
        if (Math.abs(along) < 0.03) {
          const a = (along / 0.03) * 1.5708
          return [0.02 + sine(a) * 0.02, y, z + cosine(a) * 0.02]
        }
        return [0.02 + (along > 0 ? 0.021 : -0.021) + wave, y, z - Math.abs(along) + 0.03]
      },
      [2, 3],
    )
  }
  drape(-0.45, 0.6, cloth)
  drape(0.5, 0.54, band)
  s.sheet(band, 10, 1, (u, v) => [0.044 + sine(u * 17) * 0.004, (u - 0.5) * wide * 0.985, z - 0.5 + v * 0.035])
}

function bathroomMirror(s: Sculpture, random: Random): void {
  const kind = random.int(3)
  const w = random.range(0.5, 0.7)
  const h = random.range(0.7, 0.95)
  const frame = random.pick([
    anyWood(random),
    chrome(),
    finish('gilt', [206, 164, 84], { roughness: 0.3, metallic: 1 }),
  ])
  if (kind === 0) {
    s.at(
      [-0.01, 0, h / 2],
      () => {
        s.extrude(mirror(), ellipse(h / 2, w / 2, 40), 0.012)
        s.tube(
          frame,
          Array.from({ length: 40 }, (_, i): Vec3 => [
            (cosine((i / 40) * TAU) * h) / 2,
            (sine((i / 40) * TAU) * w) / 2,
            0.01,
          ]),
          0.018,
          8,
          true,
        )
      },
      { pitch: 90 },
    )
    return
  }
  const t = 0.045
  s.box(mirror(), [0.012, w - t, h - t], [0, 0, h / 2], 0.001)
  for (const y of [-1, 1]) s.box(frame, [0.035, t, h], [0, y * (w / 2 - t / 2), h / 2], 0.01, 2)
  for (const z of [0, 1]) s.box(frame, [0.035, w, t], [0, 0, z ? h - t / 2 : t / 2], 0.01, 2)
}

function toiletPaper(s: Sculpture): void {
  s.box(chrome(), [0.012, 0.05, 0.05], [-0.055, -0.08, 0.09], 0.004)
  s.tube(
    chrome(),
    curve(
      [
        [-0.05, -0.08, 0.09],
        [0.01, -0.08, 0.09],
        [0.02, -0.07, 0.09],
        [0.02, 0.07, 0.09],
      ],
      3,
    ),
    0.006,
    8,
  )
  s.at(
    [0.02, -0.05, 0.09],
    () =>
      s.lathe(
        paper(),
        [
          [0.018, 0],
          [0.055, 0],
          [0.057, 0.004],
          [0.057, 0.096],
          [0.055, 0.1],
          [0.018, 0.1],
        ],
        [0, 0, 0],
        26,
      ),
    { roll: -90 },
  )
  s.sheet(paper(), 4, 6, (u, v) => [0.078 + sine(v * 3) * 0.003, (u - 0.5) * 0.1, v * 0.085])
}

function laundryBasket(s: Sculpture, random: Random): void {
  const body = wicker(
    random.pick([
      [206, 166, 108],
      [236, 226, 206],
      [120, 86, 58],
    ] as const),
  )
  const h = random.range(0.5, 0.6)
  s.lathe(
    body,
    [
      [0, 0],
      [0.19, 0],
      [0.21, h * 0.5],
      [0.22, h],
      [0.205, h],
      [0.19, h - 0.1],
    ],
    [0, 0, 0],
    28,
  )
  s.tube(body, circle([0, 0, h], 0.214, 'z', 28), 0.014, 8, true)
  for (const y of [-1, 1])
    s.tube(
      body,
      curve(
        [
          [-0.05, y * 0.215, h - 0.06],
          [-0.04, y * 0.25, h - 0.03],
          [0.04, y * 0.25, h - 0.03],
          [0.05, y * 0.215, h - 0.06],
        ],
        3,
      ),
      0.009,
      6,
    )
  s.holds('towel', 5)
  for (let i = 0; i < 5; i++) {
    const c = cosine((i / 5) * TAU) * 0.09
    const e = sine((i / 5) * TAU) * 0.09
    s.at(
      [c, e, h - 0.02],
      () => s.cushion(linen(random.pick(CLOTH)), [0.2, 0.17, 0.1], [0, 0, 0], { round: 0.045, puff: 0.03, grid: 4 }),
      { yaw: i * 70, pitch: 20 },
    )
  }
}

function ironingBoard(s: Sculpture, random: Random): void {
  const metal = coated([206, 208, 212])
  const z = 0.88
  const outline = curve(
    [
      [-0.66, -0.17, 0],
      [0.2, -0.19, 0],
      [0.5, -0.12, 0],
      [0.66, -0.03, 0],
      [0.66, 0.03, 0],
      [0.5, 0.12, 0],
      [0.2, 0.19, 0],
      [-0.66, 0.17, 0],
    ],
    4,
  )
  s.extrude(
    finish('ironing cloth', random.pick(CLOTH), { surface: 'weave', tile: 0.3 }),
    outline.map(([x, y]) => [x, y] as const),
    0.03,
    [0, 0, z],
  )
  for (const side of [-1, 1]) {
    s.tube(
      metal,
      [
        [side * 0.42, -0.14, 0.015],
        [-side * 0.34, -0.08, z],
      ],
      0.012,
      8,
    )
    s.tube(
      metal,
      [
        [side * 0.42, 0.14, 0.015],
        [-side * 0.34, 0.08, z],
      ],
      0.012,
      8,
    )
    s.tube(
      metal,
      [
        [side * 0.42, -0.2, 0.015],
        [side * 0.42, 0.2, 0.015],
      ],
      0.015,
      8,
    )
  }
  // The iron stands on its heel.
  const hull = plastic([60, 110, 170])
  s.at([-0.52, 0, z + 0.03], () => {
    s.at(
      [0, 0, 0],
      () => {
        const sole = curve(
          [
            [0, -0.05, 0],
            [0.1, -0.05, 0],
            [0.2, -0.02, 0],
            [0.22, 0, 0],
            [0.2, 0.02, 0],
            [0.1, 0.05, 0],
            [0, 0.05, 0],
          ],
          4,
        ).map(([x, y]) => [x, y] as const)
        s.extrude(chrome(), sole, 0.012)
        s.extrude(
          hull,
          sole.map(([x, y]) => [x * 0.94, y * 0.9] as const),
          0.05,
          [0, 0, 0.012],
        )
        s.tube(
          hull,
          curve(
            [
              [0.02, 0, 0.06],
              [0.0, 0, 0.11],
              [0.06, 0, 0.13],
              [0.13, 0, 0.115],
              [0.16, 0, 0.06],
            ],
            4,
          ),
          0.016,
          8,
        )
      },
      { pitch: -78 },
    )
  })
}

const fixture = (build: ObjectKind['build']): ObjectKind => ({ mount: 'floor', oriented: true, build })
const hung = (build: ObjectKind['build']): ObjectKind => ({ mount: 'wall', oriented: true, build })

export const bathroom = {
  toilet: fixture(toilet),
  bathtub: { mount: 'floor', oriented: false, build: bathtub },
  shower: fixture(shower),
  sink: fixture(washbasin),
  'washing machine': fixture(washingMachine),
  towel: hung(towel),
  mirror: hung(bathroomMirror),
  'toilet paper': hung(toiletPaper),
  'laundry basket': { mount: 'floor', oriented: false, build: laundryBasket },
  'ironing board': { mount: 'floor', oriented: false, build: ironingBoard },
} as const satisfies Record<string, ObjectKind>
