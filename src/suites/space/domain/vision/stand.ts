/** What an object stands on that does not belong on a floor, or that could not be seen from across a room. In real meters. */
import { finish, Sculpture } from '../../../../world.ts'

export interface Stand {
  depth: number
  width: number
  height: number
}

const BODY = finish('stand', [232, 229, 222], { roughness: 0.7 })
const PANEL = finish('stand panel', [250, 249, 246], { roughness: 0.6 })
const GRIP = finish('stand grip', [66, 68, 74], { roughness: 0.4 })
const OPENING = finish('stand opening', [44, 45, 50], { roughness: 0.9 })
const PEDESTAL = finish('pedestal', [188, 190, 194], { roughness: 0.8 })
const GAP = 0.03

/** A low cabinet with two doors on its front (+x) and a dark opening for cables in its back, for an object with a front. */
export function cabinetStand({ depth, width, height }: Stand): Sculpture {
  const stand = new Sculpture()
  stand.box(BODY, [depth - 0.025, width, height], [-0.0075, 0, height / 2], 0.01)
  stand.box(OPENING, [0.01, width * 0.5, height * 0.8], [-depth / 2 + 0.002, 0, height / 2], 0.002)
  const each = (width - 3 * GAP) / 2
  for (const side of [-1, 1]) {
    const y = (side * (each + GAP)) / 2
    stand.box(PANEL, [0.02, each, height - 2 * GAP], [depth / 2 - 0.012, y, height / 2], 0.004)
    stand.box(GRIP, [0.02, 0.025, height * 0.4], [depth / 2 - 0.01, y - side * (each / 2 - 0.05), height / 2], 0.004)
  }
  return stand
}

/** A plain block, the same from all sides, for an object without a front. */
export function pedestal({ depth, width, height }: Stand): Sculpture {
  return new Sculpture().box(PEDESTAL, [depth, width, height], [0, 0, height / 2], 0.015)
}
