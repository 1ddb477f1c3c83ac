import { describe, expect, it } from 'vitest'
import { UserError } from '../../../../base/errors.ts'
import { generateScene } from '../../samples/generate.ts'
import { sceneFromJson, sceneId, sceneToJson } from './scene-json.ts'
import { EAST, WEST } from './scene.ts'
import { TWO_ROOMS } from '../../../../../test/support/suites/space/two-rooms.ts'

/** `TWO_ROOMS` as a state of the published environment. */
const STATE = {
  room: {
    mask: TWO_ROOMS.mask,
    objects: TWO_ROOMS.objects.map((object, i) => ({
      name: object.name,
      pos: object.pos,
      ori: object.heading,
      label: i + 1,
      has_orientation: object.oriented,
      room_id: object.room,
    })),
    gates: [{ name: 'red door', pos: [4, 2], room_id: [1, 2], ori_by_room: { '1': WEST, '2': EAST } }],
  },
  agent: { pos: [3, 3], room_id: 1, init_pos: [1, 1], init_room_id: 1 },
}

/** `TWO_ROOMS` as `meta_data.json` of a rendered scene: meters from the center, degrees clockwise, labels as text. */
const RENDERED = {
  offset: [4, 2],
  mask: TWO_ROOMS.mask,
  objects: [
    ...TWO_ROOMS.objects.map((object, i) => ({
      name: object.name.replace(' ', '_'),
      label: String(i + 1),
      pos: { x: object.pos[0] - 4, y: 0.05, z: object.pos[1] - 2 },
      rot: { x: 0, y: object.name === 'chair' ? 270 : 180, z: 0 },
      attributes: {
        has_orientation: object.oriented,
        room_id: object.room,
        ...(object.name === 'chair' && { orientation: 'west' }),
      },
    })),
    { name: 'red door', pos: { x: 0, y: 0, z: 0 }, attributes: { color: 'red', connected_rooms: [1, 2] } },
  ],
  cameras: [{ id: 'agent', position: { x: -3, y: 0.8, z: -1 } }],
}

describe('scenes as JSON', () => {
  it('reads a published state and resets the agent to its start', () => {
    expect(sceneFromJson(STATE)).toEqual(TWO_ROOMS)
  })

  it('reads a rendered scene', () => {
    expect(sceneFromJson(RENDERED)).toEqual(TWO_ROOMS)
  })

  it('round-trips a scene and gives equal scenes equal ids', () => {
    const scene = generateScene({ seed: 1 })
    const again = sceneFromJson(JSON.parse(JSON.stringify(sceneToJson(scene))))
    expect(again).toEqual(scene)
    expect(sceneId(again)).toBe(sceneId(scene))
    expect(sceneId(generateScene({ seed: 2 }))).not.toBe(sceneId(scene))
  })

  it.each([
    ['a number', 7, /JSON object/],
    ['an unknown format', { hello: 1 }, /not in a known scene format.*"format"/],
    ['an invalid field', { ...STATE, agent: { pos: [0.5, 1], room_id: 1 } }, /agent\.pos/],
    ['a start in a wall', { ...STATE, agent: { ...STATE.agent, init_pos: [0, 0] } }, /start \(0, 0\) is not in room 1/],
    ['a rendered scene without an agent camera', { ...RENDERED, cameras: [] }, /^scene\.json.*"agent"/],
  ])('rejects %s', (_, json, message) => {
    expect(() => sceneFromJson(json, 'scene.json')).toThrow(UserError)
    expect(() => sceneFromJson(json, 'scene.json')).toThrow(message)
  })
})
