/**
 * Rays against a tree of boxes. Nodes only rule leaves out: they are compared four at a time, in single precision, and are a little
 * too large for that. What a ray meets is computed in double precision, so distances do not depend on the nodes.
 */

/** Nodes that wait, and how far along the ray each begins. It has the first page: trees of up to `MAX_LEVELS` levels need no more. */
const STACK: usize = 0
const STACK_END: usize = 65536
/** Where the four children of a node begin along the ray. */
const NEARS: usize = STACK_END
/** Rays of `openness`: x, y, z in doubles, about +z. At most `MAX_RAYS`. */
const RAYS: usize = STACK_END + 4096
/** The parts that rays of `openness` may meet, four at a time: least x, y, z and greatest x, y, z, and which parts they are. */
const NEARBY: usize = STACK_END + 8192
const NEARBY_BYTES: usize = 112
const NEARBY_END: usize = 2 * 65536 - 1024
/** What is this far behind a surface is met by no ray that leaves it, in meters. */
const BEHIND: f32 = 0.001
/** Bytes of a node: least x, y, z and greatest x, y, z of four children, the children, and in which order rays come to them. */
const NODE: usize = 120
/** Bytes of a part of the scene: its bounds (6 doubles), its first box, its number of boxes, the part it is half of, or −1, and its first group. */
const PART: usize = 64
/** Bytes of a group, the bounds of four boxes of a leaf: least x, y, z and greatest x, y, z. */
const GROUP: usize = 96
/** Bytes of a box: inverse rotation (9 doubles), center (3), half sizes (3), whether it is solid, whether it is turned. */
const BOX: usize = 17 * 8
/** A ray never meets a box that it starts in: a part does not shade its own rounded edges. */
const OWN_PART: f64 = 0.004
/** How deep a ray must run in a wall to be stopped by it. */
const SKIN: f64 = 0.02
/** More than single precision is off by, in meters. */
const SLACK: f64 = 0.0001
/** Where a box is that is not there: no ray comes so far. */
const NOWHERE: f32 = 1e30
/** Slower than this, a ray runs along the faces of a box. */
const LEVEL: f64 = 1e-9
/** An axis that a ray does not move along is crossed this far away. */
const FARTHEST: f64 = 1e12

let nodes: usize = 0
let parts: usize = 0
let boxes: usize = 0
let groups: usize = 0
/** What stopped a ray last stops the next one, too, more often than not. */
let lastBlocker: usize = 0

/** Sets the tree that rays are cast against. */
export function use(nodesAt: usize, partsAt: usize, boxesAt: usize, groupsAt: usize): void {
  nodes = nodesAt
  parts = partsAt
  boxes = boxesAt
  groups = groupsAt
  lastBlocker = boxesAt
}

/** Distance along the unit direction to the nearest box, or `far`. */
export function distance(ox: f64, oy: f64, oz: f64, dx: f64, dy: f64, dz: f64, far: f64): f64 {
  return cast(ox, oy, oz, dx, dy, dz, far, false)
}

/**
 * How open a place is to rays that leave it about the normal, from 1 in the open to 0 in corners and under things: the mean
 * over the rays at `RAYS`. They all start here and end soon, so what they may meet is looked up once.
 */
export function openness(
  count: i32,
  ox: f64,
  oy: f64,
  oz: f64,
  nx: f64,
  ny: f64,
  nz: f64,
  reach: f64,
): f64 {
  // Any frame about the normal will do, as long as it is the same everywhere.
  const flat = nz > 0.9 || nz < -0.9
  let tx: f64 = flat ? 1 : -ny
  let ty: f64 = flat ? 0 : nx
  let tz: f64 = 0
  const along = tx * nx + ty * ny
  tx -= nx * along
  ty -= ny * along
  tz -= nz * along
  const length = sqrt(tx * tx + ty * ty + tz * tz)
  tx /= length
  ty /= length
  tz /= length
  const bx = ny * tz - nz * ty
  const by = nz * tx - nx * tz
  const bz = nx * ty - ny * tx
  const end = gather(ox, oy, oz, nx, ny, nz, reach)
  let open: f64 = 0
  for (let ray: usize = RAYS, last = RAYS + <usize>count * 24; ray < last; ray += 24) {
    const a = load<f64>(ray)
    const b = load<f64>(ray, 8)
    const c = load<f64>(ray, 16)
    const dx = tx * a + bx * b + nx * c
    const dy = ty * a + by * b + ny * c
    const dz = tz * a + bz * b + nz * c
    const t = end === 0 ? cast(ox, oy, oz, dx, dy, dz, reach, false) : castNearby(end, ox, oy, oz, dx, dy, dz, reach)
    const f = t / reach
    // What is near takes the light away, what is farther throws some back.
    open += f >= 1 ? 1 : 0.15 + 0.85 * sqrt(f)
  }
  return open / <f64>count
}

