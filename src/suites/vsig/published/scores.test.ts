import { describe, expect, it } from 'vitest'
import { annotationSchema, type Annotation, type EvalTruth } from '../domain/annotation.ts'
import { maskOfId } from '../domain/mask-encode.ts'
import type { VsigOutcome } from '../domain/outcome.ts'
import type { Template } from '../domain/templates.ts'
import { vsigOptions } from '../options.ts'
import { sampleOf } from '../samples/sample.ts'
import { type PublishedProfile, publishedScores } from './scores.ts'

const FRAME = { width: 200, height: 100 }
const WIDE = new Uint8Array(200 * 100)
for (let y = 20; y < 30; y++) for (let x = 50; x < 90; x++) WIDE[y * 200 + x] = 1
/** Around (350, 250) in 0…1000, x first. */
const MASK = { mask_base64: maskOfId(WIDE, 1, 200, 100), bbox: [50, 20, 89, 29] }
const CUP = { name: '杯子', type: 'object', points: [[250, 350]], mask: MASK }
const AREA = { name: '这里', type: 'space', points: [[800, 500]] }
const SPEECH = { text: '把这个放到这里', words: [{ text: '把这个', begin_time: 1000, end_time: 1600 }] }

interface Given {
  template?: Template
  entries?: unknown[]
  asr?: unknown
  judge?: VsigOutcome['judge']
  answer?: EvalTruth['answer']
}

const ANSWER = [{ choice: 'A', asr_begin_time: 1000, asr_end_time: 1600, points: [[250, 350]], mask: MASK }]

function scores(profile: PublishedProfile, reply: unknown, given: Given = {}) {
  const { template = '指令2', entries = [CUP], asr = null, judge = null, answer = ANSWER } = given
  const annotation: Annotation = annotationSchema.parse({
    id: '1',
    video_name: 'a.mp4',
    task_template: template,
    object_space: entries,
    asr_result: asr,
  })
  const origin = { kind: 'file', source: 's', file: 'f' } as const
  const sample = sampleOf('clip', 'set', template, annotation, { answer }, FRAME, origin)
  const outcome = { reply: typeof reply === 'string' ? reply : JSON.stringify(reply), shown: FRAME, judge }
  return publishedScores(sample, outcome, { profile, options: vsigOptions.parse({}) })
}

const at = (point: unknown, more: object = {}) => ({ explicit_command: 'x', point_list: [{ point, ...more }] })

describe('the first published scorer', () => {
  it('reads points as [y, x] and boxes as [y1, x1, y2, x2], so that the right point misses', () => {
    expect(scores('upstream-v0', at([350, 250]))).toMatchObject({ 'v0.hits': 0, 'v0.slots': 1 })
    expect(scores('upstream-v1', at([350, 250]))).toMatchObject({ 'v1.hits': 1, 'v1.slots': 1 })
    const area = { template: '指令3' as const, entries: [CUP, AREA] }
    const both = (x: number, y: number) => ({ point_list: [{ point: [0, 0] }, { point: [x, y] }] })
    expect(scores('upstream-v0', both(800, 500), area)).toMatchObject({ 'v0.hits': 1 })
    expect(scores('upstream-v1', both(500, 800), area)).toMatchObject({ 'v1.hits': 1 })
  })

  it('fails on a point list of null, which the next one drops before scoring', () => {
    const reply = { explicit_command: 'x', point_list: null }
    expect(scores('upstream-v0', reply)).toMatchObject({ 'v0.intent': 0, 'v0.slots': 0 })
    expect(scores('upstream-v1', reply)).toEqual({})
  })
})

describe('items of a point list that are no objects', () => {
  it('follow the `in` of Python', () => {
    const second = (item: unknown) => ({ explicit_command: 'x', point_list: [{ point: [350, 250] }, item] })
    expect(scores('upstream-v1', second('a word'))).toMatchObject({ 'v1.hits': 1 })
    expect(scores('upstream-v1', second([5]))).toMatchObject({ 'v1.hits': 1 })
    // "point" in this text is true, and then it is indexed like an object.
    expect(scores('upstream-v1', second('the point is'))).toEqual({})
    expect(scores('upstream-v1', second(5))).toEqual({})
  })
})

describe('the published temporal judge', () => {
  const judged = (temporal: string, text = SPEECH.text) =>
    scores('upstream-v1', at([350, 250]), { asr: { ...SPEECH, text }, judge: { intent: '1', temporal } })

  it('is not asked if the transcript says that there is no speech', () => {
    expect(judged('{"temporal_scores": [1]}', '无语音')).toMatchObject({ 'v1.windows': 0 })
  })

  it('has its fences stripped only if its JSON is a text', () => {
    const list = '{"temporal_scores": [1]}'
    expect(judged(JSON.stringify(`\`\`\`json\n${list}\n\`\`\``))).toMatchObject({ 'v1.moments': 1 })
    expect(judged(JSON.stringify(`\`\`\`\n${list}`))).toMatchObject({ 'v1.moments': 1 })
    expect(judged('null')).toMatchObject({ 'v1.moments': 0, 'v1.windows': 1 })
  })

  it('makes the table fail with anything that cannot be added', () => {
    expect(judged('{"temporal_scores": 0.5}')).toMatchObject({ 'v1.text': 1 })
    expect(judged('{"temporal_scores": ["1"]}')).toMatchObject({ 'v1.text': 1 })
    expect(judged('{"temporal_scores": ""}')).not.toHaveProperty('v1.text')
  })
})

