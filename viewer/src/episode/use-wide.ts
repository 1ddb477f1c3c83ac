import { useSyncExternalStore } from 'react'

/** Wide enough to show panel and transcript side by side. */
const WIDE = '(min-width: 960px)'

export function useWide(): boolean {
  return useSyncExternalStore(subscribe, () => matchMedia(WIDE).matches)
}

function subscribe(listen: () => void): () => void {
  const query = matchMedia(WIDE)
  query.addEventListener('change', listen)
  return () => query.removeEventListener('change', listen)
}
