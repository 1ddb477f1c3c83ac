/** Built-in clips: any number from one seed, generated on demand. */
import { defineSource, LruCache, type SourceRequest, z } from '../../../suite.ts'
import type { Language } from '../domain/templates.ts'
import type { VsigOptions } from '../options.ts'
import { annotatedClip } from './clips/annotate.ts'
import { GENERATOR, HEIGHT, WIDTH } from './clips/plan.ts'
import { CLIP_LANGUAGES, type ClipLanguages, CLIPS, languageOf, MAX_CLIPS } from './clips/set.ts'
import { clipVoice } from './clips/voice.ts'
import { sampleOf, type VsigSample } from './sample.ts'

const args = z.object({
  seed: z.int().min(0).optional().describe('seed; default: the seed of the run'),
  clips: z.int().min(1).max(MAX_CLIPS).default(CLIPS).describe('number of clips'),
  language: z.enum(CLIP_LANGUAGES).default('both').describe('spoken language'),
})

/** A cache, because a run requests each clip more than once. */
const made = new LruCache<VsigSample>(64)

export function clipSample(seed: number, index: number, language: Language): VsigSample {
  return made.getOrCreate(`${seed}/${index}/${language}`, () => makeSample(seed, index, language))
}

function makeSample(seed: number, index: number, language: Language): VsigSample {
  const { plan, annotation, evalTruth } = annotatedClip(seed, index, language)
  const id = `clip-${seed}-${String(index).padStart(4, '0')}`
  return sampleOf(
    id,
    'builtin',
    plan.template,
    annotation,
    evalTruth,
    { width: WIDTH, height: HEIGHT },
    { kind: 'clip', seed, index, language, attempt: plan.attempt },
  )
}

export const builtin = defineSource({
  title: 'rendered clips of a hand pointing at objects on a table, with speech in Chinese and English',
  usage: 'builtin:seed=7,clips=300,language=both',
  args,
  async open({ args: { clips, language }, options, seed }: SourceRequest<VsigOptions, z.output<typeof args>>) {
    const voices = options.speech === 'audio' ? await requireVoices(language) : ''
    return {
      fingerprint: `${GENERATOR}/${seed}/${clips}/${language}${voices}`,
      count: clips,
      *samples() {
        for (let index = 0; index < clips; index++) yield clipSample(seed, index, languageOf(index, language))
      },
    }
  },
})

/** Fails before the run if a voice is missing. Voices are part of the fingerprint: another voice is another stimulus. */
async function requireVoices(language: ClipLanguages): Promise<string> {
  const languages: Language[] = language === 'both' ? ['zh', 'en'] : [language]
  const voices = await Promise.all(languages.map((each) => clipVoice(each, 'audio')))
  return voices.map((voice) => `/${voice?.name}`).join('')
}
