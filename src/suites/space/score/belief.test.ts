import { readFileSync } from 'node:fs'
import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { Random } from '../../../base/random.ts'
import { startExploration, step } from '../domain/explore/exploration.ts'
import { Progress } from '../domain/explore/progress.ts'
import { generateScene } from '../samples/generate.ts'
import { type Pose, type Scene, SOUTH } from '../domain/grid/scene.ts'
import { sceneFromJson } from '../domain/grid/scene-json.ts'
import { poseAt, startPose, visibleEntities } from '../domain/grid/view.ts'
import { PROFILES } from '../domain/profile.ts'
import {
  drawFogProbe,
  fogMapText,
  type FogProbe,
  scoreFogProbe,
  unexploredLetters,
} from '../domain/belief/fog-probe.ts'
import type { MapContext } from '../parse/maps.ts'
import { readMapJson } from '../parse/map-json.ts'
import { PERFECT_METRICS, ZERO_METRICS } from '../domain/belief/metrics.ts'
import { perfectFog, perfectMap } from '../baselines/perfect.ts'
import { scoreConsistency, scoreGlobalMap, scoreLocalMap } from '../domain/belief/probes.ts'
import { type BeliefTurn, beliefRecord } from './record.ts'
import { scoreRoomsMap } from '../domain/belief/rooms-map.ts'
import { stabilityOf } from './stability.ts'
import { trueMapText } from '../domain/belief/map-text.ts'
import { readFogLetters } from '../parse/fog-letters.ts'

const ROOMS = new URL('../../../../conformance/oracle/space/rooms.json', import.meta.url)
const R09 = sceneFromJson((JSON.parse(readFileSync(ROOMS, 'utf8')) as { rooms: unknown[] }).rooms[9], 'R09')

function at(scene: Scene, pose: Pose, observed: Iterable<string> = scene.order): MapContext {
  return { scene, pose, observed: new Set(observed) }
}

/** Random poses in generated scenes, each with something in view. */
const contexts: MapContext[] = Array.from({ length: 60 }, (_, i) => {
  const scene = generateScene({ seed: `belief/${i}`, rooms: 2 + (i % 3), topology: 0 })
  const random = new Random(`belief/${i}`)
  const places = [...scene.objects, ...scene.doors].flatMap((entity) =>
    [0, 1, 2, 3].map((turn) =>
      poseAt(
        scene,
        entity,
        [
          [0, 1],
          [1, 0],
          [0, -1],
          [-1, 0],
        ][turn] as [number, number],
      ),
    ),
  )
  const pose = random.pick(places.filter((candidate) => visibleEntities(scene, candidate).length > 0))
  return at(scene, pose)
})

describe.each(PROFILES)('profile %s', (profile) => {
  test('a perfect memory scores 100 on every map', () => {
    for (const context of contexts) {
      const global = scoreGlobalMap(perfectMap('global', context), context, profile)
      expect(global.observed).toEqual(PERFECT_METRICS)
      expect(global.full).toEqual(PERFECT_METRICS)
      expect(global.agent).toEqual(PERFECT_METRICS)
      const local = scoreLocalMap(perfectMap('local', context), context, context.observed, profile)
      expect(local.all).toEqual(PERFECT_METRICS)
      expect(local.newly).toEqual(PERFECT_METRICS)
      expect(scoreConsistency(local, global, context, profile)).toEqual(PERFECT_METRICS)
      expect(scoreRoomsMap(perfectMap('rooms', context), context, profile).metrics).toEqual(PERFECT_METRICS)
    }
  })

  test('a map with missing objects scores lower', () => {
    for (const context of contexts) {
      const half = at(context.scene, context.pose, context.scene.order.slice(0, 4))
      const some = scoreGlobalMap(perfectMap('global', half), context, profile)
      expect(some.full!.overall).toBeLessThan(0.7)
      expect(scoreGlobalMap(perfectMap('global', half), half, profile).observed).toEqual(PERFECT_METRICS)
    }
  })
})

