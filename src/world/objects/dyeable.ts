/** Which parts of an object come in other colors: its cloth, paint and wood, not its steel, glass and prints. */
import type { MeshBuilder } from './builder.ts'

export interface DyeablePart {
  /** Its place among the materials of the mesh. */
  material: number
  /** Wood comes in the colors of wood, or painted. */
  wooden: boolean
}

/** By the first words of the finish's name. */
const DYED =
  /^(fabric|linen|knit|leather|fur|lacquer|plastic|ceramic|wicker|coated metal|glaze|cover|towel|paint|cardboard|lamp shade|bottle glass) \d/
const WOODEN = /^(\w+ wood|wood|white lacquer) \d/
const PARTS = 2

/** The materials that take most of the surface, of those that can have another color; the largest first. */
export function dyeableParts({ materials, positions, indices, triangleMaterials }: MeshBuilder): DyeablePart[] {
  const areas = new Float64Array(materials.length)
  for (let t = 0; t < triangleMaterials.length; t++) {
    const a = indices[t * 3]! * 3
    const b = indices[t * 3 + 1]! * 3
    const c = indices[t * 3 + 2]! * 3
    const ux = positions[b]! - positions[a]!
    const uy = positions[b + 1]! - positions[a + 1]!
    const uz = positions[b + 2]! - positions[a + 2]!
    const vx = positions[c]! - positions[a]!
    const vy = positions[c + 1]! - positions[a + 1]!
    const vz = positions[c + 2]! - positions[a + 2]!
    const x = uy * vz - uz * vy
    const y = uz * vx - ux * vz
    const z = ux * vy - uy * vx
    const material = triangleMaterials[t]!
    areas[material] = areas[material]! + Math.sqrt(x * x + y * y + z * z)
  }
  return materials
    .map(({ name }, material) => ({ material, wooden: WOODEN.test(name), dyed: DYED.test(name) }))
    .filter(({ wooden, dyed }) => wooden || dyed)
    .sort((a, b) => areas[b.material]! - areas[a.material]!)
    .slice(0, PARTS)
    .map(({ material, wooden }) => ({ material, wooden }))
}
