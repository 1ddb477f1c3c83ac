import type { TriangleMesh } from '../mesh.ts'
import { triangleNormal } from '../vector.ts'
import { creaseNormals } from './crease.ts'

/** Unit normals of the vertices: the directions of their triangles, weighted by area. */
export function vertexNormals({ positions, indices }: Pick<TriangleMesh, 'positions' | 'indices'>): Float32Array {
  const normals = new Float32Array(positions.length)
  const normal = new Float64Array(3)
  for (let i = 0; i < indices.length; i += 3) {
    const a = indices[i]! * 3
    const b = indices[i + 1]! * 3
    const c = indices[i + 2]! * 3
    triangleNormal(positions, a, b, c, normal)
    for (const at of [a, b, c]) {
      normals[at] = normals[at]! + normal[0]!
      normals[at + 1] = normals[at + 1]! + normal[1]!
      normals[at + 2] = normals[at + 2]! + normal[2]!
    }
  }
  for (let i = 0; i < normals.length; i += 3) {
    const length = Math.hypot(normals[i]!, normals[i + 1]!, normals[i + 2]!) || 1
    normals[i] = normals[i]! / length
    normals[i + 1] = normals[i + 1]! / length
    normals[i + 2] = normals[i + 2]! / length
  }
  return normals
}

/**
 * How much a surface is shaded: not at all where its color was captured with its light, softly where a picture shows
 * some of its form, in full where it has one color all over.
 */
export type Shading = 'none' | 'soft' | 'full'

/** A scan's colors differ by more than this somewhere; a mesh that is painted in one color holds no light. */
const PAINTED = 6

/** How much a mesh with these vertex colors is shaded: not at all where they were captured. */
export function shadingOf(colors: Uint8Array | undefined): Shading {
  if (!colors) return 'full'
  for (let k = 0; k < 3; k++)
    for (let i = k; i < colors.length; i += 3) if (Math.abs(colors[i]! - colors[k]!) > PAINTED) return 'none'
  return 'full'
}

/** Light on the darkest and the lightest surface. Never all of it, so that white stands out from the background. */
const LIGHT: Readonly<Record<Shading, readonly [number, number]>> = {
  none: [1, 1],
  soft: [0.6, 1],
  full: [0.3, 0.9],
}
/** Two lamps, so that walls at right angles differ; taken without sign, since triangles have two sides. */
const MAIN_LAMP = [0.5, 0.24, 0.83] as const
const SIDE_LAMP = [-0.8, 0.6, 0] as const
const MAIN_PART = 0.9

/** Whether a mesh has a surface that is shaded at all. */
export function needsShading({ triangleMaterials }: TriangleMesh, shading: readonly Shading[]): boolean {
  const wanted = shading.map((level) => level !== 'none')
  if (!triangleMaterials) return wanted[0] === true
  return wanted.includes(true) && triangleMaterials.some((material) => wanted[material])
}

/** Multiplies the colors of a mesh (z up) by light from its normals; vertices at hard edges that lack them are split. */
export function shadeByNormal(mesh: TriangleMesh, shading: readonly Shading[]): TriangleMesh {
  const creased = creaseNormals(mesh)
  const { positions, normals, indices, triangleMaterials } = creased
  const vertices = positions.length / 3
  const levelOf = new Uint8Array(vertices)
  const levels: readonly Shading[] = ['none', 'soft', 'full']
  for (let i = 0; i < indices.length; i++)
    levelOf[indices[i]!] = levels.indexOf(shading[triangleMaterials?.[(i / 3) | 0] ?? 0] ?? 'full')
  const colors = creased.colors ? Uint8Array.from(creased.colors) : new Uint8Array(vertices * 3).fill(255)
  for (let vertex = 0; vertex < vertices; vertex++) {
    const i = vertex * 3
    const [dark, light] = LIGHT[levels[levelOf[vertex]!]!]
    if (dark === 1) continue
    const x = normals[i]!
    const y = normals[i + 1]!
    const z = normals[i + 2]!
    const length = Math.sqrt(x * x + y * y + z * z) || 1
    const main = Math.abs(x * MAIN_LAMP[0] + y * MAIN_LAMP[1] + z * MAIN_LAMP[2]) / length
    const side = Math.abs(x * SIDE_LAMP[0] + y * SIDE_LAMP[1]) / length
    const factor = dark + (light - dark) * (MAIN_PART * main + (1 - MAIN_PART) * side)
    for (let k = i; k < i + 3; k++) colors[k] = Math.round(colors[k]! * factor)
  }
  return { ...creased, colors }
}
