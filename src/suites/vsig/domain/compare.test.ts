import { describe, expect, it } from 'vitest'
import type { Annotation } from './annotation.ts'
import { maskOfId } from './mask-encode.ts'
import { readReply } from '../parse/reply.ts'
import { compareWithTruth } from './compare.ts'
import { truthOf } from './truth.ts'

const FRAME = { width: 100, height: 100 }

/** An object at (20…39, 20…39), an area around (700, 300), words for both. */
function annotation(): Annotation {
  const ids = new Uint8Array(100 * 100)
  for (let y = 20; y < 40; y++) for (let x = 20; x < 40; x++) ids[y * 100 + x] = 1
  return {
    task_template: '指令3',
    object_space: [
      {
        name: '红色杯子',
        type: 'object',
        points: [[300, 300]],
        mask: { mask_base64: maskOfId(ids, 1, 100, 100), bbox: [20, 20, 39, 39] },
      },
      {
        name: '空闲区域',
        type: 'space',
        points: [
          [290, 690],
          [310, 690],
          [300, 720],
        ],
      },
    ],
    asr_result: {
      text: '把这个放到这里',
      words: [
        { text: '把这个', begin_time: 1000, end_time: 1500 },
        { text: '放到这里', begin_time: 2000, end_time: 2800 },
      ],
    },
  }
}

const truth = truthOf('指令3', annotation(), null, FRAME)
type How = Partial<Parameters<typeof compareWithTruth>[2]>
const scored = (points: unknown, how: How = {}) =>
  compareWithTruth(truth, readReply(JSON.stringify({ point_list: points })), {
    convention: 'xy1000',
    shown: FRAME,
    tolerance: 0,
    ...how,
  })
const marks = (points: unknown, how?: How) =>
  scored(points, how).slots.map(({ spatial, temporal }) => `${spatial ? 'here' : 'off'} ${temporal ? 'now' : 'late'}`)

describe('the seed profile', () => {
  it.each([undefined, null, {}, { mask_base64: '', bbox: [20, 20, 39, 39] }])(
    'scores an object without a mask by distance: %j',
    (mask) => {
      const given = annotation()
      given.object_space[0] = { ...given.object_space[0]!, mask }
      const reply = readReply(JSON.stringify({ point_list: [{ point: [320, 290] }] }))
      const how = { convention: 'xy1000', shown: FRAME, tolerance: 0 } as const
      expect(compareWithTruth(truthOf('指令3', given, null, FRAME), reply, how).slots[0]!.spatial).toBe(true)
    },
  )

  it.each<[string, unknown, string[]]>([
    [
      'everything is correct',
      [
        { point: [300, 300], timestamp: 1200 },
        { point: [700, 300], timestamp: [2000, 2800] },
      ],
      ['here now', 'here now'],
    ],
    [
      'window ends are inclusive',
      [
        { point: [200, 200], timestamp: 1000 },
        { point: [700, 340], timestamp: 2800 },
      ],
      ['here now', 'here now'],
    ],
    [
      'points and moments just outside miss',
      [
        { point: [400, 300], timestamp: 999 },
        { point: [700, 351], timestamp: 2801 },
      ],
      ['off late', 'off late'],
    ],
    [
      'the middle of a range counts',
      [{ point: [300, 300], timestamp: [0, 2500] }, { point: null }],
      ['here now', 'off late'],
    ],
    [
      'nested points are averaged',
      [
        {
          point: [
            [200, 300],
            [380, 300],
          ],
          timestamp: 1200,
        },
      ],
      ['here now', 'off late'],
    ],
    ['quoted numbers are accepted', [{ point: ['300', '300'], timestamp: '1200' }], ['here now', 'off late']],
    [
      'an invalid point affects only its slot',
      [{ point: [1, 2, 3] }, { point: [700, 300], timestamp: 2500 }],
      ['off late', 'here now'],
    ],
    ['swapped order misses', [{ point: [700, 300] }, { point: [300, 300] }], ['off late', 'off late']],
    ['an empty list misses everything', [], ['off late', 'off late']],
  ])('%s', (_, points, expected) => {
    expect(marks(points)).toEqual(expected)
  })

  it('accepts moments within the tolerance, and reports their error', () => {
    const points = [{ point: [300, 300], timestamp: 950 }]
    expect(marks(points, { tolerance: 50 })[0]).toBe('here now')
    expect(scored(points).slots[0]!.errorMs).toBe(-50)
  })

  it('reports hits under other conventions and the best pairing', () => {
    // The area is off the diagonal, the object on it.
    const yx = scored([{ point: [300, 300] }, { point: [300, 700] }])
    expect(yx.conventions).toMatchObject({ xy1000: 1, yx1000: 2 })
    expect(scored([{ point: [0.3, 0.3] }, { point: [0.7, 0.3] }]).conventions).toMatchObject({ xy1000: 0, xy1: 2 })
    expect(scored([{ point: [700, 300] }, { point: [300, 300] }])).toMatchObject({
      bestPairing: 2,
      conventions: { xy1000: 0 },
    })
    const shown = { width: 50, height: 25 }
    expect(marks([{ point: [15, 7.5] }, { point: [35, 7.5] }], { convention: 'xy-pixel', shown })[1]).toBe('here late')
  })

  it('also measures areas in pixels', () => {
    const [, area] = scored([{}, { point: [700, 400] }]).slots
    expect(area!.pixels).toBeCloseTo(10)
    expect(area!.hullPixels).toBeCloseTo(9, 0)
    expect(scored([{}, { point: [700, 300] }]).slots[1]!.hullPixels).toBe(0)
  })
})
