/** Does a picture show what the words of the same view say? Counted over every place that one can stand on. */
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
import { depthIdFrame } from '../../../../src/suites/space/domain/vision/pictures.ts'

export interface Agreement {
  views: number
  /** Things that the words name. */
  told: number
  /** Of these, things with too few pixels, because something is before them. */
  hidden: number
  /** Things whose direction or distance differs between picture and words, or that only one of the two has in view. */
  wrong: number
  /** Where to look, for people. */
  problems: string[]
}

export function noAgreement(): Agreement {
  return { views: 0, told: 0, hidden: 0, wrong: 0, problems: [] }
}

/** Every anchor of a scene (start, objects, doors) in all four headings. Needs no light: only depth and ids are read. */
export function compareViews(scene: Scene, profile: Profile, into: Agreement = noAgreement()): Agreement {
  const renderer = new Renderer(prepareScene(buildGridMesh(scene, { light: false })))
  for (const place of [START, ...entitiesOf(scene)] as const) {
    for (const heading of HEADINGS) compareView(scene, poseAt(scene, place, heading), profile, renderer, into)
  }
  return into
}

function compareView(scene: Scene, pose: Pose, profile: Profile, renderer: Renderer, into: Agreement): void {
  const { things } = readFrame(depthIdFrame(scene, pose, profile, renderer))
  const seen = new Map(things.map((thing) => [thing.label.name, thing]))
  const told = visibleEntities(scene, pose)
  into.views += 1
  into.told += told.length
  const at = `from ${pose.pos.join(',')} towards ${pose.heading.join(',')}`
  for (const { name } of told) {
    if (seen.has(name)) continue
    into.hidden += 1
    into.problems.push(`${name} is hidden ${at}`)
  }
  const names = new Set(told.map(({ name }) => name))
  for (const { label, right, ahead } of things) {
    const ego = egoBinOfCells(right, ahead)
    const isAhead = EGO_LABELS[ego] !== 'beyond-fov'
    // What only reaches into the picture from beyond its edge is not in view in words either.
    if (isAhead !== names.has(label.name)) {
      into.wrong += 1
      into.problems.push(`${label.name} is ${isAhead ? 'only in the picture' : 'misplaced'} ${at}`)
      continue
    }
    if (!isAhead) continue
    const { pos } = entityNamed(scene, label.name)!
    const [dx, dy] = [pos[0] - pose.pos[0], pos[1] - pose.pos[1]]
    const sameWay = ego === egoBinOfCells(rightOf(pose.heading, dx, dy), aheadOf(pose.heading, dx, dy))
    const sameDistance = distanceBinOfSquare(right * right + ahead * ahead) === distanceBinOfSquare(dx * dx + dy * dy)
    if (sameWay && sameDistance) continue
    into.wrong += 1
    into.problems.push(`${label.name} is somewhere else ${at}`)
  }
}
