/** Runs a program's tree. Nothing here reaches the host: names are looked up in maps of our own. */
import { builtins } from './builtins.ts'
import { moduleOf } from './modules.ts'
import { itemsOf } from './items.ts'
import type { Meter } from './meter.ts'
import { attributeOf } from './methods.ts'
import { binary, compare, formatted, negated } from './operators.ts'
import { ProgramError } from './problem.ts'
import {
  Callable,
  Dictionary,
  Sequence,
  Slice,
  textOf,
  typeOf,
  type Arguments,
  type Value,
  isTrue,
  extentOf,
} from './values.ts'
import type { Expression, Item, Loop, Parameter, Statement } from './tree.ts'
import type { RobotMaker } from './robot.ts'

type Flow = 'next' | 'break' | 'continue' | { value: Value }

class Scope {
  readonly names = new Map<string, Value>()
  readonly outer: Scope | null

  constructor(outer: Scope | null) {
    this.outer = outer
  }

  find(name: string): Value | undefined {
    const own = this.names.get(name)
    return own === undefined ? this.outer?.find(name) : own
  }
}

export class Interpreter {
  readonly meter: Meter
  readonly #globals: Scope

  constructor(meter: Meter, maker: RobotMaker) {
    this.meter = meter
    const builtin = new Scope(null)
    for (const [name, value] of builtins(meter, maker)) builtin.names.set(name, value)
    this.#globals = new Scope(builtin)
  }

  run(statements: readonly Statement[]): void {
    this.#block(statements, this.#globals)
  }

  /** A function that the program defined. */
  defined(name: string): Callable | null {
    const value = this.#globals.names.get(name)
    return value instanceof Callable ? value : null
  }