/** Puts the parts within reach, in front of a surface, at `NEARBY`. Gives where they end; 0 if there are too many. */
function gather(ox: f64, oy: f64, oz: f64, nx: f64, ny: f64, nz: f64, reach: f64): usize {
  const fromX = f32x4.splat(<f32>ox)
  const fromY = f32x4.splat(<f32>oy)
  const fromZ = f32x4.splat(<f32>oz)
  const outX = f32x4.splat(<f32>nx)
  const outY = f32x4.splat(<f32>ny)
  const outZ = f32x4.splat(<f32>nz)
  const zero = f32x4.splat(0)
  const limit = f32x4.splat(<f32>((reach + SLACK) * (reach + SLACK)) + <f32>SLACK)
  const behind = f32x4.splat(-BEHIND)
  let to = NEARBY
  let lane: usize = 0
  let top = STACK
  store<i32>(top, 0)
  top += 4
  while (top > STACK) {
    top -= 4
    const at = nodes + <usize>load<i32>(top) * NODE
    const x0 = f32x4.sub(v128.load(at), fromX)
    const y0 = f32x4.sub(v128.load(at, 16), fromY)
    const z0 = f32x4.sub(v128.load(at, 32), fromZ)
    const x1 = f32x4.sub(v128.load(at, 48), fromX)
    const y1 = f32x4.sub(v128.load(at, 64), fromY)
    const z1 = f32x4.sub(v128.load(at, 80), fromZ)
    // How far each child is away along the axes: 0 where the place is between its sides.
    const awayX = f32x4.pmax(zero, f32x4.pmax(x0, f32x4.neg(x1)))
    const awayY = f32x4.pmax(zero, f32x4.pmax(y0, f32x4.neg(y1)))
    const awayZ = f32x4.pmax(zero, f32x4.pmax(z0, f32x4.neg(z1)))
    const away = f32x4.add(
      f32x4.add(f32x4.mul(awayX, awayX), f32x4.mul(awayY, awayY)),
      f32x4.mul(awayZ, awayZ),
    )
    // How far in front of the surface its foremost corner is.
    const front = f32x4.add(
      f32x4.add(
        f32x4.pmax(f32x4.mul(outX, x0), f32x4.mul(outX, x1)),
        f32x4.pmax(f32x4.mul(outY, y0), f32x4.mul(outY, y1)),
      ),
      f32x4.pmax(f32x4.mul(outZ, z0), f32x4.mul(outZ, z1)),
    )
    let lanes = i32x4.bitmask(v128.and(f32x4.le(away, limit), f32x4.gt(front, behind)))
    while (lanes !== 0) {
      const child = at + (<usize>ctz(lanes) << 2)
      lanes &= lanes - 1
      const which = load<i32>(child, 96)
      if (which >= 0) {
        store<i32>(top, which)
        top += 4
        continue
      }
      if (to >= NEARBY_END) return 0
      const place = to + lane
      store<f32>(place, load<f32>(child))
      store<f32>(place, load<f32>(child, 16), 16)
      store<f32>(place, load<f32>(child, 32), 32)
      store<f32>(place, load<f32>(child, 48), 48)
      store<f32>(place, load<f32>(child, 64), 64)
      store<f32>(place, load<f32>(child, 80), 80)
      store<i32>(place, which, 96)
      lane = (lane + 4) & 15
      if (lane === 0) to += NEARBY_BYTES
    }
  }
  if (lane === 0) return to
  // Nothing comes as far as what fills up the last four.
  for (; lane < 16; lane += 4) {
    for (let side: usize = 0; side < 96; side += 16) store<f32>(to + lane + side, NOWHERE)
  }
  return to + NEARBY_BYTES
}

