/** Objects as the renderer wants them: parts lit once, put where a robot has them, on a pale ground. */
import {
  aboutAxis,
  bakeLight,
  BoxCaster,
  compose,
  finish,
  type Frame,
  joinLitMeshes,
  moved,
  type ObjectMesh,
  type Occluder,
  type TriangleMesh,
  type Vec3,
} from '../../../../world.ts'
import { finished, type Look, PLAIN_LOOK, tinted } from './look.ts'
import type { ArticulatedModel, ModelPart } from '../../domain/objects/model.ts'

const GROUND = finish('studio ground', [236, 236, 234])
const GROUND_CELLS = 40

type LitPart = ObjectMesh & { light: Float32Array }

/** Of every part the last look: pictures of one look are drawn one after the other. */
const lit = new WeakMap<ObjectMesh, { look: Look; mesh: LitPart }>()

/** A part under studio light, by itself: the same wherever it is put, so that two pictures differ only in motion. */
function litPart({ mesh, occluders }: ModelPart, diagonal: number, look: Look): LitPart {
  let found = lit.get(mesh)
  if (found?.look !== look) {
    const light = bakeLight(mesh, new BoxCaster(occluders), studio(diagonal, look))
    const materials = look === PLAIN_LOOK ? mesh.materials : mesh.materials.map((material) => finished(material, look))
    found = { look, mesh: { ...mesh, materials, light } }
    lit.set(mesh, found)
  }
  return found.mesh
}

type Setup = Parameters<typeof bakeLight>[2]

function studio(s: number, { light: turn }: Look): Setup {
  const lamps = aboutAxis([0, 0, 1], (turn * Math.PI) / 180)
  const area = (
    center: Vec3,
    u: Vec3,
    v: Vec3,
    color: Vec3,
    samples: readonly [number, number],
  ): Setup['areas'][number] => areaLight(moved(lamps, center), moved(lamps, u), moved(lamps, v), color, samples)
  return {
    ambient: () => [0.52, 0.54, 0.57],
    ambientReach: Math.min(0.6, s * 0.4),
    areas: [
      area([s * 1.8, s * 1.5, s * 2.6], [-s * 0.5, s * 0.6, 0], [-s * 0.4, -s * 0.3, s * 0.45], [11, 10.6, 10], [2, 2]),
      area([s * 2.4, -s * 2.2, s * 1.2], [s * 0.5, s * 0.5, 0], [0, 0, s * 0.7], [2.6, 2.7, 2.9], [1, 1]),
    ],
  }
}

function areaLight(
  center: Vec3,
  u: Vec3,
  v: Vec3,
  color: Vec3,
  samples: readonly [number, number],
): Setup['areas'][number] {
  const length = Math.hypot(...center)
  const normal: Vec3 = [-center[0] / length, -center[1] / length, -center[2] / length]
  return { center, u, v, normal, color, samples, reach: 100 }
}

/** What studio light is measured by. */
export function modelDiagonal(model: ArticulatedModel): number {
  return Math.max(...model.parts.map(({ size }) => Math.hypot(...size)))
}

/** Where each part's own frame is in the world. */
export type PartFrames = ReadonlyMap<string, Frame>

/**
 * The chosen parts as one mesh; instances count parts from 1 in the model's order. All of them throw shadows on the
 * ground, or those named in `casters`.
 */
export function posedMesh(
  model: ArticulatedModel,
  frames: PartFrames,
  {
    diagonal,
    ground,
    casters,
    look = PLAIN_LOOK,
  }: { diagonal: number; ground: number | null; casters?: ReadonlySet<string>; look?: Look },
): TriangleMesh {
  const placed = model.parts.flatMap((part, i) => {
    const frame = frames.get(part.name)
    return frame ? [{ part, frame, instance: i + 1, mesh: litPart(part, diagonal, look) }] : []
  })
  const casting = casters ? placed.filter(({ part }) => casters.has(part.name)) : placed
  const floor = ground === null ? null : groundMesh(casting, ground, diagonal, look)
  return joinLitMeshes(floor ? [...placed, { mesh: floor, instance: 0, frame: null }] : placed)
}

/** A round of ground that shadows fall on: cheap enough to be lit for every pose. */
function groundMesh(
  placed: readonly { part: ModelPart; frame: Frame }[],
  z: number,
  diagonal: number,
  look: Look,
): LitPart {
  const side = GROUND_CELLS + 1
  const reach = diagonal * 60
  const positions = new Float32Array(side * side * 3)
  const normals = new Float32Array(side * side * 3)
  const indices: number[] = []
  for (let j = 0, at = 0; j < side; j++) {
    for (let i = 0; i < side; i++, at++) {
      positions[at * 3] = spread(i) * reach
      positions[at * 3 + 1] = spread(j) * reach
      positions[at * 3 + 2] = z
      normals[at * 3 + 2] = 1
      if (i < GROUND_CELLS && j < GROUND_CELLS) indices.push(at, at + 1, at + side, at + 1, at + side + 1, at + side)
    }
  }
  const occluders = placed.flatMap(({ part, frame }): Occluder[] =>
    part.occluders.map((occluder) => ({ half: occluder.half, frame: compose(frame, occluder.frame) })),
  )
  const mesh: ObjectMesh = {
    positions,
    normals,
    uvs: new Float32Array(side * side * 2),
    indices: new Uint32Array(indices),
    triangleMaterials: new Uint16Array(indices.length / 3),
    materials: [{ ...GROUND.material, color: tinted(GROUND.material.color, look.ground) }],
  }
  return { ...mesh, light: bakeLight(mesh, new BoxCaster(occluders), studio(diagonal, look)) }
}

/** Finer in the middle, where the shadow is. */
function spread(i: number): number {
  const t = (2 * i) / GROUND_CELLS - 1
  return t * (0.02 + 0.98 * t * t * t * t)
}

/** Panes that one sees through cannot be laid over a picture by depth. */
export function hasGlass(model: ArticulatedModel, names: readonly string[]): boolean {
  return model.parts.some(
    ({ name, mesh }) => names.includes(name) && mesh.materials.some(({ opacity = 1 }) => opacity < 1),
  )
}
