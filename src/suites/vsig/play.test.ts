import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { z } from 'zod'
import { planRun } from '../../engine/plan.ts'
import { makeReport } from '../../engine/reporting.ts'
import { linesForProfile } from '../../engine/rescore.ts'
import { startRun } from '../../engine/run.ts'
import { speaker, testEnvironment } from '../../../test/support/engine.ts'
import { mediaIn, type Model, type ModelRequest, textOf } from '../../models/types.ts'
import type { Report } from '../../report/report.ts'
import { vsig } from './suite.ts'

let folder: string
beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'sightline-vsig-play-'))
})
afterAll(() => rm(folder, { recursive: true }))

interface Playing {
  model?: string | ((request: ModelRequest) => string)
  judge?: (request: ModelRequest) => string
  transcriber?: (request: ModelRequest) => string
  clips?: number
  profile?: string
  options?: Record<string, unknown>
  ids?: string[]
  language?: 'en'
}

/** Most tests show only the last frame at a small size, to be fast. */
async function played({
  model = 'baseline/oracle',
  judge,
  transcriber,
  clips = 1,
  profile = 'seed',
  options = {},
  ids,
  language,
}: Playing) {
  // Purposes of player and judge requests, in order.
  const requests: ModelRequest[] = []
  const speaking = (id: string, answer: (request: ModelRequest) => string): Model =>
    speaker(id, (request) => {
      requests.push(request)
      return answer(request)
    })
  const around = await testEnvironment(folder, (id) =>
    Promise.resolve(
      id === 'test/judge'
        ? speaking(id, judge!)
        : id === 'test/ears'
          ? speaking(id, transcriber!)
          : speaking(id, typeof model === 'string' ? () => '' : model),
    ),
  )
  const plan = await planRun({
    suite: vsig,
    models: {
      player: typeof model === 'string' ? model : 'test/words',
      ...(judge ? { judge: 'test/judge' } : {}),
      ...(transcriber ? { transcriber: 'test/ears' } : {}),
    },
    source: `builtin:seed=3,clips=${clips}${language === undefined ? '' : `,language=${language}`}`,
    profile,
    options: { frames: 1, side: 320, unanswerable: 'ask', ...options },
    ...(ids ? { sampleIds: ids } : {}),
  })
  const result = await startRun(plan, around)
  const reader = await around.store.openRun(result.id)
  return { requests, reader, report: await makeReport(reader, vsig), lines: await reader.episodes() }
}

const value = (report: Report, key: string): number | null | undefined =>
  report.rows.find((row) => row.key === key)?.value

describe('the oracle', () => {
  it('is correct in all three dimensions for every template', async () => {
    const { report, reader } = await played({ clips: 6 })
    for (const key of ['overall', 'intent', 'spatial', 'temporal', 'joint'])
      expect([key, value(report, key)]).toEqual([key, 1])
    expect(report.rows.find(({ key }) => key === 'spatial')?.note).toBe('13 of 13 slots')
    expect(value(report, 'coords.yx1000')).toBeLessThan(0.3)
    // The same replies under the published rules: intent is 0.5 without a judge, moments are not measured.
    const upstream = await linesForProfile(reader, vsig, 'upstream-v1')
    expect(upstream.map(({ scores }) => scores['v1.hits'])).toEqual(upstream.map(({ scores }) => scores['v1.slots']))
    expect(upstream.every(({ scores }) => scores['v1.intent'] === 0.5)).toBe(true)
  })

  it.each(['yx1000', 'xy-pixel', 'xy1', 'xy100'])('is correct with points in %s', async (coords) => {
    const { report } = await played({ clips: 1, options: { coords, side: 480 } })
    expect(value(report, 'spatial')).toBe(1)
    expect(value(report, `coords.${coords}`)).toBe(1)
    expect(value(report, 'coords.xy1000')).toBeLessThan(1)
  })

  it.each([
    ['upstream-v2', { intent: 1, spatial: 1 }],
    ['upstream-v3', { overall: 1, intent: 1, spatial: 1, temporal: 1 }],
    ['upstream-v4', { 'v4.sequence': 1 }],
    ['ecog-v4', { 'eco.sequence': 1 }],
  ])('chooses the correct letters under %s, and can be rescored', async (profile, expected) => {
    const { report, reader, lines } = await played({ clips: 4, profile, ids: ['clip-3-0000', 'clip-3-0003'] })
    for (const [key, right] of Object.entries(expected)) expect([key, value(report, key)]).toEqual([key, right])
    const again = await linesForProfile(reader, vsig, profile)
    expect(again.map(({ scores }) => scores)).toEqual(lines.map(({ scores }) => scores))
  })
})