/** As `cast`, among the parts that were gathered. */
function castNearby(end: usize, ox: f64, oy: f64, oz: f64, dx: f64, dy: f64, dz: f64, far: f64): f64 {
  const fromX = f32x4.splat(<f32>ox)
  const fromY = f32x4.splat(<f32>oy)
  const fromZ = f32x4.splat(<f32>oz)
  const ix = 1 / dx
  const iy = 1 / dy
  const iz = 1 / dz
  const isLevel = dx === 0 || dy === 0 || dz === 0
  const perX = f32x4.splat(<f32>within(ix))
  const perY = f32x4.splat(<f32>within(iy))
  const perZ = f32x4.splat(<f32>within(iz))
  let best = far
  let limit = f32x4.splat(<f32>(best + SLACK))
  for (let at = NEARBY; at < end; at += NEARBY_BYTES) {
    let lanes = metBy(at, fromX, fromY, fromZ, perX, perY, perZ, limit)
    while (lanes !== 0) {
      const leaf = parts + <usize>(-1 - load<i32>(at + (<usize>ctz(lanes) << 2), 96)) * PART
      lanes &= lanes - 1
      const t = castLeaf(
        leaf,
        ox,
        oy,
        oz,
        dx,
        dy,
        dz,
        ix,
        iy,
        iz,
        isLevel,
        fromX,
        fromY,
        fromZ,
        perX,
        perY,
        perZ,
        limit,
        best,
        false,
      )
      if (t < best) {
        best = t
        limit = f32x4.splat(<f32>(best + SLACK))
      }
    }
  }
  return best
}

/** Where a ray first enters one of a leaf's boxes, or `best`. Overwrites what is at `NEARS`. */
// @ts-ignore: decorator
@inline
function castLeaf(
  leaf: usize,
  ox: f64,
  oy: f64,
  oz: f64,
  dx: f64,
  dy: f64,
  dz: f64,
  ix: f64,
  iy: f64,
  iz: f64,
  isLevel: bool,
  fromX: v128,
  fromY: v128,
  fromZ: v128,
  perX: v128,
  perY: v128,
  perZ: v128,
  limit: v128,
  best: f64,
  any: bool,
): f64 {
  let isEntered = false
  let at = boxes + <usize>load<i32>(leaf, 48) * BOX
  let group = groups + <usize>load<i32>(leaf, 60) * GROUP
  for (const end = at + <usize>load<i32>(leaf, 52) * BOX; at < end; at += 4 * BOX, group += GROUP) {
    let lanes = metBy(group, fromX, fromY, fromZ, perX, perY, perZ, limit)
    while (lanes !== 0) {
      if (!isEntered) {
        if (!enters(leaf, ox, oy, oz, ix, iy, iz, best)) return best
        if (isLevel && !entersAll(leaf, ox, oy, oz, ix, iy, iz, best)) return best
        isEntered = true
      }
      const box = at + <usize>ctz(lanes) * BOX
      lanes &= lanes - 1
      const t = meet(box, ox, oy, oz, dx, dy, dz)
      if (t < best) {
        best = t
        if (any) {
          lastBlocker = box
          return best
        }
      }
    }
  }
  return best
}

