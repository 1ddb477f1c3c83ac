/** The room in 3D, cut open, with path, camera frustums and the objects in question. */
import {
  Box3,
  BoxGeometry,
  BufferGeometry,
  Color,
  DoubleSide,
  EdgesGeometry,
  Float32BufferAttribute,
  FrontSide,
  Group,
  LineBasicMaterial,
  LineSegments,
  Material,
  Mesh,
  MeshBasicMaterial,
  type Object3D,
  Plane,
  SphereGeometry,
  SRGBColorSpace,
  Texture,
  Vector3,
} from 'three'
import { disposeOf, type Label, type Stage, type View } from '../../three/index.ts'
import type { Thing, Triple } from '../../../../src/suites/vsi/events.ts'
import type { Pose, VsiEpisode } from './episode.ts'

export type CameraMode = 'free' | 'follow' | 'first-person'

/** Length of a drawn frustum, in meters. */
const FRUSTUM = 0.55
const PATH_COLOR = new Color('#1f6feb')
const CURRENT_COLOR = new Color('#ffb627')
const OBJECT_COLOR = new Color('#e4572e')
/** Relative height at which the room is cut open, if not recorded. */
const CUT = 0.85
const FREE_FOV = 45
/** From the front or from a side, whichever shows the room larger. */
const OVERVIEW_FROM = [new Vector3(-0.35, -0.8, 1.15), new Vector3(-0.8, 0.35, 1.15)]
/** Poses within this distance share a label, in meters. */
const SAME_PLACE = 0.2

export class RoomStage {
  readonly #stage: Stage
  readonly #episode: VsiEpisode
  readonly #path = new Group()
  readonly #objects = new Group()
  readonly #box = new Box3()
  readonly #cut = new Plane(new Vector3(0, 0, -1), Infinity)
  #room: Object3D | null = null
  #mode: CameraMode = 'free'
  #current = -1
  #image: { sha256: string; texture: Texture } | null = null

