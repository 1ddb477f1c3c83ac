/** The environment of a run on this machine: store, models, prices, versions. */
import { execFileSync } from 'node:child_process'
import { readFileSync } from 'node:fs'
import { availableParallelism } from 'node:os'
import { join } from 'node:path'
import { UserError } from '../base/errors.ts'
import { didYouMean } from '../base/nearest.ts'
import { Shared } from '../base/shared.ts'
import { siblingModule } from '../base/thread.ts'
import { RecordedRun } from '../engine/recorded.ts'
import type { RunEnvironment } from '../engine/run.ts'
import type { MakeRunner } from '../engine/runner.ts'
import { runnerInThread, runnerWithThreads } from '../engine/threads/local.ts'
import { realClock } from '../models/clock.ts'
import type { ModelDeps, ReplyStore } from '../models/deps.ts'
import type { Destinations } from '../models/destinations.ts'
import { openModel } from '../models/providers/open.ts'
import type { Limiter } from '../models/limiter.ts'
import { loadPrices } from '../models/prices.ts'
import { LocalRateLimiter } from '../models/rate-limiter.ts'
import { type Role, ROLES } from '../models/types.ts'
import { Store } from '../store/store.ts'
import { environment, type Settings } from './config.ts'

/** The module from which a thread imports `loadSuite`. */
export const SUITES = siblingModule('./suites', import.meta.url)

/** Runs side by side in this process share the limits of their endpoints and models. */
const LIMITERS = new Shared<Limiter>()
const RATE_LIMITERS = new Shared<LocalRateLimiter>()

const DEFAULT_RETRIES = 6
const DEFAULT_TIMEOUT_SECONDS = 600

/** How models are called. */
export interface ModelSettings {
  /** Concurrent requests. Default: adapts to the provider's limits. */
  maxConnections?: number | undefined
  /** Per model. */
  requestsPerMinute?: number | undefined
  /** Per model; a soft limit, as the size of a reply is only known afterwards. */
  tokensPerMinute?: number | undefined
  /** Retries per failed request. Default 6. */
  maxRetries?: number | undefined
  /** Timeout per request, in seconds. Default 600. */
  timeout?: number | undefined
  /** False ignores cached replies. Default true. */
  cache?: boolean | undefined
  /** Threads for CPU-heavy episodes. Default: one per core; 0 for none. */
  threads?: number | undefined
  /** File with prices in US dollars per million tokens. Default: `prices.json` in the store. */
  prices?: string | undefined
  /** Model options such as temperature, max_tokens or base_url; `judge.temperature` for the judge. */
  modelOptions?: Readonly<Record<string, unknown>> | undefined
  /** Video generators by name, as in the config. */
  generators?: Settings['generators']
}

/** Addresses of models that a run from elsewhere may use with the keys of this machine. */
export interface DestinationOptions {
  /** Base URLs to allow, in addition to the provider's own, those in the environment, and those used here before. */
  allowBaseUrl?: readonly string[] | undefined
  /** Environment variables that its headers may contain, in addition to those sent to the same address before. */
  allowVariable?: readonly string[] | undefined
  /** Asks the user about any other address, or about a variable that would be sent there. Default: it is refused. */
  confirmBaseUrl?:
    | ((destination: { model: string; url: string; variable?: string | undefined }) => Promise<boolean>)
    | undefined
}

/**
 * Opens the environment of a run.
 *
 * @param log receives retries and rate limits of models
 * @param destinations where requests may go; absent if the options of the models come from the user
 */
export async function openEnvironment(
  store: Store | string,
  models: ModelSettings = {},
  log: (line: string) => void = () => undefined,
  destinations?: Destinations,
): Promise<RunEnvironment> {
  const opened = typeof store === 'string' ? await Store.open(store) : store
  const prices = await loadPrices({ file: models.prices, optionalFile: join(opened.dir, 'prices.json') })
  const env = environment()
  return {
    store: opened,
    prices,
    versions: versions(),
    git: gitRevision(),
    now: () => new Date(),
    makeRunner: runnerHere(models),
    openModel: (id, role) =>
      openModel(id, {
        env,
        prices,
        log,
        options: optionsFor(role, models.modelOptions ?? {}),
        limiters: LIMITERS,
        readMedia: (ref) => opened.media.read(ref),
        storeMedia: (bytes, type) => opened.media.keep(bytes, type),
        hasMedia: (ref) => opened.media.has(ref),
        generators: models.generators ?? {},
        ...(destinations && { destinations }),
        replies: models.cache === false ? writeOnly(opened.replies) : opened.replies,
        batches: { files: opened.batches, adopts: models.cache !== false },
        ...modelDefaults(models),
        recorded: async (run) => RecordedRun.read(await opened.openRun(run)),
        ...(models.maxConnections === undefined ? {} : { maxConnections: models.maxConnections }),
        ...ratesOf(models, `${id} ${String(optionsFor(role, models.modelOptions ?? {})['base_url'])}`),
      }),
  }
}

