/**
 * Mirrors that show their room. What a mirror shows depends on who looks; here it is what someone at arm's length
 * before its middle would see, drawn once and laid over the glass.
 */
import type { JoinedMesh } from '../join.ts'
import type { Material } from '../mesh.ts'
import { mirror } from '../materials/finishes.ts'
import { lookAlong, prepareScene, Renderer } from '../render/index.ts'
import { turnOf } from '../trig.ts'
import type { Scene } from './scene.ts'

/** How far before the glass the one who looks stands, meters. */
const BEFORE = 0.9
/** Pixels per meter of glass. */
const SHARPNESS = 260
const MOST_PIXELS = 512

export type LitMesh = JoinedMesh & { light: Float32Array }

/** Lays over each mirror what is opposite it. */
export function withReflections(scene: Scene, mesh: LitMesh): LitMesh {
  const plain = mesh.materials.indexOf(mirror().material)
  if (plain < 0) return mesh
  const renderer = new Renderer(prepareScene(mesh))
  const materials: Material[] = [...mesh.materials]
  const triangleMaterials = mesh.triangleMaterials.slice()
  const uvs = mesh.uvs.slice()
  const light = mesh.light.slice()
  for (const { instance, yaw } of scene.objects) {
    const triangles: number[] = []
    mesh.triangleMaterials.forEach((material, t) => {
      if (material === plain && mesh.triangleInstances[t] === instance) triangles.push(t)
    })
    if (triangles.length === 0) continue
    const vertices = new Set(triangles.flatMap((t) => [0, 1, 2].map((k) => mesh.indices[t * 3 + k]!)))
    // In the mirror's frame: forwards, to its left, up.
    const [c, s] = turnOf(yaw)
    const local = (v: number): readonly [number, number, number] => {
      const [x, y, z] = [mesh.positions[v * 3]!, mesh.positions[v * 3 + 1]!, mesh.positions[v * 3 + 2]!]
      return [c * x + s * y, -s * x + c * y, z]
    }
    const low = [Infinity, Infinity, Infinity]
    const high = [-Infinity, -Infinity, -Infinity]
    for (const v of vertices) {
      local(v).forEach((value, k) => {
        low[k] = Math.min(low[k]!, value)
        high[k] = Math.max(high[k]!, value)
      })
    }
    const [wide, tall] = [high[1]! - low[1]!, high[2]! - low[2]!]
    const size = {
      width: Math.max(2, Math.min(MOST_PIXELS, Math.round(wide * SHARPNESS))),
      height: Math.max(2, Math.min(MOST_PIXELS, Math.round(tall * SHARPNESS))),
    }
    const [forwards, left] = [high[0]! + 0.03, (low[1]! + high[1]!) / 2]
    const { color } = renderer.render(
      {
        pose: lookAlong([c, s, 0], [c * forwards - s * left, s * forwards + c * left, (low[2]! + high[2]!) / 2]),
        lens: {
          fx: (size.width / wide) * BEFORE,
          fy: (size.height / tall) * BEFORE,
          cx: size.width / 2,
          cy: size.height / 2,
        },
      },
      { ...size, antialias: true },
    )
    const rgba = new Uint8Array(size.width * size.height * 4).fill(255)
    for (let i = 0; i < size.width * size.height; i++) rgba.set(color.subarray(i * 3, i * 3 + 3), i * 4)
    const shown =
      materials.push({ name: `mirror ${instance}`, color: [235, 240, 240], texture: { ...size, rgba }, glow: 1 }) - 1
    for (const t of triangles) triangleMaterials[t] = shown
    for (const v of vertices) {
      const [, y, z] = local(v)
      uvs[v * 2] = (high[1]! - y) / wide
      uvs[v * 2 + 1] = (high[2]! - z) / tall
      light.fill(0, v * 3, v * 3 + 3)
    }
  }
  return { ...mesh, materials, triangleMaterials, uvs, light }
}
