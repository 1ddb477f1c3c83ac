/** Counts what a program uses up. */
import { LIMITS, ProgramError } from './problem.ts'

export class Meter {
  line = 1
  #steps = 0
  #cells = 0
  #calls = 0
  #geometry = 0

  step(line: number): void {
    this.line = line
    if (++this.#steps > LIMITS.steps)
      throw new ProgramError(line, `the program did not end within ${LIMITS.steps} steps (a loop without end?)`)
  }

  /** Work on so many items or characters that is done in one go; two of them count as a step. */
  work(extent: number): void {
    this.#steps += extent / 2
    if (this.#steps > LIMITS.steps)
      throw new ProgramError(this.line, `the program did not end within ${LIMITS.steps} steps (a loop without end?)`)
  }

  /** Before something of so many items or characters is made. */
  make(cells: number, isText = false): void {
    const most = isText ? LIMITS.text : LIMITS.items
    if (cells > most)
      throw new ProgramError(this.line, `a ${isText ? 'text' : 'list'} of ${cells} items is too long; at most ${most}`)
    this.#cells += cells + 1
    if (this.#cells > LIMITS.cells)
      throw new ProgramError(this.line, `the program made more than ${LIMITS.cells} items: out of memory`)
  }

  enter(): void {
    if (++this.#calls > LIMITS.calls)
      throw new ProgramError(this.line, `functions call each other deeper than ${LIMITS.calls}`)
  }

  leave(): void {
    this.#calls -= 1
  }

  look(bodies: number): void {
    this.#geometry += bodies
    if (this.#geometry > LIMITS.geometry)
      throw new ProgramError(this.line, 'the program asks for too many positions and boxes')
  }
}