describe('the published intent judge', () => {
  it.each([
    ['{"score": "８０%"}', 0],
    ['{"score": "1."}', 1],
    ['{"score": "..7.25"}', 0.7],
    ['"-.5"', 0.5],
    ['\uFEFF{"score": 1}', 0],
    ['\u001c{"score": 1}\u0085', 1],
  ])('%j is %f', (intent, expected) => {
    const judge = { intent, temporal: null }
    expect(scores('upstream-v1', at([350, 250]), { judge })).toMatchObject({ 'v1.intent': expected })
  })
})

describe('area points', () => {
  const spatial = (points: unknown) => {
    const { points: _, ...rest } = AREA
    const area = points === undefined ? rest : { ...rest, points }
    const reply = { point_list: [{ point: [350, 250] }, { point: [500, 800] }] }
    return scores('upstream-v1', reply, { template: '指令3', entries: [CUP, area] })
  }

  it.each([[undefined], [[]], [5]])('that are %j end the clip with an exception', (points) => {
    expect(spatial(points)).toMatchObject({ 'v1.intent': 0, 'v1.slots': 0 })
  })

  it('that are null are far away', () => {
    expect(spatial(null)).toMatchObject({ 'v1.hits': 1, 'v1.slots': 2 })
  })
})

describe('the later generations', () => {
  const letters = { selected_options: ['A'] }

  it('count a point list of null as wrong, letters included', () => {
    const reply = { ...letters, point_list: null }
    for (const generation of ['v2', 'v3'] as const) {
      expect(scores(`upstream-${generation}`, reply)).toMatchObject({ [`${generation}.intent`]: 0 })
    }
    expect(scores('upstream-v4', reply)).toMatchObject({ 'v4.cls': 0 })
  })

  it('take moments that are numbers, truncated, and no texts', () => {
    const reply = (timestamp: unknown) => ({ ...letters, ...at([350, 250], { timestamp }) })
    expect(scores('upstream-v3', reply('1200'))).toMatchObject({ 'v3.temporal': 0 })
    expect(scores('upstream-v3', reply(1600.9))).toMatchObject({ 'v3.temporal': 1 })
    const answer = [{ ...ANSWER[0]!, stroke_begin_time: 1000, stroke_end_time: 1600 }]
    expect(scores('upstream-v4', reply(1600.9), { answer })).toMatchObject({ 'v4.temporal': 1 })
    expect(scores('upstream-v4', reply(999.9), { answer })).toMatchObject({ 'v4.temporal': 0 })
  })

  it('fall back to distance for an empty mask', () => {
    const answer = [{ ...ANSWER[0]!, mask: { bbox: [0, 0, 1, 1] } }]
    expect(scores('upstream-v3', { ...letters, ...at([350, 250]) }, { answer })).toMatchObject({ 'v3.spatial': 1 })
    expect(scores('upstream-v4', { ...letters, ...at([350, 250]) }, { answer })).toMatchObject({ 'v4.spatial': 1 })
  })

  it('keep a reply that cannot be read in the denominator from generation 4 on', () => {
    expect(scores('upstream-v3', 'no')).toEqual({})
    expect(scores('upstream-v4', 'no')).toMatchObject({ 'v4.cls': 0, 'v4.joint': 0 })
  })

  it('repair JSON only as published', () => {
    const json = JSON.stringify({ ...letters, ...at([350, 250]) })
    expect(scores('upstream-v4', `Sure: ${json.replace(/\}$/, ',}')}`)).toMatchObject({ 'v4.spatial': 1 })
    // A list without its bracket is closed; a comma in a nested list is lost with the list.
    expect(scores('upstream-v4', json.replace('}]}', '} }'))).toMatchObject({ 'v4.spatial': 1 })
    expect(scores('upstream-v4', json.replace('"point":[', '"point":[[').replace(']}]', ']],}]'))).toMatchObject({
      'v4.spatial': 0,
    })
  })

  it('judge a moment by the field score, and by overlap if there is none', () => {
    const reply = { ...letters, ...at([350, 250], { timestamp: [1000, 1600] }) }
    const judged = (moment: string) =>
      scores('upstream-v2', reply, { asr: SPEECH, judge: { intent: null, temporal: null, moments: [moment] } })
    expect(judged('{"score": "0.25"}')).toMatchObject({ 'v2.temporal': 0.25 })
    expect(judged('{"score": NaN}')).toMatchObject({ 'v2.temporal': 1 })
    expect(judged('0.25')).toMatchObject({ 'v2.temporal': 1 })
  })
})
