/**
 * A component whose script is loaded when it is first shown. Not React's own `lazy`: that holds what was loaded back for a
 * third of a second once it has shown that something loads.
 *
 * @example
 * const { Component: SceneView } = later(async () => (await import('./scene-view.tsx')).SceneView, <Loading what="…" />)
 */
import { type ComponentType, type ReactNode, useEffect, useState } from 'react'

export interface Later<Props> {
  Component: ComponentType<Props>
  /** Resolves when it can be shown at once. */
  load: () => Promise<void>
}

export function later<Props extends object>(
  load: () => Promise<ComponentType<Props>>,
  meanwhile: ReactNode,
): Later<Props> {
  let Found: ComponentType<Props> | null = null
  const ask = async (): Promise<void> => {
    Found = await load()
  }
  const Component = (props: Props) => {
    const [, setRound] = useState(0)
    const [failure, setFailure] = useState<{ error: unknown } | null>(null)
    useEffect(() => {
      if (Found) return
      ask().then(
        () => setRound((round) => round + 1),
        (error: unknown) => setFailure({ error }),
      )
    }, [])
    if (failure) throw failure.error
    return Found ? <Found {...props} /> : meanwhile
  }
  return { Component, load: ask }
}
