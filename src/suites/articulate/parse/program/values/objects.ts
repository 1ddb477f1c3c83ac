/** None, functions, classes, modules, properties and exceptions. */
import { BASE_EXCEPTION, EXCEPTIONS, fault } from './errors.ts'
import { assignAttribute, instantiate } from './instances.ts'
import { bound, call, identityOf, iterate, keyOf, repr, str, truth, typeName } from './protocol.ts'
import { joinedRepr } from './sequences.ts'
import type { Runtime } from './runtime.ts'
import { native } from './signature.ts'
import {
  Dict,
  firstOf,
  Func,
  Instance,
  Method,
  Module,
  Native,
  Property,
  PyObject,
  PyType,
  type Slots,
  Super,
  Tuple,
  TYPES,
  typeOf,
  type Value,
  Wrapped,
} from './value.ts'

const identity: Slots = {
  key: (_, value) => (value instanceof PyObject ? `o${identityOf(value)}` : 'None'),
}

Object.assign(TYPES.none.slots, { truth: () => false, repr: () => 'None', key: () => 'None' } satisfies Slots)
Object.assign(TYPES.ellipsis.slots, identity, { repr: () => 'Ellipsis' } satisfies Slots)
Object.assign(TYPES.notImplemented.slots, identity, { repr: () => 'NotImplemented' } satisfies Slots)

// functions

Object.assign(TYPES.function.slots, identity, {
  call: (_, callee, args, named) => (callee instanceof Func ? callee.run(args, named) : null),
  repr: (_, value) => (value instanceof Func ? `<function ${value.qualifiedName}>` : ''),
  attribute(_, value, name) {
    if (!(value instanceof Func)) return undefined
    if (name === '__name__') return value.attributes.get(name) ?? value.name
    if (name === '__qualname__') return value.qualifiedName
    if (name === '__doc__') return value.attributes.get(name) ?? value.doc
    return value.attributes.get(name)
  },
  setAttribute(rt, value, name, item) {
    if (!(value instanceof Func)) return
    rt.make(value.attributes.size + 1, 1)
    value.attributes.set(name, item)
  },
} satisfies Slots)
Object.assign(TYPES.native.slots, identity, {
  call(rt, callee, args, named) {
    if (callee instanceof Method) return call(rt, callee.callee, [callee.self, ...args], named)
    return callee instanceof Native ? callee.run(rt, args, named) : null
  },
  repr: (_, value) => (value instanceof Native ? `<built-in function ${value.name}>` : '<built-in method>'),
  attribute(_, value, name) {
    const own = value instanceof Method ? value.callee : value
    return name === '__name__' && own instanceof Native ? own.name.split('.').at(-1)! : undefined
  },
} satisfies Slots)
Object.assign(TYPES.method.slots, identity, {
  call: (rt, callee, args, named) =>
    callee instanceof Method ? call(rt, callee.callee, [callee.self, ...args], named) : null,
  repr: (rt, value) =>
    value instanceof Method && value.callee instanceof Func
      ? `<bound method ${value.callee.qualifiedName} of ${repr(rt, value.self)}>`
      : '<bound method>',
  attribute(_, value, name) {
    if (!(value instanceof Method)) return undefined
    if (name === '__self__') return value.self
    return value.callee instanceof Func ? TYPES.function.slots.attribute!(_, value.callee, name) : undefined
  },
} satisfies Slots)

Object.assign(TYPES.property.slots, {
  attribute(_, value, name) {
    if (!(value instanceof Property)) return undefined
    if (name === 'setter') return native('setter', 'fset', (__, [set = null]) => new Property(value.get, set))
    if (name === 'getter') return native('getter', 'fget', (__, [get = null]) => new Property(get, value.set))
    return name === 'fget' ? value.get : undefined
  },
} satisfies Slots)
TYPES.property.construct = (_, __, [get = null, set = null]) => new Property(get, set)
TYPES.staticmethod.construct = (_, __, [value = null]) => new Wrapped('staticmethod', value)
TYPES.classmethod.construct = (_, __, [value = null]) => new Wrapped('classmethod', value)

// classes

/** `int | None` and `list[int]`: read where a type is written, with no meaning of their own. */
const UNION = new PyType('types.UnionType', {
  bases: [TYPES.object],
  slots: {
    binary: (_, operator, left, right) => (operator === '|' ? union(left, right) : undefined),
    reflected: (_, operator, left, right) => (operator === '|' ? union(left, right) : undefined),
  },
})

