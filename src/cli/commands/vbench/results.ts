/** Results of a scored folder of videos, by dimension, and as files for other tools. */
import { join } from 'node:path'
import { groupBy } from '../../../base/group.ts'
import { measurementsIn, valuesByInstrument } from '../../../engine/measure.ts'
import { makeReport } from '../../../engine/reporting.ts'
import { linesForProfile } from '../../../engine/rescore.ts'
import { withDiskErrors, writeAtomically } from '../../../store/disk.ts'
import type { EpisodeLine } from '../../../store/records.ts'
import type { RunReader } from '../../../store/run-reader.ts'
import { writeFullInfo } from '../../../suites/vbench/samples/full-info.ts'
import type { Matched, MatchedVideo } from '../../../suites/vbench/samples/match.ts'
import type { Planned } from '../../../suites/vbench/samples/request.ts'
import { sampleId } from '../../../suites/vbench/samples/source.ts'
import { type Dimension, SAMPLES } from '../../../suites/vbench/domain/dimensions.ts'
import { NEEDS } from '../../../suites/vbench/domain/needs.ts'
import type { VideoPlan } from '../../../suites/vbench/domain/prompts.ts'
import type { FilterKind, Tier } from '../../../suites/vbench/domain/results.ts'
import type { ClipFacts } from '../../../suites/vbench/events.ts'
import { exportResults, submissionZip } from '../../../suites/vbench/published/results.ts'
import { type MeasuredOutputs, measuredOutputs, scoreName, tierUnder } from '../../../suites/vbench/score.ts'
import { vbench } from '../../../suites/vbench/suite.ts'
import { outcomeIn } from './runs.ts'

type Interval = readonly [number, number] | null

export interface DimensionScore {
  dimension: Dimension
  value: number | null
  interval: Interval
  tier: Tier | null
  /** The instrument. */
  by: string | null
  /** Videos that were measured. */
  videos: number
  /** Videos that the plan has. */
  expected: number
  /** Why there is no value, or a remark on it. */
  note: string | null
}

export interface ScoredVideo extends MatchedVideo {
  line: EpisodeLine
  clip: ClipFacts | null
  outputs: MeasuredOutputs
  /** Whether an instrument failed on it, which is tried again next time. */
  hasFailure: boolean
}

export interface Scored {
  dimensions: DimensionScore[]
  totals: { name: 'quality' | 'semantic' | 'i2v' | 'total'; value: number | null; interval: Interval }[]
  /** True if every dimension of the totals is exact. */
  official: boolean
  filter: FilterKind
  videos: ScoredVideo[]
}

/** The report of the run, by dimension. */
export async function scoredRun(
  reader: RunReader,
  { plan, dimensions, matched }: Planned & { matched: Matched },
  filterOption: FilterKind | undefined,
): Promise<Scored> {
  const report = await makeReport(reader, vbench)
  const rows = new Map(report.rows.map((row) => [row.key, row]))
  const named = (key: string) => ({ value: rows.get(key)?.value ?? null, interval: rows.get(key)?.interval ?? null })
  const videos = await videosOf(reader, matched)
  const isRaft = videos.some(({ outputs }) => (outputs.static_filter?.tier ?? 'proxy') !== 'proxy')
  const filter = filterOption ?? (isRaft ? 'raft' : 'flow')
  return {
    official: named('total').value !== null,
    totals: (['quality', 'semantic', 'i2v', 'total'] as const)
      .filter((name) => rows.has(name))
      .map((name) => ({ name, ...named(name) })),
    filter,
    videos,
    dimensions: dimensions.map((dimension) => {
      const own = videos.filter(({ video }) => video.prompt.dimensions.includes(dimension))
      const outputs = own.find((each) => each.outputs[dimension] !== undefined)?.outputs
      const measured = outputs?.[dimension]
      const static_filter = filter === 'none' ? undefined : outputs?.static_filter
      const tier = measured === undefined ? null : tierUnder(dimension, measured, static_filter)
      const key = tier === null ? dimension : scoreName(dimension, tier)
      const counted = own.filter(({ line }) => line.scores[key] !== undefined).length
      return {
        dimension,
        ...named(key),
        tier,
        by: measured?.by ?? null,
        videos: counted,
        expected: expectedOf(dimension, plan),
        note: counted > 0 ? (rows.get(key)?.note ?? null) : whyNone(dimension, own),
      }
    }),
  }
}

