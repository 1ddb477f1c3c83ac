/** `sightline vbench score` */
import { availableParallelism } from 'node:os'
import { basename, join, resolve } from 'node:path'
import type { Surroundings } from '../../../engine/run.ts'
import { formatWithInterval, NONE } from '../../../report/format.ts'
import { DIMENSIONS, LONG_SECONDS } from '../../../suites/vbench/dimensions.ts'
import { tiersNamed } from '../../../suites/vbench/instruments.ts'
import type { FilterKind } from '../../../suites/vbench/score/aggregate.ts'
import { factsOf, isLong } from '../../../suites/vbench/score/facts.ts'
import type { Measure } from '../../../suites/vbench/score/types.ts'
import type { Scored } from '../../../suites/vbench/score/score.ts'
import type { Planned } from '../../../suites/vbench/setup.ts'
import { type Manifest, readManifest } from '../../../suites/vbench/videos/manifest.ts'
import type { Issue } from '../../../suites/vbench/videos/match.ts'
import { columns, dim, plain, print, say } from '../../terminal/output.ts'
import { surroundings } from '../../surroundings.ts'
import { matchedFrom, type VideoOptions, wholeNumber } from './options.ts'
import { interrupted, progress } from '../../terminal/progress.ts'

export interface ScoreOptions extends VideoOptions {
  models?: string
  judge?: string
  modelOption?: Record<string, string>
  tier?: string[]
  staticFilter?: FilterKind
  /** Who made the videos; default: what the manifest says, else the name of their folder. */
  model?: string
  out: string
  jobs?: number
  pictures?: boolean
  /** Leave no run in the store. */
  run?: boolean
  logDir: string
}

export async function score(options: ScoreOptions): Promise<void> {
  const { scoreVideos } = await import('../../../suites/vbench/score/score.ts')
  wholeNumber('--jobs', options.jobs)
  const tiers = tiersNamed(options.tier ?? [])
  const planned = await matchedFrom(options)
  const { plan, matched, dimensions } = planned
  const signal = interrupted()
  const around = await surroundings(options.logDir, { options: options.modelOption ?? {} })
  const measures: Measure[] = []
  let close: () => Promise<void> = () => Promise.resolve()
  if (options.models) {
    const { openNetworks } = await import('../../../suites/vbench/networks/open.ts')
    measures.push(...(await openNetworks(options.models, say)))
  }
  if (options.judge) {
    const judge = await judgeFrom(options.judge, around)
    measures.push(judge.measure)
    close = judge.close
  }
  try {
    const show = progress('videos measured')
    const scored = await scoreVideos({
      folder: options.videos,
      plan,
      matched,
      dimensions,
      measures,
      tiers,
      ...(options.staticFilter === undefined ? {} : { filter: options.staticFilter }),
      ...(options.run === false ? {} : { pictures: await storedPictures(around) }),
      out: options.out,
      atOnce: options.jobs ?? Math.max(1, Math.min(4, availableParallelism())),
      signal,
      onVideo: (done, of, problem) => {
        if (problem !== null) say(plain(problem))
        show(done, of)
      },
    })
    if (options.pictures) {
      const { drawPictures } = await import('../../../suites/vbench/score/pictures.ts')
      scored.files.push(...(await drawPictures(options.videos, scored.videos, join(options.out, 'pictures'), signal)))
    }
    const run = options.run === false ? null : await recorded(options, planned, scored, around)
    if (options.json) {
      const { totals, official, dimensions: values, filter } = scored
      print(
        JSON.stringify({ suite: plan.suite, run, staticFilter: filter, official, totals, dimensions: values }, null, 1),
      )
    } else printScore(scored, matched.issues)
    say(dim(`written: ${scored.files.slice(0, 6).join(', ')}${scored.files.length > 6 ? ' …' : ''}`))
    if (run !== null) say(`Run ${run}: sightline report ${run}`)
  } finally {
    await close()
  }
}

