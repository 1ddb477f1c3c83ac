/** Where one was in a table, kept while one looks at something else. */

export interface Place {
  top: number
  active: number
}

/** For as long as the page is open: a link that was sent starts at the top. */
const places = new Map<string, Place>()

export function recall(name: string | undefined): Place {
  return (name === undefined ? undefined : places.get(name)) ?? { top: 0, active: -1 }
}

export function keep(name: string, place: Place): void {
  places.set(name, place)
}
