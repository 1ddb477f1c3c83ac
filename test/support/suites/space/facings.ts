/** How much the image of an object changes when it turns. */
import { buildGridMesh } from '../../../../src/suites/space/domain/vision/build.ts'
import { cameraAt, IMAGE_SIZE } from '../../../../src/suites/space/domain/vision/camera.ts'
import { HEADINGS, NORTH, type Scene, type Vec } from '../../../../src/suites/space/domain/grid/scene.ts'
import type { Profile } from '../../../../src/suites/space/domain/profile.ts'
import { prepareScene, Renderer } from '../../../../src/world/render/index.ts'

/** Channels that differ by less are the same color to a viewer. */
const VISIBLE = 24
/** Cells of the only room: 9 ahead of the viewer. */
const ROOM = 11
const COLUMN = 5

function sceneWith(name: string, heading: Vec, ahead: number, order: readonly string[]): Scene {
  const side = ROOM + 2
  const mask = Array.from({ length: side }, (_, x) =>
    Array.from({ length: side }, (__, y) => (x === 0 || y === 0 || x === side - 1 || y === side - 1 ? 0 : 1)),
  )
  const object = { kind: 'object', name, pos: [COLUMN, 1 + ahead], heading, oriented: true, room: 1 } as const
  return { mask, objects: [object], doors: [], start: { pos: [COLUMN, 1], room: 1 }, order: [...order] }
}

export interface FacingDifference {
  meters: number
  /** The fewest pixels that differ between two facings, and which facings. */
  pixels: number
  facings: string
}

/**
 * How much two facings of an object straight ahead differ at least, at each distance. Unlit: what differs is the object,
 * not its shade. `look` selects the variant of its model.
 */
export function facingDifferences(
  name: string,
  look: string,
  distances: readonly number[],
  profile: Profile,
): FacingDifference[] {
  const farthest = Math.max(...distances)
  const views = HEADINGS.map((heading) => {
    const scene = sceneWith(name, heading, farthest, [name, look])
    const renderer = new Renderer(prepareScene(buildGridMesh(scene, { light: false })))
    return distances.map((meters) => {
      const camera = cameraAt({ pos: [COLUMN, 1 + farthest - meters], heading: NORTH }, profile)
      // Everything that is less than a meter from the middle of the object.
      const side = Math.min(IMAGE_SIZE[profile], Math.ceil((2 * camera.lens.fx) / (meters - 0.5)))
      const lens = { ...camera.lens, cx: side / 2, cy: side / 2 }
      return renderer.render({ ...camera, lens }, { width: side, height: side, antialias: true }).color
    })
  })
  const pairs = FACINGS.flatMap((_, a) => FACINGS.slice(a + 1).map((__, k) => [a, a + 1 + k] as const))
  return distances.map((meters, k) =>
    pairs
      .map(([a, b]) => ({
        meters,
        pixels: differing(views[a]![k]!, views[b]![k]!),
        facings: `${FACINGS[a]} and ${FACINGS[b]}`,
      }))
      .reduce((least, pair) => (pair.pixels < least.pixels ? pair : least)),
  )
}

/** What a viewer who looks north sees of an object with each of `HEADINGS`. */
const FACINGS = ['back', 'right', 'front', 'left']

function differing(a: Uint8Array, b: Uint8Array): number {
  let count = 0
  for (let i = 0; i < a.length; i += 3) {
    let most = 0
    for (let c = i; c < i + 3; c++) most = Math.max(most, Math.abs(a[c]! - b[c]!))
    if (most >= VISIBLE) count += 1
  }
  return count
}
