import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { actionText, parseActions, type Phase } from './actions.ts'

function read(text: string, profile: 'upstream' | 'fixed', phase: Phase = 'exploration'): string {
  const parsed = parseActions(text, phase, profile)
  if (!parsed.ok) return `${parsed.error.problem} @${parsed.error.at}`
  return [...parsed.actions.motions, parsed.actions.final].map(actionText).join(' ')
}

describe('profile fixed', () => {
  it.each([
    ['Actions: [Observe()]', 'Observe()'],
    ['[Rotate(90),\n  JumpTo (red_door),\nObserve()]', 'Rotate(90) JumpTo(red door) Observe()'],
    ['I will look.\nActions: [ rotate(-90); OBSERVE() ] - that is all.', 'Rotate(-90) Observe()'],
    ['[JumpTo("the lamp"), Query(\'trash can\')]', 'JumpTo(the lamp) Query(trash can)'],
    ['[Rotate(+90°), Rotate(180.0), Observe(),]', 'Rotate(90) Rotate(180) Observe()'],
    ['[Query(initial_pos)]', 'Query(initial_pos)'],
    ['[Term()]', 'Term()'],
    ['see [1] and [2]: [Observe()]', 'Observe()'],
    ['Observe()', 'Observe()'],
    ['[Rotate(90) -> Observe()]', 'Rotate(90) Observe()'],
    ['Actions: [Observe()]\nNo, better:\nActions: [Rotate(90), Observe()]', 'Rotate(90) Observe()'],
    ['\\\\boxed{Rotate(90), Observe()}', 'Rotate(90) Observe()'],
    ['["Rotate(90)", "Observe()"]', 'Rotate(90) Observe()'],
  ])('parses %j', (text, expected) => {
    expect(read(text, 'fixed')).toBe(expected)
  })

  it.each([
    ['I will call Observe() now', /square brackets/],
    ['观察', /no action list/],
    ['[]', /empty.*@1/],
    ['[JumpTo(lamp)]', /cannot be the last action.*@2/],
    ['[Observe(), Rotate(90), Observe()]', /Observe\(\) must be the last action, but Rotate.* @2/],
    ['[JumpTo(lamp), Term()]', /Term\(\) must stand alone.*@16/],
    ['[Rotate(--90), Observe()]', /whole degrees.*"--90" @2/],
    ['[Rotate(), Observe()]', /whole degrees/],
    ['[JumpTo(), Observe()]', /needs the name/],
    ['[Return(), Observe()]', /no action "Return".*@2/],
    ['[garbage, Observe()]', /"garbage" is not an action.*@2/],
    ['[Rotate(90) + Observe()]', /unexpected "\+".*@13/],
    ['[Rotate(90, Observe()]', /never closed/],
    ['[Observe()] or [Rotate(90), Observe()]', /more than one action list/],
  ])('rejects %j with a reason and a position', (text, problem) => {
    expect(read(text, 'fixed')).toMatch(problem)
  })

  it.each([
    ['Term(changes="lamp: position, chair (blue): orientation")', 'lamp: position, chair (blue): orientation'],
    ['Term(changes = “sofa: position”)', 'sofa: position'],
    ['Term(changes=sofa: position)', 'sofa: position'],
  ])('accepts the submission %j', (call, changes) => {
    expect(parseActions(`[${call}]`, 'false-belief', 'fixed')).toEqual({
      ok: true,
      actions: { motions: [], final: { kind: 'term', changes } },
    })
  })

  it('requires changes in the revision phase only', () => {
    expect(read('[Term()]', 'fixed', 'false-belief')).toMatch(/Term\(changes=/)
    expect(read('[Term(changes="a: b")]', 'fixed')).toMatch(/takes nothing/)
  })
})

describe('profile upstream', () => {
  it.each([
    ['[Rotate(90),\nObserve()]', null],
    ['[garbage, Observe()]', 'Observe()'],
    ['[JumpTo (table), Observe()]', 'Observe()'],
    ['[JumpTo(a)] [Observe()]', 'JumpTo(a) Observe()'],
    ['[observe()]', null],
    ['[Rotate(--90), Observe()]', null],
  ])('parses %j like the published parser', (text, expected) => {
    expect(read(text, 'upstream')).toBe(expected ?? 'You should provide only one final action @0')
  })
})

it('parses any input in linear time without throwing', () => {
  const pieces = fc.constantFrom(
    '[',
    ']',
    '(',
    ')',
    '"',
    "'",
    ',',
    'Observe',
    'Rotate(90)',
    'Term',
    '\n',
    '“',
    '90',
    '🪑',
    ' ',
  )
  fc.assert(
    fc.property(
      fc.array(pieces, { maxLength: 60 }),
      fc.constantFrom<Phase>('exploration', 'false-belief'),
      (text, phase) => {
        parseActions(text.join(''), phase, 'fixed')
        parseActions(text.join(''), phase, 'upstream')
      },
    ),
    { numRuns: 500 },
  )
  const endless = parseActions(`[${'x'.repeat(9999)}(), JumpTo(${'y'.repeat(9999)})]`, 'exploration', 'fixed')
  expect(JSON.stringify(endless).length).toBeLessThan(300)
  const long = `[${'Rotate(90), '.repeat(20_000)}Observe()]`
  expect(parseActions(long, 'exploration', 'fixed').ok).toBe(true)
  for (const piece of ['[', 'a', '[a(', '“', "[a('", '[“(', '(', 'Rotate(', '[Term(changes="“']) {
    for (const profile of ['fixed', 'upstream'] as const) {
      expect(parseActions(piece.repeat(50_000), 'false-belief', profile).ok).toBe(false)
      expect(parseActions(`[${piece.repeat(50_000)}]`, 'false-belief', profile).ok).toBe(false)
    }
  }
  expect(parseActions('[Term(changes="'.repeat(10_000), 'false-belief', 'fixed').ok).toBe(false)
})
