/**
 * How long the places of a server are empty because a suite renders what it asks about: 64 requests in flight. Replies take a few
 * seconds, and where rendering takes all cores at that pace (`renderingIsTheLimit` is 1), as long as this machine needs to render
 * the next ones with cores to spare.
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
/** Share of all cores from which rendering is the limit. */
const ALL_CORES = 0.85
/** Of the pace at which everything is rendered: scenes differ, so some moments ask for more. */
const UNHURRIED = 0.7

export default async function idle(): Promise<BenchResult> {
  const figures: Record<string, number> = {}
  const bars: Record<string, { atMost: number }> = {}
  for (const suite of SUITES) {
    const name = suite.replace(/\W(\w)/, (_, letter: string) => letter.toUpperCase())
    const quick = await trial(suite, REPLY_MS)
    /** If no place is ever empty. */
    const coresAsked = (quick.cpuMsPerQuestion * PLACES) / REPLY_MS
    const isLimit = coresAsked > ALL_CORES * availableParallelism()
    const judged = isLimit ? await trial(suite, (1000 * PLACES) / (quick.perSecond * UNHURRIED)) : quick
    Object.assign(figures, {
      [`${name}CpuMsPerQuestion`]: quick.cpuMsPerQuestion,
      [`${name}QuestionsPerSecond`]: quick.perSecond,
      [`${name}RenderingIsTheLimit`]: isLimit ? 1 : 0,
      [`${name}CoresInUse`]: quick.cores,
      [`${name}IdleShareAtTheLimit`]: isLimit ? quick.idleShare : 0,
      [`${name}SecondsPerReply`]: judged.replyMs / 1000,
      [`${name}IdleShare`]: judged.idleShare,
    })
    bars[`${name}IdleShare`] = { atMost: 0.02 }
  }
  return { figures, bars }
}

async function trial(suite: string, replyMs: number) {
  const folder = await mkdtemp(join(tmpdir(), 'sightline-bench-idle-'))
  const server = await ServerProcess.start<{ requests: number; idleShare: number }>(
    'slots.ts',
    PLACES,
    Math.round(replyMs),
  )
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
    const cpu = (await childCpuSeconds()) - before
    const { requests, idleShare } = await server.counted()
    return {
      idleShare,
      replyMs,
      cpuMsPerQuestion: (cpu * 1000) / requests,
      perSecond: requests / seconds,
      cores: cpu / seconds,
    }
  } finally {
    server.stop()
    await rm(folder, { recursive: true, force: true })
  }
}
