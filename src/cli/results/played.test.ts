import { afterEach, expect, it } from 'vitest'
import { belowThreshold, StopOnSignal } from './played.ts'

afterEach(() => {
  process.removeAllListeners('SIGTERM').removeAllListeners('SIGINT')
})

it('stops a run that starts after the signal, and names the signal', () => {
  const stop = new StopOnSignal()
  expect(stop.control().draining.aborted).toBe(false)
  process.emit('SIGTERM')
  const { draining } = stop.control()
  expect(draining.aborted).toBe(true)
  expect(draining.reason).toMatchObject({ message: 'stopped by SIGTERM' })
})

it.each([
  [0.145, 20, ['Accuracy is 14.5, below --fail-under 20: exit code 100. Run r1']],
  [0.19996, 20, ['Accuracy is 19.996, below --fail-under 20: exit code 100. Run r1']],
  [0.2, 20, []],
  [null, 20, ['Run r1 has no score, and --fail-under is 20: exit code 100.']],
  [0.1, undefined, []],
])('says why a score of %s with --fail-under %s fails', (value, failUnder, lines) => {
  const score = value === null ? null : { title: 'Accuracy', value, unit: 'percent' as const }
  expect(belowThreshold([{ id: 'r1', progress: { score } }], failUnder)).toEqual(lines)
})
