/** Musical instruments. */
import type { Random } from '../../base/random.ts'
import { brass, chrome, coated, finish, iron, lacquer, plastic, wood } from './finish-list.ts'
import type { ObjectKind } from './model.ts'
import { type Sculpture, type Vec3, circle, curve } from './shapes.ts'

/** An upright piano with its keys to the front. */
function piano(s: Sculpture, random: Random): void {
  const body = random.chance(0.5) ? lacquer([30, 28, 30]) : wood(random.pick(['walnut', 'cherry'] as const))
  const [d, w, h] = [0.6, 1.48, 1.2]
  const back = -d / 2 + 0.17
  s.box(body, [0.32, w, h - 0.04], [back, 0, (h - 0.04) / 2], 0.012, 2)
  s.box(body, [0.36, w + 0.03, 0.035], [back + 0.01, 0, h - 0.018], 0.01, 2)
  s.box(body, [0.3, w - 0.06, 0.09], [d / 2 - 0.15, 0, 0.62], 0.012)
  for (const y of [-1, 1]) {
    s.box(body, [0.32, 0.055, 0.16], [d / 2 - 0.16, y * (w / 2 - 0.03), 0.66], 0.014, 2)
    s.lathe(
      body,
      [
        [0, 0],
        [0.04, 0],
        [0.042, 0.03],
        [0.025, 0.06],
        [0.035, 0.2],
        [0.028, 0.4],
        [0.04, 0.54],
        [0, 0.575],
      ],
      [d / 2 - 0.06, y * (w / 2 - 0.05), 0],
      18,
    )
    s.box(body, [0.36, 0.06, 0.05], [d / 2 - 0.19, y * (w / 2 - 0.05), 0.025], 0.01)
  }
  const ivory = finish('ivory', [250, 248, 240], { roughness: 0.25 })
  const ebony = finish('ebony', [26, 26, 28], { roughness: 0.3 })
  const keys = 36
  const wide = (w - 0.13) / keys
  for (let i = 0; i < keys; i++) {
    const y = -w / 2 + 0.065 + wide * (i + 0.5)
    s.box(ivory, [0.15, wide - 0.002, 0.02], [d / 2 - 0.1, y, 0.678], 0)
    const tone = i % 7
    if (tone !== 2 && tone !== 6 && i < keys - 1)
      s.box(ebony, [0.095, wide * 0.55, 0.02], [d / 2 - 0.13, y + wide / 2, 0.694], 0)
  }
  s.box(body, [0.02, w - 0.11, 0.06], [d / 2 - 0.19, 0, 0.715], 0.004)
  // Music stand with two open pages.
  s.at(
    [back + 0.165, 0, 0.8],
    () => {
      s.box(body, [0.015, 0.7, 0.24], [0.01, 0, 0.12], 0.005)
      s.box(body, [0.04, 0.7, 0.015], [0.025, 0, 0.005], 0.004)
      for (const y of [-1, 1]) {
        s.box(finish('paper', [248, 246, 240], { roughness: 1 }), [0.002, 0.2, 0.26], [0.02, y * 0.102, 0.145], 0)
        for (let k = 0; k < 5; k++)
          s.box(coated([60, 60, 66]), [0.001, 0.17, 0.008], [0.0215, y * 0.102, 0.05 + k * 0.045], 0)
      }
    },
    { pitch: -10 },
  )
  for (let i = -1; i <= 1; i++) s.box(brass(), [0.09, 0.02, 0.01], [back + 0.2, i * 0.06, 0.045], 0.004)
}

