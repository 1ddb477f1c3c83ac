/** What a running program has used up, and where it is. */
import { LIMITS, ProgramError } from '../syntax/problem.ts'

export class Runtime {
  /** The line that is being run. */
  line = 1
  /** What the program printed. */
  readonly printed: string[] = []
  #steps = 0
  #cells = 0
  #looks = 0
  #nesting = 0

  /** Asked for everything that takes time: an operation, a visited item, sixty-four bits of a large integer. */
  work(steps = 1): void {
    this.#steps += steps
    if (this.#steps > LIMITS.steps)
      throw new ProgramError(this.line, `the program did not end within ${LIMITS.steps} steps`)
  }

  /** Asked before a list, dictionary, set or array of so many items is made or grows to that size. */
  make(items: number, added = items): void {
    if (items > LIMITS.items)
      throw new ProgramError(this.line, `a collection of ${items} items is too long; at most ${LIMITS.items} fit`)
    this.#take(added)
  }

  /** Asked before a text of so many characters is made. */
  text(characters: number): void {
    if (characters > LIMITS.text)
      throw new ProgramError(this.line, `a text of ${characters} characters is too long; at most ${LIMITS.text} fit`)
    this.#take(Math.ceil(characters / 8))
  }

  /** Asked before an integer of so many bits is made. */
  integer(bits: number): void {
    if (bits > LIMITS.bits)
      throw new ProgramError(this.line, `an integer of ${bits} bits is too large; at most ${LIMITS.bits} fit`)
    this.work(Math.ceil(bits / 64))
  }

  /** Bodies that a geometric question looks at. */
  look(bodies: number): void {
    this.#looks += bodies
    if (this.#looks > LIMITS.geometry)
      throw new ProgramError(this.line, 'the program asks for too many positions and boxes')
  }

  enter(): void {
    this.#nesting += 1
    if (this.#nesting > LIMITS.nesting) throw new ProgramError(this.line, 'the program is nested too deep')
  }

  leave(): void {
    this.#nesting -= 1
  }

  /** How deep the program is, to be put back when an exception ends several calls at once. */
  get nesting(): number {
    return this.#nesting
  }

  set nesting(depth: number) {
    this.#nesting = depth
  }

  print(text: string): void {
    this.text(text.length)
    this.printed.push(text)
  }

  #take(cells: number): void {
    this.#cells += cells
    this.work(Math.ceil(cells / 16))
    if (this.#cells > LIMITS.cells) throw new ProgramError(this.line, 'the program is out of memory')
  }
}