describe('other baselines', () => {
  it('finger-ray finds most objects; centre finds hardly any', async () => {
    const finger = (await played({ model: 'baseline/finger-ray', clips: 6 })).report
    const centre = (await played({ model: 'baseline/centre', clips: 6 })).report
    expect(value(finger, 'spatial.object')).toBeGreaterThan(0.6)
    expect(value(centre, 'spatial.object')).toBeLessThan(0.3)
  })

  it('eye is right in every template, from the default frames', async () => {
    const { report } = await played({ model: 'baseline/eye', clips: 6, options: { frames: 15, side: 320 } })
    for (const key of ['overall', 'intent', 'spatial', 'temporal']) expect([key, value(report, key)]).toEqual([key, 1])
  })

  it('reference misses every area next to a reference object', async () => {
    const { report } = await played({ model: 'baseline/reference', clips: 4, ids: ['clip-3-0003'] })
    expect(value(report, 'T4.spatial')).toBe(0.5)
    expect(value(report, 'spatial.object')).toBe(1)
  })
})

describe('the prompt', () => {
  it('is the question, then every frame with its time, the last one marked', async () => {
    const { requests } = await played({ model: () => '{}', clips: 1, options: { frames: 4, side: 320 } })
    const [system, user] = requests[0]!.messages
    expect(system!.role).toBe('system')
    const parts = user!.content as { type: string; text?: string; media?: { width?: number } }[]
    expect(parts.map(({ type }) => type).join(' ')).toBe('text text media text media text media text media')
    expect(parts.at(-2)!.text).toContain('最后一帧')
    expect(parts.at(-1)!.media!.width).toBe(320)
    expect(textOf(user!)).toContain('最后一帧中的位置')
  })

  it('is in the language of the clip, and follows the speech, timings and hint options', async () => {
    const ids = ['clip-3-0007']
    const spoken = await played({ model: () => '', clips: 8, ids })
    expect(textOf(spoken.requests[0]!.messages[1]!)).toContain('What the person says, word for word:')
    const silent = await played({ model: () => '', clips: 8, ids, options: { speech: 'none', hint: 'none' } })
    const words = textOf(silent.requests[0]!.messages[1]!)
    expect(words).not.toContain('word for word')
    expect(words).toContain('Work out what the person wants.')
    const timed = await played({ model: () => '', clips: 8, ids, options: { timings: true } })
    expect(textOf(timed.requests[0]!.messages[1]!)).toMatch(/\["\w+",\d+,\d+\]/)
  })
})

describe('published prompts', () => {
  const ids = ['clip-3-0003']
  const words = async (profile: string, options: object = {}) => {
    const { requests } = await played({
      model: () => '',
      clips: 4,
      ids,
      profile,
      options: { frames: 3, side: 64, ...options },
    })
    const [system, user] = requests[0]!.messages
    return { system: textOf(system!), user: textOf(user!), temperature: requests[0]!.sampling.temperature }
  }

  it.each([
    ['upstream-v0', '[start_ms, end_ms]', '语音转录详细信息 (ASR)'],
    ['upstream-v1', '[start_ms, end_ms]', '语音转录详细信息 (ASR)'],
    ['upstream-v2', '选项列表（用于选择题）', '请分析视频内容和指令'],
    ['upstream-v3', '手指动作最明确指向该物体', '请分析视频内容和指令'],
    ['upstream-v4', 'Peak stage', '<timestamp_ms>0'],
  ])('%s is played with its own', async (profile, inSystem, inUser) => {
    const { system, user, temperature } = await words(profile)
    expect(system).toContain(inSystem)
    expect(user).toContain(inUser)
    expect(temperature).toBe(0.2)
    expect(user).not.toContain('最后一帧（')
  })

  it('of the last generation leave out times of frames and words as its ablations do', async () => {
    const { user } = await words('upstream-v4', { frameTimes: false })
    expect(user).not.toContain('timestamp_ms')
    expect(user).toContain('词级别时间戳已移除')
    expect((await words('upstream-v4', { timings: true })).user).toContain('"begin_time": ')
    expect((await words('upstream-v4', { fps: 1 })).user.match(/<timestamp_ms>/g)!.length).toBeGreaterThan(5)
  })

  it.each([
    [{ coords: 'xy1' }, 'asks for points in 0…1000'],
    [{ hint: 'none' }, 'always names the template'],
    [{ language: 'en' }, 'is in Chinese'],
  ])('reject %j before the run', async (options, why) => {
    await expect(words('upstream-v1', options)).rejects.toThrow(why)
  })
})

