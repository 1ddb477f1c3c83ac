/** Theory of Space in pictures: the samples of `space/text`, seen. A module of its own: `space/text` loads no renderer. */
import { defineSuite } from '../../suite.ts'
import { builtinRooms, sceneFiles } from './samples/sources.ts'
import { checkShowable } from './domain/vision/shown.ts'
import { play } from './play.ts'
import { openRendered } from './play/pictures/rendered.ts'
import type { OpenRenderer } from './play/renderer.ts'
import { baselines } from './baselines/baselines.ts'
import { eyePolicy } from './baselines/eye/player.ts'
import { baseline, type SpaceBaseline } from './baselines/policy.ts'
import { renderedScenes } from './published/rendered-scenes.ts'
import { openPictureFiles } from './published/renderer.ts'
import { estimateWords, protocol } from './suite.ts'

/** Rough number of tokens of a picture, for the estimate. */
const PICTURE_TOKENS = 260

const eye: SpaceBaseline = {
  ...baseline('reads depth and ids of its pictures, draws a map, and answers from it', (_, { profile }) =>
    eyePolicy(profile),
  ),
  cannotPlay: { published: 'it reads depth and ids, and these pictures have none' },
}

const openRenderer: OpenRenderer = (sample, episode) =>
  sample.pictures === undefined ? openRendered(sample, episode) : openPictureFiles(sample, sample.pictures, episode)

export const spaceVision = defineSuite({
  ...protocol,
  name: 'space/vision',
  title: 'Theory of Space in pictures: explore, believe, answer, revise',
  version: 2,
  sources: { builtin: builtinRooms(checkShowable), scenes: sceneFiles(checkShowable), published: renderedScenes },
  play: (sample, episode, options) => play(sample, episode, options, openRenderer),
  baselines: { ...baselines, eye },
  estimate(sample, options) {
    const words = estimateWords(sample, options)
    // Every call sees the two instruction pictures, and on average half of the looks.
    const looks = options.explore === 'passive' ? 15 : Math.min(options.steps, 15)
    return { ...words, inputTokens: words.inputTokens + words.calls * (2 + looks / 2) * PICTURE_TOKENS }
  },
})
