/** Small things that lie about: on tables and shelves, in corners, on the floor. */
import type { Random } from '../../base/random.ts'
import {
  cardboard,
  ceramic,
  chrome,
  coated,
  fabric,
  finish,
  glass,
  leather,
  paper,
  plastic,
  rubber,
  wood,
} from './finish-list.ts'
import type { ObjectKind } from './model.ts'
import { BRIGHT, CLOTH, anyWood } from './parts.ts'
import type { Sculpture } from './shapes.ts'

function bowl(s: Sculpture, random: Random): void {
  s.lathe(
    ceramic(random.pick(BRIGHT)),
    [
      [0, 0],
      [0.045, 0],
      [0.05, 0.012],
      [0.08, 0.045],
      [0.095, 0.085],
      [0.09, 0.085],
      [0.07, 0.042],
      [0, 0.016],
    ],
    [0, 0, 0],
    22,
  )
}

function drinkingGlass(s: Sculpture): void {
  s.lathe(
    glass(),
    [
      [0, 0.004],
      [0.03, 0.004],
      [0.036, 0.14],
      [0.033, 0.14],
      [0.028, 0.014],
      [0, 0.012],
    ],
    [0, 0, 0],
    16,
  )
  s.cylinder(finish('juice', [230, 150, 40], { roughness: 0.1 }), 0.0275, 0.07, [0, 0, 0.016], 14)
  s.cylinder(finish('glass foot', [214, 226, 228], { roughness: 0.05 }), 0.031, 0.006, [0, 0, 0], 16)
}

function jar(s: Sculpture, random: Random): void {
  const filling = plastic(random.pick(BRIGHT))
  s.cylinder(filling, 0.042, 0.1, [0, 0, 0], 18, 0.008)
  s.cylinder(paper(), 0.0428, 0.045, [0, 0, 0.028], 18, 0.001)
  s.cylinder(chrome(), 0.044, 0.022, [0, 0, 0.1], 18, 0.004)
}

function can(s: Sculpture, random: Random): void {
  s.cylinder(chrome(), 0.033, 0.12, [0, 0, 0], 18, 0.005)
  s.cylinder(coated(random.pick(BRIGHT)), 0.0338, 0.1, [0, 0, 0.01], 18, 0.001)
  s.cylinder(paper(), 0.0342, 0.03, [0, 0, 0.05], 18, 0.001)
}

function toyCar(s: Sculpture, random: Random): void {
  const body = lacquered(random)
  s.box(body, [0.2, 0.09, 0.035], [0, 0, 0.042], 0.014, 2)
  s.box(body, [0.105, 0.078, 0.035], [-0.012, 0, 0.074], 0.014, 2)
  s.box(finish('toy window', [40, 52, 62], { roughness: 0.1 }), [0.108, 0.066, 0.022], [-0.012, 0, 0.074], 0.004)
  for (const x of [-0.06, 0.062])
    for (const y of [-1, 1])
      s.at([x, y * 0.045, 0.024], () => s.cylinder(rubber(), 0.024, 0.018, [0, 0, -0.009], 14, 0.003), { roll: 90 })
  for (const y of [-1, 1])
    s.box(finish('glow0.3', [255, 240, 190], { glow: 0.3 }), [0.006, 0.018, 0.012], [0.1, y * 0.03, 0.046], 0.003)
}

const lacquered = (random: Random) => plastic(random.pick(BRIGHT))

function toyBlocks(s: Sculpture, random: Random): void {
  const places = [
    [0, 0, 0],
    [0.055, 0.01, 0],
    [-0.01, 0.058, 0],
    [0.02, 0.02, 0.045],
    [0.022, 0.022, 0.09],
    [-0.06, -0.02, 0],
    [0.05, -0.06, 0],
  ] as const
  for (const [x, y, z] of places.slice(0, random.between(4, 7)))
    s.at([x, y, z], () => s.box(lacquered(random), [0.045, 0.045, 0.045], [0, 0, 0.0225], 0.004), {
      yaw: random.range(-20, 20),
    })
}

