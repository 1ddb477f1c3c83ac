/** Office and workshop: boards, bins, tools, heating. */
import type { Random } from '../../base/random.ts'
import { whiteboardScribble } from '../materials/print.ts'
import { chrome, coated, finish, iron, plastic, printed, rubber, steel } from './finish-list.ts'
import type { ObjectKind } from './model.ts'
import { type Sculpture, circle } from './shapes.ts'
import { cosine, sine } from '../trig.ts'

/** A board on the wall with its pen tray. */
function boardFace(s: Sculpture, random: Random, w: number, h: number, z: number): void {
  const metal = coated([190, 194, 198])
  s.box(plastic([246, 247, 248]), [0.016, w - 0.03, h - 0.03], [0, 0, z + h / 2], 0.001)
  const which = random.int(6)
  s.panel(
    printed(`whiteboard ${which}`, () => whiteboardScribble(which), { roughness: 0.25 }),
    w - 0.05,
    h - 0.05,
    [0.0085, 0, z + h / 2],
  )
  for (const y of [-1, 1]) s.box(metal, [0.03, 0.028, h], [0, y * (w / 2 - 0.014), z + h / 2], 0.006)
  for (const k of [0, 1]) s.box(metal, [0.03, w, 0.028], [0, 0, k ? z + h - 0.014 : z + 0.014], 0.006)
  s.box(metal, [0.08, w * 0.5, 0.012], [0.045, 0, z + 0.006], 0.004)
  const pens = [
    [36, 60, 150],
    [196, 44, 44],
    [34, 34, 40],
    [40, 130, 70],
  ] as const
  pens.forEach((pen, i) =>
    s.at([0.05, -w * 0.16 + i * 0.07, z + 0.022], () => s.cylinder(plastic(pen), 0.009, 0.12, [0, 0, 0], 10), {
      roll: -86,
    }),
  )
  s.box(finish('eraser', [70, 74, 90], { roughness: 1 }), [0.045, 0.13, 0.03], [0.045, w * 0.17, z + 0.027], 0.006)
}

/** A whiteboard that stands on wheels. */
function whiteboard(s: Sculpture, random: Random): void {
  const w = random.range(1.2, 1.6)
  const h = random.range(0.9, 1.05)
  const metal = coated([176, 180, 186])
  boardFace(s, random, w, h, 0.8)
  for (const y of [-1, 1]) {
    const side = y * (w / 2 + 0.02)
    s.box(metal, [0.035, 0.03, 1.5], [-0.005, side, 0.86], 0.006)
    s.box(metal, [0.5, 0.035, 0.035], [0, side, 0.1], 0.008)
    for (const x of [-1, 1]) {
      s.cylinder(metal, 0.012, 0.04, [x * 0.22, side, 0.06], 10)
      s.at([x * 0.22, side - 0.012, 0.035], () => s.cylinder(rubber(), 0.035, 0.024, [0, 0, 0], 16, 0.006), {
        roll: -90,
      })
    }
  }
  s.box(metal, [0.03, w, 0.03], [0, 0, 0.3], 0.006)
}

function wallBoard(s: Sculpture, random: Random): void {
  boardFace(s, random, random.range(1.8, 2.4), 1.15, 0)
}

