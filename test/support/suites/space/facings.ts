/** How much the image of an object changes when it turns. */
import { displayedObject } from '../../../../src/suites/space/domain/vision/displayed-object.ts'
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

/**
 * The fewest pixels that differ between two facings of an object straight ahead, at each distance. Unlit: what differs is
 * the object, not its shade. `look` selects the variant of its model.
 */
export function facingDifferences(
  name: string,
  look: string,
  distances: readonly number[],
  profile: Profile,
): { meters: number; pixels: number; least: number; pair: string }[] {
  const size = IMAGE_SIZE[profile]
  const order = [name, look]
  const views = HEADINGS.map((heading) => {
    const scene = sceneWith(name, heading, Math.max(...distances), order)
    const renderer = new Renderer(prepareScene(buildGridMesh(scene, { light: false })))
    return distances.map((meters) => {
      const pos: Vec = [COLUMN, 1 + Math.max(...distances) - meters]
      return renderer.render(cameraAt({ pos, heading: NORTH }, profile), {
        width: size,
        height: size,
        ids: true,
        antialias: true,
      })
    })
  })
  return distances.map((meters, k) => {
    let least = Infinity
    let pair = ''
    for (let a = 0; a < 4; a++) {
      for (let b = a + 1; b < 4; b++) {
        const count = differing(views[a]![k]!.color, views[b]![k]!.color)
        if (count < least) [least, pair] = [count, `${FACINGS[a]}/${FACINGS[b]}`]
      }
    }
    return { meters, pixels: Math.min(...views.map((view) => view[k]!.ids.reduce((sum, id) => sum + id, 0))), least, pair }
  })
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
