/** The WebAssembly rasteriser: where it comes from, and the memory that it draws in. */
import { compileKernel, kernelCalls } from '../../base/kernel.ts'
import * as at from './layout.ts'
import type { Engine, Layers, Wanted } from './picture.ts'
import type { PreparedScene } from './scene.ts'

let compiled: WebAssembly.Module | null = null

/** The compiled kernel. Threads share it. */
export function kernelModule(): WebAssembly.Module {
  compiled ??= compileKernel(new URL('kernel.wasm', import.meta.url))
  return compiled
}

export type Draw = (frame: number) => unknown

export function instantiate(memory: WebAssembly.Memory, module = kernelModule()): Draw {
  return kernelCalls(module, memory, ['draw']).draw
}

/** Draws with the kernel in this thread. */
export class KernelEngine implements Engine {
  readonly #draw: Draw
  readonly #frames: readonly Frame[]
  readonly #workspace: Region

  constructor(scene: PreparedScene) {
    this.#draw = instantiate(scene.memory)
    this.#frames = [new Frame(scene), new Frame(scene)]
    this.#workspace = new Region(scene)
  }

  draw(view: Float32Array, wanted: Wanted, place = 0): Layers {
    const frame = this.#frames[place]!
    this.#draw(frame.write(view, wanted, this.#workspace))
    return frame.read()
  }
}

/** Spare bytes behind each buffer: the kernel reads and writes 16 bytes at a time. */
const SPARE = 64

/** The word of the view that takes its address, and its bytes. */
type Part = readonly [word: number, bytes: number]

/** What had to move grows by so much: its old place stays empty, so it must not move for every larger picture. */
const GROWTH = 1.5

/** Memory behind a scene. Reused from picture to picture; grows when a larger one is asked for. */
export class Region {
  readonly #scene: PreparedScene
  #start = 0
  #capacity = 0

  constructor(scene: PreparedScene) {
    this.#scene = scene
  }

  /** Places parts behind a head of so many bytes, and writes their addresses into the words of a view; gives the start. */
  place(words: Uint32Array, parts: readonly Part[], headBytes = 0): number {
    let end = headBytes
    const places = parts.map(([word, bytes]) => {
      const place = end
      end += Math.ceil((bytes + SPARE) / 64) * 64
      return [word, place] as const
    })
    if (end > this.#capacity) {
      const moves = this.#start !== 0 && !this.#scene.isLast(this.#start)
      const capacity = moves ? Math.ceil(end * GROWTH) : end
      this.#start = this.#scene.reserve(capacity, this.#start)
      this.#capacity = capacity
    }
    for (const [word, place] of places) words[word] = this.#start + place
    return this.#start
  }
}

/** The memory of a picture: its view and what was asked for. What only the drawing needs is in a workspace. */
export class Frame {
  readonly #scene: PreparedScene
  readonly #region: Region
  #start = 0

  constructor(scene: PreparedScene) {
    this.#scene = scene
    this.#region = new Region(scene)
  }

  /** Puts a view in place; gives its address. */
  write(view: Float32Array, wanted: Wanted, workspace: Region): number {
    const words = new Uint32Array(view.slice().buffer)
    const width = words[at.V_WIDTH]!
    const height = words[at.V_HEIGHT]!
    const tall = (height + 7) & ~7
    const inner = words[at.V_STRIDE]! * tall * 4
    const tiles = inner / 4 / 64
    const pixels = width * height
    const { clusters, solidClusters } = this.#scene
    const glass = wanted.color && solidClusters < clusters ? inner : 0
    // As shaded, a pixel has four bytes: those of a picture with alpha, unless two by two become one.
    const shaded: Part = [at.F_RGBA, wanted.color ? pixels * 4 : 0]
    const asShaded = wanted.alpha && !wanted.halve
    const colorBytes = (wanted.halve ? pixels / 4 : pixels) * (wanted.alpha ? 4 : 3)
    const needed: Part[] = [
      [at.F_CLOSENESS, inner],
      [at.F_TRIANGLE, inner],
      [at.F_GLASS_CLOSENESS, glass],
      [at.F_GLASS_TRIANGLE, glass],
      ...(asShaded ? [] : [shaded]),
      [at.F_TILES, tiles * 4],
      [at.F_STALE, tiles],
      [at.F_FAR_PIXELS, tiles * 4],
      [at.F_LIST, clusters * at.ON_SCREEN_BYTES],
      [at.F_KEYS, clusters * 4],
      [at.F_ORDER, clusters * at.ON_SCREEN_BYTES],
      [at.F_SCRATCH, at.SCRATCH_BYTES],
    ]
    const asked: Part[] = [
      asShaded ? shaded : [at.F_COLOR, wanted.color ? colorBytes : 0],
      [at.F_DEPTH, wanted.depth ? pixels * 4 : 0],
      [at.F_IDS, wanted.ids ? pixels * 2 : 0],
      [at.F_TRIANGLES, wanted.triangles ? pixels * 4 : 0],
    ]
    workspace.place(words, needed)
    this.#start = this.#region.place(words, asked, at.VIEW_BYTES)
    words[at.F_WANTED] =
      (wanted.color ? at.WANT_COLOR : 0) |
      (wanted.depth ? at.WANT_DEPTH : 0) |
      (wanted.ids ? at.WANT_IDS : 0) |
      (wanted.triangles ? at.WANT_TRIANGLES : 0) |
      (wanted.halve ? at.WANT_HALVE : 0) |
      (wanted.alpha ? at.WANT_ALPHA : 0)
    new Uint32Array(this.#scene.memory.buffer, this.#start, words.length).set(words)
    return this.#start
  }

  /** What was drawn last. Not copies. */
  read(): Layers {
    const { buffer } = this.#scene.memory
    const words = new Uint32Array(buffer, this.#start, at.VIEW_BYTES / 4)
    const pixels = words[at.V_WIDTH]! * words[at.V_HEIGHT]!
    const wants = (bit: number): boolean => (words[at.F_WANTED]! & bit) !== 0
    const halved = wants(at.WANT_HALVE)
    const alpha = wants(at.WANT_ALPHA)
    const colorBytes = (halved ? pixels / 4 : pixels) * (alpha ? 4 : 3)
    const color = words[alpha && !halved ? at.F_RGBA : at.F_COLOR]
    return {
      color: new Uint8Array(buffer, color, wants(at.WANT_COLOR) ? colorBytes : 0),
      depth: new Float32Array(buffer, words[at.F_DEPTH], wants(at.WANT_DEPTH) ? pixels : 0),
      ids: new Uint16Array(buffer, words[at.F_IDS], wants(at.WANT_IDS) ? pixels : 0),
      triangles: new Uint32Array(buffer, words[at.F_TRIANGLES], wants(at.WANT_TRIANGLES) ? pixels : 0),
    }
  }
}
