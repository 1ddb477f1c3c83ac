import { afterEach, expect, it } from 'vitest'
import { StopOnSignal } from './played.ts'

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
