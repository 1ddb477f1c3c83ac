/**
 * How fast training data with pictures is made, with all cores, after the first scenes, which paint textures and compile code
 * once per dataset. Scenes are written in order and some take seconds, so hundreds of examples are measured. Pictures count
 * once, however many examples show them. Drawn at the size at which most encoders see them, drawn larger and made smaller,
 * and in plain colors without light.
 */
import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { builtinSuite } from '../src/suites/index.ts'
import { makeData } from '../src/training/make.ts'
import type { BenchResult } from './harness.ts'

const SIDE = 224
const SIZE = '224x168'
const LARGER = '320x240'
/** Examples after which the measurement begins, and with which it ends. */
const WARM = 120
const EXAMPLES = 10 * WARM
/** Examples with which peak memory is compared: models and textures are kept, until all of them were seen. */
const GROWN = 4 * WARM

interface Reading {
  pictures: number
  ms: number
  cpuMs: number
}

export default async function dataMake(): Promise<BenchResult> {
  const sized = await measured(SIZE)
  const larger = await measured(LARGER)
  const plain = await measured(SIZE, 'builtin:look=plain')
  return {
    figures: {
      'vsi/video, pictures per second': sized.perSecond,
      'CPU milliseconds per picture': sized.cpuMs,
      'peak memory, four times the examples against once': sized.growth,
      'drawn at 320 × 240 and made smaller, pictures per second': larger.perSecond,
      'plain, pictures per second': plain.perSecond,
    },
    bars: {
      'vsi/video, pictures per second': { atLeast: 60 },
      'peak memory, four times the examples against once': { atMost: 1.5 },
    },
  }
}

async function measured(size: string, source?: string): Promise<{ perSecond: number; cpuMs: number; growth: number }> {
  const folder = await mkdtemp(join(tmpdir(), 'sightline-bench-data-'))
  const suite = await builtinSuite('vsi/video')
  let warm: Reading | null = null
  let peakBytes = 0
  let warmBytes = 0
  try {
    const { pictures } = await makeData({
      suite,
      loadFrom: null,
      options: { size, unanswerable: 'ask' },
      source,
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
        if (made.examples <= GROWN) peakBytes = Math.max(peakBytes, process.memoryUsage.rss())
        if (warm !== null || made.examples < WARM) return
        warm = reading(made.pictures)
        warmBytes = peakBytes
      },
    })
    const { pictures: before, ms, cpuMs } = warm!
    const end = reading(pictures)
    const made = pictures - before
    return {
      perSecond: (made * 1000) / (end.ms - ms),
      cpuMs: (end.cpuMs - cpuMs) / made,
      growth: peakBytes / warmBytes,
    }
  } finally {
    await rm(folder, { recursive: true, force: true })
  }
}

function reading(pictures: number): Reading {
  const { user, system } = process.cpuUsage()
  return { pictures, ms: performance.now(), cpuMs: (user + system) / 1000 }
}
