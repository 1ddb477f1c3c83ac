/** Screens, computers and other devices. */
import type { Random } from '../../base/random.ts'
import { desktopScreen, televisionScreen } from '../materials/screens.ts'
import {
  type Finish,
  chrome,
  coated,
  darkGlass,
  finish,
  glowing,
  iron,
  paper,
  plastic,
  printed,
  rubber,
  wood,
} from './finish-list.ts'
import type { ObjectKind } from './model.ts'
import { BRIGHT } from './parts.ts'
import { type Sculpture, circle, curve } from './shapes.ts'
import { TAU, cosine, sine } from '../trig.ts'

const BLACK = [30, 31, 35] as const
const SILVER = [200, 202, 206] as const

const desktop = (random: Random): Finish => {
  const which = random.int(10)
  return printed(`desktop ${which}`, () => desktopScreen(which), { glow: 0.85, roughness: 0.2 })
}
const broadcast = (random: Random): Finish => {
  const which = random.int(12)
  return printed(`television ${which}`, () => televisionScreen(which), { glow: 0.85, roughness: 0.2 })
}

/** A flat screen that faces +x, its lower edge at z. */
function screen(
  s: Sculpture,
  width: number,
  height: number,
  z: number,
  rim: number,
  picture: Finish,
  body = plastic(BLACK),
): void {
  s.box(body, [0.035, width, height], [0, 0, z + height / 2], 0.012, 2)
  s.box(body, [0.03, width * 0.6, height * 0.55], [-0.025, 0, z + height * 0.45], 0.014)
  s.panel(picture, width - rim * 2, height - rim * 2, [0.0185, 0, z + height / 2])
}

function television(s: Sculpture, random: Random): void {
  const w = random.range(0.95, 1.35)
  const h = w * 0.575
  const dark = plastic(BLACK)
  screen(s, w, h, 0.07, 0.012, broadcast(random))
  for (const y of [-1, 1]) {
    s.tube(
      dark,
      [
        [0.12, y * w * 0.33, 0.008],
        [0, y * w * 0.31, 0.075],
        [-0.12, y * w * 0.33, 0.008],
      ],
      0.009,
      8,
    )
  }
}

function monitor(s: Sculpture, random: Random): void {
  const w = random.range(0.52, 0.64)
  const h = w * 0.6
  const body = plastic(random.pick([BLACK, [70, 72, 78]] as const))
  screen(s, w, h, 0.13, 0.012, desktop(random), body)
  s.box(body, [0.03, 0.07, 0.24], [-0.04, 0, 0.14], 0.008)
  s.box(body, [0.19, 0.24, 0.014], [-0.02, 0, 0.007], 0.006)
}

function keyboard(s: Sculpture, random: Random): void {
  const light = random.chance(0.4)
  const body = plastic(light ? [214, 216, 220] : [44, 45, 50])
  const caps = plastic(light ? [246, 247, 248] : [72, 74, 80])
  s.box(body, [0.145, 0.44, 0.018], [0, 0, 0.009], 0.006)
  const rows = [15, 15, 14, 13, 12]
  rows.forEach((count, row) => {
    const x = -0.05 + row * 0.0235
    const wide = 0.325 / count
    for (let i = 0; i < count; i++) {
      if (row === 4 && i > 3 && i < 8) {
        if (i === 4) s.box(caps, [0.019, wide * 4 - 0.004, 0.01], [x, -0.21 + wide * 6, 0.02], 0)
        continue
      }
      s.box(caps, [0.019, wide - 0.004, 0.01], [x, -0.21 + wide * (i + 0.5), 0.02], 0)
    }
    for (let i = 0; i < 4; i++) s.box(caps, [0.019, 0.018, 0.01], [x, 0.134 + i * 0.0225, 0.02], 0)
  })
}

