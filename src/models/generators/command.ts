/** A generator that is a program on this machine. It is started without a shell: prompts are only ever arguments. */
import { spawn } from 'node:child_process'
import { mkdtemp, readFile, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { codeOf, UserError } from '../../base/errors.ts'
import type { Generator, VideoRequest } from './generator.ts'

/** What a template may ask for. */
const PLACEHOLDER = /\{(prompt|seed|index|out)\}/g
const LAST_WORDS = 2000

/** `python make.py --prompt {prompt} --seed {seed} --out {out}`, words quoted as in a shell. */
export function commandGenerator(template: string, model: string | null): Generator {
  const words = splitWords(template)
  if (words.length === 0) throw new UserError('The command of the generator is empty.')
  if (!words.some((word) => word.includes('{out}'))) {
    throw new UserError('The command of the generator does not say where the video goes.', {
      hint: 'Use {prompt}, {seed}, {index} and {out}: cmd:python make.py --prompt {prompt} --seed {seed} --out {out}',
    })
  }
  return { name: `command ${words[0]}`, model, atOnce: 1, make: (request) => run(words, request) }
}

async function run(words: readonly string[], { text, seed, index, signal }: VideoRequest): Promise<Uint8Array> {
  const folder = await mkdtemp(join(tmpdir(), 'sightline-video-'))
  try {
    const out = join(folder, 'video.mp4')
    const values: Record<string, string> = { prompt: text, seed: String(seed), index: String(index), out }
    const [program, ...args] = words.map((word) => word.replaceAll(PLACEHOLDER, (_, name: string) => values[name]!))
    await finished(program!, args, signal)
    return await readFile(out).catch((error: unknown) => {
      if (codeOf(error) !== 'ENOENT') throw error
      throw new Error(`${program} ended well but wrote no video to the path it was given`, { cause: error })
    })
  } finally {
    await rm(folder, { recursive: true, force: true })
  }
}

function finished(program: string, args: readonly string[], signal: AbortSignal): Promise<void> {
  return new Promise((resolve, reject) => {
    const child = spawn(program, args, { stdio: ['ignore', 'ignore', 'pipe'], signal })
    let words = ''
    child.stderr.setEncoding('utf8')
    child.stderr.on('data', (chunk: string) => (words = (words + chunk).slice(-LAST_WORDS)))
    child.on('error', (error) => {
      if (signal.aborted) reject(error)
      else if (codeOf(error) === 'ENOENT') reject(new UserError(`There is no program ${program}.`, { cause: error }))
      else reject(error)
    })
    child.on('close', (code, killed) => {
      if (code === 0) resolve()
      else reject(new Error(`${program} ended with ${killed ?? code}: ${words.trim().split('\n').at(-1) ?? ''}`))
    })
  })
}

/** Words of a command line: spaces part them, single and double quotes keep them together. */
export function splitWords(line: string): string[] {
  const words: string[] = []
  for (const match of line.matchAll(/(?:[^\s"']+|"[^"]*"|'[^']*')+/g)) {
    words.push(match[0].replaceAll(/"([^"]*)"|'([^']*)'/g, (_, a?: string, b?: string) => a ?? b ?? ''))
  }
  return words
}
