/** Checks the scoring of answers and beliefs of Theory of Space against the published code, profile `upstream`. */
import { z } from 'zod'
import { parsePublishedChange } from '../src/suites/space/parse/changes.ts'
import { cellsForLetters, scoreFogProbe } from '../src/suites/space/domain/belief/fog-probe.ts'
import { type ObjectScore, revisionMetrics, revisionTurn } from '../src/suites/space/score/inertia.ts'
import { readMapJson } from '../src/suites/space/parse/map-json.ts'
import { type MapContext, readGlobalMap } from '../src/suites/space/parse/maps.ts'
import { type MapMetrics, mapScale } from '../src/suites/space/domain/belief/metrics.ts'
import { scoreConsistency, scoreGlobalMap, scoreLocalMap } from '../src/suites/space/domain/belief/probes.ts'
import { stabilityOf } from '../src/suites/space/score/stability.ts'
import type { Pose, Scene } from '../src/suites/space/domain/grid/scene.ts'
import { sceneFromJson } from '../src/suites/space/domain/grid/scene-json.ts'
import { startPose } from '../src/suites/space/domain/grid/view.ts'
import { moveFields } from '../src/suites/space/parse/fields.ts'
import { shortestRoute, walkThroughWalls } from '../src/suites/space/domain/explore/moves.ts'
import { type Check, close, eachCase, firstDifference, listed, verdict, type Verdict } from './agreement/check.ts'
import { roomNamed, roomsById } from './space-rooms.ts'
import type { Answer, Sighting } from '../src/suites/space/domain/answers/question.ts'
import { parseReply, splitMapAndAnswer } from '../src/suites/space/parse/reply.ts'
import { formOf } from '../src/suites/space/domain/answers/forms.ts'
import type { Step } from '../src/suites/space/domain/answers/question.ts'

const vec = z.tuple([z.number(), z.number()])

const sighting = z.object({
  name: z.string(),
  direction: z.string(),
  distance: z.string(),
  orientation: z.string().nullish(),
})
const roomId = z.union([z.number(), z.array(z.number())])
const posed = {
  final_pos: vec,
  final_ori: vec,
  room_id: roomId,
  final_observation: z.array(sighting),
}
const move = z.tuple([z.enum(['rotate', 'jumpto']), z.union([z.number(), z.string()])])

const answers = {
  relation: z.string(),
  name: z.object({ answer: z.string(), ...posed }),
  route: z.object({ ...posed, minimal_plan: z.array(move) }),
  places: z.array(vec),
  order: z.array(z.string()),
  place: z.object({ coord: vec, ...posed }),
}

const taskCase = z.object({ room: z.string(), question: z.string(), answer: z.unknown(), candidates: listed })
const candidateCase = z.object({ pred: z.string(), score: z.number(), info: z.record(z.string(), z.unknown()) })
const replyCase = z.object({
  text: z.string(),
  enable_think: z.boolean(),
  think: z.string(),
  answer: z.string(),
  ok: z.boolean(),
})
const mapAndAnswerCase = z.object({
  content: z.string(),
  cogmap: z.unknown(),
  answer_text: z.string(),
  score_vs_north_near: z.number(),
})
const scoringFile = z.object({
  tasks: z.record(z.string(), listed).default({}),
  response_parsing: listed,
  cogmap_answer_parsing: listed,
})

function sightings(list: z.infer<typeof sighting>[]): Sighting[] {
  // Published labels; the scores show whether they match ours.
  return list.map((item) => ({ ...item, orientation: item.orientation ?? null })) as Sighting[]
}

function poseOf(answer: { final_pos: Pose['pos']; final_ori: Pose['heading']; room_id: number | number[] }): Pose {
  const rooms = typeof answer.room_id === 'number' ? [answer.room_id] : answer.room_id
  return { pos: answer.final_pos, heading: answer.final_ori, rooms }
}

function stepsOf(plan: z.infer<typeof move>[]): Step[] {
  return plan.map(([kind, value]) => (kind === 'rotate' ? { turn: Number(value) } : { jump: String(value) }))
}

