import type { Vec3 } from '../vector.ts'

interface Shape {
  positions: Float32Array
  indices: Uint32Array
}

/** Corners of a box are numbered by the signs of x, y and z. */
const BOX_TRIANGLES = [
  0, 2, 3, 0, 3, 1, 4, 5, 7, 4, 7, 6, 0, 1, 5, 0, 5, 4, 2, 6, 7, 2, 7, 3, 0, 4, 6, 0, 6, 2, 1, 3, 7, 1, 7, 5,
]

/** A box around the origin. */
export function boxShape([x, y, z]: Vec3): Shape {
  const corner = (i: number) => [((i & 1) - 0.5) * x, (((i >> 1) & 1) - 0.5) * y, (((i >> 2) & 1) - 0.5) * z]
  return {
    positions: Float32Array.from(Array.from({ length: 8 }, (_, i) => corner(i)).flat()),
    indices: Uint32Array.from(BOX_TRIANGLES),
  }
}

const SEGMENTS = 32
const CAP_RINGS = 8

/** A cylinder along z, around the origin, with flat or round ends; of no length and with round ends it is a ball. */
export function turnedShape(radius: number, length: number, round: boolean): Shape {
  /** Radius and height of each ring, from the lower end to the upper. */
  const rings: [number, number][] = []
  for (const end of [-1, 1]) {
    const half = (end * length) / 2
    for (let i = 0; i <= CAP_RINGS; i++) {
      // From the pole at the lower end, to the pole at the upper.
      const angle = ((end < 0 ? i : CAP_RINGS - i) / CAP_RINGS) * (Math.PI / 2)
      if (round) rings.push([radius * Math.sin(angle), half + end * radius * Math.cos(angle)])
    }
    // A flat end is two rings at one height: its middle and its rim.
    if (!round) for (const r of end < 0 ? [0, radius] : [radius, 0]) rings.push([r, half])
  }
  const positions: number[] = []
  const indices: number[] = []
  rings.forEach(([r, z], ring) => {
    for (let k = 0; k < SEGMENTS; k++) {
      const turn = (k / SEGMENTS) * 2 * Math.PI
      positions.push(r * Math.cos(turn), r * Math.sin(turn), z)
      if (ring === 0) continue
      const a = ring * SEGMENTS + k
      const b = ring * SEGMENTS + ((k + 1) % SEGMENTS)
      indices.push(a - SEGMENTS, b - SEGMENTS, b, a - SEGMENTS, b, a)
    }
  })
  return { positions: Float32Array.from(positions), indices: Uint32Array.from(indices) }
}
