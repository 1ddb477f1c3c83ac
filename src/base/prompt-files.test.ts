import { describe, expect, test } from 'vitest'
import { fillPrompt } from './prompt-files.ts'

describe('filling in', () => {
  test('puts each value in its place, once', () => {
    expect(fillPrompt('{a} and {b}, {a}', { a: '{b}', b: 2 })).toBe('{b} and 2, {b}')
  })

  test('refuses to leave a placeholder open, or a value out', () => {
    expect(() => fillPrompt('{a} {b}', { a: 1 })).toThrow('{b}')
    expect(() => fillPrompt('{a}', { a: 1, c: 1 })).toThrow('{c}')
  })

  test('takes the values of a list one after the other', () => {
    expect(fillPrompt('{a}, {a}', { a: ['1', '2'] })).toBe('1, 2')
    expect(() => fillPrompt('{a}, {a}', { a: ['1'] })).toThrow('{a}')
  })

  test('leaves JSON in texts alone', () => {
    expect(fillPrompt('{"agent": {"position": [2, 3]}} {x}', { x: 1 })).toBe('{"agent": {"position": [2, 3]}} 1')
  })
})
