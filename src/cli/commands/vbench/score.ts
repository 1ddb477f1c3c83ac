/** `sightline vbench score` */
import { mkdir, rm } from 'node:fs/promises'
import { availableParallelism } from 'node:os'
import { basename, join, resolve } from 'node:path'
import { isBaseline } from '../../../base/baseline.ts'
import { trimFullStop, UserError } from '../../../base/errors.ts'
import { shortHash } from '../../../engine/fingerprint.ts'
import { planRun, type RunPlan } from '../../../engine/plan.ts'
import {
  measureRun,
  resumeRun,
  type RunHooks,
  type RunResult,
  startRun,
  type RunEnvironment,
} from '../../../engine/run.ts'
import { formatWithInterval, NONE } from '../../../report/format.ts'
import { withDiskErrors } from '../../../store/disk.ts'
import type { RunReader } from '../../../store/run-reader.ts'
import { madeBy, readManifest } from '../../../suites/vbench/samples/manifest.ts'
import type { Issue } from '../../../suites/vbench/samples/match.ts'
import type { Planned } from '../../../suites/vbench/samples/request.ts'
import type { Device } from '../../../suites/vbench/domain/devices.ts'
import { DIMENSION_FACTS, DIMENSIONS, I2V_DIMENSIONS, LONG_SECONDS } from '../../../suites/vbench/domain/dimensions.ts'
import { openClip } from '../../../suites/vbench/domain/clip.ts'
import { isLong } from '../../../suites/vbench/domain/outcome.ts'
import type { FilterKind } from '../../../suites/vbench/domain/results.ts'
import { measureWithPublished } from '../../../suites/vbench/measure.ts'
import { vbench } from '../../../suites/vbench/suite.ts'
import { openEnvironment } from '../../../library/environment.ts'
import { EXIT } from '../../terminal/exit.ts'
import { plural } from '../../../base/plural.ts'
import { columns, dim, print, say } from '../../terminal/output.ts'
import { printableLines } from '../../../base/printable.ts'
import { StopOnSignal } from '../../results/played.ts'
import { progress } from '../../terminal/progress.ts'
import { matchedFrom, sourceOf, taskOf, type VideoOptions } from './options.ts'
import { type Scored, scoredRun, writeResults } from './results.ts'
import { findRun } from './runs.ts'
import { folderModel, type FolderVideo, folderVideos } from './video-folder.ts'

/** Damaged videos that are named; all of them are in results.json. */
const SHOWN_VIDEOS = 10

export interface ScoreOptions extends VideoOptions {
  models?: string
  device?: Device
  /** Python of an environment with the published evaluator. */
  withPublished?: string
  judge?: string
  modelOption?: Record<string, string>
  tier?: string[]
  staticFilter?: FilterKind
  sceneCuts?: boolean
  /** Name of the model. Default: from the manifest, else the name of the folder. */
  model?: string
  output: string
  jobs?: number
  pictures?: boolean
  /** False: keep no run in the store. */
  run?: boolean
  logDir: string
}

