/** Things people own: bags, instruments, bicycles, shoes. */
import type { Random } from '../../base/random.ts'
import { brass, chrome, coated, fabric, finish, iron, lacquer, leather, plastic, rubber, wood } from './finish-list.ts'
import { ball } from './balls.ts'
import type { ObjectKind } from './model.ts'
import { BRIGHT, CLOTH, anyWood } from './parts.ts'
import { type Sculpture, type Vec3, circle, curve } from './shapes.ts'
import { TAU, cosine, sine } from '../trig.ts'

function backpack(s: Sculpture, random: Random): void {
  const color = random.pick([...BRIGHT.slice(0, 6), [70, 84, 70], [60, 62, 70]] as const)
  const cloth = fabric(color)
  const trim = fabric([color[0] * 0.6, color[1] * 0.6, color[2] * 0.6])
  const dark = fabric([48, 48, 54])
  s.cushion(cloth, [0.19, 0.31, 0.44], [0, 0, 0.22], { round: 0.09, puff: 0.01, sides: 0.012 })
  s.cushion(trim, [0.08, 0.25, 0.2], [0.11, 0, 0.13], { round: 0.035, puff: 0.01, sides: 0.02 })
  for (const y of [-1, 1])
    s.cushion(trim, [0.13, 0.05, 0.17], [0, y * 0.16, 0.12], { round: 0.022, puff: 0.006, grid: 4, sides: 0.01 })
  const zip = chrome()
  s.tube(
    zip,
    curve(
      [
        [0.095, -0.135, 0.24],
        [0.096, -0.12, 0.35],
        [0.08, -0.06, 0.41],
        [0.075, 0, 0.418],
        [0.08, 0.06, 0.41],
        [0.096, 0.12, 0.35],
        [0.095, 0.135, 0.24],
      ],
      4,
    ),
    0.0045,
    6,
  )
  s.tube(
    zip,
    [
      [0.155, -0.09, 0.2],
      [0.165, 0, 0.207],
      [0.155, 0.09, 0.2],
    ],
    0.004,
    6,
  )
  for (const y of [-0.09, 0.05]) s.box(dark, [0.008, 0.012, 0.04], [0.17, y, 0.182], 0.003)
  s.tube(
    dark,
    curve(
      [
        [-0.06, -0.04, 0.425],
        [-0.06, -0.035, 0.475],
        [-0.06, 0.035, 0.475],
        [-0.06, 0.04, 0.425],
      ],
      4,
    ),
    0.009,
    8,
  )
  for (const y of [-1, 1])
    s.tube(
      dark,
      curve(
        [
          [-0.09, y * 0.07, 0.4],
          [-0.15, y * 0.1, 0.34],
          [-0.16, y * 0.12, 0.2],
          [-0.09, y * 0.13, 0.05],
        ],
        4,
      ),
      0.018,
      8,
    )
}

function suitcase(s: Sculpture, random: Random): void {
  const shell = plastic(
    random.pick([
      [44, 92, 130],
      [176, 48, 46],
      [60, 62, 68],
      [206, 170, 60],
      [80, 130, 116],
      [160, 164, 170],
    ] as const),
  )
  const dark = plastic([36, 37, 41])
  const [d, w, h] = [0.25, 0.42, 0.6]
  s.box(shell, [d, w, h], [0, 0, h / 2 + 0.06], 0.055, 2)
  for (let i = 0; i < 6; i++) {
    const y = -w / 2 + 0.06 + i * ((w - 0.12) / 5)
    for (const x of [-1, 1]) s.box(shell, [0.012, 0.022, h - 0.11], [(x * d) / 2, y, h / 2 + 0.06], 0.006)
  }
  s.tube(
    dark,
    [
      [0, -w / 2 - 0.001, 0.12],
      [0, -w / 2 - 0.001, h],
      [0, -w / 2 + 0.06, h + 0.061],
      [0, w / 2 - 0.06, h + 0.061],
      [0, w / 2 + 0.001, h],
      [0, w / 2 + 0.001, 0.12],
    ],
    0.006,
    6,
  )
  for (const x of [-1, 1])
    for (const y of [-1, 1]) {
      s.box(dark, [0.05, 0.05, 0.03], [x * (d / 2 - 0.05), y * (w / 2 - 0.06), 0.06], 0.008)
      s.at(
        [x * (d / 2 - 0.05), y * (w / 2 - 0.06) - 0.012, 0.03],
        () => s.cylinder(rubber(), 0.029, 0.024, [0, 0, 0], 14, 0.006),
        { roll: -90 },
      )
    }
  for (const y of [-1, 1])
    s.tube(
      chrome(),
      [
        [-d / 2 + 0.06, y * 0.1, h + 0.05],
        [-d / 2 + 0.06, y * 0.1, h + 0.36],
      ],
      0.009,
      8,
    )
  s.box(dark, [0.035, 0.26, 0.035], [-d / 2 + 0.06, 0, h + 0.37], 0.014, 2)
  s.tube(
    dark,
    curve(
      [
        [0.03, -0.07, h + 0.06],
        [0.03, -0.06, h + 0.09],
        [0.03, 0.06, h + 0.09],
        [0.03, 0.07, h + 0.06],
      ],
      3,
    ),
    0.009,
    8,
  )
  s.box(chrome(), [0.03, 0.004, 0.05], [0, w / 2 + 0.004, 0.42], 0.002)
}

