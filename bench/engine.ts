/** What the engine costs over a bare loop that writes the same lines, and whether that grows with the run. */
import { fileURLToPath } from 'node:url'
import { execFile } from 'node:child_process'
import { promisify } from 'node:util'
import { type BenchResult, median } from './harness.ts'

const RUNS = 5
const SMALL = 5_000
const LARGE = 50_000

interface Measured {
  cpuSeconds: number
  peakMegabytes: number
}

export default async function engine(): Promise<BenchResult> {
  const bare = await measure('bare', SMALL, RUNS)
  const small = await measure('engine', SMALL, RUNS)
  const large = await measure('engine', LARGE, 1)
  return {
    figures: {
      episodes: SMALL,
      bareCpuSeconds: bare.cpuSeconds,
      engineCpuSeconds: small.cpuSeconds,
      cpuOverBareLoop: small.cpuSeconds / bare.cpuSeconds,
      peakMegabytes: small.peakMegabytes,
      peakMegabytesAt50000: large.peakMegabytes,
      microsecondsAnEpisodeAt5000: (small.cpuSeconds / SMALL) * 1e6,
      microsecondsAnEpisodeAt50000: (large.cpuSeconds / LARGE) * 1e6,
      costPerEpisode50000Over5000: large.cpuSeconds / LARGE / (small.cpuSeconds / SMALL),
    },
    bars: {
      cpuOverBareLoop: { atMost: 4 },
      peakMegabytes: { atMost: 150 },
      costPerEpisode50000Over5000: { atMost: 1.1 },
    },
  }
}

async function measure(mode: 'bare' | 'engine', episodes: number, runs: number): Promise<Measured> {
  const script = fileURLToPath(new URL('engine/measure.ts', import.meta.url))
  const results: Measured[] = []
  for (let i = 0; i < runs; i++) {
    const { stdout } = await promisify(execFile)(process.execPath, ['--import', 'tsx', script, mode, String(episodes)])
    results.push(JSON.parse(stdout) as Measured)
  }
  return {
    cpuSeconds: median(results.map(({ cpuSeconds }) => cpuSeconds)),
    peakMegabytes: median(results.map(({ peakMegabytes }) => peakMegabytes)),
  }
}
