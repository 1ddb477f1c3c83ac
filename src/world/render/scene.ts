/** A scene as the renderer wants it: one block of memory that threads share and that goes to disk as it is. */
import { UserError } from '../../base/errors.ts'
import type { Vec3 } from './camera.ts'
import * as at from './layout.ts'
import { LINEAR_TABLE, SRGB_TABLE } from './srgb.ts'

const PAGE = 65536
/** 4 GiB, all that 32-bit addresses reach; only what is used is ever backed by memory. */
const MAX_PAGES = 65536
const FRAME_ALIGNMENT = 256

export class PreparedScene {
  /** Holds the tables, the scene, and behind it the frames and workspaces of its renderers. */
  readonly memory: WebAssembly.Memory
  readonly byteLength: number
  readonly clusters: number
  readonly solidClusters: number
  readonly triangles: number
  readonly bounds: { min: Vec3; max: Vec3 }
  /** Whether light was baked into it. */
  readonly lit: boolean
  readonly keepsTriangleNumbers: boolean
  #end: number
  #last = 0

  /** Use `prepareScene` or `PreparedScene.fromBytes`. */
  constructor(memory: WebAssembly.Memory) {
    this.memory = memory
    const words = new Uint32Array(memory.buffer, at.SCENE_START, at.HEADER_BYTES / 4)
    const box = new Float32Array(memory.buffer, at.SCENE_START + at.H_BOUNDS * 4, 6)
    this.byteLength = words[at.H_BYTES]!
    this.clusters = words[at.H_CLUSTERS]!
    this.solidClusters = words[at.H_SOLID_CLUSTERS]!
    this.triangles = words[at.H_TRIANGLES]!
    this.lit = (words[at.H_FLAGS]! & at.HAS_LIGHT) !== 0
    this.keepsTriangleNumbers = words[at.H_AT_SOURCE] !== 0
    this.#end = Math.ceil((at.SCENE_START + this.byteLength) / FRAME_ALIGNMENT) * FRAME_ALIGNMENT
    this.bounds = { min: [box[0]!, box[1]!, box[2]!], max: [box[3]!, box[4]!, box[5]!] }
  }

  /** Whether what starts here was reserved last, and can be made longer where it is. */
  isLast(start: number): boolean {
    return start === this.#last
  }

  /** So many bytes behind the scene, instead of what was at `before` (0: nothing); gives their address. */
  reserve(bytes: number, before: number): number {
    const start = before !== 0 && this.isLast(before) ? before : this.#end
    const end = start + Math.ceil(bytes / FRAME_ALIGNMENT) * FRAME_ALIGNMENT
    const missing = end - this.memory.buffer.byteLength
    if (missing > 0) {
      try {
        this.memory.grow(Math.ceil(missing / PAGE))
      } catch (cause) {
        throw new UserError('There is not enough memory for a picture of this size.', { cause })
      }
    }
    this.#last = start
    this.#end = end
    return start
  }

  /** The scene's bytes, to be written to disk. Not a copy. */
  get bytes(): Uint8Array {
    return new Uint8Array(this.memory.buffer, at.SCENE_START, this.byteLength)
  }

  /** Takes what `bytes` gave. The caller checks that the bytes are whole (a hash or a length kept next to them). */
  static fromBytes(bytes: Uint8Array): PreparedScene {
    return PreparedScene.fromReader(bytes.length, (into) => into.set(bytes))
  }

  /** The same without a copy: `read` fills the block, from a file for example. */
  static fromReader(byteLength: number, read: (into: Uint8Array) => void): PreparedScene {
    const memory = sceneMemory(Math.max(byteLength, at.HEADER_BYTES))
    read(new Uint8Array(memory.buffer, at.SCENE_START, byteLength))
    const words = new Uint32Array(memory.buffer, at.SCENE_START, at.HEADER_BYTES / 4)
    if (words[at.H_MAGIC] !== at.SCENE_MAGIC || words[at.H_BYTES] !== byteLength)
      throw new UserError('These are not the bytes of a prepared scene.', { hint: 'Delete the cache file.' })
    if (words[at.H_VERSION] !== at.SCENE_VERSION)
      throw new UserError(
        `The prepared scene has format ${words[at.H_VERSION]}, this program reads ${at.SCENE_VERSION}.`,
        { hint: 'Prepare the scene again.' },
      )
    return new PreparedScene(memory)
  }
}

