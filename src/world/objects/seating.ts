/** Things to sit and lie on. */
import type { Random } from '../../base/random.ts'
import { chrome, fabric, iron, knit, leather, linen, plastic, wood } from './finish-list.ts'
import type { ObjectKind, Surface } from './model.ts'
import { BRIGHT, CLOTH, anyWood, fourLegs, splayedLegs } from './parts.ts'
import { type Sculpture, type Vec3, curve } from './shapes.ts'
import { TAU, cosine, sine } from '../trig.ts'

function chair(s: Sculpture, random: Random): void {
  const kind = random.int(3)
  const seat = random.range(0.43, 0.46)
  const w = random.range(0.42, 0.47)
  const d = random.range(0.42, 0.46)
  const tall = random.range(0.84, 0.96)
  if (kind === 0) slatChair(s, random, seat, w, d, tall)
  else if (kind === 1) dinerChair(s, random, seat, w, d, tall)
  else shellChair(s, random, seat, w)
}

/** A wooden chair: square front legs, raked back posts and slats. */
function slatChair(s: Sculpture, random: Random, seat: number, w: number, d: number, tall: number): void {
  const body = anyWood(random)
  const t = 0.036
  for (const y of [-1, 1]) {
    const side = y * (w / 2 - t / 2)
    s.box(body, [t, t, seat - 0.02], [d / 2 - t / 2, side, (seat - 0.02) / 2], 0.006)
    const rake = (z: number): number => (z < seat ? -d / 2 + t / 2 : -d / 2 + t / 2 - (z - seat) * 0.16)
    s.tube(
      body,
      [
        [-d / 2 - 0.02, side, 0],
        [rake(seat), side, seat],
        [rake(tall), side, tall],
      ],
      (k) => 0.021 - 0.004 * k,
      8,
    )
    s.box(body, [d - t, 0.02, 0.05], [0, side, seat - 0.06], 0.004)
    s.box(body, [d - t, 0.018, 0.022], [0, side, seat * 0.35], 0.004)
  }
  s.box(body, [0.02, w - t, 0.05], [d / 2 - t / 2, 0, seat - 0.06], 0.004)
  s.cushion(random.chance(0.5) ? fabric(random.pick(CLOTH)) : body, [d, w, 0.035], [0, 0, seat - 0.01], {
    round: 0.016,
    puff: 0.006,
    grid: 4,
  })
  const upright = random.chance(0.5)
  const rows = upright ? [0.92] : [0.3, 0.6, 0.9]
  const back = (f: number): Vec3 => {
    const z = seat + (tall - seat) * f
    return [-d / 2 + t / 2 - (z - seat) * 0.16, 0, z]
  }
  for (const f of rows) {
    const [x, , z] = back(f)
    s.sheetBoard(body, 0.016, w - t, f === rows.at(-1) ? 0.08 : 0.055, [x - 0.004, 0, z], 0.03)
  }
  if (upright) {
    const [lx, , lz] = back(0.16)
    s.sheetBoard(body, 0.016, w - t, 0.045, [lx, 0, lz], 0.03)
    for (let i = -2; i <= 2; i++) {
      const [x0, , z0] = back(0.16)
      const [x1, , z1] = back(0.92)
      const bow = -0.03 * (1 - (i * i) / 6.5)
      s.tube(
        body,
        [
          [x0 + bow, i * w * 0.15, z0],
          [x1 + bow, i * w * 0.15, z1],
        ],
        0.008,
        6,
      )
    }
  }
}

function dinerChair(s: Sculpture, random: Random, seat: number, w: number, d: number, tall: number): void {
  const cloth = random.chance(0.6)
    ? fabric(random.pick(CLOTH))
    : leather(
        random.pick([
          [70, 48, 38],
          [40, 40, 44],
          [150, 96, 62],
        ] as const),
      )
  splayedLegs(s, random.chance(0.5) ? anyWood(random) : iron(), d, w - 0.02, seat - 0.05, 0.018)
  s.cushion(cloth, [d, w, 0.09], [0, 0, seat - 0.03], { round: 0.035, puff: 0.012, grid: 4 })
  const height = tall - seat + 0.02
  s.at(
    [-d / 2 + 0.02, 0, seat - 0.03],
    () => s.cushion(cloth, [0.06, w, height], [0, 0, height / 2], { round: 0.028, puff: 0, grid: 4, sides: 0.01 }),
    { pitch: -9 },
  )
}

