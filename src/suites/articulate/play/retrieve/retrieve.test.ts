import { cp, mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { planRun } from '../../../../engine/plan.ts'
import { startRun } from '../../../../engine/run.ts'
import { openSource } from '../../../../engine/source.ts'
import { mediaIn, type ModelRequest, textOf } from '../../../../models/types.ts'
import { LabelGroups } from '../../../../report/denominator.ts'
import { speaker, testEnvironment } from '../../../../../test/support/engine.ts'
import { writePartNet } from '../../../../../test/support/suites/articulate/objects.ts'
import { retrieveOptions } from './options.ts'
import { categoryIn, readAffordance, readMatch, readPlan, readSelection } from './parse.ts'
import { retrieveMetrics } from './summary.ts'
import { articulateRetrieve } from '../../suite-retrieve.ts'

let folder: string
beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'sightline-retrieve-'))
})
afterAll(() => rm(folder, { recursive: true }))

async function played(
  input: string,
  answer: (request: ModelRequest) => string,
  options: object = {},
  source = 'builtin:objects=1,categories=cabinet',
) {
  const requests: ModelRequest[] = []
  const around = await testEnvironment(folder, (id) =>
    Promise.resolve(
      speaker(id, (request) => {
        requests.push(request)
        return answer(request)
      }),
    ),
  )
  const plan = await planRun({
    suite: articulateRetrieve,
    models: { player: 'test/eyes' },
    source,
    options: { size: '320x240', frames: 2, candidates: 3, input, ...options },
  })
  const reader = await around.store.openRun((await startRun(plan, around)).id)
  const lines = await reader.episodes()
  return { requests, lines, line: lines[0]! }
}

const purposes = (requests: readonly ModelRequest[]): (string | undefined)[] =>
  requests.map(({ origin }) => origin.purpose)

describe('replies as models write them', () => {
  it.each([
    ['{"selected_image": "Image 2", "reasoning": "x"}', 2],
    ['Sure!\n```json\n{"image_description": "a {box}", "selected_image": "Image 0",}\n```', 0],
    ['{"selected_image": 1}', 1],
    ['{"selected_image": "Image 9"}', null],
    ['None of them.', null],
  ])('%s selects %s', (reply, at) => expect(readSelection(reply, 3, 'fixed')).toBe(at))

  it.each([
    ['A white trash can with a lid', 'trash_can'],
    ['two-door REFRIGERATOR', 'refrigerator'],
    ['a box or a safe', null],
    ['a thing', null],
    ['a steel kitchen pot', 'KitchenPot'],
  ])('"%s" is %s', (text, category) =>
    expect(categoryIn(text, ['trash_can', 'can', 'refrigerator', 'box', 'safe', 'KitchenPot'])).toBe(category),
  )

  it('reads plans, and refuses sizes that are none', () => {
    const reply =
      'Estimation…\n```json\n[{"name": "Left Door", "description": "d", "dimensions": [0.1, 0.2, 0.3]}, {"name": "left door", "dimensions": ["0.1", 0.2, 0.3]}, {"name": "x", "dimensions": [0, 1, 1e9]}]\n```'
    expect(readPlan(reply).map(({ name }) => name)).toEqual(['left_door', 'left_door_2'])
    expect(readPlan('no parts')).toEqual([])
  })

  it('reads parts and meshes', () => {
    expect(readAffordance('{"part_name": "Door 2", "part_color": "red"}', ['door', 'door_2'])).toBe('door_2')
    expect(readAffordance('{"part_name": "wheel"}', ['door'])).toBeNull()
    expect([
      readMatch('{"mesh": 2}', 3),
      readMatch('{"mesh": null}', 3),
      readMatch('{"mesh": 7}', 3),
      readMatch('?', 3),
    ]).toEqual([2, null, null, undefined])
  })
})

