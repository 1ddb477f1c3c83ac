/** Gray pictures of 32-bit floats with a border of repeated edges on all sides. */
import { PAD } from './layout'

/** From r, g, b bytes to gray (ITU-R 601), tightly packed. */
export function grey(rgb: usize, out: usize, pixels: i32): void {
  for (let i = 0; i < pixels; i++) {
    const at = rgb + <usize>(i * 3)
    const value: f32 =
      <f32>0.299 * <f32>load<u8>(at) + <f32>0.587 * <f32>load<u8>(at, 1) + <f32>0.114 * <f32>load<u8>(at, 2)
    store<f32>(out + ((<usize>i) << 2), value)
  }
}

/** Area average along rows: `width` to `to` columns. */
export function shrinkRows(from: usize, width: i32, height: i32, out: usize, to: i32): void {
  const scale = <f32>width / <f32>to
  const weight: f32 = 1 / scale
  for (let y = 0; y < height; y++) {
    const row = from + ((<usize>(y * width)) << 2)
    let at = out + ((<usize>(y * to)) << 2)
    for (let x = 0; x < to; x++) {
      const start = <f32>x * scale
      const end = start + scale
      const first = <i32>start
      const last = min(width - 1, <i32>Mathf.ceil(end) - 1)
      let sum: f32 = 0
      for (let k = first; k <= last; k++) {
        const share = min(<f32>(k + 1), end) - max(<f32>k, start)
        sum += share * load<f32>(row + ((<usize>k) << 2))
      }
      store<f32>(at, sum * weight)
      at += 4
    }
  }
}

/** Area average along columns, into a picture with a border. Writes up to three pixels into the border. */
export function shrinkColumns(from: usize, width: i32, height: i32, out: usize, to: i32): void {
  const scale = <f32>height / <f32>to
  const weight: f32 = 1 / scale
  const stride = width + 2 * PAD
  for (let y = 0; y < to; y++) {
    const start = <f32>y * scale
    const end = start + scale
    const first = <i32>start
    const last = min(height - 1, <i32>Mathf.ceil(end) - 1)
    const row = out + ((<usize>((y + PAD) * stride + PAD)) << 2)
    for (let k = first; k <= last; k++) {
      const share = f32x4.splat((min(<f32>(k + 1), end) - max(<f32>k, start)) * weight)
      const source = from + ((<usize>(k * width)) << 2)
      for (let x = 0; x < width; x += 4) {
        const at = (<usize>x) << 2
        const part = f32x4.mul(share, v128.load(source + at))
        v128.store(row + at, k == first ? part : f32x4.add(part, v128.load(row + at)))
      }
    }
  }
}

/**
 * Half as wide and high. Weights 1 3 3 1 along both axes: a plain mean of four lets fine stripes through as coarse ones,
 * which sends the search astray. Reads into the border.
 */
export function halve(from: usize, width: i32, height: i32, out: usize): void {
  const toWidth = (width + 1) >> 1
  const toHeight = (height + 1) >> 1
  const stride = width + 2 * PAD
  const toStride = toWidth + 2 * PAD
  const down = (<usize>stride) << 2
  const outer = f32x4(1.0 / 64, 3.0 / 64, 3.0 / 64, 1.0 / 64)
  const inner = f32x4(3.0 / 64, 9.0 / 64, 9.0 / 64, 3.0 / 64)
  for (let y = 0; y < toHeight; y++) {
    let p = from + ((<usize>((2 * y - 1 + PAD) * stride + PAD - 1)) << 2)
    let at = out + ((<usize>((y + PAD) * toStride + PAD)) << 2)
    for (let x = 0; x < toWidth; x++) {
      const sum = f32x4.add(
        f32x4.mul(outer, f32x4.add(v128.load(p), v128.load(p + 3 * down))),
        f32x4.mul(inner, f32x4.add(v128.load(p + down), v128.load(p + 2 * down))),
      )
      store<f32>(
        at,
        f32x4.extract_lane(sum, 0) +
          f32x4.extract_lane(sum, 1) +
          (f32x4.extract_lane(sum, 2) + f32x4.extract_lane(sum, 3)),
      )
      p += 8
      at += 4
    }
  }
}

/** Repeats the edges into the border. */
export function padEdges(picture: usize, width: i32, height: i32): void {
  const stride = width + 2 * PAD
  for (let y = 0; y < height; y++) {
    const row = picture + ((<usize>((y + PAD) * stride)) << 2)
    const first = load<f32>(row + ((<usize>PAD) << 2))
    const last = load<f32>(row + ((<usize>(PAD + width - 1)) << 2))
    for (let x = 0; x < PAD; x++) {
      store<f32>(row + ((<usize>x) << 2), first)
      store<f32>(row + ((<usize>(PAD + width + x)) << 2), last)
    }
  }
  const bytes = (<usize>stride) << 2
  const top = picture + bytes * PAD
  const bottom = picture + bytes * <usize>(PAD + height - 1)
  for (let y = 0; y < PAD; y++) {
    memory.copy(picture + bytes * <usize>y, top, bytes)
    memory.copy(bottom + bytes * <usize>(y + 1), bottom, bytes)
  }
}
