/** Expressions, from words to tree. */
import { ProgramError } from './problem.ts'
import { TokenReader } from './token-reader.ts'
import { tokensOf } from './tokens.ts'
import type { Expression, Item, Loop, Parameter } from './tree.ts'

const COMPARISONS = new Set(['==', '!=', '<', '>', '<=', '>='])
const BINARY: readonly ReadonlySet<string>[] = [new Set(['+', '-']), new Set(['*', '/', '//', '%', '@'])]

export class ExpressionParser {
  readonly #tokens: TokenReader

  constructor(tokens: TokenReader) {
    this.#tokens = tokens
  }

  /** The inside of an f-string's braces. */
  alone(): Expression {
    const value = this.many()
    if (this.#tokens.peek().kind === 'newline') this.#tokens.step()
    if (this.#tokens.peek().kind !== 'end') throw this.#tokens.unexpected('the end of the expression')
    return value
  }

  /** One expression, or several with commas between them as a tuple. */
  many(): Expression {
    const { line } = this.#tokens.peek()
    const first = this.#item()
    if (!this.#tokens.is(',')) {
      if (first.isSpread) throw new ProgramError(line, '"*" has no meaning here')
      return first.value
    }
    const items = [first]
    while (this.#tokens.take(',')) {
      const next = this.#tokens.peek()
      if (next.kind === 'newline' || (next.kind === 'operator' && ['=', ')', ']', '}', ':'].includes(next.text))) break
      items.push(this.#item())
    }
    return { kind: 'tuple', line, items }
  }

  #item(): Item {
    return this.#tokens.take('*') ? { value: this.one(), isSpread: true } : { value: this.one(), isSpread: false }
  }

  targets(): Expression {
    const { line } = this.#tokens.peek()
    const items: Item[] = []
    do {
      if (this.#tokens.peek().kind === 'keyword') break
      items.push({ value: this.#postfix(), isSpread: false })
    } while (this.#tokens.take(','))
    const target: Expression = items.length === 1 ? items[0]!.value : { kind: 'tuple', line, items }
    this.checkTarget(target)
    return target
  }

  checkTarget(target: Expression): void {
    if (target.kind === 'name' || target.kind === 'subscript' || target.kind === 'attribute') return
    if (target.kind === 'tuple' || target.kind === 'list') {
      for (const { value } of target.items) this.checkTarget(value)
      return
    }
    throw new ProgramError(target.line, 'nothing can be assigned to this expression')
  }

  one(): Expression {
    return this.#tokens.deeper(() => {
      const { line } = this.#tokens.peek()
      if (this.#tokens.takeKeyword('lambda')) {
        const parameters = this.parameters(':', false)
        this.#tokens.expect(':')
        return { kind: 'lambda', line, parameters, body: this.one() }
      }
      const value = this.#or()
      if (!this.#tokens.takeKeyword('if')) return value
      const test = this.#or()
      this.#tokens.keyword('else')
      return { kind: 'choice', line, test, yes: value, no: this.one() }
    })
  }

  parameters(end: string, typed: boolean): Parameter[] {
    const parameters: Parameter[] = []
    while (!this.#tokens.is(end)) {
      const stars = this.#tokens.take('**') ? 2 : this.#tokens.take('*') ? 1 : 0
      if (stars === 1 && this.#tokens.take(',')) continue
      const name = this.#tokens.name()
      if (typed && this.#tokens.take(':')) this.one()
      parameters.push({ name, otherwise: this.#tokens.take('=') ? this.one() : null, stars })
      if (!this.#tokens.take(',')) break
    }
    return parameters
  }

  #or(): Expression {
    let left = this.#and()
    while (this.#tokens.takeKeyword('or')) left = { kind: 'or', line: left.line, left, right: this.#and() }
    return left
  }

  #and(): Expression {
    let left = this.#not()
    while (this.#tokens.takeKeyword('and')) left = { kind: 'and', line: left.line, left, right: this.#not() }
    return left
  }

  #not(): Expression {
    const { line } = this.#tokens.peek()
    if (this.#tokens.takeKeyword('not'))
      return this.#tokens.deeper(() => ({ kind: 'unary', line, operator: 'not', value: this.#not() }))
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
    const token = this.#tokens.peek()
    if (token.kind === 'operator' && COMPARISONS.has(token.text)) {
      this.#tokens.step()
      return token.text
    }
    if (this.#tokens.takeKeyword('in')) return 'in'
    if (this.#tokens.takeKeyword('is')) return this.#tokens.takeKeyword('not') ? 'is not' : 'is'
    if (token.kind === 'keyword' && token.text === 'not') {
      this.#tokens.step()
      this.#tokens.keyword('in')
      return 'not in'
    }
    return null
  }

  #sum(level: number): Expression {
    const operators = BINARY[level]
    if (!operators) return this.#unary()
    let left = this.#sum(level + 1)
    for (;;) {
      const token = this.#tokens.peek()
      if (token.kind !== 'operator' || !operators.has(token.text)) return left
      this.#tokens.step()
      left = { kind: 'binary', line: token.line, operator: token.text, left, right: this.#sum(level + 1) }
    }
  }

  #unary(): Expression {
    const token = this.#tokens.peek()
    if (token.kind === 'operator' && (token.text === '-' || token.text === '+')) {
      const operator = token.text
      this.#tokens.step()
      return this.#tokens.deeper(() => ({ kind: 'unary', line: token.line, operator, value: this.#unary() }))
    }
    const base = this.#postfix()
    if (!this.#tokens.take('**')) return base
    return this.#tokens.deeper(() => ({
      kind: 'binary',
      line: token.line,
      operator: '**',
      left: base,
      right: this.#unary(),
    }))
  }

  #postfix(): Expression {
    let value = this.#atom()
    for (;;) {
      const { line } = this.#tokens.peek()
      if (this.#tokens.take('.')) value = { kind: 'attribute', line, value, name: this.#tokens.name() }
      else if (this.#tokens.take('(')) value = this.#call(value, line)
      else if (this.#tokens.take('[')) {
        value = { kind: 'subscript', line, value, index: this.#index() }
        this.#tokens.expect(']')
      } else return value
    }
  }

  #index(): Expression {
    const { line } = this.#tokens.peek()
    const parts: (Expression | null)[] = []
    let isSlice = false
    for (;;) {
      parts.push(this.#tokens.is(':') || this.#tokens.is(']') ? null : this.many())
      if (!this.#tokens.take(':')) break
      isSlice = true
    }
    if (isSlice) return { kind: 'slice', line, from: parts[0] ?? null, to: parts[1] ?? null, step: parts[2] ?? null }
    if (!parts[0]) throw this.#tokens.unexpected('an index')
    return parts[0]
  }

  #call(callee: Expression, line: number): Expression {
    const args: Item[] = []
    const named: { name: string | null; value: Expression }[] = []
    while (!this.#tokens.is(')')) {
      const token = this.#tokens.peek()
      const next = this.#tokens.peek(1)
      if (this.#tokens.take('**')) named.push({ name: null, value: this.one() })
      else if (token.kind === 'name' && next.kind === 'operator' && next.text === '=') {
        const name = this.#tokens.name()
        this.#tokens.expect('=')
        named.push({ name, value: this.one() })
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
      if (!this.#tokens.take(',')) break
    }
    this.#tokens.expect(')')
    return { kind: 'call', line, callee, args, named }
  }

  #loops(): Loop[] {
    const loops: Loop[] = []
    while (this.#tokens.takeKeyword('for')) {
      const target = this.targets()
      this.#tokens.keyword('in')
      const over = this.#or()
      const conditions: Expression[] = []
      while (this.#tokens.takeKeyword('if')) conditions.push(this.#or())
      loops.push({ target, over, conditions })
    }
    return loops
  }

  #atom(): Expression {
    const token = this.#tokens.peek()
    const { line } = token
    if (token.kind === 'string' || token.kind === 'format') return this.#text()
    if (this.#tokens.take('(')) return this.#bracketed()
    if (this.#tokens.take('[')) return this.#list()
    if (this.#tokens.take('{')) return this.#dict()
    if (token.kind === 'name') return { kind: 'name', line, name: this.#tokens.name() }
    if (this.#tokens.takeKeyword('True')) return { kind: 'constant', line, value: true }
    if (this.#tokens.takeKeyword('False')) return { kind: 'constant', line, value: false }
    if (this.#tokens.takeKeyword('None')) return { kind: 'constant', line, value: null }
    if (token.kind !== 'number') throw this.#tokens.unexpected('an expression')
    this.#tokens.step()
    return { kind: 'constant', line, value: token.value }
  }

  /** Texts that stand side by side are one. */
  #text(): Expression {
    const { line } = this.#tokens.peek()
    const pieces: ({ text: string } | { value: Expression; spec: string })[] = []
    let isFormat = false
    for (;;) {
      const token = this.#tokens.peek()
      if (token.kind === 'string') pieces.push({ text: token.value })
      else if (token.kind === 'format') {
        isFormat = true
        for (const piece of token.pieces) {
          if ('text' in piece) pieces.push(piece)
          else pieces.push({ value: this.#inside(piece.source, token.line), spec: piece.spec })
        }
      } else break
      this.#tokens.step()
    }
    if (isFormat) return { kind: 'format', line, pieces }
    return { kind: 'constant', line, value: pieces.map((piece) => ('text' in piece ? piece.text : '')).join('') }
  }

  #inside(source: string, line: number): Expression {
    return this.#tokens.deeper(() => {
      try {
        return new ExpressionParser(new TokenReader(tokensOf(source.trim()), this.#tokens.depth)).alone()
      } catch (error) {
        if (error instanceof ProgramError) throw new ProgramError(line, `in an f-string: ${error.reason}`)
        throw error
      }
    })
  }

  #bracketed(): Expression {
    const { line } = this.#tokens.peek()
    if (this.#tokens.take(')')) return { kind: 'tuple', line, items: [] }
    const first = this.#item()
    const loops = this.#loops()
    if (loops.length > 0) {
      this.#tokens.expect(')')
      return { kind: 'comprehension', line, of: 'list', key: null, value: first.value, loops }
    }
    if (this.#tokens.take(')')) return first.value
    const items = [first]
    while (this.#tokens.take(',')) {
      if (this.#tokens.is(')')) break
      items.push(this.#item())
    }
    this.#tokens.expect(')')
    return { kind: 'tuple', line, items }
  }

  #list(): Expression {
    const { line } = this.#tokens.peek()
    const items: Item[] = []
    while (!this.#tokens.is(']')) {
      items.push(this.#item())
      const loops = items.length === 1 ? this.#loops() : []
      if (loops.length > 0) {
        this.#tokens.expect(']')
        return { kind: 'comprehension', line, of: 'list', key: null, value: items[0]!.value, loops }
      }
      if (!this.#tokens.take(',')) break
    }
    this.#tokens.expect(']')
    return { kind: 'list', line, items }
  }

  #dict(): Expression {
    const { line } = this.#tokens.peek()
    const entries: { key: Expression | null; value: Expression }[] = []
    while (!this.#tokens.is('}')) {
      if (this.#tokens.take('**')) entries.push({ key: null, value: this.one() })
      else {
        const key = this.one()
        if (!this.#tokens.take(':')) throw new ProgramError(line, 'sets are not supported; use a list')
        const value = this.one()
        const loops = entries.length === 0 ? this.#loops() : []
        if (loops.length > 0) {
          this.#tokens.expect('}')
          return { kind: 'comprehension', line, of: 'dict', key, value, loops }
        }
        entries.push({ key, value })
      }
      if (!this.#tokens.take(',')) break
    }
    this.#tokens.expect('}')
    return { kind: 'dict', line, entries }
  }
}
