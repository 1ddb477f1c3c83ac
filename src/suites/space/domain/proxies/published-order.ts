/**
 * The order in which the published oracle agent tries equally good nodes. It iterates over a Python `set` of names, so the
 * order is that of CPython's hash table (SipHash-1-3 with PYTHONHASHSEED=0, as in the published runs). It only breaks
 * ties; profile `fixed` uses alphabetical order instead.
 */

const MASK_64 = (1n << 64n) - 1n

function rotateLeft(value: bigint, bits: bigint): bigint {
  return ((value << bits) | (value >> (64n - bits))) & MASK_64
}

/** SipHash-1-3 with an all-zero key. */
export function stringHash(text: string): bigint {
  const bytes = new TextEncoder().encode(text)
  if (bytes.length === 0) return 0n
  let v0 = 0x736f6d6570736575n
  let v1 = 0x646f72616e646f6dn
  let v2 = 0x6c7967656e657261n
  let v3 = 0x7465646279746573n
  const round = (): void => {
    v0 = (v0 + v1) & MASK_64
    v2 = (v2 + v3) & MASK_64
    v1 = rotateLeft(v1, 13n) ^ v0
    v3 = rotateLeft(v3, 16n) ^ v2
    v0 = rotateLeft(v0, 32n)
    v2 = (v2 + v1) & MASK_64
    v0 = (v0 + v3) & MASK_64
    v1 = rotateLeft(v1, 17n) ^ v2
    v3 = rotateLeft(v3, 21n) ^ v0
    v2 = rotateLeft(v2, 32n)
  }
  const whole = bytes.length - (bytes.length % 8)
  for (let at = 0; at < whole; at += 8) {
    const word = littleEndian(bytes.subarray(at, at + 8))
    v3 ^= word
    round()
    v0 ^= word
  }
  const last = (BigInt(bytes.length & 0xff) << 56n) | littleEndian(bytes.subarray(whole))
  v3 ^= last
  round()
  v0 ^= last
  v2 ^= 0xffn
  round()
  round()
  round()
  const hash = v0 ^ v1 ^ v2 ^ v3
  // -1 means "no hash" in CPython.
  return hash === MASK_64 ? MASK_64 - 1n : hash
}

function littleEndian(bytes: Uint8Array): bigint {
  let word = 0n
  for (let i = bytes.length - 1; i >= 0; i--) word = (word << 8n) | BigInt(bytes[i]!)
  return word
}

const SMALLEST_TABLE = 8
const LINEAR_PROBES = 9

/** A CPython set of names; supports adding and iterating, but not removal. */
export class PythonSet {
  #slots: (string | undefined)[]
  #used = 0

  constructor(names: Iterable<string> = []) {
    this.#slots = emptyTable(SMALLEST_TABLE)
    for (const name of names) this.add(name)
  }

  get size(): number {
    return this.#used
  }

  has(name: string): boolean {
    return this.#slots.includes(name)
  }

  add(name: string): void {
    if (this.has(name)) return
    place(this.#slots, name)
    this.#used += 1
    if (this.#used * 5 >= (this.#slots.length - 1) * 3) this.#resize(this.#used * 4)
  }

  #resize(beyond: number): void {
    let size = SMALLEST_TABLE
    while (size <= beyond) size *= 2
    const table = emptyTable(size)
    for (const name of this) place(table, name)
    this.#slots = table
  }

  *[Symbol.iterator](): Iterator<string> {
    for (const name of this.#slots) if (name !== undefined) yield name
  }

  /** `set(other)` */
  copy(): PythonSet {
    const copied = new PythonSet()
    if (this.#used * 5 >= (SMALLEST_TABLE - 1) * 3) copied.#resize(this.#used * 2)
    if (copied.#slots.length === this.#slots.length) copied.#slots = [...this.#slots]
    else for (const name of this) place(copied.#slots, name)
    copied.#used = this.#used
    return copied
  }

  /** `this & other`: iterates over the smaller set. */
  and(other: PythonSet): PythonSet {
    const [smaller, larger] = other.size > this.size ? [this, other] : [other, this]
    const both = new PythonSet()
    for (const name of smaller) if (larger.has(name)) both.add(name)
    return both
  }
}

function emptyTable(size: number): (string | undefined)[] {
  return Array.from({ length: size }, () => undefined)
}

/** Puts a name into the first free slot of its probe sequence. */
function place(slots: (string | undefined)[], name: string): void {
  const mask = BigInt(slots.length - 1)
  const hash = stringHash(name)
  let perturb = hash
  let slot = Number(hash & mask)
  for (;;) {
    const probes = slot + LINEAR_PROBES < slots.length ? LINEAR_PROBES : 0
    for (let probe = 0; probe <= probes; probe++) {
      if (slots[slot + probe] === undefined) {
        slots[slot + probe] = name
        return
      }
    }
    perturb >>= 5n
    slot = Number((BigInt(slot) * 5n + 1n + perturb) & mask)
  }
}

/** The intersection of both, in the published order. */
export function publishedOrder(observed: Iterable<string>, nodes: Iterable<string>): string[] {
  return [...new PythonSet(observed).copy().and(new PythonSet(nodes))]
}
