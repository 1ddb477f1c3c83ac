/** Question, answer, ground truth and image of the rows in view, requested together as they appear. */
import { createContext, type ReactNode, use, useEffect, useMemo, useSyncExternalStore } from 'react'
import type { EpisodeDescription } from '../../../../src/engine/suite.ts'
import type { DescribedField } from '../../../../src/server/api.ts'
import { useSource } from '../../data/hooks.ts'
import type { DataSource, EpisodeKey } from '../../data/source.ts'
import { formatCount } from '../../ui/format.ts'
import { LazyImage } from '../../ui/lazy-image.tsx'

/** Rows per request; a screen shows fewer. */
const MAX_REQUESTED = 100
/** Rows that scroll past within this time are requested together. */
const COLLECT_MS = 30

class Descriptions {
  readonly #source: DataSource
  readonly #run: string
  /** By `INDEX.EPOCH`; null while it is loading, and when there is none. */
  readonly #known = new Map<string, EpisodeDescription | null>()
  #wanted: EpisodeKey[] = []
  readonly #listeners = new Set<() => void>()

  constructor(source: DataSource, run: string) {
    this.#source = source
    this.#run = run
  }

  get(episode: EpisodeKey): EpisodeDescription | null {
    return this.#known.get(keyOf(episode)) ?? null
  }

  want(episode: EpisodeKey): void {
    if (this.#known.has(keyOf(episode))) return
    this.#known.set(keyOf(episode), null)
    this.#wanted.push(episode)
    if (this.#wanted.length === 1) setTimeout(() => this.#request(), COLLECT_MS)
  }

  subscribe = (listener: () => void): (() => void) => {
    this.#listeners.add(listener)
    return () => this.#listeners.delete(listener)
  }

  #request(): void {
    const wanted = this.#wanted
    this.#wanted = []
    // The last ones are in view now, the others may have scrolled past.
    for (let end = wanted.length; end > 0; end -= MAX_REQUESTED) {
      void this.#load(wanted.slice(Math.max(0, end - MAX_REQUESTED), end))
    }
  }

  async #load(episodes: readonly EpisodeKey[]): Promise<void> {
    // Without descriptions the table is still complete; the rows are asked for again when they come back into view.
    const found = await this.#source.descriptions(this.#run, episodes).catch(() => null)
    for (const [i, episode] of episodes.entries()) {
      if (found) this.#known.set(keyOf(episode), found[i] ?? null)
      else this.#known.delete(keyOf(episode))
    }
    for (const listener of this.#listeners) listener()
  }
}

function keyOf({ index, epoch }: EpisodeKey): string {
  return `${index}.${epoch}`
}

const DescriptionsContext = createContext<Descriptions | null>(null)

export function DescriptionsOf({ run, children }: { run: string; children: ReactNode }) {
  const source = useSource()
  const descriptions = useMemo(() => new Descriptions(source, run), [source, run])
  return <DescriptionsContext value={descriptions}>{children}</DescriptionsContext>
}

const nothing = (): (() => void) => () => undefined

/** One cell of a described column. */
export function DescribedCell({ episode, field }: { episode: EpisodeKey; field: DescribedField }) {
  const source = useSource()
  const descriptions = use(DescriptionsContext)
  const known = useSyncExternalStore(descriptions?.subscribe ?? nothing, () => descriptions?.get(episode) ?? null)
  useEffect(() => descriptions?.want(episode), [descriptions, episode.index, episode.epoch])
  if (!known) return null
  if (field === 'image') {
    if (!known.image) return null
    return (
      <LazyImage
        src={source.thumbnailUrl(known.image)}
        alt=""
        className="h-[30px] w-10 rounded-sm bg-ground object-cover object-left"
      />
    )
  }
  const text = textOf(known, field)
  return <span title={text}>{text.replaceAll('\n', ' · ')}</span>
}

function textOf({ unit, ...description }: EpisodeDescription, field: Exclude<DescribedField, 'image'>): string {
  const value = description[field]
  if (value === undefined || value === null) return ''
  if (typeof value === 'string') return value
  return `${Number.isInteger(value) ? formatCount(value) : value}${unit === undefined ? '' : ` ${unit}`}`
}
