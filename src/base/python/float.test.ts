import { describe, expect, it } from 'vitest'
import { fixed, pythonFloat, roundHalfEven } from './float.ts'

describe('pythonFloat', () => {
  // Results of CPython 3.11.
  it.each<[string, number | null]>([
    ['4', 4],
    ['4.', 4],
    ['.5', 0.5],
    ['+1e3', 1000],
    ['-1_0.5_0', -10.5],
    ['1e1_0', 1e10],
    ['  7\n', 7],
    ['\u00a07\u2003', 7],
    ['7\x85', 7],
    ['\x1c7', null],
    ['inf', Infinity],
    ['-Infinity', -Infinity],
    ['NaN', Number.NaN],
    ['+nan', Number.NaN],
    ['١٢٫٥', null],
    ['١٢.٥', 12.5],
    ['４２', 42],
    ['𝟙𝟚', 12],
    ['', null],
    ['0x4', null],
    ['1,000', null],
    ['1__0', null],
    ['_1', null],
    ['1_', null],
    ['1_.5', null],
    ['1._5', null],
    ['.', null],
    ['e5', null],
    ['1e', null],
    ['infin', null],
    ['1 2', null],
    ['\ufeff1', null],
    ['A', null],
    ['1e999', Infinity],
  ])('%j', (text, expected) => {
    expect(pythonFloat(text)).toEqual(expected)
  })
})

it('formats fixed decimals as Python does', () => {
  const cases: [number, number, string][] = [
    [22.5, 0, '22'],
    [23.5, 0, '24'],
    [0.25, 1, '0.2'],
    [0.125, 2, '0.12'],
    [0.375, 2, '0.38'],
    [-0, 2, '-0.00'],
    [-0.004, 2, '-0.00'],
    [1.005, 2, '1.00'],
    [2.675, 2, '2.67'],
    [1234.5678, 1, '1234.6'],
    [7.25, 1, '7.2'],
    [7.75, 1, '7.8'],
    [-0.25, 1, '-0.2'],
    [7.35, 1, '7.3'],
    [10, 1, '10.0'],
    [Number.NaN, 1, 'nan'],
    [-Infinity, 1, '-inf'],
  ]
  for (const [value, digits, text] of cases) expect(fixed(value, digits)).toBe(text)
})

it('rounds halves to even', () => {
  const rounded = [0.5, 1.5, 2.5, -0.5, -1.5, 36.5, 0.4, -0.4, 1.6, 1e300, Infinity].map(roundHalfEven)
  expect(rounded).toEqual([0, 2, 2, 0, -2, 36, 0, 0, 2, 1e300, Infinity])
})