export async function score(options: ScoreOptions): Promise<void> {
  if (options.sceneCuts && !options.long) throw new UserError('--scene-cuts is an option of --long.')
  if (options.judge !== undefined && isBaseline(options.judge)) {
    throw new UserError(`${options.judge} cannot be the judge: it is a baseline.`, {
      hint: 'Use --judge provider/name.',
    })
  }
  const planned = await matchedFrom(options)
  const { plan, matched } = planned
  if (matched.videos.length === 0) {
    throw new UserError(`None of the planned videos is in ${options.videos}.`, {
      hint: 'Run `sightline vbench check` with the same options to see what was found and expected.',
    })
  }
  await withDiskErrors(options.output, () => mkdir(options.output, { recursive: true }), '--output')
  const leavesRun = options.run !== false
  const home = leavesRun ? options.logDir : join(options.output, '.run')
  // Networks are large, so only this thread loads them.
  const env = await openEnvironment(home, { modelOptions: options.modelOption, threads: 0 }, say)
  const videos = await folderVideos(options.videos, matched.videos, progress('videos read'))
  const run = await planOf(options, planned, videos)
  const { store } = env
  const atOnce = options.jobs ?? Math.max(1, Math.min(4, availableParallelism()))
  const here: RunEnvironment = {
    ...env,
    openModel: (id, role) =>
      role === 'player' ? Promise.resolve(folderModel({ id, videos, store, atOnce })) : env.openModel(id, 'player'),
  }
  const show = progress('videos measured')
  const result = await measured(run, here, videos, {
    control: new StopOnSignal().control(),
    onNote: (note) => say(printableLines(note)),
    onEpisode: ({ line }) => {
      const file = videos.get(line.sample)?.label.file
      if (line.error !== undefined && file !== undefined) say(printableLines(`${file}: ${line.error}`))
    },
    onProgress: (current) => show(current().finished, current().planned),
  })
  if (result.state !== 'done') {
    const ended = result.state === 'failed' ? 'Failed' : 'Interrupted'
    say(`${ended}: ${trimFullStop(result.reason ?? 'stopped')}. Run the same command to continue.`)
    process.exitCode = result.state === 'failed' ? EXIT.episodeErrors : EXIT.interrupted
    return
  }
  const scored = await scoredRun(await store.openRun(result.id), planned, options.staticFilter)
  const files = await writeResults(options.output, plan, scored)
  if (options.pictures) {
    const { drawPictures } = await import('./pictures.ts')
    files.push(...(await drawPictures(options.videos, matched.videos, join(options.output, 'pictures'))))
  }
  if (!leavesRun) await rm(home, { recursive: true, force: true })
  if (options.json) {
    const { totals, official, dimensions, filter } = scored
    const about = { suite: plan.promptSuite, run: leavesRun ? result.id : null, staticFilter: filter }
    print(JSON.stringify({ ...about, official, totals, dimensions }, null, 1))
  } else printScore(scored, matched.issues, options.long === true)
  const inPart = scored.videos.flatMap(({ path, outputs }) => {
    const note = Object.values(outputs).find((each) => each.note !== undefined)?.note
    return note === undefined ? [] : [`${path}: ${note}`]
  })
  for (const line of inPart.slice(0, SHOWN_VIDEOS)) say(printableLines(line))
  if (inPart.length > 0) say(`${plural(inPart.length, 'video')} damaged, scored on the frames that can be decoded.`)
  const copies = videos.size - new Set([...videos.values()].map(({ hash }) => hash)).size
  if (copies > 0) {
    say(`${plural(copies, 'video')} with the content of another; \`sightline vbench check\` lists them.`)
  }
  const failed = scored.videos.filter(({ line, hasFailure }) => line.status !== 'answered' || hasFailure).length
  if (failed > 0) {
    say(`${plural(failed, 'video')} could not be read or measured.`)
    process.exitCode = EXIT.episodeErrors
  }
  say(dim(`Wrote ${files.slice(0, 6).join(', ')}${files.length > 6 ? ' …' : ''}`))
  if (leavesRun) say(`Run ${result.id}: sightline report ${result.id}`)
}

/** The plan that `sightline run` would make for these videos. */
async function planOf(
  options: ScoreOptions,
  { plan, dimensions }: Pick<Planned, 'plan' | 'dimensions'>,
  videos: ReadonlyMap<string, FolderVideo>,
): Promise<RunPlan> {
  const { models, device, tier, staticFilter, promptFile, long, sceneCuts } = options
  return planRun({
    suite:
      options.withPublished === undefined
        ? vbench
        : { ...vbench, measure: measureWithPublished(options.withPublished, dimensions) },
    models: {
      player: options.model ?? (await modelOf(options.videos)) ?? basename(resolve(options.videos)),
      ...(options.judge === undefined ? {} : { judge: options.judge }),
    },
    // The hash of the videos is a model option: runs of two models stay comparable.
    modelOptions: { videos: shortHash([...videos.values()].map(({ hash, label }) => [label.file, hash])) },
    options: taskOf(options, {
      models: models === undefined ? models : resolve(models),
      device,
      tier: tier?.join(','),
      staticFilter,
      long,
      sceneCuts,
      promptFile: promptFile === undefined ? promptFile : resolve(promptFile),
    }),
    source: plan.promptSuite === 'custom' ? `custom:${resolve(options.videos)}` : sourceOf(options.prompts),
  })
}

