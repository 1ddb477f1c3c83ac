/** VBench: quality of text-to-video generation. Protocol: docs/suites/vbench. */
import {
  defineSuite,
  type DescribeContext,
  type EpisodeDescription,
  type EpisodeEstimate,
  estimateTextTokens,
} from '../../suite.ts'
import { sources, type VbenchSample } from './samples/source.ts'
import { videoEvent, videoOutcome } from './events.ts'
import type { VbenchOutcome } from './domain/outcome.ts'
import { measure } from './measure.ts'
import { judgeTexts } from './measure/judge.ts'
import { judge2Texts } from './measure/judge2.ts'
import { PROFILES, type VbenchOptions, vbenchOptions } from './options.ts'
import { play } from './play.ts'
import { baselines } from './baselines/baselines.ts'
import { combine, reward, score } from './score.ts'
import { publishedResults } from './published/leaderboard.ts'
import { metrics, summary } from './summary.ts'

export const vbench = defineSuite({
  name: 'vbench',
  title: 'Text-to-video quality in sixteen dimensions',
  version: 6,
  output: 'video',
  options: vbenchOptions,
  roles: { judge: {} },
  profiles: PROFILES,
  metrics,
  sources,
  prompts: () => ({ ...judgeTexts(), ...judge2Texts() }),
  play,
  measure,
  score,
  combine,
  reward,
  summary,
  describe,
  baselines,
  published: publishedResults,
  events: { 'vbench/video': videoEvent },
  schemas: { outcome: videoOutcome },
  estimate,
})

/** A video has no ground truth; the strip of its frames stands for the answer. */
function describe(
  { text }: VbenchSample,
  outcome: VbenchOutcome | null,
  { images }: Pick<DescribeContext<VbenchOptions>, 'images'>,
): EpisodeDescription {
  const clip = outcome?.clip
  const frames = images.find(({ provenance }) => provenance['shows'] === 'frames')
  return {
    question: text,
    answer: clip ? `${clip.seconds.toFixed(1)} s, ${clip.width} × ${clip.height}, ${clip.fps} fps` : null,
    ...(frames && { image: frames }),
  }
}

/** One video per sample; how much a judge is asked depends on the available networks. */
function estimate({ text }: VbenchSample): EpisodeEstimate {
  return { calls: 1, inputTokens: estimateTextTokens(text.length), outputTokens: 0 }
}