function bicycle(s: Sculpture, random: Random): void {
  const frame = lacquer(
    random.pick([
      [196, 46, 42],
      [40, 96, 160],
      [52, 130, 90],
      [40, 42, 48],
      [240, 180, 50],
    ] as const),
  )
  const dark = rubber()
  const metal = chrome()
  const r = 0.33
  const [front, back]: readonly [Vec3, Vec3] = [
    [0.53, 0, r],
    [-0.53, 0, r],
  ]
  for (const hub of [front, back]) {
    s.tube(dark, circle(hub, r - 0.015, 'y', 36), 0.017, 8, true)
    s.tube(metal, circle(hub, r - 0.038, 'y', 36), 0.008, 6, true)
    for (let i = 0; i < 18; i++) {
      const c = cosine((i / 18) * TAU) * (r - 0.04)
      const e = sine((i / 18) * TAU) * (r - 0.04)
      const side = i % 2 ? 0.025 : -0.025
      s.tube(
        metal,
        [
          [hub[0], side, hub[2]],
          [hub[0] + c, 0, hub[2] + e],
        ],
        0.0016,
        4,
      )
    }
    s.at([hub[0], -0.04, hub[2]], () => s.cylinder(metal, 0.018, 0.08, [0, 0, 0], 12), { roll: -90 })
  }
  const crank: Vec3 = [-0.08, 0, 0.29]
  const saddle: Vec3 = [-0.22, 0, 0.8]
  const head: Vec3 = [0.36, 0, 0.83]
  const lower: Vec3 = [0.4, 0, 0.68]
  s.tube(frame, [crank, lower], 0.018, 10)
    .tube(frame, [[-0.2, 0, 0.74], head], 0.016, 10)
    .tube(frame, [crank, saddle], 0.016, 10)
  s.tube(frame, [lower, [0.345, 0, 0.9]], 0.02, 10)
  for (const y of [-1, 1]) {
    s.tube(
      frame,
      [
        [-0.53, y * 0.05, r],
        [-0.2, y * 0.014, 0.74],
      ],
      0.009,
      8,
    )
    s.tube(frame, [[-0.53, y * 0.05, r], crank], 0.01, 8)
    s.tube(
      frame,
      curve(
        [
          [0.4, y * 0.02, 0.66],
          [0.46, y * 0.05, 0.5],
          [0.53, y * 0.05, r],
        ],
        4,
      ),
      0.011,
      8,
    )
  }
  s.tube(metal, [saddle, [-0.235, 0, 0.88]], 0.012, 8)
  s.cushion(leather([44, 36, 32]), [0.26, 0.13, 0.06], [-0.23, 0, 0.91], { round: 0.028, puff: 0.012, grid: 4 })
  s.cushion(leather([44, 36, 32]), [0.16, 0.06, 0.05], [-0.09, 0, 0.905], { round: 0.024, puff: 0.008, grid: 4 })
  s.tube(
    metal,
    [
      [0.345, 0, 0.88],
      [0.34, 0, 0.98],
    ],
    0.012,
    8,
  )
  s.tube(
    metal,
    curve(
      [
        [0.2, -0.29, 0.99],
        [0.32, -0.2, 1.0],
        [0.38, 0, 0.99],
        [0.32, 0.2, 1.0],
        [0.2, 0.29, 0.99],
      ],
      5,
    ),
    0.012,
    8,
  )
  for (const y of [-1, 1])
    s.tube(
      dark,
      [
        [0.19, y * 0.295, 0.99],
        [0.27, y * 0.245, 0.995],
      ],
      0.017,
      8,
    )
  s.at(
    [crank[0], -0.055, crank[2]],
    () => {
      s.cylinder(metal, 0.02, 0.1, [0, 0, 0], 12)
      s.tube(metal, circle([0, 0, 0.012], 0.085, 'z', 28), 0.007, 6, true)
      for (let i = 0; i < 5; i++)
        s.tube(
          metal,
          [
            [0, 0, 0.012],
            [cosine((i / 5) * TAU) * 0.085, sine((i / 5) * TAU) * 0.085, 0.012],
          ],
          0.005,
          5,
        )
    },
    { roll: -90 },
  )
  for (const y of [-1, 1]) {
    s.tube(
      metal,
      [
        [crank[0], y * 0.06, crank[2]],
        [crank[0] + y * 0.12, y * 0.075, crank[2] - y * 0.12],
      ],
      0.009,
      6,
    )
    s.box(dark, [0.09, 0.09, 0.025], [crank[0] + y * 0.12, y * 0.125, crank[2] - y * 0.12], 0.006)
  }
  for (const k of [-1, 1])
    s.tube(
      iron(),
      [
        [crank[0], -0.043, crank[2] + k * 0.085],
        [-0.53, -0.043, r + k * 0.035],
      ],
      0.004,
      5,
    )
  s.tube(
    metal,
    [
      [-0.3, 0.03, 0.3],
      [-0.36, 0.19, 0.0],
    ],
    0.008,
    6,
  )
}

