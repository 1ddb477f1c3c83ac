/**
 * How fast training data with pictures is made, with all cores, after the first scenes, which
 * paint textures and compile code once per dataset. Pictures count once, however many examples show them.
 */
import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { builtinSuite } from '../src/suites/index.ts'
import { makeData } from '../src/training/make.ts'
import type { BenchResult } from './harness.ts'

const SIDE = 224
/** Examples after which the measurement begins, and with which it ends. */
const WARM = 120
const EXAMPLES = 4 * WARM

interface Reading {
  pictures: number
  ms: number
  cpuMs: number
}

export default async function dataMake(): Promise<BenchResult> {
  const folder = await mkdtemp(join(tmpdir(), 'sightline-bench-data-'))
  const suite = await builtinSuite('vsi/video')
  let warm: Reading | null = null
  let peakBytes = 0
  let warmBytes = 0
  try {
    const { pictures } = await makeData({
      suite,
      loadFrom: null,
      options: { size: '320x240', unanswerable: 'ask' },
      player: 'baseline/oracle',
      rejected: null,
      examples: EXAMPLES,
      isBalanced: false,
      reasons: true,
      images: { type: 'jpeg', quality: 90, maxSide: SIDE },
      format: 'sharegpt',
      folder: join(folder, 'data'),
      version: 'bench',
      signal: new AbortController().signal,
      onProgress: (made) => {
        peakBytes = Math.max(peakBytes, process.memoryUsage.rss())
        if (warm !== null || made.examples < WARM) return
        warm = reading(made.pictures)
        warmBytes = peakBytes
      },
    })
    const { pictures: before, ms, cpuMs } = warm!
    const end = reading(pictures)
    const made = pictures - before
    return {
      figures: {
        'vsi/video at 320 × 240, pictures per second': (made * 1000) / (end.ms - ms),
        'CPU milliseconds per picture': (end.cpuMs - cpuMs) / made,
        'peak memory, four times the examples against once': peakBytes / warmBytes,
      },
      bars: {
        'vsi/video at 320 × 240, pictures per second': { atLeast: 60 },
        'peak memory, four times the examples against once': { atMost: 1.5 },
      },
    }
  } finally {
    await rm(folder, { recursive: true, force: true })
  }
}

function reading(pictures: number): Reading {
  const { user, system } = process.cpuUsage()
  return { pictures, ms: performance.now(), cpuMs: (user + system) / 1000 }
}
