/** Renders the frames of a clip: the table, with the arm composited over it. */
import type { Bitmap } from '../../../../suite.ts'
import {
  bakeLight,
  BoxCaster,
  type Camera,
  compose,
  concrete,
  contactPatches,
  cross,
  dot,
  type Finish,
  granite,
  type JoinedMesh,
  joinMeshes,
  lookAlong,
  type ObjectMesh,
  type Occluder,
  paint,
  type PlacedMesh,
  type Pose,
  prepareScene,
  refine,
  Renderer,
  scaled,
  Sculpture,
  subtract,
  type TriangleMesh,
  turnOf,
  type Vec3,
  WideShot,
  wood,
} from '../../../../world.ts'
import { armMesh, type Finger, fingerAt, heldFingers } from './hand.ts'
import { cameraAt, type ClipPlan, HEAD, HEIGHT, TABLE, WIDTH } from './plan.ts'
import { frameMs } from './timing.ts'

const TOPS: readonly (() => Finish)[] = [
  () => wood('beech'),
  () => wood('oak'),
  () => granite([196, 198, 200]),
  () => wood('white'),
]

/** Maximum edge length of the table mesh in meters, because light is baked per vertex. */
const MAX_EDGE = 0.07

/** Table, floor and wall, with id 0. */
function backdrop(tableTop: number): ObjectMesh[] {
  const [x0, x1] = TABLE.x
  const [y0, y1] = TABLE.y
  const top = TOPS[tableTop % TOPS.length]!()
  const table = new Sculpture().box(top, [x1 - x0, y1 - y0, 0.03], [0, (y0 + y1) / 2, TABLE.z - 0.015], 0.004)
  const room = new Sculpture()
    .box(concrete([150, 150, 148]), [5, 5, 0.02], [0, 0.6, -0.01], 0)
    .box(paint([206, 208, 204]), [5, 0.04, 3], [0, 1.7, 1.5], 0)
  return [refine(towardsHead(table.mesh([0, 0, 0])), MAX_EDGE), towardsHead(room.mesh([0, 0, 0]))]
}

/** Without the faces that no head sees: drawing them behind the others takes a fifth of a frame. */
function towardsHead(mesh: ObjectMesh): ObjectMesh {
  const { positions, indices, triangleMaterials } = mesh
  const at = (corner: number): Vec3 => [positions[corner * 3]!, positions[corner * 3 + 1]!, positions[corner * 3 + 2]!]
  const seen = Array.from(triangleMaterials.keys()).filter((t) => {
    const [a, b, c] = [at(indices[t * 3]!), at(indices[t * 3 + 1]!), at(indices[t * 3 + 2]!)]
    const normal = cross(subtract(b, a), subtract(c, a))
    return HEAD.x.some((x) => HEAD.y.some((y) => HEAD.z.some((z) => dot(normal, subtract([x, y, z], a)) > 0)))
  })
  return {
    ...mesh,
    indices: Uint32Array.from(seen.flatMap((t) => [...indices.subarray(t * 3, t * 3 + 3)])),
    triangleMaterials: triangleMaterials.slice(0, seen.length).map((_, i) => triangleMaterials[seen[i]!]!),
  }
}

/** Everything static, as one mesh with ids. */
function tableMesh(plan: ClipPlan, more: readonly PlacedMesh[] = []): { mesh: JoinedMesh; occluders: Occluder[] } {
  const parts: PlacedMesh[] = backdrop(plan.tableTop).map((mesh) => ({ mesh, instance: 0, frame: null }))
  const occluders: Occluder[] = [
    {
      frame: [1, 0, 0, 0, 0, 1, 0, (TABLE.y[0] + TABLE.y[1]) / 2, 0, 0, 1, TABLE.z - 0.015],
      half: [(TABLE.x[1] - TABLE.x[0]) / 2, (TABLE.y[1] - TABLE.y[0]) / 2, 0.014],
    },
  ]
  for (const { id, model, position, yaw } of plan.objects) {
    const [c, s] = turnOf(yaw)
    const frame = [c, -s, 0, position[0], s, c, 0, position[1], 0, 0, 1, TABLE.z]
    parts.push({ mesh: model.mesh, instance: id, frame })
    for (const occluder of model.occluders) {
      occluders.push({ frame: compose(frame, occluder.frame), half: occluder.half })
    }
  }
  return { mesh: joinMeshes([...parts, ...more]), occluders }
}

