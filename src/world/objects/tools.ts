/** Tools, cleaning and what a workshop has. */
import type { Random } from '../../base/random.ts'
import { label } from '../materials/print.ts'
import { chrome, coated, finish, iron, plastic, printed, rubber, steel, wood } from './finish-list.ts'
import type { ObjectKind, Surface } from './model.ts'
import { BRIGHT, fourLegs, front } from './parts.ts'
import { type Sculpture, curve } from './shapes.ts'
import { TAU, cosine, sine } from '../trig.ts'

function ladder(s: Sculpture, random: Random): void {
  const metal = random.chance(0.6) ? coated([200, 204, 208]) : wood('pine')
  const tall = random.range(1.5, 1.9)
  const spread = tall * 0.3
  const steps = Math.round(tall / 0.27)
  for (const y of [-1, 1]) {
    s.tube(
      metal,
      [
        [spread, y * 0.24, 0],
        [0.03, y * 0.17, tall],
      ],
      0.02,
      8,
    )
    s.tube(
      metal,
      [
        [-spread, y * 0.24, 0],
        [-0.03, y * 0.17, tall - 0.02],
      ],
      0.016,
      8,
    )
    s.box(rubber(), [0.06, 0.05, 0.03], [spread, y * 0.24, 0.015], 0.008)
    s.box(rubber(), [0.05, 0.045, 0.03], [-spread, y * 0.24, 0.015], 0.008)
    s.tube(
      iron(),
      [
        [spread * 0.55, y * 0.21, tall * 0.45],
        [-spread * 0.55, y * 0.21, tall * 0.45],
      ],
      0.006,
      6,
    )
  }
  for (let i = 1; i < steps; i++) {
    const f = i / steps
    const half = 0.24 + (0.17 - 0.24) * f
    s.box(metal, [0.085, half * 2, 0.026], [spread + (0.03 - spread) * f - 0.02, 0, tall * f], 0.006)
  }
  for (const f of [0.2, 0.8])
    s.tube(
      metal,
      [
        [-spread + (spread - 0.03) * f, -0.22, tall * f],
        [-spread + (spread - 0.03) * f, 0.22, tall * f],
      ],
      0.01,
      6,
    )
  s.box(plastic([210, 60, 46]), [0.16, 0.4, 0.035], [0, 0, tall], 0.01, 2)
}

function workbench(s: Sculpture, random: Random): readonly Surface[] {
  const w = random.range(1.4, 1.9)
  const [d, h] = [0.68, 0.88]
  const body = wood(random.pick(['pine', 'beech', 'oak'] as const))
  s.box(body, [d, w, 0.06], [0, 0, h - 0.03], 0.008, 2)
  fourLegs(s, body, d, w, h - 0.06, 0.09, 0.04)
  s.box(body, [d - 0.12, w - 0.12, 0.03], [0, 0, 0.2], 0.005)
  for (const x of [-1, 1]) s.box(body, [0.03, w - 0.2, 0.1], [x * (d / 2 - 0.075), 0, h - 0.11], 0.005)
  for (let i = 0; i < 2; i++) front(s, body, d / 2 - 0.06, -w * 0.22 + i * 0.36, h - 0.12, 0.34, 0.13, 'bar', 0, iron())
  // A vice at the right end, a hammer and a saw on the top.
  const cast = coated([52, 84, 120])
  const y = w / 2 - 0.28
  s.box(cast, [0.16, 0.14, 0.05], [d / 2 - 0.12, y, h + 0.025], 0.01)
  s.box(cast, [0.05, 0.15, 0.1], [d / 2 - 0.12, y, h + 0.09], 0.012)
  s.box(cast, [0.05, 0.15, 0.1], [d / 2 - 0.01, y, h + 0.09], 0.012)
  for (const k of [-0.094, 0.016]) s.box(steel(), [0.012, 0.14, 0.03], [d / 2 + k - 0.0, y, h + 0.125], 0.002)
  s.at([d / 2 - 0.1, y, h + 0.06], () => s.cylinderX(chrome(), 0.016, 0.22, [0, 0, 0], 12))
  s.tube(
    chrome(),
    [
      [d / 2 + 0.11, y - 0.09, h + 0.06],
      [d / 2 + 0.11, y + 0.09, h + 0.06],
    ],
    0.007,
    8,
  )
  s.at(
    [0.02, -w * 0.12, h + 0.016],
    () => {
      s.tube(
        wood('cherry'),
        [
          [-0.02, 0, 0],
          [0.26, 0, 0],
        ],
        0.014,
        8,
      )
      s.box(iron(), [0.035, 0.12, 0.035], [-0.03, 0, 0], 0.006)
    },
    { yaw: 25 },
  )
  s.at(
    [-0.12, -w * 0.3, h + 0.004],
    () => {
      s.extrude(
        chrome(),
        [
          [0, -0.03],
          [0.36, -0.055],
          [0.36, 0.055],
          [0, 0.02],
        ],
        0.003,
      )
      s.extrude(
        wood('cherry'),
        [
          [0.35, -0.06],
          [0.46, -0.04],
          [0.47, 0.06],
          [0.35, 0.07],
        ],
        0.022,
        [0, 0, -0.004],
      )
    },
    { yaw: 62 },
  )
  s.box(plastic([220, 70, 50]), [0.2, 0.3, 0.16], [0, -w * 0.22, 0.295], 0.012)
  s.box(plastic([60, 62, 68]), [0.26, 0.36, 0.2], [0, w * 0.18, 0.315], 0.012)
  s.holds('tool box', 2).holds('box', 2)
  return [{ z: h, x: [-d / 2 + 0.05, 0.0], y: [-0.02, w / 2 - 0.42] }]
}

