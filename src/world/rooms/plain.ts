/** The same scene without textures and without the light of the place: each surface in one color, shaded by its slope. */
import type { JoinedMesh } from '../join.ts'
import type { Material, Texture } from '../mesh.ts'

/** Where the even light comes from, unit length, and how much darker what faces away from it is. */
const TOWARDS = [0.36, 0.48, 0.8] as const
const LEVEL = 0.78
const SLOPE = 0.22

export function plainMesh(mesh: JoinedMesh): JoinedMesh & { light: Float32Array } {
  const light = new Float32Array(mesh.positions.length)
  for (let i = 0; i < light.length; i += 3) {
    const [nx, ny, nz] = [mesh.normals[i]!, mesh.normals[i + 1]!, mesh.normals[i + 2]!]
    light.fill(LEVEL + SLOPE * (nx * TOWARDS[0] + ny * TOWARDS[1] + nz * TOWARDS[2]), i, i + 3)
  }
  return { ...mesh, light, materials: mesh.materials.map(oneColor) }
}

function oneColor({ name, color, opacity, texture }: Material): Material {
  const mean = texture ? meanOf(texture) : WHITE
  return {
    name,
    color: [(color[0] * mean[0]) / 255, (color[1] * mean[1]) / 255, (color[2] * mean[2]) / 255],
    ...(opacity === undefined ? {} : { opacity }),
  }
}

const WHITE = [255, 255, 255] as const
const means = new WeakMap<Texture, readonly [number, number, number]>()

function meanOf(texture: Texture): readonly [number, number, number] {
  let mean = means.get(texture)
  if (!mean) {
    const { rgba } = texture
    const sum = [0, 0, 0]
    for (let i = 0; i < rgba.length; i += 4) for (let k = 0; k < 3; k++) sum[k] = sum[k]! + rgba[i + k]!
    const texels = rgba.length / 4
    mean = [sum[0]! / texels, sum[1]! / texels, sum[2]! / texels]
    means.set(texture, mean)
  }
  return mean
}
