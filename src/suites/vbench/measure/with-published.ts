/**
 * Dimensions measured by the published evaluator in the user's own Python: one process per dimension, which loads its
 * networks once and is given one video after the other.
 */
import { ChildProcess, execFile, spawn } from 'node:child_process'
import { mkdtemp, rm, symlink } from 'node:fs/promises'
import { Socket } from 'node:net'
import { tmpdir } from 'node:os'
import { join, resolve } from 'node:path'
import { createInterface } from 'node:readline'
import { fileURLToPath } from 'node:url'
import { promisify } from 'node:util'
import { z } from 'zod'
import { codeOf, messageOf, UserError } from '../../../suite.ts'
import { clipType } from '../domain/clip.ts'
import type { Dimension } from '../domain/dimensions.ts'
import type { PromptFacts } from '../domain/prompts.ts'
import { nothing, valued, type VideoResult, weighted } from '../domain/results.ts'
import type { Measure } from './types.ts'

const SCRIPT = fileURLToPath(new URL('../../../../tools/vbench-published/evaluate.py', import.meta.url))

const aboutFile = z.object({ version: z.string(), code: z.record(z.string(), z.string()) })

/** What the published code records of a video. */
const record = z.looseObject({
  video_results: z.union([z.number(), z.boolean().transform(Number)]),
  success_frame_count: z.number().optional(),
  frame_count: z.number().optional(),
  frame_results: z.array(z.number()).optional(),
})
const answer = z.object({ result: record.nullable() })
type PublishedRecord = z.infer<typeof record>

interface Request {
  video: string
  image?: string
  prompt: string
  auxiliary_info: Record<string, unknown>
}

/** @param python the program, such as `/data/vbench-env/bin/python` */
export async function publishedMeasures(python: string, dimensions: readonly Dimension[]): Promise<Measure[]> {
  if (dimensions.length === 0) return []
  const { version, code } = await about(python, dimensions)
  return dimensions.map((dimension) => {
    const evaluator = new Evaluator(python, dimension)
    return {
      title: `the published evaluator (vbench ${version})`,
      tier: 'exact',
      outputs: [dimension],
      version: `published-1/${version}/${code[dimension] ?? ''}`,
      start: ({ path, prompt, info, imagePath: image }) => ({
        frame() {},
        end: async () => {
          const auxiliary = auxiliaryInfo(dimension, prompt.facts)
          if (BY_IMAGE.has(dimension) && image === undefined) {
            return { [dimension]: nothing('the image is not known: --images (-T images)') }
          }
          if (auxiliary === null) return { [dimension]: nothing('the suite says too little about the prompt') }
          const found = await asNamedFile(path, prompt.prompt, (video) =>
            evaluator.measure({ video, prompt: prompt.prompt, auxiliary_info: auxiliary, ...(image && { image }) }),
          )
          return { [dimension]: resultOf(dimension, found, info.frames) }
        },
      }),
    } satisfies Measure
  })
}

async function about(python: string, dimensions: readonly Dimension[]): Promise<z.infer<typeof aboutFile>> {
  const found = await promisify(execFile)(python, [SCRIPT, '--about', ...dimensions]).catch((cause: unknown) => {
    const isMissing = codeOf(cause) === 'ENOENT'
    const reason = isMissing ? `${python} was not found` : lastLine(messageOf(cause))
    throw new UserError(`The published evaluator cannot be run: ${reason}`, {
      hint: 'Give the Python of an environment in which `import vbench` works with --with-published.',
      setup: true,
      cause,
    })
  })
  return aboutFile.parse(JSON.parse(found.stdout))
}

const lastLine = (text: string): string => text.trimEnd().split('\n').at(-1) ?? ''

/** One process, asked one thing at a time. It ends when this one does, because its input ends. */
class Evaluator {
  readonly #python: string
  readonly #dimension: Dimension
  #child: ChildProcess | null = null
  #answers: AsyncIterator<string> | null = null
  #errors = ''
  #turn: Promise<unknown> = Promise.resolve()

  constructor(python: string, dimension: Dimension) {
    this.#python = python
    this.#dimension = dimension
  }

  measure(request: Request): Promise<PublishedRecord | null> {
    const mine = this.#turn.then(() => this.#ask(request))
    this.#turn = mine.catch(() => {})
    return mine
  }

