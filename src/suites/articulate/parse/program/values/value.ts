/** What programs handle: `bigint` is Python's int, `number` its float; everything else is an object of ours. */
import type { Runtime } from './runtime.ts'

export type Value = null | boolean | bigint | number | string | PyObject
export type Named = ReadonlyMap<string, Value>

/** How values of a type behave; what a type does not have, it cannot do. `undefined` answers "not with that". */
export interface Slots {
  binary?: (rt: Runtime, operator: string, left: Value, right: Value) => Value | undefined
  /** The same with this type on the right. */
  reflected?: (rt: Runtime, operator: string, left: Value, right: Value) => Value | undefined
  /** `a += b` where it changes `a`. */
  inPlace?: (rt: Runtime, operator: string, left: Value, right: Value) => Value | undefined
  compare?: (rt: Runtime, operator: string, left: Value, right: Value) => Value | undefined
  unary?: (rt: Runtime, operator: string, value: Value) => Value | undefined
  truth?: (rt: Runtime, value: Value) => boolean
  length?: (rt: Runtime, value: Value) => number
  iterate?: (rt: Runtime, value: Value) => Iter
  contains?: (rt: Runtime, whole: Value, item: Value) => boolean
  getItem?: (rt: Runtime, value: Value, index: Value) => Value
  setItem?: (rt: Runtime, value: Value, index: Value, item: Value) => void
  deleteItem?: (rt: Runtime, value: Value, index: Value) => void
  repr?: (rt: Runtime, value: Value, depth: number) => string
  str?: (rt: Runtime, value: Value) => string
  /** Equal values have equal keys; throws for what cannot be hashed. */
  key?: (rt: Runtime, value: Value) => string
  format?: (rt: Runtime, value: Value, spec: string) => string
  attribute?: (rt: Runtime, value: Value, name: string) => Value | undefined
  setAttribute?: (rt: Runtime, value: Value, name: string, item: Value) => void
  call?: (rt: Runtime, callee: Value, args: readonly Value[], named: Named) => Value
}

export abstract class PyObject {
  abstract readonly type: PyType
}

export type Construct = (rt: Runtime, type: PyType, args: readonly Value[], named: Named) => Value

export class PyType extends PyObject {
  readonly name: string
  readonly bases: readonly PyType[]
  readonly mro: readonly PyType[]
  readonly attributes = new Map<string, Value>()
  readonly slots: Slots
  /** Types of our own cannot be changed by programs: all programs share them. */
  readonly isBuiltin: boolean
  construct: Construct | null = null
  /** Makes a class that has this one as its base, where that is more than inheriting: enums and named tuples. */
  derive: ((rt: Runtime, name: string, namespace: Map<string, Value>) => PyType) | null = null

  constructor(
    name: string,
    {
      bases = [],
      slots = {},
      isBuiltin = true,
    }: { bases?: readonly PyType[]; slots?: Slots; isBuiltin?: boolean } = {},
  ) {
    super()
    this.name = name
    this.bases = bases
    this.slots = slots
    this.isBuiltin = isBuiltin
    this.mro = [this, ...merged(bases)]
  }

  get type(): PyType {
    return TYPES.type
  }

  /** Looked up here and in the bases. */
  find(name: string): Value | undefined {
    for (const type of this.mro) {
      const found = type.attributes.get(name)
      if (found !== undefined) return found
    }
    return undefined
  }

  isA(type: PyType): boolean {
    return this.mro.includes(type)
  }
}

/** The order of bases, by C3 as Python has it; empty where there is none. */
function merged(bases: readonly PyType[]): PyType[] {
  const lists = [...bases.map(({ mro }) => [...mro]), [...bases]].filter((list) => list.length > 0)
  const order: PyType[] = []
  while (lists.some((list) => list.length > 0)) {
    const head = lists.find((list) => list.length > 0 && !lists.some((other) => other.indexOf(list[0]!) > 0))?.[0]
    if (!head) return []
    order.push(head)
    for (const list of lists) if (list[0] === head) list.shift()
  }
  return order
}

const object = new PyType('object')
const plain = (name: string, ...bases: PyType[]): PyType =>
  new PyType(name, { bases: bases.length > 0 ? bases : [object], slots: {} })
const integer = plain('int')

/** The types that the language itself knows. Each fills its slots and attributes in a file of its own. */
export const TYPES = {
  object,
  type: plain('type'),
  none: plain('NoneType'),
  ellipsis: plain('ellipsis'),
  notImplemented: plain('NotImplementedType'),
  int: integer,
  bool: plain('bool', integer),
  float: plain('float'),
  str: plain('str'),
  list: plain('list'),
  tuple: plain('tuple'),
  dict: plain('dict'),
  set: plain('set'),
  frozenset: plain('frozenset'),
  range: plain('range'),
  slice: plain('slice'),
  function: plain('function'),
  native: plain('builtin_function_or_method'),
  method: plain('method'),
  module: plain('module'),
  property: plain('property'),
  staticmethod: plain('staticmethod'),
  classmethod: plain('classmethod'),
  super: plain('super'),
}

/** A list; `deque` is one of another type. */
export class List extends PyObject {
  readonly items: Value[]
  readonly type: PyType

  constructor(items: Value[], type: PyType = TYPES.list) {
    super()
    this.items = items
    this.type = type
  }
}

/** A tuple; named tuples have a type of their own. */
export class Tuple extends PyObject {
  readonly items: readonly Value[]
  readonly type: PyType

  constructor(items: readonly Value[], type: PyType = TYPES.tuple) {
    super()
    this.items = items
    this.type = type
  }
}

