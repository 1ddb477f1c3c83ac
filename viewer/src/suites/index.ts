/** The panel of each family of suites, loaded when an episode of it is opened. A new family is one line here. */
import type { SuitePanel } from '../episode/panel.ts'

const PANELS: Readonly<Record<string, () => Promise<SuitePanel>>> = {
  vsi: async () => (await import('./vsi/panel.tsx')).vsiPanel,
  space: async () => (await import('./space/panel.tsx')).spacePanel,
  articulate: async () => (await import('./articulate/panel.tsx')).articulatePanel,
  vsig: async () => (await import('./vsig/panel.tsx')).vsigPanel,
  vbench: async () => (await import('./vbench/panel.tsx')).vbenchPanel,
}

const loaded = new Map<string, SuitePanel | null>()

/** `null` for a suite that has none: its transcript and pictures are shown all the same. */
export async function panelOf(suite: string): Promise<SuitePanel | null> {
  const family = familyOf(suite)
  const panel = Object.hasOwn(PANELS, family) ? await PANELS[family]!() : null
  loaded.set(family, panel)
  return panel
}

/** The panel of a suite if it was loaded before; `undefined` if it was not. */
export function loadedPanelOf(suite: string): SuitePanel | null | undefined {
  return loaded.get(familyOf(suite))
}

function familyOf(suite: string): string {
  return suite.split('/')[0]!
}
