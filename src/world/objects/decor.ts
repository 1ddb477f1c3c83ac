/** Plants, pictures, textiles and small things that make a room lived in. */
import type { Random } from '../../base/random.ts'
import { art } from '../materials/art.ts'
import { calendarPage, clockFace } from '../materials/print.ts'
import { globeTexture, rugPattern } from '../materials/scenery.ts'
import {
  bookFinish,
  brass,
  cardboard,
  chrome,
  coated,
  fabric,
  finish,
  fur,
  iron,
  knit,
  linen,
  paper,
  plastic,
  printed,
  wicker,
} from './finish-list.ts'
import type { ObjectKind, Surface } from './model.ts'
import { BRIGHT, CLOTH, anyWood, book } from './parts.ts'
import { type Sculpture, circle, curve } from './shapes.ts'
import { TAU, cosine, sine } from '../trig.ts'

function rug(s: Sculpture, random: Random): readonly Surface[] {
  const w = random.range(1.6, 2.6)
  const d = w * random.range(0.62, 0.72)
  const which = random.int(12)
  const cloth = printed(`rug ${which}`, () => rugPattern(which), { roughness: 1 })
  s.box(finish('rug back', [120, 100, 80], { roughness: 1 }), [d, w, 0.008], [0, 0, 0.004], 0.002)
  s.flatPanel(cloth, d, w, [0, 0, 0.0095])
  const fringe = finish('fringe', [236, 226, 204], { roughness: 1 })
  for (const y of [-1, 1])
    for (let i = 0; i < 26; i++)
      s.box(fringe, [0.012, 0.06, 0.004], [-d / 2 + (i + 0.5) * (d / 26), y * (w / 2 + 0.026), 0.003], 0)
  return [{ z: 0.01, x: [-d / 2, d / 2], y: [-w / 2, w / 2] }]
}

/** A pair of curtains on a rod, drawn aside. */
function curtain(s: Sculpture, random: Random): void {
  const w = random.range(1.7, 2.0)
  const h = random.range(2.05, 2.2)
  const cloth = linen(random.pick([...CLOTH, [240, 234, 220]] as const))
  const metal = random.pick([iron(), brass(), chrome()])
  s.tube(
    metal,
    [
      [0, -w / 2 - 0.06, h],
      [0, w / 2 + 0.06, h],
    ],
    0.012,
    10,
  )
  for (const y of [-1, 1]) {
    s.ball(metal, [0.026, 0.026, 0.026], [0, y * (w / 2 + 0.07), h], 12)
    s.tube(
      metal,
      [
        [-0.06, y * (w / 2 - 0.02), h],
        [0, y * (w / 2 - 0.02), h],
      ],
      0.007,
      6,
    )
    const wide = w * 0.24
    const mid = y * (w / 2 - wide / 2)
    s.sheet(
      cloth,
      56,
      10,
      (u, v) => {
        const squeeze = 1 - 0.1 * sine(v * 3.1)
        const fold = sine(u * TAU * 5.5) * (0.034 + 0.012 * (1 - v))
        return [fold + sine(u * 9 + v * 3) * 0.006, mid + (u - 0.5) * wide * squeeze, 0.02 + v * (h - 0.03)]
      },
      [1.2, 2.2],
    )
    for (let i = 0; i < 6; i++)
      s.tube(metal, circle([0, mid - wide / 2 + (i + 0.5) * (wide / 6), h], 0.019, 'y', 14), 0.003, 5, true)
  }
}

function picture(s: Sculpture, random: Random): void {
  const upright = random.chance(0.45)
  const long = random.range(0.5, 0.95)
  const [w, h] = upright ? [long * 0.75, long] : [long, long * 0.75]
  const frame = random.pick([
    anyWood(random),
    coated([34, 34, 38]),
    finish('gilt', [206, 164, 84], { roughness: 0.3, metallic: 1 }),
  ])
  const t = random.range(0.025, 0.045)
  for (const y of [-1, 1]) s.box(frame, [0.03, t, h], [0, y * (w / 2 - t / 2), h / 2], 0.007, 2)
  for (const z of [0, 1]) s.box(frame, [0.03, w, t], [0, 0, z ? h - t / 2 : t / 2], 0.007, 2)
  const mat = random.chance(0.5) ? 0.05 : 0
  s.box(paper(), [0.01, w - t, h - t], [-0.006, 0, h / 2], 0)
  const which = random.int(24)
  s.panel(
    printed(`art ${which} ${upright}`, () => art(which, upright)),
    w - t * 2 - mat * 2,
    h - t * 2 - mat * 2,
    [0.0005, 0, h / 2],
  )
}

