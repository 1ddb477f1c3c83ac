/** A thread that draws, and takes the picture out of the shared memory, so that nobody else has to. */
import { workerData } from 'node:worker_threads'
import { Transferred } from '../../base/channel.ts'
import { serveThread } from '../../base/thread.ts'
import { type Draw, instantiate } from './kernel.ts'

/** Where something lies in the memory, and how many bytes it has. */
type Span = readonly [start: number, bytes: number]
interface Spans {
  color: Span
  depth: Span
  ids: Span
  triangles: Span
}

export interface DrawHandlers {
  /** Draws a frame of the scene with this number, and gives its layers; those that were not wanted are empty. */
  draw(given: {
    scene: number
    memory: WebAssembly.Memory
    frame: number
    layers: Spans
  }): Transferred<Record<keyof Spans, ArrayBuffer>>
}

let current = -1
let size = 0
let drawFrame: Draw

serveThread<DrawHandlers>({
  draw({ scene, memory, frame, layers }) {
    // The memory may have grown for another picture, which an instance made before learns too late.
    if (scene !== current || memory.buffer.byteLength !== size) {
      drawFrame = instantiate(memory, workerData)
      current = scene
      size = memory.buffer.byteLength
    }
    drawFrame(frame)
    const copy = ([start, bytes]: Span): ArrayBuffer => new Uint8Array(memory.buffer, start, bytes).slice().buffer
    const color = copy(layers.color)
    const depth = copy(layers.depth)
    const ids = copy(layers.ids)
    const triangles = copy(layers.triangles)
    return new Transferred({ color, depth, ids, triangles }, [color, depth, ids, triangles])
  },
})
