/** Instances of classes: every operation is a method with two underscores on either side. */
import { BASE_EXCEPTION, fault, Raised } from './errors.ts'
import { bound, call, equals, identityOf, iterate, missingAttribute, repr, str, truth } from './protocol.ts'
import type { Runtime } from './runtime.ts'
import {
  Dict,
  Instance,
  Iter,
  type Named,
  NOT_IMPLEMENTED,
  Property,
  PyType,
  type Slots,
  Tuple,
  TYPES,
  typeOf,
  type Value,
} from './value.ts'

export const METHOD_OF: Readonly<Record<string, string>> = {
  '+': 'add',
  '-': 'sub',
  '*': 'mul',
  '/': 'truediv',
  '//': 'floordiv',
  '%': 'mod',
  '**': 'pow',
  '@': 'matmul',
  '&': 'and',
  '|': 'or',
  '^': 'xor',
  '<<': 'lshift',
  '>>': 'rshift',
  '<': 'lt',
  '<=': 'le',
  '>': 'gt',
  '>=': 'ge',
  '==': 'eq',
  '!=': 'ne',
}
const UNARY: Readonly<Record<string, string>> = { '-': '__neg__', '+': '__pos__', '~': '__invert__' }

/** A method of the type, bound; undefined where there is none or it is set to None. */
export function special(rt: Runtime, value: Value, name: string): Value | undefined {
  const type = typeOf(value)
  const found = type.find(name)
  return found === undefined || found === null ? undefined : bound(rt, value, type, found)
}

function attempt(rt: Runtime, value: Value, name: string, args: readonly Value[]): Value | undefined {
  const method = special(rt, value, name)
  const made = method === undefined ? undefined : call(rt, method, args)
  return made === NOT_IMPLEMENTED ? undefined : made
}

/** A method that must be there. */
function demanded(rt: Runtime, value: Value, name: string, args: readonly Value[], otherwise: string): Value {
  const method = special(rt, value, name)
  if (method === undefined) throw fault(rt, 'TypeError', otherwise)
  return call(rt, method, args)
}

const named = (value: Value): string => typeOf(value).name

export const INSTANCE_SLOTS: Slots = {
  binary: (rt, operator, left, right) => attempt(rt, left, `__${METHOD_OF[operator]}__`, [right]),
  reflected: (rt, operator, left, right) => attempt(rt, right, `__r${METHOD_OF[operator]}__`, [left]),
  inPlace: (rt, operator, left, right) => attempt(rt, left, `__i${METHOD_OF[operator]}__`, [right]),
  compare(rt, operator, left, right) {
    const made = attempt(rt, left, `__${METHOD_OF[operator]}__`, [right])
    if (made !== undefined || operator !== '!=') return made
    const same = attempt(rt, left, '__eq__', [right])
    return same === undefined ? undefined : !truth(rt, same)
  },
  unary: (rt, operator, value) => attempt(rt, value, UNARY[operator]!, []),
  truth(rt, value) {
    const own = special(rt, value, '__bool__')
    if (own !== undefined) return truth(rt, call(rt, own, []))
    const count = special(rt, value, '__len__')
    return count === undefined || truth(rt, call(rt, count, []))
  },
  length(rt, value) {
    const count = demanded(rt, value, '__len__', [], `object of type '${named(value)}' has no len()`)
    if (typeof count === 'bigint' && count >= 0n) return Number(count)
    throw fault(rt, 'ValueError', '__len__() should return >= 0')
  },
  iterate(rt, value) {
    const own = special(rt, value, '__iter__')
    if (own !== undefined) {
      const given = call(rt, own, [])
      return given instanceof Instance ? stepping(rt, given) : iterate(rt, given)
    }
    if (special(rt, value, '__getitem__') === undefined)
      throw fault(rt, 'TypeError', `'${named(value)}' object is not iterable`)
    let at = -1n
    return new Iter(ITERATOR, () => {
      at += 1n
      return untilRaised(rt, 'IndexError', () => attempt(rt, value, '__getitem__', [at]))
    })
  },
  contains(rt, whole, item) {
    const own = special(rt, whole, '__contains__')
    if (own !== undefined) return truth(rt, call(rt, own, [item]))
    const { next } = iterate(rt, whole)
    for (let other = next(); other !== undefined; other = next()) if (equals(rt, other, item)) return true
    return false
  },
  getItem: (rt, value, index) =>
    demanded(rt, value, '__getitem__', [index], `'${named(value)}' object is not subscriptable`),
  setItem(rt, value, index, item) {
    demanded(rt, value, '__setitem__', [index, item], `'${named(value)}' object does not support item assignment`)
  },
  deleteItem(rt, value, index) {
    demanded(rt, value, '__delitem__', [index], `'${named(value)}' object doesn't support item deletion`)
  },
  repr(rt, value) {
    const made = attempt(rt, value, '__repr__', [])
    if (made === undefined) return `<${named(value)} object>`
    if (typeof made === 'string') return made
    throw fault(rt, 'TypeError', `__repr__ returned non-string (type ${named(made)})`)
  },
  str(rt, value) {
    const made = attempt(rt, value, '__str__', [])
    if (made === undefined) return repr(rt, value)
    if (typeof made === 'string') return made
    throw fault(rt, 'TypeError', `__str__ returned non-string (type ${named(made)})`)
  },
  key(rt, value) {
    const type = typeOf(value)
    for (const owner of type.mro) {
      const own = owner.attributes.get('__hash__')
      if (own !== undefined && own !== null) return `h${str(rt, call(rt, bound(rt, value, type, own), []))}`
      if (own === null || owner.attributes.has('__eq__'))
        throw fault(rt, 'TypeError', `unhashable type: '${type.name}'`)
    }
    return value instanceof Instance ? `o${identityOf(value)}` : 'o'
  },
  format(rt, value, spec) {
    const made = attempt(rt, value, '__format__', [spec])
    if (typeof made === 'string') return made
    if (spec === '') return str(rt, value)
    throw fault(rt, 'TypeError', `unsupported format string passed to ${named(value)}.__format__`)
  },
  attribute(rt, value, name) {
    if (!(value instanceof Instance)) return undefined
    const { type, attributes } = value
    if (name === '__dict__') return dictOf(rt, attributes)
    const inherited = type.find(name)
    if (inherited instanceof Property) return call(rt, inherited.get, [value])
    const own = attributes.get(name)
    if (own !== undefined) return own
    if (inherited !== undefined) return bound(rt, value, type, inherited)
    if (name === '__class__') return type
    const fallback = type.find('__getattr__')
    return fallback === undefined ? undefined : call(rt, bound(rt, value, type, fallback), [name])
  },
  setAttribute(rt, value, name, item) {
    if (!(value instanceof Instance)) throw missingAttribute(rt, value, name)
    const own = special(rt, value, '__setattr__')
    if (own === undefined) assignAttribute(rt, value, name, item)
    else call(rt, own, [name, item])
  },
  call: (rt, value, args, given) => {
    const method = special(rt, value, '__call__')
    if (method === undefined) throw fault(rt, 'TypeError', `'${named(value)}' object is not callable`)
    return call(rt, method, args, given)
  },
}

