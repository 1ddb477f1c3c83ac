/** What all measures by networks have in common. */
import { middleFrames } from '../../rules/frames.ts'
import type { Measure } from '../../types.ts'
import type { Planes } from '../resize.ts'
import { featuresOf, type Network, outputOf, type Tensor } from '../runtime.ts'

export type About = Pick<Measure, 'title' | 'tier' | 'version'>

export function picture({ width, height, data }: Planes): Tensor {
  return { dims: [1, 3, height, width], data }
}

export async function feature(network: Network, planes: Planes): Promise<Float32Array> {
  return (await features(network, [planes]))[0]!
}

async function features(network: Network, [first, ...rest]: readonly Planes[]): Promise<Float32Array[]> {
  if (first === undefined) return []
  const count = rest.length + 1
  const all = count === 1 ? first.data : new Float32Array(count * first.data.length)
  if (count > 1) [first, ...rest].forEach(({ data }, i) => all.set(data, i * first.data.length))
  const outputs = await network.run({ dims: [count, 3, first.height, first.width], data: all })
  return featuresOf(outputOf(outputs, 'image_embeds', 'pooler_output', 'last_hidden_state'), count)
}

/** Frames that a network sees at once, where it takes several; more gain nothing and take memory. */
const BATCH = 8

/** Features of all frames in their order, in batches where the network takes them. */
export class FrameFeatures {
  readonly #network: Network
  readonly #use: (found: Float32Array) => void
  #waiting: Planes[] = []

  constructor(network: Network, use: (found: Float32Array) => void) {
    this.#network = network
    this.#use = use
  }

  async add(planes: Planes): Promise<void> {
    // A stream may change its resolution; a batch has one size.
    const [first] = this.#waiting
    if (first && (first.width !== planes.width || first.height !== planes.height)) await this.end()
    this.#waiting.push(planes)
    const size = (await this.#network.takesBatches?.()) ? BATCH : 1
    if (this.#waiting.length >= size) await this.end()
  }

  /** What is left of the last batch. */
  async end(): Promise<void> {
    const batch = this.#waiting
    this.#waiting = []
    for (const found of await features(this.#network, batch)) this.#use(found)
  }
}

/** Middle frames of a clip, one after the other in each channel: 1 × 3 × frames × height × width. */
export class ClipTensor {
  readonly #places: readonly number[]
  readonly #count: number
  #data: Float32Array | null = null
  #size = { width: 0, height: 0 }

  constructor(length: number, count: number) {
    this.#places = middleFrames(count, length)
    this.#count = count
  }

  add(index: number, make: () => Planes): void {
    const places = [...this.#places.keys()].filter((place) => this.#places[place] === index)
    if (places.length === 0) return
    const { width, height, data } = make()
    this.#data ??= new Float32Array(3 * this.#count * width * height)
    this.#size = { width, height }
    const pixels = width * height
    for (const place of places) {
      for (let c = 0; c < 3; c++) {
        this.#data.set(data.subarray(c * pixels, (c + 1) * pixels), (c * this.#count + place) * pixels)
      }
    }
  }

  tensor(): Tensor {
    if (!this.#data) throw new Error('the video has no frames')
    return { dims: [1, 3, this.#count, this.#size.height, this.#size.width], data: this.#data }
  }
}
