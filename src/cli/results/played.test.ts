import { afterEach, expect, it } from 'vitest'
import { STOP_SIGNALS } from '../terminal/exit.ts'
import { belowThreshold, StopOnSignal } from './played.ts'

afterEach(() => {
  for (const signal of STOP_SIGNALS) process.removeAllListeners(signal)
})

it.each([
  ['SIGTERM', 'stopped by SIGTERM'],
  ['SIGHUP', 'stopped by SIGHUP'],
  ['SIGINT', 'stopped by Ctrl-C'],
] as const)('stops a run that starts after %s, and names it', (signal, message) => {
  const stop = new StopOnSignal()
  expect(stop.control().draining.aborted).toBe(false)
  process.emit(signal)
  const { draining } = stop.control()
  expect(draining.aborted).toBe(true)
  expect(draining.reason).toMatchObject({ message })
})

it('waits for the requests in flight when a closed terminal sends SIGHUP twice', () => {
  const control = new StopOnSignal().control()
  process.emit('SIGHUP')
  process.emit('SIGHUP')
  expect([control.draining.aborted, control.signal.aborted]).toEqual([true, false])
  process.emit('SIGTERM')
  expect(control.signal.aborted).toBe(true)
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