/** Tasks of the published code that Sightline does not ask, with their own scoring (docs/deviations.md). */
const NOT_ASKED: ReadonlySet<string> = new Set(['bwd_nav_rev', 'bwd_pov_vision', 'bwd_nav_vision'])

/** Converts a published answer to ours. */
function answerFrom(task: string, json: unknown, scene: Scene): Answer {
  switch (task) {
    case 'bwd_pov_text': {
      const answer = answers.name.parse(json)
      const { rooms } = poseOf(answer)
      const view = sightings(answer.final_observation)
      return { form: 'name', name: answer.answer, view, rooms: [...rooms], byPicture: false }
    }
    case 'bwd_nav_text': {
      const answer = answers.route.parse(json)
      return {
        form: 'route',
        from: startPose(scene),
        to: poseOf(answer),
        goal: 'view',
        view: sightings(answer.final_observation),
        shortest: stepsOf(answer.minimal_plan),
      }
    }
    case 'e2a':
      return { form: 'places', names: [], places: answers.places.parse(json) }
    case 'rot':
      return { form: 'order', turn: 'clockwise', order: answers.order.parse(json) }
    case 'bwd_loc_text':
    case 'bwd_loc_vision': {
      const answer = answers.place.parse(json)
      const pose = poseOf(answer)
      const origin = [pose.pos[0] - answer.coord[0], pose.pos[1] - answer.coord[1]] as const
      return { form: 'place', place: answer.coord, origin, pose, view: sightings(answer.final_observation) }
    }
    default: {
      const [direction, distance] = answers.relation.parse(json).split(', ')
      const cardinal = ['dir', 'dir_anchor', 'false_belief'].includes(task)
      return { form: 'relation', frame: cardinal ? 'cardinal' : 'ego', direction, distance } as Answer
    }
  }
}

/** Further fields of the published scorer, by our names. */
const INFO: Readonly<Record<string, string>> = {
  name_match: 'nameMatch',
  view_match: 'viewMatch',
  pos_match: 'placeMatch',
  ori_match: 'headingMatch',
  visible_match: 'viewMatch',
}

function* candidateVerdicts(
  where: string,
  answer: Answer,
  scene: Scene,
  { pred, score, info }: { pred: string; score: number; info: Record<string, unknown> },
): Iterable<Verdict> {
  const ours = formOf(answer, scene).score(pred, 'upstream')
  yield verdict(
    `${where}.score`,
    close(ours.score, score) ? null : `${JSON.stringify(pred)}: ours ${ours.score}, theirs ${score}`,
  )
  for (const [key, theirs] of Object.entries(info)) {
    if (key in INFO) {
      const flag = Boolean(ours.extra[INFO[key]!])
      yield verdict(`${where}.${key}`, flag === theirs ? null : `${JSON.stringify(pred)}: ours ${flag}`)
    } else if (key === 'error') {
      yield verdict(`${where}.error`, ours.problem === theirs ? null : `ours ${ours.problem}, theirs ${String(theirs)}`)
    } else if ((key === 'final_pos' || key === 'final_ori') && answer.form === 'route') {
      const walked = walkThroughWalls(scene, moveFields(pred), answer.from)
      const end = key === 'final_pos' ? walked.pose?.pos : walked.pose?.heading
      yield verdict(`${where}.${key}`, firstDifference(end, theirs))
    }
  }
}

/** Is a published shortest plan as long as ours? Its steps may differ, because several can be shortest. */
function planVerdict(where: string, answer: Answer, scene: Scene): Verdict | null {
  if (answer.form !== 'route') return null
  const ours = shortestRoute(scene, answer.from, answer.to)
  const same = ours?.length === answer.shortest.length
  return verdict(`${where}.minimal_plan`, same ? null : `ours ${ours?.length}, theirs ${answer.shortest.length} steps`)
}

