/** The VSI suites: the same questions, answered while exploring a scene, from a video, or blind. */
import { auditFile, defineSuite, MissingAssetError, type Suite } from '../../suite.ts'
import { builtinSource } from './samples/builtin.ts'
import { ownSource } from './samples/own.ts'
import { type VsiSample, vsiSample } from './samples/sample.ts'
import { revsiSource } from './samples/revsi.ts'
import { vsiBenchSource } from './samples/vsi-bench.ts'
import { type VsiOutcome, vsiOutcome } from './domain/outcome.ts'
import { cameraFor } from './domain/camera.ts'
import { type Mode, type Profile, PROFILES, REASONED } from './domain/protocol.ts'
import { sceneOf } from './domain/scene/scene-of.ts'
import { loadStage } from './domain/scene/stages.ts'
import { openWalkthrough } from './domain/scene/walkthrough.ts'
import { audit } from './audit.ts'
import { describe } from './describe.ts'
import { explain } from './explain.ts'
import { progress } from './progress.ts'
import { vsiEvents } from './events.ts'
import {
  blindOptions,
  type BlindOptions,
  exploreOptions,
  type ExploreOptions,
  stepsFor,
  videoOptions,
  type VideoOptions,
  type VsiOptions,
} from './options.ts'
import { playPoses } from './play/choose-poses.ts'
import { Explorer } from './play/explore.ts'
import { REASONED_CALLS } from './play/reason.ts'
import { playBlind, playVideo } from './play/watch.ts'
import { mapCategories } from './samples/meta.ts'
import { baselinesFor } from './baselines/baselines.ts'
import { promptsFor } from './prompts.ts'
import { scoreVsi } from './score.ts'
import { publishedResults } from './published/leaderboard.ts'
import { metrics, vsiSummary } from './summary.ts'
import { tools } from './tools.ts'
import floors from './audit.json' with { type: 'json' }

const VERSION = 11
/** Approximate tokens of a 640 × 480 image, the prompt and a reply, for cost estimates. */
const IMAGE_TOKENS = 400
const PROMPT_TOKENS = 900
const REPLY_TOKENS = 350

/** Requests per question of `vsi/video`; every one shows the whole video. */
function videoCalls(sample: VsiSample, { prompts, map, cognitiveMap }: VideoOptions): number {
  const method = REASONED.find((name) => name === prompts)
  if (method !== undefined) return REASONED_CALLS[method]
  const drawn = cognitiveMap === 'scene-map' || (cognitiveMap === 'own-map' && mapCategories(sample) !== null)
  const draws = map ? sample.things !== null : drawn
  return draws ? 2 : 1
}

/** The four kinds of errors that the paper finds by hand (section 4 of arXiv 2412.14171). */
const ERROR_TYPES = {
  perception: 'Visual perception',
  linguistic: 'Linguistic intelligence',
  relational: 'Relational reasoning',
  egocentric: 'Egocentric–allocentric transformation',
} as const

type VsiSuite<Options> = Suite<Options, VsiSample, VsiOutcome, Profile>
type ModeParts<Options> = Pick<VsiSuite<Options>, 'title' | 'options' | 'play' | 'estimate'> &
  Partial<Pick<VsiSuite<Options>, 'viewer' | 'roles' | 'tools'>>