function guitar(s: Sculpture, random: Random): void {
  const top = finish(
    'spruce',
    random.pick([
      [232, 176, 104],
      [206, 130, 70],
      [176, 70, 46],
    ] as const),
    { surface: 'wood', tile: 0.5, roughness: 0.25 },
  )
  const side = wood('walnut')
  const dark = wood('wenge')
  // It leans back on a stand; its front is +x.
  s.at(
    [0, 0, 0.06],
    () => {
      const half: readonly Vec3[] = [
        [0, 0, 0],
        [0.12, 0.02, 0],
        [0.19, 0.1, 0],
        [0.18, 0.2, 0],
        [0.12, 0.28, 0],
        [0.115, 0.33, 0],
        [0.145, 0.4, 0],
        [0.12, 0.47, 0],
        [0.03, 0.49, 0],
      ]
      const right = curve(half, 3)
      const outline = [
        ...right.map(([y, z]) => [y, z] as const),
        ...right.toReversed().map(([y, z]) => [-y, z] as const),
      ].slice(0, -1)
      s.at([-0.05, 0, 0], () => {
        s.at(
          [0, 0, 0],
          () =>
            s.extrude(
              side,
              outline.map(([y, z]) => [-z, y] as const),
              0.088,
            ),
          { pitch: 90 },
        )
        s.at(
          [0.088, 0, 0],
          () =>
            s.extrude(
              top,
              outline.map(([y, z]) => [-z, y] as const),
              0.006,
            ),
          { pitch: 90 },
        )
      })
      s.cylinderX(plastic([24, 20, 18]), 0.048, 0.001, [0.0445, 0, 0.32], 28, 0)
      s.tube(wood('wenge'), circle([0.0455, 0, 0.32], 0.054, 'x', 28), 0.004, 5, true)
      s.box(dark, [0.012, 0.16, 0.028], [0.05, 0, 0.14], 0.004)
      s.box(dark, [0.018, 0.052, 0.5], [0.048, 0, 0.62], 0.005)
      s.box(wood('cherry'), [0.03, 0.046, 0.4], [0.026, 0, 0.67], 0.012)
      for (let i = 0; i < 12; i++)
        s.box(chrome(), [0.002, 0.05, 0.0025], [0.0575, 0, 0.86 - i * (0.042 - i * 0.0012)], 0)
      s.at(
        [0.04, 0, 0.87],
        () => {
          s.box(dark, [0.018, 0.07, 0.17], [0, 0, 0.08], 0.006)
          for (const y of [-1, 1])
            for (let i = 0; i < 3; i++) {
              s.at([0, y * 0.034, 0.035 + i * 0.045], () => s.cylinder(chrome(), 0.006, 0.03, [0, 0, 0], 8), {
                roll: -y * 90,
              })
              s.ball(plastic([244, 240, 228]), [0.008, 0.006, 0.012], [0, y * 0.07, 0.035 + i * 0.045], 8)
            }
        },
        { pitch: -12 },
      )
      for (let i = 0; i < 6; i++)
        s.tube(
          finish('string', [230, 226, 214], { roughness: 0.2 }),
          [
            [0.0585, -0.02 + i * 0.008, 0.14],
            [0.0605, -0.017 + i * 0.0068, 0.88],
          ],
          0.0009,
          4,
        )
    },
    { pitch: -13 },
  )
  const stand = iron()
  s.tube(
    stand,
    [
      [0.09, -0.12, 0.06],
      [0.02, -0.1, 0.06],
      [-0.2, 0, 0.03],
      [0.02, 0.1, 0.06],
      [0.09, 0.12, 0.06],
    ],
    0.009,
    6,
  )
  for (const y of [-1, 1])
    s.tube(
      stand,
      [
        [0.02, y * 0.1, 0.06],
        [0.1, y * 0.17, 0.009],
      ],
      0.009,
      6,
    )
  s.tube(
    stand,
    [
      [-0.2, 0, 0.03],
      [-0.2, 0, 0.4],
      [-0.15, 0, 0.44],
    ],
    0.009,
    6,
  )
  s.tube(
    stand,
    [
      [-0.2, 0, 0.03],
      [-0.24, 0, 0.009],
    ],
    0.009,
    6,
  )
}

export const instruments = {
  piano: { mount: 'floor', oriented: true, build: piano },
  guitar: { mount: 'floor', oriented: true, build: guitar },
} as const satisfies Record<string, ObjectKind>
