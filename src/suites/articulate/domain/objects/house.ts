/** The rest of the house: openings, seats, and what stands on desks. */
import type { Random } from '../../../../suite.ts'
import {
  anyWood,
  brass,
  BRIGHT,
  ceramic,
  chrome,
  circle,
  coated,
  darkGlass,
  desktopScreen,
  finish,
  type Finish,
  glass,
  globeTexture,
  iron,
  plastic,
  printed,
  type Sculpture,
  steel,
  type Vec3,
} from '../../../../world.ts'
import type { Maker } from './model.ts'

function frameOf(s: Sculpture, surface: Finish, depth: number, w: number, h: number, bar: number, at: Vec3): void {
  const [x, y, z] = at
  for (const k of [-1, 1]) {
    s.box(surface, [depth, bar, h], [x, y + k * (w / 2 - bar / 2), z], 0.003)
    s.box(surface, [depth, w - bar * 2, bar], [x, y, z + k * (h / 2 - bar / 2)], 0.003)
  }
}

/** Casements that open outwards, or panes that slide. */
export function windowKind(m: Maker, random: Random): void {
  const [w, h] = [random.range(0.9, 1.4), random.range(0.9, 1.2)]
  const surface = random.pick([anyWood(random), coated([244, 244, 242]), coated([70, 74, 78])])
  const bar = 0.05
  const isSliding = random.chance(0.5)
  const z = h / 2 + 0.03
  const body = m.part('window_frame', (s) => {
    frameOf(s, surface, 0.1, w, h, bar, [0, 0, z])
    s.box(surface, [0.18, w + 0.08, 0.03], [0.03, 0, 0.015], 0.004)
    if (isSliding) {
      s.box(surface, [0.02, bar, h - bar * 2], [-0.03, -0.012, z], 0.002)
      s.box(glass(), [0.006, w / 2 - bar, h - bar * 2], [-0.03, -w / 4, z], 0)
    }
  })
  const [iw, ih] = [(w - bar * 2) / 2, h - bar * 2 - 0.01]
  const pane = (y: number, x: number, knob: number): string =>
    m.part('window', (s) => {
      frameOf(s, surface, 0.03, iw - 0.006, ih, 0.045, [x, y, z])
      s.box(glass(), [0.006, iw - 0.08, ih - 0.08], [x, y, z], 0)
      s.box(chrome(), [0.03, 0.014, 0.09], [x + 0.025, y + knob, z], 0.003)
    })
  if (isSliding) {
    const name = pane(iw / 2, 0.02, iw / 2 - 0.026)
    m.slide(name, body, [0, -1, 0], iw * 0.85)
    return
  }
  for (const side of [-1, 1]) {
    const name = pane((side * iw) / 2, 0.045, -side * (iw / 2 - 0.026))
    m.hinge(name, body, [0.03, side * (iw - 0.003), z], [0, 0, side], random.pick([70, 85, 100]))
  }
}

export function door(m: Maker, random: Random): void {
  const [w, h] = [random.range(0.8, 0.95), random.range(1.95, 2.1)]
  const surface = anyWood(random)
  const bar = 0.08
  const side = random.pick([-1, 1])
  const body = m.part('door_frame', (s) => {
    for (const k of [-1, 1]) s.box(surface, [0.14, bar, h + bar], [0, k * (w / 2 + bar / 2), (h + bar) / 2], 0.004)
    s.box(surface, [0.14, w, bar], [0, 0, h + bar / 2], 0.004)
    s.box(iron(), [0.1, w, 0.012], [0, 0, 0.006], 0.001)
  })
  const x = 0.045
  const handleAt: Vec3 = [x + 0.02, -side * (w / 2 - 0.09), 1.02]
  const leaf = m.part('door', (s) => {
    s.box(surface, [0.04, w - 0.008, h - 0.02], [x, 0, h / 2 + 0.005], 0.003)
    for (const z of [0.3, 0.72]) s.box(surface, [0.012, w - 0.28, h * 0.32], [x + 0.022, 0, h * z], 0.006)
    s.cylinderX(brass(), 0.026, 0.012, handleAt, 20)
  })
  m.hinge(leaf, body, [x - 0.02, side * (w / 2 - 0.004), h / 2], [0, 0, side], random.pick([85, 95, 110]))
  const handle = m.part('handle', (s) => {
    s.cylinderX(brass(), 0.01, 0.045, [x + 0.03, handleAt[1], handleAt[2]], 12)
    s.rod(brass(), [x + 0.07, handleAt[1], handleAt[2]], [x + 0.07, handleAt[1] + side * 0.12, handleAt[2]], 0.011, 10)
  })
  // Pressed down at its free end.
  m.hinge(handle, leaf, [x + 0.05, handleAt[1], handleAt[2]], [-side, 0, 0], 45)
}

