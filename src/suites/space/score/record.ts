/** Flattens the probe scores of an episode into one record. Metrics without a value are left out. */
import type { Scene } from '../domain/grid/scene.ts'
import type { Profile } from '../domain/profile.ts'
import type { FogScore } from '../domain/belief/fog-probe.ts'
import { revisionMetrics, type RevisionTurn } from './inertia.ts'
import { type MapMetrics, meanMetrics, ZERO_METRICS } from '../domain/belief/metrics.ts'
import type { GlobalScore, LocalScore } from '../domain/belief/probes.ts'
import type { RoomsScore } from '../domain/belief/rooms-map.ts'
import { ERROR_ORIGINS, errorOrigins } from './error-origins.ts'
import { stabilityOf } from './stability.ts'
import type { ChangeScore } from './changes.ts'

/** Scores of the probes after a turn. */
export interface BeliefTurn {
  global?: GlobalScore
  local?: LocalScore
  consistency?: MapMetrics | null
  rooms?: RoomsScore
  fog?: FogScore
  /** Names of everything observed up to this turn. */
  observed: ReadonlySet<string>
  /** Number of possible positions of each entity, by the solver. */
  candidates: ReadonlyMap<string, number>
}

const FIELDS = ['direction', 'facing', 'position', 'overall'] as const
const FOG_FIELDS = ['f1', 'precision', 'recall', 'balancedAccuracy', 'mcc'] as const

function put(record: Record<string, number>, name: string, metrics: MapMetrics | null | undefined): void {
  if (metrics) for (const field of FIELDS) record[`${name}.${field}`] = metrics[field]
}

function putMean(record: Record<string, number>, name: string, values: readonly (number | null | undefined)[]): void {
  const known = values.filter((value) => value !== null && value !== undefined)
  if (known.length > 0) record[name] = known.reduce((sum, value) => sum + value, 0) / known.length
}

function meanOf(all: readonly (MapMetrics | null | undefined)[]): MapMetrics | null {
  return meanMetrics(all.filter((metrics) => metrics !== null && metrics !== undefined))
}

/**
 * - `map.correctness`: the last map against the whole scene;
 * - `map.observed`, `map.local`, `map.rooms`: mean over turns, against everything observed, everything in view, and the
 *   rooms seen so far;
 * - `map.perception`: entities seen for the first time, on the local map;
 * - `map.consistency`: local against global map of the same turn;
 * - `map.selfTracking`: the player on the global map;
 * - `map.stability`: known entities did not get worse;
 * - `map.uncertainty`: the fog probe;
 * - `map.formatError`: fraction of replies without a map;
 * - `origin`: where errors of the last map entered.
 */
export function beliefRecord(scene: Scene, turns: readonly BeliefTurn[], profile: Profile): Record<string, number> {
  const record: Record<string, number> = {}
  const maps = turns.flatMap(({ global }) => (global ? [global] : []))
  put(record, 'map.correctness', maps.at(-1)?.full)
  put(record, 'map.observed', meanOf(maps.map(({ observed }) => observed)))
  put(record, 'map.local', meanOf(turns.map(({ local }) => local?.all)))
  put(record, 'map.perception', meanOf(turns.map(({ local }) => local?.newly)))
  put(record, 'map.consistency', meanOf(turns.map(({ consistency }) => consistency)))
  put(record, 'map.rooms', meanOf(turns.map(({ rooms }) => rooms?.metrics)))
  put(record, 'map.selfTracking', meanOf(maps.map(({ agent }) => agent)))
  const probed = turns.filter(({ global }) => global !== undefined)
  const stability = stabilityOf(
    scene,
    probed.map(({ global, observed, candidates }) => ({ map: global?.map ?? null, observed, candidates })),
    profile,
  )
  putMean(
    record,
    'map.stability.position',
    stability.map(({ position }) => position),
  )
  putMean(
    record,
    'map.stability.facing',
    stability.map(({ facing }) => facing),
  )
  for (const field of FOG_FIELDS)
    putMean(
      record,
      `map.uncertainty.${field}`,
      turns.map(({ fog }) => fog?.[field]),
    )
  putMean(record, 'map.formatError', turns.flatMap(formatErrors))
  const origins = errorOrigins(
    scene,
    probed.map(({ global, observed }) => ({ map: global?.map ?? null, observed })),
  )
  for (const origin of origins === null ? [] : ERROR_ORIGINS) record[`origin.${origin}`] = origins![origin]
  return record
}

function formatErrors({ global, local, rooms, fog }: BeliefTurn): number[] {
  const errors: number[] = []
  if (global) errors.push(global.map === null ? 1 : 0)
  if (local) errors.push(local.map === null ? 1 : 0)
  if (rooms) errors.push(rooms.read ? 0 : 1)
  if (fog) errors.push(fog.formatError)
  return errors
}

/** Does a metric have a score for a reply that needs no look at the scene? */
export function isConstantScored(key: string): boolean {
  return /^map\.(?:correctness|perception|selfTracking|uncertainty)\.|^revision\.identification\./.test(key)
}

/** The scores of constant replies under `KEY.constant`. */
export function constantScores(record: Readonly<Record<string, number>>): Record<string, number> {
  return Object.fromEntries(
    Object.entries(record).flatMap(([key, value]) => (isConstantScored(key) ? [[`${key}.constant`, value]] : [])),
  )
}

export interface RevisionEpisode {
  /** Score of the reported changes; null if the phase ended without a report. */
  identified: ChangeScore | null
  /** Turns with a map probe. */
  turns: readonly RevisionTurn[]
  /** The last map against the changed scene; only profile `fixed` asks for it. */
  final?: MapMetrics | null
  /** Cost of the phase. */
  cost: number
  /** Cost spent after all changed objects had been seen; undefined if they never were. */
  redundantCost: number | undefined
}

/** Facing inertia is the fraction of turned objects that keep their old facing; for position inertia see inertia.ts. */
export function revisionRecord(episode: RevisionEpisode, profile: Profile): Record<string, number> {
  const { f1 = 0, position = 0, orientation = 0 } = episode.identified ?? {}
  const record: Record<string, number> = {
    'revision.identification.f1': f1,
    'revision.identification.position': position,
    'revision.identification.facing': orientation,
    'revision.cost': episode.cost,
  }
  if (episode.redundantCost !== undefined) record['revision.redundantCost'] = episode.redundantCost
  const metrics = revisionMetrics(episode.turns, profile)
  putMean(record, 'revision.belief.position', [metrics.changed.position])
  putMean(record, 'revision.belief.facing', [metrics.changed.facing])
  putMean(record, 'revision.inertia.position', [metrics.inertia])
  if (metrics.inertias.length > 0) {
    record['moment.inertia.sum'] = metrics.inertias.reduce((sum, one) => sum + one, 0)
    record['moment.inertia.count'] = metrics.inertias.length
  }
  putMean(record, 'revision.inertia.facing', [metrics.retention.facing])
  putMean(record, 'revision.selectivity.position', [metrics.selectivity.position])
  putMean(record, 'revision.selectivity.facing', [metrics.selectivity.facing])
  put(record, 'revision.unchanged', metrics.unchanged)
  put(record, 'revision.final', episode.final === null && profile === 'fixed' ? ZERO_METRICS : episode.final)
  return record
}
