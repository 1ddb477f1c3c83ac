/** Checks the grid world of Theory of Space against the published environment, profile `upstream`. */
import { z } from 'zod'
import { parseChanges } from '../src/suites/space/parse/changes.ts'
import { actionText, parseActions } from '../src/suites/space/parse/actions.ts'
import {
  type ActionCounts,
  type ExplorationState,
  startExploration,
  startRevision,
  step,
} from '../src/suites/space/domain/explore/exploration.ts'
import { Progress } from '../src/suites/space/domain/explore/progress.ts'
import { RevisionTracker } from '../src/suites/space/domain/explore/revision-tracker.ts'
import { gridSizeOf } from '../src/suites/space/domain/explore/solver.ts'
import {
  aheadOf,
  bearingDegrees,
  CARDINAL_LABELS,
  cardinalBin,
  cardinalBinOfCells,
  DISTANCE_LABELS,
  distanceBin,
  distanceBinOfSquare,
  EGO_LABELS,
  egoBinOfCells,
  facingWord,
  headingName,
  rightOf,
  rotateHeading,
  wallWord,
} from '../src/suites/space/domain/grid/relations.ts'
import { type Change, type Entity, NORTH, type Scene, type Vec } from '../src/suites/space/domain/grid/scene.ts'
import { sceneFromJson } from '../src/suites/space/domain/grid/scene-json.ts'
import {
  describeEntity,
  entityNamed,
  inView,
  poseAt,
  proximityPairs,
  proximityPhrase,
  START,
  observationText,
  visibleEntities,
} from '../src/suites/space/domain/grid/view.ts'
import { symbolicMap } from '../src/suites/space/domain/grid/symbolic-map.ts'
import { PROXY_NAMES, runProxy } from '../src/suites/space/domain/proxies/run.ts'
import { type Check, eachCase, firstDifference, listed, verdict } from './agreement/check.ts'
import { roomNamed, roomsById } from './space-rooms.ts'
import { scoreChanges } from '../src/suites/space/score/changes.ts'
import { layoutText } from '../src/suites/space/play/opening.ts'

const vec = z.tuple([z.number(), z.number()])
const binAndLabel = z.tuple([z.int(), z.string()])

const relation = z.looseObject({
  agent_pos: vec,
  agent_ori: vec,
  obj_pos: vec,
  obj_ori: vec.optional(),
  bearing_deg: z.number(),
})
const degreeBin = z.object({ deg: z.number(), cardinal: binAndLabel })
const distanceBinCase = z.object({ d: z.number(), bin: binAndLabel })
const rotation = z.object({ ori: vec, rotate: z.number(), result: vec })
const relationsFile = z.object({
  cases: listed,
  scalar_degree_bins: listed,
  scalar_distance_bins: listed,
  rotations: listed,
})

function relationOf(from: Vec, heading: Vec, to: Vec, facing: Vec | undefined): Record<string, unknown> {
  const bearing = bearingDegrees(from, heading, to)
  const north = bearingDegrees(from, NORTH, to)
  const [dx, dy] = [to[0] - from[0], to[1] - from[1]]
  const [right, ahead] = [rightOf(heading, dx, dy), aheadOf(heading, dx, dy)]
  const ego = egoBinOfCells(right, ahead)
  const distance = distanceBinOfSquare(dx * dx + dy * dy)
  const cardinal = cardinalBinOfCells(dx, dy)
  const inFrame = cardinalBinOfCells(right, ahead)
  const subject: Entity = { kind: 'object', name: 'A', pos: to, heading: NORTH, oriented: false, room: 1 }
  const anchor: Entity = { kind: 'object', name: 'B', pos: from, heading: NORTH, oriented: false, room: 1 }
  const [pair] = proximityPairs([subject, anchor], heading)
  return {
    bearing_deg: bearing,
    bearing_north_deg: north,
    ego_bin_id: ego,
    ego_label: EGO_LABELS[ego],
    dist_bin_id: distance,
    dist_label: DISTANCE_LABELS[distance],
    cardinal_bin_id: cardinal,
    cardinal_label: CARDINAL_LABELS[cardinal],
    agent_frame_cardinal_bin_id: inFrame,
    agent_frame_cardinal_label: CARDINAL_LABELS[inFrame],
    in_fov_90: inView({ pos: from, heading }, to),
    proximity: pair === undefined ? null : proximityPhrase(pair),
    ...(facing && {
      obj_ori: facing,
      facing_ego: `facing ${facingWord(facing, heading)}`,
      facing_allo: `facing ${headingName(facing)}`,
      gate_wall: `on ${wallWord(facing, heading)} wall`,
    }),
  }
}