describe('unreadable maps', () => {
  const context = at(R09, startPose(R09))
  const unreadable = ['', 'I cannot do this', '{"sofa": {"position": [1, 2]}', '{bad}']

  test.each(unreadable.slice(0, 2))('%j is left out under upstream and scores 0 under fixed', (reply) => {
    expect(scoreGlobalMap(reply, context, 'upstream')).toMatchObject({ map: null, observed: null, full: null })
    expect(scoreGlobalMap(reply, context, 'fixed')).toMatchObject({
      map: null,
      observed: ZERO_METRICS,
      full: ZERO_METRICS,
    })
    expect(scoreLocalMap(reply, context, context.observed, 'fixed').all).toEqual(ZERO_METRICS)
    expect(scoreRoomsMap(reply, context, 'fixed').metrics).toEqual(ZERO_METRICS)
  })

  test('fixed parses names and facings that upstream drops or misreads', () => {
    const sofa = R09.objects.find(({ name }) => name === 'sofa')!
    const door = R09.doors[0]!
    const rel = (pos: readonly [number, number]) => `[${pos[0] - R09.start.pos[0]}, ${pos[1] - R09.start.pos[1]}]`
    const reply = `{"SOFA": {"position": ${rel(sofa.pos)}, "facing": "sideways"}, "red_door": {"position": {"x": ${door.pos[0] - R09.start.pos[0]}, "y": ${door.pos[1] - R09.start.pos[1]}}}}`
    const fixed = scoreGlobalMap(reply, context, 'fixed').map!
    expect(fixed.map(({ name }) => name)).toEqual(['sofa', 'red door'])
    expect(fixed[0]!.facing).toBeNull()
    expect(scoreGlobalMap(reply, context, 'upstream').map).toEqual([])
    const north = scoreGlobalMap('{"sofa": {"position": [1, 1], "facing": "sideways"}}', context, 'upstream').map!
    expect(north[0]!.facing).toEqual([0, 1])
  })

  test('fixed takes the map in the answer, upstream the longest anywhere', () => {
    const draft = '{"sofa": {"position": [1, 1]}, "oven": {"position": [2, 2]}}'
    const reply = `THINK:\nperhaps ${draft}\nFINAL ANSWER:\n{"sofa": {"position": [3, 3]}}`
    expect(readMapJson(reply, 'upstream')).toEqual(JSON.parse(draft))
    expect(readMapJson(reply, 'fixed')).toEqual({ sofa: { position: [3, 3] } })
  })

  test('an empty local map is consistent with everything under upstream only', () => {
    const empty = '{"origin": "agent", "objects": {}}'
    const global = (profile: 'upstream' | 'fixed') => scoreGlobalMap(perfectMap('global', context), context, profile)
    for (const [profile, expected] of [
      ['upstream', PERFECT_METRICS],
      ['fixed', ZERO_METRICS],
    ] as const) {
      const local = scoreLocalMap(empty, context, context.observed, profile)
      const { direction, position } = scoreConsistency(local, global(profile), context, profile)!
      expect([direction, position]).toEqual([expected.direction, expected.position])
    }
  })

  test('hostile replies never throw', () => {
    const piece = fc.constantFrom(
      '{',
      '}',
      '[',
      ']',
      '"sofa"',
      ':',
      ',',
      '"position"',
      '[1,2]',
      '[1e999, -1]',
      '"facing"',
      '"objects"',
      '"__proto__"',
      'NaN',
      '```json',
      '```',
      '"agent"',
      '"room 1"',
      '"origin"',
      'FINAL ANSWER:',
      '"unexplored"',
      '"A"',
    )
    fc.assert(
      fc.property(fc.array(fc.oneof(piece, fc.string(), fc.json()), { maxLength: 30 }), (pieces) => {
        const reply = pieces.join('')
        for (const profile of PROFILES) {
          const local = scoreLocalMap(reply, context, context.observed, profile)
          const global = scoreGlobalMap(reply, context, profile)
          scoreConsistency(local, global, context, profile)
          scoreRoomsMap(reply, context, profile)
          scoreFogProbe(
            reply,
            {
              candidates: [
                [1, 1],
                [2, 2],
              ],
              unexplored: [[1, 1]],
            },
            profile,
          )
          if (profile === 'fixed') expect(global.full!.overall).toBeGreaterThanOrEqual(0)
        }
      }),
      { numRuns: 100 },
    )
  })
})

