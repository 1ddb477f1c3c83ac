/** What patches say to their neighbors: those that are lost or know little follow those that know more. */
import { PATCH_FLOATS } from './layout'
import { energy, patchAt, SMOOTHED } from './patch'

/** Patches that went out of the picture cannot have been seen there: they move like their neighbors. */
export function fillOutside(patches: usize, across: i32, downwards: i32): void {
  for (let pass = 0; pass < 2; pass++) {
    for (let k = 0; k < across * downwards; k++) {
      const n = pass == 0 ? k : across * downwards - 1 - k
      const i = n % across
      const j = n / across
      const patch = patchAt(patches, across, i, j)
      if (load<f32>(patch, 28) != 0) continue
      let u: f32 = 0
      let v: f32 = 0
      let count: f32 = 0
      for (let y = max(0, j - 1); y <= min(downwards - 1, j + 1); y++) {
        for (let x = max(0, i - 1); x <= min(across - 1, i + 1); x++) {
          const other = patchAt(patches, across, x, y)
          if (load<f32>(other, 28) == 0) continue
          u += load<f32>(other)
          v += load<f32>(other, 4)
          count += 1
        }
      }
      if (count == 0) continue
      store<f32>(patch, u / count)
      store<f32>(patch, v / count, 4)
      store<f32>(patch, 1, 28)
    }
  }
}

/**
 * A patch with little to hold on to leans on neighbors that move nearly alike and have more; edges of motion stay. The
 * result stands where the mean gradients stood, which are not needed any more.
 */
export function smooth(patches: usize, across: i32, downwards: i32): void {
  for (let j = 0; j < downwards; j++) {
    for (let i = 0; i < across; i++) {
      const patch = patchAt(patches, across, i, j)
      const u = load<f32>(patch)
      const v = load<f32>(patch, 4)
      let weight = energy(patch)
      let su = weight * u
      let sv = weight * v
      for (let y = max(0, j - 1); y <= min(downwards - 1, j + 1); y++) {
        for (let x = max(0, i - 1); x <= min(across - 1, i + 1); x++) {
          const other = patchAt(patches, across, x, y)
          const du = load<f32>(other) - u
          const dv = load<f32>(other, 4) - v
          const alike = <f32>1 - (du * du + dv * dv)
          if (other == patch || alike <= 0) continue
          const share = alike * energy(other)
          weight += share
          su += share * (u + du)
          sv += share * (v + dv)
        }
      }
      store<f32>(patch, weight > 0 ? su / weight : u, SMOOTHED)
      store<f32>(patch, weight > 0 ? sv / weight : v, SMOOTHED + 4)
    }
  }
}

/** The middle of a patch and its eight neighbors: one that went astray does not count. At edges the patch itself. */
export function median(patches: usize, across: i32, downwards: i32, i: i32, j: i32, field: usize): f32 {
  if (i == 0 || j == 0 || i == across - 1 || j == downwards - 1) {
    return load<f32>(patchAt(patches, across, i, j) + field)
  }
  const up = patchAt(patches, across, i - 1, j - 1) + field
  const mid = patchAt(patches, across, i - 1, j) + field
  const low = patchAt(patches, across, i - 1, j + 1) + field
  const step: usize = <usize>PATCH_FLOATS * 4
  // The median of nine by sorting columns, then taking the median of lowest's highest, middle's middle, highest's lowest.
  let lowest: f32 = -Infinity
  let highest: f32 = Infinity
  let m0: f32 = 0
  let m1: f32 = 0
  let m2: f32 = 0
  for (let k = 0; k < 3; k++) {
    const a = load<f32>(up + step * <usize>k)
    const b = load<f32>(mid + step * <usize>k)
    const c = load<f32>(low + step * <usize>k)
    const small = min(a, min(b, c))
    const large = max(a, max(b, c))
    const middle = max(min(a, b), min(max(a, b), c))
    lowest = max(lowest, small)
    highest = min(highest, large)
    if (k == 0) m0 = middle
    else if (k == 1) m1 = middle
    else m2 = middle
  }
  const middle = max(min(m0, m1), min(max(m0, m1), m2))
  return max(min(lowest, middle), min(max(lowest, middle), highest))
}