/** A moulded plastic seat on splayed legs. */
function shellChair(s: Sculpture, random: Random, seat: number, w: number): void {
  const shell = plastic(random.pick(BRIGHT))
  const legs = random.chance(0.5) ? wood('beech') : chrome()
  splayedLegs(s, legs, 0.44, w, seat - 0.02, 0.016, 0.1)
  const profile = curve(
    [
      [0.23, 0, seat - 0.03],
      [0.19, 0, seat + 0.005],
      [0.02, 0, seat - 0.015],
      [-0.15, 0, seat + 0.01],
      [-0.215, 0, seat + 0.12],
      [-0.245, 0, seat + 0.28],
      [-0.265, 0, seat + 0.4],
    ],
    4,
  )
  for (const skin of [0, 0.014]) {
    s.sheet(shell, 12, profile.length - 1, (u, v) => {
      const p = profile[Math.round(v * (profile.length - 1))]!
      const side = (skin > 0 ? 1 - u : u) * 2 - 1
      const backness = v > 0.5 ? (v - 0.5) * 2 : 0
      const narrow = 1 - 0.12 * v * v - (v > 0.9 ? (v - 0.9) * 2.4 : 0)
      const lip = side * side * 0.035
      return [
        p[0] + lip * backness * 1.6 - skin * backness,
        side * (w / 2) * narrow,
        p[2] + lip * (1 - backness) - skin * (1 - backness),
      ]
    })
  }
  s.box(legs, [0.3, 0.3, 0.014], [0, 0, seat - 0.035], 0.006)
}

function officeChair(s: Sculpture, random: Random): void {
  const cloth = random.chance(0.5) ? fabric(random.pick(CLOTH)) : leather([44, 44, 48])
  const dark = plastic([46, 47, 52])
  const metal = random.chance(0.5) ? chrome() : dark
  for (let i = 0; i < 5; i++) {
    const c = cosine((i / 5) * TAU + 0.3)
    const e = sine((i / 5) * TAU + 0.3)
    s.tube(
      metal,
      [
        [c * 0.03, e * 0.03, 0.12],
        [c * 0.16, e * 0.16, 0.1],
        [c * 0.29, e * 0.29, 0.075],
      ],
      (t) => 0.026 - t * 0.009,
      8,
    )
    s.at(
      [c * 0.3, e * 0.3, 0.03],
      () => s.at([0, -0.02, 0], () => s.cylinder(dark, 0.03, 0.04, [0, 0, 0], 12, 0.008), { roll: -90 }),
      { yaw: 40 * i },
    )
    s.cylinder(dark, 0.012, 0.03, [c * 0.29, e * 0.29, 0.05], 8)
  }
  s.cylinder(metal, 0.03, 0.1, [0, 0, 0.1], 14)
  s.cylinder(chrome(), 0.019, 0.2, [0, 0, 0.2], 12)
  s.box(dark, [0.22, 0.2, 0.04], [0, 0, 0.41], 0.01)
  s.cushion(cloth, [0.48, 0.5, 0.1], [0.02, 0, 0.47], { round: 0.045, puff: 0.02 })
  s.tube(
    dark,
    curve([
      [-0.08, 0, 0.41],
      [-0.26, 0, 0.42],
      [-0.3, 0, 0.52],
      [-0.285, 0, 0.7],
    ]),
    0.022,
    8,
  )
  const back = random.range(0.5, 0.64)
  s.at(
    [-0.24, 0, 0.56],
    () => {
      s.cushion(cloth, [0.09, 0.46, back], [0, 0, back / 2], { round: 0.042, puff: 0, sides: 0.02 })
      s.box(dark, [0.03, 0.4, back * 0.8], [-0.045, 0, back / 2], 0.014)
    },
    { pitch: -8 },
  )
  for (const y of [-1, 1]) {
    s.tube(
      dark,
      curve([
        [0.02, y * 0.2, 0.42],
        [0.01, y * 0.3, 0.45],
        [0.0, y * 0.31, 0.64],
      ]),
      0.016,
      8,
    )
    s.box(dark, [0.26, 0.06, 0.03], [0.02, y * 0.31, 0.655], 0.014)
  }
}

