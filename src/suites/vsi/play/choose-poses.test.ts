import { expect, test } from 'vitest'
import { fromYawPitch, toMatrix } from '../../../world.ts'
import { exploreOptions } from '../options.ts'
import { poseText } from '../prompts.ts'
import type { Profile } from '../domain/protocol.ts'
import { LETTERS, question, roomStage, scripted } from '../../../../test/support/suites/vsi.ts'
import { playPoses } from './choose-poses.ts'
import { readPoseReply } from './read-pose.ts'

const sample = question('object_rel_direction_medium', LETTERS, 'B')
const options = exploreOptions.parse({ actions: 'pose', steps: 2, reasks: 1, firstView: 'fixed' })
const action = (position: readonly [number, number, number], fov = 60) =>
  `[STATE]\nA room.\n\n[ACTION]\n${poseText({ matrix: toMatrix(fromYawPitch(position, 90)), fov })}`

async function play(replies: readonly string[], profile: Profile = 'official') {
  const { episode, asked, events } = scripted(replies, profile)
  const played = await playPoses(sample, episode, options, roomStage())
  const texts = asked.map((messages) => {
    const { content } = messages.at(-1)!
    return typeof content === 'string' ? content : content.map((part) => ('text' in part ? part.text : '')).join('')
  })
  return { ...played, texts, views: events.filter(({ type }) => type === 'vsi/view') }
}

test('a camera is put where the model asks for it, with its field of view, and the last turn answers', async () => {
  const { status, outcome, texts, views } = await play([
    action([2, 2, 1.5], 75),
    action([4, 5, 1.2]),
    '[STATE]\nSeen.\n\n[FINAL_ANSWER]\nB. right',
  ])
  expect({ status, answer: outcome.answer, unreadable: outcome.unreadable }).toEqual({
    status: 'answered',
    answer: 'B',
    unreadable: 0,
  })
  expect(views.map((view) => [view['position'], view['fov']]).slice(1)).toEqual([
    [[2, 2, 1.5], 75],
    [[4, 5, 1.2], 60],
  ])
  expect(texts[1]).toContain('This is turn 2 of 3.')
  expect(texts[1]).toContain('You have collected 2 view(s) of the scene.')
  expect(texts[1]).toContain('- View 2: {"camera_pose":[[1,0,0,2],[0,0,1,2],[0,-1,0,1.5],[0,0,0,1]],"fov":75}')
  expect(texts[2]).toContain('Your answer (A, B, C, or D)')
})

test('cameras stay in the room and fields of view within their limits; the published agent knows no limits', async () => {
  const far = [action([40, -40, 9], 5), '[FINAL_ANSWER]\nB']
  const { views } = await play(far)
  expect(views[1]).toMatchObject({ position: [7.9, 0.1, expect.any(Number)], fov: 30 })
  const published = await play(far, 'upstream')
  expect(published.views[1]).toMatchObject({ position: [40, -40, 9] })
  expect(published.texts[0]).not.toContain('## Coordinates')
})

test('an unusable pose is asked for again, then the turn is lost', async () => {
  const scaled = '[ACTION]\n{"camera_pose": [[2,0,0,1],[0,2,0,1],[0,0,2,1],[0,0,0,1]]}'
  const { texts, outcome, views } = await play([scaled, 'no action', action([2, 2, 1.5]), '[FINAL_ANSWER]\nC'])
  expect(texts[1]).toContain('are not a rotation')
  expect(outcome).toMatchObject({ unreadable: 2, answer: 'C' })
  expect(views).toHaveLength(2)
})

test('poses are read as models write them', () => {
  const read = (text: string) => readPoseReply(text, sample, { final: false, profile: 'official' })
  const flat = `Here you go.\n[ACTION]\n\`\`\`json\n{"camera_pose": [1,0,0,2, 0,0,1,3, 0,-1,0,1.5, 0,0,0,1], "fov": "wide"}\n\`\`\``
  expect(read(flat)).toMatchObject({ pose: { position: [2, 3, 1.5], forward: [0, 1, 0] }, fov: 60 })
  const parts = '[ACTION] {"position": [2, 3, 1.5], "rotation": [[1,0,0],[0,0,1],[0,-1,0]], "fov": 90}'
  expect(read(parts)).toMatchObject({ pose: { down: [0, 0, -1] }, fov: 90 })
  // A mirror image is not a rotation.
  expect(read('[ACTION] {"camera_pose": [[-1,0,0,0],[0,1,0,0],[0,0,1,0],[0,0,0,1]]}').pose).toBeNull()
  // An answer that is given early ends the episode.
  expect(read('[STATE]\nClear.\n[FINAL_ANSWER]\nThe answer is C.').answer).toBe('C')
})
