/** What may differ between two pictures of the same thing: light, ground, finish, where the camera stands. */
import type { Random } from '../../../../suite.ts'
import type { Material } from '../../../../world.ts'

/** Plain JSON. */
export interface Look {
  /** Degrees that the camera stands to the side, and above, of where it usually stands. */
  turn: number
  rise: number
  /** Degrees that the lamps are turned about the object. */
  light: number
  /** Factors on r, g, b of the ground, and of the object itself. */
  ground: readonly [number, number, number]
  finish: readonly [number, number, number]
}

export const PLAIN_LOOK: Look = { turn: 0, rise: 0, light: 0, ground: [1, 1, 1], finish: [1, 1, 1] }

export function drawLook(random: Random): Look {
  const shade = (from: number, to: number): [number, number, number] => {
    const all = random.range(from, to)
    const own = (): number => Math.min(1.15, all * random.range(0.9, 1.1))
    return [own(), own(), own()]
  }
  return {
    turn: random.range(-12, 12),
    rise: random.range(-5, 7),
    light: random.range(-70, 70),
    ground: shade(0.55, 1.05),
    finish: shade(0.7, 1.1),
  }
}

export function tinted([r, g, b]: readonly [number, number, number], by: Look['finish']): [number, number, number] {
  const channel = (value: number, k: 0 | 1 | 2): number => Math.max(0, Math.min(255, Math.round(value * by[k])))
  return [channel(r, 0), channel(g, 1), channel(b, 2)]
}

export function finished(material: Material, { finish }: Look): Material {
  return { ...material, color: tinted(material.color, finish) }
}
