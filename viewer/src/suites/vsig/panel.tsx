import type { SuitePanel } from '../../episode/panel.ts'

export const vsigPanel: SuitePanel = {
  Panel: () => null,
}
