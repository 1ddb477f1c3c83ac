/** The subset of Python that candidate functions are written in, from text to tree. */
import { ExpressionParser } from './parse-expression.ts'
import { ProgramError } from './problem.ts'
import { TokenReader } from './token-reader.ts'
import { tokensOf } from './tokens.ts'
import type { Expression, Statement } from './tree.ts'

export function parseProgram(source: string): Statement[] {
  return new Parser(new TokenReader(tokensOf(source))).program()
}

const UNSUPPORTED: Readonly<Record<string, string>> = {
  class: 'classes',
  try: 'try blocks',
  with: 'with blocks',
  async: 'async functions',
  await: 'async functions',
  yield: 'generators',
  global: 'global variables',
  nonlocal: 'nonlocal variables',
  del: 'del statements',
}

const AUGMENTED = new Set(['+=', '-=', '*=', '/=', '//=', '%=', '**='])

class Parser {
  readonly #tokens: TokenReader
  readonly #expressions: ExpressionParser

  constructor(tokens: TokenReader) {
    this.#tokens = tokens
    this.#expressions = new ExpressionParser(tokens)
  }

  program(): Statement[] {
    const statements: Statement[] = []
    while (this.#tokens.peek().kind !== 'end') {
      if (this.#tokens.peek().kind === 'newline') this.#tokens.step()
      else statements.push(...this.#statement())
    }
    return statements
  }

  #statement(): Statement[] {
    const token = this.#tokens.peek()
    const { line } = token
    if (token.kind === 'indent') throw new ProgramError(line, 'unexpected indentation')
    if (token.kind === 'operator' && token.text === '@') throw new ProgramError(line, 'decorators are not supported')
    if (token.kind === 'keyword') {
      const unsupported = Object.hasOwn(UNSUPPORTED, token.text) ? UNSUPPORTED[token.text] : undefined
      if (unsupported) throw new ProgramError(line, `${unsupported} are not supported`)
      switch (token.text) {
        case 'def':
          return [this.#def()]
        case 'if':
          return [this.#if()]
        case 'for':
          return [this.#for()]
        case 'while':
          this.#tokens.step()
          return [{ kind: 'while', line, test: this.#expressions.one(), body: this.#block() }]
      }
    }
    const statement = this.#simple()
    this.#tokens.endOfLine()
    return [statement]
  }

  #simple(): Statement {
    const token = this.#tokens.peek()
    const { line } = token
    if (token.kind === 'keyword') {
      switch (token.text) {
        case 'return': {
          this.#tokens.step()
          return {
            kind: 'return',
            line,
            value: this.#tokens.peek().kind === 'newline' ? null : this.#expressions.many(),
          }
        }
        case 'pass':
        case 'break':
        case 'continue':
          this.#tokens.step()
          return { kind: token.text, line }
        case 'import':
        case 'from':
          return this.#import()
        case 'raise': {
          this.#tokens.step()
          return { kind: 'raise', line, value: this.#tokens.peek().kind === 'newline' ? null : this.#expressions.one() }
        }
        case 'assert': {
          this.#tokens.step()
          const test = this.#expressions.one()
          return { kind: 'assert', line, test, message: this.#tokens.take(',') ? this.#expressions.one() : null }
        }
      }
    }
    const first = this.#expressions.many()
    // A type after a name is read and means nothing.
    if (this.#tokens.take(':')) {
      this.#expressions.one()
      if (!this.#tokens.is('=')) return { kind: 'pass', line }
    }
    const next = this.#tokens.peek()
    if (next.kind === 'operator' && AUGMENTED.has(next.text)) {
      this.#tokens.step()
      this.#expressions.checkTarget(first)
      return { kind: 'augment', line, target: first, operator: next.text.slice(0, -1), value: this.#expressions.many() }
    }
    if (!this.#tokens.is('=')) return { kind: 'expression', line, value: first }
    const targets = [first]
    let value = first
    while (this.#tokens.take('=')) {
      value = this.#expressions.many()
      targets.push(value)
    }
    targets.pop()
    for (const target of targets) this.#expressions.checkTarget(target)
    return { kind: 'assign', line, targets, value }
  }

  #import(): Statement {
    const { line } = this.#tokens.peek()
    const isFrom = this.#tokens.takeKeyword('from')
    if (!isFrom) this.#tokens.keyword('import')
    const module = this.#dotted()
    if (!isFrom) {
      const as = this.#tokens.takeKeyword('as') ? this.#tokens.name() : module.split('.')[0]!
      while (this.#tokens.take(',')) {
        this.#dotted()
        if (this.#tokens.takeKeyword('as')) this.#tokens.name()
      }
      return { kind: 'import', line, module, names: null, as }
    }
    this.#tokens.keyword('import')
    if (this.#tokens.take('*')) return { kind: 'import', line, module, names: [], as: '' }
    const isBracketed = this.#tokens.take('(')
    const names: { name: string; as: string }[] = []
    do {
      if (this.#tokens.is(')')) break
      const name = this.#tokens.name()
      names.push({ name, as: this.#tokens.takeKeyword('as') ? this.#tokens.name() : name })
    } while (this.#tokens.take(','))
    if (isBracketed) this.#tokens.expect(')')
    return { kind: 'import', line, module, names, as: '' }
  }

  #dotted(): string {
    let name = ''
    while (this.#tokens.take('.')) name += '.'
    name += this.#tokens.name()
    while (this.#tokens.take('.')) name += `.${this.#tokens.name()}`
    return name
  }

  #def(): Statement {
    const { line } = this.#tokens.peek()
    this.#tokens.keyword('def')
    const name = this.#tokens.name()
    this.#tokens.expect('(')
    const parameters = this.#expressions.parameters(')', true)
    this.#tokens.expect(')')
    if (this.#tokens.take('->')) this.#expressions.one()
    return { kind: 'def', line, name, parameters, body: this.#block() }
  }

  #if(): Statement {
    const { line } = this.#tokens.peek()
    const branches: { test: Expression | null; body: readonly Statement[] }[] = []
    this.#tokens.keyword('if')
    branches.push({ test: this.#expressions.one(), body: this.#block() })
    for (;;) {
      if (this.#tokens.takeKeyword('elif')) branches.push({ test: this.#expressions.one(), body: this.#block() })
      else if (this.#tokens.takeKeyword('else')) {
        branches.push({ test: null, body: this.#block() })
        break
      } else break
    }
    return { kind: 'if', line, branches }
  }

  #for(): Statement {
    const { line } = this.#tokens.peek()
    this.#tokens.keyword('for')
    const target = this.#expressions.targets()
    this.#tokens.keyword('in')
    const over = this.#expressions.many()
    return { kind: 'for', line, target, over, body: this.#block() }
  }

  #block(): Statement[] {
    this.#tokens.expect(':')
    return this.#tokens.deeper(() => {
      if (this.#tokens.peek().kind !== 'newline') {
        const statement = this.#simple()
        this.#tokens.endOfLine()
        return [statement]
      }
      this.#tokens.step()
      if (this.#tokens.peek().kind !== 'indent')
        throw new ProgramError(this.#tokens.peek().line, 'an indented block was expected')
      this.#tokens.step()
      const body: Statement[] = []
      while (this.#tokens.peek().kind !== 'dedent' && this.#tokens.peek().kind !== 'end') {
        if (this.#tokens.peek().kind === 'newline') this.#tokens.step()
        else body.push(...this.#statement())
      }
      if (this.#tokens.peek().kind === 'dedent') this.#tokens.step()
      return body
    })
  }
}