function mouse(s: Sculpture, random: Random): void {
  const body = plastic(
    random.pick([
      [44, 45, 50],
      [236, 237, 240],
      [150, 154, 160],
    ] as const),
  )
  s.sheet(body, 14, 14, (u, v) => {
    const a = u * TAU
    const r = v
    return [
      cosine(a) * r * 0.056,
      -sine(a) * r * 0.031 * (1 + 0.12 * cosine(a)),
      0.036 * Math.sqrt(Math.max(0, 1 - r * r * r)) * (1 - 0.18 * cosine(a) * r),
    ]
  })
  s.box(rubber(), [0.018, 0.006, 0.012], [0.03, 0, 0.033], 0.003)
  s.box(rubber(), [0.05, 0.0016, 0.004], [0.03, 0, 0.0285], 0.0005)
  s.tube(
    rubber(),
    curve([
      [0.055, 0, 0.01],
      [0.09, 0.01, 0.004],
      [0.13, -0.02, 0.004],
    ]),
    0.0022,
    5,
  )
}

function laptop(s: Sculpture, random: Random): void {
  const body = coated(random.pick([SILVER, [70, 72, 78], [40, 41, 46]] as const))
  const [d, w] = [0.23, 0.33]
  s.box(body, [d, w, 0.016], [0, 0, 0.008], 0.005)
  s.box(plastic([38, 39, 44]), [0.105, w - 0.04, 0.002], [-0.035, 0, 0.0165], 0.0005)
  const caps = plastic([58, 60, 66])
  for (let row = 0; row < 5; row++)
    for (let i = 0; i < 13; i++)
      s.box(caps, [0.016, 0.0185, 0.003], [-0.077 + row * 0.0205, -0.1335 + i * 0.0222, 0.018], 0)
  s.box(finish('touchpad', [150, 152, 158], { roughness: 0.5 }), [0.065, 0.1, 0.001], [0.066, 0, 0.0165], 0.0004)
  s.at(
    [-d / 2 + 0.004, 0, 0.012],
    () => {
      s.box(body, [0.008, w, 0.22], [-0.004, 0, 0.11], 0.003)
      s.box(plastic(BLACK), [0.002, w - 0.008, 0.208], [0.001, 0, 0.112], 0.0008)
      s.panel(desktop(random), w - 0.026, 0.188, [0.0026, 0, 0.114])
    },
    { pitch: -18 },
  )
}

/** A tower case: front panel with drive, grille and power light. */
function tower(s: Sculpture, random: Random, at: readonly [number, number] = [0, 0]): void {
  const [d, w, h] = [0.42, 0.19, 0.42]
  const [x, y] = at
  const body = coated(
    random.pick([
      [40, 41, 46],
      [66, 68, 74],
      [206, 204, 196],
    ] as const),
  )
  s.box(body, [d, w, h], [x, y, h / 2 + 0.012], 0.008)
  for (const k of [-1, 1])
    for (const j of [-1, 1]) s.box(rubber(), [0.04, 0.03, 0.014], [x + k * 0.15, y + j * 0.06, 0.007], 0.003)
  s.box(plastic([28, 29, 33]), [0.014, w - 0.016, h - 0.02], [x + d / 2 + 0.003, y, h / 2 + 0.012], 0.006)
  const fx = x + d / 2 + 0.011
  for (let i = 0; i < 2; i++) {
    s.box(plastic([58, 60, 66]), [0.006, 0.15, 0.038], [fx, y, h - 0.05 - i * 0.047], 0.003)
    s.box(plastic([20, 20, 24]), [0.004, 0.132, 0.004], [fx + 0.003, y, h - 0.046 - i * 0.047], 0.001)
  }
  for (let i = 0; i < 8; i++) s.box(plastic([62, 64, 70]), [0.006, 0.14, 0.006], [fx, y, 0.06 + i * 0.019], 0.002)
  s.at([fx, y, 0.26], () => s.cylinder(chrome(), 0.017, 0.008, [0, 0, 0], 18), { pitch: 90 })
  s.at([fx + 0.006, y, 0.26], () => s.cylinder(glowing([90, 190, 255]), 0.008, 0.004, [0, 0, 0], 12), { pitch: 90 })
  for (const k of [-1, 1]) s.box(plastic([16, 16, 20]), [0.004, 0.016, 0.007], [fx, y + k * 0.03, 0.225], 0.001)
}

