import { expect, it } from 'vitest'
import { formatDuration } from './format.ts'

it.each([
  [0, '0 ms'],
  [840, '840 ms'],
  [999.7, '1.0 s'],
  [12_440, '12.4 s'],
  [59_949, '59.9 s'],
  [59_999, '1 min 00 s'],
  [119_700, '2 min 00 s'],
  [200_000, '3 min 20 s'],
  [3_599_700, '1 h 00 min'],
  [7_190_000, '2 h 00 min'],
  [7_500_000, '2 h 05 min'],
  [86_399_000, '1 d 0 h'],
  [273_600_000, '3 d 4 h'],
])('writes %d milliseconds as %s', (ms, text) => expect(formatDuration(ms)).toBe(text))
