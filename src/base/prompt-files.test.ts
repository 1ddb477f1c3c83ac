import { describe, expect, test } from 'vitest'
import { fillPrompt } from './prompt-files.ts'

describe('fillPrompt', () => {
  test('fills in placeholders in one pass', () => {
    expect(fillPrompt('{a} and {b}, {a}', { a: '{b}', b: 2 })).toBe('{b} and 2, {b}')
  })

  test('rejects missing and unused values', () => {
    expect(() => fillPrompt('{a} {b}', { a: 1 })).toThrow('{b}')
    expect(() => fillPrompt('{a}', { a: 1, c: 1 })).toThrow('{c}')
  })

  test('uses the values of a list in order', () => {
    expect(fillPrompt('{a}, {a}', { a: ['1', '2'] })).toBe('1, 2')
    expect(() => fillPrompt('{a}, {a}', { a: ['1'] })).toThrow('{a}')
  })

  test('leaves JSON alone', () => {
    expect(fillPrompt('{"agent": {"position": [2, 3]}} {x}', { x: 1 })).toBe('{"agent": {"position": [2, 3]}} 1')
  })
})
