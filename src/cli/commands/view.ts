/** `sightline view`: serves the viewer until Ctrl-C. */
import { once } from 'node:events'
import { dirname } from 'node:path'
import { serveViewer, type ViewerServer } from '../../server/serve.ts'
import { Store } from '../../store/store.ts'
import { STOP_SIGNALS } from '../terminal/exit.ts'
import { bold, print, say } from '../terminal/output.ts'
import { openEnvironment, packageVersion, runnerInOwnThread } from '../../library/environment.ts'
import { destinationsOf } from '../../library/run.ts'
import { knownSuites } from '../../library/known-suites.ts'
import { suiteFinder } from '../../library/suites.ts'
import { type StoredOptions, storeOptions } from '../options/stored.ts'

export interface ViewOptions extends StoredOptions {
  host?: string
  port?: number
}

export async function view(run: string | undefined, options: ViewOptions): Promise<void> {
  let store = await Store.open(options.logDir)
  const reader = run === undefined ? null : await store.openRun(run)
  // A run given by its path may be in another store.
  if (reader && dirname(dirname(reader.dir)) !== store.dir) store = await Store.open(dirname(dirname(reader.dir)))
  const { suites } = await storeOptions(options)
  const serving = await startViewer(store, options, [...(suites ?? []), ...(await questionFiles(store))])
  print(`${bold('Open')} ${serving.link}${reader ? `#/runs/${reader.header.id}` : ''}`)
  if (!serving.isLocal) say('Anyone with this link can see all runs in this store. It changes with every start.')
  await untilStopped(serving)
}

/**
 * Question suites that were run here and have runs in this store, so that people can play them too. They are data: a file
 * of code is loaded only if it is given.
 */
async function questionFiles(store: Store): Promise<string[]> {
  const [known, runs] = await Promise.all([knownSuites(), store.listRuns()])
  const names = new Set(runs.flatMap(({ header }) => (header.suiteModule === undefined ? [] : [header.suite])))
  const files: string[] = []
  for (const name of names) {
    const file = Object.hasOwn(known, name) ? known[name]! : ''
    if (!/\.(?:ya?ml|json)$/i.test(file)) continue
    const isLoaded = await suiteFinder([file])
      .names()
      .then(() => true)
      .catch(() => false)
    if (isLoaded) files.push(file)
  }
  return files
}

export async function startViewer(
  store: Store,
  { host, port }: { host?: string; port?: number } = {},
  suites: readonly string[] = [],
): Promise<ViewerServer> {
  const finder = suiteFinder(suites)
  // Fail now, not on every page, if a custom suite cannot be loaded.
  await finder.names()
  return serveViewer({
    environment: {
      ...(await openEnvironment(store, {}, undefined, await destinationsOf({}))),
      runnerFor: runnerInOwnThread,
    },
    finder,
    version: packageVersion(),
    ...(host === undefined ? {} : { host }),
    ...(port === undefined ? {} : { port }),
    onFault: (error) => say(error instanceof Error ? (error.stack ?? error.message) : String(error)),
  })
}

/** Serves until Ctrl-C, then exits with code 0. */
export async function untilStopped(serving: Pick<ViewerServer, 'close'>): Promise<void> {
  say('Press Ctrl-C to stop.')
  // The demo's run handlers would only stop a run that is over.
  for (const signal of STOP_SIGNALS) process.removeAllListeners(signal)
  const stop = new AbortController()
  await Promise.race(STOP_SIGNALS.map((signal) => once(process, signal, { signal: stop.signal })))
  await serving.close()
  process.exit()
}