function stool(s: Sculpture, random: Random): readonly Surface[] {
  const high = random.chance(0.5) ? random.range(0.62, 0.75) : random.range(0.42, 0.48)
  const r = random.range(0.16, 0.19)
  const body = anyWood(random)
  const cloth = random.chance(0.4) ? leather(random.pick(CLOTH)) : body
  const spread = r * 1.15
  for (let i = 0; i < 4; i++) {
    const c = cosine((i / 4 + 0.125) * TAU)
    const e = sine((i / 4 + 0.125) * TAU)
    s.tube(
      body,
      [
        [c * spread, e * spread, 0],
        [c * r * 0.7, e * r * 0.7, high - 0.03],
      ],
      0.016,
      8,
    )
  }
  for (const [f, shift] of [
    [0.3, 0],
    [0.42, 1],
  ] as const) {
    for (let i = 0; i < 2; i++) {
      const k = i * 2 + shift
      const reach = spread + (r * 0.7 - spread) * f
      const a = [cosine((k / 4 + 0.125) * TAU) * reach, sine((k / 4 + 0.125) * TAU) * reach] as const
      const b = [cosine(((k + 1) / 4 + 0.125) * TAU) * reach, sine(((k + 1) / 4 + 0.125) * TAU) * reach] as const
      s.tube(
        body,
        [
          [a[0], a[1], high * f],
          [b[0], b[1], high * f],
        ],
        0.009,
        6,
      )
    }
  }
  s.lathe(
    cloth,
    [
      [0, high - 0.045],
      [r - 0.02, high - 0.045],
      [r, high - 0.03],
      [r, high - 0.015],
      [r - 0.012, high - 0.002],
      [r - 0.05, high],
      [0, high - 0.004],
    ],
    [0, 0, 0],
    28,
  )
  return []
}

/** Sofas and armchairs differ in how many seats they have. */
function couch(s: Sculpture, random: Random, seats: number): readonly Surface[] {
  const cloth = random.chance(0.75)
    ? fabric(random.pick(CLOTH))
    : leather(
        random.pick([
          [108, 66, 44],
          [52, 46, 44],
          [196, 176, 150],
        ] as const),
      )
  const seatWidth = seats === 1 ? random.range(0.56, 0.64) : random.range(0.62, 0.72)
  const arm = random.range(0.12, 0.2)
  const inner = seatWidth * seats
  const w = inner + arm * 2
  const d = random.range(0.84, 0.95)
  const seat = random.range(0.4, 0.44)
  const tall = random.range(0.78, 0.9)
  const legs = anyWood(random)
  const armTop = random.range(0.56, 0.64)
  fourLegs(s, legs, d - 0.04, w - 0.04, 0.1, 0.05, 0.02)
  s.box(cloth, [d - 0.04, w - 0.03, 0.18], [0, 0, 0.17], 0.03, 2)
  for (const y of [-1, 1])
    s.box(cloth, [d, arm, armTop - 0.08], [0, y * (w / 2 - arm / 2), 0.08 + (armTop - 0.08) / 2], 0.055, 2)
  s.box(cloth, [0.2, w - 0.06, tall - 0.16], [-d / 2 + 0.1, 0, 0.1 + (tall - 0.16) / 2], 0.06, 2)
  const deep = d - 0.22
  for (let i = 0; i < seats; i++) {
    const y = -inner / 2 + seatWidth * (i + 0.5)
    s.cushion(cloth, [deep + 0.02, seatWidth - 0.008, 0.17], [d / 2 - deep / 2 + 0.005, y, seat - 0.085], {
      round: 0.055,
      puff: 0.022,
    })
    const high = tall - seat + 0.03
    s.at(
      [-d / 2 + 0.24, y, seat - 0.01],
      () => s.cushion(cloth, [0.17, seatWidth - 0.02, high], [0, 0, high / 2], { round: 0.07, puff: 0, sides: 0.035 }),
      { pitch: -12 },
    )
  }
  if (seats > 1) {
    const accent = random.chance(0.5) ? knit(random.pick(CLOTH)) : fabric(random.pick(BRIGHT))
    for (const y of random.chance(0.6) ? [-1, 1] : [1]) {
      s.at(
        [-d / 2 + 0.38, y * (inner / 2 - 0.22), seat + 0.2],
        () => s.cushion(accent, [0.4, 0.4, 0.1], [0, 0, 0], { round: 0.045, puff: 0.045 }).holds('pillow'),
        { pitch: 66, yaw: y * 8 },
      )
    }
  }
  return [{ z: seat + 0.016, x: [-d / 2 + 0.4, d / 2 - 0.06], y: [-inner / 2 + 0.05, inner / 2 - 0.05] }]
}

