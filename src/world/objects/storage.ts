/** Furniture that keeps things. */
import type { Random } from '../../base/random.ts'
import { brass, cardboard, chrome, coated, fabric, finish, iron, mirror, plastic, wicker, wood } from './finish-list.ts'
import type { ObjectKind, Surface } from './model.ts'
import { BRIGHT, CLOTH, anyWood, bookRow, fourLegs, front, splayedLegs } from './parts.ts'
import { type Sculpture, curve } from './shapes.ts'

const GRIPS = ['knob', 'bar'] as const

function bookshelf(s: Sculpture, random: Random): readonly Surface[] {
  const w = random.range(0.7, 1.0)
  const d = random.range(0.28, 0.33)
  const rows = random.pick([4, 5, 5, 6])
  const body = anyWood(random)
  const t = 0.022
  const step = random.range(0.32, 0.36)
  const h = rows * step + t + 0.06
  for (const y of [-1, 1]) s.box(body, [d, t, h], [0, y * (w / 2 - t / 2), h / 2], 0.004)
  s.box(body, [0.008, w - t, h - 0.04], [-d / 2 + 0.006, 0, h / 2], 0.001)
  s.box(body, [0.02, w - t * 2, 0.06], [d / 2 - 0.03, 0, 0.03], 0.003)
  for (let i = 0; i <= rows; i++) {
    const z = 0.06 + i * step
    s.box(body, [d - 0.012, w - t * 2, t], [0.004, 0, z + t / 2], 0.003)
    if (i === rows) break
    const left = -w / 2 + t + 0.01
    const right = w / 2 - t - 0.01
    const high = step - t - 0.04
    const kind = random.int(6)
    const cut = left + (right - left) * random.range(0.45, 0.8)
    const back = -d / 2 + 0.02
    if (kind < 4) bookRow(s, random, left, kind < 3 ? right : cut, z + t, d / 2 - 0.05, d * 0.72, high)
    if (kind === 3)
      s.lathe(
        finish('glaze', random.pick(BRIGHT), { roughness: 0.2 }),
        [
          [0, 0],
          [0.05, 0],
          [0.07, 0.06],
          [0.05, 0.13],
          [0.026, 0.17],
          [0.035, 0.2],
          [0.025, 0.19],
          [0.016, 0.16],
        ],
        [0, (cut + right) / 2, z + t],
        18,
      ).holds('vase')
    if (kind === 4) {
      const box = random.chance(0.5) ? wicker([206, 166, 108]) : fabric(random.pick(CLOTH))
      for (const y of [-1, 1])
        s.box(
          box,
          [d * 0.8, (right - left) / 2 - 0.02, high * 0.8],
          [0.01, y * ((right - left) / 4), z + t + high * 0.4],
          0.012,
        )
          .holds('basket')
          .holds('box')
    }
    if (kind === 5) {
      bookRow(s, random, left, left + (right - left) * 0.4, z + t, d / 2 - 0.05, d * 0.72, high)
      // A pile of lying books.
      let top = z + t
      for (let k = 0; k < 4; k++) {
        const thick = random.range(0.02, 0.035)
        s.box(
          finish('cover', random.pick(BRIGHT), { roughness: 0.7 }),
          [d * 0.6, 0.2, thick],
          [back + d * 0.42 + random.range(0, 0.02), right - 0.14 + random.range(-0.02, 0.02), top + thick / 2],
          0.003,
        ).holds('books')
        top += thick
      }
    }
  }
  return [{ z: h, x: [-d / 2 + 0.02, d / 2 - 0.02], y: [-w / 2 + 0.03, w / 2 - 0.03] }]
}

function wallShelf(s: Sculpture, random: Random): readonly Surface[] {
  const w = random.range(0.6, 1.0)
  const d = 0.22
  const body = anyWood(random)
  s.box(body, [d, w, 0.025], [0, 0, 0.1125], 0.005)
  for (const y of [-1, 1]) {
    const side = y * (w / 2 - 0.12)
    s.tube(
      iron(),
      curve(
        [
          [-d / 2 + 0.008, side, 0],
          [-d / 2 + 0.008, side, 0.092],
          [d / 2 - 0.04, side, 0.092],
        ],
        1,
      ),
      0.008,
      6,
    )
    s.tube(
      iron(),
      curve(
        [
          [-d / 2 + 0.008, side, 0.01],
          [-0.03, side, 0.03],
          [d / 2 - 0.06, side, 0.092],
        ],
        4,
      ),
      0.006,
      6,
    )
  }
  bookRow(s, random, -w / 2 + 0.05, w * random.range(-0.1, 0.2), 0.125, d / 2 - 0.03, d * 0.75, 0.25)
  return [{ z: 0.125, x: [-d / 2 + 0.04, d / 2 - 0.04], y: [w * 0.24, w / 2 - 0.04], clear: 0.4 }]
}

