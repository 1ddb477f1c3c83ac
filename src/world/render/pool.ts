/** Several pictures at once: threads that draw in the memory that they share with this one, a picture each. */
import { availableParallelism } from 'node:os'
import { Worker } from 'node:worker_threads'
import type { Camera } from './camera.ts'
import { Frame, kernelModule } from './kernel.ts'
import { emptyPicture, keep, type Pass, planPasses } from './passes.ts'
import type { Picture, RenderOptions } from './picture.ts'
import type { PreparedScene } from './scene.ts'

/**
 * All that a thread does: draws, and takes the picture out of the shared memory, so that nobody else has to. In words, not
 * in a file of its own: a thread cannot load TypeScript, and the project runs from its sources as well as compiled.
 */
const THREAD = `
  const { parentPort, workerData } = require('node:worker_threads')
  let current = -1
  let size = 0
  let draw
  parentPort.on('message', ({ scene, memory, frame, layers }) => {
    // The memory may have grown for another picture, which an instance made before learns too late.
    if (scene !== current || memory.buffer.byteLength !== size) {
      draw = new WebAssembly.Instance(workerData, { env: { memory } }).exports.draw
      current = scene
      size = memory.buffer.byteLength
    }
    draw(frame)
    const copies = layers.map(([start, bytes]) => new Uint8Array(memory.buffer, start, bytes).slice().buffer)
    parentPort.postMessage(copies, copies)
  })
`

/** One picture is drawn while the next one waits. */
const JOBS_PER_THREAD = 2

/** Colour, depth, ids and triangles of a picture, in this order; empty where they were not wanted. */
type Buffers = readonly [ArrayBuffer, ArrayBuffer, ArrayBuffer, ArrayBuffer]

interface Job {
  scene: PreparedScene
  pass: Pass
  done: (layers: Buffers) => void
  failed: (error: Error) => void
}

interface Running {
  job: Job
  frame: Frame
}

class Thread {
  readonly worker = new Worker(THREAD, { eval: true, workerData: kernelModule() })
  readonly running: Running[] = []
}

/**
 * Draws with several threads. Pictures are the same, byte by byte, as those of `Renderer`.
 *
 * @example
 * const pool = new RenderPool({ threads: 2 })
 * const pictures = await Promise.all(cameras.map((camera) => pool.render(scene, camera, { width: 640, height: 480 })))
 * await pool.close()
 */
export class RenderPool {
  readonly #threads: Thread[]
  readonly #waiting: Job[] = []
  readonly #frames = new WeakMap<PreparedScene, Frame[]>()
  readonly #numbers = new WeakMap<PreparedScene, number>()
  #scenes = 0
  #closed = false

  /** `threads`: as many as the machine runs at once, if not said otherwise. */
  constructor({ threads = availableParallelism() }: { threads?: number } = {}) {
    this.#threads = Array.from({ length: threads }, () => this.#startThread())
  }

  async render(scene: PreparedScene, camera: Camera, options: RenderOptions): Promise<Picture> {
    const picture = emptyPicture(options)
    const passes = planPasses(scene, camera, options)
    await Promise.all(passes.map((pass) => this.#draw(scene, pass, picture)))
    return picture
  }

  /** Ends the threads. Pictures that are not ready yet fail. */
  async close(): Promise<void> {
    this.#closed = true
    for (const job of this.#waiting.splice(0)) job.failed(new Error('the render pool was closed'))
    await Promise.all(this.#threads.map((thread) => thread.worker.terminate()))
  }

  #draw(scene: PreparedScene, pass: Pass, picture: Picture): Promise<void> {
    return new Promise((resolve, reject) => {
      if (this.#closed) {
        reject(new Error('the render pool was closed'))
        return
      }
      const done = ([color, depth, ids, triangles]: Buffers): void => {
        keep(picture, pass, { color, depth, ids, triangles })
        resolve()
      }
      this.#waiting.push({ scene, pass, done, failed: reject })
      this.#feed()
    })
  }

  /** Gives waiting jobs to the threads with the fewest. */
  #feed(): void {
    while (this.#waiting.length > 0) {
      const thread = this.#threads.reduce((a, b) => (b.running.length < a.running.length ? b : a))
      if (thread.running.length >= JOBS_PER_THREAD) return
      const job = this.#waiting.shift()!
      const { scene, pass } = job
      const frame = this.#frames.get(scene)?.pop() ?? new Frame(scene)
      try {
        const address = frame.write(pass.view, pass.wanted)
        const { color, depth, ids, triangles } = frame.read()
        const layers = [color, depth, ids, triangles].map(({ byteOffset, byteLength }) => [byteOffset, byteLength])
        // oxlint-disable-next-line unicorn/require-post-message-target-origin -- a thread's, not a window's
        thread.worker.postMessage({ scene: this.#numberOf(scene), memory: scene.memory, frame: address, layers })
      } catch (error) {
        job.failed(error instanceof Error ? error : new Error(String(error)))
        continue
      }
      thread.running.push({ job, frame })
      // A process with nothing left to draw may end although its pool was not closed.
      thread.worker.ref()
    }
  }

  #startThread(): Thread {
    const thread = new Thread()
    thread.worker.unref()
    thread.worker.on('message', (layers: Buffers) => {
      const finished = thread.running.shift()
      if (!finished) return
      const { job, frame } = finished
      job.done(layers)
      const spare = this.#frames.get(job.scene) ?? []
      spare.push(frame)
      this.#frames.set(job.scene, spare)
      if (thread.running.length === 0) thread.worker.unref()
      this.#feed()
    })
    const fail = (error: Error): void => {
      for (const { job } of thread.running.splice(0)) job.failed(error)
      if (this.#closed) return
      const place = this.#threads.indexOf(thread)
      this.#threads[place] = this.#startThread()
      this.#feed()
    }
    thread.worker.on('error', fail)
    thread.worker.on('exit', () => {
      for (const { job } of thread.running.splice(0)) job.failed(new Error('the render pool was closed'))
    })
    return thread
  }

  #numberOf(scene: PreparedScene): number {
    const number = this.#numbers.get(scene) ?? this.#scenes++
    this.#numbers.set(scene, number)
    return number
  }
}
