/** `functools` and `operator`. */
import {
  binary,
  call,
  compare,
  contains,
  Dict,
  fault,
  firstOf,
  Func,
  getAttribute,
  getItem,
  Instance,
  iterate,
  keyOf,
  Native,
  native,
  natives,
  PyType,
  type Runtime,
  str,
  truth,
  Tuple,
  TYPES,
  unary,
  type Value,
} from '../values/index.ts'

type Named = [string, Value]

const partial = new Native(
  'partial',
  (_, [callee = null, ...first], preset) =>
    new Native('partial', (rt, args, named) => call(rt, callee, [...first, ...args], new Map([...preset, ...named]))),
)

function cached(callee: Value): Value {
  const known = new Dict()
  return new Native(callee instanceof Func ? callee.name : 'cached', (rt, args, named) => {
    const key = keyOf(rt, new Tuple([...args, ...[...named].flatMap(([name, value]) => [name, value])]))
    const entry = known.entries.get(key)
    if (entry) return entry.value
    const value = call(rt, callee, args, named)
    rt.make(known.entries.size + 1, 1)
    known.entries.set(key, { key: null, value })
    return value
  })
}

function totallyOrdered(rt: Runtime, type: Value): Value {
  if (!(type instanceof PyType)) throw fault(rt, 'TypeError', 'total_ordering() needs a class')
  const has = (name: string): boolean => type.mro.some((base) => base !== TYPES.object && base.attributes.has(name))
  const method = (name: string, how: (runtime: Runtime, a: Value, b: Value) => boolean): void => {
    if (!has(name))
      type.attributes.set(
        name,
        native(name, 'self other', (runtime, [a, b]) => how(runtime, a!, b!)),
      )
  }
  const ask = (operator: string) => (runtime: Runtime, a: Value, b: Value) =>
    truth(runtime, compare(runtime, operator, a, b))
  const [lt, gt, le, eq] = [ask('<'), ask('>'), ask('<='), ask('==')]
  if (has('__lt__')) {
    method('__gt__', (r, a, b) => !lt(r, a, b) && !eq(r, a, b))
    method('__le__', (r, a, b) => lt(r, a, b) || eq(r, a, b))
    method('__ge__', (r, a, b) => !lt(r, a, b))
  } else if (has('__gt__')) {
    method('__lt__', (r, a, b) => !gt(r, a, b) && !eq(r, a, b))
    method('__ge__', (r, a, b) => gt(r, a, b) || eq(r, a, b))
    method('__le__', (r, a, b) => !gt(r, a, b))
  } else if (has('__le__')) {
    method('__lt__', (r, a, b) => le(r, a, b) && !eq(r, a, b))
    method('__gt__', (r, a, b) => !le(r, a, b))
    method('__ge__', (r, a, b) => !le(r, a, b) || eq(r, a, b))
  }
  return type
}

/** A key by which a comparing function sorts. */
const COMPARED = new PyType('K', { bases: [TYPES.object] })
COMPARED.attributes.set(
  '__lt__',
  native('__lt__', 'self other', (rt, [self, other]) => {
    const part = (of: Value | undefined, name: string): Value =>
      of instanceof Instance ? (of.attributes.get(name) ?? null) : null
    const order = call(rt, part(self, 'by'), [part(self, 'obj'), part(other, 'obj')])
    return truth(rt, compare(rt, '<', order, 0n))
  }),
)

const cacheDecorator = new Native('lru_cache', (_, [first]) =>
  first instanceof Func ? cached(first) : native('decorator', 'function', (__, [callee]) => cached(callee!)),
)

export const FUNCTOOLS: readonly Named[] = [
  ['partial', partial],
  ['lru_cache', cacheDecorator],
  ['cache', native('cache', 'function', (_, [callee]) => cached(callee!))],
  ['cached_property', TYPES.property],
  ...natives(
    [
      'reduce',
      'function iterable initial?',
      (rt, [by, over, initial]) => {
        const { next } = iterate(rt, over!)
        let made = firstOf(initial, next)
        if (made === undefined) throw fault(rt, 'TypeError', 'reduce() of empty iterable with no initial value')
        for (let item = next(); item !== undefined; item = next()) made = call(rt, by!, [made, item])
        return made
      },
    ],
    [
      'wraps',
      'wrapped',
      (_, [wrapped]) =>
        native('decorator', 'function', (__, [wrapper]) => {
          if (wrapper instanceof Func && (wrapped instanceof Func || wrapped instanceof Native)) {
            wrapper.attributes.set('__name__', wrapped.name)
            if (wrapped instanceof Func) wrapper.attributes.set('__doc__', wrapped.doc)
          }
          return wrapper!
        }),
    ],
    ['total_ordering', 'cls', (rt, [type]) => totallyOrdered(rt, type!)],
    [
      'cmp_to_key',
      'mycmp',
      (_, [by]) =>
        native('K', 'obj', (__, [value]) => {
          const made = new Instance(COMPARED)
          made.attributes.set('by', by!)
          made.attributes.set('obj', value!)
          return made
        }),
    ],
  ),
]

const OPERATORS: Readonly<Record<string, string>> = {
  add: '+',
  sub: '-',
  mul: '*',
  truediv: '/',
  floordiv: '//',
  mod: '%',
  pow: '**',
  matmul: '@',
  and_: '&',
  or_: '|',
  xor: '^',
}
const COMPARISONS: Readonly<Record<string, string>> = { lt: '<', le: '<=', eq: '==', ne: '!=', gt: '>', ge: '>=' }

export const OPERATOR: readonly Named[] = [
  ...natives(
    ...Object.entries(OPERATORS).map(
      ([name, operator]) =>
        [name, 'a b', (rt: Runtime, [a, b]: (Value | undefined)[]) => binary(rt, operator, a!, b!)] as const,
    ),
    ...Object.entries(COMPARISONS).map(
      ([name, operator]) =>
        [name, 'a b', (rt: Runtime, [a, b]: (Value | undefined)[]) => compare(rt, operator, a!, b!)] as const,
    ),
    ['neg', 'a', (rt, [a]) => unary(rt, '-', a!)],
    ['not_', 'a', (rt, [a]) => !truth(rt, a!)],
    ['contains', 'a b', (rt, [a, b]) => contains(rt, a!, b!)],
    ['getitem', 'a b', (rt, [a, b]) => getItem(rt, a!, b!)],
  ),
  [
    'itemgetter',
    new Native('itemgetter', (_, keys) =>
      native('itemgetter', 'obj', (rt, [value]) => {
        const items = keys.map((key) => getItem(rt, value!, key))
        return items.length === 1 ? items[0]! : new Tuple(items)
      }),
    ),
  ],
  [
    'attrgetter',
    new Native('attrgetter', (_, names) =>
      native('attrgetter', 'obj', (rt, [value]) => {
        const items = names.map((name) =>
          str(rt, name)
            .split('.')
            .reduce<Value>((at, part) => getAttribute(rt, at, part), value!),
        )
        return items.length === 1 ? items[0]! : new Tuple(items)
      }),
    ),
  ],
]