function cabinet(s: Sculpture, random: Random): readonly Surface[] {
  const doors = random.pick([2, 2, 3])
  const w = doors * random.range(0.4, 0.48)
  const d = random.range(0.38, 0.45)
  const h = random.range(0.76, 0.95)
  const body = anyWood(random)
  const inlay = random.chance(0.4) ? wood(random.pick(['white', 'oak'] as const)) : body
  const metal = random.pick([brass(), chrome(), iron()])
  splayedLegs(s, body, d - 0.08, w - 0.1, 0.12, 0.022, 0.02)
  s.box(body, [d - 0.02, w, h - 0.13], [-0.01, 0, 0.1 + (h - 0.13) / 2], 0.005)
  s.box(body, [d + 0.01, w + 0.03, 0.025], [0, 0, h - 0.0125], 0.008, 2)
  const each = (w - 0.02) / doors
  const drawer = 0.16
  for (let i = 0; i < doors; i++) {
    const y = -w / 2 + 0.01 + each * (i + 0.5)
    const high = h - 0.15 - drawer
    front(s, inlay, d / 2 - 0.02, y, h - 0.035 - drawer / 2, each, drawer, 'bar', 0, metal)
    front(
      s,
      inlay,
      d / 2 - 0.02,
      y,
      0.11 + high / 2,
      each,
      high,
      'knob',
      (i % 2 === 0 ? 1 : -1) * (each / 2 - 0.05),
      metal,
    )
    // A raised field on each door.
    s.box(inlay, [0.008, each - 0.14, high - 0.14], [d / 2 + 0.002, y, 0.11 + high / 2], 0.004)
  }
  return [{ z: h, x: [-d / 2 + 0.015, d / 2 - 0.015], y: [-w / 2 + 0.03, w / 2 - 0.03] }]
}

function wardrobe(s: Sculpture, random: Random): void {
  const doors = random.pick([2, 3])
  const w = doors * random.range(0.46, 0.54)
  const d = random.range(0.56, 0.62)
  const h = random.range(1.95, 2.15)
  const body = anyWood(random)
  const glassDoor = doors === 3 || random.chance(0.3) ? doors - 1 : -1
  s.box(body, [d - 0.06, w - 0.06, 0.08], [-0.02, 0, 0.04], 0.004)
  s.box(body, [d - 0.02, w, h - 0.12], [-0.01, 0, 0.07 + (h - 0.12) / 2], 0.005)
  s.box(body, [d + 0.02, w + 0.04, 0.05], [0, 0, h - 0.025], 0.012, 2)
  const each = (w - 0.01) / doors
  const drawer = random.chance(0.5) ? 0.24 : 0
  const low = 0.09 + drawer
  const high = h - 0.06 - low
  for (let i = 0; i < doors; i++) {
    const y = -w / 2 + 0.005 + each * (i + 0.5)
    const hinge = doors === 3 && i === 1 ? 1 : i === 0 ? 1 : -1
    front(s, body, d / 2 - 0.02, y, low + high / 2, each, high, 'barUpright', hinge * (each / 2 - 0.045))
    if (i === glassDoor)
      s.box(mirror(), [0.006, each - 0.14, high - 0.2], [d / 2 + 0.002, y, low + high / 2], 0.002).holds('mirror')
    else
      for (const k of [-1, 1])
        s.box(
          body,
          [0.01, each - 0.14, high / 2 - 0.12],
          [d / 2 + 0.003, y, low + high / 2 + k * (high / 4 - 0.005)],
          0.005,
        )
    if (drawer > 0) front(s, body, d / 2 - 0.02, y, 0.09 + drawer / 2, each, drawer, 'bar')
  }
}

