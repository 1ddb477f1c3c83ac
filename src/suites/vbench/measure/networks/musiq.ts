/** MUSIQ's input: patches of the picture at three sizes, each with its place, its size and whether it is real. */
import { type Bitmap, roundHalfEven } from '../../../../suite.ts'
import { imagingSize } from '../rules/sizes.ts'
import { type Planes, planesOf, resizePlanes } from './resize.ts'

const PATCH = 32
const GRID = 10
const SMALLER = [224, 384] as const
/** Floats of a patch: its pixels, channel after channel, then place, scale and mask. */
export const MUSIQ_FLOATS = PATCH * PATCH * 3 + 3

/** Rows of `MUSIQ_FLOATS`: 49 + 144 of the two smaller pictures, and all of the picture itself. */
export function musiqPatches(bitmap: Bitmap): Float32Array {
  const full = planesOf(bitmap)
  const { data, ...size } = resizePlanes(full, imagingSize(full), 'bilinear', false)
  const planes: Planes = { ...size, data: new Float32Array(data.length) }
  for (let i = 0; i < data.length; i++) planes.data[i] = (data[i]! / 255) * 2 - 1
  const longer = Math.max(planes.width, planes.height)
  const parts = SMALLER.map((side, scale) => {
    const ratio = side / longer
    const size = { width: roundHalfEven(planes.width * ratio), height: roundHalfEven(planes.height * ratio) }
    return patchesOf(resizePlanes(planes, size, 'bicubic', false), scale, Math.ceil(side / PATCH) ** 2)
  })
  parts.push(patchesOf(planes, SMALLER.length, null))
  const all = new Float32Array(parts.reduce((sum, part) => sum + part.length, 0))
  let at = 0
  for (const part of parts) {
    all.set(part, at)
    at += part.length
  }
  return all
}

/** Which of the ten places of the grid a patch has: PyTorch's nearest neighbor, whose scale is a 32-bit float. */
function nearest(index: number, count: number): number {
  return Math.min(GRID - 1, Math.floor(Math.fround(index * Math.fround(GRID / count))))
}

/** Zero padding on all sides up to whole patches, as TensorFlow's SAME; `count` patches, cut or filled with empty ones. */
function patchesOf({ width, height, data }: Planes, scale: number, count: number | null): Float32Array {
  const across = Math.ceil(width / PATCH)
  const down = Math.ceil(height / PATCH)
  const left = (across * PATCH - width) >> 1
  const top = (down * PATCH - height) >> 1
  const wanted = count ?? across * down
  const out = new Float32Array(wanted * MUSIQ_FLOATS)
  for (let n = 0; n < Math.min(wanted, across * down); n++) {
    const [row, column] = [Math.floor(n / across), n % across]
    const at = n * MUSIQ_FLOATS
    const fromX = Math.max(0, column * PATCH - left)
    const toX = Math.min(width, (column + 1) * PATCH - left)
    const inset = fromX - (column * PATCH - left)
    for (let c = 0; c < 3; c++) {
      for (let y = 0; y < PATCH; y++) {
        const fromY = row * PATCH + y - top
        if (fromY < 0 || fromY >= height) continue
        const line = (c * height + fromY) * width
        out.set(data.subarray(line + fromX, line + toX), at + (c * PATCH + y) * PATCH + inset)
      }
    }
    const place = nearest(row, down) * GRID + nearest(column, across)
    out.set([place, scale, 1], at + MUSIQ_FLOATS - 3)
  }
  return out
}
