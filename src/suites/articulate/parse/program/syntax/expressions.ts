/** Expressions, by precedence. */
import type { RawPiece } from './literals.ts'
import { ProgramError } from './problem.ts'
import { namesOf, Reader } from './reader.ts'
import { tokensOf } from './tokens.ts'
import type { Code, Expression, FormatPiece, Item, Loop, Parameter } from './tree.ts'

/** Binary operators and how tightly they bind. */
const PRECEDENCE: ReadonlyMap<string, number> = new Map([
  ['|', 1],
  ['^', 2],
  ['&', 3],
  ['<<', 4],
  ['>>', 4],
  ['+', 5],
  ['-', 5],
  ['*', 6],
  ['/', 6],
  ['//', 6],
  ['%', 6],
  ['@', 6],
])
const COMPARISONS: ReadonlySet<string> = new Set(['<', '>', '==', '>=', '<=', '!=', 'in', 'not', 'is'])

export class ExpressionParser {
  readonly reader: Reader

  constructor(reader: Reader) {
    this.reader = reader
  }

  /** One expression, or several with commas between them: a tuple. */
  expressions(): Expression {
    const { reader } = this
    const { line } = reader
    const first = this.item()
    if (!reader.is(',')) {
      if (first.isSpread) throw reader.wrong("can't use starred expression here", line)
      return first.value
    }
    const items = [first]
    while (reader.take(',')) {
      if (!this.startsExpression()) break
      items.push(this.item())
    }
    return { kind: 'tuple', items, line }
  }

  startsExpression(): boolean {
    const { token, word } = this.reader
    if (token.kind === 'name' || token.kind === 'number' || token.kind === 'string') return true
    return word !== null && EXPRESSION_STARTS.has(word)
  }

  /** With a star or a name of its own (`:=`). */
  item(): Item {
    const { reader } = this
    if (reader.take('*')) return { value: this.binary(1), isSpread: true }
    return { value: this.named(), isSpread: false }
  }

  named(): Expression {
    const { reader } = this
    const { line } = reader
    const value = this.expression()
    if (!reader.is(':=')) return value
    if (value.kind !== 'name') throw reader.wrong('cannot use assignment expressions with this target')
    reader.next()
    reader.bind(value.name)
    return { kind: 'walrus', name: value.name, value: this.expression(), line }
  }

  expression(): Expression {
    return this.reader.deeper(() => {
      const { reader } = this
      if (reader.is('lambda')) return this.#lambda()
      if (reader.is('yield')) throw new ProgramError(reader.line, '`yield` inside an expression is not supported')
      const { line } = reader
      const value = this.#or()
      if (!reader.take('if')) return value
      const test = this.#or()
      reader.expect('else', "expected 'else' after 'if' expression")
      return { kind: 'choice', test, yes: value, no: this.expression(), line }
    })
  }

