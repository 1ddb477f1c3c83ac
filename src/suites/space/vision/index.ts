/** Theory of Space with eyes: the cases of `space/text`, shown as pictures. */
import type { Suite } from '../../../engine/suite.ts'
import { baselines } from '../baselines.ts'
import { builtin, files } from '../cases.ts'
import type { SpaceCase, SpaceOutcome } from '../episode.ts'
import { spaceText } from '../index.ts'
import { baseline } from '../manner.ts'
import type { SpaceOptions } from '../options.ts'
import { play } from '../play.ts'
import { eyeManner } from './eye/player.ts'
import { renderedEyes } from './eyes.ts'

const eye = baseline('reads depth and ids of its pictures, draws a map, and answers from it', (_, { profile }) =>
  eyeManner(profile),
)

export const spaceVision: Suite<SpaceOptions, SpaceCase, SpaceOutcome> = {
  ...spaceText,
  name: 'space/vision',
  title: 'Theory of Space in pictures: explore, believe, answer, revise',
  version: 1,
  sources: { builtin, scenes: files },
  play: (kase, episode, options) => play(kase, episode, options, renderedEyes),
  baselines: { ...baselines, eye },
}
