import { expect, it } from 'vitest'
import { printable, printableLines } from './printable.ts'

const BIDI = [0x061c, 0x200e, 0x200f, 0x202a, 0x202b, 0x202c, 0x202d, 0x202e, 0x2066, 0x2067, 0x2068, 0x2069]
const OTHERS = [0x00, 0x07, 0x08, 0x0b, 0x0d, 0x1b, 0x7f, 0x85, 0x9b, 0x2028, 0x2029]

it.each([...BIDI, ...OTHERS])('replaces U+%i, which acts on the text around it', (code) => {
  const text = `gpt${String.fromCodePoint(code)}4`
  expect([printable(text), printable(text, ' '), printableLines(text)]).toEqual(['gpt�4', 'gpt 4', 'gpt�4'])
})

it('keeps all writing, and line breaks only in text of several lines', () => {
  const names = 'żółw שלום مرحبا 北京 👩‍🚀 é'
  expect([printable(names), printableLines(names)]).toEqual([names, names])
  expect([printable('a\n\tb'), printableLines('a\n\tb')]).toEqual(['a��b', 'a\n\tb'])
})
