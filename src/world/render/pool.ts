/** Several pictures at once: threads that draw in the memory that they share with this one, a picture each. */
import { availableParallelism } from 'node:os'
import { Thread } from '../../base/thread.ts'
import type { Camera } from './camera.ts'
import { Frame, kernelModule } from './kernel.ts'
import { emptyPicture, keep, type Pass, planPasses } from './passes.ts'
import type { Picture, RenderOptions } from './picture.ts'
import type { PreparedScene } from './scene.ts'
import type { DrawHandlers } from './thread.ts'

/** One picture is drawn while the next one waits. */
const JOBS_PER_THREAD = 2

type DrawThread = Thread<DrawHandlers>

/**
 * Draws with several threads. Pictures are the same, byte by byte, as those of `Renderer`.
 *
 * @example
 * const pool = new RenderPool({ threads: 2 })
 * const pictures = await Promise.all(cameras.map((camera) => pool.render(scene, camera, { width: 640, height: 480 })))
 * await pool.close()
 */
export class RenderPool {
  readonly #threads: readonly DrawThread[]
  readonly #waiting: ((thread: DrawThread) => void)[] = []
  readonly #frames = new WeakMap<PreparedScene, Frame[]>()
  readonly #numbers = new WeakMap<PreparedScene, number>()
  #scenes = 0

  /** `threads`: as many as the machine runs at once, if not said otherwise. */
  constructor({ threads = availableParallelism() }: { threads?: number } = {}) {
    const options = { title: 'a thread of the render pool', handlers: {}, data: kernelModule() }
    this.#threads = Array.from({ length: threads }, () => new Thread('./thread', import.meta.url, options))
  }

  async render(scene: PreparedScene, camera: Camera, options: RenderOptions): Promise<Picture> {
    const picture = emptyPicture(options)
    const draw = (pass: Pass): Promise<void> =>
      new Promise((resolve, reject) => {
        this.#waiting.push((thread) => {
          void this.#draw(thread, scene, pass, picture)
            .then(resolve, reject)
            .finally(() => this.#feed())
        })
      })
    const drawn = planPasses(scene, camera, options).map(draw)
    this.#feed()
    await Promise.all(drawn)
    return picture
  }

  /** Ends the threads. Pictures that are not ready yet fail. */
  async close(): Promise<void> {
    await Promise.all(this.#threads.map((thread) => thread.close()))
  }

  /** Gives waiting jobs to the threads with the fewest. */
  #feed(): void {
    while (this.#waiting.length > 0) {
      const thread = this.#threads.reduce((a, b) => (b.pendingCalls < a.pendingCalls ? b : a))
      if (thread.pendingCalls >= JOBS_PER_THREAD) return
      this.#waiting.shift()!(thread)
    }
  }

  async #draw(thread: DrawThread, scene: PreparedScene, pass: Pass, picture: Picture): Promise<void> {
    const spare = this.#frames.get(scene) ?? []
    this.#frames.set(scene, spare)
    const frame = spare.pop() ?? new Frame(scene)
    try {
      const address = frame.write(pass.view, pass.wanted)
      await thread.call('draw', { scene: this.#numberOf(scene), memory: scene.memory, frame: address })
      // Copied here: to hand over what a thread copied costs more.
      keep(picture, pass, frame.read())
    } finally {
      spare.push(frame)
    }
  }

  #numberOf(scene: PreparedScene): number {
    const number = this.#numbers.get(scene) ?? this.#scenes++
    this.#numbers.set(scene, number)
    return number
  }
}
