/** Expressions. Nothing here reaches the host: names are looked up in maps of our own. */
import type { Expression, FormatPiece, Item, Loop } from '../syntax/tree.ts'
import {
  binary,
  call,
  compare,
  contains,
  converted,
  Dict,
  ELLIPSIS,
  fault,
  firstOf,
  getAttribute,
  getItem,
  include,
  iterate,
  iterator,
  itemsOf,
  List,
  type Named,
  NO_NAMES,
  put,
  PySet,
  repr,
  type Runtime,
  Slice,
  Super,
  truth,
  Tuple,
  TYPES,
  typeOf,
  unary,
  type Value,
} from '../values/index.ts'
import { Scope } from './scope.ts'

/** What expressions need from statements: functions are made there, and values assigned. */
export interface Statements {
  makeFunction(node: Extract<Expression, { kind: 'lambda' }>, scope: Scope): Value
  assign(target: Expression, value: Value, scope: Scope): void
}

export class Evaluator {
  readonly rt: Runtime
  readonly #builtins: ReadonlyMap<string, Value>
  readonly #statements: Statements

  constructor(rt: Runtime, builtins: ReadonlyMap<string, Value>, statements: Statements) {
    this.rt = rt
    this.#builtins = builtins
    this.#statements = statements
  }

  value(node: Expression, scope: Scope): Value {
    const { rt } = this
    rt.work()
    rt.enter()
    rt.line = node.line
    const value = this.#value(node, scope)
    rt.leave()
    return value
  }

