/** VBench-2.0 with a judge: the published questions and rules, asked of another model than the published one. */
import { type Bitmap, type Message, type Part, promptFiles, shortHash } from '../../../suite.ts'
import { nothing, type Results, valued, type VideoResult } from '../domain/results.ts'
import { type Asked, JUDGED_DIMENSIONS, type JudgedDimension } from '../domain/vbench2.ts'
import { keptPicture, yesInWords } from './judge.ts'
import type { Measure, Meter, MeterContext } from './types.ts'

/** The published model is shown 64 frames; most others take no more than some dozens of pictures. */
const SHOWN_FRAMES = 16
const SAMPLING = { temperature: 0, maxTokens: 1024 } as const

const texts = promptFiles(new URL('../prompts/vbench2/', import.meta.url))

/** Where a clip of `length` frames is looked at: evenly, from the first frame to the last. */
export function evenFrames(count: number, length: number): number[] {
  return Array.from({ length: count }, (_, i) => Math.trunc((i * (length - 1)) / Math.max(1, count - 1)))
}

export function judge2Texts(): Readonly<Record<string, string>> {
  return texts.all()
}

/** Asks about a video or about texts; replies as they are. */
export interface Asker {
  /** @param frames which of those shown; all of them by default */
  video(question: string, frames?: { from: number; to: number }): Promise<string>
  text(messages: readonly Message[]): Promise<string>
  /** What the published questions begin with. */
  times(from?: number, to?: number): string
}

const COUNTS_NOT = 'what the prompt is about is not in the video: it does not count'

const isYes = (reply: string): boolean => yesInWords(reply) ?? reply.toLowerCase().includes('yes')

async function allYes(ask: Asker, instruction: string, { texts: questions }: Asked): Promise<VideoResult> {
  let yes = 0
  for (const question of questions) if (isYes(await ask.video(`${ask.times()} ${instruction}\n${question}`))) yes++
  return valued(yes === questions.length ? 1 : 0)
}

/** The first question says whether the video counts; then the second must be true. A single one must be true. */
async function validThenTrue(ask: Asker, instruction: string, { texts: questions }: Asked): Promise<VideoResult> {
  const answers: boolean[] = []
  for (const question of questions) answers.push(isYes(await ask.video(`${ask.times()} ${instruction}\n${question}`)))
  if (answers.length === 1) return valued(answers[0] ? 1 : 0)
  return answers[0] ? valued(answers[1] ? 1 : 0) : nothing(COUNTS_NOT)
}

const CLOTHES = [
  'Is there only one person in the video throughout?',
  'Is the person in the video the same throughout?',
  'Does the clothes of the person in the video (color, texture) remain consistent throughout?',
]

async function clothes(ask: Asker): Promise<VideoResult> {
  const answer = async (question: string) =>
    isYes(await ask.video(`${ask.times()} Return yes or no only for the following question.\n${question}`))
  const [first, ...others] = CLOTHES
  if (!(await answer(first!))) return nothing('more than one person is in the video: it does not count')
  let same = true
  for (const question of others) if (!(await answer(question))) same = false
  return valued(same ? 1 : 0)
}

async function composition(ask: Asker, { texts: parts, one, all }: Asked): Promise<VideoResult> {
  const single = 'Judging whether the video occurs only one creature, answer yes or no only.'
  if (one && !isYes(await ask.video(`${ask.times()} ${single}`))) return valued(1 / parts.length)
  const contains =
    'For the following description, judging whether the description contains in the video, answer yes or no only.'
  let found = 0
  for (const part of parts) if (isYes(await ask.video(`${ask.times()} ${contains}\n${part}`))) found++
  return valued(all ? (found === parts.length ? 1 : 0) : found / parts.length)
}

/** Where something is in the first half, and where it is in the last frame. */
async function movedTo(ask: Asker, { texts: [before, after] }: Asked): Promise<VideoResult> {
  const only = 'Please answer yes or no only for the following questions.'
  const half = SHOWN_FRAMES / 2
  const first = isYes(await ask.video(`${ask.times(0, half)} ${only}\n${before}`, { from: 0, to: half }))
  const last = isYes(await ask.video(`${only}\n${after}`, { from: SHOWN_FRAMES - 1, to: SHOWN_FRAMES }))
  return valued(first && last ? 1 : 0)
}