export const scoring: Check = async function* (json, sibling) {
  const file = scoringFile.parse(json)
  const known = await roomsById(sibling)
  for (const [task, cases] of Object.entries(file.tasks)) {
    if (NOT_ASKED.has(task)) continue
    yield* eachCase(`tasks.${task}`, cases, taskCase, function* (one, i) {
      const { scene } = roomNamed(known, one.room)
      const answer = answerFrom(task, one.answer, scene)
      const where = `tasks.${task}[${i}]`
      const plan = planVerdict(where, answer, scene)
      if (plan) yield plan
      yield* eachCase(`${where}.candidates`, one.candidates, candidateCase, (candidate, j) =>
        candidateVerdicts(`${where}.candidates[${j}]`, answer, scene, candidate),
      )
    })
  }
  yield* eachCase('response_parsing', file.response_parsing, replyCase, function* (one, i) {
    const { thoughts, answer } = parseReply(one.text, 'upstream')
    const ours = { think: one.enable_think ? thoughts : '', answer, ok: answer !== '' }
    const { think, answer: theirs, ok } = one
    yield verdict(`response_parsing[${i}]`, firstDifference(ours, { think, answer: theirs, ok }))
  })
  const northNear: Answer = { form: 'relation', frame: 'cardinal', direction: 'north', distance: 'near' }
  yield* eachCase('cogmap_answer_parsing', file.cogmap_answer_parsing, mapAndAnswerCase, function* (one, i) {
    const { map, answer } = splitMapAndAnswer(one.content, 'upstream')
    const [room] = known.values()
    const ours = {
      cogmap: map === null ? null : readMapJson(map, 'upstream'),
      answer_text: answer,
      score_vs_north_near: formOf(northNear, room!.scene).score(answer, 'upstream').score,
    }
    const { cogmap: theirs, answer_text, score_vs_north_near } = one
    yield verdict(
      `cogmap_answer_parsing[${i}]`,
      firstDifference(ours, { cogmap: theirs, answer_text, score_vs_north_near }),
    )
  })
}

const agentState = z.object({ pos: vec, ori: vec, room_id: roomId })
const mapJson = z.record(z.string(), z.unknown())
const metricsJson = z.record(z.string(), z.number().nullable())
const mapResult = z.object({ extraction_success: z.boolean(), metrics: metricsJson })

const mapCase = z.object({
  room: z.string(),
  agent: agentState,
  observed: z.array(z.string()),
  response: z.string().optional(),
  response_local: z.string().optional(),
  response_global: z.string().optional(),
  result: z.object({
    global: mapResult.extend({ metrics_full: metricsJson.optional(), metric_agent: metricsJson.optional() }).optional(),
    local: mapResult.optional(),
    local_newly: mapResult.optional(),
    consistency: z.object({ local_vs_global: metricsJson }),
    pos_norm_L: z.number().nullable(),
  }),
})
const fogCase = z.object({
  response: z.string(),
  candidates: z.array(vec),
  correct: z.array(vec),
  labels: z.array(z.string()),
  points: z.array(vec),
  precision: z.number(),
  recall: z.number(),
  f1: z.number(),
})
const stabilityCase = z.object({
  room: z.string(),
  agent: agentState,
  predicted_maps: z.array(mapJson),
  observed: z.array(z.array(z.string())),
  possible_counts: z.array(z.record(z.string(), z.number())),
  result: z.record(z.string(), z.array(z.number().nullable())),
})
const change = z.object({ name: z.string(), pos: z.boolean().optional(), ori: z.boolean().optional() })
const revisionCase = z.object({
  room: z.string(),
  old_belief: mapJson,
  modified_room: z.unknown(),
  changes: z.array(change),
  turns: z.array(
    z.object({
      predicted: mapJson,
      newly_changed: z.array(z.string()),
      newly_unchanged: z.array(z.string()),
      changed_objects: z.record(z.string(), metricsJson),
      retention: z.record(z.string(), metricsJson),
      inertia_data: z.record(z.string(), z.object({ old_pos: vec, new_pos: vec, gt_pos: vec })),
      unchanged_dists_sq: z.array(z.number()),
    }),
  ),
  metrics: z.object({
    changed: metricsJson,
    retention: metricsJson,
    unchanged: metricsJson,
    inertia: z.number().nullable(),
    inertia_list: z.array(z.number()),
    unchanged_retention: metricsJson.optional(),
    unchanged_retention_minus_retention: metricsJson.optional(),
  }),
})
const changeCase = z.object({ text: z.string(), parsed: change.optional(), error: z.string().optional() })
const cogmapFile = z.object({
  cases: listed,
  fog_probe: listed,
  stability: listed,
  false_belief: listed,
  change_parsing: listed,
})