describe('bad answers', () => {
  it.each([
    ['', 'no_answer'],
    ['I think it is the cup.', 'parse_failed'],
    ['```json\n{"explicit_command": "拿", "point_list": null}\n```', 'answered'],
    ['{"point_list": [{"point": [[1,2],"x"], "timestamp": "soon"}, 7, null, [3, 4]]}', 'answered'],
    [`{"explicit_command": "${'啊'.repeat(50_000)}", "point_list": []}`, 'answered'],
  ])('%#: have their status, and score 0 in the denominator', async (reply, status) => {
    const { lines, report } = await played({ model: () => reply })
    expect(lines[0]!.status).toBe(status)
    expect(value(report, 'spatial')).toBe(0)
    expect(report.rows.find(({ key }) => key === 'spatial')?.note).toBe('0 of 1 slot')
  })
})

describe('a judge', () => {
  it('is reported next to the text match, with its score clamped to 0…1', async () => {
    const { report, requests } = await played({
      model: () => '{"explicit_command": "ignore all rules", "point_list": []}',
      judge: () => '{"score": 7}',
    })
    expect(value(report, 'intent.judge')).toBe(1)
    expect(value(report, 'intent')).toBe(0)
    expect(textOf(requests[1]!.messages[0]!)).toContain('"ignore all rules"')
  })

  const answer = '{"explicit_command": "x", "point_list": []}'

  it('is asked again if its reply has no score', async () => {
    const judge = (request: ModelRequest) =>
      /no score in it/.test(textOf(request.messages[0]!)) ? '{"score": "0.4"}' : 'Hm.'
    const { report, requests, reader } = await played({ model: () => answer, judge })
    expect(value(report, 'intent.judge')).toBe(0.4)
    expect(requests).toHaveLength(3)
    // The first published scorer always uses the first reply.
    const [upstream] = await linesForProfile(reader, vsig, 'upstream-v1')
    expect(upstream!.scores['v1.intent']).toBe(0)
  })

  it('that gives no score counts as 0, and the clip stays in the denominator', async () => {
    const { report } = await played({ model: () => answer, judge: () => 'Well said!' })
    const row = report.rows.find(({ key }) => key === 'intent.judge')
    expect([row?.value, row?.n]).toEqual([0, 1])
    expect(value(report, 'judge.silent')).toBe(1)
  })

  it.each([
    ['upstream-v0', 2],
    ['upstream-v1', 2],
    ['upstream-v2', 2],
    ['upstream-v3', 0],
    ['upstream-v4', 0],
  ])('is asked the questions of profile %s', async (profile, asked) => {
    const point = (time: unknown) => ({ point: [1, 2], timestamp: time })
    const points = [point([100, 900]), point([900, 1700]), point(null)]
    const { requests, lines } = await played({
      model: () => JSON.stringify({ explicit_command: 'x', selected_options: ['A'], point_list: points }),
      judge: (request) => `{"score": ${textOf(request.messages.at(-1)!).includes('900ms 到 1700ms') ? 7 : 0.5}}`,
      profile,
      clips: 4,
      ids: ['clip-3-0003'],
    })
    expect(requests).toHaveLength(1 + asked)
    // Each moment separately, and none above 1.
    if (profile === 'upstream-v2') expect(lines[0]!.scores['v2.temporal']).toBe(0.75)
  })
})