function clock(s: Sculpture, random: Random): void {
  const r = random.range(0.14, 0.19)
  const which = random.int(3)
  const frame = random.pick([anyWood(random), chrome(), coated(random.pick(BRIGHT))])
  s.at(
    [-0.02, 0, r + 0.012],
    () => {
      s.lathe(
        frame,
        [
          [0, 0],
          [r, 0],
          [r + 0.012, 0.01],
          [r + 0.012, 0.034],
          [r + 0.002, 0.042],
          [r - 0.01, 0.036],
          [r - 0.012, 0.024],
        ],
        [0, 0, 0],
        40,
      )
    },
    { pitch: 90 },
  )
  const face = r - 0.01
  s.disc(
    printed(`clock ${which}`, () => clockFace(which)),
    face,
    [0.005, 0, r + 0.012],
  )
  const ink = which === 2 ? coated([240, 236, 226]) : coated([30, 30, 34])
  const hour = random.range(0, 12)
  for (const [long, thick, turn] of [
    [0.5, 0.014, hour / 12],
    [0.76, 0.009, hour - Math.floor(hour)],
  ] as const) {
    const c = cosine(turn * TAU)
    const e = sine(turn * TAU)
    s.tube(
      ink,
      [
        [0.011, -e * face * 0.14, r + 0.012 - c * face * 0.14],
        [0.011, e * face * long, r + 0.012 + c * face * long],
      ],
      thick * face * 4,
      5,
    )
  }
  s.cylinderX(ink, 0.009, 0.01, [0.006, 0, r + 0.012], 12)
}

function wallCalendar(s: Sculpture, random: Random): void {
  const which = random.int(4)
  s.box(paper(), [0.008, 0.3, 0.4], [0, 0, 0.2], 0)
  s.panel(
    printed(`calendar ${which}`, () => calendarPage(which)),
    0.3,
    0.4,
    [0.0045, 0, 0.2],
  )
  for (let i = 0; i < 14; i++) s.tube(iron(), circle([0.002, -0.13 + i * 0.02, 0.402], 0.007, 'y', 8), 0.0014, 4, true)
}

function pillow(s: Sculpture, random: Random): void {
  const cloth = random.pick([
    fabric(random.pick(CLOTH)),
    knit(random.pick(CLOTH)),
    linen(random.pick(BRIGHT)),
    linen([248, 246, 240]),
  ])
  const w = random.range(0.42, 0.62)
  s.cushion(cloth, [0.42, w, 0.05], [0, 0, 0.1], { round: 0.022, puff: 0.1, grid: 10, sides: -0.045 })
}

