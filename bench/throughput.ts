/**
 * 2,000 questions about 100 videos, 32 frames each, in a table that is sorted by type: how long a run takes with a server
 * that caches as vLLM does, against the time that this server cannot do without, and how much is sent.
 */
import { spawn } from 'node:child_process'
import { mkdir, mkdtemp, readFile, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { encodePng } from '../src/media/image.ts'
import { Random } from '../src/base/random.ts'
import type { BenchResult } from './harness.ts'
import { childCpuSeconds, ServerProcess } from './throughput/process.ts'
import { DECODE_MS, ENCODE_MS, PICTURE_TOKENS, PREFILL_MS } from './throughput/costs.ts'

const CLI = fileURLToPath(new URL('../dist/cli/main.js', import.meta.url))
const VIDEOS = Number(process.env.SIGHTLINE_BENCH_VIDEOS ?? 100)
const FRAMES = 32
const QUESTIONS = 20 * VIDEOS
const CONNECTIONS = 64
/** Of the naive client, which takes twenty times as long. */
const NAIVE_QUESTIONS = 2 * VIDEOS

const SUITE = `
format: 1
name: videos
data: { files: rows.jsonl }
columns: { id: id, question: question, options: [A, B], answer: answer, images: frames, cluster: video }
`

interface Row {
  id: string
  question: string
  A: string
  B: string
  answer: string
  video: string
  frames: string[]
}

interface Counted {
  requests: number
  bytes: number
  busyMs: number
  /** Between its first and its last request. */
  idleMs: number
  encoded: number
}

export default async function throughput(): Promise<BenchResult> {
  const folder = await mkdtemp(join(tmpdir(), 'sightline-bench-throughput-'))
  const server = await ServerProcess.start<Counted>('server.ts')
  try {
    const { rows, mediaBytes } = await writeDataset(folder)
    const cpuBefore = await childCpuSeconds()
    const ours = await timed(() => run(server.url, folder))
    const cpu = (await childCpuSeconds()) - cpuBefore
    const seen = await server.counted()
    const naive = await timed(() => askInOrder(server.url, folder, rows.slice(0, NAIVE_QUESTIONS)))
    const naively = await server.counted()
    // Every picture once, every video's prompt once, and the text of each question.
    const text = rows.reduce((sum, { question }) => sum + Math.ceil((question.length + 60) / 4), 0)
    const unique = VIDEOS * FRAMES
    const lowerBound = (unique * (ENCODE_MS + PREFILL_MS * PICTURE_TOKENS) + text * PREFILL_MS + DECODE_MS) / 1000
    return {
      figures: {
        questions: seen.requests,
        secondsOfTheServerAtLeast: lowerBound,
        secondsOfTheServer: seen.busyMs / 1000,
        secondsTheServerWaited: seen.idleMs / 1000,
        seconds: ours,
        cpuMsPerQuestion: (cpu * 1000) / seen.requests,
        cpuOverTheLowerBound: cpu / lowerBound,
        overTheLowerBound: ours / lowerBound,
        naiveOverTheLowerBound: (naive / lowerBound) * (QUESTIONS / naively.requests),
        picturesEncodedPerPicture: seen.encoded / unique,
        bytesOverUniqueMedia: seen.bytes / (mediaBytes * (4 / 3)),
        naiveBytesOverUniqueMedia: (naively.bytes / (mediaBytes * (4 / 3))) * (QUESTIONS / naively.requests),
      },
      bars: {
        overTheLowerBound: { atMost: 1.15 },
        bytesOverUniqueMedia: { atMost: 1.1 },
      },
    }
  } finally {
    server.stop()
    await rm(folder, { recursive: true, force: true })
  }
}

async function timed(work: () => Promise<void>): Promise<number> {
  const started = performance.now()
  await work()
  return (performance.now() - started) / 1000
}

/** Frames of noise, as large as photos of this size are; the table goes through all videos again and again. */
async function writeDataset(folder: string): Promise<{ rows: Row[]; mediaBytes: number }> {
  const random = new Random('throughput')
  let mediaBytes = 0
  for (let video = 0; video < VIDEOS; video++) {
    await mkdir(join(folder, `v${video}`))
    for (let frame = 0; frame < FRAMES; frame++) {
      const data = new Uint8Array(96 * 72 * 3).map(() => random.int(256))
      const png = await encodePng({ width: 96, height: 72, channels: 3, data })
      mediaBytes += png.length
      await writeFile(join(folder, `v${video}`, `${frame}.png`), png)
    }
  }
  const rows = Array.from({ length: QUESTIONS }, (_, i): Row => {
    const video = `v${i % VIDEOS}`
    const frames = Array.from({ length: FRAMES }, (__, frame) => `${video}/${frame}.png`)
    return {
      id: `q${i}`,
      question: `Question ${i}: is the chair left of the table?`,
      A: 'yes',
      B: 'no',
      answer: 'A',
      video,
      frames,
    }
  })
  await writeFile(join(folder, 'rows.jsonl'), rows.map((row) => `${JSON.stringify(row)}\n`).join(''))
  await writeFile(join(folder, 'videos.yaml'), SUITE)
  return { rows, mediaBytes }
}

async function run(url: string, folder: string): Promise<void> {
  const model = ['--model', 'vllm/timed', '-M', `base_url=${url}`, '-M', 'upload=once']
  const how = ['--max-connections', String(CONNECTIONS), '--log-dir', join(folder, 'store'), '--json']
  const child = spawn(process.execPath, [CLI, 'run', join(folder, 'videos.yaml'), ...model, ...how], {
    stdio: ['ignore', 'ignore', 'inherit'],
    env: { ...process.env, XDG_STATE_HOME: join(folder, 'state') },
  })
  const code = await new Promise<number | null>((resolve) => child.on('close', resolve))
  if (code !== 0) throw new Error(`the run ended with ${code}`)
}

/** As a script does that goes through the table: the same connections, all pictures in every request. */
async function askInOrder(url: string, folder: string, rows: readonly Row[]): Promise<void> {
  const waiting = [...rows]
  const ask = async (): Promise<void> => {
    for (let row = waiting.shift(); row; row = waiting.shift()) {
      const pictures = await Promise.all(row.frames.map((frame) => readFile(join(folder, frame), 'base64')))
      const content = [
        ...pictures.map((data) => ({ type: 'image_url', image_url: { url: `data:image/png;base64,${data}` } })),
        { type: 'text', text: row.question },
      ]
      const body = JSON.stringify({ model: 'timed', messages: [{ role: 'user', content }] })
      const response = await fetch(`${url}/chat/completions`, { method: 'POST', body })
      await response.text()
    }
  }
  await Promise.all(Array.from({ length: CONNECTIONS }, ask))
}
