/** Options of every command that reads recorded runs: the store and custom suites. */
import { loadSettings } from '../../library/config.ts'

export interface StoredOptions {
  logDir: string
  /** Custom suites. */
  suite?: string[]
  config?: string
}

export async function storeOptions({
  logDir,
  suite = [],
  config,
}: StoredOptions): Promise<{ store: string; suites: string[] }> {
  const { suites = [] } = await loadSettings(config)
  return { store: logDir, suites: [...suite, ...suites] }
}
