/** Runs that move. All pages listen to one stream, which is open only while somebody listens. */
import { useEffect, useRef, useSyncExternalStore } from 'react'
import type { LiveEvent, RunRow } from '../../../src/server/api.ts'
import type { DataSource } from './source.ts'
import { useSource } from './use.ts'

class LiveRuns {
  readonly #source: DataSource
  readonly #listeners = new Set<() => void>()
  #stop: (() => void) | null = null
  /** The last that was told of each run; a new map whenever something moved. */
  latest: ReadonlyMap<string, LiveEvent> = new Map()

  constructor(source: DataSource) {
    this.#source = source
  }

  readonly listen = (listener: () => void): (() => void) => {
    this.#listeners.add(listener)
    this.#stop ??= this.#source.live((event) => {
      this.latest = new Map(this.latest).set(event.run.id, event)
      for (const each of this.#listeners) each()
    })
    return () => {
      this.#listeners.delete(listener)
      if (this.#listeners.size > 0) return
      this.#stop?.()
      this.#stop = null
      // What moves while nobody listens is not heard of: what was told before no longer holds.
      this.latest = new Map()
    }
  }
}

const streams = new WeakMap<DataSource, LiveRuns>()

function streamOf(source: DataSource): LiveRuns {
  let stream = streams.get(source)
  if (!stream) streams.set(source, (stream = new LiveRuns(source)))
  return stream
}

/** What was last told of each run that moved since the page was opened. */
export function useLiveRuns(): ReadonlyMap<string, LiveEvent> {
  const stream = streamOf(useSource())
  return useSyncExternalStore(stream.listen, () => stream.latest)
}

/** Calls back when a run has moved, at most once in `everyMs`, and never misses the last move. */
export function useRunMoves(run: string, everyMs: number, moved: () => void): LiveEvent | null {
  const event = useLiveRuns().get(run) ?? null
  const now = useRef({ moved, everyMs })
  useEffect(() => {
    now.current = { moved, everyMs }
  })
  const due = useRef(0)
  const seen = useRef(event)
  useEffect(() => {
    if (event === seen.current) return
    seen.current = event
    const wait = Math.max(0, due.current - performance.now())
    const timer = setTimeout(() => {
      due.current = performance.now() + now.current.everyMs
      now.current.moved()
    }, wait)
    return () => clearTimeout(timer)
  }, [event])
  return event
}

/** Whoever listens is first told of every run that goes on; one that is not heard of for so long has ended. */
const UNHEARD_MS = 5000

/** Loads again when a run seems to go on but nothing is heard of it: it ended between the loading and the listening. */
export function useUnheard(runs: readonly RunRow[], live: ReadonlyMap<string, LiveEvent>, reload: () => void): void {
  const again = useRef(reload)
  useEffect(() => {
    again.current = reload
  })
  const unheard = runs.some(({ id, state }) => state === 'running' && !live.has(id))
  useEffect(() => {
    if (!unheard) return
    const timer = setTimeout(() => again.current(), UNHEARD_MS)
    return () => clearTimeout(timer)
  }, [unheard, runs])
}