export function laptop(m: Maker, random: Random): void {
  const [w, d] = [random.range(0.31, 0.38), random.range(0.21, 0.26)]
  const shell = random.pick([steel(), coated([60, 62, 66]), coated([236, 236, 238])])
  const keys = plastic([34, 34, 38])
  const t = 0.016
  const body = m.part('laptop_base', (s) => {
    s.box(shell, [d, w, t], [0, 0, t / 2], 0.004)
    for (let row = 0; row < 5; row++)
      for (let i = 0; i < 12; i++)
        s.box(
          keys,
          [0.014, (w - 0.06) / 12 - 0.004, 0.003],
          [-d / 2 + 0.04 + row * 0.019, -w / 2 + 0.03 + ((i + 0.5) * (w - 0.06)) / 12, t + 0.001],
          0.001,
        )
    // The barrel that the screen turns on.
    s.rod(iron(), [-d / 2 + 0.004, -w * 0.32, t + 0.004], [-d / 2 + 0.004, w * 0.32, t + 0.004], 0.005, 10)
    s.box(coated([150, 152, 156]), [0.06, 0.1, 0.002], [d / 2 - 0.045, 0, t + 0.0005], 0.001)
  })
  // Drawn standing nearly upright, as one finds it: half open.
  const tall = d * 0.98
  const which = random.int(6)
  const screen = m.part('screen', (s) =>
    s.at([-d / 2 + 0.004, 0, t + 0.006], () => {
      s.box(shell, [0.009, w, tall], [0, 0, tall / 2], 0.003)
      s.box(darkGlass(), [0.002, w - 0.012, tall - 0.014], [0.005, 0, tall / 2], 0.001)
      s.panel(
        printed(`desktop ${which}`, () => desktopScreen(which), { glow: 0.6 }),
        w - 0.03,
        tall - 0.035,
        [0.0065, 0, tall / 2],
      )
    }),
  )
  m.hinge(screen, body, [-d / 2 + 0.004, 0, t + 0.006], [0, -1, 0], random.pick([30, 45]), -85)
}

/** Two blades that cross at a screw; they stand in the plane one looks at. */
export function scissors(m: Maker, random: Random): void {
  const scale = random.range(0.9, 1.25)
  const grips = plastic(random.pick(BRIGHT))
  const pivot: Vec3 = [0, 0, 0.11 * scale]
  const half = (s: Sculpture, x: number, side: number): void => {
    const at = (y: number, z: number): Vec3 => [x, side * y * scale, pivot[2] + z * scale]
    s.at(
      [x - 0.0012, 0, pivot[2]],
      () =>
        s.extrude(
          steel(),
          // Seen from the front: u runs down, v to the right.
          [
            [0.03, side * 0.016],
            [0.03, side * 0.004],
            [0, side * -0.009],
            [-0.1, side * -0.001],
            [-0.1, side * 0.0005],
            [0, side * 0.009],
          ].map(([u, v]) => [u! * scale, v! * scale] as const),
          0.0024,
        ),
      { pitch: 90 },
    )
    s.rod(grips, at(0.008, -0.02), at(0.02, -0.045), 0.006 * scale, 10)
    s.tube(
      grips,
      circle([x, side * 0.034 * scale, pivot[2] - 0.075 * scale], 0.026 * scale, 'x', 28),
      0.0065 * scale,
      10,
      true,
    )
  }
  const first = m.part('blade', (s) => {
    half(s, -0.002, -1)
    s.cylinderX(brass(), 0.006 * scale, 0.008, [-0.003, 0, pivot[2]], 16)
  })
  const second = m.part('blade_2', (s) => half(s, 0.002, 1))
  m.hinge(second, first, pivot, [1, 0, 0], random.pick([40, 55]))
}

