/** Runs the commands of a page in order, in a folder like its reader's, and reports those that fail. */
import { type ChildProcess, spawn } from 'node:child_process'
import { existsSync } from 'node:fs'
import { mkdir, readFile, rm, writeFile } from 'node:fs/promises'
import { dirname, join } from 'node:path'
import { fileURLToPath } from 'node:url'
import type { DocCommand, Page } from './collect.ts'
import type { Reader } from './reader.ts'

export interface PageResult {
  failures: string[]
  ran: number
  /** Commands that need a server that is not installed here. */
  skipped: string[]
}

const COMMAND_TIMEOUT_MS = 180_000
const SHOWN_LINES = 12
const CONFIGS = ['sightline.config.ts', 'sightline.config.json']

/** Runs until it is stopped; other commands of the page need it. */
const BACKGROUND = /^(?:npx )?sightline worker\b|&$/
const QUEUE = /\s--(?:queue|on)[ =](?<url>\S+)/

interface Background {
  command: DocCommand
  child: ChildProcess
  ended: Promise<number | null>
  output: () => string
  isWorker: boolean
}

export async function runPage(
  page: Page,
  index: number,
  reader: Reader,
  warm: WarmProcess,
  isRun: (command: DocCommand) => boolean,
): Promise<PageResult> {
  const result: PageResult = { failures: [], ran: 0, skipped: [] }
  const folder = await reader.folder(page.path)
  const session = new Session(folder, reader.env, warm)
  const background: Background[] = []
  const fail = (command: DocCommand, text: string, code: number | null, output: string): void => {
    result.failures.push(failureText(page.path, command, text, code, output))
  }
  try {
    for (const step of page.steps) {
      if ('file' in step) {
        await writePageFile(folder, step.file, (await reader.fill(step.text, index)) ?? step.text)
        continue
      }
      const { command } = step
      if (!isRun(command)) continue
      const text = await reader.fill(command.text, index)
      if (text === null) {
        result.skipped.push(command.text)
        continue
      }
      result.ran += 1
      if (BACKGROUND.test(text)) {
        const started = session.start(command, text.replace(/\s*&$/, ''))
        background.push(started)
        if (started.isWorker && !(await hasStarted(started)))
          fail(command, text, started.child.exitCode, started.output())
        continue
      }
      const { url } = QUEUE.exec(text)?.groups ?? {}
      // A page may show only the machine that starts the run.
      if (/\srun\s/.test(text) && url !== undefined && !background.some(({ isWorker }) => isWorker))
        background.push(session.start(command, `sightline worker --queue ${url} --threads 1`))
      const { code, output } = await session.run(text)
      if (code !== command.exitCode) fail(command, await session.asRun(text), code, output)
    }
  } finally {
    for (const { command, child, ended, output, isWorker } of background) {
      const isOver = child.exitCode !== null
      if (isWorker && !isOver) child.kill('SIGTERM')
      const code = await ended
      if (code !== 0 && result.failures.length === 0) fail(command, command.text, code, output())
    }
  }
  return result
}

function failureText(path: string, command: DocCommand, text: string, code: number | null, output: string): string {
  const last = output.trimEnd().split('\n').slice(-SHOWN_LINES)
  return [
    `${path}:${command.line}  ${command.text}`,
    ...(text === command.text ? [] : [`  run as: ${text}`]),
    `  exit code ${code ?? 'none: it was killed'}, expected ${command.exitCode}`,
    ...last.map((line) => `  │ ${line}`),
  ].join('\n')
}

async function writePageFile(folder: string, name: string, text: string): Promise<void> {
  const path = join(folder, name)
  await mkdir(dirname(path), { recursive: true })
  // The other kind of config would be read too.
  if (CONFIGS.includes(name)) for (const other of CONFIGS) await rm(join(folder, other), { force: true })
  await writeFile(path, text)
}

async function hasStarted({ child, output }: Background): Promise<boolean> {
  while (child.exitCode === null) {
    if (/\bWorker\b/i.test(output())) return true
    await new Promise((resolve) => setTimeout(resolve, 50))
  }
  return false
}

/** A shell that keeps its folder and its variables from one command to the next. */
class Session {
  readonly #state: string
  readonly #ran: string
  readonly #env: NodeJS.ProcessEnv
  readonly #folder: string
  readonly #warm: WarmProcess

  constructor(folder: string, env: NodeJS.ProcessEnv, warm: WarmProcess) {
    this.#warm = warm
    this.#folder = folder
    this.#state = `${folder}.state`
    this.#ran = `${folder}.ran`
    this.#env = { ...env, DOCS_RAN: this.#ran }
  }

  async run(text: string): Promise<{ code: number | null; output: string }> {
    await rm(this.#ran, { force: true })
    const child = this.#spawn(
      await this.#warm.socket(),
      `${text}\ncode=$?\nexport -p > "${this.#state}"\necho "cd '$PWD'" >> "${this.#state}"\nexit $code`,
    )
    const output = outputOf(child)
    const timer = setTimeout(() => child.kill('SIGKILL'), COMMAND_TIMEOUT_MS)
    const code = await endOf(child)
    clearTimeout(timer)
    return { code, output: output() }
  }

  start(command: DocCommand, text: string): Background {
    const child = this.#spawn('', `exec ${text}`)
    return { command, child, ended: endOf(child), output: outputOf(child), isWorker: /\bworker\b/.test(text) }
  }

  /** What was called in the end, with placeholders filled in. */
  async asRun(text: string): Promise<string> {
    return (await readFile(this.#ran, 'utf8').catch(() => text)).trimEnd()
  }

  #spawn(socket: string, script: string): ChildProcess {
    const state = existsSync(this.#state) ? `source "${this.#state}"\nexport DOCS_SOCKET="${socket}"\n` : ''
    return spawn('bash', ['-c', `${state}${script}`], {
      cwd: this.#folder,
      env: { ...this.#env, DOCS_SOCKET: socket },
      stdio: ['ignore', 'pipe', 'pipe'],
    })
  }
}

function outputOf(child: ChildProcess): () => string {
  let output = ''
  for (const stream of [child.stdout, child.stderr])
    stream?.on('data', (chunk: Buffer) => (output += chunk.toString('utf8')))
  return () => output
}

function endOf(child: ChildProcess): Promise<number | null> {
  return new Promise((resolve) => child.on('close', resolve))
}

/** A process that runs one command after the other; started anew after one that hangs. */
export class WarmProcess {
  readonly #path: string
  readonly #main: string
  #child: ChildProcess | null = null

  constructor(path: string, main: string) {
    this.#path = path
    this.#main = main
  }

  async socket(): Promise<string> {
    if (this.#child === null || this.#child.exitCode !== null || this.#child.signalCode !== null) {
      await rm(this.#path, { force: true })
      const script = fileURLToPath(new URL('warm.js', import.meta.url))
      this.#child = spawn(process.execPath, [script, this.#path, this.#main], { stdio: 'inherit' })
      while (!existsSync(this.#path)) await new Promise((resolve) => setTimeout(resolve, 20))
    }
    return this.#path
  }

  stop(): void {
    this.#child?.kill('SIGKILL')
  }
}