function union(left: Value, right: Value): Instance {
  const parts = [left, right].flatMap((side) => {
    const known = side instanceof Instance && side.type === UNION ? side.attributes.get('types') : undefined
    return known instanceof Tuple ? known.items : [side ?? TYPES.none]
  })
  const made = new Instance(UNION)
  made.attributes.set('types', new Tuple(parts))
  return made
}
for (const [name, isReflected] of [
  ['__or__', false],
  ['__ror__', true],
] as const)
  UNION.attributes.set(
    name,
    native(name, 'self other', (_, [self, other]) => (isReflected ? union(other!, self!) : union(self!, other!))),
  )

/** Whether a value is of a type, of one of several, or of a union. */
export function isInstance(rt: Runtime, value: Value, type: Value, of: PyType = typeOf(value)): boolean {
  rt.work()
  if (type instanceof PyType)
    return (
      of.isA(type) ||
      (type.find('__accepts__') instanceof Native && truth(rt, call(rt, type.find('__accepts__')!, [value])))
    )
  const many = type instanceof Instance && type.type === UNION ? type.attributes.get('types') : type
  if (many instanceof Tuple) return many.items.some((one) => isInstance(rt, value, one, of))
  throw fault(rt, 'TypeError', 'isinstance() arg 2 must be a type, a tuple of types, or a union')
}

/** Members of an Enum class, in order. */
export function membersOf(type: PyType): readonly Value[] | null {
  const members = type.find('__members__')
  return members instanceof Tuple ? members.items : null
}

Object.assign(TYPES.type.slots, identity, {
  binary: (_, operator, left, right) => (operator === '|' ? union(left, right) : undefined),
  reflected: (_, operator, left, right) => (operator === '|' ? union(left, right) : undefined),
  getItem(rt, value, index) {
    if (!(value instanceof PyType)) return null
    const member = membersOf(value)?.find((one) => one instanceof Instance && one.attributes.get('name') === index)
    if (member !== undefined) return member
    if (membersOf(value)) throw fault(rt, 'KeyError', index)
    const isGeneric = value.isBuiltin || value.find('__class_getitem__') !== undefined
    if (!isGeneric) throw fault(rt, 'TypeError', `type '${value.name}' is not subscriptable`)
    return value
  },
  iterate(rt, value) {
    const members = value instanceof PyType ? membersOf(value) : null
    if (!members) throw fault(rt, 'TypeError', "'type' object is not iterable")
    return iterate(rt, new Tuple(members))
  },
  contains(rt, value, item) {
    const members = value instanceof PyType ? membersOf(value) : null
    if (!members) throw fault(rt, 'TypeError', "argument of type 'type' is not iterable")
    return members.includes(item)
  },
  truth: () => true,
  length(rt, value) {
    const members = value instanceof PyType ? membersOf(value) : null
    if (!members) throw fault(rt, 'TypeError', "object of type 'type' has no len()")
    return members.length
  },
  repr: (_, value) =>
    value instanceof PyType
      ? membersOf(value)
        ? `<enum '${value.name}'>`
        : `<class '${value.isBuiltin ? '' : '__main__.'}${value.name}'>`
      : '',
  call(rt, callee, args, named) {
    if (!(callee instanceof PyType)) return null
    const construct = callee.mro.find((type) => type.construct !== null)?.construct
    rt.make(1)
    return construct ? construct(rt, callee, args, named) : instantiate(rt, callee, args, named)
  },
  attribute(rt, value, name) {
    if (!(value instanceof PyType)) return undefined
    if (name === '__name__' || name === '__qualname__') return value.name.split('.').at(-1)!
    if (name === '__class__') return TYPES.type
    if (name === '__dict__') {
      const made = new Dict()
      for (const [key, item] of value.attributes) made.entries.set(keyOf(rt, key), { key, value: item })
      return made
    }
    if (name === '__doc__' && !value.attributes.has(name)) return null
    if (name === '__members__' && membersOf(value)) {
      const made = new Dict()
      for (const member of membersOf(value)!) {
        const key = member instanceof Instance ? (member.attributes.get('name') ?? null) : null
        made.entries.set(keyOf(rt, key), { key, value: member })
      }
      return made
    }
    const found = value.find(name)
    if (found instanceof Wrapped) return bound(rt, null, value, found)
    return found
  },
  setAttribute(rt, value, name, item) {
    if (!(value instanceof PyType)) return
    if (value.isBuiltin)
      throw fault(rt, 'TypeError', `cannot set '${name}' attribute of immutable type '${value.name}'`)
    rt.make(value.attributes.size + 1, 1)
    value.attributes.set(name, item)
  },
} satisfies Slots)

