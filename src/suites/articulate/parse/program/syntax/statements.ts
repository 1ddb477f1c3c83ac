/** Statements. What is not valid Python is an error here, with CPython's message where it has one. */
import { boundBy, ExpressionParser, wordOf } from './expressions.ts'
import { PatternParser } from './patterns.ts'
import { ProgramError } from './problem.ts'
import { type Names, namesOf, Reader } from './reader.ts'
import { type Token, tokensOf } from './tokens.ts'
import type { Code, Expression, Handler, Statement } from './tree.ts'

export function parseProgram(source: string): Statement[] {
  return new Parser(source).module()
}

const AUGMENTED: ReadonlySet<string> = new Set('+= -= *= /= //= %= **= @= &= |= ^= >>= <<='.split(' '))

class Parser {
  readonly #reader: Reader
  readonly #expressions: ExpressionParser
  readonly #patterns: PatternParser

  constructor(source: string) {
    this.#reader = new Reader(tokensOf(source))
    this.#expressions = new ExpressionParser(this.#reader)
    this.#patterns = new PatternParser(this.#expressions)
  }

  module(): Statement[] {
    const statements: Statement[] = []
    while (this.#reader.token.kind !== 'end') statements.push(...this.#statement())
    return statements
  }

  #statement(): Statement[] {
    const reader = this.#reader
    const { token } = reader
    if (token.kind === 'indent') throw new ProgramError(token.line, 'IndentationError: unexpected indent')
    const compound = reader.deeper(() => this.#compound())
    return compound ? [compound] : this.#line()
  }

  /** Statements up to the end of the line. */
  #line(): Statement[] {
    const reader = this.#reader
    const statements = [this.#simple()]
    while (reader.take(';')) {
      if (reader.token.kind === 'newline') break
      statements.push(this.#simple())
    }
    if (reader.token.kind !== 'newline') throw reader.wrong()
    reader.next()
    return statements
  }

  #block(after: string): Statement[] {
    const reader = this.#reader
    const { line } = reader
    reader.expect(':')
    if (!this.#is('newline')) return this.#line()
    reader.next()
    if (!this.#is('indent'))
      throw new ProgramError(reader.line, `IndentationError: expected an indented block after ${after} on line ${line}`)
    reader.next()
    const statements: Statement[] = []
    while (reader.token.kind !== 'dedent' && reader.token.kind !== 'end') statements.push(...this.#statement())
    if (reader.token.kind === 'dedent') reader.next()
    return statements
  }

  /** The body of a loop, in which `break` may stand. */
  #loop(after: string): Statement[] {
    const { scope } = this.#reader
    scope.loops += 1
    const body = this.#block(after)
    scope.loops -= 1
    return body
  }

  #otherwise(after = "'else' statement"): Statement[] {
    return this.#reader.take('else') ? this.#block(after) : []
  }

  #compound(): Statement | null {
    const reader = this.#reader
    const { line, word } = reader
    switch (word) {
      case 'if':
        return this.#if()
      case 'while': {
        reader.next()
        const test = this.#expressions.named()
        return { kind: 'while', test, body: this.#loop("'while' statement"), otherwise: this.#otherwise(), line }
      }
      case 'for': {
        reader.next()
        const target = this.#expressions.targets()
        this.#bind(target)
        reader.expect('in')
        const over = this.#expressions.expressions()
        return { kind: 'for', target, over, body: this.#loop("'for' statement"), otherwise: this.#otherwise(), line }
      }
      case 'try':
        return this.#try()
      case 'with':
        return this.#with()
      case 'def':
      case 'class':
      case '@':
        return this.#decorated()
      case 'async':
        throw new ProgramError(line, '`async` is not supported')
      case null:
      default:
        return this.#isMatch() ? this.#match() : null
    }
  }

  #if(): Statement {
    const reader = this.#reader
    const { line, word } = reader
    reader.next()
    const test = this.#expressions.named()
    const body = this.#block(`'${word}' statement`)
    if (reader.is('elif')) {
      // The tree of a long chain of `elif` must not be as deep as the chain is long.
      const chain: Extract<Statement, { kind: 'if' }>[] = []
      while (reader.is('elif')) {
        const { line: at } = reader
        reader.next()
        const other = this.#expressions.named()
        chain.push({ kind: 'if', test: other, body: this.#block("'elif' statement"), otherwise: [], line: at })
      }
      const last = this.#otherwise()
      const otherwise = chain.reduceRight<Statement[]>((rest, one) => [{ ...one, otherwise: rest }], last)
      return { kind: 'if', test, body, otherwise, line }
    }
    return { kind: 'if', test, body, otherwise: this.#otherwise(), line }
  }

  #try(): Statement {
    const reader = this.#reader
    const { line } = reader
    reader.next()
    const body = this.#block("'try' statement")
    const handlers: Handler[] = []
    while (reader.is('except')) {
      const { line: at } = reader
      reader.next()
      if (reader.is('*')) throw new ProgramError(at, '`except*` is not supported')
      if (handlers.at(-1)?.type === null) throw reader.wrong("default 'except:' must be last", at)
      let type: Expression | null = null
      let name: string | null = null
      if (!reader.is(':')) {
        type = this.#expressions.expression()
        if (reader.is(',')) throw reader.wrong('multiple exception types must be parenthesized')
        if (reader.take('as')) {
          name = reader.name()
          reader.bind(name)
        }
      }
      handlers.push({ type, name, body: this.#block("'except' statement"), line: at })
    }
    const otherwise = handlers.length > 0 ? this.#otherwise() : []
    const hasLast = reader.take('finally')
    const last = hasLast ? this.#block("'finally' statement") : []
    if (handlers.length === 0 && !hasLast) throw reader.wrong("expected 'except' or 'finally' block")
    return { kind: 'try', body, handlers, otherwise, last, line }
  }

  #with(): Statement {
    const reader = this.#reader
    const { line } = reader
    reader.next()
    const items: { value: Expression; target: Expression | null }[] = []
    const isWrapped = reader.is('(') && this.#closesBeforeColon()
    if (isWrapped) reader.next()
    do {
      if (isWrapped && reader.is(')')) break
      const value = this.#expressions.expression()
      let target: Expression | null = null
      if (reader.take('as')) {
        target = this.#expressions.binary(1)
        this.#expressions.assignable(target)
        this.#bind(target)
      }
      items.push({ value, target })
    } while (reader.take(','))
    if (isWrapped) reader.expect(')')
    return { kind: 'with', items, body: this.#block("'with' statement"), line }
  }

  /** Whether the bracket here closes right before the colon: `with (a as b, c as d):`. */
  #closesBeforeColon(): boolean {
    const reader = this.#reader
    let depth = 0
    for (let ahead = 0; ; ahead++) {
      const token = reader.peek(ahead)
      if (token.kind === 'newline' || token.kind === 'end') return false
      const word = wordOf(token)
      if (word === '(' || word === '[' || word === '{') depth += 1
      if (word === ')' || word === ']' || word === '}') depth -= 1
      if (depth === 0) return wordOf(reader.peek(ahead + 1)) === ':'
    }
  }

  /** `match` is a name everywhere except at the start of a line that ends with a colon and has `case` below it. */
  #isMatch(): boolean {
    const reader = this.#reader
    const { token } = reader
    if (token.kind !== 'name' || token.text !== 'match') return false
    const next = reader.peek()
    if (next.kind === 'newline' || (next.kind === 'operator' && !'([{-~*'.includes(next.text))) return false
    for (let ahead = 1; ; ahead++) {
      const at = reader.peek(ahead)
      if (at.kind === 'end') return false
      if (at.kind !== 'newline') continue
      const first = reader.peek(ahead + 2)
      return (
        wordOf(reader.peek(ahead - 1)) === ':' &&
        reader.peek(ahead + 1).kind === 'indent' &&
        first.kind === 'name' &&
        first.text === 'case'
      )
    }
  }

  #match(): Statement {
    const reader = this.#reader
    const { line } = reader
    reader.next()
    const subject = this.#expressions.expressions()
    reader.expect(':')
    reader.next()
    reader.next()
    const cases: { pattern: ReturnType<PatternParser['patterns']>; guard: Expression | null; body: Statement[] }[] = []
    while (reader.token.kind === 'name' && reader.token.text === 'case') {
      reader.next()
      const pattern = this.#patterns.patterns()
      const guard = reader.take('if') ? this.#expressions.named() : null
      cases.push({ pattern, guard, body: this.#block("'case' statement") })
    }
    if (reader.token.kind === 'dedent') reader.next()
    else if (reader.token.kind !== 'end') throw reader.wrong("expected 'case'")
    return { kind: 'match', subject, cases, line }
  }

  #decorated(): Statement {
    const reader = this.#reader
    const decorators: Expression[] = []
    while (reader.take('@')) {
      decorators.push(this.#expressions.named())
      if (reader.token.kind !== 'newline') throw reader.wrong()
      reader.next()
    }
    if (reader.is('def')) return this.#def(decorators)
    if (reader.is('class')) return this.#class(decorators)
    if (reader.is('async')) throw new ProgramError(reader.line, '`async` is not supported')
    throw reader.wrong()
  }

  #def(decorators: readonly Expression[]): Statement {
    const reader = this.#reader
    const { line } = reader
    reader.next()
    const name = reader.name()
    reader.bind(name)
    reader.expect('(')
    const parameters = this.#expressions.parameters(')')
    reader.expect(')')
    if (reader.take('->')) this.#expressions.expressions()
    const names = namesOf('function')
    for (const parameter of parameters) names.bound.add(parameter.name)
    reader.scopes.push(names)
    const body = this.#block('function definition')
    reader.scopes.pop()
    const code: Code = {
      name,
      parameters,
      locals: localsOf(names),
      globals: names.globals,
      isGenerator: names.isGenerator,
    }
    return { kind: 'def', code, body, decorators, doc: docOf(body), line }
  }

  #class(decorators: readonly Expression[]): Statement {
    const reader = this.#reader
    const { line } = reader
    reader.next()
    const name = reader.name()
    reader.bind(name)
    const { args, named } = reader.is('(') ? this.#expressions.arguments() : { args: [], named: [] }
    reader.scopes.push(namesOf('class'))
    const body = this.#block('class definition')
    reader.scopes.pop()
    return { kind: 'class', name, bases: args, named, body, decorators, doc: docOf(body), line }
  }

  #is(kind: Token['kind']): boolean {
    return this.#reader.token.kind === kind
  }

  #bind(target: Expression): void {
    for (const name of boundBy(target)) this.#reader.bind(name)
  }

  #simple(): Statement {
    const reader = this.#reader
    const { line, word } = reader
    switch (word) {
      case 'pass':
        reader.next()
        return { kind: 'pass', line }
      case 'break':
      case 'continue':
        reader.next()
        if (reader.scope.loops === 0)
          throw reader.wrong(word === 'break' ? "'break' outside loop" : "'continue' not properly in loop", line)
        return { kind: word, line }
      case 'return':
        reader.next()
        if (reader.scope.kind !== 'function') throw reader.wrong("'return' outside function", line)
        return { kind: 'return', value: this.#atEnd() ? null : this.#expressions.expressions(), line }
      case 'raise': {
        reader.next()
        const value = this.#atEnd() ? null : this.#expressions.expression()
        const cause = value && reader.take('from') ? this.#expressions.expression() : null
        return { kind: 'raise', value, cause, line }
      }
      case 'assert': {
        reader.next()
        const test = this.#expressions.expression()
        return { kind: 'assert', test, message: reader.take(',') ? this.#expressions.expression() : null, line }
      }
      case 'del':
        return this.#delete()
      case 'global':
      case 'nonlocal':
        return this.#declare(word)
      case 'import':
        return this.#import()
      case 'from':
        return this.#from()
      case 'yield':
        return this.#yield([], line)
      case null:
      default:
        return this.#assignment()
    }
  }

  #atEnd(): boolean {
    return this.#reader.token.kind === 'newline' || this.#reader.is(';')
  }

  #delete(): Statement {
    const reader = this.#reader
    const { line } = reader
    reader.next()
    const value = this.#expressions.expressions()
    this.#expressions.assignable(value, 'delete')
    this.#bind(value)
    const targets = value.kind === 'tuple' ? value.items.map((item) => item.value) : [value]
    return { kind: 'delete', targets, line }
  }