/** Memory with room for a scene of so many bytes, the shared tables filled in. */
export function sceneMemory(sceneBytes: number): WebAssembly.Memory {
  const pages = Math.ceil((at.SCENE_START + sceneBytes) / PAGE)
  if (pages > MAX_PAGES)
    throw new UserError(`The scene needs ${(sceneBytes / 2 ** 30).toFixed(1)} GiB; at most 4 GiB can be drawn.`, {
      hint: 'Use a simplified mesh or smaller textures.',
    })
  const memory = new WebAssembly.Memory({ initial: pages, maximum: MAX_PAGES, shared: true })
  new Float32Array(memory.buffer, at.TABLE_LINEAR, LINEAR_TABLE.length).set(LINEAR_TABLE)
  new Uint8Array(memory.buffer, at.TABLE_SRGB, SRGB_TABLE.length).set(SRGB_TABLE)
  return memory
}

/** Typed arrays over a prepared scene. */
export interface SceneViews {
  boxes: Float32Array
  boxStride: number
  clusterVertex: Uint32Array
  clusterTriangle: Uint32Array
  /** Two bytes a cluster: vertices, triangles. */
  clusterCounts: Uint8Array
  x: Float32Array
  y: Float32Array
  z: Float32Array
  index0: Uint8Array
  index1: Uint8Array
  index2: Uint8Array
  triangleMaterial: Uint16Array
  triangleInstance: Uint16Array
  colors: Uint8Array | null
  uvs: Float32Array | null
  light: Uint32Array | null
  materials: Float32Array
  materialWords: Uint32Array
  source: Uint32Array | null
  /** The whole scene, for textures. */
  bytes: Uint8Array
}

export function sceneViews({ buffer }: WebAssembly.Memory): SceneViews {
  const words = new Uint32Array(buffer, at.SCENE_START, at.HEADER_BYTES / 4)
  const clusters = words[at.H_CLUSTERS]!
  const triangles = words[at.H_TRIANGLES]!
  const vertices = words[at.H_VERTICES]!
  const materials = words[at.H_MATERIALS]!
  const flags = words[at.H_FLAGS]!
  const boxStride = words[at.H_BOX_STRIDE]!
  const address = (word: number): number => at.SCENE_START + words[word]!
  const floats = (word: number, length: number): Float32Array => new Float32Array(buffer, address(word), length)
  const bytes = (word: number, length: number): Uint8Array => new Uint8Array(buffer, address(word), length)
  const ints = (word: number, length: number): Uint32Array => new Uint32Array(buffer, address(word), length)
  const shorts = (word: number, length: number): Uint16Array => new Uint16Array(buffer, address(word), length)
  return {
    boxes: floats(at.H_AT_BOXES, boxStride * 6),
    boxStride,
    clusterVertex: ints(at.H_AT_CLUSTER_VERTEX, clusters),
    clusterTriangle: ints(at.H_AT_CLUSTER_TRIANGLE, clusters),
    clusterCounts: bytes(at.H_AT_CLUSTER_COUNTS, clusters * 2),
    x: floats(at.H_AT_X, vertices),
    y: floats(at.H_AT_Y, vertices),
    z: floats(at.H_AT_Z, vertices),
    index0: bytes(at.H_AT_INDEX_0, triangles),
    index1: bytes(at.H_AT_INDEX_1, triangles),
    index2: bytes(at.H_AT_INDEX_2, triangles),
    triangleMaterial: shorts(at.H_AT_TRIANGLE_MATERIAL, triangles),
    triangleInstance: shorts(at.H_AT_TRIANGLE_INSTANCE, triangles),
    colors: (flags & at.HAS_COLORS) === 0 ? null : bytes(at.H_AT_COLORS, vertices * 4),
    uvs: (flags & at.HAS_UVS) === 0 ? null : floats(at.H_AT_UVS, vertices * 2),
    light: (flags & at.HAS_LIGHT) === 0 ? null : ints(at.H_AT_LIGHT, vertices),
    materials: floats(at.H_AT_MATERIALS, (materials * at.MATERIAL_BYTES) / 4),
    materialWords: ints(at.H_AT_MATERIALS, (materials * at.MATERIAL_BYTES) / 4),
    source: words[at.H_AT_SOURCE] === 0 ? null : ints(at.H_AT_SOURCE, triangles),
    bytes: new Uint8Array(buffer, at.SCENE_START, words[at.H_BYTES]),
  }
}
