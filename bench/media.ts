/** Pictures are stored once: 100 questions over 10 scenes of 16 frames, and what a long run adds to memory. */
import { createHash } from 'node:crypto'
import { mkdtemp, readdir, rm, stat } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { setImmediate as nextTurn } from 'node:timers/promises'
import { setFlagsFromString } from 'node:v8'
import { runInNewContext } from 'node:vm'
import { exampleHeader, exampleLine } from '../test/support/store.ts'
import { Store } from '../src/store/store.ts'
import type { BenchResult } from './harness.ts'

const SCENES = 10
const FRAMES = 16
const QUESTIONS = 100
/** A 640 × 480 JPEG of a furnished room has about this many bytes. */
const FRAME_BYTES = 60_000
const IN_FLIGHT = 8
/** Longer runs, to see whether memory follows the number of episodes. */
const MORE_EPISODES = 10

export default async function bench(): Promise<BenchResult> {
  const folder = await mkdtemp(join(tmpdir(), 'sightline-bench-'))
  try {
    const warm = await play(join(folder, 'warm'), QUESTIONS)
    const once = await play(join(folder, 'once'), QUESTIONS)
    const more = await play(join(folder, 'more'), QUESTIONS * MORE_EPISODES)
    const uniqueBytes = SCENES * FRAMES * FRAME_BYTES
    return {
      figures: {
        diskPerUniqueBytes: once.diskBytes / uniqueBytes,
        blocksPerUniqueBytes: once.blockBytes / uniqueBytes,
        framesPerSecond: once.framesPerSecond,
        heldMegabytes: (once.heldBytes - warm.heldBytes) / 1e6,
        heldMegabytesTenfold: (more.heldBytes - warm.heldBytes) / 1e6,
        memoryGrowthMegabytes: (more.heldBytes - once.heldBytes) / 1e6,
      },
      // A tenth of the pictures of one scene: a leak of images would exceed the limit by far.
      bars: { diskPerUniqueBytes: { atMost: 1.1 }, memoryGrowthMegabytes: { atMost: 1 } },
    }
  } finally {
    await rm(folder, { recursive: true, force: true })
  }
}

/** Plays questions that each look at all frames of their scene; every frame is rendered again. */
async function play(
  dir: string,
  questions: number,
): Promise<{ diskBytes: number; blockBytes: number; heldBytes: number; framesPerSecond: number }> {
  const store = await Store.open(dir)
  const writer = await store.createRun(exampleHeader({ id: 'run', planned: questions }))
  let next = 0
  const start = performance.now()
  await Promise.all(
    Array.from({ length: IN_FLIGHT }, async () => {
      while (next < questions) {
        const question = next++
        const events: string[] = []
        for (let i = 0; i < FRAMES; i++) {
          const ref = await store.media.keep(frame(question % SCENES, i), 'image/jpeg', { width: 640, height: 480 })
          events.push(JSON.stringify({ type: 'show', media: ref }))
        }
        await writer.append(exampleLine(question), events)
      }
    }),
  )
  const seconds = (performance.now() - start) / 1000
  const heldBytes = await bytesHeld()
  await writer.setStatus({ state: 'done', reason: null })
  await writer.close()
  return { ...(await usage(dir)), heldBytes, framesPerSecond: (questions * FRAMES) / seconds }
}

/** Bytes that do not compress, the same for the same scene and frame. */
function frame(scene: number, index: number): Uint8Array {
  return createHash('shake256', { outputLength: FRAME_BYTES }).update(`${scene}/${index}`).digest()
}

/** Everything in the store, journal included: bytes of its files, and what files and folders take up on the disk. */
async function usage(dir: string): Promise<{ diskBytes: number; blockBytes: number }> {
  const entries = await readdir(dir, { recursive: true, withFileTypes: true })
  const found = await Promise.all(entries.map((entry) => stat(join(entry.parentPath, entry.name))))
  let diskBytes = 0
  let blockBytes = 0
  for (const entry of found) {
    if (entry.isFile()) diskBytes += entry.size
    blockBytes += entry.blocks * 512
  }
  return { diskBytes, blockBytes }
}

/** Memory that is still reachable, buffers included, after the collector has been. */
async function bytesHeld(): Promise<number> {
  setFlagsFromString('--expose-gc')
  const collect = runInNewContext('gc') as () => void
  for (let i = 0; i < 3; i++) {
    collect()
    await nextTurn()
  }
  const { heapUsed, arrayBuffers } = process.memoryUsage()
  return heapUsed + arrayBuffers
}