export const relations: Check = function* (file) {
  const parsed = relationsFile.parse(file)
  yield* eachCase('cases', parsed.cases, relation, function* (given, i) {
    // Runs only use distance bins and a single field of view.
    const { tag: _tag, distance: _, in_fov_180: __, agent_pos, agent_ori, obj_pos, ...theirs } = given
    const ours = relationOf(agent_pos, agent_ori, obj_pos, given.obj_ori)
    // Directly behind is +180 or -180, depending on the sign of a floating-point zero.
    for (const key of ['bearing_deg', 'bearing_north_deg']) {
      if (theirs[key] === -180 && ours[key] === 180) ours[key] = -180
      if (theirs[key] === 180 && ours[key] === -180) ours[key] = 180
    }
    yield verdict(`cases[${i}]`, firstDifference(ours, theirs))
  })
  yield* eachCase('scalar_degree_bins', parsed.scalar_degree_bins, degreeBin, function* ({ deg, cardinal }, i) {
    const ours = [cardinalBin(deg), CARDINAL_LABELS[cardinalBin(deg)]]
    yield verdict(`scalar_degree_bins[${i}]`, firstDifference(ours, cardinal))
  })
  yield* eachCase('scalar_distance_bins', parsed.scalar_distance_bins, distanceBinCase, function* ({ d, bin }, i) {
    yield verdict(`scalar_distance_bins[${i}]`, firstDifference([distanceBin(d), DISTANCE_LABELS[distanceBin(d)]], bin))
  })
  yield* eachCase('rotations', parsed.rotations, rotation, function* ({ ori, rotate, result }, i) {
    yield verdict(`rotations[${i}]`, firstDifference(rotateHeading(ori, rotate), result))
  })
}

const observation = z.object({
  at: z.string(),
  pos: vec,
  ori: vec,
  room_id: z.union([z.int(), z.array(z.int())]),
  message: z.string(),
  visible: z.array(z.string()),
  relationships: z.array(z.string()),
  local: z.array(z.string()),
})
const roomCase = z.looseObject({
  id: z.string(),
  symbolic_map: z.string(),
  symbolic_map_no_objects: z.string(),
  description: z.string(),
  observations: listed,
})
const roomsFile = z.object({ rooms: listed })

/** The objects as marks a, b, c … in listing order. */
function objectMarks(scene: Scene): { pos: Vec; mark: string }[] {
  return scene.order.flatMap((name, i) => {
    const entity = entityNamed(scene, name)
    return entity?.kind === 'object'
      ? [{ pos: entity.pos, mark: String.fromCharCode('a'.charCodeAt(0) + (i % 26)) }]
      : []
  })
}

