import type { TriangleMesh } from '../mesh.ts'
import type { UpAxis } from './axes.ts'
import type { Shading } from './shade.ts'

/** A node or link of the file that has triangles, by the number in `triangleInstances`. */
export interface MeshPart {
  instance: number
  name: string
}

/** What a format's reader found, in the axes and units of the file. */
export interface ParsedMesh {
  mesh: TriangleMesh
  parts?: readonly MeshPart[]
  /** How much the surfaces of each material are shaded by their direction. Default: colors and pictures are captured. */
  shading?: readonly Shading[]
  /** Where the format or the file says so. */
  up?: UpAxis
  metersPerUnit?: number
}
