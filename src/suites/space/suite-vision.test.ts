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
import { playedIn } from '../../../test/support/suites/space.ts'
import { compareViews, noAgreement } from '../../../test/support/suites/space/agreement.ts'
import { spaceVision } from './suite-vision.ts'
import { encodeView } from './domain/vision/pictures.ts'
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
  const run = await playedIn(folder, { suite, model: speaker, source, profile, options })
  return { ...run, value: (key: string) => run.report.rows.find((row) => row.key === key)?.value }
}

const partsOf = ({ messages }: ModelRequest, index: number): readonly Part[] => {
  const content = messages.at(index)?.content
  return typeof content === 'string' ? [{ type: 'text', text: content }] : (content ?? [])
}
const mediaIn = (request: ModelRequest): number =>
  request.messages.flatMap((_, i) => partsOf(request, i)).filter(({ type }) => type === 'media').length

describe('pictures and words of the same view', () => {
  it('agree from every anchor in every heading, and nothing is hidden in spaced rooms', () => {
    const sum = noAgreement()
    compareViews(generateScene({ seed: 'vision/0', spacing: 'dataset' }), 'fixed', sum)
    compareViews(generateScene({ seed: 'vision/1', spacing: 'dataset' }), 'upstream', sum)
    expect(sum.problems).toEqual([])
    expect(sum.views).toBe(120)
    expect(sum.told).toBeGreaterThan(100)
  })

  it('are the same bytes on every machine', () => {
    const scene = generateScene({ seed: 'vision/golden', spacing: 'dataset' })
    const hashes = HEADINGS.map((heading) => {
      const { png } = encodeView(scene, poseAt(scene, START, heading), 'fixed', [])
      return sha256(png).slice(0, 16)
    })
    // Raise PICTURES_VERSION when these change.
    expect(hashes).toEqual(['e9eb76091ac8f88e', '6385cca1ab12302a', '7e96dabcdfffb441', 'ded41323ce701cf7'])
  })
})

describe('the player that reads depth and ids', () => {
  it.each([
    ['fixed', { maps: 'every', questions: 1 }],
    ['upstream', { maps: 'last', questions: 2 }],
  ])('answers as the oracle does, under %s', async (profile, options) => {
    const { value, lines } = await played({ ...options, revision: true }, { profile })
    expect(lines[0]!.status).toBe('answered')
    for (const task of TASK_NAMES) expect(value(task), task).toBeGreaterThan(task === 'bwd_loc_text' ? 0.85 : 0.99)
    for (const key of ['map.correctness.overall', 'revision.identification.f1'])
      expect(value(key), key).toBeGreaterThan(0.95)
    if (profile === 'fixed') expect(value('map.perception.position')).toBeGreaterThan(0.95)
  })

  it('finds its way through four rooms', async () => {
    const { value } = await played({ preset: '4-rooms', questions: 1 })
    expect(value('coverage.nodes')).toBe(1)
    expect(value('accuracy')).toBeGreaterThan(0.95)
  })
})

describe('the conversation', () => {
  it('shows two instruction pictures, then one for every Observe, where the words call for it', async () => {
    const { requests, lines } = await played({ questions: 0 }, { model: 'test/words' })
    expect(requests.map(mediaIn)).toEqual([2, 3, 4, 4, 5])
    const first = partsOf(requests[0]!, 1)
    expect(first.map(({ type }) => type)).toEqual(['text', 'media', 'text', 'media', 'text'])
    expect(first[0]).toMatchObject({ text: expect.stringMatching(/front-slight-right:\n$/) })
    const shown = partsOf(requests[1]!, -1)
    expect(shown.map(({ type }) => type)).toEqual(['text', 'media', 'text'])
    expect(shown[0]).toMatchObject({ text: 'You observe: ' })
    expect(shown[1]).toMatchObject({ media: { width: 384, height: 384, type: 'image/png' } })
    expect(JSON.stringify(requests.map(({ messages }) => messages))).not.toContain('<image>')
    expect(lines[0]!.status).toBe('answered')
  })

  it('asks the same of words and pictures', async () => {
    const [words, pictures] = await Promise.all(
      [spaceText, spaceVision].map((suite) => played({ questions: 1 }, { suite, model: 'baseline/constant' })),
    )
    expect(pictures!.lines.map(({ sample: id, scores }) => [id, scores])).toEqual(
      words!.lines.map(({ sample: id, scores }) => [id, scores]),
    )
  })

  it('shows the log of a proxy agent as pictures', async () => {
    const { value } = await played({ explore: 'passive', proxy: 'scout', questions: 1 })
    expect(value('accuracy')).toBeGreaterThan(0.95)
  })

  it('refuses rooms with things that it has no picture of', async () => {
    await expect(played({ rooms: 6, objects: 5, spacing: 'free', questions: 0 })).rejects.toThrow(/cannot be shown/)
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
    const picture = partsOf(requests[1]!, -1)[1]
    if (picture?.type !== 'media') throw new Error('no picture')
    expect(await imageSize(await store.media.read(picture.media))).toEqual({ width: 384, height: 384 })
  })

  it('with a broken picture end as missing, and say which it was; the others go on', async () => {
    const root = join(folder, 'broken')
    const scene = generateScene({ seed: 'vision/published', spacing: 'dataset' })
    await writePublished(root, scene, scene)
    await cp(join(root, 'run00'), join(root, 'run01'), { recursive: true })
    await writeFile(join(root, 'run00', 'agent_facing_north.png'), 'no picture')
    const { lines } = await played({ questions: 1 }, { model: 'baseline/scout', source: `published:${root}` })
    expect(lines.map(({ status }) => status)).toEqual(['missing_asset', 'answered'])
    expect(lines[0]!.error).toMatch(/^The picture agent_facing_north.png cannot be read/)
  })

  it('are not for the player that reads depth, which is refused before there is a run', async () => {
    const root = join(folder, 'without-depth')
    const scene = generateScene({ seed: 'vision/published', spacing: 'dataset' })
    await writePublished(root, scene, scene)
    const store = await Store.open(folder)
    const before = (await store.listRuns()).length
    await expect(played({}, { source: `published:${root}` })).rejects.toThrow(
      'baseline/eye cannot play the source "published" of space/vision: it reads depth and ids',
    )
    expect(await store.listRuns()).toHaveLength(before)
  })

  it('say what is missing', async () => {
    await expect(played({}, { source: `published:${folder}/nowhere` })).rejects.toThrow(/cannot be read/)
    const empty = join(folder, 'empty')
    await mkdir(empty)
    await expect(played({}, { source: `published:${empty}` })).rejects.toThrow(/no rendered scene/)
  })
})

/** A scene as the data set has it: metres around the middle of the mask, pictures of 512 × 512. */
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
            // Stale after a move, as in the data set.
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
  await writeFile(join(run, 'orientation_instruction.png'), png)
  for (const camera of ['agent', ...scene.order.map(id)]) {
    for (const heading of HEADINGS) {
      for (const end of ['', '_fbexp'])
        await writeFile(join(run, `${camera}_facing_${headingName(heading)}${end}.png`), png)
    }
  }
}