/** Which of four boxes a ray meets before `limit`, as bits. The nearer ends are left at `NEARS`. */
// @ts-ignore: decorator
@inline
function metBy(
  at: usize,
  fromX: v128,
  fromY: v128,
  fromZ: v128,
  perX: v128,
  perY: v128,
  perZ: v128,
  limit: v128,
): i32 {
  const x0 = f32x4.mul(f32x4.sub(v128.load(at), fromX), perX)
  const y0 = f32x4.mul(f32x4.sub(v128.load(at, 16), fromY), perY)
  const z0 = f32x4.mul(f32x4.sub(v128.load(at, 32), fromZ), perZ)
  const x1 = f32x4.mul(f32x4.sub(v128.load(at, 48), fromX), perX)
  const y1 = f32x4.mul(f32x4.sub(v128.load(at, 64), fromY), perY)
  const z1 = f32x4.mul(f32x4.sub(v128.load(at, 80), fromZ), perZ)
  const near = f32x4.pmax(f32x4.pmax(f32x4.pmin(x0, x1), f32x4.pmin(y0, y1)), f32x4.pmin(z0, z1))
  const away = f32x4.pmin(f32x4.pmin(f32x4.pmax(x0, x1), f32x4.pmax(y0, y1)), f32x4.pmax(z0, z1))
  v128.store(NEARS, near)
  return i32x4.bitmask(
    v128.and(v128.and(f32x4.le(near, away), f32x4.ge(away, f32x4.splat(0))), f32x4.le(near, limit)),
  )
}

/** Where the rays of `openness` are put. */
export function raysAt(): usize {
  return RAYS
}

export function blocked(ox: f64, oy: f64, oz: f64, dx: f64, dy: f64, dz: f64, far: f64): bool {
  if (meet(lastBlocker, ox, oy, oz, dx, dy, dz) < far) return true
  return cast(ox, oy, oz, dx, dy, dz, far, true) < far
}

function cast(ox: f64, oy: f64, oz: f64, dx: f64, dy: f64, dz: f64, far: f64, any: bool): f64 {
  const fromX = f32x4.splat(<f32>ox)
  const fromY = f32x4.splat(<f32>oy)
  const fromZ = f32x4.splat(<f32>oz)
  const ix = 1 / dx
  const iy = 1 / dy
  const iz = 1 / dz
  const isLevel = dx === 0 || dy === 0 || dz === 0
  const perX = f32x4.splat(<f32>within(ix))
  const perY = f32x4.splat(<f32>within(iy))
  const perZ = f32x4.splat(<f32>within(iz))
  const octant = <usize>(dx < 0) | (<usize>(dy < 0) << 1) | (<usize>(dz < 0) << 2)
  let best = far
  let limit = f32x4.splat(<f32>(best + SLACK))
  let top = STACK
  store<i32>(top, 0)
  store<f32>(top, 0, 4)
  top += 8
  while (top > STACK) {
    top -= 8
    if (<f64>load<f32>(top, 4) > best + SLACK) continue
    const node = load<i32>(top)
    if (node < 0) {
      const leaf = parts + <usize>(-1 - node) * PART
      const t = castLeaf(
        leaf,
        ox,
        oy,
        oz,
        dx,
        dy,
        dz,
        ix,
        iy,
        iz,
        isLevel,
        fromX,
        fromY,
        fromZ,
        perX,
        perY,
        perZ,
        limit,
        best,
        any,
      )
      if (t < best) {
        best = t
        if (any) return best
        limit = f32x4.splat(<f32>(best + SLACK))
      }
      continue
    }
    const at = nodes + <usize>node * NODE
    const lanes = metBy(at, fromX, fromY, fromZ, perX, perY, perZ, limit)
    if (lanes === 0) continue
    // The child that the ray comes to first is looked at first: what it hits there spares the others.
    const order = <i32>load<u8>(at + octant, 112)
    for (let shift = 6; shift >= 0; shift -= 2) {
      const lane = (order >> shift) & 3
      if (((lanes >> lane) & 1) === 0) continue
      store<i32>(top, load<i32>(at + (<usize>lane << 2), 96))
      store<f32>(top, load<f32>(NEARS + (<usize>lane << 2)), 4)
      top += 8
    }
  }
  return best
}

function within(inverse: f64): f64 {
  return inverse > FARTHEST ? FARTHEST : inverse < -FARTHEST ? -FARTHEST : inverse
}