/** A whole computer: screen, tower, keyboard and mouse. */
function computer(s: Sculpture, random: Random): void {
  s.at([-0.06, -0.12, 0], () => monitor(s, random))
  s.at([0, 0, 0], () => tower(s, random, [-0.02, 0.32]))
  s.at([0.17, -0.14, 0], () => keyboard(s, random))
  s.at([0.17, 0.16, 0], () => mouse(s, random), { yaw: 180 })
  for (const part of ['monitor', 'computer tower', 'keyboard', 'mouse']) s.holds(part)
}

function printer(s: Sculpture, random: Random): void {
  const light = random.chance(0.6)
  const body = plastic(light ? [232, 233, 234] : [64, 66, 72])
  const dark = plastic(light ? [92, 96, 104] : [36, 37, 41])
  const [d, w, h] = [0.3, 0.42, 0.24]
  s.box(body, [d, w, h * 0.5], [0, 0, h * 0.25], 0.018, 2)
  s.box(body, [d - 0.06, w, h * 0.5], [-0.03, 0, h * 0.72], 0.022, 2)
  s.box(dark, [0.06, w * 0.72, 0.05], [d / 2 - 0.055, 0, h * 0.49], 0.006)
  // The tray with the page that just came out.
  s.box(dark, [0.11, w * 0.6, 0.012], [d / 2 + 0.01, 0, 0.085], 0.005)
  s.sheet(paper(), 4, 6, (u, v) => [d / 2 - 0.06 + v * 0.135, (0.5 - u) * 0.21, 0.102 + 0.012 * sine(v * 3)])
  s.at(
    [-d / 2 + 0.07, 0, h * 0.93],
    () => {
      s.box(dark, [0.014, w * 0.62, 0.16], [0, 0, 0.07], 0.005)
      s.box(paper(), [0.008, 0.21, 0.22], [0.011, 0, 0.11], 0.001)
    },
    { pitch: -22 },
  )
  s.at(
    [d / 2 - 0.1, -w / 2 + 0.1, h * 0.965],
    () => {
      s.box(darkGlass(), [0.05, 0.1, 0.008], [0, 0, 0], 0.002)
      s.box(glowing([90, 200, 255], 0.8), [0.03, 0.07, 0.004], [0, 0, 0.004], 0.001)
      for (let i = 0; i < 3; i++)
        s.cylinder(i === 2 ? plastic([60, 170, 90]) : dark, 0.01, 0.006, [0, 0.09 + i * 0.03, -0.002], 12)
    },
    { pitch: 6 },
  )
}

/** A flat-bed scanner with its lid open a little. */
function scanner(s: Sculpture, random: Random): void {
  const body = plastic(
    random.pick([
      [60, 62, 68],
      [224, 226, 228],
      [150, 154, 160],
    ] as const),
  )
  const [d, w] = [0.42, 0.29]
  s.box(body, [d, w, 0.06], [0, 0, 0.03], 0.014, 2)
  s.box(darkGlass(), [d - 0.09, w - 0.05, 0.003], [-0.02, 0, 0.0605], 0.001)
  s.box(glowing([210, 240, 255], 0.9), [0.016, w - 0.06, 0.003], [0.03, 0, 0.0615], 0.001)
  s.box(paper(), [0.2, 0.16, 0.0015], [-0.08, 0, 0.0625], 0.0005)
  s.at(
    [-d / 2 + 0.02, 0, 0.062],
    () => {
      s.box(body, [d - 0.06, w - 0.004, 0.026], [(d - 0.06) / 2, 0, 0.013], 0.01)
      s.box(plastic([246, 246, 244]), [d - 0.1, w - 0.05, 0.004], [(d - 0.06) / 2, 0, -0.001], 0.001)
    },
    { pitch: -42 },
  )
  for (let i = 0; i < 4; i++)
    s.cylinder(
      i === 0 ? glowing([90, 220, 120], 0.8) : plastic([120, 124, 130]),
      0.009,
      0.005,
      [d / 2 - 0.022, -0.09 + i * 0.035, 0.058],
      12,
    )
}

