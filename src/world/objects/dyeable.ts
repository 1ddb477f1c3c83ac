/** Which parts of an object come in other colors: its cloth, paint and wood, not its steel, glass and prints. */
import { triangleNormal } from '../vector.ts'
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
  const normal = new Float64Array(3)
  for (let t = 0; t < triangleMaterials.length; t++) {
    triangleNormal(positions, indices[t * 3]! * 3, indices[t * 3 + 1]! * 3, indices[t * 3 + 2]! * 3, normal)
    const [x, y, z] = [normal[0]!, normal[1]!, normal[2]!]
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
