import { expect, it } from 'vitest'
import { blindAnswers } from './blind.ts'
import type { Outline } from './outline.ts'

function row(at: number, changes: Partial<Outline>): Outline {
  const scene = String(at % 20)
  return {
    at,
    id: String(at),
    cluster: scene,
    labels: {},
    options: null,
    kind: '',
    question: '',
    truth: null,
    ...changes,
  }
}

function share(outlines: readonly Outline[]): number {
  const guesses = blindAnswers(outlines)
  return outlines.filter((outline) => guesses.get(outline) === outline.truth).length / outlines.length
}

const rows = (make: (at: number) => Partial<Outline>): Outline[] =>
  Array.from({ length: 200 }, (_, at) => row(at, make(at)))
const NAMES = ['lamp', 'rug', 'sofa', 'table']
const turned = (by: number): string[] => NAMES.map((_, i) => NAMES[(i + by) % 4]!)

it('finds the option that is right most often, by its text, its place or its length', () => {
  const lamps = rows((at) => ({ options: turned(at % 4), truth: 'ABCD'[(4 - (at % 4)) % 4]! }))
  const places = rows((at) => ({ options: ['', '', '', ''], truth: at % 10 === 0 ? 'A' : 'C' }))
  const lengths = rows((at) => ({
    options: [0, 1, 2, 3].map((i) => `${'x'.repeat(i === at % 4 ? 9 : 3)}${at}${i}`),
    truth: 'ABCD'[at % 4]!,
  }))
  expect([lamps, places, lengths].map(share)).toEqual([1, 0.9, 1])
})

it('finds the typical answer to a question', () => {
  const counts = rows((at) =>
    at % 2 ? { question: 'How many chairs?', truth: 4 } : { question: 'How many beds?', truth: 1 },
  )
  expect(share(counts)).toBe(1)
})

it('learns nothing from the scene that it guesses about', () => {
  const secret = rows((at) => ({ question: `scene ${at % 20}`, kind: String(at % 20), truth: at % 20 }))
  expect(blindAnswers(secret).size).toBe(0)
})