/** A chair whose seat folds up to the back, and its back legs behind it: nothing of it sweeps through the floor. */
export function foldingChair(m: Maker, random: Random): void {
  const [w, seat, back] = [random.range(0.4, 0.45), random.range(0.43, 0.46), random.range(0.78, 0.85)]
  const metal = random.pick([iron(), steel(), coated(random.pick(BRIGHT))])
  const cloth = random.pick([anyWood(random), plastic(random.pick(BRIGHT))])
  const lean = 0.24
  const body = m.part('chair_frame', (s) => {
    for (const y of [-1, 1]) s.rod(metal, [lean, y * (w / 2), 0.012], [-lean * 0.75, y * (w / 2), back], 0.012, 10)
    s.rod(metal, [-lean * 0.75, -w / 2, back], [-lean * 0.75, w / 2, back], 0.012, 10)
    s.rod(metal, [lean * 0.8, -w / 2, 0.1], [lean * 0.8, w / 2, 0.1], 0.009, 8)
    const x = (z: number): number => lean - (lean * 1.75 * (z - 0.012)) / (back - 0.012)
    for (const z of [back - 0.07, back - 0.16]) s.box(cloth, [0.014, w - 0.01, 0.07], [x(z) + 0.012, 0, z], 0.005)
  })
  const at = lean - (lean * 1.75 * (seat - 0.03)) / (back - 0.012)
  const board = m.part('seat', (s) => {
    s.box(cloth, [0.36, w - 0.035, 0.018], [at + 0.13, 0, seat], 0.007, 2)
    s.box(metal, [0.3, 0.016, 0.02], [at + 0.13, -(w / 2 - 0.03), seat - 0.016], 0.003)
    s.box(metal, [0.3, 0.016, 0.02], [at + 0.13, w / 2 - 0.03, seat - 0.016], 0.003)
  })
  m.hinge(board, body, [at, 0, seat - 0.008], [0, -1, 0], random.pick([55, 65]))
  const legs = m.part('legs', (s) => {
    for (const y of [-1, 1])
      s.rod(metal, [-0.26, y * (w / 2 - 0.03), 0.012], [at + 0.02, y * (w / 2 - 0.03), seat - 0.03], 0.011, 10)
    s.rod(metal, [-0.24, -(w / 2 - 0.03), 0.05], [-0.24, w / 2 - 0.03, 0.05], 0.009, 8)
  })
  m.hinge(legs, body, [at + 0.02, 0, seat - 0.03], [0, 1, 0], random.pick([85, 100]))
}

export function globe(m: Maker, random: Random): void {
  const r = random.range(0.12, 0.16)
  const z = r + 0.11
  const metal = random.pick([brass(), chrome()])
  const tilt = (23.5 * Math.PI) / 180
  const pole: Vec3 = [0, Math.sin(tilt), Math.cos(tilt)]
  const at = (k: number): Vec3 => [0, pole[1] * k, z + pole[2] * k]
  const stand = m.part('globe_stand', (s) => {
    s.lathe(
      anyWood(random),
      [
        [0, 0],
        [0.09, 0],
        [0.09, 0.016],
        [0.03, 0.034],
        [0.014, 0.06],
        [0.014, z - r - 0.012],
        [0, z - r - 0.01],
      ],
      [0, 0, 0],
      28,
    )
    // Half a ring on the left, from pole to pole.
    const path = Array.from({ length: 25 }, (_, i): Vec3 => {
      const angle = Math.PI / 2 - tilt + (i / 24) * Math.PI
      return [0, Math.cos(angle) * (r + 0.016), z + Math.sin(angle) * (r + 0.016)]
    })
    s.tube(metal, path, 0.006, 8)
    for (const k of [-1, 1]) s.rod(metal, at(k * (r + 0.018)), at(k * r * 0.98), 0.006, 8)
  })
  const sea = finish('globe', [255, 255, 255], { texture: globeTexture, tile: 0, roughness: 0.3 })
  const sphere = m.part('sphere', (s) => s.at([0, 0, z], () => s.ball(sea, [r, r, r], [0, 0, 0], 40), { roll: -23.5 }))
  m.spin(sphere, stand, [0, 0, z], pole)
}

