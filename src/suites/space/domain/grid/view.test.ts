import { describe, expect, it } from 'vitest'
import { sceneProblems } from './invariants.ts'
import type { Profile } from '../profile.ts'
import { EAST, NORTH, type Pose, type Scene, SOUTH, WEST } from './scene.ts'
import { symbolicMap } from './symbolic-map.ts'
import { TWO_ROOMS } from '../../../../../test/support/suites/space/two-rooms.ts'
import { entityNamed, inView, poseAt, START, startPose, observationText, visibleEntities } from './view.ts'

const scene: Scene = TWO_ROOMS
const names = (at: string, heading: typeof NORTH): string[] => {
  const entity = at === START ? START : entityNamed(scene, at)!
  return visibleEntities(scene, poseAt(scene, entity, heading)).map(({ name }) => name)
}

describe('visibility', () => {
  it('covers the current room within 45° to either side, doors included, but not the next room', () => {
    expect(names(START, NORTH)).toEqual(['lamp'])
    expect(names(START, EAST)).toEqual(['chair', 'red door'])
    expect(names(START, SOUTH)).toEqual([])
  })

  it('covers both rooms from a doorway, but not the door itself', () => {
    expect(names('red door', WEST)).toEqual(['lamp', 'chair'])
    expect(names('red door', EAST)).toEqual(['sofa', 'trash can'])
  })

  it("includes exactly 45°, and excludes the viewer's own cell", () => {
    const pose = startPose(scene)
    expect(inView(pose, [3, 3])).toBe(true)
    expect(inView(pose, [3, 2])).toBe(false)
    expect(inView(pose, pose.pos)).toBe(false)
  })
})

describe('observation text', () => {
  const observed = (from: Scene, pose: Pose, profile: Profile = 'fixed') =>
    observationText(visibleEntities(from, pose), pose, profile)

  it('lists direction, distance and facing', () => {
    const door = entityNamed(scene, 'red door')!
    expect(observed(scene, poseAt(scene, START, EAST))).toBe(
      'You observe: \n• chair: front, near, facing backward\n• red door: front-slight-left, mid distance, on front wall.',
    )
    expect(observed(scene, poseAt(scene, door, WEST))).toBe(
      'You observe: \n• lamp: front-slight-right, mid distance\n• chair: front-left, mid distance, facing forward.',
    )
  })

  it("relates neighbors with the viewer's heading as north", () => {
    const close: Scene = {
      ...scene,
      objects: scene.objects.map((o) => (o.name === 'lamp' ? { ...o, pos: [3, 1] } : o)),
    }
    expect(observed(close, poseAt(close, START, EAST))).toContain(
      'Assume your current facing direction is called "north":\n• lamp is north, near to chair',
    )
  })

  it('ends with one period, or with two as published', () => {
    const pose = poseAt(scene, START, SOUTH)
    expect(observed(scene, pose, 'fixed')).toBe('You observe: No objects in field of view.')
    expect(observed(scene, pose, 'upstream')).toBe('You observe: No objects in field of view..')
  })
})

it('draws a scene as ASCII art', () => {
  expect(sceneProblems(scene)).toEqual([])
  expect(symbolicMap(scene, { marks: scene.objects.map(({ pos }, i) => ({ pos, mark: 'abcd'[i]! })) })).toBe(
    ['#########', '#a..#..d#', '#...+...#', '#*b.#c..#', '#########'].join('\n'),
  )
})
