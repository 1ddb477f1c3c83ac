/** Walks over the tokens of a program, and knows which names each scope binds. */
import { LIMITS, ProgramError } from './problem.ts'
import type { Token } from './tokens.ts'

/** The names of a function, a class body or the module while it is parsed. */
export interface Names {
  kind: 'module' | 'function' | 'class' | 'lambda'
  bound: Set<string>
  globals: Set<string>
  nonlocals: Set<string>
  isGenerator: boolean
  loops: number
}

export function namesOf(kind: Names['kind']): Names {
  return { kind, bound: new Set(), globals: new Set(), nonlocals: new Set(), isGenerator: false, loops: 0 }
}

export class Reader {
  readonly #tokens: readonly Token[]
  #at = 0
  #depth = 0
  readonly scopes: Names[]

  constructor(tokens: readonly Token[], scopes: Names[] = [namesOf('module')]) {
    this.#tokens = tokens
    this.scopes = scopes
  }

  get scope(): Names {
    return this.scopes.at(-1)!
  }

  get token(): Token {
    return this.#tokens[this.#at]!
  }

  get line(): number {
    return this.token.line
  }

  peek(ahead = 1): Token {
    return this.#tokens[Math.min(this.#at + ahead, this.#tokens.length - 1)]!
  }

  next(): Token {
    const token = this.token
    if (this.#at < this.#tokens.length - 1) this.#at += 1
    return token
  }

  /** The text of an operator or keyword, or null. */
  get word(): string | null {
    const { token } = this
    return token.kind === 'operator' || token.kind === 'keyword' ? token.text : null
  }

  is(...words: string[]): boolean {
    const { word } = this
    return word !== null && words.includes(word)
  }

  take(word: string): boolean {
    if (this.word !== word) return false
    this.next()
    return true
  }

  expect(word: string, what = `expected '${word}'`): void {
    if (!this.take(word)) throw this.wrong(what)
  }

  name(): string {
    const { token } = this
    if (token.kind !== 'name') throw this.wrong('a name was expected')
    this.next()
    return token.text
  }

  bind(name: string): void {
    if (name === '__debug__') throw this.wrong('cannot assign to __debug__')
    this.scope.bound.add(name)
  }

  wrong(what = 'invalid syntax', line = this.line): ProgramError {
    return new ProgramError(line, `SyntaxError: ${what}${line === this.line ? ` (at ${shown(this.token)})` : ''}`)
  }

  /** Runs deeper in the tree; what is nested too deep is refused before the host's stack is full. */
  deeper<T>(work: () => T): T {
    this.#depth += 1
    if (this.#depth > LIMITS.depth * 2) throw new ProgramError(this.line, 'the program is nested too deep')
    try {
      return work()
    } finally {
      this.#depth -= 1
    }
  }
}

function shown(token: Token): string {
  switch (token.kind) {
    case 'name':
    case 'operator':
    case 'keyword':
      return `"${token.text.slice(0, 40)}"`
    case 'number':
      return `"${token.value}"`
    case 'string':
      return 'a string'
    case 'newline':
      return 'the end of the line'
    case 'indent':
      return 'an unexpected indent'
    case 'dedent':
    case 'end':
      return 'the end of the block'
  }
}
