import { type Camera, Vector3 } from 'three'

export interface Label {
  text: string
  position: Vector3
  /** CSS classes; the layer sets the position. */
  className: string
}

interface Shown {
  element: HTMLSpanElement
  position: Vector3
  /** Size in pixels, once it was laid out. */
  size: { width: number; height: number } | null
}

/** A label on the screen: its center and size. */
interface Placed {
  x: number
  y: number
  width: number
  height: number
}

/** Pixels between two labels. */
const GAP = 1
const scratch = new Vector3()

/** HTML labels over a 3D stage: sharp, themed, and safe for untrusted text. */
export class LabelLayer {
  readonly #layer: HTMLDivElement
  #shown: Shown[] = []

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
      return { element, position, size: null }
    })
    this.#layer.replaceChildren(...this.#shown.map(({ element }) => element))
  }

  /** Labels that would cover an earlier one stand above it. */
  place(camera: Camera): void {
    const { clientWidth: width, clientHeight: height } = this.#layer
    const placed: Placed[] = []
    for (const shown of this.#shown) {
      const { element, position } = shown
      scratch.copy(position).project(camera)
      const visible = scratch.z < 1 && Math.abs(scratch.x) < 1.1 && Math.abs(scratch.y) < 1.1
      element.style.display = visible ? '' : 'none'
      if (!visible) continue
      shown.size ??= { width: element.offsetWidth, height: element.offsetHeight }
      const label = { x: ((scratch.x + 1) / 2) * width, y: ((1 - scratch.y) / 2) * height, ...shown.size }
      label.y = freeHeight(label, placed)
      placed.push(label)
      element.style.transform = `translate(${label.x.toFixed(1)}px, ${label.y.toFixed(1)}px) translate(-50%, -50%)`
    }
  }

  dispose(): void {
    this.#layer.remove()
  }
}

/** The lowest place for a label, at its own height or above, where it covers none of the others. */
export function freeHeight(label: Placed, others: readonly Placed[]): number {
  const near = others
    .filter(({ x, width }) => Math.abs(x - label.x) < (width + label.width) / 2)
    .sort((a, b) => b.y - a.y)
  let { y } = label
  for (const other of near) {
    const apart = (other.height + label.height) / 2 + GAP
    if (Math.abs(other.y - y) < apart) y = other.y - apart
  }
  return y
}