export function assignAttribute(rt: Runtime, value: Instance, name: string, item: Value): void {
  const inherited = value.type.find(name)
  if (inherited instanceof Property) {
    if (inherited.set === null)
      throw fault(rt, 'AttributeError', `property '${name}' of '${value.type.name}' object has no setter`)
    call(rt, inherited.set, [value, item])
    return
  }
  if (value.type.isBuiltin && !value.type.isA(BASE_EXCEPTION)) throw missingAttribute(rt, value, name)
  rt.make(value.attributes.size + 1, 1)
  value.attributes.set(name, item)
}

export function dictOf(rt: Runtime, attributes: ReadonlyMap<string, Value>): Dict {
  rt.make(attributes.size)
  const made = new Dict()
  for (const [key, value] of attributes) made.entries.set(`s${key}`, { key, value })
  return made
}

const ITERATOR = new PyType('iterator', { bases: [TYPES.object] })

/** An instance with `__next__` as something that hands out values. */
export function stepping(rt: Runtime, value: Value): Iter {
  if (special(rt, value, '__next__') === undefined)
    throw fault(rt, 'TypeError', `iter() returned non-iterator of type '${named(value)}'`)
  return new Iter(ITERATOR, () => untilRaised(rt, 'StopIteration', () => attempt(rt, value, '__next__', [])))
}

function untilRaised(rt: Runtime, type: string, work: () => Value | undefined): Value | undefined {
  const { nesting } = rt
  try {
    return work()
  } catch (error) {
    if (!(error instanceof Raised) || error.value.type.name !== type) throw error
    rt.nesting = nesting
    return undefined
  }
}

/** Makes an instance as a call of its class does. */
export function instantiate(rt: Runtime, type: PyType, args: readonly Value[], given: Named): Instance {
  const made = new Instance(type)
  rt.make(1)
  if (type.isA(BASE_EXCEPTION)) made.attributes.set('args', new Tuple(args))
  const abstract = type.find('__abstract__')
  if (abstract instanceof Tuple && abstract.items.length > 0) {
    const names = abstract.items.map(String)
    throw fault(
      rt,
      'TypeError',
      `Can't instantiate abstract class ${type.name} with abstract method${names.length > 1 ? 's' : ''} ${names.join(', ')}`,
    )
  }
  const init = special(rt, made, '__init__')
  if (init === undefined) {
    if (args.length + given.size > 0) throw fault(rt, 'TypeError', `${type.name}() takes no arguments`)
  } else if (call(rt, init, args, given) !== null) throw fault(rt, 'TypeError', '__init__() should return None')
  return made
}
