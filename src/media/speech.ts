/** Text to spoken words, with what is on this machine. */
import { messageOf, UserError } from '../base/errors.ts'
import type { Sound } from './sound.ts'

export const SPEECH_LANGUAGES = ['en', 'zh'] as const
export type SpeechLanguage = (typeof SPEECH_LANGUAGES)[number]
const LANGUAGE_NAMES: Readonly<Record<SpeechLanguage, string>> = { en: 'English', zh: 'Chinese' }

export interface Synthesiser {
  readonly name: 'flite' | 'espeak-ng'
  /** With its version, for logs. */
  readonly version: string
  /** The voice of each language that it speaks. */
  readonly voices: Readonly<Partial<Record<SpeechLanguage, string>>>
  /** The same words give the same samples. */
  speak(words: string, language: SpeechLanguage): Promise<Sound>
}

export type SpeechBackendName = Synthesiser['name']
/** In the order in which they are tried: what comes from npm is the same on every machine. */
export const SPEECH_BACKEND_NAMES = ['flite', 'espeak-ng'] as const satisfies readonly SpeechBackendName[]

const BACKENDS: Readonly<Record<SpeechBackendName, () => Promise<Synthesiser>>> = {
  flite: async () => (await import('./speech-flite.ts')).fliteSynthesiser(),
  'espeak-ng': async () => (await import('./speech-espeak.ts')).espeakSynthesiser(),
}

const loaded = new Map<SpeechBackendName, Promise<Synthesiser>>()

function load(name: SpeechBackendName): Promise<Synthesiser> {
  let backend = loaded.get(name)
  if (!backend) loaded.set(name, (backend = BACKENDS[name]()))
  return backend
}

export interface SpeechBackendState {
  name: SpeechBackendName
  version: string | null
  /** Why it does not work. */
  problem: string | null
  /** Names of the languages that it is used for. */
  usedFor: string[]
}

/** What can speak on this machine, for `sightline doctor`. */
export async function speechBackends(): Promise<SpeechBackendState[]> {
  const open = new Set<SpeechLanguage>(SPEECH_LANGUAGES)
  const states: SpeechBackendState[] = []
  for (const name of SPEECH_BACKEND_NAMES) {
    try {
      const { version, voices } = await load(name)
      const used = SPEECH_LANGUAGES.filter((language) => voices[language] !== undefined && open.delete(language))
      states.push({ name, version, problem: null, usedFor: used.map((language) => LANGUAGE_NAMES[language]) })
    } catch (error) {
      states.push({ name, version: null, problem: messageOf(error), usedFor: [] })
    }
  }
  return states
}

/** A voice of one language. */
export interface Voice {
  /** Program, version and voice, for the provenance. */
  readonly name: string
  say(words: string): Promise<Sound>
}

/**
 * The voice of this backend, or of the first that has one; throws with a sentence where there is none.
 *
 * @example
 * const { samples, sampleRate } = await (await voiceFor('en')).say('put this here')
 */
export async function voiceFor(language: SpeechLanguage, name?: SpeechBackendName): Promise<Voice> {
  const problems: string[] = []
  for (const candidate of name === undefined ? SPEECH_BACKEND_NAMES : [name]) {
    try {
      const synthesiser = await load(candidate)
      const voice = synthesiser.voices[language]
      if (voice !== undefined) {
        return {
          name: `${synthesiser.version}, voice ${voice}`,
          say: (words) => synthesiser.speak(words, language),
        }
      }
      problems.push(`${candidate} does not speak it`)
    } catch (error) {
      problems.push(messageOf(error))
    }
  }
  throw new UserError(`Nothing on this machine can speak ${LANGUAGE_NAMES[language]} (${problems.join('; ')}).`, {
    hint:
      language === 'en'
        ? 'Run "npm install" without --omit=optional, or install espeak-ng.'
        : 'Install espeak-ng (for example: apt-get install espeak-ng).',
  })
}
