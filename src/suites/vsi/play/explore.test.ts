import { describe, expect, test } from 'vitest'
import { decodeImage } from '../../../media/index.ts'
import type { Part } from '../../../models/types.ts'
import type { OrientedBox } from '../../../world/mesh.ts'
import { fromYawPitch } from '../../../world/render/index.ts'
import { walk } from '../domain/walk.ts'
import { exploreOptions } from '../options.ts'
import { Explorer } from './explore.ts'
import { cameraAt, PUBLISHED_CAMERA } from '../domain/camera.ts'
import { LETTERS, question, roomStage, scripted } from '../../../../test/support/suites/vsi.ts'

const STILL = { turnDegrees: 0, forwardMeters: 0, leftMeters: 0, upMeters: 0 }
const options = (given: object = {}) => exploreOptions.parse({ firstView: 'fixed', steps: 3, ...given })
const sample = question('object_rel_direction_medium', LETTERS, 'B')
const reply = (given: object) =>
  JSON.stringify({
    rotation_angle_degrees: 0,
    forward_meters: 0,
    left_meters: 0,
    z_delta_meters: 0,
    answer: null,
    done: false,
    ...given,
  })
const pictures = (content: string | readonly Part[]) =>
  typeof content === 'string' ? 0 : content.filter(({ type }) => type === 'media').length
const lastText = (content: string | readonly Part[]) => {
  const last = typeof content === 'string' ? { type: 'text' as const, text: content } : content.at(-1)!
  return last.type === 'text' ? last.text : ''
}

/** Share of the left and of the right half of an image that has a color. */
function halves(rgb: Uint8Array, wanted: 'red' | 'blue', width: number): [left: number, right: number] {
  const found: [number, number] = [0, 0]
  for (let i = 0; i < rgb.length / 3; i++) {
    const [r, g, b] = [rgb[i * 3]!, rgb[i * 3 + 1]!, rgb[i * 3 + 2]!]
    const is = wanted === 'red' ? r > 200 && g < 60 && b < 60 : b > 200 && r < 60 && g < 60
    if (is) found[i % width < width / 2 ? 0 : 1] += 1
  }
  return found
}

describe('orientation', () => {
  const red: OrientedBox = { center: [5, 7, 1.4], size: [0.8, 0.8, 0.8], yaw: 0 }
  const blue: OrientedBox = { center: [5, 1, 1.4], size: [0.8, 0.8, 0.8], yaw: 0 }
  const stage = roomStage([red, blue])
  const start = fromYawPitch([1.5, 4, 1.4], 0)
  const look = (pose: typeof start) =>
    stage.renderer.render(cameraAt(PUBLISHED_CAMERA, pose), { width: 640, height: 480 }).color

  test('facing +x, a red object at +y is on the left, a blue one at −y on the right', () => {
    const rgb = look(start)
    const [redLeft, redRight] = halves(rgb, 'red', 640)
    const [blueLeft, blueRight] = halves(rgb, 'blue', 640)
    expect(redLeft).toBeGreaterThan(500)
    expect(redRight).toBe(0)
    expect(blueRight).toBeGreaterThan(500)
    expect(blueLeft).toBe(0)
  })

  test('turning +90° centers an object at +y', () => {
    const below = roomStage([{ ...red, center: [1.5, 7, 1.4] }])
    const { pose } = walk(start, { ...STILL, turnDegrees: 90 }, below, 'official')
    const [left, right] = halves(
      below.renderer.render(cameraAt(PUBLISHED_CAMERA, pose), { width: 640, height: 480 }).color,
      'red',
      640,
    )
    expect(left).toBeGreaterThan(500)
    expect(Math.abs(left - right)).toBeLessThan(left * 0.05)
  })

  test('left_meters +0.5 increases y; the published agent moves the other way', () => {
    expect(walk(start, { ...STILL, leftMeters: 0.5 }, stage, 'official').pose.position[1]).toBeCloseTo(4.5, 9)
    expect(walk(start, { ...STILL, leftMeters: 0.5 }, stage, 'upstream').pose.position[1]).toBeCloseTo(3.5, 9)
  })

  test('the published agent is recorded to have gone as far as the bounds let it', () => {
    const far = walk(start, { ...STILL, forwardMeters: 3000 }, stage, 'upstream')
    expect(far.asked.forwardMeters).toBe(3000)
    expect(far.done.forwardMeters).toBeCloseTo(far.pose.position[0] - start.position[0], 9)
    expect(walk(start, { ...STILL, leftMeters: 0.5 }, stage, 'upstream').done.leftMeters).toBeCloseTo(-0.5, 9)
  })
})

