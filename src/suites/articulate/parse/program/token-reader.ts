/** Walks over the words of a program. */
import { LIMITS, ProgramError } from './problem.ts'
import type { Token } from './tokens.ts'

export class TokenReader {
  readonly #tokens: readonly Token[]
  #at = 0
  #depth: number

  /** @param depth how deep the text is nested that these tokens are a part of */
  constructor(tokens: readonly Token[], depth = 0) {
    this.#tokens = tokens
    this.#depth = depth
  }

  get depth(): number {
    return this.#depth
  }

  step(): void {
    this.#at += 1
  }

  /** The parser walks as deep as the program nests: not deeper than our own stack can bear. */
  deeper<T>(work: () => T): T {
    this.#depth += 1
    if (this.#depth > LIMITS.depth) throw new ProgramError(this.peek().line, 'the program is nested too deep')
    const result = work()
    this.#depth -= 1
    return result
  }

  /** The next token, or one of those behind it. The last one is the end. */
  peek(ahead = 0): Token {
    return this.#tokens[Math.min(this.#at + ahead, this.#tokens.length - 1)]!
  }

  is(operator: string): boolean {
    const token = this.peek()
    return token.kind === 'operator' && token.text === operator
  }

  take(operator: string): boolean {
    if (!this.is(operator)) return false
    this.#at += 1
    return true
  }

  expect(operator: string): void {
    if (!this.take(operator)) throw this.unexpected(`"${operator}"`)
  }

  takeKeyword(word: string): boolean {
    const token = this.peek()
    if (token.kind !== 'keyword' || token.text !== word) return false
    this.#at += 1
    return true
  }

  keyword(word: string): void {
    if (!this.takeKeyword(word)) throw this.unexpected(`"${word}"`)
  }

  name(): string {
    const token = this.peek()
    if (token.kind !== 'name') throw this.unexpected('a name')
    this.#at += 1
    return token.text
  }

  endOfLine(): void {
    if (this.peek().kind !== 'newline') throw this.unexpected('the end of the line')
    this.#at += 1
  }

  unexpected(expected: string): ProgramError {
    const token = this.peek()
    const found =
      'text' in token ? `"${token.text}"` : token.kind === 'number' ? `the number ${token.value}` : `a ${token.kind}`
    return new ProgramError(token.line, `expected ${expected}, found ${found}`)
  }
}
