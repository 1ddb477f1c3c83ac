/** Scores the probes of an episode turn by turn, against the world at that time. */
import type { JsonObject } from '../../../suite.ts'
import { parseChanges } from '../parse/changes.ts'
import { drawFogProbe, type FogProbe, fogRandom, letterOf, scoreFogProbe } from '../domain/belief/fog-probe.ts'
import { revisionTurn } from './inertia.ts'
import { AGENT, type BeliefMap, type MapContext } from '../parse/maps.ts'
import { scoreConsistency, scoreGlobalMap, scoreLocalMap } from '../domain/belief/probes.ts'
import { type BeliefTurn, beliefRecord, constantScores, revisionRecord } from './record.ts'
import { scoreRoomsMap } from '../domain/belief/rooms-map.ts'
import type { SpaceSample } from '../samples/sample.ts'
import { readMapJson } from '../parse/map-json.ts'
import { startRevision } from '../domain/explore/exploration.ts'
import type { Progress } from '../domain/explore/progress.ts'
import { RevisionTracker } from '../domain/explore/revision-tracker.ts'
import type { Profile } from '../domain/profile.ts'
import { replay, type ReplayedTurn } from '../domain/explore/replay.ts'
import { scoreChanges } from './changes.ts'
import type { RevisedScene, Scene } from '../domain/grid/scene.ts'
import type { MapReply, SpaceOutcome } from '../domain/outcome.ts'

/** Collects the scores of the first exploration; call `after` with the state after each turn. */
export class BeliefScorer {
  readonly #sample: SpaceSample
  readonly #profile: Profile
  readonly #runProfile: Profile
  readonly #replies: ReadonlyMap<number, readonly MapReply[]>
  readonly #turns: BeliefTurn[] = []
  readonly #constant: BeliefTurn[] = []
  #observedBefore: ReadonlySet<string> = new Set()
  #lastReply: string | undefined

  constructor(sample: SpaceSample, outcome: SpaceOutcome, profile: Profile) {
    this.#sample = sample
    this.#profile = profile
    this.#runProfile = outcome.profile
    this.#replies = byTurn(outcome.maps)
  }

