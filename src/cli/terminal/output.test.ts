import { expect, it } from 'vitest'
import { columns } from './output.ts'

const rows = [
  ['a', 'first', 'short'],
  ['long-name', 'x'.repeat(40), 'the second row has a long cell'],
  ['b', 'third', 'this description does not fit on one line of forty-eight'],
]

it('aligns columns without a terminal width', () => {
  expect(columns(rows, '', Infinity)).toBe(
    [
      `a          first${' '.repeat(37)}short`,
      `long-name  ${'x'.repeat(40)}  the second row has a long cell`,
      `b          third${' '.repeat(37)}this description does not fit on one line of forty-eight`,
    ].join('\n'),
  )
})

it('wraps the last column and does not align very long cells on a terminal', () => {
  expect(columns(rows, '', 56)).toBe(
    [
      'a          first  short',
      `long-name  ${'x'.repeat(40)}`,
      '                  the second row has a long cell',
      'b          third  this description does not fit on one',
      '                  line of forty-eight',
    ].join('\n'),
  )
})

it('puts the last column on its own line where there is no room', () => {
  expect(columns([rows[2]!], '', 30)).toBe(
    ['b  third', '    this description does not', '    fit on one line of', '    forty-eight'].join('\n'),
  )
})
