/** The panel of each family of suites, loaded when an episode of it is opened. A new family is one line here. */
import type { SuitePanel } from '../episode/panel.ts'

const PANELS: Readonly<Record<string, () => Promise<SuitePanel>>> = {
  vsi: async () => (await import('./vsi/panel.tsx')).vsiPanel,
  space: async () => (await import('./space/panel.tsx')).spacePanel,
  articulate: async () => (await import('./articulate/panel.tsx')).articulatePanel,
  vsig: async () => (await import('./vsig/panel.tsx')).vsigPanel,
  vbench: async () => (await import('./vbench/panel.tsx')).vbenchPanel,
}

/** `null` for a suite that has none: its transcript and pictures are shown all the same. */
export async function panelOf(suite: string): Promise<SuitePanel | null> {
  const family = suite.split('/')[0]!
  return Object.hasOwn(PANELS, family) ? PANELS[family]!() : null
}
