/**
 * Panels by suite family, loaded on demand. A new family is one line here. External suites have a custom panel or use
 * the default one.
 */
import type { EpisodeDetail } from '../../../src/server/api.ts'
import type { DataSource } from '../data/source.ts'
import type { SuitePanel } from '../episode/panel.ts'

const PANELS: Readonly<Record<string, () => Promise<SuitePanel>>> = {
  vsi: async () => (await import('./vsi/panel.tsx')).vsiPanel,
  space: async () => (await import('./space/panel.tsx')).spacePanel,
  articulate: async () => (await import('./articulate/panel.tsx')).articulatePanel,
  vsig: async () => (await import('./vsig/panel.tsx')).vsigPanel,
  vbench: async () => (await import('./vbench/panel.tsx')).vbenchPanel,
}
const loadDefault = () => import('./default/panel.tsx')

const loaded = new Map<string, SuitePanel>()

/** The panel for an episode. If it fails to load, the default panel shows the error. */
export async function panelOf(source: DataSource, episode: EpisodeDetail): Promise<SuitePanel> {
  const panel = await load(source, episode).catch(async (error: unknown) => (await loadDefault()).panelForError(error))
  loaded.set(keyOf(episode), panel)
  return panel
}

/** The panel if it is already loaded. */
export function loadedPanelOf(episode: EpisodeDetail): SuitePanel | undefined {
  return loaded.get(keyOf(episode))
}

async function load(source: DataSource, { run, hasPanel }: EpisodeDetail): Promise<SuitePanel> {
  if (hasPanel) {
    const [{ customPanel: ownPanel }, module] = await Promise.all([import('./custom/panel.tsx'), source.panel(run.id)])
    return ownPanel(module)
  }
  const family = familyOf(run.suite)
  return Object.hasOwn(PANELS, family) ? PANELS[family]!() : (await loadDefault()).defaultPanel
}

function keyOf({ run, hasPanel }: EpisodeDetail): string {
  return hasPanel ? `run ${run.id}` : familyOf(run.suite)
}

function familyOf(suite: string): string {
  return suite.split('/')[0]!
}
