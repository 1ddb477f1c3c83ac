import { describe, expect, it } from 'vitest'
import type { Scene } from '../grid/scene.ts'
import { TWO_ROOMS } from '../../../../../test/support/suites/space/two-rooms.ts'
import type { Profile } from '../profile.ts'
import { type ExplorationState, startExploration, startRevision, step, type Turn } from './exploration.ts'
import { Progress } from './progress.ts'
import { RevisionTracker } from './revision-tracker.ts'

const scene: Scene = TWO_ROOMS

function start(profile: Profile = 'fixed', maxSteps = 20): ExplorationState {
  return startExploration(scene, { profile, maxSteps })
}

function play(state: ExplorationState, ...lists: string[]): { state: ExplorationState; turns: Turn[] } {
  const turns: Turn[] = []
  for (const list of lists) {
    const result = step(state, `FINAL ANSWER: Actions: [${list}]`)
    state = result.state
    turns.push(result.turn)
  }
  return { state, turns }
}

const first = (turn: Turn | undefined): string => turn!.message.split('\n')[0]!

describe('moves', () => {
  it('jumps to an observed entity in view and keeps the heading', () => {
    const { state, turns } = play(start(), 'Rotate(90), Observe()', 'JumpTo(red door), Observe()')
    expect(first(turns[1])).toBe('You jumped to red door. You observe: ')
    expect(state.pose).toEqual({ pos: [4, 2], heading: [1, 0], rooms: [1, 2] })
    expect([...state.observed]).toEqual(['chair', 'red door', 'sofa', 'trash can'])
    expect(state.cost).toBe(2)
  })

  it.each([
    ['JumpTo(unicorn), Observe()', "Cannot jump to 'unicorn': object not found."],
    ['JumpTo(lamp), Observe()', "Cannot jump to 'lamp': object not observed yet."],
    ['Rotate(45), Observe()', 'Cannot rotate by 45°: only [0, 90, 180, 270, -90, -180, -270] allowed.'],
  ])('observes automatically when %s fails', (list, problem) => {
    const { state, turns } = play(start(), list)
    expect(first(turns[0])).toMatch(`${problem} Subsequent actions are skipped due to failure`)
    expect(turns[0]).toMatchObject({ valid: true, failed: true, automatic: true, cost: 1 })
    expect(state.counts).toMatchObject({ observe: 1, automaticObserve: 1, move: 0 })
  })

  it('rejects a jump to an entity behind the player', () => {
    const { turns } = play(start(), 'Observe()', 'Rotate(90), JumpTo(lamp), Observe()')
    expect(first(turns[1])).toMatch("You rotated clockwise 90°. Cannot jump to 'lamp': object not visible.")
  })

  it('ignores the case of names under fixed only', () => {
    expect(first(play(start('fixed'), 'Observe()', 'jumpto(The LAMP), Observe()').turns[1])).toMatch(
      'You jumped to lamp.',
    )
    expect(first(play(start('upstream'), 'Observe()', 'JumpTo(LAMP), Observe()').turns[1])).toMatch('object not found')
  })
})

describe('queries', () => {
  it('cost 2 and report no facing for objects without a front', () => {
    const asked = (profile: Profile, name: string): string =>
      first(play(start(profile), 'Observe()', 'Rotate(90), Observe()', `Query(${name})`).turns[2])
    expect(asked('fixed', 'chair')).toBe('You query chair: (1, 0), facing west')
    expect(asked('fixed', 'lamp')).toBe('You query lamp: (0, 2)')
    expect(asked('fixed', 'red door')).toBe('You query red door: (3, 1)')
    expect(asked('upstream', 'lamp')).toBe('You query lamp: (0, 2), facing north')
    expect(asked('upstream', 'red door')).toBe('You query red door: (3, 1), facing east')
    expect(asked('fixed', 'sofa')).toBe('Cannot query: object not observed yet')
    expect(play(start(), 'Observe()', 'Query(lamp)').state.cost).toBe(3)
    expect(play(start(), 'Query(lamp)').state.cost).toBe(0)
  })
})