  #declare(word: 'global' | 'nonlocal'): Statement {
    const reader = this.#reader
    const { line } = reader
    reader.next()
    do {
      const name = reader.name()
      const { scope } = reader
      if (scope.bound.has(name) && scope.kind !== 'module')
        throw reader.wrong(`name '${name}' is assigned to before ${word} declaration`, line)
      if (word === 'global') scope.globals.add(name)
      else {
        if (!reader.scopes.slice(1, -1).some((outer) => outer.kind !== 'class' && outer.bound.has(name)))
          throw reader.wrong(
            scope.kind === 'module'
              ? 'nonlocal declaration not allowed at module level'
              : `no binding for nonlocal '${name}' found`,
            line,
          )
        scope.nonlocals.add(name)
      }
    } while (reader.take(','))
    return { kind: 'pass', line }
  }

  #dotted(): string {
    const reader = this.#reader
    let name = reader.name()
    while (reader.take('.')) name += `.${reader.name()}`
    return name
  }

  #import(): Statement {
    const reader = this.#reader
    const { line } = reader
    reader.next()
    const modules: { module: string; as: string | null }[] = []
    do {
      const module = this.#dotted()
      const as = reader.take('as') ? reader.name() : null
      reader.bind(as ?? module.split('.')[0]!)
      modules.push({ module, as })
    } while (reader.take(','))
    return { kind: 'import', modules, line }
  }

  #from(): Statement {
    const reader = this.#reader
    const { line } = reader
    reader.next()
    let module = ''
    while (reader.is('.', '...')) module += wordOf(reader.next()) ?? ''
    if (!reader.is('import')) module += this.#dotted()
    reader.expect('import')
    if (reader.take('*')) {
      if (reader.scope.kind !== 'module') throw reader.wrong('import * only allowed at module level', line)
      return { kind: 'from', module, names: null, line }
    }
    const isWrapped = reader.take('(')
    const names: { name: string; as: string }[] = []
    do {
      if (isWrapped && reader.is(')') && names.length > 0) break
      const name = reader.name()
      const as = reader.take('as') ? reader.name() : name
      reader.bind(as)
      names.push({ name, as })
    } while (reader.take(','))
    if (isWrapped) reader.expect(')')
    return { kind: 'from', module, names, line }
  }

  #yield(targets: readonly Expression[], line: number): Statement {
    const reader = this.#reader
    reader.expect('yield')
    if (reader.scope.kind !== 'function') throw reader.wrong("'yield' outside function", line)
    reader.scope.isGenerator = true
    const isFrom = reader.take('from')
    const value = this.#atEnd() || reader.is(')') ? null : this.#expressions.expressions()
    return { kind: 'yield', targets, value, isFrom, line }
  }

  #assignment(): Statement {
    const reader = this.#reader
    const { line } = reader
    const first = this.#targetOrValue()
    if (reader.is(':') && !reader.is(':=')) return this.#annotated(first, line)
    const { word } = reader
    if (word !== null && AUGMENTED.has(word)) {
      if (first.kind !== 'name' && first.kind !== 'attribute' && first.kind !== 'subscript')
        throw reader.wrong('this expression is an illegal target for augmented assignment', line)
      reader.next()
      this.#bind(first)
      const value = this.#expressions.expressions()
      return { kind: 'augment', target: first, operator: word.slice(0, -1), value, line }
    }
    if (!reader.is('=')) {
      if (first.kind === 'tuple' && first.items.some(({ isSpread }) => isSpread) && first.items.length === 0)
        throw reader.wrong("can't use starred expression here", line)
      return { kind: 'expression', value: first, line }
    }
    const targets: Expression[] = []
    let value = first
    while (reader.take('=')) {
      this.#expressions.assignable(value)
      this.#bind(value)
      targets.push(value)
      if (reader.is('yield')) return this.#yield(targets, line)
      value = this.#targetOrValue()
    }
    return { kind: 'assign', targets, value, line }
  }

  #targetOrValue(): Expression {
    const reader = this.#reader
    const { line } = reader
    // `*rest, last = …` begins with a star.
    if (!reader.is('*')) return this.#expressions.expressions()
    const first = this.#expressions.item()
    if (!reader.is(',')) throw reader.wrong('starred assignment target must be in a list or tuple', line)
    const items = [first]
    while (reader.take(',')) {
      if (!this.#expressions.startsExpression()) break
      items.push(this.#expressions.item())
    }
    return { kind: 'tuple', items, line }
  }

  #annotated(target: Expression, line: number): Statement {
    const reader = this.#reader
    if (target.kind === 'tuple' || target.kind === 'list')
      throw reader.wrong(`only single target (not ${target.kind}) can be annotated`, line)
    if (target.kind !== 'name' && target.kind !== 'attribute' && target.kind !== 'subscript')
      throw reader.wrong('illegal target for annotation', line)
    reader.next()
    const annotation = this.#expressions.expression()
    this.#bind(target)
    if (!reader.take('=')) return { kind: 'annotate', target, annotation, value: null, line }
    if (reader.is('yield')) return this.#yield([target], line)
    return { kind: 'annotate', target, annotation, value: this.#expressions.expressions(), line }
  }
}

function localsOf({ bound, globals, nonlocals }: Names): Set<string> {
  return new Set([...bound].filter((name) => !globals.has(name) && !nonlocals.has(name)))
}

function docOf(body: readonly Statement[]): string | null {
  const [first] = body
  return first?.kind === 'expression' && first.value.kind === 'constant' && typeof first.value.value === 'string'
    ? first.value.value
    : null
}
