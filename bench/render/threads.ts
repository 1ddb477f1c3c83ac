/** How many times as many pictures two threads draw as one: in a pool, and as the machine allows. */
import { Thread } from '../../src/base/thread.ts'
import { type Camera, type PreparedScene, type RenderOptions, RenderPool } from '../../src/world/render/index.ts'
import { Frame, kernelModule, Region } from '../../src/world/render/kernel.ts'
import * as at from '../../src/world/render/layout.ts'
import { planPasses } from '../../src/world/render/passes.ts'
import type { AloneHandlers } from './alone.ts'

/** Enough pictures that the last one, for which only one thread has work, does not count. */
const WALKS = 4
const TURNS = 7

/** Pictures per second with one thread, and with two right after it. */
type Rates = [one: number, two: number][]

export async function measureThreads(
  scene: PreparedScene,
  cameras: readonly Camera[],
  options: RenderOptions,
): Promise<ReadonlyMap<'lent' | 'kept' | 'alone', Rates>> {
  const walks = Array.from({ length: WALKS }, () => cameras).flat()
  const pools = [1, 2].map((threads) => new RenderPool({ threads }))
  const alone = [1, 2].map(() => drawAlone(scene, walks, options))
  /** Each draws with so many threads, and gives the number of pictures. */
  const kinds = {
    lent: async (threads: number) => {
      await Promise.all(walks.map((camera) => pools[threads - 1]!.lend(scene, camera, options, () => null)))
      return walks.length
    },
    kept: async (threads: number) => {
      await Promise.all(walks.map((camera) => pools[threads - 1]!.render(scene, camera, options)))
      return walks.length
    },
    alone: async (threads: number) => {
      await Promise.all(alone.slice(0, threads).map(({ draw }) => draw()))
      return walks.length * threads
    },
  }
  const all = Object.entries(kinds) as ['lent' | 'kept' | 'alone', (threads: number) => Promise<number>][]
  const rates = new Map(all.map(([kind]): [typeof kind, Rates] => [kind, []]))
  for (let turn = 0; turn <= TURNS; turn++)
    for (const [kind, draw] of all) {
      const rate = async (threads: number): Promise<number> => {
        const start = performance.now()
        const pictures = await draw(threads)
        return (pictures * 1000) / (performance.now() - start)
      }
      // Machines are faster and slower from second to second: what is compared is measured side by side.
      const pair: [number, number] = [await rate(1), await rate(2)]
      // The first turn only warms up.
      if (turn > 0) rates.get(kind)!.push(pair)
    }
  await Promise.all([...pools, ...alone].map((each) => each.close()))
  return rates
}

/** A thread that draws all pictures into the same frame. */
function drawAlone(scene: PreparedScene, cameras: readonly Camera[], options: RenderOptions) {
  const data = kernelModule()
  const title = 'a drawing thread'
  const thread = new Thread<AloneHandlers>('./alone', import.meta.url, { title, handlers: {}, data })
  const frame = new Frame(scene)
  const workspace = new Region(scene)
  let address = 0
  const views = cameras
    .flatMap((camera) => planPasses(scene, camera, options))
    .map(({ view, wanted }) => {
      address = frame.write(view, wanted, workspace)
      return new Uint32Array(scene.memory.buffer, address, at.VIEW_BYTES / 4).slice()
    })
  return {
    draw: () => thread.call('draw', { memory: scene.memory, frame: address, views }),
    close: () => thread.close(),
  }
}
