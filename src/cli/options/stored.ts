/** Options that every command over recorded runs has: which store, and which suites of others. */
import { loadSettings } from '../../library/config.ts'

export interface StoredOptions {
  logDir: string
  /** `--suite`, repeated. */
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