describe('exploring', () => {
  const stage = roomStage([{ center: [6.5, 4, 1], size: [1, 8, 2], yaw: 0 }])

  test('ends with an answer at the first step', async () => {
    const player = scripted([reply({ answer: 'B', done: true })])
    const { status, outcome } = await new Explorer(sample, player.episode, options(), stage).play()
    expect({ status, answer: outcome.answer, pictures: outcome.pictures }).toEqual({
      status: 'answered',
      answer: 'B',
      pictures: 1,
    })
    expect(player.purposes).toEqual(['step 0'])
  })

  test('shows all images so far with labels before the text at every step', async () => {
    const player = scripted([
      reply({ rotation_angle_degrees: 30 }),
      reply({ forward_meters: 0.5 }),
      reply({ answer: 'A', done: true }),
    ])
    await new Explorer(sample, player.episode, options(), stage).play()
    expect(player.asked.map((messages) => pictures(messages[0]!.content))).toEqual([1, 2, 3])
    const content = player.asked[2]![0]!.content as readonly Part[]
    expect(
      content
        .filter((part) => part.type === 'text')
        .slice(0, 3)
        .map((part) => part.text),
    ).toEqual(['Image 0 (Initial view)', 'Image 1 (After movement 1)', 'Image 2 (After movement 2)'])
    expect(lastText(content)).toContain('**STEP 2/3** (1 steps remaining')
    expect(lastText(content)).toContain('Step 1: turned 30° left, moved 0.0m forward → Image 1 (Position: X=')
  })

  test('chat=true sends only what is new, after what was said', async () => {
    const turn = reply({ rotation_angle_degrees: 30 })
    const player = scripted([turn, turn, reply({ answer: 'A', done: true })])
    await new Explorer(sample, player.episode, options({ chat: true }), stage).play()
    const last = player.asked[2]!
    expect(last.map(({ role }) => role)).toEqual(['user', 'assistant', 'user', 'assistant', 'user'])
    expect(last.map(({ content }) => pictures(content))).toEqual([1, 0, 1, 0, 1])
    expect(lastText(last[4]!.content)).toMatch(/^\*\*STEP 2\/3\*\*.*\nStep 2: turned 30° left/)
    expect(last.slice(0, 3)).toEqual(player.asked[1])
  })

  test('asks a player without an answer at the last step, retries, and finally asks for the answer alone', async () => {
    const player = scripted([reply({ rotation_angle_degrees: 10 })])
    const { status, outcome } = await new Explorer(sample, player.episode, options(), stage).play()
    expect(status).toBe('parse_failed')
    expect(outcome.pictures).toBe(4)
    expect(player.purposes).toEqual([
      'step 0',
      'step 1',
      'step 2',
      'final step',
      'final step',
      'final step',
      'answer only',
    ])
    expect(lastText(player.asked[3]![0]!.content)).toContain('**FINAL STEP 3/3**')
  })

  test('accepts an answer to the answer-only prompt', async () => {
    const player = scripted([...Array.from({ length: 6 }, () => 'hmm'), '{"answer": "C"}'])
    const { status, outcome } = await new Explorer(sample, player.episode, options({ steps: 1 }), stage).play()
    expect({ status, answer: outcome.answer }).toEqual({ status: 'answered', answer: 'C' })
  })

  test('retries an unreadable reply with the reason', async () => {
    const player = scripted([
      'I would turn left.',
      '{"rotation_angle_degrees": <-90 to 90>',
      reply({ answer: 'A', done: true }),
    ])
    const { status, outcome } = await new Explorer(sample, player.episode, options(), stage).play()
    expect({ status, unreadable: outcome.unreadable }).toEqual({ status: 'answered', unreadable: 2 })
    expect(player.asked[1]!.map(({ role }) => role)).toEqual(['user', 'assistant', 'user'])
    expect(lastText(player.asked[1]![2]!.content)).toContain('could not be used')
  })

  test('stops at a wall and reports the requested move to the player', async () => {
    const facing = options({ steps: 4 })
    const forward = reply({ forward_meters: 1 })
    const player = scripted([forward, forward, forward, reply({ answer: 'A', done: true })])
    const { outcome } = await new Explorer(sample, player.episode, facing, stage).play()
    const last = outcome.path!.at(-1)!
    expect(outcome.path!.some(({ blocked }) => blocked)).toBe(true)
    // The wall-high box starts at x = 6, and a body has a radius.
    expect(last.position[0]).toBeLessThan(5.9)
    expect(lastText(player.asked[3]![0]!.content)).toMatch(
      /you asked for 0°, forward 1\.0m, .* but something was in the way/,
    )
  })

  test('clamps a thousand meters to one step', async () => {
    const player = scripted([
      reply({ forward_meters: -1000, rotation_angle_degrees: 900 }),
      reply({ answer: 'A', done: true }),
    ])
    const { outcome } = await new Explorer(sample, player.episode, options(), stage).play()
    expect(outcome.path![1]!.done!.turnDegrees).toBe(90)
    expect(Math.abs(outcome.path![1]!.done!.forwardMeters)).toBeLessThanOrEqual(1.001)
    expect(lastText(player.asked[1]![0]!.content)).toContain('more than a step allows')
  })

  test.each([
    ['room_size_estimation', 'auto', false],
    ['room_size_estimation', 'full', true],
    ['object_counting', 'auto', true],
    ['object_counting', 'none', false],
  ] as const)('%s with bounds=%s shows the room size: %s', async (type, bounds, shown) => {
    const player = scripted([reply({ answer: 4, done: true })])
    await new Explorer(question(type, null, '4'), player.episode, options({ bounds }), stage).play()
    const prompt = lastText(player.asked[0]![0]!.content)
    expect(prompt.includes('Room size:')).toBe(shown)
    expect(prompt.includes('X=')).toBe(bounds !== 'none')
  })

  test('stores every image, the path as JSON, the map as SVG and PNG, and the room from above', async () => {
    const player = scripted([
      reply({ rotation_angle_degrees: 90, z_delta_meters: 0.2 }),
      reply({ answer: 'A', done: true }),
    ])
    await new Explorer(sample, player.episode, options(), stage).play()
    expect(player.kept.map(({ type }) => type)).toEqual([
      'image/png',
      'image/png',
      'application/json',
      'image/svg+xml',
      'image/png',
      'image/jpeg',
    ])
    const path = JSON.parse(Buffer.from(player.kept[2]!.bytes).toString()) as {
      path: { heading: number; position: number[] }[]
    }
    expect(path.path.map(({ heading }) => Math.round(heading))).toEqual([0, 90])
    expect(path.path[1]!.position[2]! - path.path[0]!.position[2]!).toBeCloseTo(0.2, 6)
    expect((await decodeImage(player.kept[4]!.bytes)).width).toBe(600)
    // The room is 8 m wide, plus margins.
    const { floor } = player.events.find(({ type }) => type === 'vsi/map') as unknown as {
      floor: { width: number; pixelsPerMeter: number }
    }
    expect(floor.width / floor.pixelsPerMeter).toBeCloseTo(8 * 1.12, 1)
  })

  test('records the question, its ground truth and the room first', async () => {
    const player = scripted([reply({ answer: 'A', done: true })])
    await new Explorer(sample, player.episode, options(), stage).play()
    expect(player.events.slice(0, 2)).toMatchObject([
      { type: 'vsi/question', question: sample.question, options: sample.options, truth: sample.truth },
      { type: 'vsi/stage', lens: { width: 640, height: 480, focal: 300 } },
    ])
  })
})