  #value(node: Expression, scope: Scope): Value {
    const { rt } = this
    switch (node.kind) {
      case 'constant':
        return node.value
      case 'name':
        return this.#name(node.name, scope)
      case 'attribute': {
        const value = this.value(node.value, scope)
        rt.line = node.nameLine
        return getAttribute(rt, value, node.name)
      }
      case 'subscript': {
        const value = this.value(node.value, scope)
        const index = this.value(node.index, scope)
        rt.line = node.line
        return getItem(rt, value, index)
      }
      case 'call':
        return this.#call(node, scope)
      case 'binary':
        return this.#binary(node, scope)
      case 'unary': {
        const value = this.value(node.value, scope)
        rt.line = node.line
        return node.operator === 'not' ? !truth(rt, value) : unary(rt, node.operator, value)
      }
      case 'compare':
        return this.#compare(node, scope)
      case 'and':
      case 'or':
        return this.#chain(node, scope)
      case 'choice':
        return this.value(truth(rt, this.value(node.test, scope)) ? node.yes : node.no, scope)
      case 'list':
        return new List(this.items(node.items, scope))
      case 'tuple':
        return new Tuple(this.items(node.items, scope))
      case 'set': {
        const made = new PySet()
        for (const item of this.items(node.items, scope)) include(rt, made, item)
        return made
      }
      case 'dict':
        return this.#dict(node, scope)
      case 'slice': {
        const part = (side: Expression | null): Value => (side ? this.value(side, scope) : null)
        return new Slice(part(node.from), part(node.to), part(node.step))
      }
      case 'format':
        return this.#format(node.pieces, scope)
      case 'lambda':
        return this.#statements.makeFunction(node, scope)
      case 'comprehension':
        return this.#comprehension(node, scope)
      case 'walrus': {
        const value = this.value(node.value, scope)
        scope.assign(node.name, value)
        return value
      }
      case 'ellipsis':
        return ELLIPSIS
    }
  }

  #name(name: string, scope: Scope): Value {
    const value = firstOf(scope.find(this.rt, name), () => this.#builtins.get(name))
    if (value !== undefined) return value
    throw fault(this.rt, 'NameError', `name '${name}' is not defined`)
  }

  /** Items with the starred ones spread. */
  items(nodes: readonly Item[], scope: Scope): Value[] {
    const values: Value[] = []
    for (const { value, isSpread } of nodes) {
      const made = this.value(value, scope)
      if (!isSpread) values.push(made)
      else for (const item of itemsOf(this.rt, made)) values.push(item)
    }
    this.rt.make(values.length)
    return values
  }

  /** A long sum is a tree as deep as it is long: its left side is walked, not called. */
  #binary(node: Extract<Expression, { kind: 'binary' }>, scope: Scope): Value {
    const { rt } = this
    const spine = [node]
    let first = node.left
    while (first.kind === 'binary') {
      spine.push(first)
      first = first.left
    }
    let left = this.value(first, scope)
    for (let i = spine.length - 1; i >= 0; i--) {
      const { operator, right, line } = spine[i]!
      const other = this.value(right, scope)
      rt.line = line
      left = binary(rt, operator, left, other)
    }
    return left
  }

  #compare(node: Extract<Expression, { kind: 'compare' }>, scope: Scope): Value {
    const { rt } = this
    let left = this.value(node.first, scope)
    let result: Value = true
    for (const { operator, value } of node.rest) {
      const right = this.value(value, scope)
      rt.line = node.line
      result = this.#compared(operator, left, right)
      if (value !== node.rest.at(-1)!.value && !truth(rt, result)) return result
      left = right
    }
    return result
  }

  #compared(operator: string, left: Value, right: Value): Value {
    const { rt } = this
    switch (operator) {
      case 'is':
        return left === right
      case 'is not':
        return left !== right
      case 'in':
        return contains(rt, right, left)
      case 'not in':
        return !contains(rt, right, left)
      default:
        return compare(rt, operator, left, right)
    }
  }

  #chain({ kind, values }: Extract<Expression, { kind: 'and' | 'or' }>, scope: Scope): Value {
    let value: Value = null
    for (const [i, node] of values.entries()) {
      value = this.value(node, scope)
      if (i < values.length - 1 && truth(this.rt, value) === (kind === 'or')) return value
    }
    return value
  }

  #dict(node: Extract<Expression, { kind: 'dict' }>, scope: Scope): Value {
    const { rt } = this
    const made = new Dict()
    for (const { key, value } of node.entries) {
      const name = key ? this.value(key, scope) : null
      const item = this.value(value, scope)
      rt.line = node.line
      if (key) put(rt, made, name, item)
      else {
        if (!(item instanceof Dict)) throw fault(rt, 'TypeError', `'${typeOf(item).name}' object is not a mapping`)
        for (const entry of item.entries.values()) put(rt, made, entry.key, entry.value)
      }
    }
    return made
  }

  #call(node: Extract<Expression, { kind: 'call' }>, scope: Scope): Value {
    const { rt } = this
    const callee = this.value(node.callee, scope)
    const args = node.args.length === 0 ? [] : this.items(node.args, scope)
    const named = node.named.length === 0 ? NO_NAMES : this.named(node.named, callee, scope)
    rt.line = node.callee.kind === 'attribute' ? node.callee.nameLine : node.line
    if (callee === TYPES.super && args.length === 0) return this.#super(scope)
    return call(rt, callee, args, named)
  }

  named(nodes: Extract<Expression, { kind: 'call' }>['named'], callee: Value, scope: Scope): Named {
    const { rt } = this
    const named = new Map<string, Value>()
    const add = (name: string, value: Value): void => {
      if (named.has(name))
        throw fault(rt, 'TypeError', `${repr(rt, callee)} got multiple values for keyword argument '${name}'`)
      named.set(name, value)
    }
    for (const { name, value } of nodes) {
      const made = this.value(value, scope)
      if (name !== null) add(name, made)
      else {
        if (!(made instanceof Dict))
          throw fault(rt, 'TypeError', `argument after ** must be a mapping, not ${typeOf(made).name}`)
        for (const { key, value: item } of made.entries.values()) {
          if (typeof key !== 'string') throw fault(rt, 'TypeError', 'keywords must be strings')
          add(key, item)
        }
      }
    }
    return named
  }

  #super(scope: Scope): Value {
    for (let at: Scope | null = scope; at; at = at.outer)
      if (at.kind === 'function' && at.outer?.kind === 'class') {
        const { owner } = at.outer
        if (owner && at.self !== undefined) return new Super(owner, at.self)
      }
    throw fault(this.rt, 'RuntimeError', 'super(): no arguments')
  }

  #format(pieces: readonly FormatPiece[], scope: Scope): string {
    const { rt } = this
    let text = ''
    for (const piece of pieces) {
      if ('text' in piece) text += piece.text
      else {
        const value = this.value(piece.value, scope)
        const spec = this.#format(piece.spec, scope)
        const isPlain = piece.debug !== null && piece.conversion === '' && spec === ''
        text += (piece.debug ?? '') + converted(rt, value, isPlain ? 'r' : piece.conversion, spec)
      }
      rt.text(text.length)
    }
    return text
  }

  #comprehension(node: Extract<Expression, { kind: 'comprehension' }>, scope: Scope): Value {
    const { rt } = this
    const inner = new Scope('comprehension', scope, {
      code: { locals: node.names, globals: new Set() },
      path: scope.path,
    })
    const first = iterate(rt, this.value(node.loops[0]!.over, scope))
    const rows = this.#rows(node.loops, 0, inner, first.next)
    if (node.of === 'generator')
      return iterator(rt, 'generator', () => {
        const { nesting } = rt
        const row = rows.next()
        rt.nesting = nesting
        return row.done ? undefined : this.value(node.value, inner)
      })
    if (node.of === 'dict') {
      const made = new Dict()
      while (!rows.next().done) put(rt, made, this.value(node.key!, inner), this.value(node.value, inner))
      return made
    }
    const items: Value[] = []
    while (!rows.next().done) {
      items.push(this.value(node.value, inner))
      rt.make(items.length, 1)
    }
    if (node.of === 'list') return new List(items)
    const made = new PySet()
    for (const item of items) include(rt, made, item)
    return made
  }

  /** Stops once for every combination of the loops that passes the conditions. */
  *#rows(loops: readonly Loop[], at: number, scope: Scope, next: () => Value | undefined): Generator<void> {
    const { rt } = this
    const { target, conditions } = loops[at]!
    for (let item = next(); item !== undefined; item = next()) {
      rt.work()
      this.#statements.assign(target, item, scope)
      if (!conditions.every((condition) => truth(rt, this.value(condition, scope)))) continue
      const inner = loops[at + 1]
      if (inner) yield* this.#rows(loops, at + 1, scope, iterate(rt, this.value(inner.over, scope)).next)
      else yield
    }
  }
}
