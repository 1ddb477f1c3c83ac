/** Kitchen and laundry. */
import type { Random } from '../../../../suite.ts'
import {
  ceramic,
  chrome,
  circle,
  coated,
  curve,
  darkGlass,
  glass,
  iron,
  plastic,
  rubber,
  steel,
} from '../../../../world.ts'
import type { Maker } from './model.ts'
import { grip, openCase } from './storage.ts'

const WHITE = [240, 240, 238] as const

export function refrigerator(m: Maker, random: Random): void {
  const [w, d, h] = [random.range(0.6, 0.75), random.range(0.58, 0.66), random.range(1.6, 1.85)]
  const shell = random.pick([steel(), coated(WHITE), coated([176, 44, 40]), coated([120, 150, 140])])
  const t = 0.035
  const split = h * random.pick([0.34, 0.62])
  const body = m.part('refrigerator_body', (s) => {
    openCase(s, coated(WHITE), [d, w, h - 0.05], 0.05, t)
    s.box(coated(WHITE), [d - t, w - t * 2, t], [0, 0, split], 0.002)
    for (const z of [0.28, 0.55, 0.8]) s.box(glass(), [d * 0.8, w - t * 2, 0.008], [0, 0, split + (h - split) * z], 0)
    s.box(rubber(), [d * 0.9, w * 0.9, 0.05], [0, 0, 0.025], 0.002)
  })
  const side = random.pick([-1, 1])
  for (const [low, high] of [
    [0.06, split],
    [split, h],
  ] as const) {
    const z = (low + high) / 2
    const tall = high - low - 0.01
    const door = m.part('door', (s) => {
      s.box(shell, [0.055, w, tall], [d / 2 + 0.03, 0, z], 0.012, 2)
      s.box(coated(WHITE), [0.012, w * 0.84, tall * 0.9], [d / 2 + 0.002 + 0.004, 0, z], 0.002)
      const near = low === split ? low + 0.2 : high - 0.2
      grip(s, chrome(), d / 2 + 0.056, -side * (w / 2 - 0.05), near, 0.13, true)
    })
    m.hinge(door, body, [d / 2, side * (w / 2), z], [0, 0, side], random.pick([100, 115, 130]))
  }
}

export function oven(m: Maker, random: Random): void {
  const [w, d, h] = [0.6, random.range(0.56, 0.6), random.range(0.82, 0.9)]
  const shell = random.pick([steel(), coated(WHITE), coated([44, 44, 48])])
  const panel = 0.12
  const doorHeight = h - panel - 0.16
  const low = 0.12
  const body = m.part('oven_body', (s) => {
    openCase(s, shell, [d, w, h - 0.04], 0.04, 0.03)
    s.box(shell, [0.03, w, panel], [d / 2 + 0.015, 0, h - panel / 2], 0.004)
    s.box(shell, [0.03, w, low - 0.05], [d / 2 + 0.015, 0, 0.04 + (low - 0.05) / 2], 0.003)
    s.box(darkGlass(), [d * 0.96, w * 0.96, 0.008], [0, 0, h + 0.003], 0.002)
    for (const x of [-0.13, 0.13])
      for (const y of [-0.14, 0.14]) s.tube(iron(), circle([x, y, h + 0.009], 0.08, 'z', 24), 0.004, 6, true)
    s.box(iron(), [d * 0.8, w * 0.85, 0.006], [0, 0, low + doorHeight * 0.45], 0)
    s.box(darkGlass(), [0.004, 0.12, 0.04], [d / 2 + 0.031, 0, h - panel / 2], 0.001)
  })
  const z = low + doorHeight / 2
  const door = m.part('door', (s) => {
    s.box(shell, [0.04, w - 0.006, doorHeight], [d / 2 + 0.02, 0, z], 0.006)
    s.box(darkGlass(), [0.006, w * 0.72, doorHeight * 0.55], [d / 2 + 0.041, 0, z - 0.02], 0.003)
    grip(s, chrome(), d / 2 + 0.04, 0, z + doorHeight * 0.4, 0.22, false)
  })
  m.hinge(door, body, [d / 2, 0, low], [0, 1, 0], random.pick([80, 88, 90]))
  const knobs = random.pick([2, 4])
  for (let i = 0; i < knobs; i++) {
    const y = (i < knobs / 2 ? -1 : 1) * (0.12 + (i % (knobs / 2)) * 0.09)
    const at = h - panel / 2
    const knob = m.part('knob', (s) => {
      s.cylinderX(plastic([36, 36, 40]), 0.026, 0.03, [d / 2 + 0.03, y, at], 20)
      s.box(plastic([230, 230, 230]), [0.004, 0.005, 0.022], [d / 2 + 0.061, y, at + 0.012], 0)
    })
    m.hinge(knob, body, [d / 2 + 0.045, y, at], [-1, 0, 0], 270)
  }
}