function projector(s: Sculpture, random: Random): void {
  const body = plastic(
    random.pick([
      [238, 238, 236],
      [58, 60, 66],
    ] as const),
  )
  const dark = plastic([40, 41, 46])
  const [d, w, h] = [0.25, 0.33, 0.1]
  s.box(body, [d, w, h], [0, 0, h / 2 + 0.015], 0.022, 2)
  for (const y of [-1, 1]) s.cylinder(dark, 0.012, 0.02, [d / 2 - 0.05, y * (w / 2 - 0.05), 0], 10)
  s.cylinder(dark, 0.012, 0.02, [-d / 2 + 0.05, 0, 0], 10)
  s.at(
    [d / 2 - 0.012, -w * 0.22, h / 2 + 0.018],
    () => {
      s.lathe(
        dark,
        [
          [0.048, 0],
          [0.05, 0.02],
          [0.046, 0.04],
          [0.04, 0.04],
          [0.036, 0.022],
          [0, 0.018],
        ],
        [0, 0, 0],
        24,
      )
      s.lathe(
        finish('lens', [70, 96, 150], { roughness: 0.02, glow: 0.3 }),
        [
          [0.036, 0.02],
          [0.024, 0.032],
          [0, 0.037],
        ],
        [0, 0, 0],
        24,
      )
      s.tube(chrome(), circle([0, 0, 0.04], 0.044, 'z'), 0.003, 6, true)
    },
    { pitch: 90 },
  )
  for (let i = 0; i < 7; i++) s.box(dark, [0.004, 0.1, 0.005], [d / 2, w * 0.22, 0.035 + i * 0.01], 0.001)
  for (let i = 0; i < 4; i++) s.cylinder(dark, 0.008, 0.004, [-0.02, 0.02 + i * 0.03, h + 0.013], 10)
  s.tube(dark, circle([0.06, -w * 0.22, h + 0.015], 0.02, 'z'), 0.004, 6, true)
}

function speaker(s: Sculpture, random: Random): void {
  const tall = random.chance(0.4) ? random.range(0.8, 1.0) : random.range(0.3, 0.42)
  const w = tall > 0.6 ? 0.22 : 0.2
  const body = random.chance(0.5) ? wood(random.pick(['walnut', 'cherry', 'wenge'] as const)) : plastic([40, 41, 45])
  const dark = plastic([24, 24, 27])
  s.box(body, [w + 0.06, w, tall], [0, 0, tall / 2], 0.01)
  s.box(dark, [0.012, w - 0.02, tall - 0.02], [w / 2 + 0.03, 0, tall / 2], 0.005)
  const cones =
    tall > 0.6
      ? ([
          [0.22, 0.08],
          [0.5, 0.08],
          [0.8, 0.035],
        ] as const)
      : ([
          [0.36, 0.075],
          [0.78, 0.035],
        ] as const)
  for (const [f, r] of cones) {
    s.at(
      [w / 2 + 0.036, 0, tall * f],
      () => {
        s.tube(chrome(), circle([0, 0, 0], r, 'z'), 0.006, 6, true)
        s.lathe(
          rubber([58, 58, 62]),
          [
            [r, 0],
            [r * 0.85, 0.008],
            [r * 0.78, 0],
            [r * 0.3, -0.022],
          ],
          [0, 0, 0],
          24,
        )
        s.ball(finish('cone', [92, 92, 98], { roughness: 0.4 }), [r * 0.32, r * 0.32, r * 0.2], [0, 0, -0.016], 14)
      },
      { pitch: 90 },
    )
  }
}

