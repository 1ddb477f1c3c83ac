/** Small things for cooking and eating. */
import type { Random } from '../../base/random.ts'
import type { Color } from '../materials/canvas.ts'
import { label } from '../materials/print.ts'
import { displayPanel } from '../materials/screens.ts'
import { ceramic, chrome, coated, finish, plastic, printed, steel, wood } from './finish-list.ts'
import type { ObjectKind } from './model.ts'
import { BRIGHT } from './parts.ts'
import { type Sculpture, circle, curve } from './shapes.ts'
import { TAU, cosine, sine } from '../trig.ts'

function kettle(s: Sculpture, random: Random): void {
  const body = random.chance(0.5) ? steel() : coated(random.pick(BRIGHT))
  const dark = plastic([36, 37, 41])
  s.cylinder(dark, 0.085, 0.022, [0, 0, 0], 24, 0.006)
  s.lathe(
    body,
    [
      [0, 0.022],
      [0.08, 0.024],
      [0.086, 0.05],
      [0.082, 0.12],
      [0.066, 0.19],
      [0.056, 0.215],
      [0, 0.218],
    ],
    [0, 0, 0],
    26,
  )
  s.lathe(
    dark,
    [
      [0.056, 0.215],
      [0.05, 0.228],
      [0.012, 0.232],
      [0.012, 0.24],
      [0.018, 0.25],
      [0, 0.256],
    ],
    [0, 0, 0],
    22,
  )
  s.tube(
    body,
    curve(
      [
        [0.06, 0, 0.15],
        [0.09, 0, 0.175],
        [0.115, 0, 0.21],
      ],
      4,
    ),
    (t) => 0.024 - t * 0.012,
    10,
  )
  s.tube(
    dark,
    curve(
      [
        [-0.055, 0, 0.21],
        [-0.115, 0, 0.205],
        [-0.135, 0, 0.14],
        [-0.115, 0, 0.07],
        [-0.08, 0, 0.055],
      ],
      4,
    ),
    0.012,
    8,
  )
}

function toaster(s: Sculpture, random: Random): void {
  const body = random.pick([steel(), coated([200, 56, 48]), coated([236, 226, 200])])
  const [d, w, h] = [0.18, 0.29, 0.19]
  s.box(plastic([40, 41, 45]), [d, w - 0.01, 0.03], [0, 0, 0.015], 0.008)
  s.box(body, [d, w, h - 0.02], [0, 0, 0.02 + (h - 0.02) / 2], 0.045, 2)
  const bread = finish('toast', [206, 146, 84], { surface: 'cork', tile: 0.1 })
  for (const x of [-0.035, 0.035]) {
    s.box(plastic([26, 26, 28]), [0.03, w - 0.1, 0.006], [x, 0, h - 0.001], 0.002)
    s.box(bread, [0.016, 0.12, 0.09], [x, 0, h + 0.012], 0.007)
  }
  s.box(plastic([30, 30, 34]), [0.008, 0.004, 0.1], [0, w / 2 + 0.001, 0.1], 0.001)
  s.box(plastic([30, 30, 34]), [0.05, 0.03, 0.018], [0, w / 2 + 0.014, 0.13], 0.006)
  s.at([0, w / 2, 0.05], () => s.cylinder(chrome(), 0.016, 0.014, [0, 0, 0], 14), { roll: -90 })
}

function pot(s: Sculpture, random: Random): void {
  const body = random.pick([steel(), coated([176, 44, 40]), coated([52, 72, 98]), coated([44, 45, 49])])
  const r = random.range(0.1, 0.13)
  const h = random.range(0.11, 0.16)
  s.lathe(
    body,
    [
      [0, 0],
      [r - 0.012, 0],
      [r, 0.012],
      [r, h],
      [r + 0.004, h + 0.003],
      [r, h + 0.006],
    ],
    [0, 0, 0],
    28,
  )
  s.lathe(
    body,
    [
      [r, h + 0.006],
      [r * 0.8, h + 0.022],
      [r * 0.4, h + 0.034],
      [0, h + 0.037],
    ],
    [0, 0, 0],
    28,
  )
  s.lathe(
    plastic([36, 36, 40]),
    [
      [0.008, 0],
      [0.008, 0.012],
      [0.02, 0.018],
      [0.02, 0.028],
      [0, 0.032],
    ],
    [0, 0, h + 0.036],
    14,
  )
  for (const y of [-1, 1])
    s.tube(
      plastic([36, 36, 40]),
      curve(
        [
          [-0.035, y * (r - 0.004), h * 0.78],
          [-0.03, y * (r + 0.035), h * 0.8],
          [0.03, y * (r + 0.035), h * 0.8],
          [0.035, y * (r - 0.004), h * 0.78],
        ],
        3,
      ),
      0.007,
      8,
    )
}