/** A dictionary by the keys of its keys; `defaultdict` and the like have a type of their own. */
export class Dict extends PyObject {
  readonly entries = new Map<string, { key: Value; value: Value }>()
  readonly type: PyType
  /** What `defaultdict` calls for a key that is missing. */
  factory: Value = null

  constructor(type: PyType = TYPES.dict) {
    super()
    this.type = type
  }
}

export class PySet extends PyObject {
  readonly items = new Map<string, Value>()
  readonly type: PyType

  constructor(type: PyType = TYPES.set) {
    super()
    this.type = type
  }
}

export class Range extends PyObject {
  readonly start: bigint
  readonly stop: bigint
  readonly step: bigint

  constructor(start: bigint, stop: bigint, step: bigint) {
    super()
    this.start = start
    this.stop = stop
    this.step = step
  }

  get type(): PyType {
    return TYPES.range
  }

  get length(): bigint {
    const { start, stop, step } = this
    const span = step > 0n ? stop - start + step - 1n : stop - start + step + 1n
    const count = span / step
    return count > 0n ? count : 0n
  }
}

export class Slice extends PyObject {
  readonly start: Value
  readonly stop: Value
  readonly step: Value

  constructor(start: Value, stop: Value, step: Value) {
    super()
    this.start = start
    this.stop = stop
    this.step = step
  }

  get type(): PyType {
    return TYPES.slice
  }
}

/** Something that hands out one value after another; `undefined` at the end. */
export class Iter extends PyObject {
  readonly type: PyType
  readonly next: () => Value | undefined

  constructor(type: PyType, next: () => Value | undefined) {
    super()
    this.type = type
    this.next = next
  }
}

/** A function of the program. */
export class Func extends PyObject {
  readonly name: string
  readonly qualifiedName: string
  readonly run: (args: readonly Value[], named: Named) => Value
  readonly doc: string | null
  readonly attributes = new Map<string, Value>()

  constructor(
    names: { name: string; qualifiedName: string; doc: string | null },
    run: (args: readonly Value[], named: Named) => Value,
  ) {
    super()
    this.name = names.name
    this.qualifiedName = names.qualifiedName
    this.doc = names.doc
    this.run = run
  }

  get type(): PyType {
    return TYPES.function
  }
}

/** A function of ours. In a type's attributes it is a method: its first argument is the value. */
export class Native extends PyObject {
  readonly name: string
  readonly run: (rt: Runtime, args: readonly Value[], named: Named) => Value

  constructor(name: string, run: (rt: Runtime, args: readonly Value[], named: Named) => Value) {
    super()
    this.name = name
    this.run = run
  }

  get type(): PyType {
    return TYPES.native
  }
}

export class Method extends PyObject {
  readonly self: Value
  readonly callee: Value

  constructor(self: Value, callee: Value) {
    super()
    this.self = self
    this.callee = callee
  }

  get type(): PyType {
    return this.callee instanceof Native ? TYPES.native : TYPES.method
  }
}

/** `@property`: asked for like an attribute. */
export class Property extends PyObject {
  readonly get: Value
  readonly set: Value

  constructor(get: Value, set: Value = null) {
    super()
    this.get = get
    this.set = set
  }

  get type(): PyType {
    return TYPES.property
  }
}

/** `@staticmethod` and `@classmethod`. */
export class Wrapped extends PyObject {
  readonly kind: 'staticmethod' | 'classmethod'
  readonly value: Value

  constructor(kind: Wrapped['kind'], value: Value) {
    super()
    this.kind = kind
    this.value = value
  }

  get type(): PyType {
    return TYPES[this.kind]
  }
}

export class Module extends PyObject {
  readonly name: string
  readonly attributes: ReadonlyMap<string, Value>

  constructor(name: string, attributes: ReadonlyMap<string, Value>) {
    super()
    this.name = name
    this.attributes = attributes
  }

  get type(): PyType {
    return TYPES.module
  }
}

/** An instance of a class: the program's, or one of ours that keeps its state in attributes. */
export class Instance extends PyObject {
  readonly type: PyType
  readonly attributes = new Map<string, Value>()

  constructor(type: PyType) {
    super()
    this.type = type
  }
}

/** `super()`: attributes after a type in the order of another. */
export class Super extends PyObject {
  readonly after: PyType
  readonly self: Value

  constructor(after: PyType, self: Value) {
    super()
    this.after = after
    this.self = self
  }

  get type(): PyType {
    return TYPES.super
  }
}

class Singleton extends PyObject {
  readonly type: PyType

  constructor(type: PyType) {
    super()
    this.type = type
  }
}

export const ELLIPSIS: PyObject = new Singleton(TYPES.ellipsis)
export const NOT_IMPLEMENTED: PyObject = new Singleton(TYPES.notImplemented)

export function typeOf(value: Value): PyType {
  if (value instanceof PyObject) return value.type
  if (typeof value === 'string') return TYPES.str
  if (typeof value === 'number') return TYPES.float
  if (typeof value === 'bigint') return TYPES.int
  return value === null ? TYPES.none : TYPES.bool
}

/** A text as it is; nothing for what is none. */
export function textIn(value: Value | undefined): string {
  return typeof value === 'string' ? value : ''
}

export const NO_NAMES: Named = new Map()

/** The first that is there. Python's None is: `??` would pass over it. */
export function firstOf<T extends Value | undefined>(value: Value | undefined, otherwise: () => T): Value | T {
  return value === undefined ? otherwise() : value
}
