/**
 * What the engine costs over a bare loop that writes the same lines, and whether that grows with the run.
 *
 * Both are measured as JavaScript, as users run it: a loader for TypeScript has memory of its own and wraps functions.
 */
import { execFile } from 'node:child_process'
import { mkdtemp, rm } from 'node:fs/promises'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { promisify } from 'node:util'
import { build } from 'vite'
import { type BenchResult, median } from './harness.ts'

const RUNS = 21
const LARGE_RUNS = 3
const SMALL = 5_000
const LARGE = 50_000

interface Measured {
  cpuSeconds: number
  peakMegabytes: number
}

export default async function engine(): Promise<BenchResult> {
  // Next to the packages, so that they are found.
  const folder = await mkdtemp(fileURLToPath(new URL('../node_modules/.engine-', import.meta.url)))
  try {
    const script = await compile(fileURLToPath(new URL('engine/measure.ts', import.meta.url)), folder)
    const small = await measure(script, SMALL, RUNS)
    const large = await measure(script, LARGE, LARGE_RUNS)
    return {
      figures: {
        episodes: SMALL,
        bareCpuSeconds: small.bare.cpuSeconds,
        engineCpuSeconds: small.engine.cpuSeconds,
        cpuOverBareLoop: small.engine.cpuSeconds / small.bare.cpuSeconds,
        cpuOverBareLoopAt50000: large.engine.cpuSeconds / large.bare.cpuSeconds,
        peakMegabytes: small.engine.peakMegabytes,
        peakMegabytesAt50000: large.engine.peakMegabytes,
        microsecondsAnEpisodeAt5000: (small.engine.cpuSeconds / SMALL) * 1e6,
        microsecondsAnEpisodeAt50000: (large.engine.cpuSeconds / LARGE) * 1e6,
        costPerEpisode50000Over5000: large.engine.cpuSeconds / LARGE / (small.engine.cpuSeconds / SMALL),
      },
      bars: {
        cpuOverBareLoop: { atMost: 2 },
        peakMegabytesAt50000: { atMost: 130 },
        costPerEpisode50000Over5000: { atMost: 1.1 },
      },
    }
  } finally {
    await rm(folder, { recursive: true })
  }
}

async function compile(script: string, folder: string): Promise<string> {
  await build({
    configFile: false,
    logLevel: 'error',
    build: { ssr: script, outDir: folder, rolldownOptions: { output: { entryFileNames: 'measure.mjs' } } },
  })
  return join(folder, 'measure.mjs')
}

/** In turns, so that a busy machine slows down both. */
async function measure(script: string, episodes: number, runs: number): Promise<Record<'bare' | 'engine', Measured>> {
  const results: Record<'bare' | 'engine', Measured[]> = { bare: [], engine: [] }
  for (let i = 0; i < runs; i++) {
    for (const mode of ['bare', 'engine'] as const) {
      const { stdout } = await promisify(execFile)(process.execPath, [script, mode, String(episodes)])
      results[mode].push(JSON.parse(stdout) as Measured)
    }
  }
  return { bare: middle(results.bare), engine: middle(results.engine) }
}

function middle(results: readonly Measured[]): Measured {
  return {
    cpuSeconds: median(results.map(({ cpuSeconds }) => cpuSeconds)),
    peakMegabytes: median(results.map(({ peakMegabytes }) => peakMegabytes)),
  }
}