function shoes(s: Sculpture, random: Random): void {
  s.holds('shoes', 2)
  const color = random.pick([...BRIGHT, [120, 76, 50]] as const)
  const upper = color[0] === 120 ? leather(color) : fabric(color)
  const sole = finish('sole', [240, 238, 232], { roughness: 0.8 })
  const lace = finish('lace', [250, 250, 246], { roughness: 1 })
  for (const y of [-1, 1]) {
    s.at(
      [0, y * 0.065, 0],
      () => {
        const bottom = curve(
          [
            [-0.13, -0.03, 0],
            [0, -0.032, 0],
            [0.08, -0.046, 0],
            [0.14, -0.028, 0],
            [0.15, 0, 0],
            [0.13, 0.03, 0],
            [0.07, 0.044, 0],
            [-0.02, 0.03, 0],
            [-0.13, 0.03, 0],
          ],
          3,
        ).map(([x, w]) => [x, w * 1.02] as const)
        s.extrude(sole, bottom, 0.024)
        s.sheet(upper, 24, 10, (u, v) => {
          const a = u * TAU
          const c = cosine(a)
          const e = sine(a)
          const x0 = c > 0 ? c * 0.145 : c * 0.13
          const w0 = 0.034 + 0.01 * c
          const tall = c > 0.1 ? 0.085 - 0.05 * c : 0.092 + 0.012 * -c
          const lean = v * v
          const closeIn = 1 - lean * (c > 0 ? 0.62 : 0.3)
          return [x0 * closeIn - (c > 0 ? 0.012 * v : 0), -e * w0 * (1 - 0.32 * lean), 0.022 + tall * sine(v * 1.5708)]
        })
        s.ball(finish('lining', [70, 66, 66], { roughness: 1 }), [0.05, 0.024, 0.008], [-0.055, 0, 0.104], 12)
        for (let i = 0; i < 4; i++)
          s.tube(
            lace,
            curve(
              [
                [0.0 + i * 0.021, -0.026, 0.09 - i * 0.008],
                [0.005 + i * 0.021, 0, 0.104 - i * 0.009],
                [0.0 + i * 0.021, 0.026, 0.09 - i * 0.008],
              ],
              3,
            ),
            0.0032,
            5,
          )
      },
      { yaw: y * 5 },
    )
  }
}

function umbrellaStand(s: Sculpture, random: Random): void {
  const metal = random.pick([iron(), brass(), coated([70, 84, 96])])
  s.lathe(
    metal,
    [
      [0, 0],
      [0.12, 0],
      [0.125, 0.02],
      [0.11, 0.3],
      [0.125, 0.52],
      [0.13, 0.54],
      [0.118, 0.53],
      [0.1, 0.3],
    ],
    [0, 0, 0],
    26,
  )
  s.holds('umbrella', 2)
  for (let i = 0; i < 2; i++) {
    const cloth = fabric(random.pick(BRIGHT))
    s.at(
      [i ? 0.04 : -0.04, i ? 0.03 : -0.03, 0.05],
      () => {
        s.lathe(
          cloth,
          [
            [0.006, 0],
            [0.02, 0.1],
            [0.036, 0.45],
            [0.034, 0.58],
            [0.012, 0.66],
          ],
          [0, 0, 0],
          12,
        )
        s.tube(
          chrome(),
          [
            [0, 0, 0.6],
            [0, 0, 0.74],
          ],
          0.005,
          6,
        )
        s.tube(
          wood('walnut'),
          curve(
            [
              [0, 0, 0.72],
              [0, 0, 0.83],
              [0.03, 0, 0.87],
              [0.06, 0, 0.85],
              [0.065, 0, 0.8],
            ],
            4,
          ),
          0.011,
          8,
        )
      },
      { pitch: i ? 6 : -6, roll: i ? -4 : 5, yaw: i * 120 },
    )
  }
}

