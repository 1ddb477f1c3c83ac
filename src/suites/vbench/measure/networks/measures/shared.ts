/** What all measures by networks have in common. */
import { middleFrames } from '../../rules/frames.ts'
import type { Measure } from '../../types.ts'
import type { Planes } from '../resize.ts'
import { featureOf, type Network, outputOf, type Tensor } from '../runtime.ts'

export type About = Pick<Measure, 'title' | 'tier' | 'version'>

export function picture({ width, height, data }: Planes): Tensor {
  return { dims: [1, 3, height, width], data }
}

export async function feature(network: Network, planes: Planes): Promise<Float32Array> {
  const outputs = await network.run(picture(planes))
  return featureOf(outputOf(outputs, 'image_embeds', 'pooler_output', 'last_hidden_state'))
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
