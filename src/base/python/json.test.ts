import { describe, expect, it } from 'vitest'
import { parsePythonJson, PythonNumber, readExactPythonJson, readPythonJson, truthy } from './json.ts'

describe('Python JSON', () => {
  // Results of CPython 3.11; undefined where it raises.
  it.each<[string, unknown]>([
    ['{"a": [1, 2.5, "x", true, null]}', { a: [1, 2.5, 'x', true, null] }],
    [' [NaN, Infinity, -Infinity] ', [Number.NaN, Infinity, -Infinity]],
    ['{"NaN": "NaN, said", "b": NaN}', { NaN: 'NaN, said', b: Number.NaN }],
    ['{"q\\"NaN": NaN}', { 'q"NaN': Number.NaN }],
    ['[NaN, "\\u00e9\\n", -0.5e3, {}, []]', [Number.NaN, 'é\n', -500, {}, []]],
    ['', undefined],
    ['[NaN,]', undefined],
    ['[NaN', undefined],
    ['NaN NaN', undefined],
    ['-NaN', undefined],
    ['[NaN, 01]', undefined],
    ['{NaN: 1}', undefined],
    ['{"a" NaN}', undefined],
    ['[NaN, "a\tb"]', undefined],
    ['[NaN, "open', undefined],
    ['[NaN, "\\', undefined],
  ])('%j', (text, expected) => {
    expect(readPythonJson(text)).toEqual(expected)
  })

  it('keeps a key named __proto__', () => {
    expect(Object.entries(Object(readPythonJson('{"__proto__": NaN}')))).toEqual([['__proto__', Number.NaN]])
  })

  it('allows control characters in strings if not strict, but never broken escapes', () => {
    expect(readPythonJson('{"a": "1\n2\t\\n", "b": NaN}', { strict: false })).toEqual({ a: '1\n2\t\n', b: Number.NaN })
    expect(readPythonJson('"a\nb"', { strict: false })).toBe('a\nb')
    expect(readPythonJson('"a\\\nb"', { strict: false })).toBeUndefined()
  })

  it('converts constants, except in strings', () => {
    expect(parsePythonJson('[NaN, -Infinity, "NaN"]', { parseConstant: () => null })).toEqual([null, null, 'NaN'])
    expect(parsePythonJson('[-Infinity]', { parseConstant: (word) => word })).toEqual(['-Infinity'])
  })

  it('reports the position of an error', () => {
    expect(() => parsePythonJson('[NaN, x]')).toThrow('Unexpected x in JSON at position 6')
    expect(() => parsePythonJson('[NaN')).toThrow('Unexpected end in JSON at position 4')
  })

  it('rejects deep nesting and fails fast on long malformed texts', () => {
    expect(readPythonJson(`${'['.repeat(100_000)}NaN`)).toBeUndefined()
    for (const unit of ['"\\', 'NaN"', '"', '{"a":', ',"', '\t"', '[NaN,'])
      expect(readPythonJson(`[NaN${unit.repeat(Math.ceil(400_000 / unit.length))}`, { strict: false })).toBeUndefined()
  })

  it('tells integers from floats', () => {
    const value = readExactPythonJson('[4, 4.0, 1e2, NaN]')
    const numbers = Array.isArray(value) ? value.filter((item) => item instanceof PythonNumber) : []
    expect(numbers.map(({ value, whole, text }) => [value, whole, text])).toEqual([
      [4, true, '4'],
      [4, false, '4.0'],
      [100, false, '1e2'],
      [Number.NaN, false, 'NaN'],
    ])
    expect(readExactPythonJson('[4,]')).toBeUndefined()
  })

  it('has the truth values of Python', () => {
    expect([0, '', [], {}, null, undefined, false, new PythonNumber('0.0')].map(truthy)).not.toContain(true)
    expect([Number.NaN, 'NaN', [0], { a: 0 }, -1, true, new PythonNumber('NaN')].map(truthy)).not.toContain(false)
  })
})
