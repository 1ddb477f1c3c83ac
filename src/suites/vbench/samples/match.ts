/** Which file is which video of a plan, and what is wrong with the set. Nothing here opens a file. */
import { groupBy } from '../../../suite.ts'
import type { VideoPlan, PlannedVideo } from '../domain/prompts.ts'
import { VIDEO_ENDINGS } from '../domain/clip.ts'
import type { Manifest } from './manifest.ts'
import { foldedName, parseOfficial, suffixOf } from '../domain/names.ts'

export interface ListedFile {
  /** From the folder of the videos, with forward slashes. */
  path: string
  name: string
  kind: 'file' | 'folder' | 'other'
  /** Where a link leads, when that is outside of the folder. */
  outside?: string
}

export type IssueKind =
  | 'missing'
  | 'extra'
  | 'ambiguous'
  | 'colliding'
  | 'misnamed'
  | 'outside'
  | 'unreadable'
  | 'length'
  | 'identical'
  | 'long'
  | 'manifest'

export interface Issue {
  kind: IssueKind
  /** The file, or the name that was expected. */
  file: string
  /** For people. */
  words: string
}

export interface MatchedVideo {
  video: PlannedVideo
  /** From the folder of the videos. */
  path: string
}

export interface Matched {
  videos: MatchedVideo[]
  issues: Issue[]
}

/** Files that this tool itself, or the system, puts next to the videos. */
const OURS = new Set(['manifest.jsonl', 'sampling.json'])

export function matchVideos(plan: VideoPlan, listing: readonly ListedFile[], manifest: Manifest): Matched {
  const issues: Issue[] = []
  const tell = (kind: IssueKind, file: string, words: string) => issues.push({ kind, file, words })
  const bySlot = new Map<string, ListedFile[]>()
  const slots = new Map(plan.videos.map((video) => [slotKey(video.prompt.prompt, video.index), video]))
  const byFile = new Map(
    plan.videos.map(({ file, prompt: { prompt }, index }) => [file.normalize('NFC'), { prompt, index }]),
  )
  const wanted = new Set(plan.prompts.map(({ prompt }) => prompt))
  const folded = new Map(plan.prompts.map(({ prompt }) => [foldedName(prompt), prompt]))
  for (const file of listing) {
    if (OURS.has(file.name)) continue
    const slot = byFile.get(file.name) ?? slotOf(file, manifest)
    const extra = (words: string) => tell('extra', file.path, words)
    if (file.kind !== 'file') extra(`is a ${file.kind === 'folder' ? 'folder' : 'special file'}, not a video`)
    else if (!VIDEO_ENDINGS.includes(suffixOf(file.name).toLowerCase())) extra('is not a video')
    else if (slot === null) extra('has no index at its end: expected is "<prompt>-<index>.mp4"')
    else if (slots.has(slotKey(slot.prompt, slot.index))) {
      const key = slotKey(slot.prompt, slot.index)
      bySlot.set(key, [...(bySlot.get(key) ?? []), file])
    } else if (wanted.has(slot.prompt)) extra(`has index ${slot.index}, which the plan does not ask for`)
    else {
      const near = folded.get(foldedName(slot.prompt))
      if (near === undefined) extra('belongs to no prompt of the plan')
      else tell('misnamed', file.path, `differs from the prompt "${near}" only in upper and lower case`)
    }
  }
  const videos: MatchedVideo[] = []
  for (const [key, video] of slots) {
    const files = bySlot.get(key) ?? []
    const chosen = files.find(({ name }) => name === video.file) ?? files[0]
    if (chosen === undefined) {
      tell('missing', video.file, 'is not there')
      continue
    }
    if (files.length > 1) {
      const others = files.filter((file) => file !== chosen).map(({ path }) => path)
      tell('ambiguous', chosen.path, `is taken, but there is also ${others.join(', ')}`)
    }
    if (chosen.name.normalize('NFC') !== chosen.name) {
      const words = 'is written with decomposed accents (NFD): the published evaluator does not find it'
      tell('misnamed', chosen.path, words)
    }
    if (chosen.outside !== undefined) issues.push(outsideIssue(chosen.path, chosen.outside))
    videos.push({ video, path: chosen.path })
  }
  return { videos, issues: [...issues, ...collisionIssues(listing)] }
}

/** Sets of videos are often staged as links, so they are followed; that they lead elsewhere is worth a word. */
export function outsideIssue(file: string, outside: string): Issue {
  return { kind: 'outside', file, words: `is a link that leaves the folder, to ${outside}; it is read from there` }
}

function slotKey(prompt: string, index: number): string {
  return `${index}/${prompt}`
}

/** The manifest knows names that say nothing; else the name tells. */
function slotOf(file: ListedFile, manifest: Manifest): { prompt: string; index: number } | null {
  const known = manifest.lines.get(file.name)
  if (known) return { prompt: known.prompt.normalize('NFC'), index: known.index }
  return parseOfficial(file.name)
}

/** Names that would overwrite each other on file systems that ignore case: a copy of the set would lose one. */
function collisionIssues(listing: readonly ListedFile[]): Issue[] {
  const files = listing.filter(({ kind }) => kind === 'file').map(({ path }) => path)
  return [...groupBy(files, foldedName).values()].flatMap(([first, ...others]) =>
    others.map((file) => ({
      kind: 'colliding',
      file,
      words: `and ${first} are one name where upper and lower case are the same (macOS, Windows)`,
    })),
  )
}
