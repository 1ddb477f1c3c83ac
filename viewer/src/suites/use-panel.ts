import { useEffect, useState } from 'react'
import type { EpisodeDetail } from '../../../src/server/api.ts'
import { useSource } from '../data/hooks.ts'
import { loadedPanelOf, panelOf } from './index.ts'
import type { SuitePanel } from '../episode/panel.ts'

/** The panel for an episode, loaded on demand; `undefined` while loading. */
export function usePanel(episode: EpisodeDetail): SuitePanel | undefined {
  const source = useSource()
  const [found, setFound] = useState<{ episode: EpisodeDetail; panel: SuitePanel }>()
  useEffect(() => {
    if (loadedPanelOf(episode)) return
    let wanted = true
    void panelOf(source, episode).then((panel) => wanted && setFound({ episode, panel }))
    return () => {
      wanted = false
    }
  }, [source, episode])
  return found?.episode === episode ? found.panel : loadedPanelOf(episode)
}
