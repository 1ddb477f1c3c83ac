/** What is known of every sampled video: a line of JSON each, appended when the video is whole. */
import { join } from 'node:path'
import { z } from 'zod'
import { codeOf, readRegularText } from '../../../suite.ts'
import { tryJson } from '../domain/json.ts'

export const MANIFEST_FILE = 'manifest.jsonl'

const line = z.looseObject({
  /** Name in the folder. */
  file: z.string(),
  prompt: z.string(),
  /** What the generator was given. */
  text: z.string(),
  index: z.int().min(0),
  seed: z.int(),
  generator: z.string(),
  model: z.string().nullable(),
  fps: z.number(),
  frames: z.int(),
  width: z.int(),
  height: z.int(),
  seconds: z.number(),
  bytes: z.int(),
  sha256: z.string(),
  /** Of the plan that it was sampled for. */
  plan: z.string(),
})
export type ManifestLine = z.infer<typeof line>

export interface Manifest {
  /** By file name; a later line replaces an earlier one. */
  lines: Map<string, ManifestLine>
  /** Lines that could not be read. */
  broken: number
  /** Names that would leave the folder: nothing that we wrote, so nothing that we read. */
  leaving: string[]
}

export async function readManifest(folder: string): Promise<Manifest> {
  const manifest: Manifest = { lines: new Map(), broken: 0, leaving: [] }
  const text = await readRegularText(join(folder, MANIFEST_FILE)).catch((error: unknown) => {
    if (codeOf(error) === 'ENOENT') return ''
    throw error
  })
  for (const row of text.split('\n').filter((each) => each.trim() !== '')) {
    const parsed = line.safeParse(tryJson(row))
    if (!parsed.success) manifest.broken += 1
    else if (/[/\\]|^\.\.?$/.test(parsed.data.file)) manifest.leaving.push(parsed.data.file)
    else manifest.lines.set(parsed.data.file, parsed.data)
  }
  return manifest
}

/** The models of a set, or their generators where no model is named; more than one is a mixed set. */
export function madeBy(lines: Iterable<ManifestLine>): string[] {
  return [...new Set(Array.from(lines, ({ model, generator }) => model ?? generator))]
}
