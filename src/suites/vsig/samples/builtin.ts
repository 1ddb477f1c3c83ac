/** Built-in clips: any number from one seed, generated on demand. */
import { defineSource, LruCache, type SourceRequest, z } from '../../../suite.ts'
import { DEFAULT_FRAMES } from '../domain/frames.ts'
import { type Language, TEMPLATES } from '../domain/templates.ts'
import type { VsigOptions } from '../options.ts'
import { checkPublishedOptions } from '../prompts/published.ts'
import { annotatedClip } from './clips/annotate.ts'
import { budgetFor, isAnswerable } from './clips/eye.ts'
import { levelOf } from './clips/levels.ts'
import { type ClipKey, GENERATOR, HEIGHT, planClip, WIDTH } from './clips/plan.ts'
import { CLIP_LANGUAGES, type ClipLanguages, CLIPS, languageOf, MAX_CLIPS } from './clips/set.ts'
import { clipVoice } from './clips/voice.ts'
import { sampleOf, type VsigSample } from './sample.ts'

const args = z.object({
  seed: z.int().min(0).optional().describe('seed; default: the seed of the run'),
  clips: z.int().min(1).max(MAX_CLIPS).default(CLIPS).describe('number of clips'),
  language: z.enum(CLIP_LANGUAGES).default('both').describe('spoken language'),
})

type ClipRequest = Omit<ClipKey, 'attempt'>

/** A cache, because a run requests each clip more than once. */
const made = new LruCache<VsigSample>(64)

export function clipSample(request: ClipRequest): VsigSample {
  const { seed, index, language, level } = request
  return made.getOrCreate(`${seed}/${index}/${language}/${level}`, () => makeSample(request))
}

function makeSample(request: ClipRequest): VsigSample {
  const { seed, index, language, level } = request
  const { plan, annotation, evalTruth, evidence } = annotatedClip(request)
  const sample = sampleOf(
    `clip-${seed}-${String(index).padStart(4, '0')}`,
    'builtin',
    plan.template,
    annotation,
    evalTruth,
    { width: WIDTH, height: HEIGHT },
    { kind: 'clip', seed, index, language, level, attempt: plan.attempt },
  )
  return { ...sample, labels: { ...sample.labels, level }, evidence }
}

export const builtin = defineSource({
  title: 'rendered clips of a hand pointing at objects on a table, with speech in Chinese and English',
  usage: 'builtin:seed=7,clips=300,language=both',
  args,
  async open({ args: { clips, language }, options, seed, profile }: SourceRequest<VsigOptions, z.output<typeof args>>) {
    checkPublishedOptions(options, profile)
    const voices = options.speech === 'audio' || options.speech === 'asr' ? await requireVoices(language) : ''
    const { level } = options
    const asksAll = options.unanswerable === 'ask' || areAllAnswerable(options)
    const budget = asksAll ? '' : `/${options.input}/${framesText(options)}/${options.speech}/${options.timings}`
    return {
      fingerprint: `${GENERATOR}/${seed}/${clips}/${language}/${level}${budget}${voices}`,
      count: asksAll ? clips : null,
      *samples() {
        let leftOut = 0
        let held: VsigSample | null = null
        for (let index = 0; index < clips; index++) {
          const own = levelOf(level, Math.floor(index / TEMPLATES.length))
          const sample = clipSample({ seed, index, language: languageOf(index, language), level: own })
          if (!asksAll && !isAnswered(sample, options)) {
            leftOut += 1
            continue
          }
          if (held) yield held
          held = leftOut > 0 ? { ...sample, leftOut } : sample
          leftOut = 0
        }
        if (held) yield leftOut > 0 ? { ...held, leftOut: (held.leftOut ?? 0) + leftOut } : held
      },
    }
  },
})

/** Which frames are shown, for the fingerprint. */
function framesText({ frames, fps }: VsigOptions): string {
  return fps === undefined ? String(frames) : `${fps}fps`
}

/** All clips are answerable from the default frames, unless the hand also points without a word. */
function areAllAnswerable({ level, input, frames, fps }: VsigOptions): boolean {
  const isDefault = input === 'video' || (frames === DEFAULT_FRAMES && fps === undefined)
  return (level === 'easy' || level === 'medium') && isDefault
}

function isAnswered({ origin }: VsigSample, options: VsigOptions): boolean {
  if (origin.kind !== 'clip') return true
  const plan = planClip(origin)
  return isAnswerable(plan, budgetFor(plan, options))
}

/** Fails before the run if a voice is missing. Voices are part of the fingerprint: another voice is another stimulus. */
async function requireVoices(language: ClipLanguages): Promise<string> {
  const languages: Language[] = language === 'both' ? ['zh', 'en'] : [language]
  const voices = await Promise.all(languages.map((each) => clipVoice(each, 'audio')))
  return voices.map((voice) => `/${voice?.name}`).join('')
}