  after(number: number, { state }: ReplayedTurn, progress: Progress): void {
    const context: MapContext = { scene: state.scene, pose: state.pose, observed: state.observed }
    const fresh = new Set([...state.observed].filter((name) => !this.#observedBefore.has(name)))
    this.#observedBefore = state.observed
    const replies = this.#replies.get(number)
    if (!replies) return
    const reply = (kind: MapReply['kind']): string | undefined => replies.find((each) => each.kind === kind)?.reply
    const turn: BeliefTurn = { observed: state.observed, candidates: candidatesOf(this.#sample, progress) }
    const [global, local, rooms, fog] = [reply('global'), reply('local'), reply('rooms'), reply('fog')]
    if (global !== undefined) {
      turn.global = scoreGlobalMap(global, context, this.#profile)
      this.#lastReply = global
    }
    if (local !== undefined) turn.local = scoreLocalMap(local, context, fresh, this.#profile)
    if (turn.global && turn.local) turn.consistency = scoreConsistency(turn.local, turn.global, context, this.#profile)
    if (rooms !== undefined) turn.rooms = scoreRoomsMap(rooms, context, this.#profile)
    if (fog !== undefined) {
      const probe = this.#probe(context, number, progress)
      if (probe) turn.fog = scoreFogProbe(fog, probe, this.#profile)
    }
    this.#turns.push(turn)
    this.#constant.push(this.#constantTurn(turn, context, fresh, number, progress))
  }

  /** The scores of replies that need no look: everything at the start, facing north, and every lettered cell. */
  #constantTurn(
    { global, local, fog, observed, candidates }: BeliefTurn,
    context: MapContext,
    fresh: ReadonlySet<string>,
    number: number,
    progress: Progress,
  ): BeliefTurn {
    const map = JSON.stringify(
      Object.fromEntries([...context.observed, AGENT].map((name) => [name, { position: [0, 0], facing: 'north' }])),
    )
    const probe = fog && this.#probe(context, number, progress)
    return {
      observed,
      candidates,
      ...(global && { global: scoreGlobalMap(map, context, this.#profile) }),
      ...(local && { local: scoreLocalMap(map, context, fresh, this.#profile) }),
      ...(probe && {
        fog: scoreFogProbe(
          JSON.stringify({ unexplored: probe.candidates.map((_, i) => letterOf(i)) }),
          probe,
          this.#profile,
        ),
      }),
    }
  }

  #probe({ scene, pose }: MapContext, number: number, progress: Progress): FogProbe | null {
    return drawFogProbe(progress.fog, scene, pose, fogRandom(this.#sample.id, number), this.#runProfile)
  }

  /** Overall correctness of the last map so far; null before the first one. */
  get correctness(): number | null {
    return this.#turns.findLast(({ global }) => global !== undefined)?.global?.full?.overall ?? null
  }

  record(): Record<string, number> {
    if (this.#turns.length === 0) return {}
    const { scene } = this.#sample
    return {
      ...beliefRecord(scene, this.#turns, this.#profile),
      ...constantScores(beliefRecord(scene, this.#constant, this.#profile)),
    }
  }

  /** The last readable global map before the scene changed, and the last reply that should have one. */
  get lastBelief(): { map: BeliefMap; json: JsonObject | null } {
    const map = this.#turns.findLast(({ global }) => global?.map)?.global?.map ?? []
    return { map, json: this.#lastReply === undefined ? null : readMapJson(this.#lastReply, this.#profile) }
  }
}

type OldBelief = BeliefScorer['lastBelief']

interface RevisionContext {
  profile: Profile
  old: OldBelief
  maxSteps: number
}

/** Of each change after several: what is compared over time. */
const ROUND_KEYS = {
  f1: 'revision.identification.f1',
  belief: 'revision.final.overall',
  cost: 'revision.cost',
} as const

/** Scores the exploration after every change; `before` is the last turn of the first exploration. */
export function scoreRevisions(
  { scene, revision, later = [] }: SpaceSample,
  outcome: SpaceOutcome,
  before: ReplayedTurn,
  progress: Progress,
  context: RevisionContext,
): Record<string, number> {
  if (!outcome.revision || !revision) return {}
  const first = scoreRevision(scene, revision, outcome.revision, before, progress, context)
  if (later.length === 0) return first.record
  const rounds = [first]
  for (const [i, changed] of later.entries()) {
    const { last, belief } = rounds.at(-1)!
    const played = outcome.later?.[i]
    if (!last || !played) break
    const known = { ...context, old: belief }
    rounds.push(scoreRevision([revision, ...later][i]!.scene, changed, played, last, progress, known))
  }
  const record = { ...first.record }
  for (const [i, round] of rounds.entries())
    for (const [name, key] of Object.entries(ROUND_KEYS))
      if (round.record[key] !== undefined) record[`changes.${name}.${i + 1}`] = round.record[key]
  return record
}

interface ScoredRevision {
  record: Record<string, number>
  /** The last turn, and the map that the next change finds. */
  last: ReplayedTurn | null
  belief: OldBelief
}

/** Scores the exploration after a change; `before` is the last turn before it. */
function scoreRevision(
  sceneBefore: Scene,
  revision: RevisedScene,
  played: NonNullable<SpaceOutcome['revision']>,
  before: ReplayedTurn,
  progress: Progress,
  context: RevisionContext,
): ScoredRevision {
  const { scene, changes } = revision
  let belief = context.old
  const { state } = startRevision(before.state, scene, { changes: changes.length, maxSteps: context.maxSteps })
  progress.revise(scene)
  const sight = new RevisionTracker(changes.map(({ name }) => name))
  const maps = byTurn(played.maps)
  const turns: ReturnType<typeof revisionTurn>[] = []
  const everything = new Set(scene.order)
  const replayed = replay(state, played.explored, progress, (number, turn) => {
    const seen = sight.record(turn.turn, turn.state)
    const reply = maps.get(number)?.find(({ kind }) => kind === 'global-false-belief')?.reply
    if (reply === undefined || turn.turn.done) return
    const { pose } = turn.state
    const { map } = scoreGlobalMap(reply, { scene, pose, observed: everything }, context.profile)
    const { old } = context
    belief = { map: map ?? belief.map, json: readMapJson(reply, context.profile) }
    const world = { scene, before: sceneBefore, pose, changes, oldBelief: old.map, oldJson: old.json }
    turns.push(revisionTurn(map, seen, world, context.profile))
  })
  const last = replayed.at(-1)
  if (!last) return { record: {}, last: null, belief }
  const finalReply = maps.get(played.explored.length)?.find(({ kind }) => kind === 'global-false-belief')?.reply
  const finalMap =
    finalReply === undefined || !last.turn.done
      ? undefined
      : scoreGlobalMap(finalReply, { scene, pose: last.state.pose, observed: everything }, context.profile)
  const final = finalMap?.full
  if (finalMap?.map && finalReply !== undefined)
    belief = { map: finalMap.map, json: readMapJson(finalReply, context.profile) }
  const reported = last.turn.changes
  const everyChange = scene.objects.map(({ name }) => ({ name, position: true, orientation: true }))
  const constant = scoreChanges(everyChange, changes)
  const record = revisionRecord(
    {
      identified:
        reported === undefined ? null : scoreChanges(parseChanges(reported, scene.order, context.profile), changes),
      turns,
      ...(final === undefined ? {} : { final }),
      cost: last.state.cost - last.state.costBeforePhase,
      redundantCost: sight.redundantCost(last.state),
    },
    context.profile,
  )
  const constants = constantScores({
    'revision.identification.f1': constant.f1,
    'revision.identification.position': constant.position,
    'revision.identification.facing': constant.orientation,
  })
  return { record: { ...record, ...constants }, last, belief }
}

function byTurn(maps: readonly MapReply[]): Map<number, MapReply[]> {
  const turns = new Map<number, MapReply[]>()
  for (const map of maps) turns.set(map.turn, [...(turns.get(map.turn) ?? []), map])
  return turns
}

/** Number of possible positions of each entity, by the solver. */
function candidatesOf({ scene }: SpaceSample, { solver }: Progress): Map<string, number> {
  return new Map(scene.order.flatMap((name) => (solver.size(name) === undefined ? [] : [[name, solver.size(name)!]])))
}
