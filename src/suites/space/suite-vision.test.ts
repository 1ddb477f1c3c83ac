import { cp, mkdir, mkdtemp, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { sha256 } from '../../base/hash.ts'
import { encodePng, imageSize } from '../../media/image.ts'
import type { ModelRequest, Part } from '../../models/types.ts'
import { Store } from '../../store/store.ts'
import { reviseScene } from './samples/revise.ts'
import { Random } from '../../base/random.ts'
import { generateScene } from './samples/generate.ts'
import { headingName } from './domain/grid/relations.ts'
import { HEADINGS, type Scene } from './domain/grid/scene.ts'
import { poseAt, START } from './domain/grid/view.ts'
import { spaceText } from './suite.ts'
import { playInFolder } from '../../../test/support/suites/space.ts'
import { compareViews, emptyAgreement } from '../../../test/support/suites/space/agreement.ts'
import { spaceVision } from './suite-vision.ts'
import { encodeView } from './domain/vision/images.ts'
import { TASK_NAMES } from './domain/answers/question.ts'

let folder: string
beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'sightline-space-vision-'))
})
afterAll(() => rm(folder, { recursive: true }))

const LOOKS = ['Observe()', 'Rotate(90), Observe()', 'Fly()', 'Rotate(90), Observe()', 'Term()']

async function played(
  options: Record<string, unknown> = {},
  { model = 'baseline/eye', source = 'builtin:seed=3,scenes=1', profile = 'fixed', suite = spaceVision } = {},
) {
  const looking = (_: ModelRequest, call: number): string => `FINAL ANSWER:\nActions: [${LOOKS[call] ?? 'Term()'}]`
  const speaker = model === 'test/words' ? looking : model
  const run = await playInFolder(folder, { suite, model: speaker, source, profile, options })
  return { ...run, value: (key: string) => run.report.rows.find((row) => row.key === key)?.value }
}

const partsOf = ({ messages }: ModelRequest, index: number): readonly Part[] => {
  const content = messages.at(index)?.content
  return typeof content === 'string' ? [{ type: 'text', text: content }] : (content ?? [])
}
const mediaIn = (request: ModelRequest): number =>
  request.messages.flatMap((_, i) => partsOf(request, i)).filter(({ type }) => type === 'media').length

describe('image and text of a view', () => {
  it('agree for every anchor and heading, without occlusion in spaced rooms', () => {
    const sum = emptyAgreement()
    compareViews(generateScene({ seed: 'vision/0', spacing: 'dataset' }), 'fixed', sum)
    compareViews(generateScene({ seed: 'vision/1', spacing: 'dataset' }), 'upstream', sum)
    expect(sum.problems).toEqual([])
    expect(sum.views).toBe(120)
    expect(sum.inText).toBeGreaterThan(100)
  })

  it('is byte-identical on every machine', () => {
    const scene = generateScene({ seed: 'vision/golden', spacing: 'dataset' })
    const hashes = HEADINGS.map((heading) => {
      const { png } = encodeView(scene, poseAt(scene, START, heading), 'fixed', [])
      return sha256(png).slice(0, 16)
    })
    // Increase IMAGES_VERSION if these change.
    expect(hashes).toEqual(['9c6967fa293d8830', '094be71bd51b38d3', '003e7786703df195', '515a30c8f687ac69'])
  })
})

describe('baseline/eye', () => {
  it.each([
    ['fixed', { maps: 'every', questions: 1 }],
    ['upstream', { maps: 'last', questions: 2 }],
  ])('answers like the oracle under %s', async (profile, options) => {
    const { value, lines } = await played({ ...options, revision: true }, { profile })
    expect(lines[0]!.status).toBe('answered')
    for (const task of TASK_NAMES) expect(value(task), task).toBeGreaterThan(task === 'bwd_loc_text' ? 0.85 : 0.99)
    for (const key of ['map.correctness.overall', 'revision.identification.f1'])
      expect(value(key), key).toBeGreaterThan(0.95)
    if (profile === 'fixed') expect(value('map.perception.position')).toBeGreaterThan(0.95)
  })

  it('explores four rooms', async () => {
    const { value } = await played({ preset: '4-rooms', questions: 1 })
    expect(value('coverage.nodes')).toBe(1)
    expect(value('accuracy')).toBeGreaterThan(0.95)
  })
})

describe('the conversation', () => {
  it('has two instruction images, then one per Observe, each at its placeholder', async () => {
    const { requests, lines } = await played({ questions: 0 }, { model: 'test/words' })
    expect(requests.map(mediaIn)).toEqual([2, 3, 4, 4, 5])
    const first = partsOf(requests[0]!, 1)
    expect(first.map(({ type }) => type)).toEqual(['text', 'media', 'text', 'media', 'text'])
    expect(first[0]).toMatchObject({ text: expect.stringMatching(/front-slight-right:\n$/) })
    const shown = partsOf(requests[1]!, -1)
    expect(shown.map(({ type }) => type)).toEqual(['text', 'media', 'text'])
    expect(shown[0]).toMatchObject({ text: 'You observe: ' })
    expect(shown[1]).toMatchObject({ media: { width: 512, height: 512, type: 'image/png' } })
    expect(JSON.stringify(requests.map(({ messages }) => messages))).not.toContain('<image>')
    expect(lines[0]!.status).toBe('answered')
  })

  it('has the same questions as space/text', async () => {
    const [text, vision] = await Promise.all(
      [spaceText, spaceVision].map((suite) => played({ questions: 1 }, { suite, model: 'baseline/constant' })),
    )
    expect(vision!.lines.map(({ sample: id, scores }) => [id, scores])).toEqual(
      text!.lines.map(({ sample: id, scores }) => [id, scores]),
    )
  })

  it('shows the log of a proxy agent as images', async () => {
    const { value } = await played({ explore: 'passive', questions: 1 })
    expect(value('accuracy')).toBeGreaterThan(0.95)
  })

  it('reads by default the log that the published passive runs read', () => {
    expect(spaceVision.options.parse({}).proxy).toBe('scout')
    expect(spaceText.options.parse({}).proxy).toBe('strategist')
  })

  it('rejects rooms with objects that have no model', async () => {
    await expect(played({ rooms: 6, objects: 5, spacing: 'free', questions: 0 })).rejects.toThrow(/cannot be rendered/)
  })
})

