/** Theory of Space with eyes: the cases of `space/text`, shown as pictures. */
import type { Suite } from '../../engine/suite.ts'
import { baselines } from './players/baselines.ts'
import { builtinRooms, sceneFiles } from './cases/sources.ts'
import type { SpaceSample, SpaceOutcome } from './cases/sample.ts'
import { spaceText } from './suite.ts'
import { baseline, type SpaceBaseline } from './players/policy.ts'
import type { SpaceOptions } from './options.ts'
import { play } from './play.ts'
import { eyeManner } from './players/eye/player.ts'
import type { OpenEyes } from './play/renderer.ts'
import { renderedEyes } from './play/pictures/rendered.ts'
import { fileEyes, published } from './published/rendered-scenes.ts'
import { checkShowable } from './domain/vision/shown.ts'

/** Rough number of tokens of a picture, for the estimate. */
const PICTURE_TOKENS = 260

const eye: SpaceBaseline = {
  ...baseline('reads depth and ids of its pictures, draws a map, and answers from it', (_, { profile }) =>
    eyeManner(profile),
  ),
  cannotPlay: { published: 'it reads depth and ids, and these pictures have none' },
}

const openEyes: OpenEyes = (sample, episode) =>
  sample.pictures === undefined ? renderedEyes(sample, episode) : fileEyes(sample, sample.pictures, episode)

export const spaceVision: Suite<SpaceOptions, SpaceSample, SpaceOutcome> = {
  ...spaceText,
  name: 'space/vision',
  title: 'Theory of Space in pictures: explore, believe, answer, revise',
  version: 2,
  sources: { builtin: builtinRooms(checkShowable), scenes: sceneFiles(checkShowable), published },
  play: (sample, episode, options) => play(sample, episode, options, openEyes),
  baselines: { ...baselines, eye },
  estimate(sample, options) {
    const words = spaceText.estimate!(sample, options)
    // Every call sees the two instruction pictures, and on average half of the looks.
    const looks = options.explore === 'passive' ? 15 : Math.min(options.steps, 15)
    return { ...words, inputTokens: words.inputTokens + words.calls * (2 + looks / 2) * PICTURE_TOKENS }
  },
}