/** Our metrics under their published names; an empty record if they are left out. */
function published(metrics: MapMetrics | null | undefined): Record<string, number> {
  if (!metrics) return {}
  return { dir: metrics.direction, facing: metrics.facing, pos: metrics.position, overall: metrics.overall }
}

function contextOf(scene: Scene, agent: z.infer<typeof agentState>, observed: readonly string[]): MapContext {
  const rooms = typeof agent.room_id === 'number' ? [agent.room_id] : agent.room_id
  return { scene, pose: { pos: agent.pos, heading: agent.ori, rooms }, observed: new Set(observed) }
}

function* mapVerdicts(where: string, one: z.infer<typeof mapCase>, scene: Scene): Iterable<Verdict> {
  const context = contextOf(scene, one.agent, one.observed)
  const global = scoreGlobalMap(one.response_global ?? one.response ?? '', context, 'upstream')
  const { result } = one
  if (result.global) {
    yield verdict(
      `${where}.global`,
      firstDifference(
        {
          extraction_success: global.map !== null,
          metrics: published(global.observed),
          ...(global.map === null
            ? {}
            : { metrics_full: published(global.full), metric_agent: published(global.agent) }),
        },
        result.global,
      ),
    )
  }
  const scale = result.pos_norm_L
  if (scale !== null) yield verdict(`${where}.pos_norm_L`, firstDifference(mapScale(scene), scale))
  if (one.response_local === undefined) return
  const local = scoreLocalMap(one.response_local, context, context.observed, 'upstream')
  if (result.local) {
    const ours = { extraction_success: local.map !== null, metrics: published(local.all) }
    yield verdict(`${where}.local`, firstDifference(ours, result.local))
  }
  if (result.local_newly) {
    yield verdict(`${where}.local_newly`, firstDifference(published(local.newly), result.local_newly.metrics))
  }
  const consistency = scoreConsistency(local, global, context, 'upstream')
  yield verdict(`${where}.consistency`, firstDifference(published(consistency), result.consistency.local_vs_global))
}

function* fogVerdicts(where: string, one: z.infer<typeof fogCase>): Iterable<Verdict> {
  const probe = { candidates: one.candidates, unexplored: one.correct }
  const { letters, precision, recall, f1 } = scoreFogProbe(one.response, probe, 'upstream')
  const ours = { labels: letters, points: cellsForLetters(letters, probe), precision, recall, f1 }
  const { labels, points, precision: p, recall: r, f1: f } = one
  yield verdict(where, firstDifference(ours, { labels, points, precision: p, recall: r, f1: f }))
}

function* stabilityVerdicts(where: string, one: z.infer<typeof stabilityCase>, scene: Scene): Iterable<Verdict> {
  const turns = one.predicted_maps.map((map, i) => ({
    map: readGlobalMap(map, contextOf(scene, one.agent, scene.order), 'upstream'),
    observed: new Set(one.observed[i]),
    candidates: new Map(Object.entries(one.possible_counts[i] ?? {})),
  }))
  const ours = stabilityOf(scene, turns, 'upstream')
  for (const [key, theirs] of Object.entries(one.result)) {
    const values = ours.map(({ position, facing }) => (key.startsWith('position') ? position : facing))
    yield verdict(`${where}.${key}`, firstDifference(values, theirs))
  }
}

function publishedObject({ position, facing }: ObjectScore): Record<string, number | null> {
  return { dir: null, pos: position, facing, overall: null }
}