function toolBox(s: Sculpture, random: Random): void {
  const body = coated(
    random.pick([
      [196, 46, 42],
      [40, 90, 160],
      [226, 150, 40],
    ] as const),
  )
  const dark = plastic([40, 41, 45])
  const [d, w] = [0.22, 0.46]
  s.box(body, [d, w, 0.15], [0, 0, 0.075], 0.012)
  s.box(dark, [d + 0.006, w + 0.006, 0.014], [0, 0, 0.152], 0.004)
  s.extrudeFrustum(body, [d, w], [d * 0.55, w - 0.02], 0.158, 0.22)
  s.tube(
    dark,
    curve(
      [
        [0, -0.13, 0.215],
        [0, -0.12, 0.275],
        [0, 0.12, 0.275],
        [0, 0.13, 0.215],
      ],
      4,
    ),
    0.013,
    10,
  )
  for (const y of [-1, 1]) {
    s.box(chrome(), [0.012, 0.05, 0.06], [d / 2 + 0.004, y * 0.14, 0.15], 0.003)
    s.box(chrome(), [0.014, 0.03, 0.016], [d / 2 + 0.01, y * 0.14, 0.128], 0.003)
  }
}

function fireExtinguisher(s: Sculpture): void {
  const red = coated([206, 36, 34])
  s.lathe(
    plastic([30, 30, 34]),
    [
      [0, 0],
      [0.078, 0],
      [0.08, 0.03],
      [0.075, 0.035],
    ],
    [0, 0, 0],
    24,
  )
  s.lathe(
    red,
    [
      [0.075, 0.035],
      [0.077, 0.05],
      [0.077, 0.36],
      [0.068, 0.41],
      [0.04, 0.445],
      [0.024, 0.455],
    ],
    [0, 0, 0],
    26,
  )
  s.cylinder(chrome(), 0.026, 0.035, [0, 0, 0.45], 16)
  s.at([0.0, 0, 0.49], () => {
    s.at([0, 0, 0], () => s.box(iron(), [0.15, 0.03, 0.012], [0.045, 0, 0], 0.004), { pitch: 6 })
    s.at([0, 0, 0.025], () => s.box(red, [0.15, 0.03, 0.012], [0.045, 0, 0], 0.004), { pitch: -12 })
  })
  s.tube(
    rubber(),
    curve(
      [
        [-0.02, 0, 0.475],
        [-0.08, 0, 0.49],
        [-0.115, 0, 0.4],
        [-0.105, 0, 0.25],
        [-0.095, 0.01, 0.12],
      ],
      5,
    ),
    0.012,
    8,
  )
  s.lathe(
    rubber(),
    [
      [0.012, 0.06],
      [0.03, -0.01],
      [0.024, -0.01],
    ],
    [-0.094, 0.011, 0.1],
    14,
  )
  s.lathe(
    printed('extinguisher label', () => label([240, 240, 236], 0)),
    [
      [0.0778, 0.13],
      [0.0778, 0.29],
    ],
    [0, 0, 0],
    26,
  )
  s.at([0.022, 0, 0.468], () =>
    s.cylinderX(finish('gauge', [246, 246, 240], { roughness: 0.3 }), 0.016, 0.012, [0, 0, 0], 16),
  )
}

