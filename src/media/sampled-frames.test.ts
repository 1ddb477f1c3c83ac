import fc from 'fast-check'
import { expect, test } from 'vitest'
import { sampledFrames } from './sampled-frames.ts'

test('samples evenly spaced frames including both ends, computed in doubles', () => {
  expect(sampledFrames(154, 64)[21]).toBe(50)
  expect(sampledFrames(5, 8)).toEqual([0, 1, 2, 3, 4])
  expect(sampledFrames(0, 8)).toEqual([])
  fc.assert(
    fc.property(fc.integer({ min: 2, max: 4000 }), fc.integer({ min: 2, max: 64 }), (total, count) => {
      const frames = sampledFrames(total, count)
      expect(frames[0]).toBe(0)
      expect(frames.at(-1)).toBe(total - 1)
      expect(new Set(frames).size).toBe(Math.min(total, count))
    }),
  )
})
