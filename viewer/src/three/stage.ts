/**
 * A stage for 3D: camera, light, orbit controls, labels. It draws when something changed, never in a loop of its own,
 * so a page with several of them is quiet. The world is z up, in metres, as the suites have it.
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
import { disposeOf } from './dispose.ts'
import { LabelLayer } from './labels.ts'

const SHARPEST = 2
const FLIGHT_MS = 450
/** Around what has to be seen whole. */
const FIT_MARGIN = 1.08
/** Place and distance depend on each other; after these many the picture does not change any more. */
const FIT_TURNS = 5

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
  #asked = 0
  #flight = 0

  /** Throws where there is no WebGL. */
  constructor(host: HTMLElement) {
    this.#host = host
    this.renderer = new WebGLRenderer({ antialias: true, alpha: false })
    this.renderer.localClippingEnabled = true
    this.renderer.setPixelRatio(Math.min(devicePixelRatio, SHARPEST))
    const { domElement } = this.renderer
    domElement.style.display = 'block'
    domElement.style.touchAction = 'none'
    host.append(domElement)
    this.labels = new LabelLayer(host)
    this.camera.up.set(0, 0, 1)
    this.controls = new OrbitControls(this.camera, domElement)
    this.controls.addEventListener('change', () => this.draw())
    this.controls.addEventListener('start', () => this.#land())
    this.#light()
    this.#resize = new ResizeObserver(() => this.#fitHost())
    this.#resize.observe(host)
    this.#theme = new MutationObserver(() => this.#paint())
    this.#theme.observe(document.documentElement, { attributes: true, attributeFilter: ['data-theme'] })
    this.#fitHost()
    this.#paint()
  }

  /** Asks for a picture; many calls in one frame give one. */
  draw(): void {
    if (this.#asked !== 0) return
    this.#asked = requestAnimationFrame(() => {
      this.#asked = 0
      this.renderer.render(this.scene, this.camera)
      this.labels.place(this.camera)
    })
  }

  /** Where one sees all of a thing from a direction. */
  viewOf(what: Box3 | Object3D, direction = new Vector3(-0.55, -0.8, 0.9), fill = 1.05): View {
    const box = what instanceof Box3 ? what : new Box3().setFromObject(what)
    const target = box.isEmpty() ? new Vector3() : box.getCenter(new Vector3())
    const half = (this.camera.fov * Math.PI) / 360
    const narrow = Math.min(1, this.camera.aspect)
    const radius = box.isEmpty() ? 1 : box.getSize(new Vector3()).length() / 2
    const distance = (radius * fill) / Math.sin(half) / Math.sqrt(narrow)
    return { target, position: direction.clone().normalize().multiplyScalar(distance).add(target) }
  }

  /** The nearest place in a direction from which all of a box is in the picture, however narrow that is. */
  viewFitting(box: Box3, direction: Vector3, margin = FIT_MARGIN): View {
    const target = box.getCenter(new Vector3())
    const back = direction.clone().normalize()
    const right = new Vector3().crossVectors(this.camera.up, back).normalize()
    const up = new Vector3().crossVectors(back, right)
    const high = Math.tan((this.camera.fov * Math.PI) / 360) / margin
    const wide = high * this.camera.aspect
    const corners = [0, 1, 2, 3, 4, 5, 6, 7].map(
      (i) => new Vector3(i & 1 ? box.max.x : box.min.x, i & 2 ? box.max.y : box.min.y, i & 4 ? box.max.z : box.min.z),
    )
    let distance = 0
    for (let turn = 0; turn < FIT_TURNS; turn++) {
      const seen = corners.map((corner) => corner.clone().sub(target))
      distance = Math.max(
        ...seen.map((to) => {
          return Math.max(Math.abs(to.dot(right)) / wide, Math.abs(to.dot(up)) / high) + to.dot(back)
        }),
      )
      // What is near looks larger: the middle of the box is not the middle of its picture.
      const across = seen.map((to) => to.dot(right) / (distance - to.dot(back)))
      target.addScaledVector(right, ((Math.min(...across) + Math.max(...across)) / 2) * distance)
    }
    return { target, position: back.multiplyScalar(distance).add(target) }
  }

  look({ position, target }: View): void {
    this.#land()
    this.camera.position.copy(position)
    this.controls.target.copy(target)
    this.controls.update()
    this.draw()
  }

  /** Goes there in a moment; at once for those who do not want motion. */
  fly(to: View): void {
    this.#land()
    if (matchMedia('(prefers-reduced-motion: reduce)').matches) {
      this.look(to)
      return
    }
    const from = { position: this.camera.position.clone(), target: this.controls.target.clone() }
    const begun = performance.now()
    const step = (now: number): void => {
      const share = Math.min(1, Math.max(0, (now - begun) / FLIGHT_MS))
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
    this.#land()
    cancelAnimationFrame(this.#asked)
    this.#resize.disconnect()
    this.#theme.disconnect()
    this.controls.dispose()
    this.labels.dispose()
    disposeOf(this.scene)
    this.renderer.dispose()
    this.renderer.forceContextLoss()
    this.renderer.domElement.remove()
  }

  #land(): void {
    cancelAnimationFrame(this.#flight)
    this.#flight = 0
  }

  /** For things that are lit here; scenes with baked light do not mind it. */
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
