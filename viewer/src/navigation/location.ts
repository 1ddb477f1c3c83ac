/**
 * Routing in the URL hash, including the query: `#/runs/RUN/3/1?at=12`. Such URLs can be shared and work from disk.
 * (The router's own hash location puts the query before the `#`.)
 */
import { useSyncExternalStore } from 'react'
import type { BaseLocationHook, BaseSearchHook } from 'wouter'

const NAVIGATED = 'sightline:navigated'

/** Path and query after the `#`. */
export function currentRoute(): { path: string; search: string } {
  const [path = '', search = ''] = location.hash.replace(/^#?\/?/, '').split('?', 2)
  return { path: `/${path}`, search }
}

/** Navigates to a path; `replace` adds no history entry. */
export function navigate(to: string, { replace = false, state = null }: { replace?: boolean; state?: unknown } = {}) {
  history[replace ? 'replaceState' : 'pushState'](state, '', `#/${to.replace(/^#?\/?/, '')}`)
  dispatchEvent(new Event(NAVIGATED))
}

function subscribe(listen: () => void): () => void {
  const events = ['hashchange', 'popstate', NAVIGATED]
  for (const event of events) addEventListener(event, listen)
  return () => {
    for (const event of events) removeEventListener(event, listen)
  }
}

/** For the router's `hook`. */
export const useHashPath: BaseLocationHook = () => [
  useSyncExternalStore(subscribe, () => currentRoute().path),
  navigate,
]
useHashPath.hrefs = (href: string) => `#${href}`

/** For the router's `searchHook`. */
export const useHashSearch: BaseSearchHook = () => useSyncExternalStore(subscribe, () => currentRoute().search)