function telephone(s: Sculpture, random: Random): void {
  const body = plastic(
    random.pick([
      [46, 47, 52],
      [220, 216, 204],
      [176, 44, 40],
    ] as const),
  )
  s.at([0, 0, 0], () => {
    s.box(body, [0.17, 0.17, 0.03], [0, 0, 0.015], 0.006)
    s.at([0, 0, 0.012], () => s.box(body, [0.2, 0.19, 0.04], [0, 0, 0.02], 0.014, 2), { pitch: -7 })
    const keys = plastic([236, 236, 232])
    for (let r = 0; r < 4; r++)
      for (let c = 0; c < 3; c++)
        s.box(
          keys,
          [0.018, 0.022, 0.012],
          [-0.01 + r * 0.025, 0.01 + c * 0.029, 0.055 - (-0.01 + r * 0.025) * -0.12],
          0.003,
        )
    s.box(finish('lcd', [150, 176, 140], { glow: 0.4 }), [0.035, 0.09, 0.006], [-0.06, 0.04, 0.051], 0.001)
    s.tube(
      body,
      curve([
        [-0.095, -0.055, 0.06],
        [-0.06, -0.055, 0.082],
        [0.0, -0.055, 0.09],
        [0.06, -0.055, 0.086],
        [0.095, -0.055, 0.066],
      ]),
      0.017,
      10,
    )
    for (const x of [-0.09, 0.09]) s.ball(body, [0.026, 0.029, 0.02], [x, -0.055, 0.064], 14)
    s.tube(
      plastic([30, 30, 34]),
      Array.from(
        { length: 60 },
        (_, i) => [0.1 - i * 0.003 + 0.0, -0.115 + cosine(i * 1.3) * 0.008, 0.012 + sine(i * 1.3) * 0.008] as const,
      ),
      0.0028,
      5,
    )
  })
}

/** A wall unit of an air conditioner. */
function airConditioner(s: Sculpture, random: Random): void {
  const body = plastic([244, 245, 245])
  const w = random.range(0.8, 0.95)
  const h = 0.29
  const profile = curve(
    [
      [-0.1, 0, 0],
      [0.03, 0, 0],
      [0.1, 0, 0.06],
      [0.115, 0, 0.16],
      [0.1, 0, 0.27],
      [0.06, 0, h],
      [-0.1, 0, h],
    ],
    3,
  )
  s.at(
    [0, 0, 0],
    () =>
      s.extrude(
        body,
        profile.map(([x, , z]) => [x, z] as const),
        w,
        [0, 0, -w / 2],
      ),
    { roll: 90 },
  )
  s.at(
    [0.075, 0, 0.03],
    () => {
      s.box(plastic([60, 64, 70]), [0.085, w - 0.1, 0.006], [0, 0, 0], 0.002)
      for (let i = 0; i < 3; i++)
        s.box(plastic([226, 228, 230]), [0.008, w - 0.12, 0.014], [-0.028 + i * 0.028, 0, -0.005], 0.002)
    },
    { pitch: -42 },
  )
  s.at([0.09, 0, 0.02], () => s.box(body, [0.09, w - 0.09, 0.006], [0.02, 0, -0.008], 0.003), { pitch: 14 })
  for (let i = 0; i < 9; i++)
    s.box(
      plastic([186, 190, 194]),
      [0.003, w - 0.08, 0.004],
      [0.113 - Math.abs(i - 3) * 0.0017, 0, 0.19 + i * 0.009],
      0.001,
    )
  s.box(glowing([80, 220, 120]), [0.004, 0.02, 0.006], [0.114, w / 2 - 0.1, 0.12], 0.001)
  s.box(glowing([90, 190, 255], 0.8), [0.004, 0.05, 0.02], [0.113, w / 2 - 0.17, 0.12], 0.001)
}

