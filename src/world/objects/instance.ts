/** One object of a scene: an object of the catalogue in a size and in colors of its own. */
import type { Material } from '../mesh.ts'
import { buildObject } from './catalogue.ts'
import type { DyeablePart } from './dyeable.ts'
import type { ObjectModel } from './model.ts'
import type { ObjectMesh, Occluder } from './shapes.ts'

type Vec3 = readonly [number, number, number]
type Color = readonly [number, number, number]

export interface Instance {
  category: string
  variant: number
  /** Depth, width and height; those of the variant where absent. */
  size?: Vec3 | undefined
  /** Colors of its largest parts that can have any color, the largest first. */
  colors?: readonly Color[] | undefined
}

/**
 * The object that a scene describes. Its mesh and occluders are made when they are first read.
 *
 * @example
 * buildInstance({ category: 'sofa', variant: 3, size: [0.9, 2.9, 0.8], colors: [[120, 40, 40]] }).surfaces
 */
export function buildInstance({ category, variant, size, colors = [] }: Instance): ObjectModel {
  const model = buildObject(category, variant)
  if (!size && colors.length === 0) return model
  const scale: Vec3 = size ? [size[0] / model.size[0], size[1] / model.size[1], size[2] / model.size[2]] : [1, 1, 1]
  let mesh: ObjectMesh | undefined
  let occluders: readonly Occluder[] | undefined
  return {
    ...withoutShape(model),
    size: size ?? model.size,
    surfaces: model.surfaces.map(({ x, y, z, clear }) => ({
      x: [x[0] * scale[0], x[1] * scale[0]],
      y: [y[0] * scale[1], y[1] * scale[1]],
      z: Math.round(z * scale[2] * 1000) / 1000,
      ...(clear === undefined ? {} : { clear: clear * scale[2] }),
    })),
    get mesh() {
      return (mesh ??= recolored(stretched(model.mesh, scale), model.dyeable, colors))
    },
    get dyeable() {
      return model.dyeable
    },
    get occluders() {
      return (occluders ??= model.occluders.map((occluder) => stretchedBox(occluder, scale)))
    },
  }
}

/** A spread would read the getters, and so make what nobody may want. */
function withoutShape({ category, variant, facing, mount, contains }: ObjectModel) {
  return { category, variant, facing, mount, contains }
}

function stretched(mesh: ObjectMesh, [sx, sy, sz]: Vec3): ObjectMesh {
  const positions = new Float32Array(mesh.positions.length)
  const normals = new Float32Array(mesh.normals.length)
  for (let i = 0; i < positions.length; i += 3) {
    positions[i] = mesh.positions[i]! * sx
    positions[i + 1] = mesh.positions[i + 1]! * sy
    positions[i + 2] = mesh.positions[i + 2]! * sz
    const x = mesh.normals[i]! / sx
    const y = mesh.normals[i + 1]! / sy
    const z = mesh.normals[i + 2]! / sz
    const length = Math.sqrt(x * x + y * y + z * z)
    normals[i] = x / length
    normals[i + 1] = y / length
    normals[i + 2] = z / length
  }
  return { ...mesh, positions, normals }
}

/** A leaning box would become a skewed one: its edges take the length that they would have. */
function stretchedBox({ frame, half, ...rest }: Occluder, [sx, sy, sz]: Vec3): Occluder {
  const length = (axis: number): number => {
    const [x, y, z] = [frame[axis]! * sx, frame[axis + 4]! * sy, frame[axis + 8]! * sz]
    return Math.sqrt(x * x + y * y + z * z)
  }
  const moved = [...frame]
  moved[3] = frame[3]! * sx
  moved[7] = frame[7]! * sy
  moved[11] = frame[11]! * sz
  return { ...rest, frame: moved, half: [half[0] * length(0), half[1] * length(1), half[2] * length(2)] }
}

function recolored(mesh: ObjectMesh, dyeable: readonly DyeablePart[], colors: readonly Color[]): ObjectMesh {
  const materials = [...mesh.materials]
  colors.slice(0, dyeable.length).forEach((color, i) => {
    const { material } = dyeable[i]!
    materials[material] = inColor(materials[material]!, color)
  })
  return { ...mesh, materials }
}

/** Textures are painted when first looked at, also those of a material in another color. */
function inColor(material: Material, color: Color): Material {
  const { name, roughness, metallic, glow, opacity } = material
  const plain: Material = {
    name: name.replace(/ \d.*$/, ` ${color.join(',')}`),
    color,
    ...(roughness === undefined ? {} : { roughness }),
    ...(metallic === undefined ? {} : { metallic }),
    ...(glow === undefined ? {} : { glow }),
    ...(opacity === undefined ? {} : { opacity }),
  }
  if (!('texture' in material)) return plain
  return Object.defineProperty(plain, 'texture', { get: () => material.texture, enumerable: true })
}
