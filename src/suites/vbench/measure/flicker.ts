/** Temporal flickering: exact, and needs no network. */
import { DifferenceKernel } from '../../../suite.ts'
import { likeness } from './rules/frames.ts'
import { nothing, valued } from '../domain/results.ts'
import type { Measure } from './types.ts'

export function flickerMeasure(): Measure {
  const idle: DifferenceKernel[] = []
  return {
    title: 'mean absolute difference',
    tier: 'exact',
    outputs: ['temporal_flickering'],
    reader: 'opencv',
    version: 'flicker-3',
    start() {
      const kernel = idle.pop() ?? new DifferenceKernel()
      kernel.reset()
      const differences: number[] = []
      return {
        frame({ data }) {
          const difference = kernel.next(data)
          if (difference !== null) differences.push(difference)
        },
        end() {
          idle.push(kernel)
          const score = likeness(differences)
          return { temporal_flickering: score === null ? nothing('a single frame cannot flicker') : valued(score) }
        },
      }
    },
  }
}
