/**
 * Kills `vbench score` with `kill -9` while it measures, and starts the same command again: nothing that was recorded may
 * be measured again, and the results must be those of an undisturbed run, byte for byte.
 */
import { mkdir, mkdtemp, readdir, readFile, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { Random } from '../../src/base/random.ts'
import { videoBackend } from '../../src/media/index.ts'
import {
  ended,
  episodeLines,
  finish,
  firstDifference,
  kill,
  reportOf,
  runsIn,
  splitArguments,
  start,
  untilTrue,
} from './trial.ts'

export interface ScoreChaosOptions {
  videos: number
  kills: number
  seed: string
  log: (line: string) => void
}

export interface ScoreChaosOutcome {
  trial: 'vbench'
  videos: number
  kills: number
  /** Values on record at the end: one per video and instrument. */
  measurements: number
  /** Values of one video and instrument that are on record more than once. */
  twice: number
  /** Videos on record at each kill. */
  atKills: number[]
  problems: string[]
}

const SIZE = { width: 64, height: 48, fps: 8 }
const FRAMES = 6
const VIDEOS_PER_PROMPT = 5
const DIMENSIONS = 'temporal_flickering,dynamic_degree,motion_smoothness,imaging_quality'
/** Those of the dimensions, the static filter, and pictures. */
const INSTRUMENTS = 6
/** Share of the videos before the last kill, so that there is something left to measure. */
const SHARE_UNDER_FIRE = 0.9

export async function scoreChaos({ videos, kills, seed, log }: ScoreChaosOptions): Promise<ScoreChaosOutcome> {
  const random = new Random(`chaos/vbench/${seed}`)
  const folder = await mkdtemp(join(tmpdir(), 'sightline-chaos-vbench-'))
  const problems: string[] = []
  try {
    await film(join(folder, 'videos'), videos)
    const [calm, wild] = ['calm', 'wild'].map((name) => ({
      store: join(folder, name),
      results: join(folder, `${name}-results`),
    })) as [Place, Place]
    const videoFolder = join(folder, 'videos')
    const command = ({ store, results }: Place): string[] =>
      splitArguments(
        `vbench score --custom --videos ${videoFolder} -d ${DIMENSIONS} --output ${results} --log-dir ${store}`,
      )
    await finish(start(command(calm)))
    const atKills: number[] = []
    let before: string[] = []
    const stride = Math.max(1, Math.floor((videos * SHARE_UNDER_FIRE) / kills))
    for (let i = 0; i < kills; i++) {
      const moment = i * stride + random.between(1, stride)
      const child = start(command(wild))
      let isOver = false
      void ended(child).then(() => (isOver = true))
      await untilTrue(async () => isOver || (await episodeLines(wild.store)).length >= moment)
      if (isOver) problems.push(`the command ended before kill ${i + 1}: ${(await ended(child)).stderr.slice(-300)}`)
      else await kill(child)
      const now = await episodeLines(wild.store)
      if (before.some((line, at) => now[at] !== line)) problems.push(`kill ${i + 1}: a recorded video has changed`)
      before = now
      atKills.push(now.length)
      log(`vbench: kill ${i + 1}, ${now.length} of ${videos} videos on record`)
    }
    await finish(start(command(wild)))
    const lines = await episodeLines(wild.store)
    if (before.some((line, at) => lines[at] !== line)) problems.push('a recorded video was measured again')
    if (lines.length !== videos) problems.push(`${lines.length} videos on record, expected ${videos}`)
    const values = await measurementsIn(wild.store)
    const twice = values.length - new Set(values).size
    if (twice > 0) problems.push(`${twice} values are on record twice`)
    if (values.length !== videos * INSTRUMENTS)
      problems.push(`${values.length} values on record, expected ${videos * INSTRUMENTS}`)
    if ((await runsIn(wild.store)).length !== 1) problems.push('there is more than one run')
    problems.push(...(await differences(calm, wild)))
    return { trial: 'vbench', videos, kills: atKills.length, measurements: values.length, twice, atKills, problems }
  } finally {
    await rm(folder, { recursive: true, force: true })
  }
}

interface Place {
  store: string
  results: string
}

/** What of results and report is not the same. */
async function differences(calm: Place, wild: Place): Promise<string[]> {
  const found: string[] = []
  const names = await readdir(calm.results)
  for (const name of new Set([...names, ...(await readdir(wild.results))])) {
    const [one, other] = await Promise.all(
      [calm, wild].map(({ results }) => readFile(join(results, name), 'utf8').catch(() => '')),
    )
    if (one !== other) found.push(`${name} differs:\n${firstDifference(one!, other!)}`)
  }
  const [one, other] = [await reportOf(calm.store), await reportOf(wild.store)]
  if (one !== other) found.push(`the report differs:\n${firstDifference(one, other)}`)
  return found
}

/** `video/instrument` of every value in the journal that episodes refer to. */
async function measurementsIn(store: string): Promise<string[]> {
  const [run] = await runsIn(store)
  const events = await readFile(join(store, 'runs', run!.id, 'events.jsonl'))
  return (await episodeLines(store, run!.id)).flatMap((line) => {
    const { sample, events: at } = JSON.parse(line) as { sample: string; events: [number, number] }
    const own = events.subarray(at[0], at[0] + at[1]).toString('utf8')
    return own.split('\n').flatMap((text) => {
      if (text === '') return []
      const event = JSON.parse(text) as { type: string; instrument?: string }
      return event.type === 'measurement' ? [`${sample}/${event.instrument}`] : []
    })
  })
}

/** Small clips, no two alike; a third of them still. */
async function film(folder: string, count: number): Promise<void> {
  await mkdir(folder, { recursive: true })
  const backend = await videoBackend()
  for (let k = 0; k < count; k++) {
    const frames = Array.from({ length: FRAMES }, (_, t) => {
      const data = new Uint8Array(SIZE.width * SIZE.height * 3)
      for (let i = 0; i < SIZE.width * SIZE.height; i++) {
        const [x, y] = [(i % SIZE.width) - 2 * t * (k % 3), Math.floor(i / SIZE.width)]
        data.fill(128 + 60 * Math.sin(x * 0.3 + k) + 40 * Math.sin(y * 0.2 + k * 0.7), i * 3, i * 3 + 3)
      }
      return { width: SIZE.width, height: SIZE.height, channels: 3 as const, data }
    })
    const name = `film ${Math.floor(k / VIDEOS_PER_PROMPT)}-${k % VIDEOS_PER_PROMPT}.mp4`
    await writeFile(join(folder, name), (await backend.encode(frames, SIZE)).bytes)
  }
}
