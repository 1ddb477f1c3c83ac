import { describe, expect, it } from 'vitest'
import { afterLast, dropThinking, numbersIn, numberWithUnit, sections, tagged, type Unit } from './index.ts'

describe('dropThinking', () => {
  it.each<[string, string, string, string[]]>([
    ['<think>hm</think>left', 'left', 'hm', []],
    ['<THINKING>a</THINKING> x <reasoning>b</reasoning>', 'x', 'ab', []],
    ['◁think▷hm◁/think▷ left', 'left', 'hm', []],
    ['[THINK]hm[/THINK]left', 'left', 'hm', []],
    ['<|begin_of_thought|>hm<|end_of_thought|>left', 'left', 'hm', []],
    ['hm, hm</think>\n\nleft', 'left', 'hm, hm', ['thinking was never opened']],
    ['so <think>hm', 'so', 'hm', ['thinking was never closed']],
    ['<think>a<think>b</think>c</think>d', 'd', 'abc', []],
    [
      '<|channel|>analysis<|message|>hm<|end|><|start|>assistant<|channel|>final<|message|>left<|return|>',
      'left',
      '<|channel|>analysis<|message|>hm<|end|><|start|>assistant',
      [],
    ],
    [' untouched ', ' untouched ', '', []],
  ])('%s', (reply, text, thinking, repairs) => {
    expect(dropThinking(reply)).toEqual({ text, thinking, repairs })
  })
})

describe('numbersIn', () => {
  it.each<[string, [number, Unit | null][]]>([
    [
      'about 3.5 meters, or 350cm.',
      [
        [3.5, 'm'],
        [350, 'cm'],
      ],
    ],
    [
      'turn −90° then +45 degrees',
      [
        [-90, 'deg'],
        [45, 'deg'],
      ],
    ],
    [
      '26.4 m², 26 sq m, 284 square feet, 3m^2',
      [
        [26.4, 'm2'],
        [26, 'm2'],
        [284, 'ft2'],
        [3, 'm2'],
      ],
    ],
    [
      'between 3-5 ft',
      [
        [3, null],
        [5, 'ft'],
      ],
    ],
    [
      '1,250 mm at (120,340) or 1,2,3',
      [
        [1250, 'mm'],
        [120, null],
        [340, null],
        [1, null],
        [2, null],
        [3, null],
      ],
    ],
    [
      'there are 3 in the corner, 12 in',
      [
        [3, null],
        [12, 'in'],
      ],
    ],
    [
      '50% or 12.5 percent',
      [
        [50, 'percent'],
        [12.5, 'percent'],
      ],
    ],
    ['chair_3 and B2 and v1.2', []],
    ['The answer is 4.', [[4, null]]],
    [
      '1e3 and .5 and 2.5e-2m',
      [
        [1000, null],
        [0.5, null],
        [0.025, 'm'],
      ],
    ],
    ['$45^\\circ$', [[45, 'deg']]],
    ['3 milk cartons', [[3, null]]],
  ])('%s', (text, expected) => {
    expect(numbersIn(text).map(({ value, unit }) => [value, unit])).toEqual(expected)
  })

  it('converts to the requested unit and notes it', () => {
    expect(numberWithUnit('roughly 350 cm', 'm')).toEqual({ value: 3.5, repairs: ['converted cm to m'] })
    expect(numberWithUnit('at 45° it is 2 m away', 'm')).toEqual({ value: 2, repairs: [] })
    expect(numberWithUnit('7', 'm')).toEqual({ value: 7, repairs: [] })
    expect(numberWithUnit('none', 'm')).toBeNull()
  })
})

describe('parts of a reply', () => {
  it('returns the text after the last marker', () => {
    expect(afterLast('Answer: A … ANSWER: B', 'answer:')).toBe(' B')
    expect(afterLast('B', 'answer:')).toBeNull()
  })

  it('splits at markers, preferring the longest', () => {
    expect(sections('x THINK: left\nFinal Answer: B', ['answer:', 'think:', 'final answer:'])).toEqual([
      { marker: 'think:', text: 'left', start: 2 },
      { marker: 'final answer:', text: 'B', start: 14 },
    ])
  })

  it('reads closed and unclosed tags', () => {
    expect(tagged('<answer>A</answer> <ANSWER> B </Answer><answer>C', 'answer')).toEqual(['A', 'B', 'C'])
    expect(tagged('<answer>A<answer>B</answer>', 'answer')).toEqual(['A', 'B'])
  })
})