function bench(s: Sculpture, random: Random): readonly Surface[] {
  const w = random.range(1.0, 1.4)
  const body = anyWood(random)
  const d = 0.36
  for (let i = -1; i <= 1; i++) s.box(body, [0.108, w, 0.032], [i * 0.118, 0, 0.435], 0.007)
  for (const y of [-1, 1]) {
    s.box(body, [d - 0.04, 0.05, 0.05], [0, y * (w / 2 - 0.14), 0.393], 0.006)
    for (const x of [-1, 1])
      s.tube(
        body,
        [
          [x * (d / 2 - 0.02), y * (w / 2 - 0.12), 0],
          [x * 0.1, y * (w / 2 - 0.14), 0.39],
        ],
        0.024,
        8,
      )
  }
  s.box(body, [0.04, w - 0.3, 0.04], [0, 0, 0.2], 0.006)
  for (const y of [-1, 1]) s.box(body, [0.26, 0.035, 0.045], [0, y * (w / 2 - 0.13), 0.2], 0.006)
  return [{ z: 0.45, x: [-0.15, 0.15], y: [-w / 2 + 0.05, w / 2 - 0.05] }]
}

function ottoman(s: Sculpture, random: Random): void {
  const cloth = random.chance(0.5) ? knit(random.pick(CLOTH)) : leather(random.pick(CLOTH))
  const r = random.range(0.24, 0.3)
  const h = random.range(0.34, 0.42)
  s.lathe(
    cloth,
    [
      [0, 0.01],
      [r * 0.8, 0],
      [r * 0.97, h * 0.2],
      [r, h * 0.5],
      [r * 0.96, h * 0.82],
      [r * 0.8, h * 0.97],
      [r * 0.4, h],
      [0, h * 0.99],
    ],
    [0, 0, 0],
    28,
  )
  for (let i = 0; i < 12; i++) {
    const c = cosine((i / 12) * TAU)
    const e = sine((i / 12) * TAU)
    s.tube(
      cloth,
      curve(
        [
          [c * r * 0.1, e * r * 0.1, h],
          [c * r * 0.8, e * r * 0.8, h * 0.975],
          [c * r * 1.0, e * r * 1.0, h * 0.5],
          [c * r * 0.82, e * r * 0.82, 0.01],
        ],
        3,
      ),
      0.006,
      5,
    )
  }
  s.lathe(
    cloth,
    [
      [0.035, 0],
      [0.03, 0.012],
      [0, 0.016],
    ],
    [0, 0, h],
    12,
  )
}

