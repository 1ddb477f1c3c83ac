/** Maps against the ground truth, fog probes, stability over turns, and maps of a changed scene. */
import { Random } from '../../src/base/random.ts'
import { cellsForLetters, letterOf, scoreFogProbe } from '../../src/suites/space/domain/belief/fog-probe.ts'
import { trueGlobalMap, trueLocalMap } from '../../src/suites/space/domain/belief/ground-truth.ts'
import type { MapMetrics } from '../../src/suites/space/domain/belief/metrics.ts'
import { scoreConsistency, scoreGlobalMap, scoreLocalMap } from '../../src/suites/space/domain/belief/probes.ts'
import { HEADINGS, type Pose, type Scene, type Vec } from '../../src/suites/space/domain/grid/scene.ts'
import { entitiesOf, poseAt, START } from '../../src/suites/space/domain/grid/view.ts'
import { floorCells } from '../../src/suites/space/domain/grid/distance-score.ts'
import { readFogLetters } from '../../src/suites/space/parse/fog-letters.ts'
import type { BeliefMap } from '../../src/suites/space/parse/maps.ts'
import { readMapJson } from '../../src/suites/space/parse/map-json.ts'
import { type ObjectScore, revisionMetrics, revisionTurn } from '../../src/suites/space/score/inertia.ts'
import { stabilityOf } from '../../src/suites/space/score/stability.ts'
import { fuzzTarget, type Plain, Raised } from './target.ts'
import { mapReply } from './space-maps.ts'
import { publishedChanges, randomRevision, randomScene, sceneOf, stateOf, THEORY_OF_SPACE } from './space-scenes.ts'

const published = { checkout: THEORY_OF_SPACE, driver: 'space/beliefs.py' }

type State = ReturnType<typeof stateOf>

function randomPose(random: Random, scene: Scene): Pose {
  return poseAt(scene, random.pick([START, ...entitiesOf(scene)] as const), random.pick(HEADINGS))
}

function poseIn({ agent }: State): Pose {
  const { pos, ori, room_id } = agent as unknown as { pos: Vec; ori: Vec; room_id: number | number[] }
  return { pos, heading: ori, rooms: typeof room_id === 'number' ? [room_id] : room_id }
}

function metricsOf(metrics: MapMetrics | null): Plain {
  if (metrics === null) return null
  const { direction, facing, position, overall } = metrics
  return { dir: direction, facing, pos: position, overall }
}

