/**
 * Keys for what repeats. A page says which keys do what, and the help (`?`) shows the ones that work at that moment.
 *
 * @example
 * useKeys('Episodes', [{ keys: ['j', 'ArrowDown'], title: 'Next episode', run: next }])
 */
import { useLayoutEffect, useRef } from 'react'

export interface KeyAction {
  /** As `KeyboardEvent.key` says them: `j`, `ArrowDown`, `?`, ` `. All do the same. */
  keys: readonly string[]
  title: string
  run: (event: KeyboardEvent) => void
  /** Where it does not hold, the key does what it always does. */
  when?: (event: KeyboardEvent) => boolean
}

export interface KeyGroup {
  title: string
  actions: readonly KeyAction[]
}

const active = new Set<{ current: KeyGroup }>()

/** What the keys do now, for the help. */
export function activeKeys(): readonly KeyGroup[] {
  return [...active].map(({ current }) => current)
}

export function useKeys(title: string, actions: readonly KeyAction[], enabled = true): void {
  const group = useRef<KeyGroup>({ title, actions })
  // Before the page is drawn: what can be seen can be typed at.
  useLayoutEffect(() => {
    group.current = { title, actions }
  })
  useLayoutEffect(() => {
    if (!enabled) return
    const mine = group
    active.add(mine)
    if (active.size === 1) addEventListener('keydown', onKey)
    return () => {
      active.delete(mine)
      if (active.size === 0) removeEventListener('keydown', onKey)
    }
  }, [enabled])
}

function onKey(event: KeyboardEvent): void {
  if (event.defaultPrevented || event.ctrlKey || event.metaKey || event.altKey || isTaken(event)) return
  // The last one that came is the innermost.
  for (const { current } of [...active].reverse()) {
    const action = current.actions.find(({ keys, when }) => keys.includes(event.key) && when?.(event) !== false)
    if (!action) continue
    event.preventDefault()
    action.run(event)
    return
  }
}

/** Does the thing that has the focus want this key for itself? */
function isTaken({ target, key }: KeyboardEvent): boolean {
  if (!(target instanceof HTMLElement)) return false
  if (target.isContentEditable || target.closest('[role=dialog], [role=menu], [role=listbox]')) return true
  if (target instanceof HTMLInputElement) {
    // A slider moves with arrows alone; a tick box with the space bar.
    if (target.type === 'range') return key.startsWith('Arrow') || key === 'Home' || key === 'End'
    if (target.type === 'checkbox' || target.type === 'radio') return key === ' ' || key.startsWith('Arrow')
    return true
  }
  if (target instanceof HTMLTextAreaElement || target instanceof HTMLSelectElement) return true
  if (target.closest('[role=radiogroup], [role=tablist], [role=slider]') && key.startsWith('Arrow')) return true
  return (key === 'Enter' || key === ' ') && target.closest('a, button, summary, video, audio') !== null
}
