/** Parts that are plain boxes. */
import { cornersOf } from '../../../../src/suites/articulate/domain/assembly/box.ts'
import type { Part } from '../../../../src/suites/articulate/domain/assembly/parts.ts'
import type { Vec3 } from '../../../../src/world/urdf/index.ts'

/** The corners of a box of full lengths `size` around `center`. */
export function boxPoints(size: Vec3, center: Vec3): Float64Array {
  const at = (side: -0.5 | 0.5): Vec3 => [
    center[0] + size[0] * side,
    center[1] + size[1] * side,
    center[2] + size[2] * side,
  ]
  return Float64Array.from(cornersOf({ min: at(-0.5), max: at(0.5) }).flat())
}

export function boxPart(name: string, size: Vec3, center: Vec3 = [0, 0, 0]): Part {
  return { name, points: boxPoints(size, center) }
}
