/**
 * A component whose script loads when it is first rendered. Unlike React's `lazy`, it does not delay the loaded content
 * by a third of a second after showing the fallback.
 *
 * @example
 * const { Component: SceneView } = later(async () => (await import('./scene-view.tsx')).SceneView, <Loading what="…" />)
 */
import { type ComponentType, type ReactNode, useEffect, useState } from 'react'

export interface LazyComponent<Props> {
  Component: ComponentType<Props>
  /** Resolves when it can render without the fallback. */
  load: () => Promise<void>
}

export function lazyComponent<Props extends object>(
  load: () => Promise<ComponentType<Props>>,
  fallback: ReactNode,
): LazyComponent<Props> {
  let Found: ComponentType<Props> | null = null
  const ensureLoaded = async (): Promise<void> => {
    Found = await load()
  }
  const Component = (props: Props) => {
    const [, setRound] = useState(0)
    const [failure, setFailure] = useState<{ error: unknown } | null>(null)
    useEffect(() => {
      if (Found) return
      ensureLoaded().then(
        () => setRound((round) => round + 1),
        (error: unknown) => setFailure({ error }),
      )
    }, [])
    if (failure) throw failure.error
    return Found ? <Found {...props} /> : fallback
  }
  return { Component, load: ensureLoaded }
}
