/** How episode events become transcript, media and timeline. */
import { describe, expect, it } from 'vitest'
import type { RecordedEvent } from '../../src/server/api.ts'
import { indexAt } from '../../viewer/src/episode/moments.ts'
import { type Entry, buildEpisodeModel } from '../../viewer/src/episode/episode-model.ts'
import { momentOf } from '../../viewer/src/suites/vsi/moments.ts'

const message = (id: number, role: string, content: unknown): RecordedEvent => ({ type: 'message', id, role, content })
const ask = (...messages: number[]): RecordedEvent => ({ type: 'ask', ordinal: 0, role: 'player', messages })
const reply = (text: string): RecordedEvent => ({ type: 'reply', ordinal: 0, role: 'player', text })
const picture = (sha256: string, provenance: object = { made: 'render' }): RecordedEvent => ({
  type: 'media',
  sha256,
  mediaType: 'image/png',
  width: 4,
  height: 3,
  provenance,
})
const text = (words: string): object => ({ type: 'text', text: words })
const shown = (sha256: string): object => ({ type: 'media', media: { sha256, type: 'image/png' } })

function asks(entries: readonly Entry[]): Extract<Entry, { kind: 'ask' }>[] {
  return entries.filter((entry) => entry.kind === 'ask')
}

describe('transcript', () => {
  it('shows each message once, with its first request', () => {
    const { entries } = buildEpisodeModel(
      [
        message(0, 'system', 'Be brief.'),
        message(1, 'user', 'Where are you?'),
        ask(0, 1),
        reply('Here.'),
        message(2, 'assistant', 'Here.'),
        message(3, 'user', 'And now?'),
        ask(0, 1, 2, 3),
        reply('Still here.'),
      ],
      null,
    )
    const [first, second] = asks(entries)
    expect(first!.messages.map(({ role }) => role)).toEqual(['system', 'user'])
    // The player's own message already appears as a reply; only the question is new.
    expect(second!.messages.map(({ parts }) => parts)).toEqual([
      [{ kind: 'text', pieces: [{ text: 'And now?', repeated: false, lines: 1 }] }],
    ])
    expect([first!.fork, second!.fork]).toEqual([false, false])
    expect(second!.earlier).toBe(2)
  })

  it('keeps text in order and expands notes for external suites', () => {
    const events = [
      { type: 'sample', sample: { id: '1', room: 'hall' } },
      picture('a'),
      message(0, 'user', [text('How many chairs?'), shown('a'), text('A number.')]),
      ask(0),
      { type: 'count', chairs: 3 },
    ]
    const external = { moments: () => null, Panel: () => null, external: true, transcriptFirst: true } as const
    const known = { moments: () => null, Panel: () => null }
    const parts = (panel: typeof external | typeof known) =>
      asks(buildEpisodeModel(events, panel).entries)[0]!.messages[0]!.parts.map(({ kind }) => kind)
    expect(parts(external)).toEqual(['text', 'media', 'text'])
    expect(parts(known)).toEqual(['media', 'text'])
    const notes = (panel: typeof external | typeof known) =>
      buildEpisodeModel(events, panel).entries.flatMap((entry) =>
        entry.kind === 'note' ? [[entry.title, entry.open]] : [],
      )
    expect(notes(external)).toEqual([['count', true]])
    // With a full panel, notes are collapsed.
    expect(notes(known)).toEqual([
      ['Sample', false],
      ['count', false],
    ])
  })

  it('merges consecutive measurements into one entry and one step', () => {
    const measurement = (instrument: string, value: unknown) => ({
      type: 'measurement',
      instrument,
      version: '1',
      value,
    })
    const { entries, moments } = buildEpisodeModel(
      [
        { type: 'outcome', status: 'answered', outcome: {} },
        measurement('blur', 0.5),
        measurement('motion', { mean: 2 }),
        { type: 'measurement', nonsense: true },
      ],
      null,
    )
    expect(entries.map((entry) => (entry.kind === 'note' ? entry.title : entry.kind))).toEqual([
      'outcome',
      'Measured: blur, motion',
      'measurement',
    ])
    expect(entries[1]).toMatchObject({ event: { blur: 0.5, motion: { mean: 2 } } })
    expect(moments.slice(0, 2).map(({ at, title }) => [at, title])).toEqual([
      [0, 'end: answered'],
      [2, 'measured'],
    ])
  })

  it('detects a request that omits earlier messages', () => {
    const { entries } = buildEpisodeModel(
      [
        message(0, 'user', 'Explore.'),
        ask(0),
        reply('ok'),
        message(1, 'user', 'First question'),
        ask(0, 1),
        reply('a'),
        message(2, 'user', 'Second question'),
        ask(0, 2),
        reply('b'),
      ],
      null,
    )
    expect(asks(entries).map(({ fork }) => fork)).toEqual([false, false, true])
  })

  it('folds repeated prompt lines and images', () => {
    const rules = 'Rule one.\nRule two.\nRule three.\nRule four.'
    const { entries } = buildEpisodeModel(
      [
        picture('a'),
        message(0, 'user', [text('Image 0:'), shown('a'), text(`${rules}\nStep 0`)]),
        ask(0),
        reply('turn'),
        picture('b'),
        message(1, 'user', [text('Image 0:'), shown('a'), text('Image 1:'), shown('b'), text(`${rules}\nStep 1`)]),
        ask(1),
        reply('done'),
      ],
      null,
    )
    const [, second] = asks(entries)
    expect(second!.messages[0]!.parts).toMatchObject([
      { kind: 'repeated', media: [{ sha256: 'a' }] },
      { kind: 'media', label: 'Image 1', media: { sha256: 'b' } },
      {
        kind: 'text',
        pieces: [
          { text: rules, repeated: true },
          { text: 'Step 1', repeated: false },
        ],
      },
    ])
  })

  it('shows events of other versions as raw notes', () => {
    const strange = { type: 'reply', words: 'another shape' }
    const { entries } = buildEpisodeModel([strange, { type: 'vsi/of-the-future', value: 1 }], null)
    expect(entries).toMatchObject([
      { kind: 'note', type: 'reply', event: strange },
      { kind: 'note', type: 'vsi/of-the-future' },
    ])
  })
})