function chest(s: Sculpture, random: Random): readonly Surface[] {
  const rows = random.pick([3, 4, 4, 5])
  const w = random.range(0.75, 1.05)
  const d = random.range(0.42, 0.5)
  const h = 0.12 + rows * random.range(0.19, 0.22)
  const body = anyWood(random)
  const metal = random.pick([brass(), chrome(), iron()])
  const grip = random.pick(GRIPS)
  fourLegs(s, body, d - 0.02, w, 0.08, 0.05, 0.01)
  s.box(body, [d - 0.02, w, h - 0.1], [-0.01, 0, 0.07 + (h - 0.1) / 2], 0.005)
  s.box(body, [d + 0.01, w + 0.02, 0.024], [0, 0, h - 0.012], 0.007, 2)
  const high = (h - 0.12) / rows
  for (let i = 0; i < rows; i++) {
    const halves = i === rows - 1 && w > 0.85 ? 2 : 1
    for (let k = 0; k < halves; k++) {
      const wide = (w - 0.03) / halves
      const y = -w / 2 + 0.015 + wide * (k + 0.5)
      const z = 0.085 + high * (i + 0.5)
      front(s, body, d / 2 - 0.02, y, z, wide, high, 'none')
      const grips = halves === 1 ? [-wide * 0.26, wide * 0.26] : [0]
      for (const g of grips) {
        if (grip === 'knob') s.ball(metal, [0.016, 0.016, 0.016], [d / 2 + 0.014, y + g, z], 10)
        else
          s.tube(
            metal,
            [
              [d / 2, y + g - 0.06, z],
              [d / 2 + 0.025, y + g - 0.06, z],
              [d / 2 + 0.025, y + g + 0.06, z],
              [d / 2, y + g + 0.06, z],
            ],
            0.006,
            6,
          )
      }
    }
  }
  return [{ z: h, x: [-d / 2 + 0.015, d / 2 - 0.015], y: [-w / 2 + 0.03, w / 2 - 0.03] }]
}

function tvStand(s: Sculpture, random: Random): readonly Surface[] {
  const w = random.range(1.2, 1.7)
  const d = random.range(0.38, 0.44)
  const h = random.range(0.44, 0.54)
  const body = anyWood(random)
  const t = 0.025
  splayedLegs(s, body, d - 0.08, w - 0.14, 0.11, 0.02, 0.02)
  s.box(body, [d, w, t], [0, 0, h - t / 2], 0.006)
  s.box(body, [d, w, t], [0, 0, 0.11 + t / 2], 0.006)
  for (const y of [-1, 1]) s.box(body, [d, t, h - 0.13], [0, y * (w / 2 - t / 2), 0.12 + (h - 0.13) / 2], 0.005)
  s.box(body, [0.012, w - 0.03, h - 0.14], [-d / 2 + 0.01, 0, 0.12 + (h - 0.14) / 2], 0.002)
  const bay = w / 3
  for (const y of [-1, 1]) {
    s.box(body, [d - 0.03, t, h - 0.14], [0, (y * bay) / 2, 0.12 + (h - 0.14) / 2], 0.004)
    front(s, body, d / 2 - 0.022, y * bay, 0.122 + (h - 0.135) / 2, bay - 0.02, h - 0.16, 'bar')
  }
  // A receiver in the open bay.
  s.box(plastic([34, 35, 40]), [d * 0.6, bay - 0.12, 0.06], [0.02, 0, 0.17], 0.006)
  s.box(
    finish('glow0.8', [90, 220, 255], { glow: 0.8 }),
    [0.004, 0.05, 0.012],
    [0.02 + d * 0.3, -bay * 0.2, 0.172],
    0.001,
  )
  return [{ z: h, x: [-d / 2 + 0.02, d / 2 - 0.02], y: [-w / 2 + 0.03, w / 2 - 0.03] }]
}