TYPES.object.construct = (rt, type, args, named) => instantiate(rt, type, args, named)
TYPES.type.construct = (rt, _, args) => {
  if (args.length === 1) return typeOf(args[0]!)
  throw fault(rt, 'NotImplementedError', 'classes are made by `class`, not by type()')
}
/** What `super()` finds on `object`, though instances need not look for it. */
const OBJECT_METHODS: ReadonlyMap<string, Value> = new Map<string, Value>([
  [
    '__setattr__',
    native('__setattr__', 'self name value', (rt, [self, name, item]) => {
      if (self instanceof Instance) assignAttribute(rt, self, str(rt, name!), item!)
      return null
    }),
  ],
  ['__init__', new Native('__init__', () => null)],
  ['__init_subclass__', new Wrapped('classmethod', new Native('__init_subclass__', () => null))],
  ['__repr__', native('__repr__', 'self', (_, [self]) => `<${typeName(self!)} object>`)],
  ['__str__', native('__str__', 'self', (rt, [self]) => repr(rt, self!))],
  ['__eq__', native('__eq__', 'self other', (_, [self, other]) => self === other)],
  ['__hash__', native('__hash__', 'self', (_, [self]) => BigInt(self instanceof PyObject ? identityOf(self) : 0))],
])

// modules and super()

Object.assign(TYPES.module.slots, identity, {
  attribute(rt, value, name) {
    if (!(value instanceof Module)) return undefined
    const found = value.attributes.get(name)
    if (found !== undefined) return found
    if (name === '__name__') return value.name
    throw fault(rt, 'AttributeError', `module '${value.name}' has no attribute '${name}'`)
  },
  setAttribute(rt, value) {
    throw fault(rt, 'AttributeError', `module '${value instanceof Module ? value.name : ''}' cannot be changed`)
  },
  repr: (_, value) => (value instanceof Module ? `<module '${value.name}'>` : ''),
} satisfies Slots)

Object.assign(TYPES.super.slots, identity, {
  attribute(rt, value, name) {
    if (!(value instanceof Super)) return undefined
    const { self, after } = value
    const type = self instanceof PyType ? self : typeOf(self)
    for (const next of type.mro.slice(type.mro.indexOf(after) + 1)) {
      const found = firstOf(next.attributes.get(name), () =>
        next === TYPES.object ? OBJECT_METHODS.get(name) : undefined,
      )
      if (found !== undefined)
        return self instanceof PyType && !(found instanceof Wrapped) ? found : bound(rt, self, type, found)
    }
    throw fault(rt, 'AttributeError', `'super' object has no attribute '${name}'`)
  },
  repr: () => '<super>',
} satisfies Slots)

// exceptions

const argsOf = (self: Value | undefined): readonly Value[] => {
  const args = self instanceof Instance ? self.attributes.get('args') : undefined
  return args instanceof Tuple ? args.items : []
}

BASE_EXCEPTION.construct = instantiate
BASE_EXCEPTION.attributes.set(
  '__init__',
  new Native('__init__', (_, [self, ...args]) => {
    if (self instanceof Instance) self.attributes.set('args', new Tuple(args))
    return null
  }),
)
BASE_EXCEPTION.attributes.set(
  '__str__',
  native('__str__', 'self', (rt, [self]) => {
    const args = argsOf(self)
    if (args.length === 1) return str(rt, args[0]!)
    return args.length === 0 ? '' : `(${joinedRepr(rt, args)})`
  }),
)
BASE_EXCEPTION.attributes.set(
  '__repr__',
  native('__repr__', 'self', (rt, [self]) => `${typeName(self!)}(${joinedRepr(rt, argsOf(self))})`),
)
BASE_EXCEPTION.attributes.set(
  'with_traceback',
  native('with_traceback', 'self tb', (_, [self]) => self!),
)
EXCEPTIONS.get('KeyError')!.attributes.set(
  '__str__',
  native('__str__', 'self', (rt, [self]) => {
    const args = argsOf(self)
    if (args.length === 1) return repr(rt, args[0]!)
    return args.length === 0 ? '' : `(${joinedRepr(rt, args)})`
  }),
)
EXCEPTIONS.get('StopIteration')!.attributes.set(
  'value',
  new Property(native('value', 'self', (_, [self]) => argsOf(self)[0] ?? null)),
)
