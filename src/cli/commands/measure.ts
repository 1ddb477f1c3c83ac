/** `sightline measure`: adds measurements that were not available when the run was played. */
import { measure as measureRun } from '../../library/run.ts'
import { loadSettings } from '../../library/config.ts'
import type { ModelSettings } from '../../library/environment.ts'
import { say } from '../terminal/output.ts'
import { type DestinationFlags, destinationOptions } from '../options/base-urls.ts'
import { rolesOf } from '../options/roles.ts'
import { type StoredOptions, storeOptions } from '../options/stored.ts'
import { playWithDisplay, presentResults } from '../results/played.ts'
import { openDisplay } from '../terminal/display.ts'

interface MeasureOptions extends StoredOptions, DestinationFlags, Omit<ModelSettings, 'modelOptions' | 'generators'> {
  task?: Record<string, string>
  modelRole?: string[]
  json?: boolean
}

export async function measure(run: string, options: MeasureOptions): Promise<void> {
  const settings = await loadSettings(options.config)
  const where = await storeOptions(options)
  const outcome = await playWithDisplay(`measure ${run}`, openDisplay({ quiet: options.json === true }), (hooks) =>
    measureRun(run, {
      ...options,
      ...where,
      ...hooks,
      options: options.task,
      roles: rolesOf(options.modelRole ?? [], {}),
      generators: settings.generators,
      ...destinationOptions(options, settings),
      onLog: say,
    }),
  )
  await presentResults([outcome], options)
}