/** Along the face of a flat part a ray enters it, but not the thicker one that it is half of. */
function entersAll(leaf: usize, ox: f64, oy: f64, oz: f64, ix: f64, iy: f64, iz: f64, best: f64): bool {
  for (let part = load<i32>(leaf, 56); part >= 0; part = load<i32>(parts + <usize>part * PART, 56)) {
    if (!enters(parts + <usize>part * PART, ox, oy, oz, ix, iy, iz, best)) return false
  }
  return true
}

/** Whether a ray comes into a part before `best`. A ray that runs exactly along one of its faces does not. */
function enters(part: usize, ox: f64, oy: f64, oz: f64, ix: f64, iy: f64, iz: f64, best: f64): bool {
  const tx0 = (load<f64>(part) - ox) * ix
  const tx1 = (load<f64>(part, 24) - ox) * ix
  const ty0 = (load<f64>(part, 8) - oy) * iy
  const ty1 = (load<f64>(part, 32) - oy) * iy
  const tz0 = (load<f64>(part, 16) - oz) * iz
  const tz1 = (load<f64>(part, 40) - oz) * iz
  // Written out: along a face these are not numbers, and `min` would not choose as it must.
  let near = tx0 < tx1 ? tx0 : tx1
  let away = tx0 < tx1 ? tx1 : tx0
  const ny = ty0 < ty1 ? ty0 : ty1
  const fy = ty0 < ty1 ? ty1 : ty0
  if (ny > near) near = ny
  if (fy < away) away = fy
  const nz = tz0 < tz1 ? tz0 : tz1
  const fz = tz0 < tz1 ? tz1 : tz0
  if (nz > near) near = nz
  if (fz < away) away = fz
  return !(near > away || away < 0 || near > best)
}

/** Where a ray enters a box, or infinity. */
function meet(at: usize, ox: f64, oy: f64, oz: f64, dx: f64, dy: f64, dz: f64): f64 {
  let px = ox - load<f64>(at, 72)
  let py = oy - load<f64>(at, 80)
  let pz = oz - load<f64>(at, 88)
  if (load<f64>(at, 128) !== 0) {
    const ax = along(at, 0, px, py, pz)
    const ay = along(at, 24, px, py, pz)
    const az = along(at, 48, px, py, pz)
    const bx = along(at, 0, dx, dy, dz)
    const by = along(at, 24, dx, dy, dz)
    const bz = along(at, 48, dx, dy, dz)
    px = ax
    py = ay
    pz = az
    dx = bx
    dy = by
    dz = bz
  }
  const hx = load<f64>(at, 96)
  const hy = load<f64>(at, 104)
  const hz = load<f64>(at, 112)
  let near = -Infinity
  let away = Infinity
  if (abs(dx) >= LEVEL) {
    const i = 1 / dx
    const t0 = (-hx - px) * i
    const t1 = (hx - px) * i
    near = min(t0, t1)
    away = max(t0, t1)
  } else if (abs(px) > hx) return Infinity
  if (abs(dy) >= LEVEL) {
    const i = 1 / dy
    const t0 = (-hy - py) * i
    const t1 = (hy - py) * i
    near = max(near, min(t0, t1))
    away = min(away, max(t0, t1))
  } else if (abs(py) > hy) return Infinity
  if (abs(dz) >= LEVEL) {
    const i = 1 / dz
    const t0 = (-hz - pz) * i
    const t1 = (hz - pz) * i
    near = max(near, min(t0, t1))
    away = min(away, max(t0, t1))
  } else if (abs(pz) > hz) return Infinity
  if (near > away) return Infinity
  // In the corner of a room a vertex lies on the face of the next wall: rays into that wall are stopped.
  if (load<f64>(at, 120) !== 0) return away > SKIN ? (near > 0 ? near : 0) : Infinity
  if (near < 0) return Infinity
  const inside = abs(px) <= hx + OWN_PART && abs(py) <= hy + OWN_PART && abs(pz) <= hz + OWN_PART
  return inside ? Infinity : near
}

// @ts-ignore: decorator
@inline
function along(at: usize, row: usize, x: f64, y: f64, z: f64): f64 {
  return load<f64>(at + row) * x + load<f64>(at + row, 8) * y + load<f64>(at + row, 16) * z
}
