/** The name under which a person plays and votes, remembered in this browser. */
const NAME_KEY = 'sightline-name'

/** As the server accepts it. */
export const NAME_PATTERN = '[\\p{L}\\p{N}][\\p{L}\\p{N}._\\-]{0,39}'
export const NAME_RULE = 'Letters, digits, dots, hyphens and underscores'

/** Storage may be unavailable; the name is then entered again. */
export function storedName(): string {
  try {
    return localStorage.getItem(NAME_KEY) ?? ''
  } catch {
    return ''
  }
}

export function storeName(name: string): void {
  try {
    localStorage.setItem(NAME_KEY, name)
  } catch {
    // Only a convenience.
  }
}