function tissueBox(s: Sculpture, random: Random): void {
  s.holds('box')
  s.box(plastic(random.pick(BRIGHT)), [0.12, 0.23, 0.075], [0, 0, 0.0375], 0.004)
  s.box(finish('tissue slot', [60, 60, 64], { roughness: 1 }), [0.03, 0.12, 0.002], [0, 0, 0.076], 0)
  s.sheet(paper(), 8, 4, (u, v) => {
    const fold = (u - 0.5) * (1 - 0.35 * v)
    return [0.02 * (v - 0.3) * (u < 0.5 ? 1 : -1), fold * 0.13, 0.074 + v * 0.06 + 0.012 * (u < 0.3 ? 1 : 0) * v]
  })
}

function penHolder(s: Sculpture, random: Random): void {
  s.lathe(
    coated(random.pick(BRIGHT)),
    [
      [0, 0],
      [0.038, 0],
      [0.04, 0.1],
      [0.037, 0.1],
      [0.035, 0.006],
      [0, 0.006],
    ],
    [0, 0, 0],
    18,
  )
  s.holds('pen', 5)
  for (let i = 0; i < 5; i++) {
    const lean = [random.range(-0.02, 0.02), random.range(-0.02, 0.02)] as const
    s.rod(
      plastic(random.pick(BRIGHT)),
      [-lean[0], -lean[1], 0.01],
      [lean[0] * 1.5, lean[1] * 1.5, random.range(0.14, 0.18)],
      0.004,
      6,
    )
  }
}

function remoteControl(s: Sculpture, random: Random): void {
  s.box(plastic(random.chance(0.7) ? [36, 37, 42] : [224, 224, 222]), [0.17, 0.046, 0.02], [0, 0, 0.01], 0.008, 2)
  const button = rubber([120, 122, 128])
  for (let i = 0; i < 5; i++)
    for (const y of [-1, 0, 1]) s.box(button, [0.01, 0.009, 0.004], [-0.05 + i * 0.022, y * 0.013, 0.021], 0.002)
  s.box(rubber([200, 60, 50]), [0.01, 0.01, 0.004], [0.07, -0.012, 0.021], 0.002)
}

function photoFrame(s: Sculpture, random: Random): void {
  s.holds('picture')
  const [w, h] = random.chance(0.5) ? [0.15, 0.2] : [0.2, 0.15]
  const frame = random.chance(0.6) ? anyWood(random) : coated(random.pick(BRIGHT))
  s.at(
    [0, 0, 0.004],
    () => {
      for (const y of [-1, 1]) s.box(frame, [0.014, 0.02, h], [0, y * (w / 2 - 0.01), h / 2], 0.004)
      for (const z of [0, 1]) s.box(frame, [0.014, w, 0.02], [0, 0, z ? h - 0.01 : 0.01], 0.004)
      s.box(
        finish('photograph sky', [150 + random.int(60), 180, 210], { roughness: 0.4 }),
        [0.006, w - 0.03, h - 0.03],
        [0, 0, h / 2],
        0,
      )
      s.box(
        finish('photograph ground', [90, 110 + random.int(60), 70], { roughness: 0.4 }),
        [0.008, w - 0.04, h * 0.35],
        [0, 0, 0.02 + h * 0.175],
        0,
      )
      s.box(
        finish('photograph figure', [170 + random.int(60), 120, 90], { roughness: 0.4 }),
        [0.01, w * 0.18, h * 0.4],
        [0, 0, h * 0.38],
        0,
      )
    },
    { pitch: -12 },
  )
  s.rod(frame, [-0.08, 0, 0], [-0.02, 0, h * 0.6], 0.004, 6)
}

function papers(s: Sculpture, random: Random): void {
  s.holds('paper', 6)
  for (let i = 0; i < 6; i++)
    s.at(
      [random.range(-0.02, 0.02), random.range(-0.02, 0.02), i * 0.0025],
      () => s.box(paper(), [0.297, 0.21, 0.002], [0, 0, 0.001], 0),
      {
        yaw: random.range(-14, 14),
      },
    )
  const ink = finish('ink', [70, 74, 84], { roughness: 1 })
  for (let i = 0; i < 9; i++)
    s.box(ink, [0.005, 0.15 - (i % 3) * 0.03, 0.0004], [-0.1 + i * 0.022, -(i % 3) * 0.015, 0.0152], 0)
}

