/** Things that keep things. */
import type { Random } from '../../../../suite.ts'
import {
  anyWood,
  brass,
  BRIGHT,
  cardboard,
  chrome,
  circle,
  coated,
  finish,
  type Finish,
  iron,
  leather,
  plastic,
  rubber,
  type Sculpture,
  steel,
} from '../../../../world.ts'
import type { Maker } from './model.ts'

type Size = readonly [number, number, number]

/** An open-fronted case: floor, roof, sides and back. */
export function openCase(s: Sculpture, surface: Finish, [d, w, h]: Size, z: number, thick: number): void {
  const t = thick
  for (const y of [-1, 1]) s.box(surface, [d, t, h], [0, y * (w / 2 - t / 2), z + h / 2], 0.004)
  s.box(surface, [d, w - t * 2, t], [0, 0, z + t / 2], 0.003)
  s.box(surface, [d, w - t * 2, t], [0, 0, z + h - t / 2], 0.003)
  s.box(surface, [t, w - t * 2, h - t * 2], [-d / 2 + t / 2, 0, z + h / 2], 0.002)
}

/** A grip that stands out to +x from the face at x. */
export function grip(
  s: Sculpture,
  metal: Finish,
  x: number,
  y: number,
  z: number,
  half: number,
  upright: boolean,
): void {
  const at = (k: number): readonly [number, number] => (upright ? [y, z + k * half] : [y + k * half, z])
  s.tube(
    metal,
    [
      [x - 0.002, ...at(-1)],
      [x + 0.03, ...at(-1)],
      [x + 0.03, ...at(1)],
      [x - 0.002, ...at(1)],
    ],
    0.007,
    8,
  )
}

export function cabinet(m: Maker, random: Random): void {
  const [w, d, h] = [random.range(0.8, 1.1), random.range(0.4, 0.5), random.range(0.85, 1.15)]
  const wood = anyWood(random)
  const front = random.chance(0.4) ? anyWood(random) : wood
  const metal = random.pick([brass(), chrome(), iron()])
  const t = 0.02
  const foot = 0.08
  const drawers = random.pick([1, 2, 3])
  const drawerHeight = random.range(0.15, 0.2)
  const doorHeight = h - foot - t * 2 - drawerHeight - 0.012
  const doors = random.pick([1, 2, 2])
  const body = m.part('furniture_body', (s) => {
    openCase(s, wood, [d, w, h - foot], foot, t)
    s.box(wood, [d - 0.03, w - t * 2, t], [0.005, 0, foot + t + doorHeight + 0.004], 0.002)
    s.box(wood, [d - 0.06, w - t * 2, t], [0, 0, foot + doorHeight * 0.5], 0.002)
    for (const x of [-1, 1])
      for (const y of [-1, 1])
        s.box(wood, [0.05, 0.05, foot], [x * (d / 2 - 0.05), y * (w / 2 - 0.05), foot / 2], 0.004)
  })
  const each = w / drawers
  // Shallow drawers can do what deep ones cannot.
  const tray = m.isDrawn ? random.pick([d - 0.06, random.range(0.04, 0.12), random.range(0.04, 0.3)]) : d - 0.06
  for (let i = 0; i < drawers; i++) {
    const y = -w / 2 + each * (i + 0.5)
    const z = h - t - drawerHeight / 2 - 0.002
    const drawer = m.part('drawer', (s) => {
      const [iw, ih, id] = [each - 0.05, drawerHeight - 0.05, tray]
      s.box(front, [t, each - 0.008, drawerHeight - 0.004], [d / 2 + t / 2, y, z], 0.004)
      s.box(wood, [id, iw, 0.01], [d / 2 - id / 2, y, z - ih / 2], 0.001)
      for (const k of [-1, 1]) s.box(wood, [id, 0.01, ih], [d / 2 - id / 2, y + k * (iw / 2), z], 0.001)
      s.box(wood, [0.01, iw, ih], [d / 2 - id + 0.005, y, z], 0.001)
      grip(s, metal, d / 2 + t, y, z, Math.min(0.08, each * 0.2), false)
    })
    m.slide(drawer, body, [1, 0, 0], d * random.range(0.6, 0.75))
  }
  const doorWidth = w / doors
  for (let i = 0; i < doors; i++) {
    // The left door hangs on its left side, the right one on its right; a single one on either.
    const side = doors === 2 ? (i === 0 ? -1 : 1) : random.pick([-1, 1])
    const y = -w / 2 + doorWidth * (i + 0.5)
    const z = foot + t + doorHeight / 2 - 0.008
    const door = m.part('door', (s) => {
      s.box(front, [t, doorWidth - 0.006, doorHeight - 0.004], [d / 2 + t / 2, y, z], 0.004)
      s.box(front, [0.006, doorWidth - 0.14, doorHeight - 0.14], [d / 2 + t + 0.002, y, z], 0.003)
      grip(s, metal, d / 2 + t, y - side * (doorWidth / 2 - 0.045), z + doorHeight * 0.15, 0.07, true)
    })
    m.hinge(door, body, [d / 2, y + side * (doorWidth / 2 - 0.003), z], [0, 0, side], random.pick([90, 105, 120]))
  }
}