export function washingMachine(m: Maker, random: Random): void {
  const [w, d, h] = [0.6, random.range(0.52, 0.6), random.range(0.82, 0.87)]
  const shell = coated(random.pick([WHITE, [210, 212, 216]] as const))
  const z = h * 0.44
  const r = random.range(0.16, 0.19)
  const x = d / 2
  const body = m.part('washing_machine_body', (s) => {
    s.box(shell, [d, w, h - 0.02], [0, 0, h / 2 + 0.01], 0.008)
    s.tube(rubber(), circle([x + 0.004, 0, z], r, 'x', 36), 0.014, 8, true)
    s.disc(steel(), r - 0.01, [x + 0.002, 0, z], 36)
    s.box(plastic([60, 64, 70]), [0.006, 0.14, 0.05], [x + 0.002, 0.02, h - 0.07], 0.001)
    for (const k of [-1, 1]) s.cylinder(rubber(), 0.02, 0.02, [k * 0.2, k * 0.25, 0])
  })
  const side = random.pick([-1, 1])
  const door = m.part('door', (s) => {
    s.tube(chrome(), circle([x + 0.03, 0, z], r, 'x', 40), 0.022, 10, true)
    s.cylinderX(darkGlass(), r - 0.012, 0.03, [x + 0.016, 0, z], 36, 0.01)
    s.box(plastic([120, 124, 130]), [0.02, 0.03, 0.09], [x + 0.05, -side * (r - 0.005), z], 0.004)
  })
  m.hinge(door, body, [x + 0.012, side * (r + 0.018), z], [0, 0, side], random.pick([110, 130, 150]))
  const drawer = m.part('drawer', (s) => {
    s.box(shell, [0.022, 0.19, 0.075], [x + 0.011, -w / 2 + 0.12, h - 0.07], 0.004)
    s.box(plastic(WHITE), [0.2, 0.16, 0.05], [x - 0.1, -w / 2 + 0.12, h - 0.07], 0.002)
    s.box(plastic([150, 154, 160]), [0.006, 0.12, 0.014], [x + 0.024, -w / 2 + 0.12, h - 0.09], 0.001)
  })
  m.slide(drawer, body, [1, 0, 0], 0.16)
  const dial = m.part('knob', (s) => {
    s.cylinderX(chrome(), 0.034, 0.03, [x, w / 2 - 0.1, h - 0.07], 28)
    s.box(plastic([40, 40, 40]), [0.004, 0.006, 0.024], [x + 0.031, w / 2 - 0.1, h - 0.058], 0)
  })
  m.spin(dial, body, [x + 0.015, w / 2 - 0.1, h - 0.07], [1, 0, 0])
}

export function microwave(m: Maker, random: Random): void {
  const [w, d, h] = [random.range(0.46, 0.54), random.range(0.34, 0.4), random.range(0.27, 0.31)]
  const shell = random.pick([steel(), coated(WHITE), coated([40, 40, 44])])
  const panel = 0.12
  const doorWidth = w - panel
  const y = -w / 2 + doorWidth / 2
  const body = m.part('microwave_body', (s) => {
    openCase(s, shell, [d, w, h], 0.015, 0.025)
    s.box(shell, [d * 0.9, panel - 0.01, h - 0.04], [0, w / 2 - panel / 2, 0.015 + h / 2], 0.002)
    s.box(darkGlass(), [0.01, panel - 0.006, h], [d / 2 + 0.005, w / 2 - panel / 2, 0.015 + h / 2], 0.002)
    s.box(glass(), [0.004, panel * 0.7, 0.035], [d / 2 + 0.012, w / 2 - panel / 2, h - 0.03], 0.001)
    for (const x of [-1, 1])
      for (const k of [-1, 1]) s.cylinder(rubber(), 0.016, 0.016, [x * d * 0.35, k * w * 0.38, 0])
  })
  const plate = m.part('plate', (s) => s.cylinder(glass(), Math.min(doorWidth, d) * 0.4, 0.01, [0, y, 0.046], 36))
  m.spin(plate, body, [0, y, 0.05], [0, 0, 1])
  const door = m.part('door', (s) => {
    s.box(shell, [0.03, doorWidth, h - 0.004], [d / 2 + 0.016, y, 0.015 + h / 2], 0.004)
    s.box(darkGlass(), [0.004, doorWidth * 0.74, h * 0.62], [d / 2 + 0.032, y - 0.01, 0.015 + h / 2], 0.002)
    grip(s, chrome(), d / 2 + 0.03, y + doorWidth / 2 - 0.03, 0.015 + h / 2, h * 0.3, true)
  })
  m.hinge(door, body, [d / 2, -w / 2, 0.015 + h / 2], [0, 0, -1], random.pick([95, 105, 120]))
  const button = m.part('button', (s) =>
    s.box(plastic([200, 202, 206]), [0.012, 0.05, 0.026], [d / 2 + 0.014, w / 2 - panel / 2, 0.05], 0.003),
  )
  m.slide(button, body, [-1, 0, 0], 0.008)
}

/** A mixer tap with a spout that swings and a lever on top. */
export function faucet(m: Maker, random: Random): void {
  const h = random.range(0.16, 0.24)
  const reach = random.range(0.14, 0.2)
  const metal = random.pick([chrome(), steel()])
  const body = m.part('faucet_body', (s) => {
    s.cylinder(metal, 0.05, 0.012, [0, 0, 0], 28)
    s.cylinder(metal, 0.026, h, [0, 0, 0.01], 24)
    s.box(ceramic(), [0.36, 0.3, 0.02], [0.06, 0, -0.012], 0.01)
  })
  const spout = m.part('spout', (s) => {
    s.cylinder(metal, 0.03, 0.04, [0, 0, h * 0.55], 24)
    s.tube(
      metal,
      curve(
        [
          [0.02, 0, h * 0.55 + 0.02],
          [reach * 0.4, 0, h * 0.75 + 0.03],
          [reach * 0.85, 0, h * 0.8 + 0.02],
          [reach, 0, h * 0.55],
        ],
        6,
      ),
      0.014,
      12,
    )
  })
  m.hinge(spout, body, [0, 0, h * 0.6], [0, 0, 1], 60, -60)
  const lever = m.part('lever', (s) => {
    s.ball(metal, [0.03, 0.03, 0.022], [0, 0, h + 0.018], 16)
    s.rod(metal, [0.015, 0, h + 0.024], [0.1, 0, h + 0.05], 0.008, 10)
  })
  m.hinge(lever, body, [0, 0, h + 0.018], [0, -1, 0], random.pick([30, 40]))
}