/** The models in the manifest, else the generators. */
async function modelOf(folder: string): Promise<string | null> {
  const names = madeBy((await readManifest(folder)).lines.values())
  return names.length === 0 ? null : names.join('+')
}

/** Starts a run, or continues the run of the same videos; existing measurements are kept. */
async function measured(
  plan: RunPlan,
  env: RunEnvironment,
  videos: ReadonlyMap<string, FolderVideo>,
  hooks: RunHooks,
): Promise<RunResult> {
  const found = await findRun(env.store, plan)
  if (found === undefined) return startRun(plan, env, hooks)
  const readable = await readableNow(await env.store.openRun(found.id), videos)
  if (found.status.state !== 'done' || readable.size > 0) {
    const resumed = await resumeRun(plan, found.id, env, { retry: ({ sample }) => readable.has(sample) }, hooks)
    if (resumed.state !== 'done') return resumed
  }
  return measureRun(plan, await env.store.openRun(found.id), env, hooks)
}

/** Samples whose video could not be read before: ffmpeg may be there now. */
async function readableNow(reader: RunReader, videos: ReadonlyMap<string, FolderVideo>): Promise<Set<string>> {
  const readable = new Set<string>()
  for (const { sample, status } of await reader.episodes()) {
    const path = status === 'missing_asset' ? videos.get(sample)?.path : undefined
    const clip = path === undefined ? null : await openClip(path).catch(() => null)
    if (clip === null) continue
    await clip.close()
    readable.add(sample)
  }
  return readable
}

function printScore(scored: Scored, issues: readonly Issue[], isForLong: boolean): void {
  const rows = scored.dimensions.map(({ dimension, value, interval, tier, by, videos, expected, note }) => [
    dimension,
    value === null ? NONE : formatWithInterval(value, interval, 'percent'),
    tier ?? '',
    `${videos}/${expected}`,
    [value === null ? null : by, note].filter((each) => each !== null).join('; '),
  ])
  print(columns([['dimension', 'score', 'tier', 'videos', ''], ...rows]))
  print('')
  const has = (kind: string) => scored.dimensions.some(({ dimension }) => DIMENSION_FACTS[dimension].kind === kind)
  const [benchmark, of] = has('vbench2')
    ? ['VBench-2.0', 18]
    : has('i2v')
      ? ['VBench-I2V', I2V_DIMENSIONS.length]
      : ['VBench', DIMENSIONS.length]
  if (scored.official) {
    for (const { name, value, interval } of scored.totals) {
      print(`${benchmark} ${name}: ${value === null ? NONE : formatWithInterval(value, interval, 'percent')}`)
    }
  } else {
    const exact = scored.dimensions.filter(({ tier, value }) => tier === 'exact' && value !== null).length
    print(`No ${benchmark} total: ${exact} of ${of} dimensions are exact, and tiers cannot be mixed.`)
  }
  const long = scored.videos.filter(({ clip }) => isLong(clip)).length
  if (long > 0 && !isForLong) {
    print(
      `${plural(long, 'video')} of ${LONG_SECONDS} s or longer: the protocol scores these as VBench-Long: use --long.`,
    )
  }
  const missing = issues.filter(({ kind }) => kind === 'missing').length
  if (missing > 0) print(`${plural(missing, 'planned video')} missing; \`sightline vbench check\` lists them.`)
}