function bucket(s: Sculpture, random: Random): void {
  const body = random.chance(0.5) ? plastic(random.pick(BRIGHT)) : steel()
  const h = 0.27
  s.lathe(
    body,
    [
      [0, 0.006],
      [0.1, 0],
      [0.105, 0.008],
      [0.14, h],
      [0.147, h + 0.004],
      [0.145, h + 0.012],
      [0.135, h + 0.006],
      [0.1, 0.014],
      [0, 0.014],
    ],
    [0, 0, 0],
    28,
  )
  s.tube(
    chrome(),
    curve(
      [
        [0, -0.143, h - 0.02],
        [0.07, -0.11, h - 0.07],
        [0.13, 0, h - 0.11],
        [0.07, 0.11, h - 0.07],
        [0, 0.143, h - 0.02],
      ],
      4,
    ).map(([x, y, z]) => [x * 1.1 + 0.02, y, z + 0.02] as const),
    0.004,
    6,
  )
  s.lathe(
    finish('bucket water', [96, 150, 178], { roughness: 0.02 }),
    [
      [0.12, h - 0.12],
      [0, h - 0.12],
    ],
    [0, 0, 0],
    28,
  )
  s.tube(
    plastic([240, 240, 240]),
    [
      [0.16, -0.04, h - 0.083],
      [0.162, 0.04, h - 0.083],
    ],
    0.009,
    8,
  )
}

function broom(s: Sculpture, random: Random): void {
  s.at(
    [0.1, 0, 0],
    () => {
      s.tube(
        wood('beech'),
        [
          [0, 0, 0.16],
          [0, 0, 1.4],
        ],
        0.013,
        8,
      )
      s.box(plastic(random.pick(BRIGHT)), [0.06, 0.3, 0.04], [0, 0, 0.14], 0.012, 2)
      const hair = finish(
        'bristle',
        random.pick([
          [206, 166, 90],
          [60, 60, 66],
        ] as const),
        { surface: 'fur', tile: 0.05 },
      )
      s.extrudeFrustum(hair, [0.1, 0.36], [0.055, 0.28], 0.0, 0.13)
    },
    { pitch: -8 },
  )
}

function vacuumCleaner(s: Sculpture, random: Random): void {
  const hull = plastic(
    random.pick([
      [196, 46, 42],
      [50, 100, 160],
      [70, 74, 80],
    ] as const),
  )
  const dark = plastic([36, 37, 41])
  s.cushion(hull, [0.4, 0.27, 0.2], [-0.2, 0, 0.14], { round: 0.09, puff: 0.03 })
  s.cushion(dark, [0.24, 0.2, 0.06], [-0.2, 0, 0.245], { round: 0.028, puff: 0.012, grid: 4 })
  for (const y of [-1, 1])
    s.at(
      [-0.3, y * 0.13 - 0.02, 0.09],
      () => {
        s.cylinder(dark, 0.09, 0.04, [0, 0, 0], 24, 0.012)
        s.cylinder(hull, 0.05, 0.046, [0, 0, -0.003], 20, 0.006)
      },
      { roll: -90 },
    )
  s.cylinder(dark, 0.03, 0.04, [-0.06, 0, 0.0], 12)
  s.tube(
    dark,
    curve(
      [
        [-0.02, 0, 0.16],
        [0.1, 0.05, 0.3],
        [0.22, 0.16, 0.62],
        [0.34, 0.1, 0.9],
        [0.4, 0, 0.86],
      ],
      6,
    ),
    0.019,
    8,
  )
  s.tube(
    chrome(),
    [
      [0.38, 0, 0.9],
      [0.62, 0, 0.07],
    ],
    0.016,
    10,
  )
  s.tube(
    dark,
    curve(
      [
        [0.4, 0, 0.84],
        [0.37, 0, 0.94],
        [0.32, 0, 0.98],
      ],
      3,
    ),
    0.021,
    8,
  )
  s.box(dark, [0.11, 0.28, 0.045], [0.65, 0, 0.0225], 0.014, 2)
}

