/** A thread that draws one picture after the other, with nobody to ask for them or to take them. */
import { workerData } from 'node:worker_threads'
import { serveThread } from '../../src/base/thread.ts'
import { instantiate } from '../../src/world/render/kernel.ts'

export interface AloneHandlers {
  /** Draws each view in the frame at this address. */
  draw(given: { memory: WebAssembly.Memory; frame: number; views: readonly Uint32Array[] }): void
}

serveThread<AloneHandlers>({
  draw({ memory, frame, views }) {
    const draw = instantiate(memory, workerData)
    for (const view of views) {
      new Uint32Array(memory.buffer, frame, view.length).set(view)
      draw(frame)
    }
  },
})
