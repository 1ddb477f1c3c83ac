import { expect, it } from 'vitest'
import { Random } from '../random.ts'
import { Pattern } from './pattern.ts'

const SOURCES = [
  String.raw`[\(\s]*([A-Z])[\)\.\s]*`,
  String.raw`\b([A-F])\b(?:$|\S|\s(?:$|[^a-zA-Z]))`,
  '`([^`]*)`',
  String.raw`\{([^}]*)\}`,
  String.raw`(?:answer|Antwort)\s*(?:is|:)\s*\(?([A-D])`,
  String.raw`^\s*(\d+(?:\.\d+)?)\s*$`,
  '(a|ab)(?:c|bcd)',
  'x*',
  'a{2,3}?b',
  'a+?',
  '[^-a-c\\]]+',
  String.raw`\w+\W\B`,
  '(?:a|b|)*c',
  '.$',
]
const SIGNS = [
  'A',
  'B',
  'a',
  'b',
  'c',
  'd',
  'x',
  ' ',
  '.',
  '(',
  ')',
  '`',
  '{',
  '}',
  '1',
  '2',
  '\n',
  'answer',
  'is',
  ':',
  '-',
  ']',
]

/** What JavaScript finds. */
function expected(source: string, text: string, ignoreCase: boolean): string | undefined {
  const found = new RegExp(source, ignoreCase ? 'i' : '').exec(text)
  return found === null ? undefined : (found[1] ?? found[0])
}

it('finds what regular expressions of JavaScript find', () => {
  const random = new Random('pattern')
  for (const source of SOURCES) {
    for (const ignoreCase of [false, true]) {
      const pattern = new Pattern(source, { ignoreCase })
      for (let i = 0; i < 150; i++) {
        const text = Array.from({ length: random.int(12) }, () => random.pick(SIGNS)).join('')
        expect([source, text, pattern.first(text)?.text]).toEqual([source, text, expected(source, text, ignoreCase)])
      }
    }
  }
})

it('finds the last match', () => {
  expect(new Pattern(String.raw`\b([A-D])\b`).last('A or B? I say C.')?.text).toBe('C')
  expect(new Pattern('z').last('abc')).toBeNull()
})

it('takes no longer where other engines take forever', () => {
  const text = `${'a'.repeat(20_000)}!`
  for (const source of ['(a+)+$', '(?:a|a)*b', '(?:a|aa)+$', '(.*)(.*)(.*)x'])
    expect(new Pattern(source).first(text)).toBeNull()
})

it.each([
  ['(', 'missing )'],
  [')', 'unexpected )'],
  ['[a', 'missing ]'],
  ['*a', 'nothing to repeat'],
  ['(?=a)', 'only (?:…)'],
  [String.raw`\1`, 'unknown \\1'],
  ['[z-a]', 'not in order'],
  ['(?:(?:a{90}){90}){90}', 'too long'],
  ['a{5,2}', 'repetitions'],
  ['('.repeat(200), 'inside each other'],
])('rejects %s', (source, problem) => {
  expect(() => new Pattern(source)).toThrow(problem)
})
