/** Datasets of others: where they are, under which license, and which of their files a source reads. */

/** A dataset that `sightline data get` fetches, or that it explains how to get. */
export interface Dataset {
  /** Name on the command line: `vsi-bench`. */
  name: string
  /** As its publisher states it. Default, for the Hub: what its page states. */
  license?: string
  /** Where it is published. */
  from: HubRepository | GithubCommit | WebPage
  /** Globs of the files to fetch (`*`, `**`). Default: all. */
  files?: readonly string[]
  /** Globs of the zip archives among them; they are unpacked into their folder, and removed. */
  unpack?: readonly string[]
}

/** A repository on the Hugging Face Hub. */
export interface HubRepository {
  /** `owner/name` */
  hub: string
  /** Default: `dataset`. */
  type?: 'dataset' | 'model'
  /** A commit, tag or branch. Default: the newest commit, which is recorded. */
  revision?: string
}

/** A public GitHub repository at a commit. */
export interface GithubCommit {
  /** `owner/name` */
  github: string
  commit: string
}

/** Data that must be asked for, or downloaded by hand. */
export interface WebPage {
  page: string
  /** What to do there, and where to put it. */
  steps: string
}

/** Where a dataset can be looked at. */
export function addressOf({ from }: Dataset): string {
  if ('page' in from) return from.page
  if ('github' in from) return `https://github.com/${from.github}/tree/${from.commit}`
  return `https://huggingface.co/${from.type === 'model' ? '' : 'datasets/'}${from.hub}`
}

/**
 * The same in a few words, for lists.
 * @param fetched what is on this machine: `owner/name@commit`. Where nothing names a commit, the first download does.
 */
export function originOf({ from }: Dataset, fetched: string | null = null): string {
  if ('page' in from) return `by hand, ${new URL(from.page).host}`
  if ('github' in from) return `GitHub ${from.github}@${from.commit.slice(0, COMMIT_SHOWN)}`
  const at = (revision: string): string => `Hugging Face ${from.hub}@${revision.slice(0, COMMIT_SHOWN)}`
  if (from.revision !== undefined) return at(from.revision)
  const [name, commit] = fetched?.split('@') ?? []
  if (name === from.hub && commit !== undefined) return `${at(commit)}, pinned by the first download`
  return `Hugging Face ${from.hub}, unpinned`
}

const COMMIT_SHOWN = 7

/** The repository on the Hub: `owner/name`. */
export function hubOf(dataset: Dataset | undefined): string | undefined {
  return dataset !== undefined && 'hub' in dataset.from ? dataset.from.hub : undefined
}

/** Whether a path fits one of the globs: `*` stays within a folder, `**` does not. */
export function matches(path: string, globs: readonly string[]): boolean {
  return globs.some((glob) => {
    const pattern = glob
      .split(/(\*\*\/|\*\*|\*)/)
      .map((part) => WILDCARDS[part] ?? part.replaceAll(/[.+?^${}()|[\]\\]/g, String.raw`\$&`))
      .join('')
    return new RegExp(`^${pattern}$`, 'u').test(path)
  })
}

const WILDCARDS: Readonly<Record<string, string>> = { '*': '[^/]*', '**': '.*', '**/': '(?:.*/)?' }
