import type { SuitePanel } from '../../episode/panel.ts'

export const vsiPanel: SuitePanel = {
  Panel: () => null,
}
