/** 20,000 malformed replies: nothing throws, and the work stays linear. */
import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { pythonFloat } from '../python/float.ts'
import { Random } from '../random.ts'
import {
  afterLast,
  bestObject,
  dropThinking,
  jsonValues,
  numbersIn,
  numberWithUnit,
  sections,
  tagged,
} from './index.ts'

function readEverything(text: string): void {
  dropThinking(text)
  for (const found of jsonValues(text)) {
    // Every value lies within the text and can be serialized.
    if (found.start >= found.end || found.end > text.length) throw new Error(`bad span ${found.start}–${found.end}`)
    JSON.stringify(found.value)
  }
  bestObject(text, (object) => 'answer' in object)
  if (!numbersIn(text).every(({ value }) => Number.isFinite(value))) throw new Error('not a finite number')
  numberWithUnit(text, 'm')
  pythonFloat(text)
  afterLast(text, 'answer:')
  sections(text, ['think:', 'answer:'])
  tagged(text, 'answer')
}

const REPLIES = [
  '<think>The chair is left of the table.</think>\n```json\n{"answer": "B", "confidence": 0.8}\n```',
  "{'moves': [('turn', 90), ('forward', 1.5)], 'done': False, 'note': 'it\\'s near'}",
  'Reasoning: 3.5 m − 20 cm ≈ 330 cm.\nFINAL ANSWER: {"distance": 3.3, "unit": "m",}',
  '{"map": {"chair": {"position": [1, 2], "facing": "north"}, "lamp": {"position": [0, -3]}}, "agent": null}',
  'I would say [A, B, C] // in this order\n<answer>A</answer> with 95% or 1,250 mm²',
  '◁think▷“hm”◁/think▷ {“a”: “b”, c: 90°, d: NaN /* ? */}',
]
const FRAGMENTS = [
  '{',
  '}',
  '[',
  ']',
  '"',
  "'",
  '\\',
  '`',
  '```',
  '```json\n',
  ',',
  ':',
  '\n',
  '//',
  '/*',
  '*/',
  '#',
  '<think>',
  '</think>',
  '<answer>',
  '“',
  '”',
  '"""',
  '...',
  '…',
  'True',
  'NaN',
  '-',
  '−',
  '1e9999',
  '\u0000',
  '\ud800',
  '🪑',
  '٣',
  '__proto__',
  '\\u12',
  '°',
  ' '.repeat(30),
]

function mutate(reply: string, random: Random): string {
  let text = reply
  for (let edits = random.between(1, 8); edits > 0; edits--) {
    const from = random.int(text.length + 1)
    const to = Math.min(text.length, from + random.int(12))
    switch (random.int(5)) {
      case 0:
        text = text.slice(0, from) + text.slice(to)
        break
      case 1:
        text = text.slice(0, from) + random.pick(FRAGMENTS) + text.slice(from)
        break
      case 2:
        text = text.slice(0, from)
        break
      case 3:
        text = text.slice(0, from) + random.pick(FRAGMENTS).repeat(random.between(1, 40)) + text.slice(to)
        break
      default:
        text = text.slice(from) + random.pick(REPLIES).slice(0, to)
    }
  }
  return text
}

describe('hostile replies', () => {
  it('survives 12,000 mutated replies', () => {
    const random = new Random('hostile replies')
    for (let i = 0; i < 12_000; i++) {
      const text = mutate(random.pick(REPLIES), random)
      try {
        readEverything(text)
      } catch (error) {
        throw new Error(`reply ${JSON.stringify(text)}`, { cause: error })
      }
    }
  }, 60_000)

  it('survives 8,000 generated replies', () => {
    const piece = fc.oneof(
      fc.constantFrom(...FRAGMENTS),
      fc.string({ unit: 'binary', maxLength: 12 }),
      fc.json({ maxDepth: 4 }),
      fc.double().map(String),
    )
    const reply = fc.array(piece, { maxLength: 24 }).map((pieces) => pieces.join(''))
    fc.assert(fc.property(reply, readEverything), { numRuns: 8000, seed: 20_260_101 })
  }, 60_000)

  it('finds every value in valid JSON', () => {
    const prose = fc.constantFrom('', 'so: ', 'It is left.\n', '\n```json\n', '\n```\n')
    const value = fc.oneof(fc.dictionary(fc.string(), fc.jsonValue()), fc.array(fc.jsonValue()))
    fc.assert(
      fc.property(fc.array(fc.tuple(prose, value), { maxLength: 5 }), (parts) => {
        const text = parts.map(([before, item]) => before + JSON.stringify(item)).join(' ')
        expect(jsonValues(text).map((found) => JSON.stringify(found.value))).toEqual(
          parts.map(([, item]) => JSON.stringify(item)),
        )
      }),
      { numRuns: 500, seed: 7 },
    )
  })
})

describe('linear time', () => {
  const KINDS: Record<string, string> = {
    'open brackets': '[',
    'open braces': '{',
    'both in turn': '{[',
    'objects cut off': '{"a":',
    'lists cut off': '[1,',
    'double quotes': '"',
    'single quotes': "{'",
    'escaped quotes': '{"\\',
    backslashes: '\\',
    fences: '```',
    'fenced opens': '```json\n{',
    'quotes and spaces': "'    ",
    thinking: '<think>',
    'unopened thinking': '</think>',
    answers: '<answer>',
    digits: '7',
    'digits and dots': '1.',
    groups: '1,234,',
    comments: '{/*',
    'line comments': '{#',
    signs: '-',
    spaces: ' ',
    'bare words': '{a: b ',
    'broken objects': '{"a" "b": }',
    'balanced in turn': '{"a":1}',
    closers: ']}',
    markers: 'answer:',
  }

  it.each(Object.entries(KINDS))(
    '%s',
    (_, unit) => {
      const cost = (length: number): number => {
        const text = unit.repeat(Math.ceil(length / unit.length))
        const work = { characters: 0 }
        jsonValues(text, work)
        return work.characters / text.length
      }
      // Characters visited per character of text must not grow with the length.
      expect(cost(400_000)).toBeLessThan(Math.max(20, cost(50_000) * 1.5))
      // If any of these were quadratic, this would take minutes.
      readEverything(unit.repeat(Math.ceil(200_000 / unit.length)))
    },
    30_000,
  )

  it('reads deeply nested brackets without a stack overflow', () => {
    for (const [open, close] of [
      ['[', ']'],
      ['{"a":', '}'],
      ['{', '}'],
    ] as const) {
      readEverything(open.repeat(200_000) + close.repeat(200_000))
      readEverything(`${open.repeat(500)}${close.repeat(500)}`.repeat(200))
    }
    readEverything(`${'x<think></think>'.repeat(200_000)}</think>`)
    expect(jsonValues(`${'['.repeat(100)}${']'.repeat(100)}`)).toHaveLength(1)
  }, 60_000)
})
