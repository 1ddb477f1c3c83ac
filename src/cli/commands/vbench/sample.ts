/** `sightline vbench sample` */
import { UserError } from '../../../base/errors.ts'
import type { FinishedEpisode } from '../../../engine/episode.ts'
import { planRun } from '../../../engine/plan.ts'
import { resumeRun, type RunHooks, startRun } from '../../../engine/run.ts'
import { type GeneratorSettings, isUrl, openGenerator } from '../../../models/generators/open.ts'
import { sampleId } from '../../../suites/vbench/samples/source.ts'
import { sisterOf } from '../../../suites/vbench/samples/sister-suites.ts'
import { tryJson } from '../../../suites/vbench/domain/json.ts'
import { FILMS } from '../../../suites/vbench/baselines/films/film.ts'
import { vbench } from '../../../suites/vbench/suite.ts'
import { environment, loadSettings } from '../../../library/config.ts'
import { openEnvironment } from '../../../library/environment.ts'
import { EXIT } from '../../terminal/exit.ts'
import { plural } from '../../../base/plural.ts'
import { print, say } from '../../terminal/output.ts'
import { printableLines } from '../../../base/printable.ts'
import { StopOnSignal } from '../../results/played.ts'
import { progress } from '../../terminal/progress.ts'
import { planFrom, sourceOf, type PromptOptions, taskOf } from './options.ts'
import { findRun, outcomeIn } from './runs.ts'
import { folderModel, folderVideos, ignoresCase, openSampledFolder, refuseMixedSet, seedOfSet } from './video-folder.ts'

interface SampleOptions extends PromptOptions {
  config?: string
  generator: string
  output: string
  rewritten?: string
  model?: string
  field?: Record<string, string>
  seed?: number
  jobs?: number
  poll?: number
  timeout?: number
  logDir: string
}

export async function sample(options: SampleOptions): Promise<void> {
  if (sisterOf(options.prompts) === 'i2v' && options.images === undefined) {
    throw new UserError('Videos of VBench-I2V are made from images.', {
      hint: 'Give their folder with --images: vbench2_beta_i2v/data/crop/16-9 of a checkout, or another ratio.',
    })
  }
  const { player, made, generators } = await generatorFrom(options)
  const { plan } = await planFrom(options, { ignoreCase: await ignoresCase(options.output) })
  await refuseMixedSet(options.output, plan, made)
  const seed = await seedOfSet(options.output, plan, options.seed)
  const folder = await openSampledFolder(options.output)
  const there = []
  for (const video of plan.videos) if (await folder.has(video)) there.push({ video, path: video.file })
  const known = await folderVideos(options.output, there, () => {})
  const counts = { planned: plan.videos.length, made: 0, kept: there.length, failed: 0 }

  const env = await openEnvironment(options.logDir, { generators, maxConnections: options.jobs }, say)
  const { store } = env
  const here: typeof env = {
    ...env,
    openModel: async (id, role) =>
      folderModel({ id, videos: known, store, atOnce: 1, fallback: await env.openModel(id, role) }),
  }
  const files = new Map(plan.videos.map((video) => [sampleId(video), video]))
  const show = progress('videos')
  const keep = async (line: FinishedEpisode['line'], read: () => Promise<unknown[]> | unknown[]): Promise<void> => {
    const video = files.get(line.sample)
    if (video === undefined || (await folder.has(video))) return
    const outcome = outcomeIn(await read())
    if (line.status !== 'answered' || !outcome?.media || !outcome.clip) {
      say(printableLines(`${video.file}: ${line.error ?? line.status}`))
      return
    }
    const { sha256, bytes = 0 } = outcome.media
    const { decoder: _, ...clip } = outcome.clip
    const { prompt, text } = video.prompt
    const about = { file: video.file, prompt, text, index: video.index, seed: outcome.seed ?? 0, ...made }
    await folder.add({ ...about, ...clip, bytes, sha256, plan: plan.fingerprint }, store.media.pathOf(sha256))
    counts.made++
    show(counts.kept + counts.made, counts.planned)
  }

  const control = new StopOnSignal().control()
  const hooks: RunHooks = {
    control,
    onEpisode: ({ line, events }) => keep(line, () => events.map((event): unknown => JSON.parse(event))),
    onNote: say,
  }
  for (const part of partsOf(options)) {
    const run = await planRun({
      suite: vbench,
      models: { player },
      modelOptions: { ...(options.model === undefined ? {} : { model: options.model }), ...options.field },
      options: { ...taskOf(part), tier: 'none' },
      source: sourceOf(options.prompts),
      seed,
    })
    const found = await findRun(store, run)
    if (found !== undefined) {
      // Videos that are gone from the folder are restored from the store.
      const reader = await store.openRun(found.id)
      for (const line of (await reader.episodes()).filter(({ status }) => status === 'answered')) {
        await keep(line, () => reader.events(line))
      }
    }
    const { cause, reason } =
      found === undefined
        ? await startRun(run, here, hooks)
        : await resumeRun(run, found.id, here, { retryErrors: true }, hooks)
    if (cause === 'failed') {
      throw new UserError(reason ?? 'The generator failed.', {
        hint: 'Finished videos are kept. Fix the generator and run the same command to continue.',
      })
    }
    if (cause !== null) break
  }
  const isInterrupted = control.reason !== null
  counts.failed = isInterrupted ? 0 : counts.planned - counts.kept - counts.made
  if (options.json) print(JSON.stringify({ ...counts, seed, out: options.output }, null, 1))
  else {
    const { made: fresh, kept, failed, planned } = counts
    print(
      `Generated ${plural(fresh, 'video')} in ${options.output}: ${kept} already there, ${failed} failed, ${planned} planned; seed ${seed}.`,
    )
  }
  if (isInterrupted) {
    say('Interrupted. Run the same command to continue.')
    process.exitCode = EXIT.interrupted
  } else if (counts.failed > 0) process.exitCode = EXIT.episodeErrors
}

