/** The WebAssembly that casts rays, and the one memory that it has: trees take turns in it. */
import { compileKernel, growTo, kernelCalls, kernelMemory } from '../../base/kernel.ts'

/** Boxes, and a tree that rules most of them out, as `kernels/light` reads them. */
export interface Tree {
  nodes: Uint32Array
  parts: Float64Array
  boxes: Float64Array
  groups: Float32Array
}

type Cast<T> = (ox: number, oy: number, oz: number, dx: number, dy: number, dz: number, far: number) => T

export interface RayCasts {
  distance: Cast<number>
  blocked: Cast<boolean>
  /** How open a place with a normal is to rays of a length: 1 in the open, toward 0 in corners and under things. */
  openness(
    rays: Float64Array,
    ox: number,
    oy: number,
    oz: number,
    nx: number,
    ny: number,
    nz: number,
    reach: number,
  ): number
}

/** More do not fit where the kernel looks for them. */
export const MAX_RAYS = 170
/** Of nodes: each level leaves at most three that wait, with 8 bytes each, and the kernel's stack has a page. */
export const MAX_LEVELS = 2730

interface Kernel extends RayCasts {
  memory: WebAssembly.Memory
  use: (nodes: number, parts: number, boxes: number, groups: number) => void
}

const PAGE = 65536
/** The first pages are the kernel's own: its stack, and what it works with. */
const TREE_START = 2 * PAGE

let kernel: Kernel | null = null
let inUse: Tree | null = null

/** Casts against a tree. Good until it is called with another one. */
export function castRays(tree: Tree): RayCasts {
  if (inUse === tree) return kernel!
  kernel ??= load()
  const partsAt = TREE_START + tree.nodes.byteLength
  const boxesAt = partsAt + tree.parts.byteLength
  const groupsAt = boxesAt + tree.boxes.byteLength
  growTo(kernel.memory, groupsAt + tree.groups.byteLength)
  new Uint32Array(kernel.memory.buffer, TREE_START).set(tree.nodes)
  new Float64Array(kernel.memory.buffer, partsAt).set(tree.parts)
  new Float64Array(kernel.memory.buffer, boxesAt).set(tree.boxes)
  new Float32Array(kernel.memory.buffer, groupsAt).set(tree.groups)
  kernel.use(TREE_START, partsAt, boxesAt, groupsAt)
  inUse = tree
  return kernel
}

function load(): Kernel {
  const memory = kernelMemory(3)
  const names = ['use', 'distance', 'blocked', 'openness', 'raysAt'] as const
  const { use, distance, blocked, openness, raysAt } = kernelCalls(
    compileKernel(new URL('light-kernel.wasm', import.meta.url)),
    memory,
    names,
  )
  const placeOfRays = raysAt()
  let placed: Float64Array | null = null
  return {
    memory,
    use: (nodes, parts, boxes, groups) => void use(nodes, parts, boxes, groups),
    distance,
    blocked: (ox, oy, oz, dx, dy, dz, far) => blocked(ox, oy, oz, dx, dy, dz, far) === 1,
    openness: (rays, ox, oy, oz, nx, ny, nz, reach) => {
      if (placed !== rays) {
        if (rays.length > MAX_RAYS * 3)
          throw new RangeError(`${rays.length / 3} rays; at most ${MAX_RAYS} are possible`)
        new Float64Array(memory.buffer, placeOfRays).set(rays)
        placed = rays
      }
      return openness(rays.length / 3, ox, oy, oz, nx, ny, nz, reach)
    },
  }
}