/** Object ids of the pixels of the last frame, in which the hand is gone. */
export function lastFrameIds(plan: ClipPlan): Uint16Array {
  const { mesh } = tableMesh(plan)
  // Ids need no textures, which are most of the work.
  const plain = { ...mesh, materials: mesh.materials.map(({ name, color, opacity = 1 }) => ({ name, color, opacity })) }
  const renderer = new Renderer(prepareScene(plain))
  const camera = cameraAt(plan, frameMs(plan.frames - 1))
  return renderer.render(camera, { width: WIDTH, height: HEIGHT, color: false, ids: true }).ids
}

/** The soft shadows of the objects on the table. */
function shadows({ objects }: ClipPlan): PlacedMesh {
  const isGround = ([x, y]: readonly [number, number]): boolean =>
    x > TABLE.x[0] && x < TABLE.x[1] && y > TABLE.y[0] && y < TABLE.y[1]
  const mesh = contactPatches(
    objects.map(({ model, position: [x, y], yaw }) => ({ model, position: [x, y, TABLE.z], yaw, isGround })),
  )
  return { mesh, instance: 0, frame: null }
}

function litTable(plan: ClipPlan): TriangleMesh {
  const { mesh, occluders } = tableMesh(plan, [shadows(plan)])
  const light = bakeLight(mesh, new BoxCaster(occluders), {
    ambient: () => [0.42, 0.43, 0.46],
    ambientReach: 0.25,
    areas: [
      {
        center: [-0.5, 0.9, 2.4],
        u: [0.5, 0, 0],
        v: [0, 0.3, 0],
        normal: [0, 0, -1],
        color: [9, 8.8, 8.4],
        samples: [4, 3],
        reach: 6,
      },
    ],
  })
  return { ...mesh, light }
}

const BACKGROUND = [196, 198, 200] as const

export class ClipRenderer {
  readonly #plan: ClipPlan
  readonly #table: WideShot
  /** The pointing arm and the one with a closed hand. */
  readonly #arms: readonly [Arm, Arm]
  readonly #held: readonly Finger[]