export const rooms: Check = function* (file) {
  yield* eachCase('rooms', roomsFile.parse(file).rooms, roomCase, function* (room) {
    const scene = sceneFromJson(room, room.id)
    yield verdict(`${room.id}.description`, firstDifference(layoutText(scene, 'upstream'), room.description))
    const drawn = { with: symbolicMap(scene, { marks: objectMarks(scene) }), without: symbolicMap(scene) }
    yield verdict(
      `${room.id}.symbolic_map`,
      firstDifference(drawn, { with: room.symbolic_map, without: room.symbolic_map_no_objects }),
    )
    yield* eachCase(`${room.id}.observations`, room.observations, observation, function* (theirs, i) {
      const entity = theirs.at === START ? START : entityNamed(scene, theirs.at)
      if (entity === undefined) {
        yield verdict(`${room.id}.observations[${i}]`, `unknown entity ${theirs.at}`)
        return
      }
      const pose = poseAt(scene, entity, theirs.ori)
      const visible = visibleEntities(scene, pose)
      const ours = {
        at: theirs.at,
        pos: pose.pos,
        ori: pose.heading,
        room_id: pose.rooms.length === 1 ? pose.rooms[0] : pose.rooms,
        message: observationText(visible, pose, 'upstream'),
        visible: visible.map(({ name }) => name),
        relationships: visible.map((seen) => `${seen.name}: ${describeEntity(seen, pose)}`),
        local: proximityPairs(visible, pose.heading).map(proximityPhrase),
      }
      yield verdict(`${room.id}.observations[${i}]`, firstDifference(ours, theirs))
    })
  })
}

const actionCounts = z.record(z.string(), z.int())
const cells = z.array(vec)
const stepState = z.object({
  agent_pos: vec,
  agent_ori: vec,
  agent_room: z.union([z.int(), z.array(z.int())]),
  node_coverage: z.number(),
  edge_coverage: z.number(),
  action_cost: z.number(),
  action_counts: actionCounts,
  observed_items: z.array(z.string()),
  info_gain: z.number(),
  possible_counts: z.record(z.string(), z.int()),
  unexplored: z.record(z.string(), cells),
  visited_rooms: z.array(z.string()),
  turn_logs: z.int(),
  remaining: z.int(),
})
const episodeStep = z.object({
  response: z.string(),
  phase: z.enum(['exploration', 'false_belief']).optional(),
  obs_str: z.string().optional(),
  done: z.boolean().optional(),
  info: z.looseObject({ is_valid_action: z.boolean().optional() }).optional(),
  state: stepState.optional(),
  turn_log: z.looseObject({ is_action_fail: z.boolean(), visible_objects: z.array(z.string()) }).optional(),
  false_belief_log: z
    .looseObject({
      step: z.int(),
      f1_overall: z.number().nullable(),
      f1_position: z.number().nullable(),
      f1_facing: z.number().nullable(),
      action_cost: z.number().nullable(),
      action_cost_after_seen: z.number().nullable(),
      newly_changed: z.array(z.string()),
      newly_unchanged: z.array(z.string()),
    })
    .optional(),
  exception: z.string().optional(),
})
const parsedList = z.object({ motions: z.array(z.string()), final: z.string() })
const episodeCase = z.looseObject({
  room: z.string(),
  max_exp_steps: z.int(),
  max_false_belief_exp_steps: z.int().optional(),
  node_names: z.array(z.string()),
  target_edges: z.array(z.tuple([z.string(), z.string()])),
  grid_size: z.int(),
  steps: z.array(episodeStep),
  summary: z.looseObject({ info_gain_list: z.array(z.number()) }),
  modified_room: z.unknown().optional(),
  changes: z.array(z.object({ name: z.string(), pos: z.boolean().optional(), ori: z.boolean().optional() })).optional(),
})
const parserCase = z.object({
  text: z.string(),
  mode: z.enum(['exploration', 'false_belief']),
  parsed: parsedList.nullable().optional(),
  exception: z.string().optional(),
})
const episodesFile = z.object({ episodes: listed, parser_cases: listed })

type EpisodeStep = z.infer<typeof episodeStep>

function publishedCounts(counts: ActionCounts): Record<string, number> {
  const { move, rotate, observe, term, query } = counts
  return { move, rotate, return: 0, observe, term, forced_term: counts.forcedTerm, query }
}

