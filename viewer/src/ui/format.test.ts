import { describe, expect, it } from 'vitest'
import { formatAgo, formatInterval, formatShare, formatSmallUsd } from './format.ts'

describe('number formats', () => {
  it.each([
    [1, '100%'],
    [0.9999, '>99%'],
    [0.001, '<1%'],
    [0, '0%'],
    [0.504, '50%'],
  ])('formats a share of %d as %s', (share, text) => expect(formatShare(share)).toBe(text))

  it.each([
    [null, '?'],
    [0, '$0'],
    [0.00025, '$0.00025'],
    [0.0129, '$0.013'],
    [1.5, '$1.50'],
  ])('formats %d dollars as %s', (usd, text) => expect(formatSmallUsd(usd)).toBe(text))

  it('writes "to" in an interval with negative bounds', () => {
    expect(formatInterval([0.58, 0.663], 'percent')).toBe('58.0–66.3')
    expect(formatInterval([-0.02, -0.004], 'percent')).toBe('−2.0 to −0.4')
  })

  it('formats recent times as relative and older ones as a date', () => {
    const now = Date.parse('2026-11-15T12:00:00Z')
    expect(formatAgo('2026-11-15T11:59:30Z', now)).toBe('just now')
    expect(formatAgo('2026-11-15T09:00:00Z', now)).toBe('3 h ago')
    expect(formatAgo('2026-01-15T09:00:00Z', now)).toBe('15 Jan 2026')
    expect(formatAgo('yesterday', now)).toBe('yesterday')
  })
})