  #or(): Expression {
    return this.#chain('or', () => this.#chain('and', () => this.#not()))
  }

  #chain(kind: 'and' | 'or', next: () => Expression): Expression {
    const { line } = this.reader
    const first = next()
    if (!this.reader.is(kind)) return first
    const values = [first]
    while (this.reader.take(kind)) values.push(next())
    return { kind, values, line }
  }

  #not(): Expression {
    const { reader } = this
    const { line } = reader
    if (!reader.take('not')) return this.#comparison()
    return { kind: 'unary', operator: 'not', value: reader.deeper(() => this.#not()), line }
  }

  #comparison(): Expression {
    const { reader } = this
    const { line } = reader
    const first = this.binary(1)
    const rest: { operator: string; value: Expression }[] = []
    for (let { word } = reader; word !== null && COMPARISONS.has(word); { word } = reader) {
      if (word === 'not' && !(reader.peek().kind === 'keyword' && wordOf(reader.peek()) === 'in')) break
      reader.next()
      let operator = word
      if (word === 'not') {
        reader.next()
        operator = 'not in'
      } else if (word === 'is' && reader.take('not')) operator = 'is not'
      rest.push({ operator, value: this.binary(1) })
    }
    return rest.length === 0 ? first : { kind: 'compare', first, rest, line }
  }

  binary(least: number): Expression {
    const { reader } = this
    const { line } = reader
    let left = this.#unary()
    for (;;) {
      const { word } = reader
      const tightness = word === null ? undefined : PRECEDENCE.get(word)
      if (word === null || tightness === undefined || tightness < least) return left
      reader.next()
      const right = reader.deeper(() => this.binary(tightness + 1))
      left = { kind: 'binary', operator: word, left, right, line }
    }
  }

  #unary(): Expression {
    const { reader } = this
    const { line, word } = reader
    if (word === '-' || word === '+' || word === '~') {
      reader.next()
      return { kind: 'unary', operator: word, value: reader.deeper(() => this.#unary()), line }
    }
    if (word === 'await') throw new ProgramError(line, '`await` is not supported')
    const base = this.#primary()
    if (!reader.take('**')) return base
    return { kind: 'binary', operator: '**', left: base, right: reader.deeper(() => this.#unary()), line }
  }

  #primary(): Expression {
    const { reader } = this
    const { line } = reader
    let value = this.#atom()
    for (;;) {
      if (reader.take('.')) {
        const nameLine = reader.line
        value = { kind: 'attribute', value, name: reader.name(), nameLine, line }
      } else if (reader.is('(')) value = { ...this.arguments(), kind: 'call', callee: value, line }
      else if (reader.take('[')) {
        const index = reader.deeper(() => this.#index())
        reader.expect(']')
        value = { kind: 'subscript', value, index, line }
      } else return value
    }
  }

  #index(): Expression {
    const { reader } = this
    const { line } = reader
    const first = this.#sliceOrItem()
    if (!reader.is(',') && !first.isSpread) return first.value
    const items = [first]
    while (reader.take(',')) {
      if (reader.is(']')) break
      items.push(this.#sliceOrItem())
    }
    return { kind: 'tuple', items, line }
  }

  #sliceOrItem(): Item {
    const { reader } = this
    const { line } = reader
    const isEnd = (): boolean => reader.is(':', ']', ',')
    const from = isEnd() ? null : this.item()
    if (!reader.is(':')) {
      if (!from) throw reader.wrong()
      return from
    }
    if (from?.isSpread) throw reader.wrong()
    reader.next()
    const to = isEnd() ? null : this.expression()
    const step = reader.take(':') && !isEnd() ? this.expression() : null
    return { value: { kind: 'slice', from: from?.value ?? null, to, step, line }, isSpread: false }
  }

  /** `(…)` of a call or of a class's bases. */
  arguments(): Pick<Extract<Expression, { kind: 'call' }>, 'args' | 'named'> {
    const { reader } = this
    reader.expect('(')
    const args: Item[] = []
    const named: { name: string | null; value: Expression; line: number }[] = []
    reader.deeper(() => {
      while (!reader.is(')')) {
        const { line } = reader
        if (reader.take('**')) named.push({ name: null, value: this.expression(), line })
        else if (reader.token.kind === 'name' && wordOf(reader.peek()) === '=') {
          const name = reader.name()
          reader.next()
          if (named.some((other) => other.name === name)) throw reader.wrong(`keyword argument repeated: ${name}`, line)
          named.push({ name, value: this.expression(), line })
        } else {
          const item = this.item()
          if (reader.is('for')) {
            const value = this.#comprehension('generator', null, item.value, line)
            if (args.length + named.length > 0 || !reader.is(')'))
              throw reader.wrong('Generator expression must be parenthesized', line)
            args.push({ value, isSpread: false })
            break
          }
          if (reader.is('=')) throw reader.wrong('expression cannot contain assignment, perhaps you meant "=="?')
          if (!item.isSpread && named.some(({ name }) => name !== null))
            throw reader.wrong('positional argument follows keyword argument', line)
          if (named.some(({ name }) => name === null))
            throw reader.wrong(
              item.isSpread
                ? 'iterable argument unpacking follows keyword argument unpacking'
                : 'positional argument follows keyword argument unpacking',
              line,
            )
          args.push(item)
        }
        if (!reader.take(',')) break
      }
    })
    reader.expect(')', 'invalid syntax. Perhaps you forgot a comma?')
    return { args, named }
  }

  #atom(): Expression {
    const { reader } = this
    const { token } = reader
    const { line } = token
    switch (token.kind) {
      case 'name':
        reader.next()
        return { kind: 'name', name: token.text, line }
      case 'number':
        reader.next()
        return { kind: 'constant', value: token.value, line }
      case 'string':
        return this.#strings()
      case 'keyword':
        if (token.text === 'None' || token.text === 'True' || token.text === 'False') {
          reader.next()
          return { kind: 'constant', value: token.text === 'None' ? null : token.text === 'True', line }
        }
        throw reader.wrong()
      case 'operator':
        break
      case 'newline':
      case 'indent':
      case 'dedent':
      case 'end':
        throw reader.wrong()
    }
    if (reader.take('...')) return { kind: 'ellipsis', line }
    if (reader.take('(')) return reader.deeper(() => this.#parenthesized(line))
    if (reader.take('[')) return reader.deeper(() => this.#listed(line))
    if (reader.take('{')) return reader.deeper(() => this.#braced(line))
    throw reader.wrong()
  }

  #parenthesized(line: number): Expression {
    const { reader } = this
    if (reader.take(')')) return { kind: 'tuple', items: [], line }
    if (reader.is('yield')) throw new ProgramError(line, '`yield` inside an expression is not supported')
    const first = this.item()
    if (reader.is('for', 'async')) {
      const made = this.#comprehension('generator', null, first.value, line)
      reader.expect(')')
      return made
    }
    if (reader.take(')')) {
      if (first.isSpread) throw reader.wrong('cannot use starred expression here', line)
      return first.value
    }
    const items = this.#rest(first, ')')
    return { kind: 'tuple', items, line }
  }

  #listed(line: number): Expression {
    const { reader } = this
    if (reader.take(']')) return { kind: 'list', items: [], line }
    const first = this.item()
    if (reader.is('for', 'async')) {
      if (first.isSpread) throw reader.wrong('iterable unpacking cannot be used in comprehension')
      const made = this.#comprehension('list', null, first.value, line)
      reader.expect(']')
      return made
    }
    return { kind: 'list', items: this.#rest(first, ']'), line }
  }

  /** The items after the first, up to a closing bracket. */
  #rest(first: Item, close: string): Item[] {
    const { reader } = this
    const items = [first]
    while (!reader.take(close)) {
      reader.expect(',', 'invalid syntax. Perhaps you forgot a comma?')
      if (reader.take(close)) break
      items.push(this.item())
    }
    return items
  }

  #braced(line: number): Expression {
    const { reader } = this
    if (reader.take('}')) return { kind: 'dict', entries: [], line }
    if (!reader.is('**')) {
      const first = this.item()
      if (first.isSpread || !reader.is(':')) {
        if (!reader.is('for', 'async')) return { kind: 'set', items: this.#rest(first, '}'), line }
        const made = this.#comprehension('set', null, first.value, line)
        reader.expect('}')
        return made
      }
      reader.next()
      const value = this.expression()
      if (reader.is('for', 'async')) {
        const made = this.#comprehension('dict', first.value, value, line)
        reader.expect('}')
        return made
      }
      return { kind: 'dict', entries: this.#entries([{ key: first.value, value }]), line }
    }
    reader.next()
    return { kind: 'dict', entries: this.#entries([{ key: null, value: this.binary(1) }]), line }
  }

  #entries(entries: { key: Expression | null; value: Expression }[]): { key: Expression | null; value: Expression }[] {
    const { reader } = this
    while (!reader.take('}')) {
      reader.expect(',', 'invalid syntax. Perhaps you forgot a comma?')
      if (reader.take('}')) break
      if (reader.take('**')) entries.push({ key: null, value: this.binary(1) })
      else {
        const key = this.expression()
        reader.expect(':', "':' expected after dictionary key")
        entries.push({ key, value: this.expression() })
      }
    }
    return entries
  }

  #comprehension(
    of: 'list' | 'dict' | 'set' | 'generator',
    key: Expression | null,
    value: Expression,
    line: number,
  ): Expression {
    const { reader } = this
    const loops: Loop[] = []
    const names = new Set<string>()
    while (reader.is('for', 'async')) {
      if (reader.is('async')) throw new ProgramError(reader.line, '`async` is not supported')
      reader.next()
      const target = this.targets()
      for (const name of boundBy(target)) names.add(name)
      reader.expect('in')
      const over = this.#or()
      const conditions: Expression[] = []
      while (reader.take('if')) {
        const { line: at } = reader
        const condition = this.#or()
        if (!reader.is(':=')) conditions.push(condition)
        else {
          if (condition.kind !== 'name') throw reader.wrong()
          reader.next()
          reader.bind(condition.name)
          conditions.push({ kind: 'walrus', name: condition.name, value: this.expression(), line: at })
        }
      }
      loops.push({ target, over, conditions })
    }
    return { kind: 'comprehension', of, key, value, loops, names, line }
  }

  /** What `for` assigns to: no comparison, or `in` would be part of it. */
  targets(): Expression {
    const { reader } = this
    const { line } = reader
    const one = (): Item => {
      const isSpread = reader.take('*')
      return { value: this.binary(1), isSpread }
    }
    const first = one()
    let target: Expression = first.value
    if (reader.is(',') || first.isSpread) {
      const items = [first]
      while (reader.take(',')) {
        if (reader.is('in', '=')) break
        items.push(one())
      }
      target = { kind: 'tuple', items, line }
    }
    this.assignable(target)
    return target
  }

  /** Throws where nothing can be assigned. */
  assignable(target: Expression, verb = 'assign to'): void {
    const { reader } = this
    if (target.kind === 'name' || target.kind === 'attribute' || target.kind === 'subscript') return
    if (target.kind === 'list' || target.kind === 'tuple') {
      if (verb === 'assign to' && target.items.filter(({ isSpread }) => isSpread).length > 1)
        throw reader.wrong('multiple starred expressions in assignment', target.line)
      for (const { value } of target.items) this.assignable(value, verb)
      return
    }
    throw reader.wrong(`cannot ${verb} ${described(target)}`, target.line)
  }

  #lambda(): Expression {
    const { reader } = this
    const { line } = reader
    reader.next()
    const parameters = this.parameters(':')
    reader.expect(':')
    const names = namesOf('lambda')
    for (const { name } of parameters) names.bound.add(name)
    reader.scopes.push(names)
    const body = this.expression()
    reader.scopes.pop()
    const code: Code = {
      name: '<lambda>',
      parameters,
      locals: names.bound,
      globals: names.globals,
      isGenerator: false,
    }
    return { kind: 'lambda', code, body, line }
  }

  /** Parameters of a function up to, not including, what closes them. Annotations are read and dropped. */
  parameters(close: ')' | ':'): Parameter[] {
    const { reader } = this
    const parameters: Parameter[] = []
    let kind: 'both' | 'named' = 'both'
    let hasDefault = false
    const add = (name: string, how: Parameter['kind'], otherwise: Expression | null, line: number): void => {
      if (parameters.some((other) => other.name === name))
        throw reader.wrong(`duplicate argument '${name}' in function definition`, line)
      parameters.push({ name, otherwise, kind: how })
    }
    const annotated = (): void => {
      if (close === ')' && reader.take(':')) this.item()
    }
    while (!reader.is(close)) {
      const { line } = reader
      if (reader.take('**')) {
        add(reader.name(), 'others', null, line)
        annotated()
        reader.take(',')
        if (!reader.is(close)) throw reader.wrong('arguments cannot follow var-keyword argument')
        break
      }
      if (reader.take('*')) {
        if (kind === 'named') throw reader.wrong('* argument may appear only once', line)
        kind = 'named'
        if (reader.is(',')) {
          if (wordOf(reader.peek()) === close) throw reader.wrong('named arguments must follow bare *')
        } else {
          add(reader.name(), 'rest', null, line)
          annotated()
        }
      } else if (reader.take('/')) {
        if (parameters.length === 0) throw reader.wrong('at least one argument must precede /', line)
        parameters.splice(0, parameters.length, ...parameters.map((one) => ({ ...one, kind: 'positional' as const })))
      } else {
        const name = reader.name()
        annotated()
        const otherwise = reader.take('=') ? this.expression() : null
        if (otherwise) hasDefault = true
        else if (hasDefault && kind === 'both')
          throw reader.wrong('non-default argument follows default argument', line)
        add(name, kind, otherwise, line)
      }
      if (!reader.take(',')) break
    }
    return parameters
  }

  /** Strings side by side are one. */
  #strings(): Expression {
    const { reader } = this
    const { line } = reader
    const pieces: FormatPiece[] = []
    let isFormat = false
    for (let { token } = reader; token.kind === 'string'; { token } = reader) {
      isFormat ||= token.isFormat
      pieces.push(...this.#pieces(token.pieces))
      reader.next()
    }
    if (isFormat) return { kind: 'format', pieces, line }
    return { kind: 'constant', value: pieces.map((piece) => ('text' in piece ? piece.text : '')).join(''), line }
  }

  #pieces(raw: readonly RawPiece[]): FormatPiece[] {
    return raw.map((piece) => {
      if ('text' in piece) return piece
      const reader = new Reader(
        tokensOf(`(${piece.source})`, piece.line),
        // What is named inside is named in the function around it.
        this.reader.scopes,
      )
      const value = this.reader.deeper(() => new ExpressionParser(reader).expressions())
      if (reader.token.kind !== 'newline') throw reader.wrong('f-string: invalid syntax')
      const spec = this.reader.deeper(() => this.#pieces(piece.spec))
      return { value, conversion: piece.conversion, spec, debug: piece.debug }
    })
  }
}

const EXPRESSION_STARTS: ReadonlySet<string> = new Set(
  '( [ { - + ~ not lambda None True False ... * await yield'.split(' '),
)

const DESCRIBED: Readonly<Record<string, string>> = {
  call: 'function call',
  lambda: 'lambda',
  compare: 'comparison',
  choice: 'conditional expression',
  format: 'f-string expression',
  dict: 'dict literal',
  set: 'set display',
  ellipsis: 'ellipsis',
  comprehension: 'comprehension',
  walrus: 'named expression',
}

function described(target: Expression): string {
  if (target.kind !== 'constant') return DESCRIBED[target.kind] ?? 'expression'
  if (target.value === null) return 'None'
  return typeof target.value === 'boolean' ? (target.value ? 'True' : 'False') : 'literal'
}

export function wordOf(token: { kind: string; text?: string }): string | null {
  return token.kind === 'operator' || token.kind === 'keyword' ? (token.text ?? null) : null
}

/** The names that a target binds. */
export function boundBy(target: Expression): string[] {
  if (target.kind === 'name') return [target.name]
  if (target.kind === 'tuple' || target.kind === 'list') return target.items.flatMap(({ value }) => boundBy(value))
  return []
}
