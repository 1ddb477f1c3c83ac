/** Statements. Blocks are generators of the host, so that a function of the program can be one as well. */
import { LIMITS } from '../syntax/problem.ts'
import type { Code, Expression, Item, Statement } from '../syntax/tree.ts'
import {
  augmented,
  BASE_EXCEPTION,
  bindArguments,
  call,
  deleteItem,
  Dict,
  fault,
  firstOf,
  Func,
  getAttribute,
  getItem,
  Instance,
  isInstance,
  iterate,
  iterator,
  List,
  Module,
  Raised,
  type Runtime,
  setAttribute,
  setItem,
  type Slot,
  special,
  truth,
  Tuple,
  typeOf,
  PyType,
  type Value,
} from '../values/index.ts'
import { makeClass } from './classes.ts'
import { Evaluator, type Statements } from './evaluate.ts'
import { matches } from './match.ts'
import { Scope } from './scope.ts'

/** How a block ended, where it did not simply end. */
type Flow = undefined | 'break' | 'continue' | { value: Value }
type Running = Generator<Value, Flow, Value>

/** Undefined for a module that is not there. */
export type Importer = (name: string) => Module | undefined

export class Interpreter implements Statements {
  readonly rt: Runtime
  readonly scope: Scope
  readonly #importer: Importer
  readonly #evaluator: Evaluator
  /** Exceptions that are being handled, the innermost last. */
  readonly #handling: Raised[] = []
  #calls = 0

  constructor(rt: Runtime, builtins: ReadonlyMap<string, Value>, importer: Importer, name = '__main__') {
    this.rt = rt
    this.#importer = importer
    this.#evaluator = new Evaluator(rt, builtins, this)
    this.scope = new Scope('module', null, { names: new Map<string, Value>([['__name__', name]]) })
  }

  run(statements: readonly Statement[]): void {
    this.#drive(this.#block(statements, this.scope))
  }