function fan(s: Sculpture, random: Random): void {
  const tall = random.range(0.85, 1.15)
  const body = random.chance(0.5) ? plastic([240, 240, 238]) : plastic([50, 52, 58])
  s.lathe(
    body,
    [
      [0, 0],
      [0.19, 0],
      [0.195, 0.015],
      [0.15, 0.035],
      [0.03, 0.055],
      [0.02, 0.08],
    ],
    [0, 0, 0],
    28,
  )
  s.tube(
    chrome(),
    [
      [0, 0, 0.05],
      [0, 0, tall - 0.1],
    ],
    0.014,
    10,
  )
  s.at([-0.02, 0, tall], () => {
    s.at(
      [-0.1, 0, 0],
      () =>
        s.lathe(
          body,
          [
            [0, 0],
            [0.05, 0.005],
            [0.065, 0.05],
            [0.06, 0.1],
            [0, 0.11],
          ],
          [0, 0, 0],
          18,
        ),
      { pitch: 90 },
    )
    const r = 0.2
    for (let i = 0; i < 28; i++) {
      const c = cosine((i / 28) * TAU)
      const e = sine((i / 28) * TAU)
      s.tube(
        chrome(),
        [
          [0.075, c * 0.04, e * 0.04],
          [0.065, c * r * 0.75, e * r * 0.75],
          [0.03, c * r, e * r],
          [-0.01, c * r * 0.75, e * r * 0.75],
          [-0.015, c * 0.06, e * 0.06],
        ],
        0.0018,
        4,
      )
    }
    s.tube(chrome(), circle([0.03, 0, 0], r, 'x', 32), 0.006, 6, true)
    s.tube(chrome(), circle([0.067, 0, 0], r * 0.72, 'x', 32), 0.0022, 4, true)
    const blade = finish(
      'blade',
      random.pick([
        [120, 176, 206],
        [90, 96, 104],
        [150, 200, 170],
      ] as const),
      { roughness: 0.3 },
    )
    for (let i = 0; i < 3; i++) {
      s.at(
        [0.03, 0, 0],
        () =>
          s.sheet(blade, 6, 6, (u, v) => {
            const reach = 0.03 + v * 0.145
            const spread = (u - 0.5) * (0.4 + v * 1.4)
            return [(u - 0.5) * 0.035, sine(spread) * reach, cosine(spread) * reach]
          }),
        { roll: i * 120 },
      )
    }
    s.at([0.045, 0, 0], () => s.cylinder(body, 0.042, 0.036, [0, 0, 0], 18, 0.01), { pitch: 90 })
  })
  s.box(body, [0.06, 0.05, 0.07], [0.005, 0, tall - 0.12], 0.01)
  for (let i = 0; i < 3; i++)
    s.cylinder(plastic(i ? [200, 200, 204] : [210, 60, 50]), 0.012, 0.012, [0.11, (i - 1) * 0.04, 0.03], 10)
}

function radio(s: Sculpture, random: Random): void {
  const body = random.chance(0.5) ? wood(random.pick(['walnut', 'cherry'] as const)) : plastic(random.pick(BRIGHT))
  s.box(body, [0.11, 0.3, 0.18], [0, 0, 0.09], 0.02, 2)
  const cloth = finish('speaker cloth', [206, 190, 156], { surface: 'weave', tile: 0.1 })
  s.box(cloth, [0.006, 0.14, 0.13], [0.055, -0.06, 0.09], 0.003)
  s.box(finish('dial', [250, 240, 206], { glow: 0.3 }), [0.006, 0.11, 0.05], [0.055, 0.075, 0.125], 0.002)
  for (let i = 0; i < 7; i++)
    s.box(iron(), [0.002, 0.002, i % 2 ? 0.014 : 0.024], [0.059, 0.034 + i * 0.0135, 0.128], 0)
  s.box(plastic([206, 50, 44]), [0.002, 0.003, 0.04], [0.0595, 0.06, 0.125], 0)
  for (const y of [0.045, 0.105])
    s.at([0.055, y, 0.06], () => s.cylinder(chrome(), 0.019, 0.022, [0, 0, 0], 18), { pitch: 90 })
  s.tube(
    chrome(),
    [
      [-0.03, 0.12, 0.18],
      [-0.03, 0.2, 0.4],
    ],
    0.003,
    6,
  )
  s.tube(
    body,
    curve([
      [0, -0.13, 0.175],
      [0, -0.1, 0.215],
      [0, 0.06, 0.215],
      [0, 0.09, 0.175],
    ]),
    0.008,
    6,
  )
}

const device = (mount: ObjectKind['mount'], build: ObjectKind['build']): ObjectKind => ({
  mount,
  oriented: true,
  build,
})

export const electronics = {
  television: device('surface', television),
  monitor: device('surface', monitor),
  keyboard: device('surface', keyboard),
  mouse: device('surface', mouse),
  laptop: device('surface', laptop),
  computer: device('surface', computer),
  'computer tower': device('floor', (s, random) => tower(s, random)),
  printer: device('surface', printer),
  scanner: device('surface', scanner),
  projector: device('surface', projector),
  speaker: device('floor', speaker),
  telephone: device('surface', telephone),
  'air conditioner': device('wall', airConditioner),
  fan: device('floor', fan),
  radio: device('surface', radio),
} as const satisfies Record<string, ObjectKind>