describe('the budget', () => {
  it('counts invalid replies, which have no other effect', () => {
    const before = start('upstream')
    const { state, turns } = play(before, 'Observe(), Observe()')
    expect(turns[0]!.message).toMatch(/^Invalid action\. You should provide only one final action\n\nStrictly/)
    expect(state).toMatchObject({ remaining: 19, cost: 0, validTurns: 0 })
  })

  it('reports what is invalid and where under fixed', () => {
    expect(first(play(start(), 'Observe(), Observe()').turns[0])).toBe(
      'Invalid action: Observe() must be the last action, but Observe(…) follows it (at character 11).',
    )
  })

  it('discards the extra call under upstream, and ends with the last step under fixed', () => {
    const published = play(start('upstream', 1), 'Observe()', 'Rotate(90), Observe()')
    expect(published.turns.map(({ done, message }) => [done, message.slice(0, 13)])).toEqual([
      [false, 'You observe: '],
      [true, 'Task finished'],
    ])
    expect(published.state).toMatchObject({ cost: 1, done: true, counts: { forcedTerm: 1 } })
    const fixed = play(start('fixed', 1), 'Observe()')
    expect(fixed.turns[0]).toMatchObject({ done: true, ended: 'budget' })
    expect(fixed.turns[0]!.message).toMatch(/lamp: front[^]*0 exploration steps left\.$/)
  })

  it.each([
    ['nothing', ''],
    ['another language', '我看看四周。'],
    ['an unknown target', 'Actions: [JumpTo(unicorn), Observe()]'],
    ['200 actions', `Actions: [${'Rotate(90), '.repeat(200)}Observe()]`],
    ['a wall of text', 'lorem ipsum ( [ '.repeat(2000)],
    ['prototype names', 'Actions: [JumpTo(__proto__), Query(constructor)]'],
  ])('limits a player that replies with %s', (_, reply) => {
    for (const profile of ['fixed', 'upstream'] as const) {
      let state = start(profile, 6)
      let steps = 0
      while (!state.done && steps < 100) {
        state = step(state, reply).state
        steps += 1
      }
      expect(steps).toBe(profile === 'fixed' ? 6 : 7)
    }
  })
})

describe('the revision phase', () => {
  const changed: Scene = {
    ...scene,
    objects: scene.objects.map((object) => (object.name === 'lamp' ? { ...object, pos: [7, 1], room: 2 } : object)),
  }

  function revise(profile: Profile): ExplorationState {
    const { state } = play(start(profile), 'Observe()', 'Term()')
    return startRevision(state, changed, { changes: 1, maxSteps: 2 }).state
  }

  it('resets the pose and keeps observed names', () => {
    const state = revise('fixed')
    expect(state).toMatchObject({ phase: 'false-belief', remaining: 2, pose: { pos: [1, 1] }, costBeforePhase: 1 })
    expect(first(play(state, 'Query(lamp)').turns[0])).toBe('You query lamp: (6, 0)')
  })

  it('credits unseen changes under upstream only', () => {
    for (const [profile, seen] of [
      ['fixed', []],
      ['upstream', ['lamp']],
    ] as const) {
      const tracker = new RevisionTracker(['lamp'])
      const { state, turns } = play(revise(profile), 'Query(lamp)')
      expect(tracker.record(turns[0]!, state).changed).toEqual(seen)
    }
  })

  it('accepts a final submission after the last step under fixed', () => {
    const calls = ['Observe()', 'Rotate(90), Observe()', 'Term(changes="lamp: position")']
    const fixed = play(revise('fixed'), ...calls).turns
    expect(fixed[1]!.message).toContain('Your next reply can only submit')
    expect(fixed[2]).toMatchObject({ done: true, ended: 'term', changes: 'lamp: position' })
    expect(play(revise('upstream'), ...calls).turns[2]).toMatchObject({
      done: true,
      ended: 'budget',
      changes: undefined,
    })
    expect(play(revise('fixed'), 'Observe()', 'Observe()', 'Observe()').turns[2]).toMatchObject({ ended: 'budget' })
  })
})

describe('progress', () => {
  it('tracks nodes, edges, cells and possible positions', () => {
    const progress = new Progress(scene, 'fixed')
    const { turns } = play(start(), 'Observe()', 'Rotate(90), Observe()', 'Query(red door)')
    expect(progress.coverage.targetEdges()).toHaveLength(3 + 3 + 3)
    for (const turn of turns.slice(0, 1)) progress.record(turn)
    expect(progress.coverage.nodeCoverage).toBe(1 / 5)
    expect(progress.coverage.edgeCoverage).toBe(1 / 9)
    // Straight ahead and near: one or two cells away.
    expect(progress.solver.points('lamp')).toEqual([
      [0, 1],
      [0, 2],
    ])
    expect(progress.solver.size('sofa')).toBeUndefined()
    expect(progress.fog.unexplored(1)).toEqual([
      [2, 1],
      [3, 1],
      [3, 2],
    ])
    const before = progress.level
    for (const turn of turns.slice(1)) progress.record(turn)
    expect(progress.solver.points('red door')).toEqual([[3, 1]])
    expect(progress.fog.unexplored(1)).toEqual([])
    expect(progress.level).toBeGreaterThan(before)
    expect(progress.fog.visitedRooms()).toEqual([1])
  })

  it('is reset when the scene changes under fixed', () => {
    const { turns } = play(start(), 'Observe()')
    for (const [profile, left] of [
      ['fixed', undefined],
      ['upstream', 2],
    ] as const) {
      const progress = new Progress(scene, profile)
      progress.record(turns[0]!)
      progress.revise(scene)
      expect(progress.solver.size('lamp')).toBe(left)
    }
  })
})
