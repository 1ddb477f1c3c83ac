/** From patches to pixels. */
import { blended, split, weight00, weight01, weight10, weight11, wholeX, wholeY } from './blend'
import { PAD, PATCH, STEP } from './layout'
import { clamped, placeOf, SMOOTHED } from './patch'
import { median } from './settle'

/** Every pixel's flow is the mean of the patches over it, those that fit it well foremost. */
export function densify(
  template: usize,
  other: usize,
  width: i32,
  height: i32,
  patches: usize,
  flowX: usize,
  flowY: usize,
  weights: usize,
): void {
  const across = (width - PATCH) / STEP + 1
  const downwards = (height - PATCH) / STEP + 1
  const stride = width + 2 * PAD
  const down = <usize>stride << 2
  const bytes = <usize>(width * height) << 2
  memory.fill(flowX, 0, bytes)
  memory.fill(flowY, 0, bytes)
  memory.fill(weights, 0, bytes)
  const one = f32x4.splat(1)
  for (let j = 0; j < downwards; j++) {
    for (let i = 0; i < across; i++) {
      const u = median(patches, across, downwards, i, j, SMOOTHED)
      const v = median(patches, across, downwards, i, j, SMOOTHED + 4)
      const px = placeOf(i, across, width)
      const py = placeOf(j, downwards, height)
      const x = clamped(<f32>px + u, width)
      const y = clamped(<f32>py + v, height)
      split(x, y)
      const left = wholeX
      const top = wholeY
      const w00 = weight00()
      const w01 = weight01()
      const w10 = weight10()
      const w11 = weight11()
      const us = f32x4.splat(u)
      const vs = f32x4.splat(v)
      for (let r = 0; r < PATCH; r++) {
        const t = template + (<usize>((py + r + PAD) * stride + px + PAD) << 2)
        const o = other + (<usize>((top + r + PAD) * stride + left + PAD) << 2)
        const at = <usize>((py + r) * width + px) << 2
        for (let half: usize = 0; half < 32; half += 16) {
          const warped = blended(o + half, o + down + half, w00, w01, w10, w11)
          const difference = f32x4.abs(f32x4.sub(warped, v128.load(t + half)))
          const weight = f32x4.div(one, f32x4.max(one, difference))
          const place = at + half
          v128.store(flowX + place, f32x4.add(v128.load(flowX + place), f32x4.mul(weight, us)))
          v128.store(flowY + place, f32x4.add(v128.load(flowY + place), f32x4.mul(weight, vs)))
          v128.store(weights + place, f32x4.add(v128.load(weights + place), weight))
        }
      }
    }
  }
  const count = width * height
  for (let i = 0; i < count; i++) {
    const at = <usize>i << 2
    const weight = load<f32>(weights + at)
    if (weight > 0) {
      store<f32>(flowX + at, load<f32>(flowX + at) / weight)
      store<f32>(flowY + at, load<f32>(flowY + at) / weight)
    }
  }
}
