import { describe, expect, it } from 'vitest'
import { pythonText } from '../published/python.ts'
import { loopOptions } from '../options.ts'
import { rulesFor } from './rules.ts'
import { ADAPTIVE_DEFAULTS, Verifier } from './verifier.ts'

const scores = (...values: number[]): { iteration: number; feedback_score: number }[] =>
  values.map((feedback_score, i) => ({ iteration: i + 1, feedback_score }))

/** Feeds results one by one; gives how many it took to stop, and why. */
function stopped(
  verifier: Verifier,
  records: readonly { iteration: number; feedback_score: number }[],
): [number, string] | null {
  for (let i = 1; i <= records.length; i++)
    if (!verifier.shouldContinue(records.slice(0, i))) return [i, verifier.stopReason()!.text]
  return null
}

describe('the threshold verifier', () => {
  it.each([
    ['a good score', [5, 8], [2, 'Reached overall threshold 7.5/10 (current: 8.0/10)']],
    ['no improvement', [5, 4, 5, 3], [4, 'No improvement for 3 consecutive iterations (best: 5.0/10)']],
    ['still going', [1, 2, 3], null],
    ['the last iteration', [1, 2, 3, 4, 5], [5, 'Reached maximum iterations 5']],
    ['success in the last iteration', [1, 2, 3, 4, 9], [5, 'Reached overall threshold 7.5/10 (current: 9.0/10)']],
  ])('stops or goes on: %s', (_, given, expected) => {
    expect(stopped(new Verifier('fixed', { max_iterations: 5 }), scores(...given))).toEqual(expected)
  })

  it('stops when position and joint scores both pass', () => {
    const verifier = new Verifier('fixed')
    const record = { iteration: 1, feedback_score: 5, position_score: 7.25, joint_score: 8 }
    expect(verifier.shouldContinue([record])).toBe(false)
    expect(verifier.stopReason()).toEqual({
      code: 'component_thresholds',
      text: 'Position and joint both reached threshold (position: 7.2>=7.0/10, joint: 8.0>=8.0/10)',
    })
  })

  it('stays stopped; the published one can resume', () => {
    const records = scores(5, 5, 5, 5, 6)
    for (const [profile, last] of [
      ['fixed', false],
      ['upstream', true],
    ] as const) {
      const verifier = new Verifier(profile)
      const decisions = records.map((_, i) => verifier.shouldContinue(records.slice(0, i + 1)))
      expect(decisions).toEqual([true, true, true, false, last])
    }
  })

  it.each([
    [{ overall_threshold: { value: 75, whole: true } }, /scores run from 0 to 10/],
    [{ patience: 0 }, /at least 1/],
    [{ adaptive: ADAPTIVE_DEFAULTS.upstream }, /looks like a share of 1/],
  ])('refuses a setting that makes no sense: %j', (config, message) => {
    expect(() => new Verifier('fixed', config)).toThrow(message)
    expect(() => new Verifier('upstream', config)).not.toThrow()
  })
})

describe('the adaptive verifier', () => {
  it('lowers the threshold every third iteration and accepts 7.2 in the third', () => {
    const verifier = new Verifier('fixed', { adaptive: ADAPTIVE_DEFAULTS.fixed })
    expect(stopped(verifier, scores(5, 6, 7.2))).toEqual([3, 'Reached overall threshold 7.125/10 (current: 7.2/10)'])
  })

  it('lowers it once per iteration for any number of seeds', () => {
    const seeds = [3, 3, 3].map((iteration) => ({ iteration, feedback_score: 1 }))
    const [fixed, upstream] = (['fixed', 'upstream'] as const).map((profile) => {
      const verifier = new Verifier(profile, { patience: 99, adaptive: ADAPTIVE_DEFAULTS[profile] })
      stopped(verifier, seeds)
      return verifier.state().overall_threshold
    })
    expect(fixed).toBe(7.125)
    expect(upstream).toBeCloseTo(7.5 * 0.95 ** 3)
  })
})

describe('settings of the verifiers', () => {
  const record = { seed: 0, source: '', urdf: '<robot/>', problem: null, feedback: '' }
  const answers = (given: object, scores: readonly number[]): number => {
    const rules = rulesFor('fixed', 'place', loopOptions.parse({ iterations: 10, ...given }))
    const at = scores.findIndex((feedback_score, iteration) =>
      rules.after({ ...record, iteration, feedback_score }, {}),
    )
    return at + 1
  }

  it.each([
    [{}, [7, 7, 7, 7], 4],
    [{ patience: 5 }, [7, 7, 7, 7, 7, 7], 6],
    [{ overallThreshold: 6.5 }, [6, 7], 2],
    [{ verifier: 'adaptive', decay: 0.5, interval: 2, floor: 3 }, [3, 3.8], 2],
    [{ verifier: 'adaptive', decay: 0.5, interval: 2, floor: 6 }, [3, 3.8, 3.9, 4, 4.1, 6.2], 6],
  ])('%j with scores %j takes %i answers', (given, scores, expected) => {
    expect(answers(given, scores)).toBe(expected)
  })

  it('those of the adaptive one need it', () => {
    expect(() => loopOptions.parse({ decay: 0.9 })).toThrow(/verifier=adaptive/)
  })
})

describe('numbers in published reasons', () => {
  it.each([
    [7.5, '7.5'],
    [8, '8.0'],
    [0.0001, '0.0001'],
    [0.00005, '5e-05'],
    [-1e-7, '-1e-07'],
    [1e15, '1000000000000000.0'],
    [1.5e17, '1.5e+17'],
    [6.4303125, '6.4303125'],
  ])('%d is written %s', (value, text) => {
    expect(pythonText({ value, whole: false })).toBe(text)
  })
})
