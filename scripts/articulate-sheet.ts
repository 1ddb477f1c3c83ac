/** Makes docs/suites/articulate/objects.jpg: 24 built-in objects with moving parts, closed and open. */
import { mkdir, writeFile } from 'node:fs/promises'
import { type Bitmap, encodeJpeg } from '../src/media/index.ts'
import { buildArticulated, CATEGORIES } from '../src/suites/articulate/domain/objects/catalogue.ts'
import { trueRobot } from '../src/suites/articulate/domain/objects/model.ts'
import { cameraFor } from '../src/suites/articulate/play/pictures/cameras.ts'
import { drawStill } from '../src/suites/articulate/play/pictures/draw.ts'
import { partFrames, rangeOf, wholeBox } from '../src/suites/articulate/domain/objects/pose.ts'
import { union } from '../src/suites/articulate/domain/assembly/box.ts'
import { isMovable } from '../src/world/urdf/index.ts'

const CELL = { width: 240, height: 220 }
const PAIRS_ACROSS = 4
const COUNT = 24

const chosen = Array.from({ length: COUNT }, (_, i) => ({
  category: CATEGORIES[i % CATEGORIES.length]!,
  seed: 1 + Math.floor(i / CATEGORIES.length),
}))
const rows = Math.ceil(COUNT / PAIRS_ACROSS)
const sheet: Bitmap = {
  width: CELL.width * 2 * PAIRS_ACROSS,
  height: CELL.height * rows,
  channels: 3,
  data: new Uint8Array(CELL.width * 2 * PAIRS_ACROSS * CELL.height * rows * 3).fill(255),
}
chosen.forEach(({ category, seed }, i) => {
  const model = buildArticulated(category, seed)
  const robot = trueRobot(model)
  const at = (share: (lower: number, upper: number) => number): Record<string, number> =>
    Object.fromEntries(
      robot.joints.filter((joint) => isMovable(joint)).map((joint) => [joint.name, share(...rangeOf(joint))]),
    )
  // Closed is the lower end (a laptop is drawn half open), open is most of the way to the upper one.
  const closed = partFrames(
    robot,
    at((lower) => lower),
  )
  const opened = partFrames(
    robot,
    at((lower, upper) => lower + (upper - lower) * 0.8),
  )
  const camera = cameraFor('front', union(wholeBox(model, closed), wholeBox(model, opened)), CELL)
  for (const [k, frames] of [closed, opened].entries())
    paste(
      drawStill(model, frames, camera, CELL),
      ((i % PAIRS_ACROSS) * 2 + k) * CELL.width,
      Math.floor(i / PAIRS_ACROSS) * CELL.height,
    )
})
const folder = new URL('../docs/suites/articulate/', import.meta.url)
await mkdir(folder, { recursive: true })
await writeFile(new URL('objects.jpg', folder), await encodeJpeg(sheet, { quality: 82 }))
console.log(chosen.map(({ category, seed }) => `${category} ${seed}`).join(', '))

function paste(picture: Bitmap, left: number, top: number): void {
  for (let y = 0; y < picture.height; y++)
    sheet.data.set(
      picture.data.subarray(y * picture.width * 3, (y + 1) * picture.width * 3),
      ((top + y) * sheet.width + left) * 3,
    )
}
