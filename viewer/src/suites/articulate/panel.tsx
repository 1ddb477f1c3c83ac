import type { SuitePanel } from '../../episode/panel.ts'

export const articulatePanel: SuitePanel = {
  Panel: () => null,
}
