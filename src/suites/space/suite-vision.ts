/** Theory of Space in images: the same samples as `space/text`. A separate module, because `space/text` loads no renderer. */
import { defineSuite } from '../../suite.ts'
import { builtinRooms, sceneFiles } from './samples/sources.ts'
import { checkRenderable } from './domain/vision/displayed-object.ts'
import { visionOptions } from './options.ts'
import { play } from './play.ts'
import { openSceneRenderer } from './play/images/rendered.ts'
import type { OpenRenderer } from './play/renderer.ts'
import { baselines } from './baselines/baselines.ts'
import { eyePolicy } from './baselines/eye/player.ts'
import { baseline, type SpaceBaseline } from './baselines/policy.ts'
import { renderedScenes } from './published/rendered-scenes.ts'
import { openImageFiles } from './published/renderer.ts'
import { publishedResults } from './published/leaderboard.ts'
import { estimateText, protocol } from './suite.ts'

/** Rough number of tokens per image, for the cost estimate. */
const IMAGE_TOKENS = 360

const eye: SpaceBaseline = {
  ...baseline('maps the scene from depth and object ids, and answers from that map', (_, { profile }) =>
    eyePolicy(profile),
  ),
  cannotPlay: { published: 'it needs depth and object ids, which these images do not have' },
}

const openRenderer: OpenRenderer = (sample, episode) =>
  sample.pictures === undefined ? openSceneRenderer(sample, episode) : openImageFiles(sample, sample.pictures, episode)

export const spaceVision = defineSuite({
  ...protocol,
  options: visionOptions,
  name: 'space/vision',
  title: 'Theory of Space (images): explore rooms, answer questions, detect changes',
  version: 6,
  sources: { builtin: builtinRooms(checkRenderable), scenes: sceneFiles(checkRenderable), published: renderedScenes },
  play: (sample, episode, options) => play(sample, episode, options, openRenderer),
  baselines: { ...baselines, eye },
  published: () => publishedResults('vision'),
  estimate(sample, options) {
    const text = estimateText(sample, options)
    // Every call includes the two instruction images and, on average, half of the observations.
    const observations = options.explore === 'passive' ? 15 : Math.min(options.steps, 15)
    const images = text.calls * (2 + observations / 2)
    return {
      ...text,
      inputTokens: text.inputTokens + images * IMAGE_TOKENS,
      repeatedTokens: (text.repeatedTokens ?? 0) + Math.max(0, images - 2 - observations) * IMAGE_TOKENS,
    }
  },
})
