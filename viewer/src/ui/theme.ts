/** Light or dark theme: follows the system until the user chooses. */
import { useSyncExternalStore } from 'react'

export type Theme = 'system' | 'light' | 'dark'

const KEY = 'sightline.theme'
const CHANGED = 'sightline:theme'
const systemIsDark = matchMedia('(prefers-color-scheme: dark)')

/** A folder opened from disk may have no storage; the choice then lasts until the page is closed. */
let chosen: Theme = read()

function read(): Theme {
  try {
    const stored = localStorage.getItem(KEY)
    return stored === 'light' || stored === 'dark' ? stored : 'system'
  } catch {
    return 'system'
  }
}

function resolvedTheme(): 'light' | 'dark' {
  if (chosen !== 'system') return chosen
  return systemIsDark.matches ? 'dark' : 'light'
}

function applyTheme(): void {
  document.documentElement.dataset['theme'] = resolvedTheme()
  dispatchEvent(new Event(CHANGED))
}

/** Applied before the first paint, and whenever the system theme changes. */
applyTheme()
systemIsDark.addEventListener('change', applyTheme)

export function chooseTheme(theme: Theme): void {
  chosen = theme
  try {
    if (theme === 'system') localStorage.removeItem(KEY)
    else localStorage.setItem(KEY, theme)
  } catch {
    // No storage: the choice applies to this page only.
  }
  applyTheme()
}

function subscribe(listen: () => void): () => void {
  addEventListener(CHANGED, listen)
  return () => removeEventListener(CHANGED, listen)
}

/** The user's choice. */
export function useTheme(): Theme {
  return useSyncExternalStore(subscribe, () => chosen)
}

/** The theme in effect, for charts and 3D scenes with their own colors. */
export function useResolvedTheme(): 'light' | 'dark' {
  return useSyncExternalStore(subscribe, resolvedTheme)
}

/** The current value of a theme color: `themeColor('accent')`. */
export function themeColor(name: string): string {
  return getComputedStyle(document.documentElement).getPropertyValue(`--color-${name}`).trim()
}