  constructor(stage: Stage, episode: VsiEpisode) {
    this.#stage = stage
    this.#episode = episode
    stage.camera.fov = FREE_FOV
    stage.camera.updateProjectionMatrix()
    stage.scene.add(this.#path, this.#objects)
    for (const { box } of episode.question?.things ?? []) this.#objects.add(objectBox(box))
    const bounds = episode.stage?.bounds
    if (bounds) this.#box.set(new Vector3(...bounds.min), new Vector3(...bounds.max))
    else for (const { position } of episode.poses) this.#box.expandByPoint(new Vector3(...position))
    this.#cut.constant = episode.stage?.cutAbove ?? Infinity
    stage.look(this.overview())
  }

  /** Adds the room. Walls are one-sided, to look into the room from outside. */
  setRoom(room: Object3D): void {
    this.#room = room
    const extent = new Box3().setFromObject(room)
    if (!this.#episode.stage) {
      this.#box.copy(extent)
      this.#cut.constant = extent.min.z + (extent.max.z - extent.min.z) * CUT
    }
    room.traverse((object) => {
      if (!(object instanceof Mesh)) return
      const isShell = object.name === 'scene' || object.parent?.name === 'scene'
      const materials: unknown[] = Array.isArray(object.material) ? object.material : [object.material]
      for (const material of materials) {
        if (!(material instanceof Material)) continue
        material.side = isShell ? FrontSide : DoubleSide
        material.clippingPlanes = [this.#cut]
      }
    })
    this.#stage.scene.add(room)
    if (this.#mode === 'free') this.#stage.look(this.overview())
    this.show(this.#current, this.#mode)
  }

  overview(): View {
    return this.#stage.viewOf(this.#opened(), OVERVIEW_FROM)
  }

  lookDown(): void {
    this.#stage.fly(this.#stage.viewOf(this.#opened(), [new Vector3(0, -0.001, 1)]))
  }

  lookAtAll(): void {
    this.#stage.fly(this.overview())
  }

  show(current: number, mode: CameraMode): void {
    const changed = mode !== this.#mode
    this.#mode = mode
    this.#current = current
    const now = this.#episode.poses[current]
    const inside = mode === 'first-person' && now !== undefined
    this.#cutOpen(!inside)
    this.#path.visible = !inside
    this.#drawPath(current)
    this.#stage.controls.enabled = !inside
    this.#setLens(inside)
    this.#stage.labels.set(inside ? [] : this.#labels(current))
    if (inside) this.#lookThrough(now)
    else if (mode === 'follow' && now) this.#stage.fly(behind(now))
    else if (changed) this.#stage.look(this.overview())
    this.#stage.draw()
  }

  /** Sets the image shown in the current pose's frustum. */
  setImage(sha256: string, image: ImageBitmap): void {
    this.#image?.texture.dispose()
    const texture = new Texture(image)
    texture.colorSpace = SRGBColorSpace
    texture.flipY = false
    texture.needsUpdate = true
    this.#image = { sha256, texture }
    this.#drawPath(this.#current)
    this.#stage.draw()
  }

  dispose(): void {
    this.#image?.texture.dispose()
    if (this.#room) disposeOf(this.#room)
  }

  #cutOpen(open: boolean): void {
    this.#cut.constant = open ? this.#cutHeight() : Infinity
  }

  #cutHeight(): number {
    return this.#episode.stage?.cutAbove ?? this.#box.min.z + (this.#box.max.z - this.#box.min.z) * CUT
  }

  /** What is left of the room when it is cut open. */
  #opened(): Box3 {
    const box = this.#box.clone()
    box.max.z = Math.min(box.max.z, this.#cutHeight())
    return box
  }

  /** Matches the agent's field of view at any window shape. */
  #setLens(inside: boolean): void {
    const { camera } = this.#stage
    const { width, height, focal } = this.#episode.lens
    const upright = (2 * Math.atan(height / 2 / focal) * 180) / Math.PI
    const fitted = (2 * Math.atan(width / 2 / focal / camera.aspect) * 180) / Math.PI
    camera.fov = inside ? Math.max(upright, fitted) : FREE_FOV
    camera.updateProjectionMatrix()
  }

  #lookThrough({ position, forward, down }: Pose): void {
    const { camera, controls } = this.#stage
    const eye = new Vector3(...position)
    camera.up.set(-down[0], -down[1], -down[2])
    camera.position.copy(eye)
    controls.target.copy(eye).addScaledVector(new Vector3(...forward), 0.5)
    camera.lookAt(controls.target)
    camera.up.set(0, 0, 1)
  }

  #drawPath(current: number): void {
    disposeOf(this.#path)
    this.#path.clear()
    const { poses, lens } = this.#episode
    const shown = poses.slice(0, current + 1)
    for (const bar of tubes(shown)) this.#path.add(bar)
    shown.forEach((pose, i) => {
      const isNow = i === current
      this.#path.add(frustum(pose, lens, isNow ? CURRENT_COLOR : PATH_COLOR, isNow ? 1 : 0.55))
      this.#path.add(dot(pose.position, isNow ? CURRENT_COLOR : PATH_COLOR, isNow ? 0.07 : 0.045))
      if (isNow && this.#image?.sha256 === pose.picture) this.#path.add(imagePlane(pose, lens, this.#image.texture))
    })
  }

  #labels(current: number): Label[] {
    const { poses, question } = this.#episode
    const objects = (question?.things ?? []).map(({ category, box }) => ({
      text: category,
      position: new Vector3(box.center[0], box.center[1], box.center[2] + box.size[2] / 2 + 0.12),
      className: 'rounded bg-[#b93c17] px-1.5 py-px text-[11px] font-medium text-white shadow',
    }))
    return [...objects, ...poseLabels(poses.slice(0, current + 1))]
  }
}

/** One label per position, with the numbers of the images taken there. */
function poseLabels(poses: readonly Pose[]): Label[] {
  const positions: { position: Vector3; visits: Pose[][]; last: number }[] = []
  for (const [index, pose] of poses.entries()) {
    const here = new Vector3(...pose.position)
    const known = positions.find((each) => each.position.distanceTo(here) < SAME_PLACE)
    if (!known) positions.push({ position: here, visits: [[pose]], last: index })
    else {
      if (known.last === index - 1) known.visits.at(-1)!.push(pose)
      else known.visits.push([pose])
      known.last = index
    }
  }
  return positions.map(({ position, visits, last }) => ({
    text: visits.map(numbersOf).join(', '),
    position: position.clone().add(new Vector3(0, 0, 0.22)),
    className:
      last === poses.length - 1
        ? 'rounded-full bg-[#ffb627] px-1.5 text-[11px] font-semibold text-[#16324f] shadow'
        : 'rounded-full bg-[#1f6feb] px-1.5 text-[11px] text-white shadow',
  }))
}

function numbersOf(visit: readonly Pose[]): string {
  const names = visit.map(({ name }) => name)
  return names.length > 2 ? `${names[0]}–${names.at(-1)}` : names.join(', ')
}

/** Over-the-shoulder view. */
function behind({ position, forward }: Pose): View {
  const eye = new Vector3(...position)
  const ahead = new Vector3(forward[0], forward[1], 0).normalize()
  return {
    position: eye
      .clone()
      .addScaledVector(ahead, -2.1)
      .add(new Vector3(0, 0, 1.7)),
    target: eye
      .clone()
      .addScaledVector(ahead, 1.1)
      .add(new Vector3(0, 0, -0.9)),
  }
}

function objectBox({ center, size, yaw }: Thing['box']): Object3D {
  const shape = new BoxGeometry(...size)
  const group = new Group()
  group.add(
    new Mesh(
      shape,
      new MeshBasicMaterial({ color: OBJECT_COLOR, transparent: true, opacity: 0.18, depthWrite: false }),
    ),
    new LineSegments(new EdgesGeometry(shape), new LineBasicMaterial({ color: OBJECT_COLOR })),
  )
  group.position.set(...center)
  group.rotation.z = (yaw * Math.PI) / 180
  return group
}

/** World positions of the image corners at a distance along the view direction. */
function corners(pose: Pose, { width, height, focal }: VsiEpisode['lens'], distance: number): Vector3[] {
  const [right, down, forward] = [pose.right, pose.down, pose.forward].map((axis) => new Vector3(...axis)) as [
    Vector3,
    Vector3,
    Vector3,
  ]
  const [w, h] = [(width / 2 / focal) * distance, (height / 2 / focal) * distance]
  const signs: readonly (readonly [number, number])[] = [
    [-1, -1],
    [1, -1],
    [1, 1],
    [-1, 1],
  ]
  return signs.map(([x, y]) =>
    new Vector3(...pose.position)
      .addScaledVector(forward, distance)
      .addScaledVector(right, w * x)
      .addScaledVector(down, h * y),
  )
}

function frustum(pose: Pose, lens: VsiEpisode['lens'], color: Color, opacity: number): Object3D {
  const eye = new Vector3(...pose.position)
  const [a, b, c, d] = corners(pose, lens, FRUSTUM) as [Vector3, Vector3, Vector3, Vector3]
  const lines = [eye, a, eye, b, eye, c, eye, d, a, b, b, c, c, d, d, a]
  const geometry = new BufferGeometry().setFromPoints(lines)
  return new LineSegments(geometry, new LineBasicMaterial({ color, transparent: true, opacity }))
}

function imagePlane(pose: Pose, lens: VsiEpisode['lens'], texture: Texture): Object3D {
  const points = corners(pose, lens, FRUSTUM)
  const geometry = new BufferGeometry()
  geometry.setAttribute(
    'position',
    new Float32BufferAttribute(
      points.flatMap(({ x, y, z }) => [x, y, z]),
      3,
    ),
  )
  geometry.setAttribute('uv', new Float32BufferAttribute([0, 0, 1, 0, 1, 1, 0, 1], 2))
  geometry.setIndex([0, 1, 2, 0, 2, 3])
  // The texture is reused, so hide it from the mesh's disposal.
  const material = new MeshBasicMaterial({ side: DoubleSide })
  Object.defineProperty(material, 'map', { value: texture, enumerable: false, writable: true })
  return new Mesh(geometry, material)
}

function dot(position: Triple, color: Color, radius: number): Object3D {
  const mesh = new Mesh(new SphereGeometry(radius, 16, 12), new MeshBasicMaterial({ color }))
  mesh.position.set(...position)
  return mesh
}

const TUBE = 0.022

/** Bars between consecutive poses. */
function tubes(poses: readonly Pose[]): Object3D[] {
  return poses.slice(1).flatMap(({ position }, i) => {
    const from = new Vector3(...poses[i]!.position)
    const to = new Vector3(...position)
    const length = from.distanceTo(to)
    if (length < 0.01) return []
    const bar = new Mesh(new BoxGeometry(TUBE, TUBE, length), new MeshBasicMaterial({ color: PATH_COLOR }))
    bar.position.copy(from).lerp(to, 0.5)
    bar.lookAt(to)
    return [bar]
  })
}