function stateOf(state: ExplorationState, progress: Progress, mixed: boolean): Record<string, unknown> {
  const { solver, fog, coverage } = progress
  const { pos, heading, rooms: into } = state.pose
  const unknown = solver.gridSize ** 2
  return {
    agent_pos: pos,
    agent_ori: heading,
    agent_room: into.length === 1 ? into[0] : into,
    node_coverage: coverage.nodeCoverage,
    edge_coverage: coverage.edgeCoverage,
    action_cost: state.cost,
    action_counts: publishedCounts(state.counts),
    observed_items: [...state.observed].sort(),
    // After a change, the domains mix two worlds, and their contents depend on the order of revisions.
    ...(!mixed && {
      info_gain: progress.level,
      possible_counts: Object.fromEntries(solver.names.map((name) => [name, solver.size(name) ?? unknown])),
    }),
    unexplored: Object.fromEntries(fog.rooms().map((room) => [String(room), fog.unexplored(room)])),
    visited_rooms: fog.visitedRooms().map(String),
    turn_logs: state.validTurns,
    remaining: state.remaining,
  }
}

function expectedState({ state }: EpisodeStep, mixed: boolean): Record<string, unknown> {
  if (state === undefined) return {}
  const { info_gain, possible_counts, ...rest } = state
  return mixed ? rest : { ...rest, info_gain, possible_counts }
}

export const episodes: Check = async function* (file, sibling) {
  const parsed = episodesFile.parse(file)
  const known = await roomsById(sibling)
  yield* eachCase('episodes', parsed.episodes, episodeCase, function* (episode, e) {
    const where = `episodes[${e}]`
    const { json, scene } = roomNamed(known, episode.room)
    let state = startExploration(scene, { profile: 'upstream', maxSteps: episode.max_exp_steps })
    const progress = new Progress(scene, 'upstream')
    const levels: number[] = []
    const edges = progress.coverage.targetEdges().map((edge) => edge.toSorted().join('|'))
    const theirEdges = episode.target_edges.map((edge) => edge.toSorted().join('|'))
    yield verdict(
      `${where}.setup`,
      firstDifference(
        { nodes: progress.coverage.nodes, edges: edges.sort(), grid: gridSizeOf(scene) },
        { nodes: episode.node_names, edges: theirEdges.sort(), grid: episode.grid_size },
      ),
    )
    const truth = (episode.changes ?? []).flatMap(({ name, pos, ori }): Change[] => [
      ...(pos ? [{ name, kind: 'position' as const }] : []),
      ...(ori ? [{ name, kind: 'orientation' as const }] : []),
    ])
    let sight: RevisionTracker | undefined
    let phaseSteps = 0
    for (const [i, theirs] of episode.steps.entries()) {
      const result = step(state, theirs.response)
      const { turn } = result
      state = result.state
      let { message } = turn
      let { done } = turn
      progress.record(turn)
      if (turn.valid) levels.push(progress.level)
      const newly = sight?.record(turn, state)
      phaseSteps += 1
      const finalTurn = turn.phase === 'false-belief' && turn.done
      const cost = state.cost - state.costBeforePhase
      const redundant = sight?.redundantCost(state) ?? null
      const score = finalTurn ? scoreChanges(parseChanges(turn.changes ?? '', scene.order, 'upstream'), truth) : null
      if (turn.done && turn.phase === 'exploration' && episode.modified_room !== undefined) {
        const changed = sceneFromJson({ ...json, room: episode.modified_room }, episode.room)
        // The phase has its own limit; older files only have it in the message.
        const told = /You have a maximum of (\d+) steps/.exec(theirs.obs_str ?? '')?.[1]
        const maxSteps = episode.max_false_belief_exp_steps ?? (told === undefined ? undefined : Number(told))
        const revision = startRevision(state, changed, {
          changes: episode.changes?.length ?? 0,
          ...(maxSteps === undefined ? {} : { maxSteps }),
        })
        state = revision.state
        message = revision.message
        done = false
        phaseSteps = 0
        sight = new RevisionTracker((episode.changes ?? []).map(({ name }) => name))
        progress.revise(changed)
      }
      const at = `${where}.steps[${i}]`
      if (theirs.exception !== undefined) {
        // The published parser raises an exception; here the action is invalid.
        yield verdict(at, firstDifference(turn.valid, false))
        continue
      }
      const mixed = turn.phase === 'false-belief'
      const ours = {
        phase: turn.phase === 'exploration' ? 'exploration' : 'false_belief',
        obs_str: message,
        done,
        ...(theirs.info?.is_valid_action !== undefined && { valid: turn.valid }),
        state: stateOf(state, progress, mixed),
        ...(turn.valid && theirs.turn_log && { log: { fail: turn.failed, visible: state.lastVisible } }),
        ...(newly &&
          theirs.false_belief_log && {
            revision: {
              step: phaseSteps,
              cost: finalTurn ? cost : null,
              redundant: finalTurn ? redundant : null,
              f1: [score?.f1 ?? null, score?.position ?? null, score?.orientation ?? null],
              changed: newly.changed,
              unchanged: newly.unchanged,
            },
          }),
      }
      const log = theirs.false_belief_log
      yield verdict(
        at,
        firstDifference(ours, {
          phase: theirs.phase,
          obs_str: theirs.obs_str,
          done: theirs.done,
          ...(theirs.info?.is_valid_action !== undefined && { valid: theirs.info.is_valid_action }),
          state: expectedState(theirs, mixed),
          ...(turn.valid &&
            theirs.turn_log && {
              log: { fail: theirs.turn_log.is_action_fail, visible: theirs.turn_log.visible_objects },
            }),
          ...(newly &&
            log && {
              revision: {
                step: log.step,
                cost: log.action_cost,
                redundant: log.action_cost_after_seen,
                f1: [log.f1_overall, log.f1_position, log.f1_facing],
                changed: log.newly_changed,
                unchanged: log.newly_unchanged,
              },
            }),
        }),
      )
    }
    const { info_gain_list, acc_info_gain: _sum, avg_info_gain: _mean, ...summary } = episode.summary
    const mixed = episode.modified_room !== undefined
    const ours = {
      node_coverage: progress.coverage.nodeCoverage,
      edge_coverage: progress.coverage.edgeCoverage,
      n_exploration_steps: state.validTurns,
      action_counts: publishedCounts(state.counts),
      action_cost: state.cost,
      exploration_cost: state.cost,
      ...(mixed ? {} : { info_gain_list: levels }),
    }
    yield verdict(`${where}.summary`, firstDifference(ours, mixed ? summary : { ...summary, info_gain_list }))
  })
  yield* eachCase('parser_cases', parsed.parser_cases, parserCase, function* (given, i) {
    const result = parseActions(given.text, given.mode === 'exploration' ? 'exploration' : 'false-belief', 'upstream')
    const ours = result.ok
      ? { motions: result.actions.motions.map(actionText), final: actionText(result.actions.final) }
      : null
    yield verdict(`parser_cases[${i}]`, firstDifference(ours, given.exception === undefined ? given.parsed : null))
  })
}

