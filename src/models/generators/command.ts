/** A video generator that is a local program, started without a shell: prompts are only ever arguments. */
import { spawn } from 'node:child_process'
import { mkdtemp, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { codeOf, UserError } from '../../base/errors.ts'
import { readRegular } from '../../base/regular-file.ts'
import { type Generator, MAX_VIDEO_BYTES, type VideoRequest } from './generator.ts'

/** Placeholders in a command template. */
const PLACEHOLDER = /\{(prompt|seed|index|image|out)\}/g
const MAX_STDERR_LENGTH = 2000

/** Runs a template such as `python make.py --prompt {prompt} --seed {seed} --out {out}`, quoted as in a shell. */
export function commandGenerator(template: string, model: string | null): Generator {
  const words = splitWords(template)
  if (words.length === 0) throw new UserError('The generator command is empty.')
  if (!words.some((word) => word.includes('{out}'))) {
    throw new UserError('The generator command has no {out} placeholder for the video file.', {
      hint: 'Placeholders are {prompt}, {seed}, {index}, {image} and {out}: python make.py --prompt {prompt} --seed {seed} --out {out}',
    })
  }
  return { name: `command ${words[0]}`, model, atOnce: 1, make: (request) => run(words, request) }
}

async function run(words: readonly string[], { text, seed, index, image, signal }: VideoRequest): Promise<Uint8Array> {
  const folder = await mkdtemp(join(tmpdir(), 'sightline-video-'))
  try {
    const out = join(folder, 'video.mp4')
    const imagePath = image ? join(folder, `image.${image.type.split('/')[1]}`) : ''
    if (image) await writeFile(imagePath, image.bytes)
    const values: Record<string, string> = {
      prompt: text,
      seed: String(seed),
      index: String(index),
      image: imagePath,
      out,
    }
    const [program, ...args] = words.map((word) => word.replaceAll(PLACEHOLDER, (_, name: string) => values[name]!))
    await runToExit(program!, args, signal)
    return await readRegular(out, MAX_VIDEO_BYTES).catch((error: unknown) => {
      if (codeOf(error) !== 'ENOENT') throw error
      throw new Error(`${program} exited successfully but wrote no video to {out}`, { cause: error })
    })
  } finally {
    await rm(folder, { recursive: true, force: true })
  }
}

function runToExit(program: string, args: readonly string[], signal: AbortSignal): Promise<void> {
  return new Promise((resolve, reject) => {
    const child = spawn(program, args, { stdio: ['ignore', 'ignore', 'pipe'], signal })
    let stderr = ''
    child.stderr.setEncoding('utf8')
    child.stderr.on('data', (chunk: string) => (stderr = (stderr + chunk).slice(-MAX_STDERR_LENGTH)))
    child.on('error', (error) => {
      if (signal.aborted) reject(error)
      else if (codeOf(error) === 'ENOENT') reject(new UserError(`Program not found: ${program}.`, { cause: error }))
      else reject(error)
    })
    child.on('close', (code, killSignal) => {
      if (code === 0) {
        resolve()
        return
      }
      const how = killSignal === null ? `exited with code ${code}` : `was killed by ${killSignal}`
      const lastLine = stderr.trim().split('\n').at(-1)
      reject(new Error(`${program} ${how}${lastLine ? `: ${lastLine}` : ''}`))
    })
  })
}

/** Splits a command line at spaces; single and double quotes keep words together. */
export function splitWords(line: string): string[] {
  const words: string[] = []
  for (const match of line.matchAll(/(?:[^\s"']+|"[^"]*"|'[^']*')+/g)) {
    words.push(match[0].replaceAll(/"([^"]*)"|'([^']*)'/g, (_, a?: string, b?: string) => a ?? b ?? ''))
  }
  return words
}