function coatRack(s: Sculpture, random: Random): void {
  const body = anyWood(random)
  const tall = 1.75
  s.lathe(
    body,
    [
      [0, 0.1],
      [0.024, 0.1],
      [0.022, 0.9],
      [0.02, tall - 0.04],
      [0.03, tall - 0.02],
      [0, tall],
    ],
    [0, 0, 0],
    14,
  )
  for (let i = 0; i < 4; i++) {
    const c = cosine((i / 4) * TAU + 0.4)
    const e = sine((i / 4) * TAU + 0.4)
    s.tube(
      body,
      curve(
        [
          [c * 0.01, e * 0.01, 0.26],
          [c * 0.12, e * 0.12, 0.16],
          [c * 0.25, e * 0.25, 0.015],
        ],
        4,
      ),
      0.016,
      8,
    )
    s.tube(
      body,
      curve(
        [
          [c * 0.01, e * 0.01, tall - 0.16],
          [c * 0.1, e * 0.1, tall - 0.14],
          [c * 0.15, e * 0.15, tall - 0.03],
        ],
        4,
      ),
      0.011,
      8,
    )
    s.ball(body, [0.016, 0.016, 0.016], [c * 0.15, e * 0.15, tall - 0.025], 10)
  }
  s.holds('coat').holds('hat')
  const cloth = fabric(random.pick(CLOTH))
  const [c, e] = [cosine(0.4), sine(0.4)]
  s.at(
    [c * 0.14, e * 0.14, 0],
    () => {
      s.sheet(
        cloth,
        24,
        10,
        (u, v) => {
          const a = u * TAU
          const open = v < 0.12 ? v / 0.12 : 1
          const flare = 0.6 + 0.4 * v
          const fold = 1 + 0.08 * sine(a * 5)
          return [cosine(a) * 0.1 * open * flare * fold, -sine(a) * 0.19 * open * flare * fold, tall - 0.1 - v * 0.85]
        },
        [3, 5],
      )
      for (const y of [-1, 1])
        s.tube(
          cloth,
          curve(
            [
              [0, y * 0.12, tall - 0.22],
              [0.03, y * 0.18, tall - 0.45],
              [0.04, y * 0.19, tall - 0.78],
            ],
            4,
          ),
          0.045,
          8,
        )
    },
    { yaw: 23 },
  )
  const felt = finish('felt', [92, 70, 54], { surface: 'carpet', tile: 0.3 })
  s.lathe(
    felt,
    [
      [0.15, 0],
      [0.145, 0.006],
      [0.09, 0.012],
      [0.085, 0.07],
      [0.075, 0.095],
      [0.03, 0.09],
      [0, 0.094],
    ],
    [-c * 0.05, -e * 0.05, tall - 0.03],
    24,
  )
}

function handbag(s: Sculpture, random: Random): void {
  const hide = leather(
    random.pick([
      [150, 70, 50],
      [40, 38, 42],
      [196, 150, 96],
      [90, 40, 60],
    ] as const),
  )
  s.extrudeFrustum(hide, [0.13, 0.34], [0.09, 0.28], 0, 0.22)
  for (const x of [-1, 1])
    s.tube(
      hide,
      curve(
        [
          [x * 0.045, -0.08, 0.2],
          [x * 0.03, -0.07, 0.3],
          [x * 0.02, 0, 0.36],
          [x * 0.03, 0.07, 0.3],
          [x * 0.045, 0.08, 0.2],
        ],
        5,
      ),
      0.008,
      8,
    )
  s.box(hide, [0.1, 0.29, 0.02], [0, 0, 0.222], 0.008)
  s.box(brass(), [0.01, 0.05, 0.03], [0.054, 0, 0.18], 0.004)
  for (const y of [-1, 1])
    for (const x of [-1, 1]) s.tube(brass(), circle([x * 0.052, y * 0.08, 0.195], 0.012, 'x', 14), 0.003, 5, true)
}

const plain = (build: ObjectKind['build']): ObjectKind => ({ mount: 'floor', oriented: false, build })
const faced = (build: ObjectKind['build']): ObjectKind => ({ mount: 'floor', oriented: true, build })

export const leisure = {
  backpack: faced(backpack),
  suitcase: plain(suitcase),
  handbag: { mount: 'surface', oriented: false, build: handbag },
  bicycle: faced(bicycle),
  shoes: faced(shoes),
  'umbrella stand': plain(umbrellaStand),
  'coat rack': plain(coatRack),
  ball: plain(ball),
} as const satisfies Record<string, ObjectKind>
