/** The subset of Python that candidate functions are written in, from text to tree. */
import { LIMITS, ProgramError } from './problem.ts'
import { type Token, tokensOf } from './tokens.ts'
import type { Expression, Item, Loop, Parameter, Statement } from './tree.ts'

export function parseProgram(source: string): Statement[] {
  return new Parser(tokensOf(source)).program()
}

const UNSUPPORTED: Readonly<Record<string, string>> = {
  class: 'classes',
  try: 'try blocks',
  with: 'with blocks',
  async: 'async code',
  await: 'async code',
  yield: 'generators',
  global: 'global variables',
  nonlocal: 'nonlocal variables',
  del: 'del',
}

const COMPARISONS = new Set(['==', '!=', '<', '>', '<=', '>='])
const AUGMENTED = new Set(['+=', '-=', '*=', '/=', '//=', '%=', '**='])
const BINARY: readonly ReadonlySet<string>[] = [new Set(['+', '-']), new Set(['*', '/', '//', '%', '@'])]

class Parser {
  readonly #tokens: readonly Token[]
  #at = 0
  #depth = 0

  constructor(tokens: readonly Token[]) {
    this.#tokens = tokens
  }

  program(): Statement[] {
    const statements: Statement[] = []
    while (this.#peek().kind !== 'end') {
      if (this.#peek().kind === 'newline') this.#at += 1
      else statements.push(...this.#statement())
    }
    return statements
  }

  /** The inside of an f-string's braces. */
  alone(): Expression {
    const value = this.#expressions()
    if (this.#peek().kind === 'newline') this.#at += 1
    if (this.#peek().kind !== 'end') throw this.#unexpected('the end of the expression')
    return value
  }

  #statement(): Statement[] {
    const token = this.#peek()
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
          this.#at += 1
          return [{ kind: 'while', line, test: this.#expression(), body: this.#block() }]
      }
    }
    const statement = this.#simple()
    this.#endOfLine()
    return [statement]
  }

  #simple(): Statement {
    const token = this.#peek()
    const { line } = token
    if (token.kind === 'keyword') {
      switch (token.text) {
        case 'return': {
          this.#at += 1
          return { kind: 'return', line, value: this.#peek().kind === 'newline' ? null : this.#expressions() }
        }
        case 'pass':
        case 'break':
        case 'continue':
          this.#at += 1
          return { kind: token.text, line }
        case 'import':
        case 'from':
          return this.#import()
        case 'raise': {
          this.#at += 1
          return { kind: 'raise', line, value: this.#peek().kind === 'newline' ? null : this.#expression() }
        }
        case 'assert': {
          this.#at += 1
          const test = this.#expression()
          return { kind: 'assert', line, test, message: this.#take(',') ? this.#expression() : null }
        }
      }
    }
    const first = this.#expressions()
    // A type after a name is read and means nothing.
    if (this.#take(':')) {
      this.#expression()
      if (!this.#is('=')) return { kind: 'pass', line }
    }
    const next = this.#peek()
    if (next.kind === 'operator' && AUGMENTED.has(next.text)) {
      this.#at += 1
      this.#checkTarget(first)
      return { kind: 'augment', line, target: first, operator: next.text.slice(0, -1), value: this.#expressions() }
    }
    if (!this.#is('=')) return { kind: 'expression', line, value: first }
    const targets = [first]
    let value = first
    while (this.#take('=')) {
      value = this.#expressions()
      targets.push(value)
    }
    targets.pop()
    for (const target of targets) this.#checkTarget(target)
    return { kind: 'assign', line, targets, value }
  }

  #checkTarget(target: Expression): void {
    if (target.kind === 'name' || target.kind === 'subscript' || target.kind === 'attribute') return
    if (target.kind === 'tuple' || target.kind === 'list') {
      for (const { value } of target.items) this.#checkTarget(value)
      return
    }
    throw new ProgramError(target.line, 'nothing can be assigned to this expression')
  }

  #import(): Statement {
    const { line } = this.#peek()
    const isFrom = this.#takeKeyword('from')
    if (!isFrom) this.#keyword('import')
    const module = this.#dotted()
    if (!isFrom) {
      const as = this.#takeKeyword('as') ? this.#name() : module.split('.')[0]!
      while (this.#take(',')) {
        this.#dotted()
        if (this.#takeKeyword('as')) this.#name()
      }
      return { kind: 'import', line, module, names: null, as }
    }
    this.#keyword('import')
    if (this.#take('*')) return { kind: 'import', line, module, names: [], as: '' }
    const isBracketed = this.#take('(')
    const names: { name: string; as: string }[] = []
    do {
      if (this.#is(')')) break
      const name = this.#name()
      names.push({ name, as: this.#takeKeyword('as') ? this.#name() : name })
    } while (this.#take(','))
    if (isBracketed) this.#expect(')')
    return { kind: 'import', line, module, names, as: '' }
  }

  #dotted(): string {
    let name = ''
    while (this.#take('.')) name += '.'
    name += this.#name()
    while (this.#take('.')) name += `.${this.#name()}`
    return name
  }

  #def(): Statement {
    const { line } = this.#peek()
    this.#keyword('def')
    const name = this.#name()
    this.#expect('(')
    const parameters = this.#parameters(')', true)
    this.#expect(')')
    if (this.#take('->')) this.#expression()
    return { kind: 'def', line, name, parameters, body: this.#block() }
  }

  #parameters(end: string, typed: boolean): Parameter[] {
    const parameters: Parameter[] = []
    while (!this.#is(end)) {
      const stars = this.#take('**') ? 2 : this.#take('*') ? 1 : 0
      if (stars === 1 && this.#take(',')) continue
      const name = this.#name()
      if (typed && this.#take(':')) this.#expression()
      parameters.push({ name, otherwise: this.#take('=') ? this.#expression() : null, stars })
      if (!this.#take(',')) break
    }
    return parameters
  }

  #if(): Statement {
    const { line } = this.#peek()
    const branches: { test: Expression | null; body: readonly Statement[] }[] = []
    this.#keyword('if')
    branches.push({ test: this.#expression(), body: this.#block() })
    for (;;) {
      if (this.#takeKeyword('elif')) branches.push({ test: this.#expression(), body: this.#block() })
      else if (this.#takeKeyword('else')) {
        branches.push({ test: null, body: this.#block() })
        break
      } else break
    }
    return { kind: 'if', line, branches }
  }

  #for(): Statement {
    const { line } = this.#peek()
    this.#keyword('for')
    const target = this.#targets()
    this.#keyword('in')
    const over = this.#expressions()
    return { kind: 'for', line, target, over, body: this.#block() }
  }

  #block(): Statement[] {
    this.#expect(':')
    return this.#deeper(() => {
      if (this.#peek().kind !== 'newline') {
        const statement = this.#simple()
        this.#endOfLine()
        return [statement]
      }
      this.#at += 1
      if (this.#peek().kind !== 'indent') throw new ProgramError(this.#peek().line, 'an indented block was expected')
      this.#at += 1
      const body: Statement[] = []
      while (this.#peek().kind !== 'dedent' && this.#peek().kind !== 'end') {
        if (this.#peek().kind === 'newline') this.#at += 1
        else body.push(...this.#statement())
      }
      if (this.#peek().kind === 'dedent') this.#at += 1
      return body
    })
  }

  /** One expression, or several with commas between them as a tuple. */
  #expressions(): Expression {
    const { line } = this.#peek()
    const first = this.#item()
    if (!this.#is(',')) {
      if (first.isSpread) throw new ProgramError(line, '"*" has no meaning here')
      return first.value
    }
    const items = [first]
    while (this.#take(',')) {
      const next = this.#peek()
      if (next.kind === 'newline' || (next.kind === 'operator' && ['=', ')', ']', '}', ':'].includes(next.text))) break
      items.push(this.#item())
    }
    return { kind: 'tuple', line, items }
  }

  #item(): Item {
    return this.#take('*')
      ? { value: this.#expression(), isSpread: true }
      : { value: this.#expression(), isSpread: false }
  }

  #targets(): Expression {
    const { line } = this.#peek()
    const items: Item[] = []
    do {
      if (this.#peek().kind === 'keyword') break
      items.push({ value: this.#postfix(), isSpread: false })
    } while (this.#take(','))
    const target: Expression = items.length === 1 ? items[0]!.value : { kind: 'tuple', line, items }
    this.#checkTarget(target)
    return target
  }

  #expression(): Expression {
    return this.#deeper(() => {
      const { line } = this.#peek()
      if (this.#takeKeyword('lambda')) {
        const parameters = this.#parameters(':', false)
        this.#expect(':')
        return { kind: 'lambda', line, parameters, body: this.#expression() }
      }
      const value = this.#or()
      if (!this.#takeKeyword('if')) return value
      const test = this.#or()
      this.#keyword('else')
      return { kind: 'choice', line, test, yes: value, no: this.#expression() }
    })
  }

  #or(): Expression {
    let left = this.#and()
    while (this.#takeKeyword('or')) left = { kind: 'or', line: left.line, left, right: this.#and() }
    return left
  }

  #and(): Expression {
    let left = this.#not()
    while (this.#takeKeyword('and')) left = { kind: 'and', line: left.line, left, right: this.#not() }
    return left
  }

  #not(): Expression {
    const { line } = this.#peek()
    if (this.#takeKeyword('not'))
      return this.#deeper(() => ({ kind: 'unary', line, operator: 'not', value: this.#not() }))
    return this.#comparison()
  }

  #comparison(): Expression {
    const first = this.#sum(0)
    const rest: { operator: string; value: Expression }[] = []
    for (;;) {
      const operator = this.#comparisonOperator()
      if (operator === null) break
      rest.push({ operator, value: this.#sum(0) })
    }
    return rest.length === 0 ? first : { kind: 'compare', line: first.line, first, rest }
  }

  #comparisonOperator(): string | null {
    const token = this.#peek()
    if (token.kind === 'operator' && COMPARISONS.has(token.text)) {
      this.#at += 1
      return token.text
    }
    if (this.#takeKeyword('in')) return 'in'
    if (this.#takeKeyword('is')) return this.#takeKeyword('not') ? 'is not' : 'is'
    if (token.kind === 'keyword' && token.text === 'not') {
      this.#at += 1
      this.#keyword('in')
      return 'not in'
    }
    return null
  }

  #sum(level: number): Expression {
    const operators = BINARY[level]
    if (!operators) return this.#unary()
    let left = this.#sum(level + 1)
    for (;;) {
      const token = this.#peek()
      if (token.kind !== 'operator' || !operators.has(token.text)) return left
      this.#at += 1
      left = { kind: 'binary', line: token.line, operator: token.text, left, right: this.#sum(level + 1) }
    }
  }

  #unary(): Expression {
    const token = this.#peek()
    if (token.kind === 'operator' && (token.text === '-' || token.text === '+')) {
      const operator = token.text
      this.#at += 1
      return this.#deeper(() => ({ kind: 'unary', line: token.line, operator, value: this.#unary() }))
    }
    const base = this.#postfix()
    if (!this.#take('**')) return base
    return this.#deeper(() => ({ kind: 'binary', line: token.line, operator: '**', left: base, right: this.#unary() }))
  }

  #postfix(): Expression {
    let value = this.#atom()
    for (;;) {
      const { line } = this.#peek()
      if (this.#take('.')) value = { kind: 'attribute', line, value, name: this.#name() }
      else if (this.#take('(')) value = this.#call(value, line)
      else if (this.#take('[')) {
        value = { kind: 'subscript', line, value, index: this.#index() }
        this.#expect(']')
      } else return value
    }
  }

  #index(): Expression {
    const { line } = this.#peek()
    const parts: (Expression | null)[] = []
    let isSlice = false
    for (;;) {
      parts.push(this.#is(':') || this.#is(']') ? null : this.#expressions())
      if (!this.#take(':')) break
      isSlice = true
    }
    if (isSlice) return { kind: 'slice', line, from: parts[0] ?? null, to: parts[1] ?? null, step: parts[2] ?? null }
    if (!parts[0]) throw this.#unexpected('an index')
    return parts[0]
  }

  #call(callee: Expression, line: number): Expression {
    const args: Item[] = []
    const named: { name: string | null; value: Expression }[] = []
    while (!this.#is(')')) {
      const token = this.#peek()
      const next = this.#tokens[this.#at + 1]
      if (this.#take('**')) named.push({ name: null, value: this.#expression() })
      else if (token.kind === 'name' && next?.kind === 'operator' && next.text === '=') {
        this.#at += 2
        named.push({ name: token.text, value: this.#expression() })
      } else {
        const item = this.#item()
        const loops = this.#loops()
        args.push(
          loops.length === 0
            ? item
            : {
                isSpread: false,
                value: { kind: 'comprehension', line, of: 'list', key: null, value: item.value, loops },
              },
        )
      }
      if (!this.#take(',')) break
    }
    this.#expect(')')
    return { kind: 'call', line, callee, args, named }
  }

  #loops(): Loop[] {
    const loops: Loop[] = []
    while (this.#takeKeyword('for')) {
      const target = this.#targets()
      this.#keyword('in')
      const over = this.#or()
      const conditions: Expression[] = []
      while (this.#takeKeyword('if')) conditions.push(this.#or())
      loops.push({ target, over, conditions })
    }
    return loops
  }

  #atom(): Expression {
    const token = this.#peek()
    const { line } = token
    this.#at += 1
    if (token.kind === 'number') return { kind: 'constant', line, value: token.value }
    if (token.kind === 'string' || token.kind === 'format') {
      this.#at -= 1
      return this.#text()
    }
    if (token.kind === 'name') return { kind: 'name', line, name: token.text }
    if (token.kind === 'keyword') {
      if (token.text === 'True' || token.text === 'False')
        return { kind: 'constant', line, value: token.text === 'True' }
      if (token.text === 'None') return { kind: 'constant', line, value: null }
    }
    if (token.kind === 'operator') {
      if (token.text === '(') return this.#bracketed()
      if (token.text === '[') return this.#list()
      if (token.text === '{') return this.#dict()
    }
    this.#at -= 1
    throw this.#unexpected('an expression')
  }

  /** Texts that stand side by side are one. */
  #text(): Expression {
    const { line } = this.#peek()
    const pieces: ({ text: string } | { value: Expression; spec: string })[] = []
    let isFormat = false
    for (;;) {
      const token = this.#peek()
      if (token.kind === 'string') pieces.push({ text: token.value })
      else if (token.kind === 'format') {
        isFormat = true
        for (const piece of token.pieces) {
          if ('text' in piece) pieces.push(piece)
          else pieces.push({ value: this.#inside(piece.source, token.line), spec: piece.spec })
        }
      } else break
      this.#at += 1
    }
    if (isFormat) return { kind: 'format', line, pieces }
    return { kind: 'constant', line, value: pieces.map((piece) => ('text' in piece ? piece.text : '')).join('') }
  }

  #inside(source: string, line: number): Expression {
    return this.#deeper(() => {
      try {
        const parser = new Parser(tokensOf(source.trim()))
        parser.#depth = this.#depth
        return parser.alone()
      } catch (error) {
        if (error instanceof ProgramError) throw new ProgramError(line, `in an f-string: ${error.reason}`)
        throw error
      }
    })
  }

  #bracketed(): Expression {
    const { line } = this.#peek()
    if (this.#take(')')) return { kind: 'tuple', line, items: [] }
    const first = this.#item()
    const loops = this.#loops()
    if (loops.length > 0) {
      this.#expect(')')
      return { kind: 'comprehension', line, of: 'list', key: null, value: first.value, loops }
    }
    if (this.#take(')')) return first.value
    const items = [first]
    while (this.#take(',')) {
      if (this.#is(')')) break
      items.push(this.#item())
    }
    this.#expect(')')
    return { kind: 'tuple', line, items }
  }

  #list(): Expression {
    const { line } = this.#peek()
    const items: Item[] = []
    while (!this.#is(']')) {
      items.push(this.#item())
      const loops = items.length === 1 ? this.#loops() : []
      if (loops.length > 0) {
        this.#expect(']')
        return { kind: 'comprehension', line, of: 'list', key: null, value: items[0]!.value, loops }
      }
      if (!this.#take(',')) break
    }
    this.#expect(']')
    return { kind: 'list', line, items }
  }

  #dict(): Expression {
    const { line } = this.#peek()
    const entries: { key: Expression | null; value: Expression }[] = []
    while (!this.#is('}')) {
      if (this.#take('**')) entries.push({ key: null, value: this.#expression() })
      else {
        const key = this.#expression()
        if (!this.#take(':')) throw new ProgramError(line, 'sets are not supported; use a list')
        const value = this.#expression()
        const loops = entries.length === 0 ? this.#loops() : []
        if (loops.length > 0) {
          this.#expect('}')
          return { kind: 'comprehension', line, of: 'dict', key, value, loops }
        }
        entries.push({ key, value })
      }
      if (!this.#take(',')) break
    }
    this.#expect('}')
    return { kind: 'dict', line, entries }
  }

  /** The parser walks as deep as the program nests: not deeper than our own stack can bear. */
  #deeper<T>(work: () => T): T {
    this.#depth += 1
    if (this.#depth > LIMITS.depth) throw new ProgramError(this.#peek().line, 'the program is nested too deep')
    const result = work()
    this.#depth -= 1
    return result
  }

  #peek(): Token {
    return this.#tokens[Math.min(this.#at, this.#tokens.length - 1)]!
  }

  #is(operator: string): boolean {
    const token = this.#peek()
    return token.kind === 'operator' && token.text === operator
  }

  #take(operator: string): boolean {
    if (!this.#is(operator)) return false
    this.#at += 1
    return true
  }

  #expect(operator: string): void {
    if (!this.#take(operator)) throw this.#unexpected(`"${operator}"`)
  }

  #takeKeyword(word: string): boolean {
    const token = this.#peek()
    if (token.kind !== 'keyword' || token.text !== word) return false
    this.#at += 1
    return true
  }

  #keyword(word: string): void {
    if (!this.#takeKeyword(word)) throw this.#unexpected(`"${word}"`)
  }

  #name(): string {
    const token = this.#peek()
    if (token.kind !== 'name') throw this.#unexpected('a name')
    this.#at += 1
    return token.text
  }

  #endOfLine(): void {
    if (this.#peek().kind !== 'newline') throw this.#unexpected('the end of the line')
    this.#at += 1
  }

  #unexpected(expected: string): ProgramError {
    const token = this.#peek()
    const found =
      'text' in token ? `"${token.text}"` : token.kind === 'number' ? `the number ${token.value}` : `a ${token.kind}`
    return new ProgramError(token.line, `expected ${expected}, found ${found}`)
  }
}
