import type { SuitePanel } from '../../episode/panel.ts'

export const spacePanel: SuitePanel = {
  Panel: () => null,
}
