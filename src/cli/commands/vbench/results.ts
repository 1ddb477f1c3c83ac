/** Scores a folder of videos: matches, measures, adds up, and writes results that other tools can read. */
import { join } from 'node:path'
import { UserError } from '../../../base/errors.ts'
import { groupBy } from '../../../base/group.ts'
import { explained, writeAtomically } from '../../../store/disk.ts'
import { type Dimension, DIMENSIONS, SAMPLES } from '../../../suites/vbench/domain/dimensions.ts'
import { chooseInstruments, type Instruments, outputsOf } from '../../../suites/vbench/measure/instruments.ts'
import { writeFullInfo } from '../../../suites/vbench/cases/full-info.ts'
import type { Plan } from '../../../suites/vbench/cases/plan.ts'
import { exportResults, submissionZip, type VideoRecord } from '../../../suites/vbench/published/results.ts'
import type { Matched } from '../../../suites/vbench/cases/match.ts'
import { aggregate, countedAtMost, countedVideos, type FilterKind, rowsOf, type Score } from '../../../suites/vbench/score/aggregate.ts'
import { ResultCache } from '../../../suites/vbench/score/cache.ts'
import { factsOf } from '../../../suites/vbench/measure/facts.ts'
import { type MeasuredVideo, measureVideos } from '../../../suites/vbench/measure/watch.ts'
import { type Measure, type Output, type Results, TIERS, type Tier } from '../../../suites/vbench/measure/types.ts'

export interface ScoreOptions {
  folder: string
  plan: Plan
  matched: Matched
  dimensions: readonly Dimension[]
  /** Networks and judges, besides what is built in. */
  measures?: readonly Measure[]
  tiers?: readonly Tier[]
  filter?: FilterKind
  /** Draws what the viewer shows, in the same pass. */
  pictures?: Measure
  /** Where results are kept and written. */
  out: string
  atOnce?: number
  signal: AbortSignal
  onVideo?: (done: number, of: number, problem: string | null) => void
}

export interface Scored extends Score {
  videos: MeasuredVideo[]
  instruments: Instruments
  filter: FilterKind
  files: string[]
}

export async function scoreVideos(options: ScoreOptions): Promise<Scored> {
  const { folder, plan, matched, dimensions, signal } = options
  if (matched.videos.length === 0) {
    throw new UserError(`None of the videos of the plan is in ${folder}.`, {
      hint: 'Run "sightline vbench check" with the same options: it says what is there and what was expected.',
    })
  }
  const instruments = chooseInstruments({
    dimensions,
    given: options.measures ?? [],
    tiers: options.tiers ?? TIERS,
    filter: options.filter,
  })
  const { measures, filter } = instruments
  const cache = await ResultCache.open(options.out)
  const videos = await measureVideos({
    folder,
    videos: matched.videos,
    measures: options.pictures ? new Map<Output, Measure>([...measures, ['pictures', options.pictures]]) : measures,
    outputsOf: ({ video }) => {
      const outputs = outputsOf({ index: video.index, dimensions: video.prompt.dimensions }, dimensions, filter)
      return options.pictures ? [...outputs, 'pictures'] : outputs
    },
    cache,
    atOnce: options.atOnce ?? 1,
    signal,
    ...(options.onVideo ? { onVideo: options.onVideo } : {}),
  })
  const expected = new Map(
    DIMENSIONS.map((name) => {
      const own = plan.prompts.filter((prompt) => prompt.dimensions.includes(name))
      return [name, own.reduce((sum, { samples }) => sum + countedAtMost(samples), 0)]
    }),
  )
  const score = aggregate(videos, { suite: plan.suite, dimensions, instruments, expected })
  const rows = rowsOf(videos, { suite: plan.suite, dimensions, instruments })
  const files = await writeResults(options.out, plan, score, rows, filter)
  return { ...score, videos, instruments, filter, files }
}

/** Our own results in full, and the published form with what is exact and nothing else. */
async function writeResults(
  out: string,
  plan: Plan,
  score: Score,
  rows: ReturnType<typeof rowsOf>,
  filter: FilterKind,
): Promise<string[]> {
  const videos = rows.map(({ video }) => video)
  const write = async (name: string, content: string | Uint8Array): Promise<string> => {
    const path = join(out, name)
    await explained(path, () => writeAtomically(path, content))
    return path
  }
  const own = {
    suite: plan.suite,
    plan: plan.fingerprint,
    staticFilter: filter,
    official: score.official,
    totals: score.totals,
    dimensions: score.dimensions,
    videos: videos.map(({ path, video, results }) => ({
      file: path,
      prompt: video.prompt.prompt,
      index: video.index,
      clip: factsOf(results.clip),
      results: valuesOnly(results),
    })),
  }
  const files = [await write('results.json', `${JSON.stringify(own, null, 1)}\n`)]
  const exact = score.dimensions.filter(({ tier, value }) => tier === 'exact' && value !== null)
  if (exact.length === 0) return files
  const published = exportResults(
    Object.fromEntries(
      exact.map(({ dimension, value }) => [dimension, { value: value!, records: recordsOf(dimension, rows) }]),
    ),
  )
  const byPrompt = groupBy(videos, ({ video }) => video.prompt.prompt)
  const info = writeFullInfo(plan.entries, ({ prompt }) =>
    (byPrompt.get(prompt) ?? []).filter(({ video }) => video.index < SAMPLES).map(({ path }) => path),
  )
  files.push(await write('sightline_eval_results.json', published))
  files.push(await write('sightline_full_info.json', info))
  if (score.official) files.push(await write('submission.zip', submissionZip(published, info)))
  return files
}

function valuesOnly(results: Results): Results {
  return Object.fromEntries(Object.entries(results).filter(([output]) => output !== 'pictures' && output !== 'clip'))
}

/** Imaging quality is published per video from 0 to 100, yes-or-no dimensions as true and false. */
function recordsOf(dimension: Dimension, rows: ReturnType<typeof rowsOf>): VideoRecord[] {
  return countedVideos(dimension, rows, 'exact').map(({ video, result }) => ({
    video_path: video.path,
    video_results:
      dimension === 'imaging_quality'
        ? result.value * 100
        : dimension === 'dynamic_degree' || dimension === 'human_action'
          ? result.value === 1
          : result.value,
    ...result.detail,
  }))
}