/** A system text, and two prompts to compare. */
function compared(system: string, one: string, other: string, examples: readonly Message[] = []): Message[] {
  const content = `\nprompt1: ${one}\nprompt2: ${other}\n`
  return [{ role: 'system', content: `${texts.text(system)}\n` }, ...examples, { role: 'user', content }]
}

async function order(ask: Asker, { texts: actions }: Asked): Promise<VideoResult> {
  const told = await ask.video(`${ask.times()} Return the action order in video. Here is the template.\n1. ; 2. .`)
  const parts = told.split('2.')
  if (parts.length < 2) return nothing('the judge sees no two actions: the video does not count')
  let right = 0
  for (const [i, action] of actions.slice(0, 2).entries()) {
    if (isYes(await ask.text(compared('order-judge', action, parts[i]!, ORDER_EXAMPLES)))) right++
  }
  return valued(right === 2 ? 1 : 0)
}

async function interaction(ask: Asker, prompt: string): Promise<VideoResult> {
  const how = "Describe the human interaction in the video, following the template as 'a person xx to another person'."
  const told = await ask.video(`${ask.times()} ${how}`)
  const described = await ask.video(`${ask.times()} Describe the video in details.`)
  const same = isYes(await ask.text(compared('interaction-judge', prompt, told)))
  const people: Message[] = [
    { role: 'system', content: `${texts.text('people-judge')}\n` },
    { role: 'user', content: described },
  ]
  return valued(isYes(await ask.text(people)) && same ? 1 : 0)
}

/** "1. … 2. …" as a list. */
function numbered(text: string): string[] {
  return text
    .split(/\d{1,4}\.\s{0,20}/)
    .map((part) => part.trim())
    .filter((part) => part !== '')
}

/** How many parts of a story are told in their order, before the first that is not. */
async function toldInOrder(ask: Asker, system: string, wanted: readonly string[], told: string): Promise<VideoResult> {
  const parts = told.includes('1. ') ? numbered(told).slice(0, wanted.length) : wanted.map(() => told)
  let right = 0
  for (const [i, part] of parts.entries()) {
    if (!isYes(await ask.text(compared(system, wanted[i]!.trim(), part)))) break
    right++
  }
  return valued(right / wanted.length)
}

function summarized(system: string, caption: string, template: string): Message[] {
  const content = `\nvideo_caption: ${caption}\ntemplate: ${template}\n`
  return [
    { role: 'system', content: `${texts.text(system)}\n` },
    { role: 'user', content },
  ]
}

const templateOf = (count: number): string => `${Array.from({ length: count }, (_, i) => `${i + 1}.`).join(' ; ')} .`

async function landscape(ask: Asker, { texts: wanted }: Asked): Promise<VideoResult> {
  const caption = await ask.video(`${ask.times()} Describe the landscape in video in detail.\n`)
  const told = await ask.text(summarized('landscape-summary', caption, templateOf(5)))
  return toldInOrder(ask, 'landscape-judge', wanted, told)
}

async function plot(ask: Asker, { texts: wanted }: Asked): Promise<VideoResult> {
  const template = templateOf(wanted.length)
  let told = await ask.video(`${ask.times()} Return the plot in video. Here is the template..\n${template}`)
  if (told.includes('1. ') && numbered(told).length > wanted.length) {
    const caption = await ask.video(`${ask.times()} Describe the video in detail.\n`)
    told = await ask.text(summarized('plot-summary', caption, template))
  }
  return toldInOrder(ask, 'plot-judge', wanted, told)
}

const ANSWER_ONLY = 'Please answer yes or no only for the following questions'

