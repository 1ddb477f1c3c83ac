/** Live run updates. All components share one stream, which is open only while there are listeners. */
import { useEffect, useRef, useSyncExternalStore } from 'react'
import type { LiveEvent, RunRow } from '../../../src/server/api.ts'
import type { DataSource } from './source.ts'
import { useSource } from './hooks.ts'

class LiveRuns {
  readonly #source: DataSource
  readonly #listeners = new Set<() => void>()
  #stop: (() => void) | null = null
  /** The latest event of each run; a new map on every update. */
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
      // Updates are missed without listeners, so earlier events may be outdated.
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

/** The latest event of each run that changed since the page was opened. */
export function useLiveRuns(): ReadonlyMap<string, LiveEvent> {
  const stream = streamOf(useSource())
  return useSyncExternalStore(stream.listen, () => stream.latest)
}

/** Calls back when a run changes, at most once per `everyMs`; the last change is never missed. */
export function useRunUpdates(run: string, everyMs: number, onUpdate: () => void): LiveEvent | null {
  const event = useLiveRuns().get(run) ?? null
  const now = useRef({ onUpdate, everyMs })
  useEffect(() => {
    now.current = { onUpdate, everyMs }
  })
  const due = useRef(0)
  const seen = useRef(event)
  useEffect(() => {
    if (event === seen.current) return
    seen.current = event
    const wait = Math.max(0, due.current - performance.now())
    const timer = setTimeout(() => {
      due.current = performance.now() + now.current.everyMs
      now.current.onUpdate()
    }, wait)
    return () => clearTimeout(timer)
  }, [event])
  return event
}

/** The stream starts with all running runs; a run without an event for this long has ended. */
const STALE_MS = 5000

/** Reloads when a run looks running but gets no events: it ended between loading and listening. */
export function useReloadWhenStale(
  runs: readonly RunRow[],
  live: ReadonlyMap<string, LiveEvent>,
  reload: () => void,
): void {
  const latestReload = useRef(reload)
  useEffect(() => {
    latestReload.current = reload
  })
  const isStale = runs.some(({ id, state }) => state === 'running' && !live.has(id))
  useEffect(() => {
    if (!isStale) return
    const timer = setTimeout(() => latestReload.current(), STALE_MS)
    return () => clearTimeout(timer)
  }, [isStale, runs])
}
