import type { SuitePanel } from '../../episode/panel.ts'

export const vbenchPanel: SuitePanel = {
  Panel: () => null,
}
