/** Light or dark: as the system says until a person chooses, and then as they chose. */
import { useSyncExternalStore } from 'react'

export type Theme = 'system' | 'light' | 'dark'

const KEY = 'sightline.theme'
const CHANGED = 'sightline:theme'
const systemIsDark = matchMedia('(prefers-color-scheme: dark)')

/** A shared folder opened from disk may have no storage: the choice then lasts as long as the page. */
let chosen: Theme = read()

function read(): Theme {
  try {
    const kept = localStorage.getItem(KEY)
    return kept === 'light' || kept === 'dark' ? kept : 'system'
  } catch {
    return 'system'
  }
}

function shown(): 'light' | 'dark' {
  if (chosen !== 'system') return chosen
  return systemIsDark.matches ? 'dark' : 'light'
}

function show(): void {
  document.documentElement.dataset['theme'] = shown()
  dispatchEvent(new Event(CHANGED))
}

/** Before the first paint of the page, and whenever the system changes its mind. */
show()
systemIsDark.addEventListener('change', show)

export function chooseTheme(theme: Theme): void {
  chosen = theme
  try {
    if (theme === 'system') localStorage.removeItem(KEY)
    else localStorage.setItem(KEY, theme)
  } catch {
    // Not kept, but shown.
  }
  show()
}

function subscribe(listen: () => void): () => void {
  addEventListener(CHANGED, listen)
  return () => removeEventListener(CHANGED, listen)
}

/** What was chosen. */
export function useTheme(): Theme {
  return useSyncExternalStore(subscribe, () => chosen)
}

/** What is shown: for what is drawn with colours of its own, such as charts and 3D scenes. */
export function useShownTheme(): 'light' | 'dark' {
  return useSyncExternalStore(subscribe, shown)
}

/** The value of a colour of style.css at this moment: `themeColour('accent')`. */
export function themeColour(name: string): string {
  return getComputedStyle(document.documentElement).getPropertyValue(`--color-${name}`).trim()
}
