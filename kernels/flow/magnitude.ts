/** Speed of every pixel. */
export function magnitudes(flowX: usize, flowY: usize, out: usize, count: i32): void {
  let i = 0
  for (; i + 4 <= count; i += 4) {
    const at = (<usize>i) << 2
    const x = v128.load(flowX + at)
    const y = v128.load(flowY + at)
    v128.store(out + at, f32x4.sqrt(f32x4.add(f32x4.mul(x, x), f32x4.mul(y, y))))
  }
  for (; i < count; i++) {
    const at = (<usize>i) << 2
    const x = load<f32>(flowX + at)
    const y = load<f32>(flowY + at)
    store<f32>(out + at, sqrt<f32>(x * x + y * y))
  }
}