function filingCabinet(s: Sculpture, random: Random): readonly Surface[] {
  const rows = random.pick([2, 3, 4])
  const [w, d] = [0.46, 0.6]
  const h = rows * 0.32 + 0.06
  const metal = coated(
    random.pick([
      [128, 134, 140],
      [74, 80, 88],
      [206, 206, 200],
      [96, 112, 104],
    ] as const),
  )
  s.box(metal, [d - 0.02, w, h], [-0.01, 0, h / 2], 0.006)
  for (let i = 0; i < rows; i++) {
    const z = 0.045 + 0.32 * (i + 0.5)
    s.box(metal, [0.02, w - 0.03, 0.305], [d / 2 - 0.015, 0, z], 0.005)
    s.box(chrome(), [0.02, 0.16, 0.02], [d / 2 + 0.006, 0, z - 0.01], 0.006)
    s.box(
      finish('label card', [246, 244, 236], { roughness: 1 }),
      [0.006, 0.1, 0.045],
      [d / 2 - 0.004, 0, z + 0.07],
      0.001,
    )
    s.box(chrome(), [0.006, 0.112, 0.006], [d / 2 - 0.003, 0, z + 0.045], 0.001)
  }
  s.at([d / 2 - 0.008, w / 2 - 0.06, h - 0.055], () => s.cylinder(chrome(), 0.01, 0.012, [0, 0, 0], 10), { pitch: 90 })
  return [{ z: h, x: [-d / 2 + 0.03, d / 2 - 0.04], y: [-w / 2 + 0.02, w / 2 - 0.02] }]
}

/** Open metal shelving with boxes and cans. */
function storageRack(s: Sculpture, random: Random): void {
  const w = random.range(0.9, 1.2)
  const [d, h] = [0.42, 1.82]
  const metal = coated(
    random.pick([
      [60, 92, 140],
      [150, 152, 156],
      [70, 72, 76],
    ] as const),
  )
  for (const x of [-1, 1])
    for (const y of [-1, 1]) s.box(metal, [0.035, 0.035, h], [x * (d / 2 - 0.018), y * (w / 2 - 0.018), h / 2], 0.003)
  for (let i = 0; i < 4; i++) {
    const z = 0.12 + i * 0.53
    s.box(i < 3 ? wood('pine') : wood('pine'), [d - 0.01, w - 0.01, 0.018], [0, 0, z], 0.003)
    for (const x of [-1, 1]) s.box(metal, [0.012, w, 0.045], [x * (d / 2 - 0.01), 0, z - 0.02], 0.003)
    if (i === 3) continue
    let y = -w / 2 + 0.08
    while (true) {
      const wide = random.range(0.16, 0.34)
      if (y + wide > w / 2 - 0.05) break
      const tall = random.range(0.16, 0.4)
      const kind = random.int(3)
      const mid = y + wide / 2
      if (kind === 0) {
        s.box(cardboard(), [d * 0.7, wide, tall], [0, mid, z + 0.01 + tall / 2], 0.004)
        s.box(
          finish('tape', [214, 188, 140], { roughness: 0.4 }),
          [d * 0.7 + 0.003, 0.05, tall + 0.003],
          [0, mid, z + 0.01 + tall / 2],
          0.001,
        ).holds('box')
      } else if (kind === 1) {
        const tub = plastic(random.pick(BRIGHT))
        s.box(tub, [d * 0.7, wide, tall * 0.6], [0, mid, z + 0.01 + tall * 0.3], 0.02)
        s.box(tub, [d * 0.74, wide + 0.02, 0.025], [0, mid, z + 0.01 + tall * 0.6], 0.01)
          .holds('basket')
          .holds('box')
      } else {
        const r = Math.min(wide, 0.2) / 2
        s.cylinder(chrome(), r, 0.2, [0.03, mid, z + 0.01], 18)
        s.cylinder(plastic(random.pick(BRIGHT)), r + 0.002, 0.12, [0.03, mid, z + 0.05], 18)
          .holds('paint can')
          .holds('can')
      }
      y += wide + random.range(0.03, 0.1)
    }
  }
}

const cupboard = (build: ObjectKind['build']): ObjectKind => ({ mount: 'floor', oriented: true, build })

export const storage = {
  bookshelf: cupboard(bookshelf),
  'wall shelf': { mount: 'wall', oriented: true, build: wallShelf },
  cabinet: cupboard(cabinet),
  wardrobe: cupboard(wardrobe),
  'chest of drawers': cupboard(chest),
  'tv stand': cupboard(tvStand),
  'filing cabinet': cupboard(filingCabinet),
  'storage rack': { mount: 'floor', oriented: false, build: storageRack },
} as const satisfies Record<string, ObjectKind>
