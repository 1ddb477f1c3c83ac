import { describe, expect, it } from 'vitest'
import { bestObject, jsonValues } from './index.ts'

const values = (text: string): unknown[] => jsonValues(text).map((found) => found.value)
const repairs = (text: string): string[] => jsonValues(text).flatMap((found) => found.repairs)

describe('jsonValues', () => {
  it.each<[name: string, text: string, values: unknown[], repairs: string[]]>([
    ['plain JSON', '{"a": [1, 2]}', [{ a: [1, 2] }], []],
    ['several, in order', 'first {"a":1} then [2] end', [{ a: 1 }, [2]], []],
    ['brackets in strings', '{"a": "} ] {", "b": "\\""}', [{ a: '} ] {', b: '"' }], []],
    ['trailing commas', '{"a": [1, 2,], }', [{ a: [1, 2] }], ['trailing commas']],
    [
      'Python',
      "{'a': True, 'b': None, 'c': (1, 2)}",
      [{ a: true, b: null, c: [1, 2] }],
      ['single quotes', 'Python literals', 'tuples'],
    ],
    [
      'an apostrophe in single quotes',
      "{'a': 'it's mine', 'b': 2}",
      [{ a: "it's mine", b: 2 }],
      ['single quotes', 'unescaped quotes'],
    ],
    ['comments', '{"a": 1, // one\n /* two */ "b": 2 # three\n}', [{ a: 1, b: 2 }], ['comments']],
    [
      'keys and values without quotes',
      '{answer: B, why: on the left}',
      [{ answer: 'B', why: 'on the left' }],
      ['keys without quotes', 'values without quotes'],
    ],
    ['NaN and Infinity', '[NaN, -Infinity]', [[Number.NaN, Number.NEGATIVE_INFINITY]], ['NaN or Infinity']],
    [
      'unusual numbers',
      '{"a": +1.5, "b": .5, "c": 1_000}',
      [{ a: 1.5, b: 0.5, c: 1000 }],
      ['numbers that JSON does not have'],
    ],
    ['a number with its unit', '{"angle": 90°}', [{ angle: '90°' }], ['values without quotes']],
    ['smart quotes', '{“a”: “b”}', [{ a: 'b' }], ['unusual quotes']],
    ['line breaks in strings', '{"a": "x\ny"}', [{ a: 'x\ny' }], ['line breaks in strings']],
    ['LaTeX in strings', '{"a": "\\alpha"}', [{ a: '\\alpha' }], ['escapes that JSON does not have']],
    ['missing commas', '{"a": 1 "b": 2}', [{ a: 1, b: 2 }], ['missing commas']],
    ['a missing bracket', '{"a": [1, 2}', [{ a: [1, 2] }], ['missing brackets']],
    ['cut off', '{"steps": [{"a": 1}, {"b": "tex', [{ steps: [{ a: 1 }, { b: 'tex' }] }], ['closed what was cut off']],
    ['an ellipsis', '[1, 2, ...]', [[1, 2]], ['left out an ellipsis', 'trailing commas']],
    ['double braces of a template', '{{"a": 1}}', [{ a: 1 }], []],
    ['an open bracket in prose', 'in [0, 1) it says "yes" and {"a": 1}', [{ a: 1 }], []],
    ['an open quote in prose brackets', '[It is "odd] but {"a": 1} holds', [{ a: 1 }], []],
    ['prose in brackets', 'see [the left chair] and \\frac{a}{b} \\boxed{4}', [], []],
    ['stray closing brackets', '}} ]] {"a": 1} }', [{ a: 1 }], []],
    [
      'a key named __proto__',
      '{"__proto__": {"x": 1,},}',
      [JSON.parse('{"__proto__": {"x": 1}}')],
      ['trailing commas'],
    ],
    ['no JSON', 'left', [], []],
    ['empty text', '', [], []],
  ])('%s', (_, text, expected, repaired) => {
    expect(values(text)).toEqual(expected)
    expect(repairs(text)).toEqual(repaired)
  })

  it('does not pollute prototypes', () => {
    jsonValues('{"__proto__": {"polluted": 1,},}')
    expect(({} as { polluted?: number }).polluted).toBeUndefined()
  })

  it('reports the position and fence of each value', () => {
    const text = 'Draft {"a": 1}\n```json\n{"a": 2}\n```\nand\n```\n[3]\n```'
    const found = jsonValues(text)
    expect(found.map(({ fence }) => fence)).toEqual([null, 'json', ''])
    expect(found.map(({ start, end }) => text.slice(start, end))).toEqual(['{"a": 1}', '{"a": 2}', '[3]'])
  })

  it('ends an unclosed value at its fence and finds the next one', () => {
    expect(values('```json\n{"a": 1,\n```\nso {"b": 2}')).toEqual([{ a: 1 }, { b: 2 }])
  })
})

describe('bestObject', () => {
  const hasAnswer = (object: Record<string, unknown>): boolean => 'answer' in object

  it.each<[string, string, unknown]>([
    ['the last of several', '{"answer": "A"} no: {"answer": "B"}', { answer: 'B' }],
    ['ignores thinking', '<think>{"answer": "A"}</think>{"answer": "B"} {"other": 1}', { answer: 'B' }],
    ['one inside another', '{"result": {"answer": 3}}', { answer: 3 }],
    ['one in a list', '[{"answer": 3}]', { answer: 3 }],
    ['none', 'answer: B', undefined],
  ])('%s', (_, text, expected) => {
    expect(bestObject(text, hasAnswer)?.value).toEqual(expected)
  })
})

it('spends its limits from the end: half a million values do not hide the last one', () => {
  const found = jsonValues(`${'{}'.repeat(500_000)}{"answer": 1}`)
  expect(found.at(-1)).toMatchObject({ value: { answer: 1 } })
  expect(found).toHaveLength(20_000)
})