function teddyBear(s: Sculpture, random: Random): void {
  const coat = fur(
    random.pick([
      [176, 122, 74],
      [206, 168, 118],
      [120, 82, 56],
      [230, 220, 204],
    ] as const),
  )
  const light = fur([236, 212, 174])
  const dark = plastic([30, 26, 26])
  s.ball(coat, [0.085, 0.1, 0.12], [0, 0, 0.12], 22)
  s.ball(light, [0.03, 0.062, 0.075], [0.062, 0, 0.12], 18)
  s.ball(coat, [0.078, 0.088, 0.078], [0.01, 0, 0.285], 22)
  s.ball(light, [0.04, 0.044, 0.034], [0.076, 0, 0.268], 16)
  s.ball(dark, [0.012, 0.017, 0.011], [0.112, 0, 0.284], 10)
  for (const y of [-1, 1]) {
    s.ball(dark, [0.008, 0.011, 0.012], [0.076, y * 0.033, 0.308], 10)
    s.ball(coat, [0.018, 0.034, 0.034], [0.0, y * 0.07, 0.352], 14)
    s.ball(light, [0.012, 0.022, 0.022], [0.012, y * 0.07, 0.352], 12)
    s.at([0.02, y * 0.095, 0.185], () => s.ball(coat, [0.036, 0.034, 0.08], [0, 0, -0.05], 14), {
      roll: y * 34,
      pitch: -34,
    })
    s.at([0.06, y * 0.062, 0.045], () => s.ball(coat, [0.085, 0.043, 0.043], [0.04, 0, 0], 14), { yaw: y * 22 })
    s.at([0.15, y * 0.1, 0.05], () => s.ball(light, [0.014, 0.036, 0.038], [0.012, 0, 0], 14), { yaw: y * 22 })
  }
  s.tube(
    dark,
    curve(
      [
        [0.108, -0.018, 0.256],
        [0.114, 0, 0.25],
        [0.108, 0.018, 0.256],
      ],
      3,
    ),
    0.0026,
    5,
  )
  const bow = linen(random.pick(BRIGHT))
  s.ball(bow, [0.014, 0.014, 0.014], [0.084, 0, 0.218], 10)
  for (const y of [-1, 1])
    s.at([0.084, y * 0.026, 0.218], () => s.ball(bow, [0.012, 0.026, 0.02], [0, 0, 0], 12), { roll: y * 14 })
}

/** A cardboard box, open or taped shut. */
function box(s: Sculpture, random: Random): void {
  const card = cardboard()
  const [d, w, h] = [random.range(0.3, 0.42), random.range(0.36, 0.52), random.range(0.26, 0.4)]
  const t = 0.006
  if (random.chance(0.5)) {
    s.box(card, [d, w, h], [0, 0, h / 2], 0.004)
    const tape = finish('tape', [216, 190, 140], { roughness: 0.3 })
    s.box(tape, [d + 0.002, 0.055, h + 0.002], [0, 0, h / 2], 0.003)
    s.box(finish('seam', [120, 88, 56], { roughness: 1 }), [d - 0.01, 0.002, 0.001], [0, 0, h + 0.0012], 0)
    s.panel(finish('shipping label', [246, 246, 242], { roughness: 1 }), 0.12, 0.08, [d / 2 + 0.002, w * 0.25, h * 0.6])
    for (let i = 0; i < 9; i++)
      s.panel(coated([34, 34, 38]), i % 3 ? 0.003 : 0.006, 0.03, [d / 2 + 0.003, w * 0.25 - 0.04 + i * 0.01, h * 0.575])
    return
  }
  s.box(card, [d, w, t], [0, 0, t / 2], 0)
  for (const x of [-1, 1]) s.box(card, [t, w, h], [x * (d / 2 - t / 2), 0, h / 2], 0)
  for (const y of [-1, 1]) s.box(card, [d, t, h], [0, y * (w / 2 - t / 2), h / 2], 0)
  for (const x of [-1, 1])
    s.at([(x * d) / 2, 0, h], () => s.box(card, [d / 2, w, t * 0.7], [(x * d) / 4, 0, 0], 0), {
      pitch: x * random.range(20, 50),
    })
  for (const y of [-1, 1])
    s.at([0, (y * w) / 2, h], () => s.box(card, [d, d / 2, t * 0.7], [0, (y * d) / 4, 0], 0), {
      roll: -y * random.range(20, 50),
    })
  s.holds('towel', 3)
  for (let i = 0; i < 3; i++)
    s.at(
      [0, (i - 1) * w * 0.27, h * 0.55],
      () =>
        s.cushion(linen(random.pick(BRIGHT)), [d * 0.8, w * 0.25, h * 0.5], [0, 0, 0], {
          round: 0.04,
          puff: 0.02,
          grid: 3,
        }),
      { yaw: i * 9 },
    )
}

function basket(s: Sculpture, random: Random): void {
  const body = wicker(
    random.pick([
      [206, 166, 108],
      [150, 106, 66],
    ] as const),
  )
  const r = random.range(0.17, 0.22)
  const h = r * 0.95
  s.lathe(
    body,
    [
      [0, 0],
      [r * 0.8, 0],
      [r * 0.86, 0.01],
      [r, h],
      [r * 0.94, h],
      [r * 0.8, 0.03],
      [0, 0.02],
    ],
    [0, 0, 0],
    30,
  )
  s.tube(body, circle([0, 0, h], r * 0.98, 'z', 30), 0.012, 8, true)
  s.tube(
    body,
    curve(
      [
        [0, -r * 0.96, h],
        [0, -r * 0.8, h + r * 0.8],
        [0, 0, h + r * 1.15],
        [0, r * 0.8, h + r * 0.8],
        [0, r * 0.96, h],
      ],
      5,
    ),
    0.012,
    8,
  )
}

