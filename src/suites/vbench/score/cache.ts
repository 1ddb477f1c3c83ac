/** Results of videos, kept under the content of the file and the version of what measured it. Append-only. */
import { createHash } from 'node:crypto'
import { createReadStream } from 'node:fs'
import { mkdir, open, readFile } from 'node:fs/promises'
import { join } from 'node:path'
import { z } from 'zod'
import { codeOf } from '../../../base/errors.ts'
import { sha256 } from '../../../base/hash.ts'
import { explained } from '../../../store/disk.ts'
import { cutTornLine } from '../videos/manifest.ts'
import type { Measure, Output, VideoResult } from './types.ts'

const CACHE_FILE = 'measured.jsonl'

const line = z.object({
  key: z.string(),
  result: z.object({
    value: z.number().nullable(),
    sum: z.number(),
    weight: z.number(),
    reason: z.string().optional(),
    detail: z.record(z.string(), z.unknown()).optional(),
  }),
})

export function resultKey(fileHash: string, output: Output, measure: Measure, prompt: string): string {
  const about = measure.usesPrompt ? `/${sha256(prompt).slice(0, 16)}` : ''
  return `${fileHash}/${output}/${measure.version}${about}`
}

export class ResultCache {
  readonly #path: string
  readonly #results = new Map<string, VideoResult>()
  #last: Promise<void> = Promise.resolve()

  private constructor(path: string) {
    this.#path = path
  }

  static async open(folder: string): Promise<ResultCache> {
    const path = join(folder, CACHE_FILE)
    const cache = new ResultCache(path)
    await explained(folder, () => mkdir(folder, { recursive: true }))
    await cutTornLine(path)
    const text = await readFile(path, 'utf8').catch((error: unknown) => {
      if (codeOf(error) === 'ENOENT') return ''
      throw error
    })
    for (const row of text.split('\n')) {
      if (row === '') continue
      const parsed = line.safeParse(tryJson(row))
      // Half a line, or one from another time: it is measured again.
      if (parsed.success) cache.#results.set(parsed.data.key, withoutUndefined(parsed.data.result))
    }
    return cache
  }

  get(key: string): VideoResult | undefined {
    return this.#results.get(key)
  }

  /** All results of one video at once, synced. */
  put(results: readonly (readonly [key: string, result: VideoResult])[]): Promise<void> {
    for (const [key, result] of results) this.#results.set(key, result)
    const text = results.map(([key, result]) => `${JSON.stringify({ key, result })}\n`).join('')
    const next = this.#last.then(() =>
      explained(this.#path, async () => {
        const file = await open(this.#path, 'a')
        try {
          await file.appendFile(text)
          await file.datasync()
        } finally {
          await file.close()
        }
      }),
    )
    this.#last = next.catch(() => {})
    return next
  }
}

function withoutUndefined({ value, sum, weight, reason, detail }: z.infer<typeof line>['result']): VideoResult {
  return {
    value,
    sum,
    weight,
    ...(reason === undefined ? {} : { reason }),
    ...(detail === undefined ? {} : { detail }),
  }
}

function tryJson(text: string): unknown {
  try {
    return JSON.parse(text)
  } catch {
    return null
  }
}

/** SHA-256 of a file, without having it in memory. */
export async function fileHash(path: string): Promise<string> {
  const hash = createHash('sha256')
  for await (const chunk of createReadStream(path, { highWaterMark: 1 << 20 })) hash.update(chunk as Buffer)
  return hash.digest('hex')
}
