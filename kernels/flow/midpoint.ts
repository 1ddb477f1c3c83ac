/** How far the picture half way between two others is from what their motion says it should be. */
import { PAD } from './layout'

const HALF: f32 = 0.5

/** Bilinear, at a place inside the picture. */
function at(picture: usize, stride: i32, x: f32, y: f32): f32 {
  const left = <i32>Mathf.floor(x)
  const top = <i32>Mathf.floor(y)
  const fx = x - <f32>left
  const fy = y - <f32>top
  const p = picture + (<usize>((top + PAD) * stride + left + PAD) << 2)
  const q = p + (<usize>stride << 2)
  return (
    (1 - fy) * ((1 - fx) * load<f32>(p) + fx * load<f32>(p, 4)) + fy * ((1 - fx) * load<f32>(q) + fx * load<f32>(q, 4))
  )
}

// @ts-ignore: decorator
@inline
function bounded(value: f32, side: i32): f32 {
  return max<f32>(0, min<f32>(<f32>(side - 1), value))
}

/**
 * Sum of |predicted − middle| over all pixels. Both neighbors are carried half way along their flow to the other and
 * averaged; where one of them would come from outside the picture, the other alone counts.
 */
export function midpointError(
  before: usize,
  after: usize,
  middle: usize,
  width: i32,
  height: i32,
  forthX: usize,
  forthY: usize,
  backX: usize,
  backY: usize,
): f64 {
  const stride = width + 2 * PAD
  let total: f64 = 0
  for (let y = 0; y < height; y++) {
    for (let x = 0; x < width; x++) {
      const here = <usize>(y * width + x) << 2
      let au = HALF * load<f32>(forthX + here)
      let av = HALF * load<f32>(forthY + here)
      let bu = HALF * load<f32>(backX + here)
      let bv = HALF * load<f32>(backY + here)
      // The flow is known where motion begins, and is wanted where it is half done: one step toward it.
      const a = <usize>(<i32>bounded(<f32>y - av + HALF, height) * width + <i32>bounded(<f32>x - au + HALF, width)) << 2
      const b = <usize>(<i32>bounded(<f32>y - bv + HALF, height) * width + <i32>bounded(<f32>x - bu + HALF, width)) << 2
      au = HALF * load<f32>(forthX + a)
      av = HALF * load<f32>(forthY + a)
      bu = HALF * load<f32>(backX + b)
      bv = HALF * load<f32>(backY + b)
      const ax = <f32>x - au
      const ay = <f32>y - av
      const bx = <f32>x - bu
      const by = <f32>y - bv
      const aInside = ax >= 0 && ay >= 0 && ax <= <f32>(width - 1) && ay <= <f32>(height - 1)
      const bInside = bx >= 0 && by >= 0 && bx <= <f32>(width - 1) && by <= <f32>(height - 1)
      const fromA = at(before, stride, bounded(ax, width), bounded(ay, height))
      const fromB = at(after, stride, bounded(bx, width), bounded(by, height))
      const predicted = aInside == bInside ? HALF * (fromA + fromB) : aInside ? fromA : fromB
      const real = load<f32>(middle + (<usize>((y + PAD) * stride + x + PAD) << 2))
      total += <f64>abs(predicted - real)
    }
  }
  return total
}