  async #ask(request: Request): Promise<PublishedRecord | null> {
    const { input, answers } = this.#started()
    input.write(`${JSON.stringify(request)}\n`)
    this.#keepAlive(true)
    const { value, done } = await answers.next()
    this.#keepAlive(false)
    if (done === true) {
      // The next video gets a new process.
      this.#child = null
      throw new Error(`the published evaluator failed: ${lastLine(this.#errors) || 'it ended without an answer'}`)
    }
    return answer.parse(JSON.parse(value)).result
  }

  /** Whether this process waits for the other: only while it is asked something. */
  #keepAlive(waits: boolean): void {
    const child = this.#child
    for (const handle of [child, child?.stdin, child?.stdout, child?.stderr]) {
      // Pipes are sockets, which their types do not say.
      if (!(handle instanceof Socket || handle instanceof ChildProcess)) continue
      if (waits) handle.ref()
      else handle.unref()
    }
  }

  #started(): { input: NodeJS.WritableStream; answers: AsyncIterator<string> } {
    if (this.#child?.stdin && this.#answers) return { input: this.#child.stdin, answers: this.#answers }
    this.#errors = ''
    const child = spawn(this.#python, [SCRIPT, this.#dimension], { stdio: ['pipe', 'pipe', 'pipe'] })
    child.stderr.setEncoding('utf8').on('data', (text: string) => (this.#errors = (this.#errors + text).slice(-4096)))
    // What goes wrong with the pipe shows as an answer that does not come.
    child.stdin.on('error', () => {})
    child.on('error', (error) => (this.#errors += `\n${messageOf(error)}`))
    this.#child = child
    this.#answers = createInterface({ input: child.stdout })[Symbol.asyncIterator]()
    return { input: child.stdin, answers: this.#answers }
  }
}

/** The published code reads the kind of a file from its name, and for human action what it shows. */
async function asNamedFile<T>(path: string, prompt: string, use: (path: string) => Promise<T>): Promise<T> {
  const folder = await mkdtemp(join(tmpdir(), 'sightline-published-'))
  try {
    const ending = (await clipType(path)) === 'image/gif' ? 'gif' : 'mp4'
    const name = `${prompt.replaceAll(/[/\0]/g, ' ').slice(0, 180)}-0.${ending}`
    await symlink(resolve(path), join(folder, name))
    return await use(join(folder, name))
  } finally {
    await rm(folder, { recursive: true, force: true })
  }
}

/** As `VBench_full_info.json` has it; null where it is not known. */
function auxiliaryInfo(dimension: Dimension, facts: PromptFacts): Record<string, unknown> | null {
  const { object, color, style, scene, relation } = facts
  const known = (fact: string | undefined, info: Record<string, unknown>) => (fact === undefined ? null : info)
  if (dimension === 'object_class' || dimension === 'multiple_objects') return known(object, { object })
  if (dimension === 'color') return known(color, { color })
  if (dimension === 'appearance_style') return known(style, { appearance_style: style })
  if (dimension === 'scene') return known(scene, { scene: { scene } })
  if (dimension !== 'spatial_relationship') return {}
  const wanted = { object_a: relation?.a, object_b: relation?.b, relationship: relation?.relation }
  return known(relation?.relation, { spatial_relationship: wanted })
}

/** Asked for with the image that the video was made from. */
const BY_IMAGE: ReadonlySet<Dimension> = new Set(['i2v_subject', 'i2v_background'])
/** The published file has imaging quality in percent. */
const IN_PERCENT: ReadonlySet<Dimension> = new Set(['imaging_quality'])
/** Means over pairs of neighboring frames, which weigh as many as there are. */
const BY_PAIRS: ReadonlySet<Dimension> = new Set(['subject_consistency', 'background_consistency'])

function resultOf(dimension: Dimension, found: PublishedRecord | null, frames: number): VideoResult {
  if (found === null) return nothing('the published evaluator leaves the video out')
  const { video_results: value, success_frame_count: successes, frame_count: count, frame_results: parts } = found
  const { video_path: _, video_results: __, ...detail } = found
  if (successes !== undefined && count !== undefined) return weighted(successes, count, detail)
  if (parts !== undefined)
    return weighted(
      parts.reduce((sum, each) => sum + each, 0),
      parts.length,
      detail,
    )
  if (BY_PAIRS.has(dimension)) return weighted(value * (frames - 1), frames - 1, detail)
  return valued(IN_PERCENT.has(dimension) ? value / 100 : value, detail)
}
