/** Several pictures at once: threads that draw in the memory that they share with this one, a picture each. */
import { availableParallelism } from 'node:os'
import { Thread } from '../../base/thread.ts'
import type { Camera } from './camera.ts'
import { Frame, kernelModule, Region } from './kernel.ts'
import { copyOf, emptyPicture, take, type Pass, planPasses } from './passes.ts'
import type { Picture, RenderOptions } from './picture.ts'
import type { PreparedScene } from './scene.ts'
import type { DrawHandlers } from './thread.ts'

/** One picture is drawn while the next one waits. */
const JOBS_PER_THREAD = 2
/** Pictures being drawn or used. More than the two that a picture may need, or it would wait for itself. */
const FRAMES_PER_THREAD = 6

/** Its pictures of a scene are drawn in one workspace, one after the other: what is in the caches is of use to the next. */
interface DrawThread {
  thread: Thread<DrawHandlers>
  workspaces: WeakMap<PreparedScene, Region>
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
  readonly #threads: readonly DrawThread[]
  readonly #waiting: ((thread: DrawThread) => void)[] = []
  readonly #frames = new WeakMap<PreparedScene, Frame[]>()
  readonly #numbers = new WeakMap<PreparedScene, number>()
  #scenes = 0
  #framesInUse = 0

  /** `threads`: as many as the machine runs at once, if not said otherwise. */
  constructor({ threads = availableParallelism() }: { threads?: number } = {}) {
    const options = { title: 'a thread of the render pool', handlers: {}, data: kernelModule() }
    this.#threads = Array.from({ length: threads }, () => ({
      thread: new Thread('./thread', import.meta.url, options),
      workspaces: new WeakMap(),
    }))
  }

  async render(scene: PreparedScene, camera: Camera, options: RenderOptions): Promise<Picture> {
    return this.lend(scene, camera, options, (picture) => ({ ...picture, ...copyOf(picture) }))
  }

  /**
   * What `use` makes of a picture, which is not copied and only holds until `use` is done. Its arrays are shared memory: copy what
   * is to be kept or sent to a thread. At most six drawings per thread are being made or used; others wait for them.
   *
   * @example
   * const png = await pool.lend(scene, camera, size, ({ color }) => encodePng({ ...size, channels: 3, data: color }))
   */
  async lend<T>(
    scene: PreparedScene,
    camera: Camera,
    options: RenderOptions,
    use: (picture: Picture) => T | Promise<T>,
  ): Promise<T> {
    const frames: Frame[] = []
    const passes = planPasses(scene, camera, options)
    const drawn = passes.map((pass) => this.#drawn(scene, pass, frames))
    this.#feed()
    try {
      const picture = emptyPicture(options)
      for (const [i, frame] of (await Promise.all(drawn)).entries()) take(picture, passes[i]!, frame.read())
      return await use(picture)
    } finally {
      // Where one fails, another may still be drawn.
      await Promise.allSettled(drawn)
      const spare = this.#frames.get(scene) ?? []
      this.#frames.set(scene, spare)
      spare.push(...frames)
      this.#framesInUse -= frames.length
      this.#feed()
    }
  }

  /** Ends the threads. Pictures that are not ready yet fail. */
  async close(): Promise<void> {
    await Promise.all(this.#threads.map(({ thread }) => thread.close()))
  }

  /** Gives waiting jobs to the threads with the fewest. */
  #feed(): void {
    while (this.#waiting.length > 0 && this.#framesInUse < FRAMES_PER_THREAD * this.#threads.length) {
      const thread = this.#threads.reduce((a, b) => (b.thread.pendingCalls < a.thread.pendingCalls ? b : a))
      if (thread.thread.pendingCalls >= JOBS_PER_THREAD) return
      this.#waiting.shift()!(thread)
    }
  }

  /** Takes a frame as soon as a thread has room. */
  #drawn(scene: PreparedScene, pass: Pass, taken: Frame[]): Promise<Frame> {
    return new Promise((resolve, reject) => {
      this.#waiting.push((thread) => {
        const frame = this.#frames.get(scene)?.pop() ?? new Frame(scene)
        taken.push(frame)
        this.#framesInUse += 1
        void this.#draw(thread, scene, pass, frame)
          .then(resolve, reject)
          .finally(() => this.#feed())
      })
    })
  }

  async #draw({ thread, workspaces }: DrawThread, scene: PreparedScene, pass: Pass, frame: Frame): Promise<Frame> {
    const workspace = workspaces.get(scene) ?? new Region(scene)
    workspaces.set(scene, workspace)
    const address = frame.write(pass.view, pass.wanted, workspace)
    await thread.call('draw', { scene: this.#numberOf(scene), memory: scene.memory, frame: address })
    return frame
  }

  #numberOf(scene: PreparedScene): number {
    const number = this.#numbers.get(scene) ?? this.#scenes++
    this.#numbers.set(scene, number)
    return number
  }
}
