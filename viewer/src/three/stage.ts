/**
 * A 3D stage: camera, lights, orbit controls and labels. It renders on demand instead of in a loop, to keep pages with
 * several stages idle. Coordinates are z up, in meters, as in the suites.
 */
import {
  AmbientLight,
  Box3,
  Color,
  DirectionalLight,
  type Object3D,
  PerspectiveCamera,
  Scene,
  Vector3,
  WebGLRenderer,
} from 'three'
import { OrbitControls } from 'three/addons/controls/OrbitControls.js'
import { disposeTree } from './dispose.ts'
import { LabelLayer } from './labels.ts'

const MAX_PIXEL_RATIO = 2
const FLIGHT_MS = 450
/** Margin around a fitted box. */
const FIT_MARGIN = 1.08
/** Target and distance depend on each other; this many iterations converge. */
const FIT_ITERATIONS = 5

const VIEW_FROM = new Vector3(-0.55, -0.8, 0.9)

export interface View {
  position: Vector3
  target: Vector3
}

export class Stage {
  readonly scene = new Scene()
  readonly camera = new PerspectiveCamera(50, 1, 0.02, 500)
  readonly renderer: WebGLRenderer
  readonly controls: OrbitControls
  readonly labels: LabelLayer
  readonly #host: HTMLElement
  readonly #resize: ResizeObserver
  readonly #theme: MutationObserver
  #frame = 0
  #flight = 0

  /** Throws without WebGL. */
  constructor(host: HTMLElement) {
    this.#host = host
    this.renderer = new WebGLRenderer({ antialias: true, alpha: false })
    this.renderer.localClippingEnabled = true
    this.renderer.setPixelRatio(Math.min(devicePixelRatio, MAX_PIXEL_RATIO))
    const { domElement } = this.renderer
    domElement.style.display = 'block'
    domElement.style.touchAction = 'none'
    host.append(domElement)
    this.labels = new LabelLayer(host)
    this.camera.up.set(0, 0, 1)
    this.controls = new OrbitControls(this.camera, domElement)
    this.controls.addEventListener('change', () => this.draw())
    this.controls.addEventListener('start', () => this.#stopFlight())
    this.#light()
    this.#resize = new ResizeObserver(() => this.#fitHost())
    this.#resize.observe(host)
    this.#theme = new MutationObserver(() => this.#paint())
    this.#theme.observe(document.documentElement, { attributes: true, attributeFilter: ['data-theme'] })
    this.#fitHost()
    this.#paint()
  }

  /** Requests a render; several calls per frame are merged. */
  draw(): void {
    if (this.#frame !== 0) return
    this.#frame = requestAnimationFrame(() => {
      this.#frame = 0
      this.renderer.render(this.scene, this.camera)
      this.labels.place(this.camera)
    })
  }

  /** The closest view that fits a whole box or object, from the one of the directions that shows it largest. */
  viewOf(what: Box3 | Object3D, directions: readonly Vector3[] = [VIEW_FROM]): View {
    const box = what instanceof Box3 ? what : new Box3().setFromObject(what)
    if (box.isEmpty()) box.setFromCenterAndSize(new Vector3(), new Vector3(2, 2, 2))
    const views = directions.map((direction) => this.#viewFitting(box, direction))
    return views.reduce((best, view) => (distanceOf(view) < distanceOf(best) ? view : best))
  }

  look({ position, target }: View): void {
    this.#stopFlight()
    this.camera.position.copy(position)
    this.controls.target.copy(target)
    this.controls.update()
    this.draw()
  }

  /** Animates to a view, or jumps if the user prefers reduced motion. */
  fly(to: View): void {
    this.#stopFlight()
    if (matchMedia('(prefers-reduced-motion: reduce)').matches) {
      this.look(to)
      return
    }
    const from = { position: this.camera.position.clone(), target: this.controls.target.clone() }
    const startTime = performance.now()
    const step = (now: number): void => {
      const share = Math.min(1, Math.max(0, (now - startTime) / FLIGHT_MS))
      const eased = 1 - (1 - share) ** 3
      this.camera.position.lerpVectors(from.position, to.position, eased)
      this.controls.target.lerpVectors(from.target, to.target, eased)
      this.controls.update()
      this.draw()
      this.#flight = share < 1 ? requestAnimationFrame(step) : 0
    }
    this.#flight = requestAnimationFrame(step)
  }

  dispose(): void {
    this.#stopFlight()
    cancelAnimationFrame(this.#frame)
    this.#resize.disconnect()
    this.#theme.disconnect()
    this.controls.dispose()
    this.labels.dispose()
    disposeTree(this.scene)
    this.renderer.dispose()
    this.renderer.forceContextLoss()
    this.renderer.domElement.remove()
  }

  /** Fits at any aspect ratio. */
  #viewFitting(box: Box3, direction: Vector3): View {
    const target = box.getCenter(new Vector3())
    const back = direction.clone().normalize()
    const right = new Vector3().crossVectors(this.camera.up, back).normalize()
    const up = new Vector3().crossVectors(back, right)
    const high = Math.tan((this.camera.fov * Math.PI) / 360) / FIT_MARGIN
    const wide = high * this.camera.aspect
    const corners = [0, 1, 2, 3, 4, 5, 6, 7].map(
      (i) => new Vector3(i & 1 ? box.max.x : box.min.x, i & 2 ? box.max.y : box.min.y, i & 4 ? box.max.z : box.min.z),
    )
    let distance = 0
    for (let turn = 0; turn < FIT_ITERATIONS; turn++) {
      const seen = corners.map((corner) => corner.clone().sub(target))
      distance = Math.max(
        ...seen.map((to) => {
          return Math.max(Math.abs(to.dot(right)) / wide, Math.abs(to.dot(up)) / high) + to.dot(back)
        }),
      )
      // Perspective shifts the center: near parts look larger.
      for (const axis of [right, up]) {
        const across = seen.map((to) => to.dot(axis) / (distance - to.dot(back)))
        target.addScaledVector(axis, ((Math.min(...across) + Math.max(...across)) / 2) * distance)
      }
    }
    return { target, position: back.multiplyScalar(distance).add(target) }
  }

  #stopFlight(): void {
    cancelAnimationFrame(this.#flight)
    this.#flight = 0
  }

  /** Lights for unlit objects; scenes with baked light ignore them. */
  #light(): void {
    this.scene.add(new AmbientLight(0xffffff, 1.6))
    const sun = new DirectionalLight(0xffffff, 1.8)
    sun.position.set(3, -4, 8)
    this.scene.add(sun)
  }

  #fitHost(): void {
    const { clientWidth: width, clientHeight: height } = this.#host
    if (width === 0 || height === 0) return
    this.renderer.setSize(width, height)
    this.camera.aspect = width / height
    this.camera.updateProjectionMatrix()
    this.draw()
  }

  #paint(): void {
    const color = getComputedStyle(this.#host).getPropertyValue('--color-ground').trim()
    this.scene.background = new Color(/^#[\da-f]{6}$/i.test(color) ? color : '#888888')
    this.draw()
  }
}

function distanceOf({ position, target }: View): number {
  return position.distanceTo(target)
}