export function safe(m: Maker, random: Random): void {
  const [w, d, h] = [random.range(0.45, 0.6), random.range(0.42, 0.5), random.range(0.5, 0.7)]
  const shell = coated(
    random.pick([
      [70, 78, 84],
      [46, 60, 52],
      [96, 98, 102],
    ] as const),
  )
  const t = 0.05
  const side = random.pick([-1, 1])
  const body = m.part('safe_body', (s) => {
    openCase(s, shell, [d, w, h], 0.02, t)
    s.box(steel(), [d - t * 2, w - t * 2, 0.008], [0, 0, h * 0.5], 0.001)
    for (const x of [-1, 1])
      for (const y of [-1, 1]) s.cylinder(rubber(), 0.03, 0.02, [x * (d / 2 - 0.06), y * (w / 2 - 0.06), 0])
  })
  const z = 0.02 + h / 2
  const knobAt = -side * (w * 0.22)
  const door = m.part('door', (s) => {
    s.box(shell, [0.06, w - 0.012, h - 0.012], [d / 2 + 0.03, 0, z], 0.006)
    s.box(steel(), [0.006, w * 0.8, h * 0.8], [d / 2 + 0.062, 0, z], 0.002)
    s.cylinderX(steel(), 0.05, 0.012, [d / 2 + 0.062, knobAt + side * w * 0.28, z + h * 0.12], 24)
    for (const k of [-1, 1])
      s.cylinderX(iron(), 0.014, 0.03, [d / 2 + 0.06, side * (w / 2 - 0.03), z + k * h * 0.3], 12)
  })
  m.hinge(door, body, [d / 2, side * (w / 2 - 0.006), z], [0, 0, side], 110)
  const wheel = m.part('wheel', (s) => {
    const x = d / 2 + 0.09
    s.cylinderX(chrome(), 0.02, 0.04, [d / 2 + 0.064, knobAt, z], 16)
    s.tube(chrome(), circle([x, knobAt, z], 0.07, 'x', 28), 0.008, 8, true)
    for (let i = 0; i < 3; i++) {
      const angle = (i * 2 * Math.PI) / 3
      s.rod(chrome(), [x, knobAt, z], [x, knobAt + 0.07 * Math.cos(angle), z + 0.07 * Math.sin(angle)], 0.006, 8)
    }
  })
  m.spin(wheel, door, [d / 2 + 0.09, knobAt, z], [1, 0, 0])
}

/** A box with four walls and a lid that hangs at the back. */
export function box(m: Maker, random: Random): void {
  const [w, d, h] = [random.range(0.35, 0.6), random.range(0.28, 0.4), random.range(0.2, 0.32)]
  const surface = random.pick([cardboard(), anyWood(random)])
  const t = surface === cardboard() ? 0.008 : 0.016
  const body = m.part('box_body', (s) => {
    s.box(surface, [d, w, t], [0, 0, t / 2], 0.001)
    for (const y of [-1, 1]) s.box(surface, [d, t, h], [0, y * (w / 2 - t / 2), h / 2], 0.001)
    for (const x of [-1, 1]) s.box(surface, [t, w, h], [x * (d / 2 - t / 2), 0, h / 2], 0.001)
  })
  const lid = m.part('lid', (s) => {
    s.box(surface, [d + 0.01, w + 0.01, t], [0, 0, h + t / 2 + 0.001], 0.001)
    s.box(brass(), [0.006, 0.05, 0.04], [d / 2 + 0.008, 0, h - 0.012], 0.001)
  })
  m.hinge(lid, body, [-d / 2, 0, h], [0, -1, 0], random.pick([95, 110, 130]))
}