function paintCan(s: Sculpture, random: Random): void {
  s.holds('can')
  const color = random.pick(BRIGHT)
  s.cylinder(steel(), 0.085, 0.19, [0, 0, 0], 26, 0.004)
  s.lathe(
    printed(`paint label ${color.join()}`, () => label(color, 1)),
    [
      [0.0856, 0.03],
      [0.0856, 0.155],
    ],
    [0, 0, 0],
    26,
  )
  s.lathe(
    steel(),
    [
      [0.08, 0.19],
      [0.08, 0.197],
      [0.072, 0.197],
      [0.07, 0.19],
      [0, 0.19],
    ],
    [0, 0, 0],
    26,
  )
  s.lathe(
    lacquerOf(color),
    [
      [0.07, 0.192],
      [0, 0.192],
    ],
    [0, 0, 0],
    24,
  )
  s.tube(
    chrome(),
    curve(
      [
        [0, -0.086, 0.16],
        [0.05, -0.08, 0.12],
        [0.1, 0, 0.09],
        [0.05, 0.08, 0.12],
        [0, 0.086, 0.16],
      ],
      4,
    ),
    0.0026,
    6,
  )
  s.at(
    [0.0, 0.0, 0.205],
    () => {
      s.box(wood('beech'), [0.15, 0.024, 0.014], [0.1, 0, 0], 0.006)
      s.box(chrome(), [0.03, 0.05, 0.016], [0.02, 0, 0], 0.003)
      s.box(
        finish('bristle', [214, 190, 140], { surface: 'fur', tile: 0.05 }),
        [0.05, 0.048, 0.012],
        [-0.02, 0, 0],
        0.004,
      )
      s.box(lacquerOf(color), [0.022, 0.05, 0.014], [-0.048, 0, 0], 0.005)
    },
    { yaw: 20 },
  )
}

const lacquerOf = (color: readonly [number, number, number]) => finish('wet paint', color, { roughness: 0.15 })

/** A pillar drill or saw is what makes a workshop: the drill press. */
function drillPress(s: Sculpture): void {
  const cast = coated([70, 120, 90])
  const metal = chrome()
  s.box(cast, [0.42, 0.3, 0.05], [0, 0, 0.025], 0.012)
  s.cylinder(metal, 0.036, 0.92, [-0.12, 0, 0.05], 18)
  s.box(cast, [0.12, 0.1, 0.08], [-0.12, 0, 0.42], 0.012)
  s.cylinder(cast, 0.13, 0.025, [0.06, 0, 0.42], 26)
  s.box(cast, [0.44, 0.2, 0.2], [0.0, 0, 0.9], 0.04, 2)
  s.box(cast, [0.46, 0.22, 0.09], [0.0, 0, 1.04], 0.04, 2)
  s.cylinder(plastic([40, 41, 45]), 0.085, 0.22, [-0.26, 0, 0.84], 20, 0.02)
  s.cylinder(metal, 0.04, 0.12, [0.08, 0, 0.7], 18)
  s.lathe(
    iron(),
    [
      [0, 0.6],
      [0.006, 0.605],
      [0.006, 0.64],
      [0.014, 0.66],
      [0.024, 0.67],
      [0.026, 0.71],
    ],
    [0.08, 0, 0],
    14,
  )
  s.at(
    [0.08, 0.1, 0.88],
    () => {
      s.cylinder(metal, 0.03, 0.04, [0, 0, 0], 16)
      for (let i = 0; i < 3; i++) {
        const c = cosine((i / 3) * TAU + 0.4)
        const e = sine((i / 3) * TAU + 0.4)
        s.tube(
          metal,
          [
            [0, 0, 0.03],
            [c * 0.18, e * 0.18, 0.05],
          ],
          0.007,
          6,
        )
        s.ball(plastic([28, 28, 32]), [0.02, 0.02, 0.02], [c * 0.19, e * 0.19, 0.052], 12)
      }
    },
    { roll: -90 },
  )
  s.cylinderX(plastic([206, 40, 36]), 0.018, 0.012, [0.22, -0.05, 0.92], 16)
  s.cylinderX(plastic([60, 160, 80]), 0.018, 0.012, [0.22, 0.0, 0.92], 16)
}

const plain = (mount: ObjectKind['mount'], build: ObjectKind['build']): ObjectKind => ({
  mount,
  oriented: false,
  build,
})
const faced = (mount: ObjectKind['mount'], build: ObjectKind['build']): ObjectKind => ({ mount, oriented: true, build })

export const tools = {
  ladder: plain('floor', ladder),
  workbench: faced('floor', workbench),
  'tool box': plain('surface', toolBox),
  'fire extinguisher': plain('floor', (s) => fireExtinguisher(s)),
  bucket: plain('floor', bucket),
  broom: plain('floor', broom),
  'vacuum cleaner': plain('floor', vacuumCleaner),
  'paint can': plain('surface', paintCan),
  'drill press': faced('surface', (s) => drillPress(s)),
} as const satisfies Record<string, ObjectKind>