/** Plays episodes in this process. @param suiteModule where its threads load a custom suite from */
export function runnerHere({ threads }: ModelSettings, suiteModule: string | null = null): MakeRunner {
  return runnerWithThreads({ count: threads ?? availableParallelism(), suites: SUITES, suiteModule })
}

/** Plays in a thread of its own, for the viewer's server. @param suiteModule where it loads a custom suite from */
export function runnerInOwnThread(suiteModule: string | null): MakeRunner {
  return runnerInThread({ suites: SUITES, suiteModule })
}

export function modelDefaults({ maxRetries, timeout }: ModelSettings): { maxRetries: number; timeoutMs: number } {
  return {
    maxRetries: maxRetries ?? DEFAULT_RETRIES,
    timeoutMs: (timeout ?? DEFAULT_TIMEOUT_SECONDS) * 1000,
  }
}

/** Rate limits apply per model. */
function ratesOf(models: ModelSettings, model: string): Pick<ModelDeps, 'rateLimiter'> {
  const rates = {
    requestsPerMinute: models.requestsPerMinute ?? null,
    tokensPerMinute: models.tokensPerMinute ?? null,
  }
  if (rates.requestsPerMinute === null && rates.tokensPerMinute === null) return {}
  const key = `${model} ${rates.requestsPerMinute} ${rates.tokensPerMinute}`
  return {
    rateLimiter: () => {
      const held = RATE_LIMITERS.hold(key, () => new LocalRateLimiter(rates, realClock))
      return { acquire: (signal) => held.value.acquire(signal), close: () => held.release() }
    },
  }
}

/** Ignores cached replies but still stores new ones: an interrupted run resumes from them. */
function writeOnly(replies: Store['replies']): ReplyStore {
  return {
    get: () => Promise.resolve(undefined),
    has: (key) => replies.has(key),
    put: (key, value) => replies.put(key, value),
  }
}

/** `-M judge.base_url=…` is for the judge; options without a role are for the player. */
export function optionsFor(role: Role, options: Readonly<Record<string, unknown>>): Record<string, unknown> {
  const named = Object.entries(options).map(([key, value]) => {
    const owner = ROLES.find((each) => key.startsWith(`${each}.`)) ?? 'player'
    return { owner, key: key.startsWith(`${owner}.`) ? key.slice(owner.length + 1) : key, value }
  })
  const own = Object.fromEntries(named.filter(({ owner }) => owner === role).map(({ key, value }) => [key, value]))
  return role === 'transcriber' ? { api: 'transcriptions', ...own } : own
}

/** Resolves a model name: a short name from the config, or `provider/name`. */
export function namedModel(
  name: string,
  settings: Settings,
): { model: string; options: Record<string, unknown>; task: Record<string, unknown> } {
  const names = Object.keys(settings.models ?? {})
  const known = names.includes(name) ? settings.models?.[name] : undefined
  if (known === undefined && names.length > 0 && !name.includes('/')) {
    throw new UserError(`Unknown model "${name}".`, {
      hint: `${didYouMean(name, names, 'Models in the config')} Otherwise use provider/name.`,
    })
  }
  return { model: known?.model ?? name, options: { ...known?.options }, task: { ...known?.task } }
}

export function packageVersion(): string {
  const path = new URL('../../package.json', import.meta.url)
  return (JSON.parse(readFileSync(path, 'utf8')) as { version: string }).version
}

function versions(): Record<string, string> {
  return { sightline: packageVersion(), node: process.version, platform: `${process.platform}-${process.arch}` }
}

/** Git revision of the folder that the run was started in; null outside a repository. */
function gitRevision(): string | null {
  try {
    return execFileSync('git', ['rev-parse', 'HEAD'], { encoding: 'utf8', stdio: ['ignore', 'pipe', 'ignore'] }).trim()
  } catch {
    return null
  }
}
