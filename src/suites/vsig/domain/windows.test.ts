import { describe, expect, it } from 'vitest'
import type { Word } from './annotation.ts'
import type { Template } from './templates.ts'
import { slotWindows, spokenWindows } from './windows.ts'

/** Words of 100 ms each, without gaps, from 1000. */
function words(text: string): Word[] {
  return text.split(' ').map((each, i) => ({ text: each, begin_time: 1000 + i * 100, end_time: 1100 + i * 100 }))
}

describe('windows from words', () => {
  it.each<[Template, string, (readonly [number, number])[] | null]>([
    ['指令2', '把 这个 拿起来', [[1100, 1200]]],
    ['指令2', '拿起来', null],
    [
      '指令3',
      '把 这个 放到 这里',
      [
        [1000, 1200],
        [1200, 1400],
      ],
    ],
    [
      '指令3',
      '将 那个 摆 在 那里',
      [
        [1000, 1200],
        [1200, 1500],
      ],
    ],
    [
      '指令5',
      '把 这个 放到 它的 右边 然后 把 它 拿起来',
      [
        [1000, 1200],
        [1200, 1500],
        [1500, 1900],
      ],
    ],
    [
      '指令6',
      '把这个 放到 左边 再 把 它 放 后面',
      [
        [1000, 1100],
        [1100, 1300],
        [1300, 1600],
        [1600, 1800],
      ],
    ],
    ['指令4', '把 这个 拿起来', null],
    ['指令2', 'pick this up', [[1100, 1200]]],
    [
      '指令3',
      'put this here',
      [
        [1000, 1200],
        [1200, 1300],
      ],
    ],
    [
      '指令4',
      'Put this to its left',
      [
        [1000, 1200],
        [1200, 1500],
      ],
    ],
    [
      '指令5',
      'put this behind it, then pick this up',
      [
        [1000, 1200],
        [1200, 1400],
        [1400, 1800],
      ],
    ],
    ['指令1', '哦', null],
  ])('%s “%s”', (template, text, expected) => {
    expect(spokenWindows(template, words(text))).toEqual(expected)
  })

  it('are null for words out of order, and missing times never throw', () => {
    const [a, b, c] = words('把这个 放到 这里') as [Word, Word, Word]
    expect(spokenWindows('指令3', [a, { ...b, begin_time: 2000, end_time: 2100 }, c])).toBeNull()
    expect(spokenWindows('指令3', [a, b, { text: '这里', begin_time: null, end_time: null }])).toEqual([
      [1000, 1100],
      [1100, 1200],
    ])
    expect(spokenWindows('指令3', [])).toBeNull()
  })
})

describe('the window of a slot', () => {
  const entry = { name: '杯子', type: 'object', points: [[1, 2]] }
  const asr = { text: '把这个拿起来', words: words('把 这个 拿起来') }

  it('is not measured without a transcript or in the silent template', () => {
    const missing = [{ kind: 'no transcript' }]
    expect(slotWindows('指令2', { object_space: [entry], asr_result: null })).toEqual(missing)
    expect(slotWindows('指令2', { object_space: [entry], asr_result: { text: ' ', words: [] } })).toEqual(missing)
    expect(slotWindows('指令1', { object_space: [entry], asr_result: asr })).toEqual([{ kind: 'silent' }])
  })

  it('prefers checked windows over annotated ones, and those over words', () => {
    const space = [{ ...entry, asr_begin_time: 5, asr_end_time: 9 }]
    const checked = [{ choice: 'A', asr_begin_time: 1, asr_end_time: 2 }]
    expect(slotWindows('指令2', { object_space: space, asr_result: asr }, checked)[0]).toMatchObject({ window: [1, 2] })
    expect(slotWindows('指令2', { object_space: space, asr_result: asr })[0]).toMatchObject({ window: [5, 9] })
    const failed = [{ ...space[0]!, asr_match_error: true }]
    expect(slotWindows('指令2', { object_space: failed, asr_result: asr })[0]).toMatchObject({ window: [1100, 1200] })
  })

  it('is unresolved if the words do not determine it', () => {
    const unclear = { text: '拿起来', words: words('拿起来') }
    expect(slotWindows('指令2', { object_space: [entry], asr_result: unclear })).toEqual([{ kind: 'unresolved' }])
  })
})