/** A desk fan: the head tilts, the blades turn. */
export function fan(m: Maker, random: Random): void {
  const h = random.range(0.26, 0.36)
  const r = random.range(0.13, 0.17)
  const shell = plastic(random.pick(BRIGHT))
  const white = plastic([236, 236, 234])
  const base = m.part('fan_base', (s) => {
    s.lathe(
      white,
      [
        [0, 0],
        [0.11, 0],
        [0.11, 0.012],
        [0.06, 0.035],
        [0.016, 0.05],
        [0.014, h - 0.02],
        [0.02, h],
        [0, h],
      ],
      [0, 0, 0],
      32,
    )
  })
  const z = h + 0.03
  const head = m.part('fan_head', (s) => {
    s.cylinderX(white, 0.045, 0.1, [-0.09, 0, z], 24, 0.012)
    s.cylinderX(white, 0.014, 0.06, [0, 0, z], 14)
    for (const x of [0.015, 0.095]) {
      s.tube(chrome(), circle([x, 0, z], r + 0.015, 'x', 44), 0.004, 6, true)
      for (const k of [0.35, 0.68]) s.tube(chrome(), circle([x, 0, z], r * k, 'x', 36), 0.0018, 5, true)
      for (let i = 0; i < 16; i++) {
        const angle = (i / 16) * 2 * Math.PI
        const reach = r + 0.015
        s.rod(
          chrome(),
          [x, 0.04 * Math.cos(angle), z + 0.04 * Math.sin(angle)],
          [x, reach * Math.cos(angle), z + reach * Math.sin(angle)],
          0.0016,
          5,
        )
      }
    }
    for (let i = 0; i < 8; i++) {
      const angle = (i / 8) * 2 * Math.PI
      const [y, up] = [(r + 0.015) * Math.cos(angle), z + (r + 0.015) * Math.sin(angle)]
      s.rod(chrome(), [0.015, y, up], [0.095, y, up], 0.003, 5)
    }
    s.cylinderX(white, 0.04, 0.006, [0.092, 0, z], 24)
  })
  m.hinge(head, base, [-0.02, 0, h], [0, -1, 0], 25, -15)
  const count = random.pick([3, 4, 5])
  const blades = m.part('blades', (s) => {
    s.cylinderX(shell, 0.03, 0.035, [0.04, 0, z], 20)
    for (let i = 0; i < count; i++)
      s.at(
        [0.056, 0, z],
        () => s.at([0, 0, 0], () => s.ball(shell, [0.004, r * 0.26, r * 0.4], [0, r * 0.1, r * 0.55], 16), { yaw: 22 }),
        {
          roll: (i * 360) / count + 10,
        },
      )
  })
  m.spin(blades, head, [0.056, 0, z], [1, 0, 0])
}

export function toilet(m: Maker, random: Random): void {
  const w = random.range(0.36, 0.4)
  const white = ceramic()
  const z = 0.4
  const oval = (rx: number, ry: number, k: number): readonly (readonly [number, number])[] =>
    Array.from(
      { length: k },
      (_, i) => [rx * Math.cos((i / k) * 2 * Math.PI), ry * Math.sin((i / k) * 2 * Math.PI)] as const,
    )
  const body = m.part('toilet_body', (s) => {
    s.extrudeFrustum(white, [0.34, w * 0.6], [0.42, w * 0.8], 0, 0.26, 0.04)
    s.extrude(white, oval(0.25, w / 2, 36), 0.15, [0.08, 0, z - 0.16])
    s.box(white, [0.2, w + 0.04, 0.36], [-0.24, 0, z + 0.15], 0.025, 2)
    s.box(white, [0.22, w + 0.06, 0.03], [-0.24, 0, z + 0.345], 0.012, 2)
    s.box(white, [0.26, w * 0.7, 0.3], [-0.18, 0, z - 0.17], 0.02, 2)
  })
  const plasticWhite = plastic(
    random.pick([
      [250, 250, 248],
      [214, 196, 170],
      [90, 92, 96],
    ] as const),
  )
  const seat = m.part('seat', (s) => {
    s.tube(
      plasticWhite,
      oval(0.215, w / 2 - 0.035, 40).map(([x, y]): Vec3 => [x + 0.08, y, z + 0.012]),
      0.026,
      10,
      true,
    )
    s.box(plasticWhite, [0.05, w * 0.5, 0.02], [-0.13, 0, z + 0.01], 0.004)
  })
  m.hinge(seat, body, [-0.14, 0, z + 0.012], [0, -1, 0], 95)
  const lid = m.part('lid', (s) => {
    s.extrude(plasticWhite, oval(0.24, w / 2 - 0.005, 40), 0.018, [0.08, 0, z + 0.04])
    s.box(plasticWhite, [0.06, w * 0.45, 0.018], [-0.13, 0, z + 0.049], 0.004)
  })
  m.hinge(lid, body, [-0.15, 0, z + 0.042], [0, -1, 0], 100)
  const button = m.part('button', (s) => s.cylinder(chrome(), 0.028, 0.02, [-0.24, 0, z + 0.35], 24))
  m.slide(button, body, [0, 0, -1], 0.012)
}