/** What was scored, as `sightline run` would spell it. */
async function recorded(
  options: ScoreOptions,
  { plan, dimensions }: Planned,
  scored: Scored,
  around: Surroundings,
): Promise<string> {
  const { recordRun } = await import('../../../suites/vbench/record.ts')
  const manifest = await readManifest(options.videos)
  const { suite, videos, dimension, category, samples, flickeringSamples, promptFile, models, tier, staticFilter } =
    options
  const isCustom = plan.suite === 'custom'
  const task = {
    dimension: dimension?.join(','),
    category: category?.join(','),
    samples,
    flickeringSamples,
    models: models === undefined ? undefined : resolve(models),
    tier: tier?.join(','),
    staticFilter,
    promptFile: promptFile === undefined ? undefined : resolve(promptFile),
    pictures: true,
  }
  const { id } = await recordRun(
    {
      folder: videos,
      models: {
        player: options.model ?? madeBy(manifest) ?? basename(resolve(videos)),
        ...(options.judge === undefined ? {} : { judge: options.judge }),
      },
      source: isCustom ? `custom:${resolve(videos)}` : suite === 'builtin' ? suite : `vbench:${resolve(suite)}`,
      options: Object.fromEntries(Object.entries(task).filter(([, value]) => value !== undefined)),
      dimensions,
      scored,
      manifest,
      seed: 0,
    },
    around,
  )
  return id
}

/** The models that the manifest names, or else the generators. */
function madeBy({ lines }: Manifest): string | null {
  const names = new Set([...lines.values()].map(({ model, generator }) => model ?? generator))
  return names.size === 0 ? null : [...names].join('+')
}

async function storedPictures({ store }: Surroundings): Promise<Measure> {
  const { pictureMeasure } = await import('../../../suites/vbench/score/strips.ts')
  return pictureMeasure({
    keep: (jpeg, size) => store.media.keep(jpeg, 'image/jpeg', size),
    has: ({ sha256 }) => store.media.has(sha256),
  })
}

async function judgeFrom(
  spec: string,
  around: Surroundings,
): Promise<{ measure: Measure; close: () => Promise<void> }> {
  const { judgeMeasure, judgeOf } = await import('../../../suites/vbench/score/judge.ts')
  const model = await around.openModel(spec, 'player')
  return {
    measure: judgeMeasure(judgeOf(model), (bytes, size) => around.store.media.keep(bytes, 'image/jpeg', size)),
    close: () => model.close(),
  }
}

function printScore(scored: Scored, issues: readonly Issue[]): void {
  const rows = scored.dimensions.map(({ dimension, value, interval, tier, by, videos, expected, note }) => [
    dimension,
    value === null ? NONE : formatWithInterval(value, interval, 'percent'),
    tier ?? '',
    `${videos}/${expected}`,
    [value === null ? null : by, note].filter((each) => each !== null).join('; '),
  ])
  print(columns([['dimension', 'score', 'tier', 'videos', ''], ...rows]))
  print('')
  if (scored.official) {
    for (const { name, value, interval } of scored.totals) {
      print(`VBench ${name}: ${value === null ? NONE : formatWithInterval(value, interval, 'percent')}`)
    }
  } else {
    const exact = scored.dimensions.filter(({ tier, value }) => tier === 'exact' && value !== null).length
    print(`No VBench total: ${exact} of ${DIMENSIONS.length} dimensions are exact, and tiers are not mixed.`)
  }
  const long = scored.videos.filter(({ results }) => isLong(factsOf(results.clip))).length
  if (long > 0) {
    print(
      `${long} videos last ${LONG_SECONDS} s or longer: the protocol scores those with another pipeline (VBench-Long).`,
    )
  }
  const missing = issues.filter(({ kind }) => kind === 'missing').length
  if (missing > 0) print(`${missing} videos of the plan are missing: "sightline vbench check" names them.`)
}