describe('published rendered scenes', () => {
  it('are read from their folders, before and after the changes', async () => {
    const root = join(folder, 'published')
    const scene = generateScene({ seed: 'vision/published', spacing: 'dataset' })
    const { scene: changed, changes } = reviseScene(scene, new Random('published'))
    await writePublished(root, scene, changed)
    const source = `published:${root}`
    const { lines, value } = await played({ revision: true, questions: 1 }, { model: 'baseline/oracle', source })
    expect(lines[0]!.status).toBe('answered')
    expect(changes).toHaveLength(4)
    expect(value('revision.identification.f1')).toBe(1)
    const { requests, store } = await played({ questions: 0 }, { model: 'test/words', source })
    const images = [...partsOf(requests[0]!, 1), ...partsOf(requests[1]!, -1)].flatMap((part) =>
      part.type === 'media' ? [part.media] : [],
    )
    const sizes = await Promise.all(images.map(async (media) => imageSize(await store.media.read(media))))
    // The calibration image, the contact sheet, which is not square in the dataset, and the first view.
    expect(sizes).toEqual(Array.from({ length: 3 }, () => ({ width: 384, height: 384 })))
  })

  it('end with missing_asset for a damaged image, without affecting other episodes', async () => {
    const root = join(folder, 'broken')
    const scene = generateScene({ seed: 'vision/published', spacing: 'dataset' })
    await writePublished(root, scene, scene)
    await cp(join(root, 'run00'), join(root, 'run01'), { recursive: true })
    await writeFile(join(root, 'run00', 'agent_facing_north.png'), 'not an image')
    const { lines } = await played({ questions: 1 }, { model: 'baseline/scout', source: `published:${root}` })
    expect(lines.map(({ status }) => status)).toEqual(['missing_asset', 'answered'])
    expect(lines[0]!.error).toMatch(/^Cannot read image agent_facing_north.png/)
  })

  it('reject baseline/eye before a run is created', async () => {
    const root = join(folder, 'without-depth')
    const scene = generateScene({ seed: 'vision/published', spacing: 'dataset' })
    await writePublished(root, scene, scene)
    const store = await Store.open(folder)
    const before = (await store.listRuns()).length
    await expect(played({}, { source: `published:${root}` })).rejects.toThrow(
      'baseline/eye cannot play the source "published" of space/vision: it needs depth and object ids',
    )
    expect(await store.listRuns()).toHaveLength(before)
  })

  it('report a missing or empty folder', async () => {
    await expect(played({}, { source: `published:${folder}/nowhere` })).rejects.toThrow(
      /Cannot read the rendered scenes/,
    )
    const empty = join(folder, 'empty')
    await mkdir(empty)
    await expect(played({}, { source: `published:${empty}` })).rejects.toThrow(/No rendered scenes/)
  })
})

/** A scene as in the dataset: meters from the center of the mask, images of 512 × 512. */
async function writePublished(root: string, scene: Scene, changed: Scene): Promise<void> {
  const run = join(root, 'run00')
  await mkdir(run, { recursive: true })
  const png = await encodePng({ width: 512, height: 512, channels: 3, data: new Uint8Array(512 * 512 * 3).fill(90) })
  const id = (name: string): number => 1000 + scene.order.indexOf(name)
  const json = (state: Scene): string =>
    JSON.stringify({
      offset: [7, 8],
      mask: state.mask,
      cameras: [{ id: 'agent', position: { x: state.start.pos[0] - 7, y: 0.85, z: state.start.pos[1] - 8 } }],
      objects: [
        ...state.objects.map(({ name, pos, heading, oriented }) => ({
          object_id: id(name),
          name: name.replaceAll(' ', '_'),
          pos: { x: pos[0] - 7, y: 0.05, z: pos[1] - 8 },
          attributes: {
            has_orientation: oriented,
            // Stale after a move, as in the dataset.
            room_id: scene.objects.find((object) => object.name === name)!.room,
            ...(oriented && { orientation: headingName(heading) }),
          },
        })),
        ...state.doors.map(({ name, pos, rooms }) => ({
          object_id: id(name),
          name,
          pos: { x: pos[0] - 7, y: 0, z: pos[1] - 8 },
          attributes: { connected_rooms: rooms },
        })),
      ],
    })
  await writeFile(join(run, 'meta_data.json'), json(scene))
  await writeFile(join(run, 'falsebelief_exp.json'), json(changed))
  await writeFile(join(root, 'instruction.png'), png)
  const sheet = { width: 600, height: 300, channels: 3 as const, data: new Uint8Array(600 * 300 * 3).fill(200) }
  await writeFile(join(run, 'orientation_instruction.png'), await encodePng(sheet))
  for (const camera of ['agent', ...scene.order.map(id)]) {
    for (const heading of HEADINGS) {
      for (const end of ['', '_fbexp'])
        await writeFile(join(run, `${camera}_facing_${headingName(heading)}${end}.png`), png)
    }
  }
}