  constructor(plan: ClipPlan) {
    this.#plan = plan
    const cameras = Array.from({ length: plan.frames }, (_, index) => cameraAt(plan, frameMs(index)))
    this.#table = new WideShot(new Renderer(prepareScene(litTable(plan))), cameras, {
      width: WIDTH,
      height: HEIGHT,
      background: BACKGROUND,
    })
    const arm = (pointing: boolean): Arm => {
      const mesh = armMesh(plan.skin, plan.sleeve, pointing)
      return { mesh, renderer: new Renderer(prepareScene(mesh)) }
    }
    this.#arms = [arm(true), arm(false)]
    this.#held = heldFingers(plan)
  }

  frame(index: number): Bitmap {
    const bitmap = this.#draw(index)
    return { ...bitmap, data: bitmap.data.slice() }
  }

  /** All frames; each is only valid until the next. */
  *film(): Generator<Bitmap> {
    for (let index = 0; index < this.#plan.frames; index++) yield this.#draw(index)
  }

  #draw(index: number): Bitmap {
    const ms = frameMs(index)
    const camera = cameraAt(this.#plan, ms)
    const finger = fingerAt(this.#plan, ms, this.#held)
    const data = finger ? this.#viewWithArm(camera, finger) : this.#table.view(camera)
    return { width: WIDTH, height: HEIGHT, channels: 3, data }
  }

  #viewWithArm(view: Camera, finger: Finger): Uint8Array {
    const { pose, lens } = view
    const camera = { pose: cameraInArmFrame(pose, finger, this.#plan.hand), lens }
    const { mesh, renderer } = this.#arms[finger.pointing ? 0 : 1]
    const box = armBox(camera, mesh)
    if (!box) return this.#table.view(view)
    // Only the part of the frame with the arm is rendered: the rest is most of the work.
    const { left, top } = box
    return renderer.lend(
      { pose: camera.pose, lens: { ...lens, cx: lens.cx - left, cy: lens.cy - top } },
      { width: box.right - left, height: box.bottom - top, depth: true, antialias: true, background: 'none' },
      // A left hand is the right hand, rendered mirrored.
      (picture) => this.#table.view(view, { picture, left, top, mirrored: this.#plan.hand < 0 }),
    )
  }
}

interface Arm {
  mesh: TriangleMesh
  renderer: Renderer
}

interface Box {
  left: number
  right: number
  top: number
  bottom: number
}

/** The renderer's near plane, in meters: of a triangle across it, the part in front is seen. */
const NEAR = 0.05

/** The part of the frame that the arm is in; null if it is outside. */
function armBox(camera: Camera, { positions, indices }: TriangleMesh): Box | null {
  const { right, down, forward, position } = camera.pose
  const vertices = positions.length / 3
  const seen = new Float64Array(positions.length)
  const point: [number, number, number] = [0, 0, 0]
  for (let i = 0; i < positions.length; i += 3) {
    for (let axis = 0; axis < 3; axis++) point[axis] = positions[i + axis]! - position[axis]!
    seen[i] = dot(right, point)
    seen[i + 1] = dot(down, point)
    seen[i + 2] = dot(forward, point)
  }
  const box = { left: WIDTH, right: 0, top: HEIGHT, bottom: 0 }
  const { fx, fy, cx, cy } = camera.lens
  const add = (x: number, y: number, depth: number): void => {
    const column = (x / depth) * fx + cx
    const row = (y / depth) * fy + cy
    box.left = Math.min(box.left, column)
    box.right = Math.max(box.right, column)
    box.top = Math.min(box.top, row)
    box.bottom = Math.max(box.bottom, row)
  }
  for (let v = 0; v < vertices; v++) if (seen[v * 3 + 2]! >= NEAR) add(seen[v * 3]!, seen[v * 3 + 1]!, seen[v * 3 + 2]!)
  for (let i = 0; i < indices.length; i++) {
    const a = indices[i]! * 3
    const b = indices[i % 3 === 2 ? i - 2 : i + 1]! * 3
    const near = seen[a + 2]!
    const far = seen[b + 2]!
    if (near < NEAR === far < NEAR) continue
    const part = (NEAR - near) / (far - near)
    add(seen[a]! + (seen[b]! - seen[a]!) * part, seen[a + 1]! + (seen[b + 1]! - seen[a + 1]!) * part, NEAR)
  }
  const within = (value: number, most: number): number => Math.min(most, Math.max(0, value))
  const [left, end] = [within(Math.floor(box.left), WIDTH), within(Math.ceil(box.right), WIDTH)]
  const [top, bottom] = [within(Math.floor(box.top), HEIGHT), within(Math.ceil(box.bottom), HEIGHT)]
  return end > left && bottom > top ? { left, right: end, top, bottom } : null
}

/** The camera in the arm's coordinate frame: moving the arm equals moving the camera the other way. */
function cameraInArmFrame(pose: Pose, { tip, direction }: Finger, hand: 1 | -1): Pose {
  // The arm's axes in the world: x along the finger, z up the back of the hand.
  const own = lookAlong(tip, direction)
  const turn = (v: Vec3): Vec3 => [dot(own.forward, v), -dot(own.right, v), -dot(own.down, v)]
  const flip = (v: Vec3): Vec3 => (hand < 0 ? [v[0], -v[1], v[2]] : v)
  const right = flip(turn(pose.right))
  return {
    position: flip(turn(subtract(pose.position, tip))),
    // Mirroring swaps left and right; the image is mirrored back when it is composited.
    right: hand < 0 ? scaled(right, -1) : right,
    down: flip(turn(pose.down)),
    forward: flip(turn(pose.forward)),
  }
}
