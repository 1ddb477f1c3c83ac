/** Compares the image and the text of every view of a scene. */
import {
  aheadOf,
  distanceBinOfSquare,
  egoBinOfCells,
  EGO_LABELS,
  rightOf,
} from '../../../../src/suites/space/domain/grid/relations.ts'
import { HEADINGS, type Pose, type Scene } from '../../../../src/suites/space/domain/grid/scene.ts'
import {
  entitiesOf,
  entityNamed,
  poseAt,
  START,
  visibleEntities,
} from '../../../../src/suites/space/domain/grid/view.ts'
import type { Profile } from '../../../../src/suites/space/domain/profile.ts'
import { prepareScene, Renderer } from '../../../../src/world/render/index.ts'
import { buildGridMesh } from '../../../../src/suites/space/domain/vision/build.ts'
import { readFrame } from '../../../../src/suites/space/baselines/eye/reading.ts'
import { depthIdFrame } from '../../../../src/suites/space/domain/vision/images.ts'

export interface Agreement {
  views: number
  /** Entities in the text. */
  inText: number
  /** Entities in the text that are occluded in the image. */
  hidden: number
  /** Entities whose direction or distance differs between image and text, or that are in view in only one of them. */
  wrong: number
  /** Human-readable details. */
  problems: string[]
}

export function emptyAgreement(): Agreement {
  return { views: 0, inText: 0, hidden: 0, wrong: 0, problems: [] }
}

/** Compares every anchor of a scene (start, objects, doors) in all four headings, by depth and ids. */
export function compareViews(scene: Scene, profile: Profile, into: Agreement = emptyAgreement()): Agreement {
  const renderer = new Renderer(prepareScene(buildGridMesh(scene, { light: false })))
  for (const place of [START, ...entitiesOf(scene)] as const) {
    for (const heading of HEADINGS) compareView(scene, poseAt(scene, place, heading), profile, renderer, into)
  }
  return into
}

function compareView(scene: Scene, pose: Pose, profile: Profile, renderer: Renderer, into: Agreement): void {
  const { detections } = readFrame(depthIdFrame(scene, pose, profile, renderer))
  const seen = new Map(detections.map((detection) => [detection.label.name, detection]))
  const visible = visibleEntities(scene, pose)
  into.views += 1
  into.inText += visible.length
  const at = `from ${pose.pos.join(',')} toward ${pose.heading.join(',')}`
  for (const { name } of visible) {
    if (seen.has(name)) continue
    into.hidden += 1
    into.problems.push(`${name} is hidden ${at}`)
  }
  const names = new Set(visible.map(({ name }) => name))
  for (const { label, right, ahead } of detections) {
    const ego = egoBinOfCells(right, ahead)
    const isAhead = EGO_LABELS[ego] !== 'beyond-fov'
    // An object that extends into the image from outside is not in view in the text either.
    if (isAhead !== names.has(label.name)) {
      into.wrong += 1
      into.problems.push(`${label.name} is ${isAhead ? 'only in the image' : 'misplaced'} ${at}`)
      continue
    }
    if (!isAhead) continue
    const { pos } = entityNamed(scene, label.name)!
    const [dx, dy] = [pos[0] - pose.pos[0], pos[1] - pose.pos[1]]
    const sameDirection = ego === egoBinOfCells(rightOf(pose.heading, dx, dy), aheadOf(pose.heading, dx, dy))
    const sameDistance = distanceBinOfSquare(right * right + ahead * ahead) === distanceBinOfSquare(dx * dx + dy * dy)
    if (sameDirection && sameDistance) continue
    into.wrong += 1
    into.problems.push(`${label.name} is at a different position ${at}`)
  }
}
