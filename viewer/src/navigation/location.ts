/**
 * Everything that says where one is stands behind the `#`, the query included: `#/runs/RUN/3/1?at=12`. So an address
 * can be sent as a whole, and works from disk. (The hash location that comes with the router puts the query before the `#`.)
 */
import { useSyncExternalStore } from 'react'
import type { BaseLocationHook, BaseSearchHook } from 'wouter'

const MOVED = 'sightline:moved'

/** Path and query behind the `#`. */
export function currentAddress(): { path: string; search: string } {
  const [path = '', search = ''] = location.hash.replace(/^#?\/?/, '').split('?', 2)
  return { path: `/${path}`, search }
}

/** Goes to an address; `replace` does not leave a step behind for the back button. */
export function navigate(to: string, { replace = false, state = null }: { replace?: boolean; state?: unknown } = {}) {
  history[replace ? 'replaceState' : 'pushState'](state, '', `#/${to.replace(/^#?\/?/, '')}`)
  dispatchEvent(new Event(MOVED))
}

function subscribe(listen: () => void): () => void {
  const moves = ['hashchange', 'popstate', MOVED]
  for (const move of moves) addEventListener(move, listen)
  return () => {
    for (const move of moves) removeEventListener(move, listen)
  }
}

/** For the router's `hook`. */
export const useAddressPath: BaseLocationHook = () => [
  useSyncExternalStore(subscribe, () => currentAddress().path),
  navigate,
]
useAddressPath.hrefs = (href: string) => `#${href}`

/** For the router's `searchHook`. */
export const useAddressSearch: BaseSearchHook = () => useSyncExternalStore(subscribe, () => currentAddress().search)