function coffeeMachine(s: Sculpture, random: Random): void {
  const body = random.chance(0.5) ? plastic([40, 41, 46]) : coated([190, 52, 46])
  const metal = steel()
  s.box(body, [0.26, 0.22, 0.04], [0, 0, 0.02], 0.01)
  s.box(body, [0.11, 0.22, 0.34], [-0.075, 0, 0.19], 0.012)
  s.box(body, [0.25, 0.22, 0.1], [-0.005, 0, 0.32], 0.014, 2)
  s.cylinder(metal, 0.075, 0.006, [0.045, 0, 0.04], 22)
  s.lathe(
    finish('jug glass', [96, 62, 40], { roughness: 0.05 }),
    [
      [0, 0],
      [0.058, 0],
      [0.066, 0.03],
      [0.064, 0.07],
      [0.05, 0.105],
      [0.046, 0.11],
    ],
    [0.045, 0, 0.046],
    24,
  )
  s.cylinder(plastic([30, 30, 34]), 0.05, 0.02, [0.045, 0, 0.155], 20)
  s.tube(
    plastic([30, 30, 34]),
    curve(
      [
        [0.1, 0, 0.155],
        [0.135, 0, 0.14],
        [0.135, 0, 0.085],
        [0.108, 0, 0.07],
      ],
      3,
    ),
    0.009,
    8,
  )
  s.lathe(
    metal,
    [
      [0.02, 0],
      [0.05, 0.07],
      [0, 0.07],
    ],
    [0.045, 0, 0.2],
    20,
  )
  s.panel(
    printed('coffee clock', () => displayPanel('7:00', [255, 150, 80]), { glow: 0.9 }),
    0.09,
    0.03,
    [0.1203, -0.03, 0.33],
  )
  s.cylinderX(chrome(), 0.014, 0.01, [0.12, 0.07, 0.33], 14)
}

function cup(s: Sculpture, random: Random): void {
  const glaze = ceramic(random.pick([...BRIGHT, [246, 246, 244]] as const))
  const [r, h] = [0.041, 0.095]
  s.lathe(
    glaze,
    [
      [0, 0],
      [r - 0.006, 0],
      [r, 0.01],
      [r, h - 0.002],
      [r - 0.002, h],
      [r - 0.005, h - 0.002],
      [r - 0.005, 0.02],
    ],
    [0, 0, 0],
    24,
  )
  s.lathe(
    finish('coffee', [74, 46, 30], { roughness: 0.1 }),
    [
      [r - 0.005, h - 0.016],
      [0, h - 0.016],
    ],
    [0, 0, 0],
    24,
  )
  s.tube(
    glaze,
    curve(
      [
        [0, r - 0.002, h * 0.8],
        [0, r + 0.026, h * 0.78],
        [0, r + 0.03, h * 0.45],
        [0, r - 0.002, h * 0.24],
      ],
      4,
    ),
    0.0058,
    8,
  )
}

function bottle(s: Sculpture, random: Random): void {
  const wine = random.chance(0.6)
  const color: Color = wine
    ? random.pick([
        [34, 62, 42],
        [60, 38, 24],
        [40, 56, 50],
      ] as const)
    : random.pick([
        [120, 180, 150],
        [150, 190, 220],
      ] as const)
  const skin = finish('bottle glass', color, { roughness: 0.05 })
  s.lathe(
    skin,
    [
      [0, 0.006],
      [0.03, 0],
      [0.037, 0.006],
      [0.037, 0.19],
      [0.034, 0.205],
      [0.018, 0.235],
      [0.0145, 0.25],
      [0.0145, 0.295],
      [0.017, 0.297],
      [0.017, 0.307],
      [0.0135, 0.309],
    ],
    [0, 0, 0],
    24,
  )
  const ink = random.pick(BRIGHT)
  const print = random.fork('label').int(3)
  s.lathe(
    printed(`label ${ink.join()} ${print}`, () => label(ink, print)),
    [
      [0.0375, 0.05],
      [0.0375, 0.15],
    ],
    [0, 0, 0],
    24,
  )
  s.cylinder(
    wine ? finish('foil', [120, 30, 40], { roughness: 0.4 }) : plastic([236, 236, 236]),
    0.0172,
    0.04,
    [0, 0, 0.274],
    16,
  )
}

