/** Vertex numbers of triangles whose count is not known beforehand. */
export class GrowingIndices {
  #values: Uint32Array
  #length = 0

  constructor(expected: number) {
    this.#values = new Uint32Array(Math.max(expected, 12))
  }

  push(a: number, b: number, c: number): void {
    if (this.#length + 3 > this.#values.length) {
      const larger = new Uint32Array(this.#values.length * 2)
      larger.set(this.#values)
      this.#values = larger
    }
    this.#values[this.#length++] = a
    this.#values[this.#length++] = b
    this.#values[this.#length++] = c
  }

  get length(): number {
    return this.#length
  }

  finish(): Uint32Array {
    return this.#values.length === this.#length ? this.#values : this.#values.slice(0, this.#length)
  }
}
