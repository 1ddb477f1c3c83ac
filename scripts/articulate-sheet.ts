/**
 * `npx tsx scripts/articulate-sheet.ts` draws the pictures of docs/suites/articulate: 24 built-in objects, closed and
 * open (objects.jpg), and a motion as the player sees it, without and with traces (sweep.jpg).
 */
import { mkdir, writeFile } from 'node:fs/promises'
import { type Bitmap, encodeJpeg } from '../src/media/index.ts'
import { buildArticulated, CATEGORIES } from '../src/suites/articulate/domain/objects/catalogue.ts'
import { trueRobot } from '../src/suites/articulate/domain/objects/model.ts'
import { cameraFor } from '../src/suites/articulate/play/pictures/cameras.ts'
import { drawStill, drawSweep } from '../src/suites/articulate/play/pictures/draw.ts'
import { motionCamera, motionView } from '../src/suites/articulate/play/pictures/visible.ts'
import { partFrames, rangeOf, wholeBox } from '../src/suites/articulate/domain/objects/pose.ts'
import { union } from '../src/suites/articulate/domain/assembly/box.ts'
import { isMovable } from '../src/world/urdf/index.ts'

const CELL = { width: 240, height: 220 }
const PAIRS_ACROSS = 4
const COUNT = 24
const FRAME = { width: 320, height: 240 }
const FRAMES = 6

const folder = new URL('../docs/suites/articulate/', import.meta.url)
await mkdir(folder, { recursive: true })
await write('objects.jpg', objects(), PAIRS_ACROSS * 2)
await write('sweep.jpg', [...sweep(false), ...sweep(true)], FRAMES / 2)

/** Two pictures of each object. */
function objects(): Bitmap[] {
  const chosen = Array.from({ length: COUNT }, (_, i) => ({
    category: CATEGORIES[i % CATEGORIES.length]!,
    seed: 1 + Math.floor(i / CATEGORIES.length),
  }))
  return chosen.flatMap(({ category, seed }) => {
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
    return [closed, opened].map((frames) => drawStill(model, frames, camera, CELL))
  })
}

/** The motion of sample joint-box-0-lid. */
function sweep(traces: boolean): Bitmap[] {
  const model = buildArticulated('box', 0)
  const robot = trueRobot(model)
  const camera = motionCamera(model, robot, 'lid', motionView(model, 'lid'), FRAME)
  return drawSweep(model, robot, 'box_body_to_lid', camera, { ...FRAME, frames: FRAMES, traces })
}

async function write(name: string, pictures: readonly Bitmap[], columns: number): Promise<void> {
  const { width, height } = pictures[0]!
  const rows = Math.ceil(pictures.length / columns)
  const sheet: Bitmap = {
    width: width * columns,
    height: height * rows,
    channels: 3,
    data: new Uint8Array(width * columns * height * rows * 3).fill(255),
  }
  for (const [i, picture] of pictures.entries()) {
    const left = (i % columns) * width
    const top = Math.floor(i / columns) * height
    for (let y = 0; y < height; y++)
      sheet.data.set(picture.data.subarray(y * width * 3, (y + 1) * width * 3), ((top + y) * sheet.width + left) * 3)
  }
  await writeFile(new URL(name, folder), await encodeJpeg(sheet, { quality: 82 }))
}
