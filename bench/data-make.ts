/** How fast training data with pictures is made, with all cores: pictures per second, and memory. */
import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { builtinSuite } from '../src/suites/index.ts'
import { makeData } from '../src/training/make.ts'
import type { BenchResult } from './harness.ts'

const SIDE = 224
const EXAMPLES = [60, 240]

export default async function dataMake(): Promise<BenchResult> {
  const folder = await mkdtemp(join(tmpdir(), 'sightline-bench-data-'))
  try {
    const suite = await builtinSuite('vsi/video')
    const megabytes: number[] = []
    let rate = 0
    for (const examples of EXAMPLES) {
      const start = performance.now()
      const { pictures } = await makeData({
        suite,
        loadFrom: null,
        options: { size: '320x240', unanswerable: 'ask' },
        player: 'baseline/oracle',
        rejected: null,
        examples,
        isBalanced: false,
        reasons: true,
        images: { type: 'jpeg', quality: 90, maxSide: SIDE },
        format: 'sharegpt',
        folder: join(folder, String(examples)),
        version: 'bench',
        signal: new AbortController().signal,
        onProgress: () => {},
      })
      rate = (pictures * 1000) / (performance.now() - start)
      megabytes.push(process.memoryUsage().rss / 1e6)
    }
    return {
      figures: {
        'vsi/video at 320 × 240, pictures per second': rate,
        'memory, four times the examples against once': megabytes[1]! / megabytes[0]!,
      },
      bars: {
        'vsi/video at 320 × 240, pictures per second': { atLeast: 60 },
        'memory, four times the examples against once': { atMost: 1.5 },
      },
    }
  } finally {
    await rm(folder, { recursive: true, force: true })
  }
}
