/** Remembers scroll position and active row of tables during navigation. */

export interface TablePosition {
  top: number
  active: number
}

/** In memory only: an opened link starts at the top. */
const positions = new Map<string, TablePosition>()

export function restorePosition(name: string | undefined): TablePosition {
  return (name === undefined ? undefined : positions.get(name)) ?? { top: 0, active: -1 }
}

export function savePosition(name: string, position: TablePosition): void {
  positions.set(name, position)
}
