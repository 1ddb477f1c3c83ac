/** Plays samples without a model: does every sample give a request, and is the right reply read and scored as right? */
import { messageOf, MissingAssetError, UserError } from '../base/errors.ts'
import { Random } from '../base/random.ts'
import { type Message, type ModelRequest, NO_USAGE } from '../models/types.ts'
import type { Scores } from '../store/records.ts'
import { silentEpisode } from './silent-episode.ts'
import { DataFiles } from './data-files.ts'
import type { RunPlan } from './plan.ts'
import { selectedSamples } from './source.ts'
import type { AnySuite, SampleBase } from './suite.ts'

export interface CheckedReply {
  reply: string
  /** What was read; null if nothing was. */
  answer: string | number | null
  /** Of the suite's first metric. */
  score: number | null
}

export interface CheckedSample {
  id: string
  /** The first request, with marks for images. */
  messages: readonly { role: string; text: string }[]
  truth: string | number | null
  /** Replies as models write them; empty if the suite asks more than once. */
  replies: readonly CheckedReply[]
}

export interface CheckedSamples {
  samples: number
  /** Samples that cannot be played, or whose right reply is not scored as right. */
  problems: readonly string[]
  examples: readonly CheckedSample[]
}

const EXAMPLES = 5
const ORACLE = 'oracle'

export async function checkSamples(plan: RunPlan, onProgress?: (done: number) => void): Promise<CheckedSamples> {
  const { suite, header } = plan
  if (!Object.hasOwn(suite.baselines, ORACLE))
    throw new UserError(`${suite.name} has no baseline/${ORACLE} to check it with.`)
  const last = Math.max(1, header.planned - 1)
  const shown = new Set(Array.from({ length: EXAMPLES }, (_, i) => Math.floor((i * last) / (EXAMPLES - 1))))
  const problems: string[] = []
  const examples: CheckedSample[] = []
  let samples = 0
  for await (const { sample } of selectedSamples(plan.source, plan.selection)) {
    try {
      const probed = await probe(plan, sample)
      const score = firstScore(suite, probed.scores)
      const right = probed.replies.join('\n')
      if (score !== null && score < 1)
        problems.push(`${sample.id}: the right reply scores ${score}: ${right.slice(0, 100)}`)
      if (shown.has(samples)) examples.push(await exampleOf(plan, sample, probed))
    } catch (error) {
      if (!(error instanceof MissingAssetError)) throw error
      problems.push(`${sample.id}: ${messageOf(error)}`)
    }
    samples += 1
    onProgress?.(samples)
  }
  return { samples, problems, examples }
}

interface Probed {
  requests: readonly (readonly Message[])[]
  replies: readonly string[]
  outcome: unknown
  scores: Scores
}

/** Plays a sample with a given reply, or with the replies of the oracle. */
async function probe({ suite, options, source, header }: RunPlan, sample: SampleBase, reply?: string): Promise<Probed> {
  const { profile, seed } = header
  const files = new DataFiles(source.roots)
  const silent = silentEpisode(suite, sample, { seed, profile, files })
  const random = new Random(`check/${seed}/${sample.id}`)
  const oracle = suite.baselines[ORACLE]!.start(sample, { random, options, profile, files })
  const requests: (readonly Message[])[] = []
  const replies: string[] = []
  const played = await suite.play(
    sample,
    {
      ...silent,
      async ask(role, messages, { baselineInput, purpose, ...sampling } = {}) {
        const origin = {
          sampleId: sample.id,
          ordinal: requests.length,
          role,
          ...(purpose !== undefined && { purpose }),
        }
        const request: ModelRequest = { messages, sampling, epoch: 1, origin, baselineInput }
        requests.push(messages)
        const given = reply ?? (await oracle(request))
        if (typeof given !== 'string') throw new UserError(`${suite.name} does not ask for text.`)
        replies.push(given)
        return { text: given, finish: 'stop', usage: NO_USAGE, ms: 0, cached: false }
      },
    },
    options,
  )
  const scores = await suite.score(sample, played.outcome, { profile, options, measurements: {} })
  return { requests, replies, outcome: played.outcome, scores }
}

function firstScore({ metrics }: AnySuite, scores: Scores): number | null {
  const [first] = Object.keys(metrics)
  return first === undefined ? null : (scores[first] ?? null)
}

async function exampleOf(
  plan: RunPlan,
  sample: SampleBase,
  { requests, replies, outcome }: Probed,
): Promise<CheckedSample> {
  const { suite, options, header } = plan
  const describe = (what: unknown) =>
    suite.describe?.(sample, what, { profile: header.profile, options, images: [] }) ?? {}
  const checked: CheckedReply[] = []
  const [right] = replies
  for (const reply of right !== undefined && replies.length === 1 ? asModelsWrite(right) : []) {
    const probed = await probe(plan, sample, reply)
    checked.push({ reply, answer: describe(probed.outcome).answer ?? null, score: firstScore(suite, probed.scores) })
  }
  return {
    id: sample.id,
    messages: (requests[0] ?? []).map((message) => ({ role: message.role, text: withMarks(message) })),
    truth: describe(outcome).truth ?? null,
    replies: checked,
  }
}

/** The right answer in the ways that models give it, and a refusal. */
function asModelsWrite(right: string): string[] {
  return [
    right,
    `The answer is ${right}.`,
    `<think>At first sight it is something else.</think>\n\n**Answer:** ${right}`,
    `Looking at the image, I am confident.\n\n\\boxed{${right}}`,
    'I cannot tell.',
  ]
}

/** The text of a message, with [image] where one is. */
function withMarks({ content }: Message): string {
  if (typeof content === 'string') return content
  return content.map((part) => (part.type === 'text' ? part.text : `[${part.media.type.split('/')[0]}]`)).join('')
}
