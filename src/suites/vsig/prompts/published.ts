/** Prompts of the published generations, word for word: the files in `published/`. Where they come from is in NOTES.md. */
import { fillPrompt, promptFiles, UserError, z } from '../../../suite.ts'
import type { Asr } from '../domain/annotation.ts'
import { PROFILE_RULES, type Profile, type PromptGeneration } from '../domain/profiles.ts'
import { mergeSlots, publishedPlaceName, shortName } from '../domain/templates.ts'
import type { VsigOptions } from '../options.ts'
import { dumps, pythonRepr, textOf } from '../published/python.ts'
import type { VsigSample } from '../samples/sample.ts'

const FOLDER = new URL('./published/', import.meta.url)
const texts = promptFiles(FOLDER)
const tables = promptFiles(FOLDER, '.json')

const orders = z.object({ xy: z.string(), yx: z.string() })
const generationTexts = z.object({
  /** What the template asks for, after the system prompt. */
  scenarios: z.record(z.string(), z.string()),
  user: z.string(),
  /** Generation 1: what follows the transcript if there is one. */
  asr: z.string().optional(),
  /** Generation 4: with all of the transcript, and with its words alone. */
  heard: z.string().optional(),
  words: z.string().optional(),
  coord_desc: orders.optional(),
  coord_field_desc: orders.optional(),
  judge_intent: z.string().optional(),
  judge_moments: z.string().optional(),
})
let known: Record<string, z.output<typeof generationTexts>> | undefined

type Name = 'v1' | 'v2' | 'v3' | 'v4-zh' | 'v4-en'

function textsOf(name: Name): z.output<typeof generationTexts> {
  known ??= z.record(z.string(), generationTexts).parse(JSON.parse(tables.text('texts')))
  return known[name]!
}

/** All texts by name, for the fingerprint. */
export function publishedPrompts(): Record<string, string> {
  const all = { ...texts.all(), ...tables.all() }
  return Object.fromEntries(Object.entries(all).map(([name, text]) => [`published/${name}`, text]))
}

/** Only the last generation has a prompt in English. */
function nameOf(generation: PromptGeneration, sample: VsigSample, { language }: VsigOptions): Name {
  if (generation !== 'v4') return generation
  return `v4-${language === 'clip' ? sample.language : language}`
}

const SILENT = {
  zh: '用户没有说话，只是做出了指向性动作。',
  en: 'The user did not speak, only made a pointing gesture.',
} as const

/** What the published code takes for the user's words: without a transcript, the name of the template. */
function transcriptOf(sample: VsigSample, asr: Asr | null, profile: Profile, language: 'zh' | 'en'): string {
  const { template } = sample
  const said = typeof asr?.text === 'string' ? asr.text : null
  if (profile === 'upstream-v0') return said ?? (template === '指令1' ? SILENT.zh : template)
  if (template === '指令1') return SILENT[language]
  return profile === 'upstream-v4' && said === '' ? SILENT[language] : (said ?? template)
}

/** Keys in alphabetical order, as the published annotations have them. */
function sorted(value: unknown): unknown {
  if (Array.isArray(value)) return value.map(sorted)
  if (typeof value !== 'object' || value === null) return value
  return Object.fromEntries(
    Object.entries(value)
      .toSorted(([a], [b]) => (a < b ? -1 : 1))
      .map(([key, item]) => [key, sorted(item)]),
  )
}

const asrText = (asr: unknown): string => dumps(sorted(asr))

/** The options of a clip, one per line. */
function optionText({ evalTruth }: VsigSample): string {
  const objects = evalTruth?.object_choices ?? []
  const areas = evalTruth?.space_choices ?? []
  const lines = objects.length > 0 ? ['物体 (Object):', ...objects] : []
  if (areas.length > 0) lines.push(...(lines.length > 0 ? [''] : []), '位置/空间 (Space):', ...areas)
  return lines.join('\n').trim()
}

export interface PublishedAsk {
  system: string
  user: string
  /** The text before a frame; null if there is none. */
  frame: ((ms: number) => string) | null
}

