/**
 * Keyboard shortcuts. Components register theirs, and the help dialog (`?`) lists the active ones.
 *
 * @example
 * useKeys('Episodes', [{ keys: ['j', 'ArrowDown'], title: 'Next episode', run: next }])
 */
import { useLayoutEffect, useRef } from 'react'

export interface KeyAction {
  /** Equivalent keys, as in `KeyboardEvent.key`: `j`, `ArrowDown`, `?`, ` `. */
  keys: readonly string[]
  title: string
  run: (event: KeyboardEvent) => void
  /** If it returns false, the key keeps its default behavior. */
  when?: (event: KeyboardEvent) => boolean
}

export interface KeyGroup {
  title: string
  actions: readonly KeyAction[]
}

const active = new Set<{ current: KeyGroup }>()

/** Active shortcuts, for the help dialog. */
export function activeKeys(): readonly KeyGroup[] {
  return [...active].map(({ current }) => current)
}

export function useKeys(title: string, actions: readonly KeyAction[], enabled = true): void {
  const group = useRef<KeyGroup>({ title, actions })
  // Registered before paint, so visible controls respond to keys.
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
  if (event.defaultPrevented || event.ctrlKey || event.metaKey || event.altKey || isHandledByTarget(event)) return
  // The last registered group is the innermost.
  for (const { current } of [...active].reverse()) {
    const action = current.actions.find(({ keys, when }) => keys.includes(event.key) && when?.(event) !== false)
    if (!action) continue
    event.preventDefault()
    action.run(event)
    return
  }
}

/** Whether the focused element handles this key itself. */
function isHandledByTarget({ target, key }: KeyboardEvent): boolean {
  if (!(target instanceof HTMLElement)) return false
  if (target.isContentEditable || target.closest('[role=dialog], [role=menu], [role=listbox]')) return true
  if (target instanceof HTMLInputElement) {
    // Sliders use arrow keys; checkboxes use the space bar.
    if (target.type === 'range') return key.startsWith('Arrow') || key === 'Home' || key === 'End'
    if (target.type === 'checkbox' || target.type === 'radio') return key === ' ' || key.startsWith('Arrow')
    return true
  }
  if (target instanceof HTMLTextAreaElement || target instanceof HTMLSelectElement) return true
  if (target.closest('[role=radiogroup], [role=tablist], [role=slider]') && key.startsWith('Arrow')) return true
  return (key === 'Enter' || key === ' ') && target.closest('a, button, summary, video, audio') !== null
}
