/** Prompt texts in Chinese and English: files in this folder with {placeholders}. */
import { fillPrompt, promptFiles, type PromptValues, z } from '../../../suite.ts'
import type { VsigSample } from '../samples/sample.ts'
import type { Convention } from '../domain/coords.ts'
import type { Size } from '../domain/mask.ts'
import { PROFILE_RULES, type Profile } from '../domain/profiles.ts'
import { canonicalCommand, type Language, mergeSlots, shortName } from '../domain/templates.ts'
import { speechOf } from '../domain/windows.ts'
import type { VsigOptions } from '../options.ts'
import { publishedPrompts } from './published.ts'

const FOLDER = new URL('./', import.meta.url)
const phrasesSchema = z.record(z.enum(['en', 'zh']), z.record(z.string(), z.string()))

const texts = promptFiles(FOLDER)
const tables = promptFiles(FOLDER, '.json')
let phrases: z.output<typeof phrasesSchema> | undefined

/** All texts by name, for the fingerprint. */
export function allPrompts(): Record<string, string> {
  return { ...texts.all(), ...tables.all(), ...publishedPrompts() }
}

/** A short text from texts.json. */
export function phrase(language: Language, name: string, values: PromptValues = {}): string {
  phrases ??= phrasesSchema.parse(JSON.parse(tables.text('texts')))
  const text = phrases[language][name]
  if (text === undefined) throw new Error(`No phrase "${name}" for ${language} in prompts/texts.json.`)
  return fillPrompt(text, values, `The phrase "${name}"`)
}

export function promptLanguage(sample: VsigSample, options: VsigOptions): Language {
  return options.language === 'clip' ? sample.language : options.language
}

export function systemPrompt(language: Language): string {
  return texts.text(`system-${language}`)
}

const EXAMPLE_POINTS: Readonly<Record<Convention, string>> = {
  xy1000: '[x, y]',
  yx1000: '[y, x]',
  'xy-pixel': '[x, y]',
  xy1: '[x, y]',
  xy100: '[x, y]',
}

/** For example `A. red cup, B. blue box`. */
function optionList(choices: readonly string[] | null | undefined): string {
  return choices && choices.length > 0 ? choices.join(', ') : '-'
}

/** The question, without the frames. */
export function askPrompt(
  sample: VsigSample,
  options: VsigOptions,
  profile: Profile,
  shown: Size & { count: number; durationMs: number },
): string {
  const language = promptLanguage(sample, options)
  const say = (name: string, values: PromptValues = {}): string => phrase(language, name, values)
  const { letters: asksForLetters, time } = PROFILE_RULES[profile]
  const withLetters = asksForLetters && sample.evalTruth !== null
  const letters = withLetters
    ? `\n${say('options', {
        objects: optionList(sample.evalTruth?.object_choices),
        areas: optionList(sample.evalTruth?.space_choices),
      })}`
    : ''
  return texts.fill(`ask-${language}`, {
    input:
      options.input === 'video'
        ? say('input-video', { duration: shown.durationMs, width: shown.width, height: shown.height })
        : say(options.frameTimes ? 'input-frames' : 'input-frames-untimed', { count: shown.count }),
    speech: speechText(sample, options),
    task: `${hintText(sample, options)}${letters}`,
    options_field: withLetters ? '  "selected_options": ["A", "b"],\n' : '',
    point: EXAMPLE_POINTS[options.coords],
    time: time === 'moment' ? 'ms' : '[start_ms, end_ms]',
    coords: say(
      `coords-${options.coords}`,
      options.coords === 'xy-pixel' ? { width: shown.width, height: shown.height } : {},
    ),
    time_rule: say(`time-${time}`),
  })
}

/** How many objects and places to find. */
export function hintText(sample: VsigSample, options: VsigOptions): string {
  const name = options.hint === 'none' ? 'hint-none' : `hint-${shortName(sample.template)}`
  return phrase(promptLanguage(sample, options), name)
}

/** What is said, as far as it is told. */
export function speechText(sample: VsigSample, options: VsigOptions): string {
  const language = promptLanguage(sample, options)
  if (options.speech === 'none') return phrase(language, 'speech-none')
  if (options.speech === 'audio') return phrase(language, 'speech-audio')
  const speech = speechOf(sample.template, sample.annotation)
  if (speech !== 'spoken') return phrase(language, speech === 'silent' ? 'speech-silent' : 'speech-missing')
  const asr = sample.annotation.asr_result
  const said = phrase(language, 'speech-text', { text: asr?.text ?? '' })
  if (!options.timings) return said
  const words = (asr?.words ?? []).map(({ text, begin_time, end_time }) => [text, begin_time, end_time])
  return `${said}\n${phrase(language, 'speech-times', { words: JSON.stringify(words) })}`
}

export function intentJudgePrompt(sample: VsigSample, command: string): string {
  const names = mergeSlots(sample.template, sample.annotation.object_space).map(({ name }) => name)
  return texts.fill('judge-intent', {
    meant: canonicalCommand(sample.template, names),
    parts: JSON.stringify(names),
    command: JSON.stringify(command.slice(0, 4000)),
  })
}