const proxyRun = z.object({
  total_cost: z.number(),
  steps: z.int(),
  action_counts: actionCounts,
  node_coverage: z.number(),
  edge_coverage: z.number(),
  info_gain_list: z.array(z.number()),
  final_info_gain: z.number(),
  history_text: z.string(),
  turns: z.array(z.object({ actions: z.array(z.string()), pos: vec, ori: vec })),
})
const proxyCase = z.object({ room: z.string(), proxies: z.record(z.enum(PROXY_NAMES), proxyRun) })

export const proxies: Check = async function* (file, sibling) {
  const known = await roomsById(sibling)
  yield* eachCase('rooms', roomsFile.parse(file).rooms, proxyCase, function* ({ room, proxies: runs }) {
    const { scene } = roomNamed(known, room)
    for (const name of PROXY_NAMES) {
      const run = runProxy(name, scene, 'upstream')
      const ours = {
        turns: run.turns.map(({ actions, pos, heading }) => ({ actions, pos, ori: heading })),
        total_cost: run.cost,
        steps: run.levels.length,
        action_counts: publishedCounts(run.counts),
        node_coverage: run.nodeCoverage,
        edge_coverage: run.edgeCoverage,
        info_gain_list: run.levels,
        final_info_gain: run.levels.at(-1),
        history_text: run.history,
      }
      yield verdict(`${room}.${name}`, firstDifference(ours, runs[name]))
    }
  })
}
