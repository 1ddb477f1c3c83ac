import type { ParsedMesh } from './parsed-mesh.ts'
import { readPly } from './ply.ts'
import { shadingOf } from './shade.ts'
import type { SiblingFiles } from './sibling-files.ts'

/** Reads a PLY mesh and the pictures that it names. */
export async function parseTexturedPly(bytes: Uint8Array, file: string, beside: SiblingFiles): Promise<ParsedMesh> {
  const { mesh, textureFiles } = readPly(bytes, file)
  const textures = await Promise.all(textureFiles.map((name) => beside.texture(name)))
  const found = textures.some((texture) => texture !== undefined)
  const materials = mesh.materials.map((material, at) => {
    const texture = textures[at]
    return texture ? { ...material, texture } : material
  })
  const { colors, uvs: _, ...plain } = mesh
  // Where a picture is, the vertex colors are the same once more; where none is, coordinates in it mean nothing.
  const shading = shadingOf(colors)
  if (found) return { mesh: { ...plain, uvs: mesh.uvs!, materials } }
  return {
    mesh: { ...plain, ...(colors && { colors }), materials },
    shading: materials.map(() => shading),
  }
}
