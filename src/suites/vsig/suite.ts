/** Visual-speech intent grounding: what did the pointing hand and the voice mean? See README.md in this folder. */
import { auditFile, defineSuite } from '../../suite.ts'
import { audit } from './audit.ts'
import { builtin } from './samples/builtin.ts'
import { folder } from './samples/folder.ts'
import { sampleSchema } from './samples/sample.ts'
import { outcomeSchema } from './domain/outcome.ts'
import { PROFILES } from './domain/profiles.ts'
import { describe } from './describe.ts'
import { events } from './events.ts'
import { importer } from './import.ts'
import { type VsigOptions, vsigOptions } from './options.ts'
import { play } from './play.ts'
import { baselines } from './baselines.ts'
import { allPrompts } from './prompts/prompts.ts'
import { publishedResults } from './published/leaderboard.ts'
import { score } from './score.ts'
import { metrics, summary } from './summary.ts'
import floors from './audit.json' with { type: 'json' }

/** Approximate tokens of the prompt, a frame of about a megapixel, a second of video and a reply, for cost estimates. */
const TOKENS = { prompt: 700, frame: 1100, second: 300, reply: 400 }

/** A usual length of a clip. */
const CLIP_SECONDS = 8

function framesOf({ frames, fps }: VsigOptions): number {
  return fps === undefined ? frames : Math.ceil(CLIP_SECONDS * fps) + 1
}

export const vsig = defineSuite({
  name: 'vsig',
  title: 'Ground pointing and speech in a clip: command, points, moments',
  version: 11,
  options: vsigOptions,
  roles: { judge: {}, transcriber: { needed: ({ speech }) => speech === 'asr' } },
  profiles: PROFILES,
  metrics,
  sources: { builtin, vsig: folder },
  prompts: allPrompts,
  play,
  score,
  summary,
  describe,
  baselines,
  importer,
  published: publishedResults,
  audit,
  audits: () => auditFile.parse(floors),
  events,
  schemas: { sample: sampleSchema, outcome: outcomeSchema },
  estimate: (_, options) => ({
    calls: 1,
    inputTokens:
      TOKENS.prompt + (options.input === 'video' ? CLIP_SECONDS * TOKENS.second : framesOf(options) * TOKENS.frame),
    outputTokens: TOKENS.reply,
  }),
})