function soapDispenser(s: Sculpture, random: Random): void {
  s.lathe(
    ceramic(random.pick(BRIGHT)),
    [
      [0, 0],
      [0.034, 0],
      [0.036, 0.01],
      [0.034, 0.1],
      [0.016, 0.12],
      [0.014, 0.13],
      [0, 0.13],
    ],
    [0, 0, 0],
    18,
  )
  s.rod(chrome(), [0, 0, 0.125], [0, 0, 0.165], 0.005, 8)
  s.rod(chrome(), [-0.012, 0, 0.165], [0.05, 0, 0.16], 0.006, 8)
}

function hat(s: Sculpture, random: Random): void {
  const felt = random.chance(0.5) ? fabric(random.pick(CLOTH)) : leather(random.pick(CLOTH))
  s.lathe(
    felt,
    [
      [0, 0.002],
      [0.16, 0],
      [0.165, 0.006],
      [0.1, 0.012],
      [0.09, 0.075],
      [0.075, 0.105],
      [0, 0.108],
    ],
    [0, 0, 0],
    26,
  )
  s.cylinder(fabric(random.pick(BRIGHT)), 0.1, 0.022, [0, 0, 0.014], 26, 0.003)
}

function smartphone(s: Sculpture, random: Random): void {
  s.box(coated(random.pick(BRIGHT)), [0.15, 0.074, 0.009], [0, 0, 0.0045], 0.004, 2)
  s.flatPanel(finish('phone screen', [24, 26, 34], { roughness: 0.05 }), 0.142, 0.067, [0, 0, 0.0094])
  s.box(rubber([60, 62, 70]), [0.004, 0.02, 0.001], [0.07, 0, 0.0095], 0)
}

function tray(s: Sculpture, random: Random): void {
  const body = random.chance(0.5) ? anyWood(random) : plastic(random.pick(BRIGHT))
  s.box(body, [0.3, 0.44, 0.012], [0, 0, 0.006], 0.004)
  for (const x of [-1, 1]) s.box(body, [0.014, 0.44, 0.035], [x * 0.143, 0, 0.0255], 0.005)
  for (const y of [-1, 1]) s.box(body, [0.3, 0.014, 0.035], [0, y * 0.213, 0.0255], 0.005)
  s.holds('cup', 2)
  for (const y of [-1, 1]) {
    s.at([0.03, y * 0.1, 0.012], () => {
      s.lathe(
        ceramic(),
        [
          [0, 0],
          [0.028, 0],
          [0.038, 0.07],
          [0.035, 0.07],
          [0.026, 0.006],
          [0, 0.006],
        ],
        [0, 0, 0],
        18,
      )
      s.rod(ceramic(), [0, y * 0.034, 0.02], [0, y * 0.052, 0.045], 0.005, 6)
    })
  }
}

function shoeBox(s: Sculpture, random: Random): void {
  s.holds('box')
  s.box(random.chance(0.4) ? cardboard() : plastic(random.pick(BRIGHT)), [0.2, 0.32, 0.1], [0, 0, 0.05], 0.003)
  s.box(plastic(random.pick(BRIGHT)), [0.206, 0.326, 0.035], [0, 0, 0.1025], 0.003)
}

function cuttingBoard(s: Sculpture, random: Random): void {
  s.box(wood(random.pick(['beech', 'oak', 'walnut'] as const)), [0.24, 0.36, 0.02], [0, 0, 0.01], 0.008, 2)
  s.box(chrome(), [0.03, 0.18, 0.002], [0.02, -0.04, 0.0215], 0.001)
  s.box(plastic([30, 30, 34]), [0.026, 0.11, 0.014], [0.02, 0.1, 0.027], 0.005)
  s.holds('knife')
}

const loose = (build: ObjectKind['build'], oriented = false): ObjectKind => ({ mount: 'surface', oriented, build })

export const clutter = {
  bowl: loose(bowl),
  'drinking glass': loose(drinkingGlass),
  jar: loose(jar),
  can: loose(can),
  'toy car': loose(toyCar, true),
  'toy blocks': loose(toyBlocks),
  'tissue box': loose(tissueBox),
  'pen holder': loose(penHolder),
  'remote control': loose(remoteControl),
  'photo frame': loose(photoFrame, true),
  papers: loose(papers),
  'soap dispenser': loose(soapDispenser),
  hat: loose(hat),
  smartphone: loose(smartphone),
  tray: loose(tray),
  'shoe box': loose(shoeBox),
  'cutting board': loose(cuttingBoard),
} as const satisfies Record<string, ObjectKind>
