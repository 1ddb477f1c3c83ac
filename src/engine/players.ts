/** Who answers in which role. Models and built-in players look alike from here on. */
import { UserError } from '../base/errors.ts'
import { didYouMean } from '../base/nearest.ts'
import type { Random } from '../base/random.ts'
import type { MediaRef, MediaType } from '../media/ref.ts'
import { type Model, type ModelRequest, NO_USAGE, type Reply, type Role } from '../models/types.ts'
import type { DataFiles } from './data-files.ts'
import { parseSource } from './source.ts'
import type { AnySuite, Baseline, BaselinePlayer, SampleBase } from './suite.ts'

export const BASELINE_PREFIX = 'baseline/'

/** Answers requests of one role in one episode. */
export type Responder = (request: ModelRequest, signal: AbortSignal) => Promise<Reply>

/** What an episode gives its players. */
export interface PlayerContext {
  random: Random
  options: unknown
  profile: string
  files: DataFiles
  keep(bytes: Uint8Array, type: MediaType): Promise<MediaRef>
}

export interface Player {
  readonly id: string
  readonly local: boolean
  /** What it answers with; `suite` is whatever the suite asks for. */
  readonly output: 'text' | 'video' | 'suite'
  /** Where it is asked; null for those that answer here. */
  readonly address: string | null
  connections(): number
  /** Starts one episode; built-in players see the case. */
  startEpisode(sample: SampleBase, context: PlayerContext): Responder
  close(): Promise<void>
}

/** Episodes of built-in players that are under way at once: enough to fill a group commit of the journal. */
const LOCAL_CONCURRENCY = 16

export function modelPlayer(model: Model): Player {
  return {
    id: model.id,
    local: model.local,
    output: model.output === 'recorded' ? 'suite' : (model.output ?? 'text'),
    address: model.address ?? null,
    connections: () => (model.local ? LOCAL_CONCURRENCY : model.connections()),
    startEpisode: () => (request, signal) => model.ask(request, signal),
    close: () => model.close(),
  }
}

export function baselinePlayer(suite: AnySuite, id: string): Player {
  const baseline = findBaseline(suite, id)
  return {
    id,
    local: true,
    output: 'suite',
    address: null,
    connections: () => LOCAL_CONCURRENCY,
    startEpisode(sample, context) {
      const { random, options, profile, files } = context
      const player: BaselinePlayer = baseline.start(sample, { random: random.fork(id), options, profile, files })
      return async (request, signal) => {
        const made = await player(request, signal)
        return {
          ...(typeof made === 'string'
            ? { text: made }
            : { text: '', media: [await context.keep(made.bytes, made.type)] }),
          finish: 'stop',
          usage: { ...NO_USAGE, calls: 1 },
          ms: 0,
          cached: false,
        }
      }
    },
    close: () => Promise.resolve(),
  }
}

/** A built-in player that cannot play a source at all says so before there is a run. */
export function checkCanPlaySource(suite: AnySuite, id: string, source: string): void {
  const { cannotPlay = {} } = findBaseline(suite, id)
  const { name } = parseSource(source)
  if (!Object.hasOwn(cannotPlay, name)) return
  const others = Object.keys(suite.sources).filter((each) => !Object.hasOwn(cannotPlay, each))
  throw new UserError(`${id} cannot play the source "${name}" of ${suite.name}: ${cannotPlay[name]}.`, {
    hint: `It plays ${others.join(', ')}.`,
  })
}

function findBaseline(suite: AnySuite, id: string): Baseline<SampleBase, unknown> {
  const name = id.slice(BASELINE_PREFIX.length)
  const baseline = Object.hasOwn(suite.baselines, name) ? suite.baselines[name] : undefined
  if (baseline) return baseline
  throw new UserError(`${suite.name} has no built-in player called "${id}".`, {
    hint: didYouMean(
      id,
      Object.keys(suite.baselines).map((known) => BASELINE_PREFIX + known),
      'Built-in players',
    ),
  })
}

export type Players = ReadonlyMap<Role, Player>

/** About how many episodes should be under way: one for every request that may be. */
export function maxConcurrentEpisodes(players: Players): number {
  const remote = [...players.values()].filter(({ local }) => !local)
  if (remote.length === 0) return LOCAL_CONCURRENCY
  return Math.max(1, ...remote.map((player) => player.connections()))
}
