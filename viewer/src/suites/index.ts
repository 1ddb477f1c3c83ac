/**
 * The panel of each family of suites, loaded when an episode of it is opened. A new family is one line here. Suites of
 * others bring a panel of their own, or get the general one.
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
const general = () => import('./general/panel.tsx')

const loaded = new Map<string, SuitePanel>()

/** The panel for an episode. One that does not load is told in the general panel, which stands in for it. */
export async function panelOf(source: DataSource, episode: EpisodeDetail): Promise<SuitePanel> {
  const panel = await load(source, episode).catch(async (error: unknown) => (await general()).insteadOf(error))
  loaded.set(keyOf(episode), panel)
  return panel
}

/** The panel if it was loaded before. */
export function loadedPanelOf(episode: EpisodeDetail): SuitePanel | undefined {
  return loaded.get(keyOf(episode))
}

async function load(source: DataSource, { run, hasPanel }: EpisodeDetail): Promise<SuitePanel> {
  if (hasPanel) {
    const [{ ownPanel }, module] = await Promise.all([import('./own/panel.tsx'), source.panel(run.id)])
    return ownPanel(module)
  }
  const family = familyOf(run.suite)
  return Object.hasOwn(PANELS, family) ? PANELS[family]!() : (await general()).generalPanel
}

function keyOf({ run, hasPanel }: EpisodeDetail): string {
  return hasPanel ? `run ${run.id}` : familyOf(run.suite)
}

function familyOf(suite: string): string {
  return suite.split('/')[0]!
}