  #value(node: Expression, scope: Scope): Value {
    return this.#evaluator.value(node, scope)
  }

  /** Runs what never stops in the middle. */
  #drive(running: Running): Value {
    const step = running.next()
    return step.done && typeof step.value === 'object' ? step.value.value : null
  }

  *#block(statements: readonly Statement[], scope: Scope): Running {
    for (const statement of statements) {
      this.rt.work()
      this.rt.line = statement.line
      const flow = yield* this.#statement(statement, scope)
      if (flow !== undefined) return flow
    }
    return undefined
  }

  *#statement(node: Statement, scope: Scope): Running {
    const { rt } = this
    switch (node.kind) {
      case 'expression':
        this.#value(node.value, scope)
        return undefined
      case 'assign': {
        const value = this.#value(node.value, scope)
        for (const target of node.targets) this.assign(target, value, scope)
        return undefined
      }
      case 'annotate':
        this.#annotate(node, scope)
        return undefined
      case 'augment':
        this.#augment(node, scope)
        return undefined
      case 'yield':
        return yield* this.#yield(node, scope)
      case 'return':
        return { value: node.value ? this.#value(node.value, scope) : null }
      case 'if':
        return yield* this.#if(node, scope)
      case 'for':
        return yield* this.#for(node, scope)
      case 'while':
        return yield* this.#while(node, scope)
      case 'try':
        return yield* this.#try(node, scope)
      case 'with':
        return yield* this.#with(node, 0, scope)
      case 'match':
        return yield* this.#match(node, scope)
      case 'def': {
        const made = this.#function(node.code, node.doc, scope, (inner) => this.#block(node.body, inner))
        this.#decorate(node.code.name, made, node.decorators, scope)
        return undefined
      }
      case 'class':
        this.#class(node, scope)
        return undefined
      case 'import':
        for (const { module, as } of node.modules) this.#import(module, as, scope)
        return undefined
      case 'from':
        this.#from(node, scope)
        return undefined
      case 'raise':
        throw this.#raised(node, scope)
      case 'assert':
        if (!truth(rt, this.#value(node.test, scope))) {
          const message = node.message ? [this.#value(node.message, scope)] : []
          rt.line = node.line
          throw fault(rt, 'AssertionError', ...message)
        }
        return undefined
      case 'delete':
        for (const target of node.targets) this.#delete(target, scope)
        return undefined
      case 'pass':
        return undefined
      case 'break':
      case 'continue':
        return node.kind
    }
  }

  // assignment

  assign(target: Expression, value: Value, scope: Scope): void {
    const { rt } = this
    if (target.kind === 'name') scope.assign(target.name, value)
    else if (target.kind === 'attribute') {
      const owner = this.#value(target.value, scope)
      rt.line = target.line
      setAttribute(rt, owner, target.name, value)
    } else if (target.kind === 'subscript') {
      const owner = this.#value(target.value, scope)
      const index = this.#value(target.index, scope)
      rt.line = target.line
      setItem(rt, owner, index, value)
    } else if (target.kind === 'tuple' || target.kind === 'list') this.#unpack(target, value, scope)
  }

  #unpack({ items }: { items: readonly Item[] }, value: Value, scope: Scope): void {
    const { rt } = this
    if (!findIterable(rt, value))
      throw fault(rt, 'TypeError', `cannot unpack non-iterable ${typeOf(value).name} object`)
    const { next } = iterate(rt, value)
    const star = items.findIndex(({ isSpread }) => isSpread)
    const wanted = star < 0 ? items.length : items.length - 1
    const taken: Value[] = []
    for (let item = next(); item !== undefined; item = next()) {
      taken.push(item)
      rt.make(taken.length, 1)
      if (star < 0 && taken.length > wanted)
        throw fault(rt, 'ValueError', `too many values to unpack (expected ${wanted})`)
    }
    if (taken.length < wanted)
      throw fault(
        rt,
        'ValueError',
        `not enough values to unpack (expected ${star < 0 ? '' : 'at least '}${wanted}, got ${taken.length})`,
      )
    const spare = taken.length - wanted
    items.forEach(({ value: target }, i) => {
      if (i === star) this.assign(target, new List(taken.slice(star, star + spare)), scope)
      else this.assign(target, taken[star >= 0 && i > star ? i + spare - 1 : i]!, scope)
    })
  }

  #annotate(node: Extract<Statement, { kind: 'annotate' }>, scope: Scope): void {
    if (scope.kind === 'class' && node.target.kind === 'name') {
      const known = scope.names.get('__annotations__')
      const annotations = known instanceof Dict ? known : new Dict()
      scope.names.set('__annotations__', annotations)
      const { name } = node.target
      annotations.entries.set(`s${name}`, { key: name, value: nameOf(node.annotation) })
    }
    if (node.value) this.assign(node.target, this.#value(node.value, scope), scope)
  }

  #augment(node: Extract<Statement, { kind: 'augment' }>, scope: Scope): void {
    const { rt } = this
    const { target, operator } = node
    const change = (value: Value): Value => {
      const by = this.#value(node.value, scope)
      rt.line = node.line
      return augmented(rt, operator, value, by)
    }
    if (target.kind === 'attribute') {
      const owner = this.#value(target.value, scope)
      setAttribute(rt, owner, target.name, change(getAttribute(rt, owner, target.name)))
    } else if (target.kind === 'subscript') {
      const [owner, index] = [this.#value(target.value, scope), this.#value(target.index, scope)]
      rt.line = node.line
      const value = change(getItem(rt, owner, index))
      setItem(rt, owner, index, value)
    } else this.assign(target, change(this.#value(target, scope)), scope)
  }

  #delete(target: Expression, scope: Scope): void {
    const { rt } = this
    if (target.kind === 'name') scope.delete(rt, target.name)
    else if (target.kind === 'subscript') {
      const [owner, index] = [this.#value(target.value, scope), this.#value(target.index, scope)]
      rt.line = target.line
      deleteItem(rt, owner, index)
    } else if (target.kind === 'attribute') {
      const owner = this.#value(target.value, scope)
      if (!(owner instanceof Instance) || !owner.attributes.delete(target.name))
        throw fault(rt, 'AttributeError', target.name)
    } else if (target.kind === 'tuple' || target.kind === 'list')
      for (const { value } of target.items) this.#delete(value, scope)
  }

  // control

  *#if(node: Extract<Statement, { kind: 'if' }>, scope: Scope): Running {
    let at = node
    for (;;) {
      this.rt.line = at.line
      if (truth(this.rt, this.#value(at.test, scope))) return yield* this.#block(at.body, scope)
      const [next] = at.otherwise
      if (at.otherwise.length !== 1 || next?.kind !== 'if') return yield* this.#block(at.otherwise, scope)
      at = next
    }
  }

  *#for(node: Extract<Statement, { kind: 'for' }>, scope: Scope): Running {
    const { rt } = this
    const over = this.#value(node.over, scope)
    rt.line = node.line
    const { next } = iterate(rt, over)
    for (;;) {
      rt.line = node.line
      const item = next()
      if (item === undefined) return yield* this.#block(node.otherwise, scope)
      this.assign(node.target, item, scope)
      const flow = yield* this.#block(node.body, scope)
      if (flow === 'break') return undefined
      if (flow !== undefined && flow !== 'continue') return flow
    }
  }

  *#while(node: Extract<Statement, { kind: 'while' }>, scope: Scope): Running {
    while (truth(this.rt, this.#value(node.test, scope))) {
      const flow = yield* this.#block(node.body, scope)
      if (flow === 'break') return undefined
      if (flow !== undefined && flow !== 'continue') return flow
      this.rt.work()
    }
    return yield* this.#block(node.otherwise, scope)
  }

  *#try(node: Extract<Statement, { kind: 'try' }>, scope: Scope): Running {
    const { rt } = this
    const { nesting } = rt
    const [calls, handling] = [this.#calls, this.#handling.length]
    const restore = (): void => {
      rt.nesting = nesting
      this.#calls = calls
      this.#handling.length = handling
    }
    let flow: Flow
    let raised: Raised | null = null
    try {
      try {
        flow = yield* this.#block(node.body, scope)
      } catch (error) {
        if (!(error instanceof Raised)) throw error
        restore()
        raised = error
      }
      if (raised) flow = yield* this.#handle(node, raised, scope)
      else if (flow === undefined) flow = yield* this.#block(node.otherwise, scope)
      raised = null
    } catch (error) {
      if (!(error instanceof Raised)) throw error
      restore()
      raised = error
    }
    const last = yield* this.#block(node.last, scope)
    if (last !== undefined) return last
    if (raised) throw raised
    return flow
  }

  *#handle(node: Extract<Statement, { kind: 'try' }>, raised: Raised, scope: Scope): Running {
    const { rt } = this
    for (const handler of node.handlers) {
      rt.line = handler.line
      if (handler.type && !this.#catches(raised, this.#value(handler.type, scope))) continue
      if (handler.name !== null) scope.assign(handler.name, raised.value)
      this.#handling.push(raised)
      try {
        return yield* this.#block(handler.body, scope)
      } finally {
        this.#handling.pop()
        if (handler.name !== null && scope.names.get(handler.name) === raised.value) scope.names.delete(handler.name)
      }
    }
    throw raised
  }

  #catches(raised: Raised, type: Value): boolean {
    const types = type instanceof Tuple ? type.items : [type]
    if (!types.every((one) => one instanceof PyType && one.isA(BASE_EXCEPTION)))
      throw fault(this.rt, 'TypeError', 'catching classes that do not inherit from BaseException is not allowed')
    return isInstance(this.rt, raised.value, new Tuple(types))
  }

  #raised(node: Extract<Statement, { kind: 'raise' }>, scope: Scope): Raised {
    const { rt } = this
    if (!node.value) return this.#handling.at(-1) ?? fault(rt, 'RuntimeError', 'No active exception to reraise')
    let value = this.#value(node.value, scope)
    const cause = node.cause ? this.#value(node.cause, scope) : undefined
    rt.line = node.line
    if (value instanceof PyType && value.isA(BASE_EXCEPTION)) value = call(rt, value, [])
    if (!(value instanceof Instance) || !value.type.isA(BASE_EXCEPTION))
      return fault(rt, 'TypeError', 'exceptions must derive from BaseException')
    if (cause !== undefined) value.attributes.set('__cause__', cause)
    // Raised again, it still comes from where it was raised first.
    const before = this.#handling.find((one) => one.value === value)
    return before ?? new Raised(value, rt.line)
  }

  *#with(node: Extract<Statement, { kind: 'with' }>, at: number, scope: Scope): Running {
    const { rt } = this
    const item = node.items[at]
    if (!item) return yield* this.#block(node.body, scope)
    const manager = this.#value(item.value, scope)
    rt.line = node.line
    const [enter, exit] = [special(rt, manager, '__enter__'), special(rt, manager, '__exit__')]
    if (enter === undefined || exit === undefined)
      throw fault(rt, 'TypeError', `'${typeOf(manager).name}' object does not support the context manager protocol`)
    const entered = call(rt, enter, [])
    if (item.target) this.assign(item.target, entered, scope)
    const { nesting } = rt
    const calls = this.#calls
    let flow: Flow
    try {
      flow = yield* this.#with(node, at + 1, scope)
    } catch (error) {
      if (!(error instanceof Raised)) throw error
      rt.nesting = nesting
      this.#calls = calls
      if (!truth(rt, call(rt, exit, [error.value.type, error.value, null]))) throw error
      return undefined
    }
    call(rt, exit, [null, null, null])
    return flow
  }

  *#match(node: Extract<Statement, { kind: 'match' }>, scope: Scope): Running {
    const { rt } = this
    const subject = this.#value(node.subject, scope)
    for (const { pattern, guard, body } of node.cases) {
      const found = matches(pattern, subject, {
        rt,
        value: (expression) => this.#value(expression, scope),
        bind: (name, value) => scope.assign(name, value),
      })
      if (found && (!guard || truth(rt, this.#value(guard, scope)))) return yield* this.#block(body, scope)
    }
    return undefined
  }

  *#yield(node: Extract<Statement, { kind: 'yield' }>, scope: Scope): Running {
    const { rt } = this
    const value = node.value ? this.#value(node.value, scope) : null
    let sent: Value = null
    if (node.isFrom) {
      const { next } = iterate(rt, value)
      for (let item = next(); item !== undefined; item = next()) yield item
    } else sent = yield value
    for (const target of node.targets) this.assign(target, sent, scope)
    return undefined
  }

  // functions and classes

  makeFunction(node: Extract<Expression, { kind: 'lambda' }>, scope: Scope): Value {
    const evaluate = (inner: Scope): Flow => ({ value: this.#value(node.body, inner) })
    // oxlint-disable-next-line require-yield
    return this.#function(node.code, null, scope, function* body(inner): Running {
      return evaluate(inner)
    })
  }

  #function(code: Code, doc: string | null, scope: Scope, body: (inner: Scope) => Running): Func {
    const { rt } = this
    const slots: Slot[] = code.parameters.map(({ name, kind, otherwise }) => ({
      name,
      kind,
      otherwise: otherwise ? this.#value(otherwise, scope) : undefined,
    }))
    rt.make(1)
    const path = scope.path + code.name
    return new Func({ name: code.name, qualifiedName: path, doc }, (args, named) => {
      const names = bindArguments(rt, path, slots, args, named)
      const inner = new Scope('function', scope, { code, names, path: `${path}.<locals>.` })
      inner.self = args[0]
      rt.make(names.size)
      return code.isGenerator ? this.#generator(body(inner)) : this.#enter(() => this.#drive(body(inner)))
    })
  }

  #enter<T>(work: () => T): T {
    const { rt } = this
    if (this.#calls >= LIMITS.calls) throw fault(rt, 'RecursionError', 'maximum recursion depth exceeded')
    const { line } = rt
    this.#calls += 1
    rt.enter()
    const value = work()
    rt.leave()
    this.#calls -= 1
    rt.line = line
    return value
  }

  #generator(running: Running): Value {
    const { rt } = this
    let isDone = false
    return iterator(rt, 'generator', () => {
      if (isDone) return undefined
      const { nesting } = rt
      const step = this.#enter(() => running.next(null))
      rt.nesting = nesting
      if (!step.done) return step.value
      isDone = true
      return undefined
    })
  }

  #decorate(name: string, made: Value, decorators: readonly Expression[], scope: Scope): void {
    const around = decorators.map((decorator) => this.#value(decorator, scope))
    let value = made
    for (const decorator of around.toReversed()) value = call(this.rt, decorator, [value])
    scope.assign(name, value)
  }

  #class(node: Extract<Statement, { kind: 'class' }>, scope: Scope): void {
    const { rt } = this
    const bases = this.#evaluator.items(node.bases, scope)
    const named = this.#evaluator.named(node.named, null, scope)
    const inner = new Scope('class', scope, { path: `${scope.path}${node.name}.` })
    if (node.doc !== null) inner.names.set('__doc__', node.doc)
    this.#drive(this.#block(node.body, inner))
    rt.line = node.line
    const made = makeClass(rt, node.name, bases, inner.names, named)
    inner.owner = made
    this.#decorate(node.name, made, node.decorators, scope)
  }

  // modules

  #module(name: string): Module {
    const module = this.#importer(name)
    if (module) return module
    throw fault(this.rt, 'ModuleNotFoundError', `the module "${name}" is not available here`)
  }

  #import(name: string, as: string | null, scope: Scope): void {
    const [root = name] = name.split('.')
    const module = this.#module(name)
    scope.assign(as ?? root, as === null ? this.#module(root) : module)
  }

  #from(node: Extract<Statement, { kind: 'from' }>, scope: Scope): void {
    const { rt } = this
    const module = this.#module(node.module)
    if (!node.names) {
      for (const [name, value] of module.attributes) if (!name.startsWith('_')) scope.assign(name, value)
      return
    }
    for (const { name, as } of node.names) {
      const value = firstOf(module.attributes.get(name), () => this.#importer(`${node.module}.${name}`))
      if (value === undefined) throw fault(rt, 'ImportError', `cannot import name '${name}' from '${node.module}'`)
      scope.assign(as, value)
    }
  }

  /** A function of the program by its name. */
  defined(name: string): Value | undefined {
    return this.scope.names.get(name)
  }
}

function findIterable(rt: Runtime, value: Value): boolean {
  if (value instanceof Instance)
    return special(rt, value, '__iter__') !== undefined || special(rt, value, '__getitem__') !== undefined
  return typeOf(value).slots.iterate !== undefined
}

/** `ClassVar[int]` is `ClassVar`: all that a class needs to know of its annotations. */
function nameOf(annotation: Expression): string {
  if (annotation.kind === 'subscript') return nameOf(annotation.value)
  if (annotation.kind === 'attribute') return annotation.name
  if (annotation.kind === 'constant' && typeof annotation.value === 'string') return annotation.value.split('[')[0]!
  return annotation.kind === 'name' ? annotation.name : ''
}