describe('media and steps', () => {
  it('lists an image that was recorded twice with both labels', () => {
    const { media } = buildEpisodeModel(
      [
        picture('a'),
        message(0, 'user', [text('Image 0'), shown('a')]),
        ask(0),
        reply('stay'),
        picture('a'),
        message(1, 'user', [text('Image 0'), shown('a'), text('Image 1'), shown('a')]),
        ask(1),
      ],
      null,
    )
    expect(media.map(({ label }) => label)).toEqual(['Image 0', 'Image 1'])
  })

  it('uses the suite’s title for an image and omits drawings that no model saw', () => {
    const move = { turnDegrees: 90, forwardMeters: 0.5, leftMeters: 0, upMeters: 0 }
    const { media, moments } = buildEpisodeModel(
      [
        picture('a'),
        { type: 'vsi/view', index: 1, picture: 'a', done: move },
        picture('map', { made: 'drawing' }),
        { type: 'outcome', status: 'answered', outcome: {} },
      ],
      { moments: momentOf, Panel: () => null },
    )
    expect(media.map(({ label }) => label)).toEqual(['1: turn left 90°, forward 0.50 m'])
    expect(moments.map(({ at, kind }) => [at, kind])).toEqual([
      [1, 'move'],
      [3, 'end'],
    ])
  })

  it('finds the last step at or before an event', () => {
    const moments = [2, 5, 9].map((at) => ({ at, kind: 'ask' as const, title: '' }))
    expect([0, 2, 4, 5, 8, 9, 20].map((at) => indexAt(moments, at))).toEqual([-1, 0, 0, 1, 1, 2, 2])
  })
})
