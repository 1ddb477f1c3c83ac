import { useEffect, useState } from 'react'
import { loadedPanelOf, panelOf } from '../suites/index.ts'
import type { SuitePanel } from './panel.ts'

/** The panel of a suite, loaded when it is needed: `undefined` until it is there, `null` when there is none. */
export function usePanel(suite: string): SuitePanel | null | undefined {
  const [found, setFound] = useState<{ suite: string; panel: SuitePanel | null }>()
  useEffect(() => {
    if (loadedPanelOf(suite) !== undefined) return
    let wanted = true
    const found = (panel: SuitePanel | null): void => {
      if (wanted) setFound({ suite, panel })
    }
    panelOf(suite).then(found, () => found(null))
    return () => {
      wanted = false
    }
  }, [suite])
  return found?.suite === suite ? found.panel : loadedPanelOf(suite)
}
