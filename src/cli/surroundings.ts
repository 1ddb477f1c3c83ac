/** Puts together what a run needs from this machine: store, models, prices, versions. */
import { execFileSync } from 'node:child_process'
import { readFileSync } from 'node:fs'
import { availableParallelism } from 'node:os'
import { join } from 'node:path'
import { moduleBeside } from '../base/thread.ts'
import { RecordedRun } from '../engine/recorded.ts'
import type { Surroundings } from '../engine/run.ts'
import { realClock } from '../models/clock.ts'
import type { ModelDeps, ReplyStore } from '../models/deps.ts'
import { openModel } from '../models/open.ts'
import { loadPrices } from '../models/prices.ts'
import { LocalTurns } from '../models/turns.ts'
import { type Role, ROLES } from '../models/types.ts'
import { Store } from '../store/store.ts'
import { say } from './output.ts'
import { environment, type Settings } from './settings.ts'

/** Where a thread finds the suites. */
export const SUITES = moduleBeside('../suites/index', import.meta.url)

const DEFAULT_RETRIES = 6
const DEFAULT_TIMEOUT_SECONDS = 600

export interface ModelSettings {
  maxConnections?: number | undefined
  requestsPerMinute?: number | undefined
  tokensPerMinute?: number | undefined
  maxRetries?: number | undefined
  timeout?: number | undefined
  cache?: boolean | undefined
  /** Threads that may play; default: one for every core. */
  threads?: number | undefined
  prices?: string | undefined
  /** `-M`, and what the config says of this model. */
  options: Readonly<Record<string, unknown>>
  /** What the config names as makers of videos. */
  generators?: Settings['generators']
}

export async function surroundings(
  logDir: string,
  models: ModelSettings,
  log: (line: string) => void = say,
): Promise<Surroundings> {
  const store = await Store.open(logDir)
  const prices = await loadPrices({ file: models.prices, usual: join(logDir, 'prices.json') })
  const env = environment()
  return {
    store,
    prices,
    versions: versions(),
    git: gitRevision(),
    now: () => new Date(),
    threads: { count: models.threads ?? availableParallelism(), suites: SUITES },
    openModel: (id, role) =>
      openModel(id, {
        env,
        prices,
        log,
        options: optionsFor(role, models.options),
        readMedia: (ref) => store.media.read(ref),
        keepMedia: (bytes, type) => store.media.keep(bytes, type),
        hasMedia: (ref) => store.media.has(ref),
        generators: models.generators ?? {},
        replies: models.cache === false ? unread(store.replies) : store.replies,
        ...modelDefaults(models),
        recorded: async (run) => RecordedRun.read(await store.openRun(run)),
        ...(models.maxConnections === undefined ? {} : { maxConnections: models.maxConnections }),
        ...ratesOf(models),
      }),
  }
}

export function modelDefaults({ maxRetries, timeout }: ModelSettings): { maxRetries: number; timeoutMs: number } {
  return {
    maxRetries: maxRetries ?? DEFAULT_RETRIES,
    timeoutMs: (timeout ?? DEFAULT_TIMEOUT_SECONDS) * 1000,
  }
}

/** Rates hold for each model by itself. */
function ratesOf(models: ModelSettings): Pick<ModelDeps, 'turns'> {
  const rates = {
    requestsPerMinute: models.requestsPerMinute ?? null,
    tokensPerMinute: models.tokensPerMinute ?? null,
  }
  if (rates.requestsPerMinute === null && rates.tokensPerMinute === null) return {}
  return { turns: () => new LocalTurns(rates, realClock) }
}

/** Nothing is taken from the cache, but what is paid for is kept: an interrupted run goes on from it. */
function unread(replies: Store['replies']): ReplyStore {
  return { get: () => Promise.resolve(undefined), put: (key, value) => replies.put(key, value) }
}

/** `-M judge.base_url=…` is for the judge; what names no role is for the player. */
export function optionsFor(role: Role, options: Readonly<Record<string, unknown>>): Record<string, unknown> {
  const named = Object.entries(options).map(([key, value]) => {
    const owner = ROLES.find((each) => key.startsWith(`${each}.`)) ?? 'player'
    return { owner, key: key.startsWith(`${owner}.`) ? key.slice(owner.length + 1) : key, value }
  })
  return Object.fromEntries(named.filter(({ owner }) => owner === role).map(({ key, value }) => [key, value]))
}

/** A model as the user names it: a short name from the config, or `provider/name` itself. */
export function namedModel(
  name: string,
  settings: Settings,
): { model: string; options: Record<string, unknown>; task: Record<string, unknown> } {
  const known = settings.models && Object.hasOwn(settings.models, name) ? settings.models[name] : undefined
  return { model: known?.model ?? name, options: { ...known?.options }, task: { ...known?.task } }
}

export function packageVersion(): string {
  const path = new URL('../../package.json', import.meta.url)
  return (JSON.parse(readFileSync(path, 'utf8')) as { version: string }).version
}

function versions(): Record<string, string> {
  return { sightline: packageVersion(), node: process.version, platform: `${process.platform}-${process.arch}` }
}

/** Revision of the project that the run was started in, if it is one. */
function gitRevision(): string | null {
  try {
    return execFileSync('git', ['rev-parse', 'HEAD'], { encoding: 'utf8', stdio: ['ignore', 'pipe', 'ignore'] }).trim()
  } catch {
    return null
  }
}
