import { describe, expect, it } from 'vitest'
import { startExploration, step } from '../explore/exploration.ts'
import { Progress } from '../explore/progress.ts'
import { generateScene } from '../../samples/generate.ts'
import { PROXY_NAMES, runProxy } from './run.ts'
import { publishedOrder, stringHash } from './published-order.ts'

const scenes = [
  ...Array.from({ length: 8 }, (_, seed) => generateScene({ seed, rooms: 3, topology: 1 })),
  generateScene({ seed: 1, rooms: 1 }),
  generateScene({ seed: 2, rooms: 4, topology: 3 }),
  generateScene({ seed: 3, rooms: 6, topology: 2, spacing: 'dataset' }),
]

describe('proxy agents', () => {
  it.each(PROXY_NAMES)('%s sees everything with legal moves', (name) => {
    for (const scene of scenes) {
      const run = runProxy(name, scene, 'fixed')
      expect(run.nodeCoverage).toBe(1)
      // Replay the same actions as text replies.
      const progress = new Progress(scene, 'fixed')
      let state = startExploration(scene, { profile: 'fixed', maxSteps: 100 })
      for (const { actions, pos } of run.turns) {
        const result = step(state, `FINAL ANSWER: Actions: [${actions.join(', ')}]`)
        expect(result.turn).toMatchObject({ valid: true, failed: false })
        state = result.state
        progress.record(result.turn)
        expect(state.pose.pos).toEqual(pos)
      }
      expect(state).toMatchObject({ done: true, cost: run.cost })
      expect(progress.level).toBe(run.levels.at(-1))
    }
  })

  it('scout needs at most four looks in the first room and three in every other', () => {
    for (const scene of scenes) {
      expect(runProxy('scout', scene, 'upstream').cost).toBeLessThanOrEqual(4 + 3 * scene.doors.length)
    }
  })

  it('strategist and oracle determine all positions when queries work', () => {
    let asked = 0
    for (const scene of scenes) {
      for (const name of ['strategist', 'oracle'] as const) {
        const fixed = runProxy(name, scene, 'fixed')
        expect(fixed.levels.at(-1)).toBeCloseTo(1, 10)
        asked += fixed.counts.query
        expect(runProxy(name, scene, 'upstream').counts.query).toBe(0)
      }
    }
    expect(asked).toBeGreaterThan(0)
  })

  it('writes the log for passive players', () => {
    const { history, turns } = runProxy('scout', scenes[0]!, 'fixed')
    const lines = history.split(/\n(?=\d+\. )/)
    expect(lines).toHaveLength(turns.length)
    expect(lines[0]).toMatch(/^1\. Actions: \[Observe\(\)\]\. You observe: /)
    expect(lines.at(-1)).toBe(`${turns.length}. Actions: [Term()]. Exploration terminated.`)
  })
})

describe('the published order of ties', () => {
  it('is the iteration order of a Python set', () => {
    // hash('table') and list({...} & {...}) of CPython 3.11 under PYTHONHASHSEED=0
    expect(BigInt.asIntN(64, stringHash('table'))).toBe(HASH_OF_TABLE)
    expect(publishedOrder(['lamp', 'computer', 'whiteboard', 'table', 'blue door', 'red door'], NODES)).toEqual([
      'table',
      'whiteboard',
      'computer',
      'lamp',
      'blue door',
    ])
  })
})

const NODES = ['blue door', 'computer', 'lamp', 'table', 'whiteboard']
const HASH_OF_TABLE = -7470741249767115104n
