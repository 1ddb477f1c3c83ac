/** Players answer requests in a role; models and baselines share one interface. */
import { BASELINE_PREFIX } from '../base/baseline.ts'
import { UserError } from '../base/errors.ts'
import { didYouMean } from '../base/nearest.ts'
import type { Random } from '../base/random.ts'
import type { MediaRef, MediaType } from '../media/ref.ts'
import {
  type Batches,
  type Model,
  type ModelRequest,
  NO_USAGE,
  type Payments,
  type Reply,
  type Role,
  type Usage,
} from '../models/types.ts'
import type { DataFiles } from './data-files.ts'
import { parseSource } from './source.ts'
import type { AnySuite, Baseline, BaselinePlayer, SampleBase } from './suite.ts'

export { BASELINE_PREFIX }
/** A person who plays in the viewer. */
export const HUMAN_PREFIX = 'human/'

/** Answers requests of one role in one episode. */
export type Responder = (request: ModelRequest, signal: AbortSignal) => Promise<Reply>

/** Passed to a player when an episode starts. */
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
  /** The kind of answer it gives; `suite` means whatever the suite needs. */
  readonly output: 'text' | 'video' | 'suite'
  /** URL of the model; null for players in this process. */
  readonly address: string | null
  /** The server holds one model in memory. */
  readonly swapsModels?: boolean
  connections(): number
  /** Milliseconds until the next request is sent, if the server asked for a pause. */
  pausedMs?(): number
  /** Where its requests gather before they are sent as batches. */
  readonly batches?: Batches | undefined
  /** Starts one episode. Baselines see the sample. */
  startEpisode(sample: SampleBase, context: PlayerContext): Responder
  close(): Promise<void>
}

const ONE_CALL: Usage = { ...NO_USAGE, calls: 1 }

/** Concurrent episodes of baselines: enough to fill a group commit of the journal. */
const LOCAL_CONCURRENCY = 16

export function modelPlayer(model: Model): Player {
  return {
    id: model.id,
    local: model.local,
    output: model.output === 'recorded' ? 'suite' : (model.output ?? 'text'),
    address: model.address ?? null,
    swapsModels: model.swapsModels === true,
    connections: () => (model.local ? LOCAL_CONCURRENCY : model.connections()),
    ...(model.pausedMs && { pausedMs: () => model.pausedMs!() }),
    ...(model.batches && { batches: model.batches }),
    startEpisode: () => (request, signal) => askAndRecord(model, request, signal),
    close: () => model.close(),
  }
}

/** Asks a model. What one of the user's own charges without having said so before is recorded afterwards. */
async function askAndRecord(model: Model, request: ModelRequest, signal: AbortSignal): Promise<Reply> {
  const { payments } = request
  if (!payments || model.local) return model.ask(request, signal)
  let recorded = false
  const intend: Payments['intend'] = (estimate, batched) => {
    recorded = true
    return payments.intend(estimate, batched)
  }
  const reply = await model.ask({ ...request, payments: { intend } }, signal)
  const charged = !reply.cached && reply.usage.inputTokens + reply.usage.outputTokens > 0
  if (charged && !recorded) await (await payments.intend(reply.usage))(reply.usage)
  return reply
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
        const answer = await player(request, signal)
        const reply: Reply = { text: '', finish: 'stop', usage: ONE_CALL, ms: 0, cached: false }
        if (typeof answer === 'string') reply.text = answer
        else reply.media = [await context.keep(answer.bytes, answer.type)]
        return reply
      }
    },
    close: () => Promise.resolve(),
  }
}

/** Throws if a baseline cannot play a source, before a run is created. */
export function checkCanPlaySource(suite: AnySuite, id: string, source: string): void {
  const { cannotPlay = {} } = findBaseline(suite, id)
  const { name } = parseSource(source)
  if (!Object.hasOwn(cannotPlay, name)) return
  const others = Object.keys(suite.sources).filter((each) => !Object.hasOwn(cannotPlay, each))
  throw new UserError(`${id} cannot play the source "${name}" of ${suite.name}: ${cannotPlay[name]}.`, {
    hint: `It can play ${others.join(', ')}.`,
  })
}

function findBaseline(suite: AnySuite, id: string): Baseline<SampleBase, unknown> {
  const name = id.slice(BASELINE_PREFIX.length)
  const baseline = Object.hasOwn(suite.baselines, name) ? suite.baselines[name] : undefined
  if (baseline) return baseline
  throw new UserError(`${suite.name} has no baseline "${id}".`, {
    hint: didYouMean(
      id,
      Object.keys(suite.baselines).map((known) => BASELINE_PREFIX + known),
      'Baselines',
    ),
  })
}

export type Players = ReadonlyMap<Role, Player>

export function batchesOf(players: Players): Batches[] {
  return [...players.values()].flatMap(({ batches }) => batches ?? [])
}

/** Number of episodes to play concurrently: one per model connection. */
export function maxConcurrentEpisodes(players: Players): number {
  let most = 0
  for (const player of players.values()) if (!player.local) most = Math.max(most, 1, player.connections())
  return most === 0 ? LOCAL_CONCURRENCY : most
}