describe('the first view', () => {
  // Everything is gray except toward +y.
  const stage = roomStage([{ center: [4, 7, 1.5], size: [2, 0.5, 2], yaw: 0 }])

  test('is chosen by the model among four, and defaults to 0°', async () => {
    const player = scripted(['{"selected_angle": 270, "reasoning": "…"}', reply({ answer: 'A', done: true })])
    const { outcome } = await new Explorer(sample, player.episode, options({ firstView: 'model' }), stage).play()
    expect(outcome.path![0]!.heading).toBeCloseTo(-90, 6)
    expect(pictures(player.asked[0]![0]!.content)).toBe(4)
    const silent = scripted(['none of them', reply({ answer: 'A', done: true })])
    expect(
      (await new Explorer(sample, silent.episode, options({ firstView: 'model' }), stage).play()).outcome.path![0]!
        .heading,
    ).toBe(0)
  })

  test.each<[string, object, number, number[]]>([
    ['chosen by a metric leaves five moves', {}, 5, [1, 2, 3, 4, 5, 6]],
    ['chosen by the model costs three moves', { firstView: 'model' }, 2, [4, 1, 2, 3]],
  ])('of six images %s', async (_, given, steps, shown) => {
    const parsed = exploreOptions.parse({ pictures: 6, reasks: 0, ...given })
    expect(parsed.steps).toBe(steps)
    const last = reply({ answer: 'A', done: true })
    const moves = shown.slice(0, -1).map(() => reply({ selected_angle: 90, rotation_angle_degrees: 10 }))
    const player = scripted([...moves, last])
    await new Explorer(sample, player.episode, parsed, stage).play()
    expect(player.asked.map(([message]) => pictures(message!.content))).toEqual(shown)
  })

  test.each([
    [
      'a first view that shows four',
      { pictures: 3, firstView: 'model' },
      'firstView=model and steps=0 show up to 4 images, more than 3',
    ],
    ['more steps', { pictures: 8, steps: 15 }, 'show up to 16 images, more than 8'],
  ])('rejects a number of images together with %s', (_, given, message) => {
    expect(() => exploreOptions.parse(given)).toThrow(message)
  })

  test('is chosen by edges without asking the model', async () => {
    const player = scripted([reply({ answer: 'A', done: true })])
    const { outcome } = await new Explorer(sample, player.episode, options({ firstView: 'laplacian' }), stage).play()
    expect(outcome.path![0]!.heading).toBeCloseTo(90, 6)
    expect(player.asked).toHaveLength(1)
  })
})