/** A hard-shell case that lies flat and opens upwards, with a handle in front. */
export function suitcase(m: Maker, random: Random): void {
  const [w, d, h] = [random.range(0.55, 0.7), random.range(0.38, 0.46), random.range(0.1, 0.13)]
  const shell = random.chance(0.5)
    ? leather(
        random.pick([
          [120, 74, 46],
          [70, 48, 36],
        ] as const),
      )
    : plastic(random.pick(BRIGHT))
  const t = 0.012
  const lining = finish('lining', [196, 178, 150], { roughness: 1 })
  const half = (s: Sculpture, z: number, up: number): void => {
    s.box(shell, [d, w, t], [0, 0, z + up * (h - t / 2)], 0.006)
    for (const y of [-1, 1]) s.box(shell, [d, t, h], [0, y * (w / 2 - t / 2), z + (up * h) / 2], 0.005)
    for (const x of [-1, 1]) s.box(shell, [t, w, h], [x * (d / 2 - t / 2), 0, z + (up * h) / 2], 0.005)
    s.box(lining, [d - t * 3, w - t * 3, 0.004], [0, 0, z + up * (h - t - 0.004)], 0.001)
    for (const y of [-1, 1])
      for (const x of [-1, 1])
        s.ball(brass(), [0.02, 0.02, 0.02], [x * (d / 2 - 0.012), y * (w / 2 - 0.012), z + up * (h - 0.012)], 10)
  }
  const seam = h + 0.008
  const body = m.part('suitcase_body', (s) => {
    half(s, seam, -1)
    for (const y of [-1, 1]) s.box(brass(), [0.012, 0.05, 0.03], [d / 2 + 0.005, y * w * 0.28, seam - 0.02], 0.002)
  })
  const lid = m.part('lid', (s) => half(s, seam + 0.001, 1))
  m.hinge(lid, body, [-d / 2, 0, seam], [0, -1, 0], random.pick([90, 100, 110]))
  const handle = m.part('handle', (s) =>
    s.tube(
      leather([60, 40, 30]),
      [
        [d / 2 + 0.004, -0.07, seam - 0.05],
        [d / 2 + 0.05, -0.055, seam - 0.05],
        [d / 2 + 0.05, 0.055, seam - 0.05],
        [d / 2 + 0.004, 0.07, seam - 0.05],
      ],
      0.009,
      8,
    ),
  )
  // It hangs down from where it is held.
  m.hinge(handle, body, [d / 2 + 0.004, 0, seam - 0.05], [0, 1, 0], 80)
}

/** A bin with a pedal and a lid. */
export function trashCan(m: Maker, random: Random): void {
  const [r, h] = [random.range(0.13, 0.17), random.range(0.42, 0.6)]
  const shell = random.pick([steel(), coated(random.pick(BRIGHT))])
  const body = m.part('can_body', (s) => {
    s.lathe(
      shell,
      [
        [0, 0.02],
        [r * 0.98, 0.02],
        [r, 0.05],
        [r, h],
        [r - 0.012, h],
        [r - 0.012, 0.05],
        [0, 0.045],
      ],
      [0, 0, 0],
      36,
    )
    s.lathe(
      rubber(),
      [
        [0, 0],
        [r + 0.012, 0],
        [r + 0.012, 0.03],
        [r, 0.035],
      ],
      [0, 0, 0],
      36,
    )
    s.box(plastic([50, 50, 54]), [0.03, 0.08, 0.05], [-r - 0.012, 0, h - 0.01], 0.004)
  })
  const lid = m.part('lid', (s) =>
    s.lathe(
      shell,
      [
        [0, h + 0.002],
        [r + 0.004, h + 0.002],
        [r + 0.006, h + 0.02],
        [r * 0.7, h + 0.055],
        [0, h + 0.07],
      ],
      [0, 0, 0],
      36,
    ),
  )
  m.hinge(lid, body, [-r - 0.005, 0, h + 0.005], [0, -1, 0], random.pick([70, 80, 90]))
  const pedal = m.part('pedal', (s) => s.box(plastic([40, 40, 44]), [0.09, 0.09, 0.014], [r + 0.05, 0, 0.035], 0.004))
  m.hinge(pedal, body, [r + 0.006, 0, 0.035], [0, 1, 0], 15)
}
