/** Names: where they live is known before the program runs, as in Python. */
import type { Code } from '../syntax/tree.ts'
import { fault, type PyType, type Runtime, type Value } from '../values/index.ts'

export type ScopeKind = 'module' | 'function' | 'class' | 'comprehension'

const NO_NAMES: ReadonlySet<string> = new Set()

export class Scope {
  readonly kind: ScopeKind
  readonly names: Map<string, Value>
  readonly outer: Scope | null
  readonly module: Scope
  readonly #locals: ReadonlySet<string>
  readonly #globals: ReadonlySet<string>
  /** The class that a class body makes, once it is made: `super()` asks for it. */
  owner: PyType | null = null
  /** The first argument of a function. */
  self: Value | undefined = undefined
  /** What stands before the names of functions and classes made here. */
  readonly path: string

  constructor(
    kind: ScopeKind,
    outer: Scope | null,
    {
      code,
      names = new Map(),
      path = '',
    }: { code?: Pick<Code, 'locals' | 'globals'>; names?: Map<string, Value>; path?: string } = {},
  ) {
    this.kind = kind
    this.outer = outer
    this.module = outer?.module ?? this
    this.names = names
    this.path = path
    this.#locals = code?.locals ?? NO_NAMES
    this.#globals = code?.globals ?? NO_NAMES
  }

  #owns(name: string): boolean {
    return this.kind === 'function' || this.kind === 'comprehension' ? this.#locals.has(name) : this.names.has(name)
  }

  /** Undefined where nothing has that name. */
  find(rt: Runtime, name: string): Value | undefined {
    if (this.kind !== 'module' && this.#globals.has(name)) return this.module.names.get(name)
    if (this.#owns(name)) {
      const value = this.names.get(name)
      if (value !== undefined) return value
      throw fault(
        rt,
        'UnboundLocalError',
        `cannot access local variable '${name}' where it is not associated with a value`,
      )
    }
    for (let scope = this.outer; scope; scope = scope.outer) {
      // What a class body names is not seen by the functions in it.
      if (scope.kind === 'class' || !scope.#owns(name)) continue
      const value = scope.names.get(name)
      if (value !== undefined) return value
      throw fault(
        rt,
        'NameError',
        `cannot access free variable '${name}' where it is not associated with a value in enclosing scope`,
      )
    }
    return undefined
  }

  assign(name: string, value: Value): void {
    this.#home(name).set(name, value)
  }

  delete(rt: Runtime, name: string): void {
    if (this.#home(name).delete(name)) return
    throw this.kind === 'function'
      ? fault(rt, 'UnboundLocalError', `cannot access local variable '${name}' where it is not associated with a value`)
      : fault(rt, 'NameError', `name '${name}' is not defined`)
  }

  #home(name: string): Map<string, Value> {
    if (this.#globals.has(name)) return this.module.names
    if (this.kind === 'module' || this.kind === 'class' || this.#locals.has(name)) return this.names
    // A comprehension names things for the function around it; `nonlocal` names belong to one further out.
    if (this.kind === 'comprehension') return this.outer!.#home(name)
    for (let scope = this.outer; scope; scope = scope.outer)
      if (scope.kind === 'function' && scope.#locals.has(name)) return scope.names
    return this.module.names
  }
}