/** Positions on which the published code may raise: text, not finite, of one number; and a local list without names. */
const CRASHES = /\\"x\\"|NaN|Infinity|\\"inf\\"|\[-?[\d.]*\]|\\"(?:objects|gates)\\": \[/

const explained = (sample: Plain): string | null => (CRASHES.test(JSON.stringify(sample)) ? 'space-map-crashes' : null)

function entriesOf(map: BeliefMap | null): Plain {
  if (map === null) return null
  return Object.fromEntries(map.map(({ name, pos, facing }) => [name, [...pos, ...(facing ?? [null, null])]]))
}

type MapCase = { target: 'maps'; state: State; before: string[]; observed: string[]; global: string; local: string }

export const maps = fuzzTarget<MapCase>({
  ...published,
  explained,
  generate(random) {
    const scene = randomScene(random)
    const pose = randomPose(random, scene)
    const observed = scene.order.filter(() => random.chance(0.8))
    return {
      target: 'maps',
      state: stateOf(scene, pose),
      before: observed.filter(() => random.chance(0.5)),
      observed,
      global: mapReply(random, trueGlobalMap({ scene, pose }, new Set(scene.order))),
      local: mapReply(random, trueLocalMap({ scene, pose })),
    }
  },
  ours({ state, before, observed, global, local }) {
    const context = { scene: sceneOf(state), pose: poseIn(state), observed: new Set(observed) }
    const fresh = new Set(observed.filter((name) => !before.includes(name)))
    const whole = scoreGlobalMap(global, context, 'upstream')
    const around = scoreLocalMap(local, context, fresh, 'upstream')
    return {
      global: entriesOf(whole.map),
      local: entriesOf(around.map),
      observed: metricsOf(whole.observed),
      full: metricsOf(whole.full),
      agent: metricsOf(whole.agent),
      all: metricsOf(around.all),
      newly: metricsOf(around.newly),
      consistency: metricsOf(scoreConsistency(around, whole, context, 'upstream')),
    }
  },
})

type FogCase = { target: 'fog'; candidates: Vec[]; unexplored: Vec[]; reply: string }

const FOG_REPLIES = [
  (list: string) => `{"unexplored": [${list}]}`,
  (list: string) => `FINAL ANSWER:\n\`\`\`json\n{"unexplored": [${list}]}\n\`\`\``,
  (list: string) => `{"points": [${list}], "unexplored": []}`,
  (list: string) => `{"candidates": [[${list}], "B"]}`,
  (list: string) => `{"unexplored": "${list.replaceAll('"', '')}"}`,
  (list: string) => `{"other": [${list}]}`,
  (list: string) => `I think ${list}.`,
  (list: string) => list,
  (list: string) => list.toLowerCase(),
  (list: string) => `{"a": 1} {"unexplored": [${list}]}`,
  (list: string) => `{broken} {"unexplored": [${list}]}`,
  (list: string) => `{"unexplored": [${list}`,
  (list: string) => `{"unexplored": 3, "points": "${list.replaceAll('"', ' ')}"}`,
  (list: string) => `[${list}]`,
  (list: string) => `{"unexplored": {"x": [${list}]}}`,
  (list: string) => `['${list.toLowerCase().replaceAll('"', "'")}']`,
]

export const fog = fuzzTarget<FogCase>({
  ...published,
  generate(random) {
    const cells = random.shuffle([...floorCells(randomScene(random))])
    const candidates = cells.slice(0, random.between(2, Math.min(26, cells.length)))
    const unexplored = candidates.slice(0, random.between(1, candidates.length))
    const letters = ['"A"', '"b"', '" C "', '"AB"', '"É"', '""', '1', 'null', '"Z"', 'true', '["D"]', '"🪑"']
    const list = Array.from({ length: random.between(0, 6) }, () =>
      random.chance(0.75) ? JSON.stringify(letterOf(random.int(candidates.length))) : random.pick(letters),
    )
    return {
      target: 'fog',
      candidates: random.shuffle([...candidates]),
      unexplored,
      reply: random.pick(FOG_REPLIES)(list.join(random.pick([', ', ',', ' ', '; ', ' and ']))),
    }
  },
  ours({ candidates, unexplored, reply }) {
    const probe = { candidates, unexplored }
    const letters = readFogLetters(reply, 'upstream') ?? []
    const { f1, precision, recall } = scoreFogProbe(reply, probe, 'upstream')
    return { letters, cells: cellsForLetters(letters, probe), scores: [f1, precision, recall] }
  },
})

type StabilityCase = {
  target: 'stability'
  state: State
  turns: { observed: string[]; sizes: Record<string, number>; global: string }[]
}

export const stability = fuzzTarget<StabilityCase>({
  ...published,
  explained,
  generate(random) {
    const scene = randomScene(random)
    const pose = randomPose(random, scene)
    const truth = trueGlobalMap({ scene, pose }, new Set(scene.order))
    let observed: string[] = []
    const turns = Array.from({ length: random.between(1, 5) }, () => {
      observed = scene.order.filter((name) => observed.includes(name) || random.chance(0.4))
      const sizes = Object.fromEntries(
        observed
          .filter(() => random.chance(0.9))
          .map((name) => [name, random.pick([1, 1, 2, 3, 5, 199, 200, 201, 500])]),
      )
      return { observed, sizes, global: mapReply(random, truth) }
    })
    return { target: 'stability', state: stateOf(scene, pose), turns }
  },
  ours({ state, turns }) {
    const scene = sceneOf(state)
    const pose = poseIn(state)
    const steps = turns.map(({ observed, sizes, global }) => {
      const context = { scene, pose, observed: new Set(observed) }
      const { map } = scoreGlobalMap(global, context, 'upstream')
      return { map, observed: context.observed, candidates: new Map(Object.entries(sizes)) }
    })
    const held = stabilityOf(scene, steps, 'upstream')
    return [held.map(({ position }) => position), held.map(({ facing }) => facing)]
  },
})

type RevisionCase = {
  target: 'revision'
  state: State
  revision: { room: State['room']; changes: ReturnType<typeof publishedChanges> }
  old: string
  turns: { agent: { pos: Vec; ori: Vec; room_id: Plain }; changed: string[]; unchanged: string[]; reply: string }[]
}

function pair({ position, facing }: ObjectScore): Plain {
  return [position, facing]
}

export const revision = fuzzTarget<RevisionCase>({
  ...published,
  explained,
  generate(random) {
    for (;;) {
      const scene = randomScene(random)
      const revised = randomRevision(scene, random)
      if (revised === null) continue
      if (random.chance(0.1) && scene.doors.length === 0)
        revised.changes.push(
          ...scene.objects
            .filter(({ name }) => !revised.changes.some((change) => change.name === name))
            .map(({ name }) => ({ name, kind: 'position' as const })),
        )
      const changed = new Set(revised.changes.map(({ name }) => name))
      const left = new Set(scene.order)
      const start = poseAt(scene, START)
      const turns = Array.from({ length: random.between(1, 4) }, () => {
        const pose = randomPose(random, revised.scene)
        const seen = [...left].filter(() => random.chance(0.5))
        for (const name of seen) left.delete(name)
        return {
          agent: {
            pos: pose.pos,
            ori: pose.heading,
            room_id: pose.rooms.length === 1 ? pose.rooms[0]! : [...pose.rooms],
          },
          changed: seen.filter((name) => changed.has(name)),
          unchanged: seen.filter((name) => !changed.has(name)),
          reply: mapReply(random, trueGlobalMap({ scene: revised.scene, pose }, new Set(scene.order))),
        }
      })
      return {
        target: 'revision',
        state: stateOf(scene),
        revision: { room: stateOf(revised.scene).room, changes: publishedChanges(revised) },
        old: mapReply(random, trueGlobalMap({ scene, pose: start }, new Set(scene.order))),
        turns,
      }
    }
  },
  ours({ state, revision: { room, changes }, old, turns }) {
    const before = sceneOf(state)
    const scene = sceneOf({ ...state, room })
    const oldMap = scoreGlobalMap(
      old,
      { scene: before, pose: poseAt(before, START), observed: new Set(before.order) },
      'upstream',
    ).map
    const scored = turns.map(({ agent, changed, unchanged, reply }) => {
      const pose = poseIn({ ...state, agent })
      const { map } = scoreGlobalMap(reply, { scene, pose, observed: new Set(scene.order) }, 'upstream')
      // The published code takes an unreadable map for a read one here, and raises.
      if (map === null && unchanged.length > 0) throw new Raised()
      const kinds = changes.map(({ name, pos }) => ({
        name,
        kind: pos ? ('position' as const) : ('orientation' as const),
      }))
      const context = {
        scene,
        before,
        pose,
        changes: kinds,
        oldBelief: oldMap ?? [],
        oldJson: readMapJson(old, 'upstream'),
      }
      return revisionTurn(map, { changed, unchanged }, context, 'upstream')
    })
    const metrics = revisionMetrics(scored, 'upstream')
    return {
      changed: pair(metrics.changed),
      retention: pair(metrics.retention),
      unchanged: metricsOf(metrics.unchanged),
      inertia: metrics.inertias,
      unchangedRetention: pair(metrics.unchangedRetention),
      selectivity: pair(metrics.selectivity),
    }
  },
})