/** The bed's head is at −x: who lies in it looks along its front. */
function bed(s: Sculpture, random: Random): readonly Surface[] {
  const w = random.pick([0.95, 1.45, 1.65, 1.85])
  const long = 2.06
  const body = anyWood(random)
  const sheet = linen([244, 242, 238])
  const cover = random.chance(0.5) ? linen(random.pick(CLOTH)) : knit(random.pick(CLOTH))
  const head = random.range(0.85, 1.1)
  const padded = random.chance(0.4)
  s.box(
    padded ? fabric(random.pick(CLOTH)) : body,
    [padded ? 0.09 : 0.05, w, head - 0.06],
    [-long / 2 + 0.03, 0, head / 2 + 0.03],
    padded ? 0.035 : 0.012,
    2,
  )
  if (padded)
    for (let i = -1; i <= 1; i++)
      s.cushion(
        fabric(random.fork('pad').pick(CLOTH)),
        [0.05, w / 3 - 0.02, head * 0.45],
        [-long / 2 + 0.08, (i * w) / 3, head * 0.72],
        { round: 0.022, puff: 0, sides: 0.01, grid: 4 },
      )
  for (const y of [-1, 1]) s.box(body, [long - 0.08, 0.04, 0.2], [0.03, y * (w / 2 - 0.02), 0.24], 0.01)
  s.box(body, [0.04, w, 0.24], [long / 2 - 0.02, 0, 0.24], 0.012)
  fourLegs(s, body, long - 0.02, w - 0.02, 0.16, 0.07, 0.01)
  s.box(body, [long - 0.1, w - 0.08, 0.03], [0.02, 0, 0.28], 0.004)
  s.cushion(sheet, [long - 0.12, w - 0.06, 0.22], [0.01, 0, 0.4], { round: 0.06, puff: 0.008 })
  // The cover hangs over both sides and the foot.
  const start = -long / 2 + 0.62
  const end = long / 2 - 0.005
  const top = 0.545
  const drop = random.range(0.2, 0.28)
  s.sheet(
    cover,
    26,
    24,
    (u, v) => {
      const across = (0.5 - u) * (w + drop * 2 - 0.02)
      const over = Math.abs(across) - (w / 2 - 0.01)
      const side = across < 0 ? -1 : 1
      const fold = sine(v * 31) * 0.008 + sine(v * 13 + u * 5) * 0.006
      const x = start + (end + 0.03 - start) * v
      const ripple = sine(u * 19 + v * 7) * 0.004 + sine(u * 7 - v * 11) * 0.006
      if (over <= 0) return [x, across, top + (v === 1 ? -0.01 : ripple)]
      return [x, side * (w / 2 + 0.026 + fold + over * 0.05), top - over + 0.012]
    },
    [w / 0.9, 1.6],
  )
  s.sheet(
    cover,
    16,
    4,
    (u, v) => [end + 0.03 + sine(u * 25) * 0.006 * Math.min(1, v * 2), (0.5 - u) * (w + 0.1), top - 0.009 - v * drop],
    [w / 0.9, 0.3],
  )
  s.tube(
    linen([250, 249, 246]),
    [
      [start, -w / 2 - 0.012, top - 0.06],
      [start, -w / 2 + 0.02, top + 0.004],
      [start, w / 2 - 0.02, top + 0.004],
      [start, w / 2 + 0.012, top - 0.06],
    ],
    0.03,
    8,
  )
  const pillows = w > 1.2 ? [-w / 4, w / 4] : [0]
  s.holds('pillow', pillows.length)
  for (const y of pillows) {
    s.at(
      [-long / 2 + 0.33, y, 0.6],
      () =>
        s.cushion(linen([250, 249, 246]), [0.42, Math.min(0.66, w * 0.7), 0.12], [0, 0, 0], {
          round: 0.055,
          puff: 0.05,
        }),
      { pitch: -14 },
    )
  }
  return [{ z: top + 0.008, x: [start + 0.1, end - 0.1], y: [-w / 2 + 0.08, w / 2 - 0.08] }]
}

