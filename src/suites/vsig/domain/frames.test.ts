import { describe, expect, it } from 'vitest'
import { sampledFrames } from './frames.ts'

describe('sampledFrames', () => {
  it('spaces frames in floating point, like the original', () => {
    expect(sampledFrames(123, 15)[7]).toBe(60)
    expect(sampledFrames(9, 8)).toEqual([0, 1, 2, 3, 4, 5, 6, 8])
    expect(sampledFrames(3, 15)).toEqual([0, 1, 2])
    expect(sampledFrames(300, 15, 30, 0.2)).toEqual([0, 1, 2, 3, 4, 5, 6])
    expect(sampledFrames(0, 15)).toEqual([])
  })
})