function publishedObjects(objects: Readonly<Record<string, ObjectScore>>): Record<string, unknown> {
  return Object.fromEntries(Object.entries(objects).map(([name, one]) => [name, publishedObject(one)]))
}

function* revisionVerdicts(where: string, one: z.infer<typeof revisionCase>, before: Scene): Iterable<Verdict> {
  const { pos, room } = before.start
  const scene = sceneFromJson({ room: one.modified_room, agent: { pos, room_id: room } }, `${one.room} changed`)
  const everything: MapContext = { scene, pose: startPose(scene), observed: new Set(scene.order) }
  const changes = one.changes.map(({ name, pos: moved }) => ({
    name,
    kind: moved ? ('position' as const) : ('orientation' as const),
  }))
  const context = {
    scene,
    before,
    pose: startPose(scene),
    changes,
    oldBelief: readGlobalMap(one.old_belief, everything, 'upstream'),
    oldJson: one.old_belief,
  }
  const turns = one.turns.map((turn) =>
    revisionTurn(
      readGlobalMap(turn.predicted, everything, 'upstream'),
      { changed: turn.newly_changed, unchanged: turn.newly_unchanged },
      context,
      'upstream',
    ),
  )
  for (const [i, turn] of turns.entries()) {
    const theirs = one.turns[i]!
    const at = `${where}.turns[${i}]`
    yield verdict(`${at}.changed_objects`, firstDifference(publishedObjects(turn.changed), theirs.changed_objects))
    yield verdict(`${at}.retention`, firstDifference(publishedObjects(turn.retention), theirs.retention))
    yield verdict(`${at}.unchanged_dists_sq`, firstDifference(turn.unchangedSquares, theirs.unchanged_dists_sq))
    const moves = Object.entries(turn.moves).map(([name, { old, now, truth }]) => [
      name,
      { old_pos: old, new_pos: now, gt_pos: truth },
    ])
    yield verdict(`${at}.inertia_data`, firstDifference(Object.fromEntries(moves), theirs.inertia_data))
  }
  const ours = revisionMetrics(turns, 'upstream')
  const { position, facing } = ours.selectivity
  const pairs = {
    changed: publishedObject(ours.changed),
    retention: publishedObject(ours.retention),
    unchanged: published(ours.unchanged),
    inertia: ours.inertia,
    inertia_list: ours.inertias,
    unchanged_retention: publishedObject(ours.unchangedRetention),
    unchanged_retention_minus_retention: {
      ...(position === null ? {} : { pos: position }),
      ...(facing === null ? {} : { facing }),
    },
  }
  for (const [key, theirs] of Object.entries(one.metrics)) {
    yield verdict(
      `${where}.metrics.${key}`,
      firstDifference(Object.entries(pairs).find(([name]) => name === key)?.[1], theirs),
    )
  }
}

export const cogmap: Check = async function* (json, sibling) {
  const file = cogmapFile.parse(json)
  const known = await roomsById(sibling)
  const sceneOf = (id: string): Scene => roomNamed(known, id).scene
  yield* eachCase('cases', file.cases, mapCase, (one, i) => mapVerdicts(`cases[${i}]`, one, sceneOf(one.room)))
  yield* eachCase('fog_probe', file.fog_probe, fogCase, (one, i) => fogVerdicts(`fog_probe[${i}]`, one))
  yield* eachCase('stability', file.stability, stabilityCase, (one, i) =>
    stabilityVerdicts(`stability[${i}]`, one, sceneOf(one.room)),
  )
  yield* eachCase('false_belief', file.false_belief, revisionCase, (one, i) =>
    revisionVerdicts(`false_belief[${i}]`, one, sceneOf(one.room)),
  )
  yield* eachCase('change_parsing', file.change_parsing, changeCase, function* ({ text, parsed, error }, i) {
    const { change: read, problem } = parsePublishedChange(text)
    const ours =
      read === null
        ? { error: problem }
        : { parsed: { name: read.name, pos: read.position || undefined, ori: read.orientation || undefined } }
    yield verdict(`change_parsing[${i}]`, firstDifference(ours, error === undefined ? { parsed } : { error }))
  })
}