function books(s: Sculpture, random: Random): void {
  let z = 0
  const count = random.between(3, 5)
  for (let i = 0; i < count; i++) {
    const thick = random.range(0.022, 0.04)
    const wide = 0.26 - i * 0.014
    const cover = finish('cover', random.pick(BRIGHT), { roughness: 0.6 })
    s.at(
      [random.range(-0.01, 0.01), random.range(-0.01, 0.01), z],
      () => {
        s.holds('books').box(paper([240, 232, 212]), [0.17, wide - 0.012, thick - 0.006], [-0.004, 0, thick / 2], 0)
        for (const side of [0.002, thick - 0.002]) s.box(cover, [0.18, wide, 0.0036], [0, 0, side], 0.001)
        s.box(cover, [0.005, wide, thick], [0.089, 0, thick / 2], 0.002)
        s.box(
          finish('title', [236, 216, 160], { roughness: 0.6 }),
          [0.001, wide * 0.5, thick * 0.3],
          [0.092, 0, thick / 2],
          0,
        )
      },
      { yaw: random.range(-14, 14) },
    )
    z += thick
  }
}

/** Books upright between two ends. */
function bookRowOnDesk(s: Sculpture, random: Random): void {
  const spines = bookFinish(random.int(6))
  let y = -0.15
  while (y < 0.13) {
    const thick = random.range(0.02, 0.04)
    const tall = random.range(0.18, 0.25)
    book(s, spines, random.int(16), [0, y + thick / 2, tall / 2], [0.15, thick, tall])
    s.holds('books')
    y += thick + 0.001
  }
  for (const [end, side] of [
    [-0.15, -1],
    [y, 1],
  ] as const) {
    s.box(iron(), [0.1, 0.004, 0.15], [0, end + side * 0.003, 0.075], 0.001)
    s.box(iron(), [0.1, 0.05, 0.003], [0, end + side * 0.025, 0.0015], 0.001)
  }
}

function globe(s: Sculpture, random: Random): void {
  const sea = finish('globe', [255, 255, 255], { texture: globeTexture, tile: 0, roughness: 0.3 })
  s.lathe(
    anyWood(random),
    [
      [0, 0],
      [0.09, 0],
      [0.09, 0.014],
      [0.03, 0.03],
      [0.014, 0.06],
      [0.014, 0.085],
      [0, 0.09],
    ],
    [0, 0, 0],
    24,
  )
  s.at(
    [0, 0, 0.23],
    () => {
      s.ball(sea, [0.13, 0.13, 0.13], [0, 0, 0], 32)
      s.tube(
        brass(),
        circle([0, 0, 0], 0.145, 'x', 40).filter((_, i) => i < 4 || i > 16),
        0.006,
        6,
      )
      for (const z of [-1, 1]) s.cylinder(brass(), 0.008, 0.016, [0, 0, z * 0.137 - 0.008], 10)
    },
    { roll: 23 },
  )
}

const plain = (mount: ObjectKind['mount'], build: ObjectKind['build']): ObjectKind => ({
  mount,
  oriented: false,
  build,
})
const faced = (mount: ObjectKind['mount'], build: ObjectKind['build']): ObjectKind => ({ mount, oriented: true, build })

export const decor = {
  rug: plain('floor', rug),
  curtain: faced('wall', curtain),
  picture: faced('wall', picture),
  clock: faced('wall', clock),
  calendar: faced('wall', wallCalendar),
  pillow: plain('surface', pillow),
  'teddy bear': faced('surface', teddyBear),
  box: plain('floor', box),
  basket: plain('floor', basket),
  books: plain('surface', books),
  'row of books': faced('surface', bookRowOnDesk),
  globe: plain('surface', globe),
} as const satisfies Record<string, ObjectKind>