function bunkBed(s: Sculpture, random: Random): void {
  const w = 0.98
  const long = 2.08
  const tall = 1.68
  const body = anyWood(random)
  for (const x of [-1, 1])
    for (const y of [-1, 1])
      s.box(body, [0.07, 0.07, tall], [x * (long / 2 - 0.035), y * (w / 2 - 0.035), tall / 2], 0.012)
  for (const z of [0.32, 1.22]) {
    for (const y of [-1, 1]) s.box(body, [long, 0.03, 0.14], [0, y * (w / 2 - 0.035), z], 0.008)
    for (const x of [-1, 1]) s.box(body, [0.03, w, 0.14], [x * (long / 2 - 0.035), 0, z], 0.008)
    s.cushion(linen([242, 240, 236]), [long - 0.14, w - 0.12, 0.15], [0, 0, z + 0.09], {
      round: 0.05,
      puff: 0.005,
      grid: 4,
    })
    s.cushion(linen(random.pick(BRIGHT)), [long * 0.62, w - 0.08, 0.1], [long * 0.15, 0, z + 0.16], {
      round: 0.045,
      puff: 0.02,
    })
    s.cushion(linen([250, 249, 246]), [0.36, 0.58, 0.11], [-long / 2 + 0.3, 0, z + 0.2], { round: 0.05, puff: 0.035 })
    s.holds('pillow')
    for (const x of [-1, 1])
      for (const k of [0.16, 0.3]) s.box(body, [0.025, w, 0.06], [x * (long / 2 - 0.035), 0, z + k], 0.006)
  }
  for (const k of [0.2, 0.34]) {
    s.box(body, [long, 0.025, 0.06], [0, -w / 2 + 0.035, 1.22 + k], 0.006)
    s.box(body, [long - 0.6, 0.025, 0.06], [-0.3, w / 2 - 0.035, 1.22 + k], 0.006)
  }
  s.box(body, [0.05, 0.03, 0.4], [long / 2 - 0.58, w / 2 - 0.035, 1.42], 0.006)
  for (const x of [0, 0.42]) s.box(body, [0.045, 0.03, 1.62], [long / 2 - 0.53 + x, w / 2 + 0.012, 0.81], 0.008)
  for (let i = 0; i < 5; i++)
    s.tube(
      body,
      [
        [long / 2 - 0.53, w / 2 + 0.012, 0.25 + i * 0.27],
        [long / 2 - 0.11, w / 2 + 0.012, 0.25 + i * 0.27],
      ],
      0.016,
      8,
    )
}

function crib(s: Sculpture, random: Random): void {
  const body = wood(random.pick(['white', 'pine', 'beech'] as const))
  const [long, w, tall] = [1.26, 0.68, 0.95]
  for (const x of [-1, 1])
    for (const y of [-1, 1])
      s.box(body, [0.05, 0.05, tall], [x * (long / 2 - 0.025), y * (w / 2 - 0.025), tall / 2], 0.012)
  for (const y of [-1, 1]) {
    for (const z of [0.28, 0.9]) s.box(body, [long - 0.05, 0.028, 0.05], [0, y * (w / 2 - 0.025), z], 0.01)
    for (let i = -7; i <= 7; i++)
      s.tube(
        body,
        [
          [i * 0.076, y * (w / 2 - 0.025), 0.28],
          [i * 0.076, y * (w / 2 - 0.025), 0.9],
        ],
        0.009,
        6,
      )
  }
  for (const x of [-1, 1]) {
    for (const z of [0.28, 0.9]) s.box(body, [0.028, w - 0.05, 0.05], [x * (long / 2 - 0.025), 0, z], 0.01)
    for (let i = -3; i <= 3; i++)
      s.tube(
        body,
        [
          [x * (long / 2 - 0.025), i * 0.08, 0.28],
          [x * (long / 2 - 0.025), i * 0.08, 0.9],
        ],
        0.009,
        6,
      )
  }
  s.cushion(linen([246, 244, 240]), [long - 0.08, w - 0.08, 0.12], [0, 0, 0.36], { round: 0.04, puff: 0.006, grid: 4 })
  s.cushion(knit(random.pick(BRIGHT)), [long * 0.55, w - 0.1, 0.05], [long * 0.16, 0, 0.435], {
    round: 0.022,
    puff: 0.02,
  })
  s.holds('pillow').cushion(linen([250, 249, 246]), [0.24, 0.36, 0.07], [-long / 2 + 0.2, 0, 0.45], {
    round: 0.03,
    puff: 0.025,
    grid: 4,
  })
}

const seat = (build: ObjectKind['build']): ObjectKind => ({ mount: 'floor', oriented: true, build })

export const seating = {
  chair: seat(chair),
  'office chair': seat(officeChair),
  stool: { mount: 'floor', oriented: false, build: stool },
  armchair: seat((s, random) => couch(s, random, 1)),
  sofa: seat((s, random) => couch(s, random, random.pick([2, 3, 3]))),
  bench: { mount: 'floor', oriented: false, build: bench },
  ottoman: { mount: 'floor', oriented: false, build: ottoman },
  bed: seat(bed),
  'bunk bed': { mount: 'floor', oriented: false, build: bunkBed },
  crib: { mount: 'floor', oriented: false, build: crib },
} as const satisfies Record<string, ObjectKind>