/** A bin with swing lid, pedal or open top. */
function trashCan(s: Sculpture, random: Random): void {
  const kind = random.int(3)
  if (kind === 0) {
    const metal = steel()
    const [r, h] = [0.14, 0.42]
    s.lathe(
      plastic([40, 41, 45]),
      [
        [0, 0],
        [r + 0.004, 0],
        [r + 0.006, 0.03],
        [r, 0.034],
      ],
      [0, 0, 0],
      28,
    )
    s.lathe(
      metal,
      [
        [r, 0.034],
        [r, h],
      ],
      [0, 0, 0],
      28,
    )
    s.lathe(
      plastic([40, 41, 45]),
      [
        [r + 0.004, h],
        [r + 0.004, h + 0.022],
        [r, h + 0.024],
      ],
      [0, 0, 0],
      28,
    )
    s.lathe(
      metal,
      [
        [r, h + 0.022],
        [r * 0.8, h + 0.05],
        [r * 0.4, h + 0.066],
        [0, h + 0.07],
      ],
      [0, 0, 0],
      28,
    )
    s.box(plastic([40, 41, 45]), [0.07, 0.09, 0.014], [r + 0.03, 0, 0.022], 0.005)
    s.box(plastic([40, 41, 45]), [0.03, 0.08, 0.05], [-r - 0.012, 0, h + 0.02], 0.008)
    return
  }
  if (kind === 1) {
    const mesh = finish('wire mesh', [60, 62, 66], { surface: 'weave', tile: 0.06, roughness: 0.5 })
    s.lathe(
      mesh,
      [
        [0, 0.004],
        [0.11, 0],
        [0.145, 0.3],
        [0.138, 0.3],
        [0.104, 0.01],
        [0, 0.01],
      ],
      [0, 0, 0],
      28,
    )
    s.tube(iron(), circle([0, 0, 0.3], 0.143, 'z', 28), 0.007, 6, true)
    const crumpled = finish('paper', [248, 246, 240], { roughness: 1 })
    for (let i = 0; i < 6; i++) {
      const c = cosine(i * 1.3) * 0.065
      const e = sine(i * 1.3) * 0.065
      s.at([c, e, 0.265 + (i % 2) * 0.03], () => s.box(crumpled, [0.07, 0.065, 0.06], [0, 0, 0], 0.022), {
        yaw: i * 50,
        pitch: i * 31,
        roll: i * 17,
      })
    }
    return
  }
  const body = plastic(
    random.pick([
      [64, 66, 72],
      [60, 120, 80],
      [50, 90, 150],
      [206, 206, 202],
    ] as const),
  )
  s.extrudeFrustum(body, [0.22, 0.26], [0.29, 0.34], 0, 0.46)
  s.box(body, [0.31, 0.36, 0.04], [0, 0, 0.47], 0.014, 2)
  s.extrudeFrustum(body, [0.3, 0.35], [0.17, 0.24], 0.49, 0.6)
  s.at([0.12, 0, 0.545], () => s.box(plastic([40, 41, 45]), [0.008, 0.22, 0.1], [0, 0, 0], 0.003), { pitch: -31 })
  // Three arrows chasing each other would be lettering; a pale disc with a bag's edge is enough.
  s.tube(
    finish('bin bag', [230, 230, 234], { roughness: 0.6 }),
    circle([0, 0, 0], 0.07, 'x', 3).map(([, y, z]) => [0.142, y, 0.26 + z] as const),
    0.008,
    6,
    true,
  )
}

function radiator(s: Sculpture, random: Random): void {
  const w = random.range(0.7, 1.2)
  const h = random.range(0.55, 0.65)
  const white = coated([244, 244, 240])
  const ribs = Math.round(w / 0.065)
  for (let i = 0; i < ribs; i++) {
    const y = -w / 2 + (i + 0.5) * (w / ribs)
    s.box(white, [0.1, (w / ribs) * 0.66, h - 0.1], [0, y, 0.1 + (h - 0.1) / 2], 0.018, 2)
  }
  for (const z of [0.15, h - 0.06])
    s.at([0, -w / 2 + 0.01, z], () => s.cylinder(white, 0.026, w - 0.02, [0, 0, 0], 12), { roll: -90 })
  for (const y of [-1, 1]) s.box(white, [0.09, 0.03, 0.11], [0, y * (w / 2 - 0.09), 0.055], 0.006)
  s.tube(
    chrome(),
    [
      [0, w / 2 + 0.005, 0.15],
      [0, w / 2 + 0.05, 0.15],
      [0, w / 2 + 0.05, 0],
    ],
    0.009,
    8,
  )
  s.at([0.0, w / 2 + 0.05, 0.15], () => s.cylinderX(plastic([246, 246, 246]), 0.024, 0.07, [0.01, 0, 0], 16, 0.006))
}

const plain = (mount: ObjectKind['mount'], build: ObjectKind['build']): ObjectKind => ({
  mount,
  oriented: false,
  build,
})
const faced = (mount: ObjectKind['mount'], build: ObjectKind['build']): ObjectKind => ({ mount, oriented: true, build })

export const workplace = {
  whiteboard: faced('floor', whiteboard),
  'wall whiteboard': faced('wall', wallBoard),
  'trash can': plain('floor', trashCan),
  radiator: faced('wall', radiator),
} as const satisfies Record<string, ObjectKind>
