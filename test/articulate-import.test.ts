import { mkdir, mkdtemp, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { dirname, join } from 'node:path'
import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import { score } from '../src/library/results.ts'
import { importReplies } from '../src/library/run.ts'
import { writePartNet } from './support/suites/articulate/objects.ts'
import { articulateBuild, articulateJoint, articulatePlace } from '../src/suites/articulate/suite.ts'

let folder: string
beforeEach(async () => {
  folder = await mkdtemp(join(tmpdir(), 'sightline-articulate-'))
  await writePartNet(join(folder, 'data'))
})
afterEach(() => rm(folder, { recursive: true }))

/** As the published code compiles it: meshes in the frame that all parts share, lying on their side. */
function urdf({ joint = 'revolute', door = '0 0 0', pivot = '0.5 0 0.25', hasHelper = false } = {}): string {
  const back = pivot
    .split(' ')
    .map((value) => -Number(value))
    .join(' ')
  const shape = (file: string, xyz: string): string =>
    `<visual><origin xyz="${xyz}" rpy="0 0 0"/><geometry><mesh filename="textured_objs/${file}.obj"/></geometry></visual>`
  const up = '<origin xyz="0 0 0" rpy="1.570796326794897 0 1.570796326794897"/>'
  const base = hasHelper
    ? `<link name="base_helper"/><joint name="b" type="fixed"><parent link="base"/><child link="base_helper"/></joint>
       <joint name="c" type="fixed"><parent link="base_helper"/><child link="furniture_body"/>${up}</joint>`
    : `<joint name="b" type="fixed"><parent link="base"/><child link="furniture_body"/>${up}</joint>`
  const moving =
    joint === 'fixed'
      ? `<origin xyz="${door}"/>`
      : `<origin xyz="${pivot}"/><axis xyz="0 1 0"/><limit lower="0" upper="1.57" effort="5" velocity="5"/>`
  return `<?xml version="1.0"?><robot name="robot"><link name="base"/>
    <link name="furniture_body">${shape('body', '0 0 0')}</link>
    <link name="door">${shape('door', joint === 'fixed' ? '0 0 0' : back)}</link>${base}
    <joint name="furniture_body_to_door" type="${joint}"><parent link="furniture_body"/><child link="door"/>${moving}</joint></robot>`
}

async function write(files: Readonly<Record<string, string>>): Promise<string> {
  const root = join(folder, 'results')
  for (const [name, text] of Object.entries(files)) {
    await mkdir(dirname(join(root, name)), { recursive: true })
    await writeFile(join(root, name), text)
  }
  return root
}

const CONFIG =
  'prompt: 45001\nmodel_name: gemini-1.5-flash-latest\njoint_actor:\n  mode: video\n  targetted_semantic_part: door\n'
const critique = (failure_reason: string, realism_rating: number): string =>
  JSON.stringify({ gt_description: 'opens', failure_reason, realism_rating }, null, 4)

async function imported(
  suite: typeof articulateJoint,
  files: Readonly<Record<string, string>>,
  { profile = 'upstream', iterations = 2 }: { profile?: string; iterations?: number } = {},
) {
  const notes: string[] = []
  const result = await importReplies(suite, await write(files), {
    store: folder,
    suites: [suite],
    source: `partnet:${join(folder, 'data')}`,
    profile,
    options: { iterations, size: '320x240', frames: 2 },
    onNote: (note) => notes.push(note),
  })
  return { ...result, notes }
}

describe('logs of Articulate-Anything', () => {
  it.each(['upstream', 'fixed'])(
    'are played again with %s: the loop ends where its critic accepts',
    async (profile) => {
      const { progress, report, id, notes } = await imported(
        articulateJoint,
        {
          '45001/joint_actor/iter_0/seed_0/mobility.urdf': urdf({ pivot: '0 0 0.25' }),
          '45001/joint_actor/iter_0/seed_0/config.json': CONFIG,
          '45001/joint_critic/iter_0/seed_0/joint_critic.json': critique('joint_origin', 2),
          '45001/joint_actor/iter_1/seed_0/mobility.urdf': urdf({ hasHelper: true }),
          '45001/joint_critic/iter_1/seed_0/joint_critic.json': critique('success', 10),
        },
        { profile },
      )
      expect(notes).toEqual([])
      expect(report.models['player']).toBe('imported/gemini-1.5-flash-latest')
      expect(progress).toMatchObject({ byStatus: { answered: 1 }, score: { value: 1 } })
      expect(await score(id, { store: folder, suites: [articulateJoint], profile: 'fixed' })).toMatchObject({
        episodes: 1,
      })
    },
  )

  it('are read from the layout that the published evaluation reads, by the joints of the dataset', async () => {
    const { progress } = await imported(articulateJoint, {
      '45001/joint_pred/joint_0/iter_0/seed_0/mobility.urdf': urdf(),
      '45001/joint_pred/joint_0/iter_0/seed_1/error.txt': 'Traceback\nValueError: no',
    })
    expect(progress).toMatchObject({ byStatus: { answered: 1 }, score: { value: 1 } })
  })

  it.each([
    ['right', '0 0 0', 1],
    ['half a meter off', '0 0.5 0', 0],
  ])('of placements are scored: %s', async (_, door, value) => {
    const { progress } = await imported(articulatePlace, {
      'run/45001/link_placement/iter_0/seed_0/mobility.urdf': urdf({ joint: 'fixed', door }),
      'run/45001/link_critic/iter_0/seed_0/link_critic.json': '{"realism_rating": "6", "description": "fine"}',
    })
    expect(progress).toMatchObject({ byStatus: { answered: 1 }, score: { value } })
  })

  it("of whole objects are read with the answers of the fork's critic", async () => {
    const { progress } = await imported(
      articulateBuild,
      {
        '45001/joint_actor/iter_0/seed_0/mobility.urdf': urdf(),
        '45001/joint_actor/iter_0/seed_0/critic_renders_iter0_seed0/prompt_critic_result_iter0_seed0.json':
          '{"link_position_score": 9, "joint_score": 9, "joint_evaluation_details": [], "success": true}',
      },
      { profile: 'fixed' },
    )
    expect(progress).toMatchObject({ byStatus: { answered: 1 }, score: { value: 1 } })
  })

  it('count what failed, and explain what is left out', async () => {
    const { progress, notes } = await imported(articulateJoint, {
      '45001/joint_actor/iter_0/seed_0/config.json': CONFIG,
      '45001/joint_actor/iter_0/seed_0/error.txt':
        "Traceback (most recent call last):\nNameError: name 'np' is not defined",
      '99999/joint_actor/iter_0/seed_0/mobility.urdf': urdf(),
    })
    expect(progress).toMatchObject({ byStatus: { parse_failed: 1 }, score: { value: 0 } })
    expect(notes).toEqual(['Object 99999 is not in the source; it is left out.'])
  })

  it.each([
    ['nothing of it is there', {}, { hint: /output folders of Articulate-Anything/ }],
    ['another stage is there', { '45001/link_placement/iter_0/seed_0/mobility.urdf': 'x' }, { hint: /out_dir/ }],
  ])('are refused when %s', async (_, files, expected) => {
    await mkdir(join(folder, 'results'), { recursive: true })
    await expect(imported(articulateJoint, files)).rejects.toMatchObject({
      hint: expect.stringMatching(expected.hint) as unknown,
    })
  })

  it('need the dataset, and a folder', async () => {
    const own = { store: folder, suites: [articulateJoint] }
    await expect(importReplies(articulateJoint, folder, own)).rejects.toMatchObject({
      hint: expect.stringContaining('--source partnet:') as unknown,
    })
    const source = `partnet:${join(folder, 'data')}`
    await expect(importReplies(articulateJoint, join(folder, 'nowhere'), { ...own, source })).rejects.toThrow(
      'does not exist',
    )
    const file = join(folder, 'data/45001/mobility.urdf')
    await expect(importReplies(articulateJoint, file, { ...own, source })).rejects.toThrow('is a file')
  })
})