/** The shared part of the three suites; each adds how it shows the scene. */
function suiteFor<Options extends VsiOptions>(mode: Mode, own: ModeParts<Options>): VsiSuite<Options> {
  return defineSuite<VsiSample, VsiOutcome, Options, Profile>({
    ...own,
    name: `vsi/${mode}`,
    version: VERSION,
    profiles: PROFILES,
    metrics,
    prompts: promptsFor,
    summary: vsiSummary,
    describe,
    explain,
    progress,
    sources: {
      builtin: builtinSource<Options>(mode),
      'vsi-bench': vsiBenchSource<Options>(mode),
      // Its ground truth is for frames of videos.
      ...(mode !== 'explore' && { revsi: revsiSource<Options>(mode) }),
      scenes: ownSource<Options>(mode),
    },
    baselines: baselinesFor(mode),
    async play(sample, episode, options) {
      // Problems found when the source was opened are reported before anything is loaded.
      if (sample.problem !== undefined) throw new MissingAssetError(sample.problem)
      episode.progress('Preparing the scene', 0, 1)
      return own.play(sample, episode, options)
    },
    score: (sample, outcome, { profile }) => scoreVsi(mode, sample, outcome, profile),
    events: vsiEvents,
    audit,
    schemas: { sample: vsiSample, outcome: vsiOutcome },
    published: () => publishedResults(mode),
    audits: () => auditFile.parse(floors),
    comparableWith: ['vsi/explore', 'vsi/video', 'vsi/blind'],
    viewer: { ...own.viewer, errorTypes: ERROR_TYPES },
  })
}

export const vsiExplore = suiteFor<ExploreOptions>('explore', {
  title: 'Explore a scene and answer',
  options: exploreOptions,
  play: async (sample, episode, options) => {
    const stage = await loadStage(sample.scene, episode.files)
    return options.actions === 'pose'
      ? playPoses(sample, episode, options, stage)
      : new Explorer(sample, episode, options, stage).play()
  },
  tools,
  viewer: { scene: sceneOf },
  estimate: (sample, { firstView, ...options }) => {
    const steps = stepsFor(sample, options)
    const calls = steps + 1 + (firstView === 'model' ? 1 : 0)
    const images = ((steps + 1) * (steps + 2)) / 2 + 4
    // A conversation repeats replies instead of the task.
    const text = options.chat ? (calls * (calls - 1) * REPLY_TOKENS) / 2 + PROMPT_TOKENS : calls * PROMPT_TOKENS
    const again = images - calls - 4
    return {
      calls,
      inputTokens: text + images * IMAGE_TOKENS,
      outputTokens: calls * REPLY_TOKENS,
      repeatedTokens: again * IMAGE_TOKENS + (options.chat ? text - PROMPT_TOKENS - calls * REPLY_TOKENS : 0),
    }
  },
})

export const vsiVideo = suiteFor<VideoOptions>('video', {
  title: 'Watch a walkthrough and answer',
  options: videoOptions,
  play: async (sample, episode, options) =>
    playVideo(
      sample,
      episode,
      options,
      await openWalkthrough(sample.scene, episode.files, cameraFor(sample.scene, options)),
    ),
  viewer: { scene: sceneOf },
  roles: { captioner: {} },
  estimate: (sample, options) => {
    const { frames } = options
    if (options.prompts === 'captions') {
      // Captions of a scene are asked for once: its other questions find them in the cache.
      const inputTokens = frames * (IMAGE_TOKENS + PROMPT_TOKENS / 9) + frames * REPLY_TOKENS + PROMPT_TOKENS / 3
      return { calls: frames + 1, inputTokens, outputTokens: (frames + 1) * REPLY_TOKENS }
    }
    const calls = videoCalls(sample, options)
    const shown = frames * IMAGE_TOKENS
    return {
      calls,
      inputTokens: calls * (PROMPT_TOKENS / 3 + (options.repeat ?? 1) * shown),
      outputTokens: calls * REPLY_TOKENS,
      // Before the images, nothing is cached but the prompt.
      ...(options.order === 'pictures-first' && { sharedTokens: shown, repeatedTokens: (calls - 1) * shown }),
    }
  },
})

export const vsiBlind = suiteFor<BlindOptions>('blind', {
  title: 'Answer without seeing the scene',
  options: blindOptions,
  play: playBlind,
  estimate: () => ({ calls: 1, inputTokens: PROMPT_TOKENS / 3, outputTokens: REPLY_TOKENS }),
})
