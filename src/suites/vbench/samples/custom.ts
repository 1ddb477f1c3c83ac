/** Videos of one's own, with their own prompts, as a plan: every file is a prompt of its own. */
import { z } from 'zod'
import { hashOf, UserError } from '../../../suite.ts'
import type { Dimension } from '../domain/dimensions.ts'
import { readJson } from '../domain/json.ts'
import type { VideoPlan, PlannedPrompt, PlannedVideo } from '../domain/prompts.ts'
import { VIDEO_ENDINGS } from '../domain/clip.ts'
import { type Issue, type ListedFile, type Matched, outsideIssue } from './match.ts'
import { promptOfFile, suffixOf } from '../domain/names.ts'

const promptFile = z.record(z.string(), z.string())

/** `{"file name": "prompt"}`. */
export async function readPromptFile(path: string): Promise<Record<string, string>> {
  const parsed = promptFile.safeParse(await readJson(path, `The file of prompts ${path}`))
  if (parsed.success) return parsed.data
  throw new UserError(`${path} is not a file of prompts.`, { hint: 'Expected is {"file name": "prompt", …}.' })
}

export function customPlan(
  listing: readonly ListedFile[],
  dimensions: readonly Dimension[],
  prompts: Readonly<Record<string, string>> | null,
): { plan: VideoPlan; matched: Matched } {
  const issues: Issue[] = []
  const byPrompt = new Map<string, ListedFile[]>()
  for (const file of listing) {
    if (file.kind !== 'file' || !VIDEO_ENDINGS.includes(suffixOf(file.name).toLowerCase())) {
      if (!['manifest.jsonl', 'sampling.json'].includes(file.name)) {
        issues.push({ kind: 'extra', file: file.path, words: 'is not a video' })
      }
      continue
    }
    if (file.outside !== undefined) issues.push(outsideIssue(file.path, file.outside))
    const given = prompts !== null && Object.hasOwn(prompts, file.name) ? prompts[file.name] : undefined
    if (prompts !== null && given === undefined) {
      issues.push({ kind: 'extra', file: file.path, words: 'has no prompt in the file of prompts' })
      continue
    }
    const prompt = (given ?? promptOfFile(file.name)).normalize('NFC')
    byPrompt.set(prompt, [...(byPrompt.get(prompt) ?? []), file])
  }
  for (const name of Object.keys(prompts ?? {})) {
    if (!listing.some((file) => file.name === name)) {
      const words = /[/\\]/.test(name)
        ? 'is in the file of prompts, but names are of files in the folder and never leave it'
        : 'is in the file of prompts, but not there'
      issues.push({ kind: 'missing', file: name, words })
    }
  }
  const planned = [...byPrompt].map(([prompt, files]): PlannedPrompt => ({
    prompt,
    text: prompt,
    dimensions,
    categories: [],
    facts: {},
    samples: files.length,
  }))
  const videos: (PlannedVideo & { path: string })[] = planned.flatMap((prompt) =>
    byPrompt.get(prompt.prompt)!.map((file, index) => ({ prompt, index, file: file.name, path: file.path })),
  )
  return {
    plan: {
      promptSuite: 'custom',
      fingerprint: hashOf(['custom', videos.map(({ path, prompt }) => [path, prompt.prompt])]),
      entries: planned.map(({ prompt }) => ({ prompt, dimensions, facts: {} })),
      prompts: planned,
      videos,
      collisions: [],
    },
    matched: { videos: videos.map(({ path, ...video }) => ({ video, path })), issues },
  }
}
