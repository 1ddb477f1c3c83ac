/** Results of videos, kept under the content of the file and the version of what measured it. Append-only. */
import { mkdir } from 'node:fs/promises'
import { join } from 'node:path'
import { z } from 'zod'
import { sha256 } from '../../../base/hash.ts'
import { explained } from '../../../store/disk.ts'
import { readLinesOf, SyncedLines, tryJson } from '../videos/lines.ts'
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
  readonly #lines: SyncedLines
  readonly #results = new Map<string, VideoResult>()

  private constructor(lines: SyncedLines) {
    this.#lines = lines
  }

  static async open(folder: string): Promise<ResultCache> {
    const path = join(folder, CACHE_FILE)
    const cache = new ResultCache(new SyncedLines(path))
    await explained(folder, () => mkdir(folder, { recursive: true }))
    for (const row of await readLinesOf(path)) {
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
    return this.#lines.append(results.map(([key, result]) => ({ key, result })))
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