  #block(statements: readonly Statement[], scope: Scope): Flow {
    for (const statement of statements) {
      const flow = this.#statement(statement, scope)
      if (flow !== 'next') return flow
    }
    return 'next'
  }

  #statement(statement: Statement, scope: Scope): Flow {
    const { line } = statement
    this.meter.step(line)
    switch (statement.kind) {
      case 'expression':
        this.#evaluate(statement.value, scope)
        return 'next'
      case 'assign': {
        const value = this.#evaluate(statement.value, scope)
        for (const target of statement.targets) this.#assign(target, value, scope)
        return 'next'
      }
      case 'augment': {
        const before = this.#evaluate(statement.target, scope)
        const by = this.#evaluate(statement.value, scope)
        this.#assign(statement.target, binary(statement.operator, before, by, line, this.meter), scope)
        return 'next'
      }
      case 'return':
        return { value: statement.value ? this.#evaluate(statement.value, scope) : null }
      case 'if': {
        const branch = statement.branches.find(({ test }) => test === null || isTrue(this.#evaluate(test, scope)))
        return branch ? this.#block(branch.body, scope) : 'next'
      }
      case 'for':
        for (const item of this.#items(this.#evaluate(statement.over, scope), line)) {
          this.meter.step(line)
          this.#assign(statement.target, item, scope)
          const flow = this.#block(statement.body, scope)
          if (flow === 'break') break
          if (typeof flow === 'object') return flow
        }
        return 'next'
      case 'while':
        while (isTrue(this.#evaluate(statement.test, scope))) {
          this.meter.step(line)
          const flow = this.#block(statement.body, scope)
          if (flow === 'break') break
          if (typeof flow === 'object') return flow
        }
        return 'next'
      case 'def':
        scope.names.set(
          statement.name,
          this.#function(statement.name, statement.parameters, scope, (inner) => {
            const flow = this.#block(statement.body, inner)
            return typeof flow === 'object' ? flow.value : null
          }),
        )
        return 'next'
      case 'import':
        this.#import(statement, scope)
        return 'next'
      case 'raise': {
        const value = statement.value ? this.#evaluate(statement.value, scope) : null
        throw new ProgramError(line, `the program raised ${value === null ? 'an error' : textOf(value)}`)
      }
      case 'assert':
        if (!isTrue(this.#evaluate(statement.test, scope))) {
          const message = statement.message ? `: ${textOf(this.#evaluate(statement.message, scope))}` : ''
          throw new ProgramError(line, `an assertion of the program does not hold${message}`)
        }
        return 'next'
      case 'pass':
        return 'next'
      case 'break':
      case 'continue':
        return statement.kind
    }
  }

  #import(statement: Extract<Statement, { kind: 'import' }>, scope: Scope): void {
    const { module, names, as, line } = statement
    // `import a.b` gives the name `a`, and all of it.
    const isWhole = names === null && module.startsWith(`${as}.`)
    const found = moduleOf(isWhole ? as : module, this.meter)
    if (found === 'refused')
      throw new ProgramError(line, `the module "${module}" is not available; only math and numpy are`)
    // What belongs to the protocol is there already.
    if (found === null) return
    if (names === null) scope.names.set(as, found)
    else
      for (const { name, as: own } of names) {
        const value = found.fields.get(name)
        if (value === undefined) throw new ProgramError(line, `"${name}" of ${module} is not available`)
        scope.names.set(own, value)
      }
  }

  #assign(target: Expression, value: Value, scope: Scope): void {
    const { line } = target
    if (target.kind === 'name') scope.names.set(target.name, value)
    else if (target.kind === 'tuple' || target.kind === 'list') {
      const items = this.#items(value, line)
      if (items.length !== target.items.length)
        throw new ProgramError(line, `${items.length} values for ${target.items.length} names`)
      target.items.forEach((item, i) => this.#assign(item.value, items[i]!, scope))
    } else if (target.kind === 'subscript') {
      const whole = this.#evaluate(target.value, scope)
      const index = this.#evaluate(target.index, scope)
      if (whole instanceof Dictionary) {
        this.meter.make(whole.size >= 1000 ? whole.size : 1)
        whole.set(index, value)
      } else if (whole instanceof Sequence && whole.kind !== 'tuple' && typeof index === 'number')
        whole.items[this.#place(whole.items.length, index, line)] = value
      else throw new ProgramError(line, `nothing can be assigned to an item of ${typeOf(whole)}`)
    } else throw new ProgramError(line, 'nothing can be assigned to this')
  }

  #evaluate(node: Expression, scope: Scope): Value {
    const { line } = node
    this.meter.step(line)
    switch (node.kind) {
      case 'constant':
        return node.value
      case 'name': {
        const value = scope.find(node.name)
        if (value === undefined) throw new ProgramError(line, `the name "${node.name}" is not known`)
        return value
      }
      case 'format': {
        const pieces = node.pieces.map((piece) =>
          'text' in piece ? piece.text : formatted(this.#evaluate(piece.value, scope), piece.spec),
        )
        const text = pieces.join('')
        this.meter.make(text.length, true)
        return text
      }
      case 'list':
      case 'tuple': {
        const items = this.#spread(node.items, scope)
        this.meter.make(items.length)
        return new Sequence(node.kind, items)
      }
      case 'dict': {
        const made = new Dictionary()
        for (const { key, value } of node.entries) {
          const item = this.#evaluate(value, scope)
          if (key) made.set(this.#evaluate(key, scope), item)
          else if (item instanceof Dictionary) for (const entry of item.entries()) made.set(entry.key, entry.value)
          else throw new ProgramError(line, `"**" needs a dict, not ${typeOf(item)}`)
        }
        this.meter.make(made.size)
        return made
      }
      case 'unary': {
        const value = this.#evaluate(node.value, scope)
        if (node.operator === 'not') return !isTrue(value)
        return node.operator === '-' ? negated(value, line, this.meter) : value
      }
      case 'binary':
        return binary(
          node.operator,
          this.#evaluate(node.left, scope),
          this.#evaluate(node.right, scope),
          line,
          this.meter,
        )
      case 'compare': {
        let left = this.#evaluate(node.first, scope)
        for (const { operator, value } of node.rest) {
          const right = this.#evaluate(value, scope)
          if (!compare(operator, left, right, line, this.meter)) return false
          left = right
        }
        return true
      }
      case 'and': {
        const left = this.#evaluate(node.left, scope)
        return isTrue(left) ? this.#evaluate(node.right, scope) : left
      }
      case 'or': {
        const left = this.#evaluate(node.left, scope)
        return isTrue(left) ? left : this.#evaluate(node.right, scope)
      }
      case 'choice':
        return this.#evaluate(isTrue(this.#evaluate(node.test, scope)) ? node.yes : node.no, scope)
      case 'attribute': {
        const value = this.#evaluate(node.value, scope)
        this.meter.work(extentOf(value))
        return attributeOf(value, node.name, line, this.meter)
      }
      case 'subscript':
        return this.#item(this.#evaluate(node.value, scope), this.#evaluate(node.index, scope), line)
      case 'slice': {
        const bound = (part: Expression | null): number | null => {
          const value = part ? this.#evaluate(part, scope) : null
          if (value !== null && typeof value !== 'number') throw new ProgramError(line, 'bounds must be numbers')
          return value
        }
        return new Slice(bound(node.from), bound(node.to), bound(node.step) ?? 1)
      }
      case 'call':
        return this.#call(node, scope)
      case 'lambda':
        return this.#function('lambda', node.parameters, scope, (inner) => this.#evaluate(node.body, inner))
      case 'comprehension':
        return this.#comprehension(node, scope)
    }
  }

  #call(node: Extract<Expression, { kind: 'call' }>, scope: Scope): Value {
    const callee = this.#evaluate(node.callee, scope)
    if (!(callee instanceof Callable)) throw new ProgramError(node.line, `${typeOf(callee)} cannot be called`)
    const named = new Map<string, Value>()
    const positional = this.#spread(node.args, scope)
    for (const { name, value } of node.named) {
      const item = this.#evaluate(value, scope)
      if (name !== null) named.set(name, item)
      else if (item instanceof Dictionary) for (const entry of item.entries()) named.set(textOf(entry.key), entry.value)
      else throw new ProgramError(node.line, `"**" needs a dict, not ${typeOf(item)}`)
    }
    for (const value of positional) this.meter.work(extentOf(value))
    return callee.call({ positional, named }, node.line)
  }

  #function(name: string, parameters: readonly Parameter[], outer: Scope, body: (scope: Scope) => Value): Callable {
    const defaults = parameters.map(({ otherwise }) => (otherwise ? this.#evaluate(otherwise, outer) : undefined))
    return new Callable(name, (args, line) => {
      this.meter.step(line)
      const scope = new Scope(outer)
      bindParameters(name, parameters, defaults, args, scope.names, line)
      this.meter.enter()
      const result = body(scope)
      this.meter.leave()
      return result
    })
  }

  #comprehension(node: Extract<Expression, { kind: 'comprehension' }>, scope: Scope): Value {
    const inner = new Scope(scope)
    const list: Value[] = []
    const made = new Dictionary()
    const visit = (loops: readonly Loop[]): void => {
      const [loop, ...rest] = loops
      if (!loop) {
        const value = this.#evaluate(node.value, inner)
        if (node.key) made.set(this.#evaluate(node.key, inner), value)
        else list.push(value)
        this.meter.make(1)
        return
      }
      for (const item of this.#items(this.#evaluate(loop.over, inner), node.line)) {
        this.#assign(loop.target, item, inner)
        if (loop.conditions.every((condition) => isTrue(this.#evaluate(condition, inner)))) visit(rest)
      }
    }
    visit(node.loops)
    return node.of === 'dict' ? made : new Sequence('list', list)
  }

  #spread(items: readonly Item[], scope: Scope): Value[] {
    const values: Value[] = []
    for (const { value, isSpread } of items) {
      const item = this.#evaluate(value, scope)
      if (!isSpread) values.push(item)
      else {
        const inside = this.#items(item, value.line)
        this.meter.make(values.length + inside.length)
        values.push(...inside)
      }
    }
    return values
  }

  #items(value: Value, line: number): readonly Value[] {
    return itemsOf(value, line)
  }

  #item(whole: Value, index: Value, line: number): Value {
    if (whole instanceof Dictionary) {
      const value = whole.get(index)
      if (value === undefined)
        throw new ProgramError(
          line,
          `there is no key ${textOf(index, 1)}; there are ${whole
            .entries()
            .slice(0, 20)
            .map(({ key }) => textOf(key, 1))
            .join(', ')}`,
        )
      return value
    }
    if (whole instanceof Sequence || typeof whole === 'string') {
      const items: readonly Value[] = typeof whole === 'string' ? whole.split('') : whole.items
      const again = (part: readonly Value[]): Value =>
        typeof whole === 'string' ? part.map((char) => textOf(char)).join('') : new Sequence(whole.kind, [...part])
      if (index instanceof Slice) {
        this.meter.make(items.length)
        return again(sliced(items, index, line))
      }
      if (typeof index === 'number') return items[this.#place(items.length, index, line)]!
    }
    throw new ProgramError(line, `${typeOf(whole)} has no item ${textOf(index, 1)}`)
  }

  #place(length: number, index: number, line: number): number {
    const at = index < 0 ? index + length : index
    if (!Number.isInteger(at) || at < 0 || at >= length)
      throw new ProgramError(line, `there is no item ${index} in a list of ${length}`)
    return at
  }
}

function sliced(items: readonly Value[], { from, to, step }: Slice, line: number): Value[] {
  if (step === 0) throw new ProgramError(line, 'a step of 0')
  if (step === 1) return items.slice(from ?? 0, to ?? items.length)
  if (step === -1 && from === null && to === null) return items.toReversed()
  if (step < 0) throw new ProgramError(line, 'only [::-1] goes backwards')
  return items.slice(from ?? 0, to ?? items.length).filter((_, i) => i % step === 0)
}

function bindParameters(
  name: string,
  parameters: readonly Parameter[],
  defaults: readonly (Value | undefined)[],
  { positional, named }: Arguments,
  into: Map<string, Value>,
  line: number,
): void {
  let at = 0
  const left = new Map(named)
  parameters.forEach((parameter, i) => {
    if (parameter.stars === 1) {
      into.set(parameter.name, new Sequence('tuple', positional.slice(at)))
      at = positional.length
    } else if (parameter.stars === 2) {
      const rest = new Dictionary()
      for (const [key, value] of left) rest.set(key, value)
      left.clear()
      into.set(parameter.name, rest)
    } else {
      const given = left.get(parameter.name)
      left.delete(parameter.name)
      const value = at < positional.length ? positional[at++] : (given ?? defaults[i])
      if (value === undefined) throw new ProgramError(line, `${name}() needs "${parameter.name}"`)
      into.set(parameter.name, value)
    }
  })
  if (at < positional.length)
    throw new ProgramError(line, `${name}() takes ${parameters.length} values, not ${positional.length}`)
  const [unknown] = left.keys()
  if (unknown !== undefined) throw new ProgramError(line, `${name}() has no parameter "${unknown}"`)
}
