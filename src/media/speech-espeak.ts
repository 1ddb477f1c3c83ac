/** eSpeak NG of the system: Chinese and English. */
import { spawn } from 'node:child_process'
import { codeOf } from '../base/errors.ts'
import { readWav } from './sound.ts'
import type { SpeechLanguage, Synthesiser } from './speech.ts'

const PROGRAM = 'espeak-ng'
const VOICES: Readonly<Record<SpeechLanguage, string>> = { zh: 'cmn', en: 'en-us' }
/** Words a minute as the program counts them. Its Chinese drawls at its usual 175. */
const SPEED: Readonly<Record<SpeechLanguage, string>> = { zh: '320', en: '190' }

export async function espeakSynthesiser(): Promise<Synthesiser> {
  const version = /(\d+(?:\.\d+)+)/.exec((await run(['--version'])).toString('utf8'))?.[1] ?? '?'
  // The second column of the list; distributions may leave languages out.
  const listed = new Set(
    (await run(['--voices']))
      .toString('utf8')
      .split('\n')
      .map((line) => line.trim().split(/\s+/)[1]),
  )
  const voices: Partial<Record<SpeechLanguage, string>> = {}
  for (const language of ['zh', 'en'] as const) {
    if (listed.has(VOICES[language])) voices[language] = VOICES[language]
  }
  return {
    name: 'espeak-ng',
    version: `espeak-ng ${version}`,
    voices,
    // Through its input, as UTF-8: no word can be taken for an option.
    speak: async (words, language) =>
      readWav(await run(['-b', '1', '-v', VOICES[language], '-s', SPEED[language], '--stdin', '--stdout'], words)),
  }
}

function run(args: readonly string[], input = ''): Promise<Buffer> {
  return new Promise((resolve, reject) => {
    const child = spawn(PROGRAM, args, { stdio: ['pipe', 'pipe', 'pipe'] })
    const parts: Buffer[] = []
    let said = ''
    child.stdout.on('data', (part: Buffer) => parts.push(part))
    child.stderr.on('data', (part: Buffer) => (said += said.length < 2000 ? part.toString('utf8') : ''))
    // A program that has stopped reading says why itself.
    child.stdin.on('error', () => {})
    child.on('error', (error) => reject(codeOf(error) === 'ENOENT' ? new Error(`${PROGRAM} is not installed`) : error))
    child.on('close', (code, signal) => {
      if (code === 0) resolve(Buffer.concat(parts))
      else reject(new Error(said.trim() || `${PROGRAM} ended with ${code ?? signal}`))
    })
    child.stdin.end(input)
  })
}
