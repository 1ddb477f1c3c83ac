/** The system's eSpeak NG: Chinese and English. */
import { spawn } from 'node:child_process'
import { codeOf } from '../base/errors.ts'
import { readWav } from './sound.ts'
import type { SpeechLanguage, Synthesizer } from './speech.ts'

const PROGRAM = 'espeak-ng'
const VOICES: Readonly<Record<SpeechLanguage, string>> = { zh: 'cmn', en: 'en-us' }
/** Words per minute as eSpeak counts them. Its default of 175 is too slow for Chinese. */
const SPEED: Readonly<Record<SpeechLanguage, string>> = { zh: '320', en: '190' }

export async function espeakSynthesizer(): Promise<Synthesizer> {
  const version = /(\d+(?:\.\d+)+)/.exec((await run(['--version'])).toString('utf8'))?.[1] ?? '?'
  // The second column of the list; some distributions omit languages.
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
    // Via stdin, so text is never parsed as an option.
    speak: async (words, language) =>
      readWav(await run(['-b', '1', '-v', VOICES[language], '-s', SPEED[language], '--stdin', '--stdout'], words)),
  }
}

function run(args: readonly string[], input = ''): Promise<Buffer> {
  return new Promise((resolve, reject) => {
    const child = spawn(PROGRAM, args, { stdio: ['pipe', 'pipe', 'pipe'] })
    const parts: Buffer[] = []
    let stderr = ''
    child.stdout.on('data', (part: Buffer) => parts.push(part))
    child.stderr.on('data', (part: Buffer) => (stderr += stderr.length < 2000 ? part.toString('utf8') : ''))
    // If the program stops reading, its exit status and stderr say why.
    child.stdin.on('error', () => {})
    child.on('error', (error) => reject(codeOf(error) === 'ENOENT' ? new Error(`${PROGRAM} is not installed`) : error))
    child.on('close', (code, signal) => {
      if (code === 0) resolve(Buffer.concat(parts))
      else reject(new Error(stderr.trim() || `${PROGRAM} exited with ${code ?? signal}`))
    })
    child.stdin.end(input)
  })
}
