/** A thread that draws into the memory that it shares with the one that asks. */
import { workerData } from 'node:worker_threads'
import { serveThread } from '../../base/thread.ts'
import { type Draw, instantiate } from './kernel.ts'

export interface DrawHandlers {
  /** Draws a frame of the scene with this number, where the other thread finds it. */
  draw(given: { scene: number; memory: WebAssembly.Memory; frame: number }): void
}

let current = -1
let size = 0
let drawFrame: Draw

serveThread<DrawHandlers>({
  draw({ scene, memory, frame }) {
    // The memory may have grown for another picture, which an instance made before learns too late.
    if (scene !== current || memory.buffer.byteLength !== size) {
      drawFrame = instantiate(memory, workerData)
      current = scene
      size = memory.buffer.byteLength
    }
    drawFrame(frame)
  },
})