describe('the rooms map', () => {
  test('are matched by their origin, whatever number the player gives a room', () => {
    const context = at(R09, startPose(R09))
    const right = perfectMap('rooms', context)
    const swapped = right
      .replace('"room 2"', '"room X"')
      .replace('"room 3"', '"room 2"')
      .replace('"room X"', '"Room_7"')
    expect(swapped).not.toBe(right)
    expect(scoreRoomsMap(swapped, context, 'fixed').metrics).toEqual(PERFECT_METRICS)
    const listed = JSON.stringify({ rooms: Object.values(JSON.parse(right) as object) })
    expect(scoreRoomsMap(listed, context, 'fixed').metrics).toEqual(PERFECT_METRICS)
  })

  test('scores 0 for a room with an invalid origin', () => {
    const context = at(R09, startPose(R09))
    const right = perfectMap('rooms', context)
    expect(right).toContain('"origin": "initial_pos"')
    const wrong = right.replaceAll('"origin": "blue door"', '"origin": "sofa"')
    expect(scoreRoomsMap(wrong, context, 'fixed').metrics!.overall).toBeCloseTo(2 / 3, 5)
    expect(scoreRoomsMap(`{"rooms": ${right}}`, context, 'fixed').metrics).toEqual(PERFECT_METRICS)
  })
})