function bowl(s: Sculpture, random: Random): void {
  s.holds('bowl')
  const glaze = random.chance(0.5)
    ? ceramic(
        random.pick([
          [246, 246, 244],
          [70, 110, 140],
          [206, 160, 110],
        ] as const),
      )
    : wood('beech')
  s.lathe(
    glaze,
    [
      [0, 0.004],
      [0.06, 0],
      [0.062, 0.01],
      [0.1, 0.03],
      [0.135, 0.075],
      [0.14, 0.085],
      [0.134, 0.083],
      [0.096, 0.037],
      [0, 0.02],
    ],
    [0, 0, 0],
    28,
  )
  const fruit = [
    finish('apple', [200, 44, 40], { roughness: 0.3 }),
    finish('orange', [240, 150, 40], { roughness: 0.6 }),
    finish('pear', [176, 196, 70], { roughness: 0.4 }),
    finish('apple', [150, 190, 60], { roughness: 0.3 }),
  ]
  for (let i = 0; i < 5; i++) {
    const c = cosine((i / 5) * TAU)
    const e = sine((i / 5) * TAU)
    s.ball(random.pick(fruit), [0.038, 0.038, 0.036], [c * 0.068, e * 0.068, 0.076], 14)
    s.tube(
      wood('walnut'),
      [
        [c * 0.068, e * 0.068, 0.106],
        [c * 0.07, e * 0.07, 0.122],
      ],
      0.002,
      5,
    )
  }
  s.ball(fruit[1]!, [0.038, 0.038, 0.036], [0, 0, 0.112], 14)
  const banana = finish('banana', [244, 208, 70], { roughness: 0.5 })
  for (const y of [-0.02, 0.02])
    s.tube(
      banana,
      curve(
        [
          [-0.11, y, 0.1],
          [-0.05, y * 1.4, 0.135],
          [0.03, y * 1.6, 0.145],
          [0.09, y, 0.12],
        ],
        4,
      ),
      (t) => 0.006 + 0.014 * Math.sqrt(Math.max(0, t * (1 - t) * 4)),
      8,
    )
}

function plate(s: Sculpture, random: Random): void {
  const glaze = ceramic()
  const rim = ceramic(random.pick(BRIGHT))
  s.lathe(
    glaze,
    [
      [0, 0.002],
      [0.07, 0],
      [0.085, 0.006],
      [0.125, 0.018],
      [0.13, 0.022],
      [0.124, 0.0215],
      [0.085, 0.011],
      [0.078, 0.006],
      [0, 0.006],
    ],
    [0, 0, 0],
    32,
  )
  s.tube(rim, circle([0, 0, 0.0215], 0.1265, 'z', 32), 0.0025, 5, true)
  const metal = chrome()
  s.box(metal, [0.19, 0.012, 0.003], [0.0, 0.16, 0.0015], 0.001)
  s.box(metal, [0.1, 0.02, 0.002], [-0.045, 0.16, 0.002], 0.0008)
  s.box(metal, [0.14, 0.009, 0.003], [0.03, -0.16, 0.0015], 0.001)
  s.box(metal, [0.02, 0.024, 0.003], [-0.045, -0.16, 0.0015], 0.001)
  for (const k of [-1.5, -0.5, 0.5, 1.5])
    s.box(metal, [0.05, 0.0032, 0.003], [-0.075, -0.16 + k * 0.0064, 0.0015], 0.0006)
}

const small = (oriented: boolean, build: ObjectKind['build']): ObjectKind => ({ mount: 'surface', oriented, build })

export const kitchenware = {
  kettle: small(false, kettle),
  toaster: small(false, toaster),
  pot: small(false, pot),
  'coffee machine': small(true, coffeeMachine),
  cup: small(false, cup),
  bottle: small(false, bottle),
  'fruit bowl': small(false, bowl),
  plate: small(false, plate),
} as const satisfies Record<string, ObjectKind>
