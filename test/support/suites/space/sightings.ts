/** Where the objects that count as seen are in the images of a scene. */
import { frameOf } from '../../../../src/suites/space/domain/vision/build.ts'
import { cameraAt, IMAGE_SIZE } from '../../../../src/suites/space/domain/vision/camera.ts'
import { appearanceKey, displayedObject } from '../../../../src/suites/space/domain/vision/displayed-object.ts'
import { aheadOf, rightOf } from '../../../../src/suites/space/domain/grid/relations.ts'
import { type GridObject, HEADINGS, type Pose, type Scene } from '../../../../src/suites/space/domain/grid/scene.ts'
import { entitiesOf, poseAt, START, visibleEntities } from '../../../../src/suites/space/domain/grid/view.ts'
import type { Profile } from '../../../../src/suites/space/domain/profile.ts'
import { project } from '../../../../src/world/render/index.ts'

export interface Sighting {
  pose: Pose
  object: GridObject
  /** Cells from the viewer. */
  right: number
  ahead: number
  /** Part of the object's width in the image, from 0 to 1. */
  shown: number
}

/** Every object in view from the start, the objects and the doors of a scene, in all four headings. */
export function sightingsOf(scene: Scene, profile: Profile): Sighting[] {
  const appearance = appearanceKey(scene)
  const poses = ([START, ...entitiesOf(scene)] as const).flatMap((place) =>
    HEADINGS.map((heading) => poseAt(scene, place, heading)),
  )
  return poses.flatMap((pose) =>
    visibleEntities(scene, pose).flatMap((object): Sighting[] => {
      if (object.kind === 'door') return []
      const [dx, dy] = [object.pos[0] - pose.pos[0], object.pos[1] - pose.pos[1]]
      const { size } = displayedObject(object, appearance).model
      return [
        {
          pose,
          object,
          right: rightOf(pose.heading, dx, dy),
          ahead: aheadOf(pose.heading, dx, dy),
          shown: shownPart(pose, object, size, profile),
        },
      ]
    }),
  )
}

/** By the eight corners of its box. */
function shownPart(
  pose: Pose,
  object: GridObject,
  [depth, width, height]: readonly number[],
  profile: Profile,
): number {
  const camera = cameraAt(pose, profile)
  const m = frameOf(object)
  const columns = [-0.5, 0.5].flatMap((x) =>
    [-0.5, 0.5].flatMap((y) =>
      [0, 1].map((z) => {
        const point = [x * depth!, y * width!, z * height!, 1]
        const along = (row: number): number => point.reduce((sum, value, i) => sum + value * m[row * 4 + i]!, 0)
        return project(camera, [along(0), along(1), along(2)]).x
      }),
    ),
  )
  const [left, right] = [Math.min(...columns), Math.max(...columns)]
  return (Math.min(right, IMAGE_SIZE[profile]) - Math.max(left, 0)) / (right - left)
}