test('a predicted player without a facing looks north in the published consistency', () => {
  const context = at(R09, startPose(R09))
  const local = scoreLocalMap(perfectMap('local', context), context, new Set(), 'upstream')
  const bare = perfectMap('global', context).replace(/("agent": \{"position": \[0, 0\]), "facing": "north"/, '$1')
  const global = scoreGlobalMap(bare, context, 'upstream')
  expect(global.map!.find(({ name }) => name === 'agent')!.facing).toBeNull()
  expect(scoreConsistency(local, global, context, 'upstream')!.position).toBe(1)
})

describe('the true map as text', () => {
  test('has the player at the start, all entities, and no facing for objects without a front', () => {
    const map = JSON.parse(trueMapText(R09, 'fixed')) as Record<string, { position: number[]; facing?: string }>
    expect(map['agent']).toEqual({ position: [0, 0], facing: 'north' })
    expect(Object.keys(map)).toHaveLength(R09.order.length + 1)
    expect(map['table']).toEqual({ position: [-1, 4] })
    expect(map['red door']).toEqual({ position: [4, 4] })
  })
})

describe('the fog probe', () => {
  const probe: FogProbe = {
    candidates: [
      [1, 1],
      [2, 5],
      [3, 3],
      [4, 4],
      [6, 2],
      [5, 1],
    ],
    unexplored: [
      [2, 5],
      [4, 4],
      [6, 2],
    ],
  }

  test('naming every cell gives an F1 of 2/3 but chance-level balanced accuracy', () => {
    const all = scoreFogProbe('{"unexplored": ["A","B","C","D","E","F"]}', probe, 'fixed')
    expect(all.f1).toBeCloseTo(2 / 3)
    expect(all.balancedAccuracy).toBe(0.5)
    expect(all.mcc).toBe(0)
    const right = scoreFogProbe(perfectFog(probe), probe, 'fixed')
    expect(right).toMatchObject({ f1: 1, balancedAccuracy: 1, mcc: 1, formatError: 0 })
  })

  test.each<[string, string[] | null]>([
    ['{"unexplored": ["b", "D"]}', ['B', 'D']],
    ['{"unexplored": "b, d"}', ['B', 'D']],
    ['FINAL ANSWER:\nB and D', ['B', 'D']],
    ['{"unexplored": []}', []],
    ['I think that A is a wall', null],
    ['', null],
  ])('fixed parses %j', (reply, letters) => {
    expect(readFogLetters(reply, 'fixed')).toEqual(letters)
  })

  test('asks about explored and unexplored cells, and under fixed also about unseen rooms', () => {
    const scene = generateScene({ seed: 'fog' })
    const progress = new Progress(scene, 'fixed')
    const { turn, state } = step(startExploration(scene, { profile: 'fixed' }), 'Actions: [Observe()]')
    progress.record(turn)
    const roomOf = ([x, y]: readonly [number, number]) => scene.mask[x]![y]!
    const drawn = (profile: 'upstream' | 'fixed') =>
      drawFogProbe(progress.fog, scene, state.pose, new Random('fog'), profile)!
    const published = drawn('upstream')
    expect(published.candidates).toHaveLength(6)
    expect(published.unexplored).toHaveLength(3)
    expect(new Set(published.candidates.map(roomOf))).toEqual(new Set([1]))
    const ours = drawn('fixed')
    expect(new Set(ours.candidates.map(roomOf))).toEqual(new Set([1, 2, 3]))
    const letters = unexploredLetters(ours)
    expect(letters).toHaveLength(ours.unexplored.length)
    const map = fogMapText(ours, scene, state.pose)
    for (const letter of letters) expect(map).toContain(letter)
    expect(map).toContain('*')
    expect(scoreFogProbe(perfectFog(ours), ours, 'fixed').mcc).toBe(1)
  })
})

describe('stability', () => {
  const known = {
    observed: new Set(['sofa', 'oven']),
    candidates: new Map([
      ['sofa', 1],
      ['oven', 300],
    ]),
  }
  const sofa = R09.objects.find(({ name }) => name === 'sofa')!
  const right = [sofa.pos[0] - R09.start.pos[0], sofa.pos[1] - R09.start.pos[1]] as const
  const entry = (dx: number, facing = sofa.heading) => [
    { name: 'sofa', pos: [right[0] + dx, right[1]] as const, facing },
  ]

  test.each([
    ['is 1 if the position stays right', 0, 0, 1],
    ['is 1 if it gets better', 3, 1, 1],
    ['is 0 if it gets worse', 1, 2, 0],
  ])('%s', (_, before, after, expected) => {
    const turns = [
      { ...known, map: entry(before) },
      { ...known, map: entry(after) },
    ]
    for (const profile of PROFILES)
      expect(stabilityOf(R09, turns, profile)).toEqual([{ position: expected, facing: 1 }])
  })

  test('counts forgotten objects as unstable under fixed only', () => {
    const turns = [
      { ...known, map: entry(0) },
      { ...known, map: [] },
    ]
    expect(stabilityOf(R09, turns, 'upstream')).toEqual([{ position: null, facing: null }])
    expect(stabilityOf(R09, turns, 'fixed')).toEqual([{ position: 0, facing: 0 }])
  })

  test('skips positions that observations have narrowed down', () => {
    const turns = [
      { ...known, candidates: new Map([['sofa', 9]]), map: entry(0) },
      { ...known, map: entry(2, SOUTH) },
    ]
    expect(stabilityOf(R09, turns, 'fixed')).toEqual([{ position: null, facing: 0 }])
  })
})

test('beliefRecord flattens the probes of an episode', () => {
  const context = contexts[0]!
  const global = (reply: string, profile: 'upstream' | 'fixed') => scoreGlobalMap(reply, context, profile)
  const turn = (reply: string, profile: 'upstream' | 'fixed'): BeliefTurn => ({
    global: global(reply, profile),
    observed: context.observed,
    candidates: new Map(),
  })
  const good = perfectMap('global', context)
  const upstream = beliefRecord(context.scene, [turn('nothing', 'upstream'), turn(good, 'upstream')], 'upstream')
  const fixed = beliefRecord(context.scene, [turn('nothing', 'fixed'), turn(good, 'fixed')], 'fixed')
  expect(upstream['map.observed.overall']).toBe(1)
  expect(fixed['map.observed.overall']).toBe(0.5)
  expect(fixed['map.correctness.position']).toBe(1)
  expect(fixed['map.selfTracking.facing']).toBe(0.5)
  expect(fixed['map.formatError']).toBe(0.5)
  expect(fixed).not.toHaveProperty('map.uncertainty.f1')
})