describe('profile upstream', () => {
  const stage = roomStage()

  test('walks through furniture and loses a question on a null movement', async () => {
    const blocked = roomStage([{ center: [6.5, 4, 1], size: [1, 8, 2], yaw: 0 }])
    const walker = scripted([reply({ forward_meters: 3 }), reply({ answer: 'A', done: true })], 'upstream')
    const { outcome } = await new Explorer(sample, walker.episode, options(), blocked).play()
    expect(outcome.path![1]!.position[0]).toBeGreaterThan(6)
    const broken = scripted([reply({ rotation_angle_degrees: null, answer: 'A', done: true })], 'upstream')
    const lost = await new Explorer(sample, broken.episode, options(), stage).play()
    expect(lost).toMatchObject({ status: 'parse_failed', outcome: { answer: null } })
  })

  test('does not retry, and keeps the last accepted answer', async () => {
    const player = scripted([reply({ answer: 'C' }), 'nothing'], 'upstream')
    const { status, outcome } = await new Explorer(sample, player.episode, options(), stage).play()
    expect({ status, answer: outcome.answer }).toEqual({ status: 'answered', answer: 'C' })
    expect(player.asked).toHaveLength(4)
  })
})

describe('the cognitive map', () => {
  test('is asked for after exploring and compared with the true map; the answer after it counts', async () => {
    const things = [
      { category: 'sofa', box: { center: [1, 1, 0.4], size: [1, 1, 0.8], yaw: 0 } },
      { category: 'lamp', box: { center: [7, 7, 0.4], size: [0.2, 0.2, 1], yaw: 0 } },
    ] as const
    const player = scripted([
      reply({ answer: 'A', done: true }),
      'Here: {"sofa": [(1, 1)], "lamp": [(8, 8)]}',
      '{"answer": "B"}',
    ])
    const { outcome } = await new Explorer(
      { ...sample, things },
      player.episode,
      options({ map: true }),
      roomStage(),
    ).play()
    expect(outcome).toMatchObject({ answer: 'B', mapAgreement: 1, map: { sofa: [[1, 1]], lamp: [[8, 8]] } })
    expect(player.asked[2]!.map(({ role }) => role)).toEqual(['user', 'assistant', 'user'])
  })
})
