/**
 * How long the places of a server are empty because a suite renders what it asks about: 64 requests in flight, replies after
 * a few seconds. Where rendering takes all cores, it is the limit and not the order of things; `renderingIsTheLimit` is 1 then.
 */
import { spawn } from 'node:child_process'
import { mkdtemp, rm } from 'node:fs/promises'
import { availableParallelism, tmpdir } from 'node:os'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import type { BenchResult } from './harness.ts'
import { childCpuSeconds, ServerProcess } from './throughput/process.ts'

const CLI = fileURLToPath(new URL('../dist/cli/main.js', import.meta.url))
const PLACES = Number(process.env.SIGHTLINE_BENCH_PLACES ?? 64)
const QUESTIONS = Number(process.env.SIGHTLINE_BENCH_QUESTIONS ?? 640)
/** As a large model takes for a video. */
const REPLY_MS = 8000
const SUITES = ['vsi/video']
/** Share of all cores from which nothing else could make it faster. */
const ALL_CORES = 0.85

export default async function idle(): Promise<BenchResult> {
  const figures: Record<string, number> = {}
  for (const suite of SUITES) {
    const name = suite.replace(/\W(\w)/, (_, letter: string) => letter.toUpperCase())
    const { idleShare, seconds, cpu, requests } = await trial(suite)
    Object.assign(figures, {
      [`${name}Questions`]: requests,
      [`${name}CpuMsPerQuestion`]: (cpu * 1000) / requests,
      [`${name}IdleShare`]: idleShare,
      [`${name}RenderingIsTheLimit`]: cpu / seconds > ALL_CORES * availableParallelism() ? 1 : 0,
    })
  }
  const isLimit = (name: string): boolean => figures[name.replace('IdleShare', 'RenderingIsTheLimit')] === 1
  const judged = Object.keys(figures).filter((name) => name.endsWith('IdleShare') && !isLimit(name))
  return { figures, bars: Object.fromEntries(judged.map((name) => [name, { atMost: 0.02 }])) }
}

async function trial(suite: string) {
  const folder = await mkdtemp(join(tmpdir(), 'sightline-bench-idle-'))
  const server = await ServerProcess.start<{ requests: number; idleShare: number }>('slots.ts', PLACES, REPLY_MS)
  try {
    const before = await childCpuSeconds()
    const started = performance.now()
    const model = ['--model', 'vllm/timed', '-M', `base_url=${server.url}`, '--max-connections', String(PLACES)]
    const how = ['--limit', String(QUESTIONS), '--log-dir', join(folder, 'store'), '--json']
    const child = spawn(process.execPath, [CLI, 'run', suite, ...model, ...how], {
      stdio: ['ignore', 'ignore', 'inherit'],
      env: { ...process.env, XDG_STATE_HOME: join(folder, 'state') },
    })
    const code = await new Promise<number | null>((resolve) => child.on('close', resolve))
    if (code !== 0) throw new Error(`the run ended with ${code}`)
    const seconds = (performance.now() - started) / 1000
    return { ...(await server.counted()), seconds, cpu: (await childCpuSeconds()) - before }
  } finally {
    server.stop()
    await rm(folder, { recursive: true, force: true })
  }
}