/** Null for profiles with prompts of our own. */
export function publishedAsk(sample: VsigSample, options: VsigOptions, profile: Profile): PublishedAsk | null {
  const generation = PROFILE_RULES[profile].prompts
  if (generation === 'own') return null
  const name = nameOf(generation, sample, options)
  const own = textsOf(name)
  const scenario = own.scenarios[shortName(sample.template)]!
  const order = options.coords === 'yx1000' ? 'yx' : 'xy'
  const system = texts.fill(`${name}-system`, {
    scenario,
    ...(own.coord_desc && own.coord_field_desc
      ? {
          options_text: optionText(sample),
          coord_desc: own.coord_desc[order],
          coord_field_desc: own.coord_field_desc[order],
        }
      : {}),
  })
  const stamps = generation === 'v4' && options.frameTimes
  return {
    system,
    user: userPrompt(sample, options, profile, name),
    frame: stamps ? (ms) => `<timestamp_ms>${ms}` : null,
  }
}

function userPrompt(sample: VsigSample, { speech, timings }: VsigOptions, profile: Profile, name: Name): string {
  const own = textsOf(name)
  const asr = speech === 'text' || speech === 'asr' ? (sample.annotation.asr_result ?? null) : null
  const transcript = transcriptOf(sample, asr, profile, name === 'v4-en' ? 'en' : 'zh')
  if (name === 'v1') {
    const heard = asr === null ? '' : fillPrompt(own.asr!, { asr: asrText(asr) })
    return fillPrompt(own.user, { transcript }).replace(`"${transcript}"`, () => `"${transcript}"${heard}`)
  }
  if (name === 'v2' || name === 'v3' || asr === null) return own.user
  if (timings) return fillPrompt(own.heard!, { transcript, asr: asrText(asr) })
  return fillPrompt(own.words!, { transcript, asr: dumps({ text: asr.text ?? null }) })
}

export interface JudgePrompt {
  system?: string
  user: string
}

export function publishedIntentJudge(sample: VsigSample, command: string): JudgePrompt {
  const names = mergeSlots(sample.template, sample.annotation.object_space, publishedPlaceName).map(({ name }) => name)
  return {
    system: textsOf('v1').judge_intent!,
    user: texts.fill('v1-judge-intent', { template: sample.template, names: pythonRepr(names), command }),
  }
}

interface TimedPoint {
  description: string
  timestamp: unknown
}

export function publishedMomentsJudge(sample: VsigSample, points: readonly TimedPoint[]): JudgePrompt {
  return {
    system: textsOf('v1').judge_moments!,
    user: texts.fill('v1-judge-moments', {
      template: sample.template,
      asr: sample.annotation.asr_result?.text ?? '',
      points: dumps(points.map(({ description, timestamp }) => ({ desc: description, ts: timestamp }))),
    }),
  }
}

export function publishedMomentJudge(
  sample: VsigSample,
  { description, timestamp }: TimedPoint & { timestamp: readonly [number, number] },
): JudgePrompt {
  const asr = sample.annotation.asr_result
  const words = (asr?.words ?? []).map(
    ({ text, begin_time, end_time }) => `'${text}' (${textOf(begin_time ?? 0)}ms-${textOf(end_time ?? 0)}ms)`,
  )
  const [begin, end] = timestamp.map(textOf) as [string, string]
  return {
    user: texts.fill('v2-judge-moment', { asr: asr?.text ?? '', words: words.join(', '), target: description, begin, end }),
  }
}

/** Published prompts know two conventions and one way to ask; anything else would be another prompt. */
export function checkPublishedOptions({ coords, hint, language }: VsigOptions, profile: string): void {
  const generation = Object.hasOwn(PROFILE_RULES, profile) ? PROFILE_RULES[profile as Profile].prompts : 'own'
  if (generation === 'own') return
  if (coords !== 'xy1000' && coords !== 'yx1000')
    throw new UserError(`The published prompt of ${profile} asks for points in 0…1000, not for ${coords}.`, {
      hint: 'Use -T coords=xy1000 or yx1000, or profile seed, which asks in any convention.',
    })
  if (hint === 'none') throw new UserError(`The published prompt of ${profile} always names the template: leave out hint=none.`)
  if (language === 'en' && generation !== 'v4')
    throw new UserError(`The published prompt of ${profile} is in Chinese: leave out language=en.`)
}