describe('the pipeline', () => {
  it('asks for the object, a category that the words do not name, an image and the moving part', async () => {
    const { requests, line } = await played('video', ({ origin: { purpose } }) => {
      if (purpose === 'detect') return '{"object": "a piece of furniture", "affordance": "a door opens"}'
      if (purpose === 'category') return '{"category": "Cabinet"}'
      if (purpose === 'select')
        return '```json\n{"image_description": "x", "selected_image": "Image 0", "reasoning": "y"}\n```'
      return '{"part_name": "nothing like it"}'
    })
    expect(purposes(requests)).toEqual(['detect', 'category', 'select', 'affordance'])
    const [detect, , select, affordance] = requests
    expect(textOf(detect!.messages[0]!)).toContain('we are strictly interested in the one being explored in the video')
    // The target and three candidates; two frames, the object and its parts in colors.
    expect([
      mediaIn(detect!.messages).length,
      mediaIn(select!.messages).length,
      mediaIn(affordance!.messages).length,
    ]).toEqual([2, 4, 4])
    expect(textOf(affordance!.messages[1]!)).toMatch(/"\w+": "red"/)
    expect(line.scores).toMatchObject({ category: 1, instance: 1, affordance: 0, success: 0 })
  })

  it('takes what it is told the object is', async () => {
    const answer = ({ origin: { purpose } }: ModelRequest) =>
      purpose === 'detect' ? '{"object": "a microwave"}' : '{"selected_image": "Image 0"}'
    const { line } = await played('image', answer, { object: 'a tall cabinet' })
    expect(line.scores).toMatchObject({ category: 1, instance: 1 })
  })

  it('goes from words to a plan, meshes and a program', async () => {
    const { requests, line } = await played(
      'text',
      ({ origin: { purpose, ordinal } }) => {
        if (purpose === 'specify') return '{"reasoning": "r", "output": "a cabinet with one door"}'
        if (purpose === 'plan')
          return '```json\n[{"name":"cabinet_body","description":"the body","dimensions":[0.4,0.6,0.8]},{"name":"cabinet_door","description":"its door","dimensions":[0.02,0.6,0.8]},{"name":"ghost","description":"","dimensions":[1,1,1]}]\n```'
        if (purpose === 'match') return `{"mesh": ${ordinal < 4 ? ordinal - 2 : 'null'}}`
        return '```python\ndef partnet_planned(input_dir, links):\n    robot = Robot(input_dir=input_dir, name="x")\n    robot.add_link(links["base"])\n    robot.add_link(links["cabinet_body"])\n    robot.add_joint(Joint("base_to_cabinet_body", Parent("base"), Child("cabinet_body"), type="fixed"))\n    robot.add_link(links["cabinet_door"])\n    robot.place_relative_to("cabinet_door", "cabinet_body", placement="front")\n    return robot\n```'
      },
      { stages: 'make' },
    )
    expect(purposes(requests)).toEqual(['specify', 'plan', 'match', 'match', 'match', 'make'])
    expect(textOf(requests.at(-1)!.messages[0]!)).not.toContain('ghost')
    expect(line.status).toBe('answered')
    expect(line.scores).toMatchObject({ 'made.runs': 1, dropped: expect.closeTo(1 / 3, 9) })
  })

  it('stops where a stage cannot be read', async () => {
    const { requests, line } = await played('image', () => 'I see something.')
    expect(purposes(requests)).toEqual(['detect'])
    expect([line.status, line.scores['success']]).toEqual(['parse_failed', 0])
    // Stages that the run does not have are not failed by what failed before them.
    const groups = new LabelGroups(retrieveMetrics)
    const group = groups.add(line)
    const zero = Object.keys(retrieveMetrics).filter((metric) => groups.zeroForFailed(metric, group))
    expect(zero).toEqual(['success', 'category', 'instance', 'closest', 'same-parts'])
  })

  it('makes nothing from words that were not understood', async () => {
    const { line } = await played('text', () => 'What do you mean?', { stages: 'make' })
    expect(line.scores).toMatchObject({ success: 0, plan: 0, 'made.runs': 0, 'made.plausible': 0 })
  })
})

describe('PartNet-Mobility', () => {
  let root: string
  beforeAll(async () => {
    root = join(folder, 'partnet')
    await writePartNet(root)
    for (const copy of ['45002', '45003']) await cp(join(root, '45001'), join(root, copy), { recursive: true })
    await rm(join(root, '45002/textured_objs/door.obj'))
  })

  it('asks in every way, also about objects that cannot be read', async () => {
    const opened = await openSource(articulateRetrieve, `partnet:${root}`, retrieveOptions.parse({}), {
      seed: 0,
      profile: 'fixed',
    })
    const ids: string[] = []
    for await (const { id } of opened.samples()) ids.push(id)
    expect(ids).toEqual(
      ['45001', '45002', '45003'].flatMap((name) => [`image-${name}`, `video-${name}`, `text-${name}`]),
    )
  })

  it('refuses holdout', async () => {
    const run = { seed: 0, profile: 'fixed' }
    const opened = openSource(articulateRetrieve, `partnet:${root}`, retrieveOptions.parse({ holdout: true }), run)
    await expect(opened).rejects.toThrow('needs built-in objects')
  })

  it('finds parts for words among those of the folder, and scores them without it', async () => {
    const parts = new Map<string, number>()
    const { lines, requests } = await played(
      'text',
      ({ messages, origin: { purpose } }) => {
        const asked = textOf(messages.at(-1)!)
        if (purpose === 'specify') return '{"output": "a cabinet"}'
        if (purpose === 'plan')
          return JSON.stringify(
            ['furniture_body', 'door', 'ghost'].map((name) => ({ name, description: name, dimensions: [1, 1, 1] })),
          )
        for (const [, at, kind] of asked.matchAll(/^(\d+)\. (.+) of a cabinet$/gim))
          parts.set(kind!.replaceAll(' ', '_'), Number(at))
        const wanted = /Planned part: (\w+)\./.exec(asked)![1]!
        return JSON.stringify({ mesh: parts.get(wanted) ?? null })
      },
      {},
      `partnet:${root}`,
    )
    const line = lines.find(({ sample }) => sample === 'text-45001')!
    expect(textOf(requests[0]!.messages.at(-1)!)).toMatch(/describe: a cabinet with a door$/)
    expect(line.scores).toMatchObject({ category: 1, plan: 1, dropped: expect.closeTo(1 / 3, 9) })
  })

  it('shows only candidates that can be read', async () => {
    const answer = ({ origin: { purpose } }: ModelRequest) =>
      purpose === 'detect' ? '{"object": "a wooden cabinet"}' : '{"selected_image": "Image 1"}'
    const { requests, lines } = await played('image', answer, {}, `partnet:${root}`)
    const ends = lines.map(({ sample, status, scores }) => [sample, { status, success: scores['success'] }] as const)
    expect(Object.fromEntries(ends)).toEqual({
      'image-45001': { status: 'answered', success: 0 },
      'image-45002': { status: 'missing_asset' },
      'image-45003': { status: 'answered', success: 1 },
    })
    const shown = requests.filter(({ origin }) => origin.purpose === 'select')
    expect(shown.map(({ messages }) => mediaIn(messages).length)).toEqual([3, 3])
  })
})
