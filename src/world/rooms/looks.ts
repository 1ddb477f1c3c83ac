/** What floors, walls and ceilings look like. */
import type { Random } from '../../base/random.ts'
import type { RoomKind, SurfaceLook } from './scene.ts'

type Rgb = readonly [number, number, number]

const WOODEN: readonly Rgb[] = [
  [206, 162, 112],
  [176, 124, 82],
  [226, 194, 152],
  [128, 90, 64],
]
const WALLS: readonly Rgb[] = [
  [240, 236, 226],
  [226, 232, 232],
  [236, 226, 206],
  [206, 220, 214],
  [214, 222, 234],
  [238, 220, 208],
  [228, 228, 222],
  [196, 206, 190],
]
const TILES: readonly Rgb[] = [
  [236, 238, 238],
  [206, 222, 226],
  [226, 216, 200],
  [190, 206, 200],
]

const look = (surface: string, tile: number, color: Rgb): SurfaceLook => ({ surface, tile, color: [...color] })

/** Any color between two that people paint walls with; now and then a strong one. */
function wallColor(random: Random): Rgb {
  const [a, b, t] = [random.pick(WALLS), random.pick(WALLS), random.unit()]
  const strong = random.chance(0.2) ? random.range(0.75, 0.92) : 1
  const kept = random.int(3)
  const channel = (k: 0 | 1 | 2): number => Math.round((a[k] + (b[k] - a[k]) * t) * (k === kept ? 1 : strong))
  return [channel(0), channel(1), channel(2)]
}

export function looksOf(
  kind: RoomKind,
  random: Random,
): { floor: SurfaceLook; walls: SurfaceLook; ceiling: SurfaceLook } {
  const painted = look('rolled', 0.7, wallColor(random))
  const white = look('rolled', 1, [248, 248, 246])
  switch (kind) {
    case 'bathroom': {
      const floor = random.pick([
        look('slabs', 1.2, [176, 178, 176]),
        look('checker', 1.2, [250, 250, 248]),
        look('tiles', 1, random.pick(TILES)),
      ])
      return {
        floor,
        walls: random.pick([look('metro', 0.8, [248, 248, 246]), look('tiles', 0.8, random.pick(TILES))]),
        ceiling: white,
      }
    }
    case 'kitchen':
      return {
        floor: random.pick([
          look('slabs', 1.4, [196, 190, 180]),
          look('tiles', 1.3, [222, 210, 192]),
          look('planks', 0.96, random.pick(WOODEN)),
          look('checker', 1.4, [246, 244, 240]),
        ]),
        walls: painted,
        ceiling: white,
      }
    case 'office':
      return {
        floor: random.pick([
          look('carpet', 0.8, [112, 120, 132]),
          look('carpet', 0.8, [140, 132, 122]),
          look('planks', 0.96, random.pick(WOODEN)),
        ]),
        walls: painted,
        ceiling: look('ceilingTiles', 1.2, [246, 246, 244]),
      }
    case 'class room':
      return {
        floor: random.pick([look('planks', 0.96, random.pick(WOODEN)), look('tiles', 1.6, [196, 206, 200])]),
        walls: painted,
        ceiling: look('ceilingTiles', 1.2, [246, 246, 244]),
      }
    case 'workshop':
      return {
        floor: look('concrete', 2, [176, 174, 170]),
        walls: random.pick([
          look('brick', 1, [255, 255, 255]),
          look('brick', 1, [236, 232, 226]),
          look('concrete', 2, [206, 204, 200]),
        ]),
        ceiling: look('concrete', 2, [226, 226, 222]),
      }
    case 'corridor':
      return {
        floor: random.pick([
          look('planks', 0.96, random.pick(WOODEN)),
          look('slabs', 1.4, [190, 184, 174]),
          look('checker', 1.6, [246, 244, 240]),
        ]),
        walls: painted,
        ceiling: white,
      }
    case 'bedroom':
    case 'living room':
      return {
        floor: random.pick([
          look('planks', 0.96, random.pick(WOODEN)),
          look('herringbone', 1.4, random.pick(WOODEN)),
          look(
            'carpet',
            0.8,
            random.pick([
              [196, 188, 172],
              [150, 142, 136],
            ] as const),
          ),
        ]),
        walls: random.chance(0.2) ? look('stripes', 0.8, random.pick(WALLS)) : painted,
        ceiling: white,
      }
    default:
      return kind satisfies never
  }
}
