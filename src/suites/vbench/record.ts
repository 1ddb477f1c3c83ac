/** A scored folder of videos as a run in the store, so that it can be reported, compared, exported and looked at. */
import { basename, join } from 'node:path'
import { shortHash } from '../../engine/fingerprint.ts'
import { planRun } from '../../engine/plan.ts'
import type { Surroundings } from '../../engine/run.ts'
import { selectedCases } from '../../engine/source.ts'
import type { MediaRef } from '../../media/index.ts'
import { NO_USAGE } from '../../models/types.ts'
import type { EpisodeLine, RunHeader } from '../../store/records.ts'
import { newRunId } from '../../store/run-id.ts'
import { caseId, type VbenchSample } from './cases.ts'
import type { Dimension } from './dimensions.ts'
import { vbench } from './index.ts'
import { outputsOf } from './instruments.ts'
import { outcomeOf, videoEvent } from './outcome.ts'
import type { MeasuredVideo } from './score/measure.ts'
import type { Scored } from './score/score.ts'
import { score } from './scores.ts'
import { clipType } from './videos/clip.ts'
import type { Manifest } from './videos/manifest.ts'

export interface RecordRequest {
  /** Where the videos are. */
  folder: string
  /** Who made them, and who judged. */
  models: { player: string; judge?: string }
  /** As `sightline run` would have been given them, so that the run can be scored again. */
  source: string
  options: Readonly<Record<string, unknown>>
  dimensions: readonly Dimension[]
  scored: Scored
  manifest: Manifest
  /** Seed of the set, where it is known. */
  seed: number
}

/** So many episodes are written together: enough to share a sync, few enough to stay small. */
const BATCH = 64

/** Writes the run and gives its id; a run that would be the same is not written again. */
export async function recordRun(request: RecordRequest, around: Surroundings): Promise<{ id: string; isNew: boolean }> {
  const { scored, models, options, source, seed } = request
  const plan = await planRun({ suite: vbench, models, options, source, seed })
  const parts = {
    ...plan.header.fingerprint.parts,
    // Which videos they are belongs to who made them: runs of two models are still alike.
    'modelOption.videos': shortHash(scored.videos.map(({ path, hash }) => [path, hash ?? null])),
  }
  const fingerprint = { parts, hash: shortHash(parts) }
  const known = (await around.store.listRuns()).find(
    ({ header, status }) => header.fingerprint.hash === fingerprint.hash && status.state === 'done',
  )
  if (known) return { id: known.id, isNew: false }
  const created = around.now()
  const header: RunHeader = {
    ...plan.header,
    fingerprint,
    id: newRunId(vbench.name, models.player, created),
    created: created.toISOString(),
    versions: around.versions,
    git: around.git,
    prices: {},
  }
  const measured = new Map(scored.videos.map((video) => [caseId(video.video.prompt.prompt, video.video.index), video]))
  const writer = await around.store.createRun(header)
  try {
    let written: Promise<unknown>[] = []
    for await (const { index, sample } of selectedCases(plan.source, plan.selection)) {
      const { line, events } = await episodeOf(sample as VbenchSample, measured.get(sample.id), request, around)
      written.push(
        writer.append(
          { ...line, index },
          events.map((event) => JSON.stringify(event)),
        ),
      )
      if (written.length < BATCH) continue
      await Promise.all(written)
      written = []
    }
    await Promise.all(written)
    await writer.setStatus({ state: 'done', reason: null })
  } finally {
    await writer.close()
  }
  return { id: header.id, isNew: true }
}

/** A video that is not there, or cannot be read, is no fault of the scores of others: it is left out, and named. */
async function episodeOf(
  sample: VbenchSample,
  video: MeasuredVideo | undefined,
  { folder, dimensions, scored, manifest }: RecordRequest,
  around: Surroundings,
): Promise<{ line: Omit<EpisodeLine, 'events' | 'index'>; events: object[] }> {
  const { id, cluster, labels } = sample
  const base = { case: id, epoch: 1, cluster, labels, usage: NO_USAGE, ms: 0 }
  const { instruments } = scored
  const wanted = outputsOf(sample, dimensions, instruments.filter)
  const problem = video === undefined ? 'the video is not there' : (video.problem ?? null)
  const media =
    video?.hash === undefined || problem !== null ? null : await keep(join(folder, video.path), video.hash, around)
  const seed = video === undefined ? null : (manifest.lines.get(basename(video.path))?.seed ?? null)
  const results = video?.results ?? {}
  const outcome = outcomeOf(sample, results, instruments, { media, seed, wanted })
  const status = problem === null ? ('answered' as const) : ('missing_asset' as const)
  const events = [
    ...(video === undefined ? [] : [{ ...videoEvent(sample, outcome, results), file: video.path }]),
    { type: 'outcome', status, outcome, ...(problem === null ? {} : { problem }) },
  ]
  return problem === null
    ? { line: { ...base, status, scores: score(sample, outcome, { profile: 'published' }) }, events }
    : { line: { ...base, status, error: problem, scores: {} }, events }
}

async function keep(path: string, hash: string, { store }: Surroundings): Promise<MediaRef> {
  return store.media.keepFile(path, (await clipType(path)) ?? 'application/octet-stream', hash)
}