export async function judged(
  dimension: JudgedDimension,
  prompt: MeterContext['prompt'],
  ask: Asker,
): Promise<VideoResult> {
  if (dimension === 'human_clothes') return clothes(ask)
  if (dimension === 'human_interaction') return interaction(ask, prompt.prompt.trim())
  const asked = prompt.facts.asked?.[dimension]
  const least = dimension === 'dynamic_spatial_relationship' || dimension === 'motion_order_understanding' ? 2 : 1
  if (asked === undefined || asked.texts.length < least) return nothing('the suite says too little about the prompt')
  switch (dimension) {
    case 'composition':
      return composition(ask, asked)
    case 'motion_rationality':
      return allYes(ask, 'Answer yes or no only for the following questions.', asked)
    case 'dynamic_attribute':
      return allYes(ask, `${ANSWER_ONLY}.`, asked)
    case 'dynamic_spatial_relationship':
      return movedTo(ask, asked)
    case 'motion_order_understanding':
      return order(ask, asked)
    case 'complex_landscape':
      return landscape(ask, asked)
    case 'complex_plot':
      return plot(ask, asked)
    case 'material':
    case 'mechanics':
      return validThenTrue(ask, ANSWER_ONLY, asked)
    case 'thermotics':
      return validThenTrue(ask, `You will not care about the name correctness in question. ${ANSWER_ONLY}`, asked)
  }
}

export function judge2Measure(): Measure {
  return {
    title: 'judge',
    tier: 'variant',
    outputs: JUDGED_DIMENSIONS,
    version: `judge2-1/${shortHash(judge2Texts())}`,
    asks: 'judge',
    start(context, wanted) {
      const dimensions = JUDGED_DIMENSIONS.filter((name) => wanted.has(name))
      return meterOf(context, dimensions)
    },
  }
}

function meterOf({ info, prompt, episode }: MeterContext, dimensions: readonly JudgedDimension[]): Meter {
  const places = evenFrames(SHOWN_FRAMES, info.frames)
  const pictures = new Map<number, Bitmap>()
  const times = (from = 0, to = SHOWN_FRAMES): string => {
    const at = places.slice(from, to).map((place) => `${(place / info.fps).toFixed(2)}s`)
    const seconds = (info.frames / info.fps) * ((to - from) / SHOWN_FRAMES)
    return `The video lasts for ${seconds.toFixed(2)} seconds, and ${at.length} frames are uniformly sampled from it. These frames are located at ${at.join(',')}.`
  }
  return {
    frame(bitmap, index) {
      // The decoder may use the same memory for the next frame.
      if (places.includes(index)) pictures.set(index, { ...bitmap, data: bitmap.data.slice() })
    },
    async end() {
      const kept = new Map<number, Part>()
      for (const [place, picture] of pictures) kept.set(place, await keptPicture(picture, episode))
      const results: Results = {}
      for (const dimension of dimensions) {
        const how = { ...SAMPLING, purpose: dimension }
        const ask: Asker = {
          times,
          async video(question, { from, to } = { from: 0, to: SHOWN_FRAMES }) {
            const shown = places.slice(from, to).flatMap((place) => kept.get(place) ?? [])
            const content: Part[] = [...shown, { type: 'text', text: question }]
            return (await episode.ask('judge', [{ role: 'user', content }], how)).text.trim()
          },
          text: async (messages) => (await episode.ask('judge', messages, how)).text,
        }
        results[dimension] = await judged(dimension, prompt, ask)
      }
      return results
    },
  }
}

/** Given with every comparison of actions, word for word. */
const ORDER_EXAMPLES: readonly Message[] = (
  [
    [
      '\nprompt1: "sitting"\nprompt2: 1. The person is lying on a beige sofa, holding a broom.\n',
      'Yes. "sitting" is similar with lying',
    ],
    [
      '\nprompt1: playing with a ball\nprompt2: 1. The dog is lying on a beige carpet, holding a red ball in its mouth.\n',
      'Yes. In prompt1, "holding a ball in its mouth" in prompt2 is "playing with a ball" in prompt for a dog',
    ],
    [
      '\nprompt1: organizing the pantry\nprompt2: 2. The person moves away from the stove and walks towards the counter.\n',
      'No. prompt2 is not consistency with "organizing the pantry" in prompt1.',
    ],
    [
      '\nprompt1: drinking a glass of water\nprompt2: A person is holding a glass of water in their hand\n',
      'No. "holding a glass of water" is not consistency with "drink water" in prompt1.',
    ],
  ] as const
).flatMap(([user, assistant]): Message[] => [
  { role: 'user', content: user },
  { role: 'assistant', content: assistant },
])
