/** Built-in clips as cases: any number from one seed, each made when it is asked for. */
import { z } from 'zod'
import { UserError } from '../../../base/errors.ts'
import { Recent } from '../../../base/recent.ts'
import type { SourceKind } from '../../../engine/suite.ts'
import type { Language, VsigSample } from '../case.ts'
import { caseOf } from '../labels.ts'
import type { VsigOptions } from '../options.ts'
import { annotatedClip } from './annotate.ts'
import { GENERATOR, HEIGHT, WIDTH } from './plan.ts'
import { CLIP_LANGUAGES, CLIPS, languageOf, MOST_CLIPS } from './set.ts'
import { clipVoice } from './voice.ts'

const argumentsSchema = z.strictObject({
  seed: z.coerce.number().int().min(0).optional(),
  clips: z.coerce.number().int().min(1).max(MOST_CLIPS).default(CLIPS),
  language: z.enum(CLIP_LANGUAGES).default('both'),
})

/** The last cases that were made: a run asks for each of them more than once. */
const made = new Recent<VsigSample>(64)

export function clipCase(seed: number, index: number, language: Language): VsigSample {
  return made.of(`${seed}/${index}/${language}`, () => makeCase(seed, index, language))
}

function makeCase(seed: number, index: number, language: Language): VsigSample {
  const { plan, annotation, evalTruth } = annotatedClip(seed, index, language)
  const id = `clip-${seed}-${String(index).padStart(4, '0')}`
  return caseOf(
    id,
    'builtin',
    plan.template,
    annotation,
    evalTruth,
    { width: WIDTH, height: HEIGHT },
    {
      kind: 'clip',
      seed,
      index,
      language,
      attempt: plan.attempt,
    },
  )
}

export const builtin: SourceKind<VsigOptions, VsigSample> = {
  title: 'a table, a hand and a voice, from a seed, in Chinese and English',
  usage: 'builtin:seed=7,clips=300,language=both',
  async open({ path, args }, options, run) {
    const parsed = argumentsSchema.safeParse(args)
    if (path !== null || !parsed.success) {
      throw new UserError(`The built-in clips are spelled ${builtin.usage}.`, {
        hint: 'seed and clips are whole numbers, language is zh, en or both; all may be left out.',
      })
    }
    const { seed = run.seed, clips, language } = parsed.data
    const voices = options.speech === 'audio' ? await neededVoices(options, language) : ''
    return {
      fingerprint: `${GENERATOR}/${seed}/${clips}/${language}${voices}`,
      count: clips,
      *cases() {
        for (let index = 0; index < clips; index++) yield clipCase(seed, index, languageOf(index, language))
      },
    }
  },
}

/** Found before the run rather than in the middle of it; named, because another voice is another stimulus. */
async function neededVoices(options: VsigOptions, language: Language | 'both'): Promise<string> {
  if (options.input === 'frames') {
    throw new UserError('Frames carry no sound: speech=audio needs input=video.', { hint: 'Add -T input=video.' })
  }
  const languages: Language[] = language === 'both' ? ['zh', 'en'] : [language]
  const voices = await Promise.all(languages.map((each) => clipVoice(each, 'audio')))
  return voices.map((voice) => `/${voice?.name}`).join('')
}
