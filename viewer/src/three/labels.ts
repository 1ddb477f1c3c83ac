import { type Camera, Vector3 } from 'three'

export interface Label {
  text: string
  position: Vector3
  /** CSS classes; the layer sets the position. */
  className: string
}

const scratch = new Vector3()

/** HTML labels over a 3D stage: sharp, themed, and safe for untrusted text. */
export class LabelLayer {
  readonly #layer: HTMLDivElement
  #shown: { element: HTMLSpanElement; position: Vector3 }[] = []

  constructor(host: HTMLElement) {
    this.#layer = document.createElement('div')
    this.#layer.className = 'pointer-events-none absolute inset-0 overflow-hidden'
    this.#layer.setAttribute('aria-hidden', 'true')
    host.append(this.#layer)
  }

  set(labels: readonly Label[]): void {
    this.#shown = labels.map(({ text, position, className }) => {
      const element = document.createElement('span')
      element.textContent = text
      element.className = `absolute left-0 top-0 whitespace-nowrap ${className}`
      return { element, position }
    })
    this.#layer.replaceChildren(...this.#shown.map(({ element }) => element))
  }

  place(camera: Camera): void {
    const { clientWidth: width, clientHeight: height } = this.#layer
    for (const { element, position } of this.#shown) {
      scratch.copy(position).project(camera)
      const visible = scratch.z < 1 && Math.abs(scratch.x) < 1.1 && Math.abs(scratch.y) < 1.1
      element.style.display = visible ? '' : 'none'
      if (!visible) continue
      const x = ((scratch.x + 1) / 2) * width
      const y = ((1 - scratch.y) / 2) * height
      element.style.transform = `translate(${x.toFixed(1)}px, ${y.toFixed(1)}px) translate(-50%, -50%)`
    }
  }

  dispose(): void {
    this.#layer.remove()
  }
}