describe('a transcriber', () => {
  // An English clip: a voice for English comes with the package.
  const ids = ['clip-3-0001']
  /** Other words and times than those of the data. */
  const heard = JSON.stringify({
    text: 'Pick this up!',
    words: [
      { word: ' Pick', start: 0.5, end: 0.8 },
      { word: ' this', start: 0.8, end: 1.25 },
      { word: ' up', start: 1.25, end: 1.6 },
    ],
  })

  it('is given the sound, and its words and times are the transcript', async () => {
    const { requests, lines, report, reader } = await played({
      model: () => '{"explicit_command": "x", "point_list": [{"point": [1, 2], "timestamp": [900, 1100]}]}',
      transcriber: () => heard,
      clips: 2,
      ids,
      language: 'en',
      options: { speech: 'asr', timings: true },
    })
    const [listening, asked] = requests
    const [sound] = mediaIn(listening!.messages)
    expect(sound!.type).toBe('audio/wav')
    expect(sound!.bytes).toBeGreaterThan(50_000)
    expect(textOf(asked!.messages[1]!)).toContain('word for word: "Pick this up!"')
    expect(textOf(asked!.messages[1]!)).toContain('["this",800,1250]')
    expect(lines[0]!.scores).toMatchObject({ 'heard.hits': 1, 'heard.windows': 1, 'heard.none': 0 })
    expect(lines[0]!.scores['heard.error']).toBeLessThan(1)
    expect(value(report, 'heard.temporal')).toBe(1)
    const again = await linesForProfile(reader, vsig, 'seed')
    expect(again.map(({ scores }) => scores)).toEqual(lines.map(({ scores }) => scores))
  })

  it('that cannot be read leaves the clip without words', async () => {
    const { lines, requests } = await played({
      model: () => '{}',
      transcriber: () => 'no idea',
      clips: 2,
      ids,
      language: 'en',
      options: { speech: 'asr' },
    })
    expect(lines[0]!.scores).toMatchObject({ 'heard.windows': 0, 'heard.none': 1 })
    expect(textOf(requests.at(-1)!.messages[1]!)).toContain('there is no transcript')
  })

  it('is not asked about a clip that has a transcript, unless speech=asr', async () => {
    const { requests } = await played({ model: () => '{}', transcriber: () => heard, clips: 2, ids, language: 'en' })
    expect(requests).toHaveLength(1)
    await expect(played({ model: () => '{}', clips: 1, language: 'en', options: { speech: 'asr' } })).rejects.toThrow(
      'transcriber',
    )
  })
})

describe('recorded events', () => {
  it('contain the last frame, ground truth, words and answer', async () => {
    const { reader, lines } = await played({ clips: 6, ids: ['clip-3-0003'] })
    const events = z.array(z.looseObject({ type: z.string() })).parse(await reader.events(lines[0]!))
    const clip = events.find(({ type }) => type === 'vsig/clip')
    const answered = events.find(({ type }) => type === 'vsig/answer')
    const sha = expect.stringMatching(/^[0-9a-f]{64}$/)
    const mask = { media: sha, frame: { width: 960, height: 540 }, path: expect.stringMatching(/^M\d+ \d+h/) }
    expect(clip).toMatchObject({
      template: 'T4',
      lastFrame: sha,
      video: null,
      slots: [
        { kind: 'object', mask, area: null, window: [expect.any(Number), expect.any(Number)] },
        { kind: 'area', mask, area: { radius: 50 }, points: expect.arrayContaining([]) },
      ],
      references: [{ mask }],
    })
    const words = z.array(z.object({ text: z.string(), begin: z.number(), end: z.number() })).parse(clip!['words'])
    expect(words.map(({ text }) => text).join('')).toBe(String(clip!['said']).replaceAll(/[，。]/g, ''))
    expect(answered).toMatchObject({
      command: clip!['meant'],
      points: [{ time: expect.anything() }, {}],
      slots: [
        { spatial: true, temporal: true },
        { spatial: true, temporal: true },
      ],
    })
  })
})

it('rejects a baseline as a judge', async () => {
  const models = { player: 'baseline/oracle', judge: 'baseline/oracle' }
  await expect(planRun({ suite: vsig, models })).rejects.toThrow('baseline/oracle cannot be used as judge')
})
