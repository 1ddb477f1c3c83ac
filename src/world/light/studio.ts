/** One object alone on a pale ground under studio light: for sheets of objects and for pictures of single things. */
import { finish } from '../materials/finishes.ts'
import type { TriangleMesh } from '../mesh.ts'
import type { ObjectModel } from '../objects/model.ts'
import { bakeLight } from './bake.ts'
import { BoxCaster } from './boxes.ts'

const GROUND = finish('studio ground', [208, 210, 213])
const GROUND_CELLS = 44

/** A lit mesh of the object, turned by `yaw` 0, on a round of ground that its shadow falls on. */
export function studioMesh(model: ObjectModel): TriangleMesh {
  const { mesh, size } = model
  const reach = Math.max(size[0], size[1], size[2]) * 30
  const own = mesh.positions.length / 3
  const ground = (GROUND_CELLS + 1) * (GROUND_CELLS + 1)
  const positions = new Float32Array((own + ground) * 3)
  const normals = new Float32Array((own + ground) * 3)
  const uvs = new Float32Array((own + ground) * 2)
  positions.set(mesh.positions)
  normals.set(mesh.normals)
  uvs.set(mesh.uvs)
  const indices = Array.from(mesh.indices)
  const materials = Array.from(mesh.triangleMaterials)
  for (let j = 0, at = own; j <= GROUND_CELLS; j++) {
    for (let i = 0; i <= GROUND_CELLS; i++, at++) {
      // Finer in the middle, where the shadow is.
      positions[at * 3] = spread(i) * reach
      positions[at * 3 + 1] = spread(j) * reach
      normals[at * 3 + 2] = 1
      if (i === GROUND_CELLS || j === GROUND_CELLS) continue
      indices.push(at, at + 1, at + GROUND_CELLS + 1, at + 1, at + GROUND_CELLS + 2, at + GROUND_CELLS + 1)
      materials.push(mesh.materials.length, mesh.materials.length)
    }
  }
  const lit = {
    positions,
    normals,
    uvs,
    indices: new Uint32Array(indices),
    triangleMaterials: new Uint16Array(materials),
    materials: [...mesh.materials, GROUND.material],
  }
  const s = Math.max(size[0], size[1], size[2])
  const light = bakeLight(lit, new BoxCaster(model.occluders), {
    ambient: () => [0.5, 0.52, 0.55],
    ambientReach: Math.min(1.2, s * 0.9),
    // Shadows of small things are as sharp as those of large ones.
    cell: Math.min(0.055, s * 0.03),
    areas: [
      {
        center: [s * 1.8, s * 1.5, s * 2.6],
        u: [-s * 0.5, s * 0.6, 0],
        v: [-s * 0.4, -s * 0.3, s * 0.45],
        normal: unit([-1.8, -1.5, -2.2]),
        color: [11, 10.6, 10],
        samples: [4, 4],
        reach: 100,
      },
      {
        center: [s * 2.4, -s * 2.2, s * 1.2],
        u: [s * 0.5, s * 0.5, 0],
        v: [0, 0, s * 0.7],
        normal: unit([-2.4, 2.2, -0.8]),
        color: [2.4, 2.5, 2.7],
        samples: [2, 2],
        reach: 100,
      },
    ],
  })
  return { ...lit, light }
}

function spread(i: number): number {
  const t = (2 * i) / GROUND_CELLS - 1
  return t * (0.05 + 0.95 * t * t * t * t)
}

function unit(v: readonly [number, number, number]): readonly [number, number, number] {
  const length = Math.sqrt(v[0] * v[0] + v[1] * v[1] + v[2] * v[2])
  return [v[0] / length, v[1] / length, v[2] / length]
}