/** The recorded results of the videos in the folder. */
async function videosOf(reader: RunReader, matched: Matched): Promise<ScoredVideo[]> {
  const lines = await linesForProfile(reader, vbench, reader.header.profile)
  const byId = new Map(lines.map((line) => [line.sample, line]))
  const videos: ScoredVideo[] = []
  for (const each of matched.videos) {
    const line = byId.get(sampleId(each.video))
    if (line === undefined) continue
    const events = await reader.events(line)
    const measurements = [...measurementsIn(events).values()]
    const outputs = measuredOutputs({}, valuesByInstrument(measurements))
    const hasFailure = measurements.some(({ failed }) => failed === true)
    videos.push({ ...each, line, clip: outcomeIn(events)?.clip ?? null, outputs, hasFailure })
  }
  return videos
}

function expectedOf(dimension: Dimension, { prompts }: VideoPlan): number {
  const own = prompts.filter((prompt) => prompt.dimensions.includes(dimension))
  return own.reduce((sum, { samples }) => sum + Math.min(SAMPLES, samples), 0)
}

function whyNone(dimension: Dimension, own: readonly ScoredVideo[]): string {
  if (own.length === 0) return 'no videos found'
  const measured = own.flatMap(({ outputs }) => outputs[dimension] ?? [])
  if (measured.length === 0) {
    const isReadable = own.some(({ line }) => line.status === 'answered')
    return isReadable ? NEEDS[dimension] : (own[0]!.line.error ?? NEEDS[dimension])
  }
  // Measured, but excluded by the static filter.
  if (dimension === 'temporal_flickering' && measured.some(({ value }) => value !== null)) return 'no static video'
  return measured.find(({ reason }) => reason !== undefined)?.reason ?? 'no video could be measured'
}

/** Writes full results in our own format, and the exact dimensions in the published format. */
export async function writeResults(out: string, plan: VideoPlan, scored: Scored): Promise<string[]> {
  const { dimensions, totals, official, filter, videos } = scored
  const write = async (name: string, content: string | Uint8Array): Promise<string> => {
    const path = join(out, name)
    await withDiskErrors(path, () => writeAtomically(path, content), '--output')
    return path
  }
  const own = {
    suite: plan.promptSuite,
    plan: plan.fingerprint,
    staticFilter: filter,
    official,
    totals,
    dimensions,
    videos: videos.map(({ path, video, line, clip, outputs }) => ({
      file: path,
      prompt: video.prompt.prompt,
      index: video.index,
      clip,
      results: outputs,
      ...(line.error === undefined ? {} : { problem: line.error }),
    })),
  }
  const files = [await write('results.json', `${JSON.stringify(own, null, 1)}\n`)]
  const exact = dimensions.flatMap(({ dimension, tier, value }) =>
    tier === 'exact' && value !== null ? [[dimension, { value, records: recordsOf(dimension, videos) }] as const] : [],
  )
  if (exact.length === 0) return files
  const published = exportResults(Object.fromEntries(exact))
  const byPrompt = groupBy(videos, ({ video }) => video.prompt.prompt)
  const info = writeFullInfo(plan.entries, ({ prompt }) =>
    (byPrompt.get(prompt) ?? []).filter(({ video }) => video.index < SAMPLES).map(({ path }) => path),
  )
  files.push(await write('sightline_eval_results.json', published))
  files.push(await write('sightline_full_info.json', info))
  if (official) files.push(await write('submission.zip', submissionZip(published, info)))
  return files
}

/** Records in the published format: imaging quality from 0 to 100, yes-or-no dimensions as booleans. */
function recordsOf(dimension: Dimension, videos: readonly ScoredVideo[]): object[] {
  return videos.flatMap(({ path, line, outputs }) => {
    const { value = null, detail } = outputs[dimension] ?? {}
    if (value === null || line.scores[scoreName(dimension, 'exact')] === undefined) return []
    const isYesOrNo = dimension === 'dynamic_degree' || dimension === 'human_action'
    const video_results = dimension === 'imaging_quality' ? value * 100 : isYesOrNo ? value === 1 : value
    return [{ video_path: path, video_results, ...detail }]
  })
}