/** One run per set of prompts: dimensions and categories are two sets. */
function partsOf(options: SampleOptions): SampleOptions[] {
  const { dimension, category, ...rest } = options
  if (dimension === undefined || category === undefined) return [options]
  return [
    { ...rest, dimension },
    { ...rest, category },
  ]
}

interface ChosenGenerator {
  player: string
  /** For the manifest. */
  made: { generator: string; model: string | null }
  generators: Record<string, GeneratorSettings>
}

async function generatorFrom(options: SampleOptions): Promise<ChosenGenerator> {
  const { generator, model } = options
  if (generator === 'built-in' || generator === 'builtin') {
    return { player: 'baseline/films', made: { generator: 'built-in', model: FILMS }, generators: {} }
  }
  const generators = { ...(await loadSettings(options.config)).generators }
  const named = model === undefined ? {} : { model }
  if (generator.startsWith('cmd:')) {
    generators[generator] = { command: generator.slice('cmd:'.length), ...named }
  } else if (isUrl(generator)) {
    // `steps=30` is a number, `hd=true` a boolean, everything else text.
    const typed = Object.entries(options.field ?? {}).map(([key, text]) => ({ key, text, value: tryJson(text) }))
    const fields = Object.fromEntries(typed.map(({ key, text, value }) => [key, value === undefined ? text : value]))
    generators[generator] = {
      url: generator,
      fields,
      ...named,
      ...(options.poll === undefined ? {} : { pollSeconds: options.poll }),
      ...(options.timeout === undefined ? {} : { timeoutSeconds: options.timeout }),
    }
  } else if (!Object.hasOwn(generators, generator)) {
    throw new UserError(`Unknown generator "${generator}".`, {
      hint: 'Use a URL (http://…), a command (cmd:python make.py --prompt {prompt} --seed {seed} --out {out}), a name from sightline.config, or built-in.',
    })
  }
  const opened = openGenerator(generator, generators, environment())
  return {
    player: `generator/${generator}`,
    made: { generator: opened.name, model: opened.model },
    generators,
  }
}
