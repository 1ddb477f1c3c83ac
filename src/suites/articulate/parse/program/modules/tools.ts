/** `itertools`, `functools`, `operator`, `collections`, `copy` and the small ones beside them. */
import {
  binary,
  call,
  compare,
  contains,
  COUNTER,
  count,
  DEFAULT_DICT,
  Dict,
  fault,
  findAttribute,
  firstOf,
  Func,
  getAttribute,
  getItem,
  include,
  Instance,
  iterate,
  iterator,
  itemsOf,
  keyOf,
  List,
  mapped,
  Native,
  native,
  natives,
  ORDERED,
  put,
  PySet,
  PyType,
  real,
  type Runtime,
  sorted,
  str,
  truth,
  Tuple,
  TYPES,
  unary,
  type Value,
  Wrapped,
} from '../values/index.ts'
import { namedtuple } from './classes.ts'

type Named = [string, Value]

// itertools

/** All ways to choose places, one after the other; each is metered. */
function chosen(rt: Runtime, items: readonly Value[], places: () => Generator<readonly number[]>, name: string): Value {
  const ways = places()
  return iterator(rt, name, () => {
    const way = ways.next()
    if (way.done) return undefined
    rt.make(way.value.length)
    return new Tuple(way.value.map((at) => items[at]!))
  })
}

function* permuted(rt: Runtime, n: number, r: number, used: readonly number[] = []): Generator<readonly number[]> {
  rt.work()
  if (used.length === r) yield used
  else for (let i = 0; i < n; i++) if (!used.includes(i)) yield* permuted(rt, n, r, [...used, i])
}

function* combined(
  rt: Runtime,
  n: number,
  r: number,
  repeats: boolean,
  used: readonly number[] = [],
): Generator<readonly number[]> {
  rt.work()
  if (used.length === r) yield used
  else {
    const from = used.length === 0 ? 0 : used.at(-1)! + (repeats ? 0 : 1)
    for (let i = from; i < n; i++) yield* combined(rt, n, r, repeats, [...used, i])
  }
}

function* multiplied(
  rt: Runtime,
  lists: readonly (readonly Value[])[],
  used: readonly Value[] = [],
): Generator<readonly Value[]> {
  rt.work()
  const list = lists[used.length]
  if (!list) yield used
  else for (const item of list) yield* multiplied(rt, lists, [...used, item])
}

function few(rt: Runtime, value: Value | undefined, otherwise: number): number {
  const number = value === undefined || value === null ? otherwise : count(rt, value)
  if (number < 0) throw fault(rt, 'ValueError', 'r must be non-negative')
  rt.make(number)
  return Math.min(number, 200)
}

const product = new Native('product', (rt, args, named) => {
  const times = few(rt, named.get('repeat'), 1)
  const lists = args.map((list) => itemsOf(rt, list))
  const all = Array.from({ length: times }, () => lists).flat()
  if (all.length > 200) throw fault(rt, 'NotImplementedError', 'product() of more than 200 lists is not supported')
  const rows = multiplied(rt, all)
  return iterator(rt, 'product', () => {
    const row = rows.next()
    return row.done ? undefined : new Tuple(row.value)
  })
})

const CHAIN = new PyType('itertools.chain', { bases: [TYPES.object] })
CHAIN.construct = (rt, _, args) => chained(rt, iterate(rt, new Tuple(args)).next)
CHAIN.attributes.set(
  'from_iterable',
  new Wrapped(
    'staticmethod',
    native('from_iterable', 'iterable', (rt, [lists]) => chained(rt, iterate(rt, lists!).next)),
  ),
)

function chained(rt: Runtime, nextList: () => Value | undefined): Value {
  let current: (() => Value | undefined) | null = null
  return iterator(rt, 'chain', () => {
    for (;;) {
      if (!current) {
        const list = nextList()
        if (list === undefined) return undefined
        current = iterate(rt, list).next
      }
      const item = current()
      if (item !== undefined) return item
      current = null
      rt.work()
    }
  })
}

function islice(rt: Runtime, over: Value, args: readonly Value[]): Value {
  const [a = null, b, c = null] = args
  const [start, stop, step] = b === undefined ? [null, a, null] : [a, b, c]
  let at = 0
  let next = start === null ? 0 : count(rt, start)
  const by = step === null ? 1 : count(rt, step)
  const end = stop === null ? Infinity : count(rt, stop)
  const source = iterate(rt, over)
  return iterator(rt, 'islice', () => {
    while (next < end) {
      const item = source.next()
      if (item === undefined) return undefined
      rt.work()
      at += 1
      if (at - 1 === next) {
        next += by
        return item
      }
    }
    return undefined
  })
}

function groups(rt: Runtime, over: Value, key: Value): Value {
  const { next } = iterate(rt, over)
  let item = next()
  return iterator(rt, 'groupby', () => {
    if (item === undefined) return undefined
    const keyed = (value: Value): Value => (key === null ? value : call(rt, key, [value]))
    const name = keyed(item)
    const members: Value[] = []
    while (item !== undefined && truth(rt, compare(rt, '==', keyed(item), name))) {
      members.push(item)
      rt.make(members.length, 1)
      item = next()
    }
    return new Tuple([name, iterate(rt, new Tuple(members))])
  })
}

function accumulated(rt: Runtime, over: Value, by: Value, initial: Value | undefined): Value {
  let total = initial
  let isFirst = initial !== undefined && initial !== null
  const { next } = iterate(rt, over)
  return iterator(rt, 'accumulate', () => {
    if (isFirst) {
      isFirst = false
      return total
    }
    const item = next()
    if (item === undefined) return undefined
    if (total === undefined || total === null) total = item
    else total = by === null ? binary(rt, '+', total, item) : call(rt, by, [total, item])
    return total
  })
}

function takenWhile(rt: Runtime, test: Value, over: Value, isDropping: boolean): Value {
  const { next } = iterate(rt, over)
  let isOpen = true
  return iterator(rt, isDropping ? 'dropwhile' : 'takewhile', () => {
    for (let item = isOpen || isDropping ? next() : undefined; item !== undefined; item = next()) {
      if (!isOpen) return item
      const passes = truth(rt, call(rt, test, [item]))
      if (isDropping && passes) continue
      isOpen = isDropping ? false : passes
      return isDropping || passes ? item : undefined
    }
    return undefined
  })
}

export const ITERTOOLS: readonly Named[] = [
  ['product', product],
  ['chain', CHAIN],
  ...natives(
    [
      'permutations',
      'iterable r?',
      (rt, [over, r]) => {
        const items = itemsOf(rt, over!)
        return chosen(rt, items, () => permuted(rt, items.length, few(rt, r, items.length)), 'permutations')
      },
    ],
    [
      'combinations',
      'iterable r',
      (rt, [over, r]) => {
        const items = itemsOf(rt, over!)
        return chosen(rt, items, () => combined(rt, items.length, few(rt, r, 0), false), 'combinations')
      },
    ],
    [
      'combinations_with_replacement',
      'iterable r',
      (rt, [over, r]) => {
        const items = itemsOf(rt, over!)
        return chosen(rt, items, () => combined(rt, items.length, few(rt, r, 0), true), 'combinations_with_replacement')
      },
    ],
    [
      'count',
      'start? step?',
      (rt, [start = 0n, step = 1n]) => {
        let at: Value | null = null
        return iterator(rt, 'count', () => {
          at = at === null ? start : binary(rt, '+', at, step)
          return at
        })
      },
    ],
    [
      'cycle',
      'iterable',
      (rt, [over]) => {
        const items = itemsOf(rt, over!)
        let at = -1
        return iterator(rt, 'cycle', () => {
          at = (at + 1) % Math.max(items.length, 1)
          return items[at]
        })
      },
    ],
    [
      'repeat',
      'object times?',
      (rt, [value, times]) => {
        let left = times === undefined || times === null ? Infinity : count(rt, times)
        return iterator(rt, 'repeat', () => {
          left -= 1
          return left < 0 ? undefined : value
        })
      },
    ],
    ['islice', 'iterable *stop', (rt, [over], rest) => islice(rt, over!, rest)],
    [
      'accumulate',
      'iterable func? *, initial?',
      (rt, [over, by = null, initial]) => accumulated(rt, over!, by, initial),
    ],
    ['groupby', 'iterable key?', (rt, [over, key = null]) => groups(rt, over!, key)],
    ['takewhile', 'predicate iterable', (rt, [test, over]) => takenWhile(rt, test!, over!, false)],
    ['dropwhile', 'predicate iterable', (rt, [test, over]) => takenWhile(rt, test!, over!, true)],
    [
      'filterfalse',
      'predicate iterable',
      (rt, [test = null, over]) =>
        mapped(rt, 'filterfalse', over!, (item) =>
          truth(rt, test === null ? item : call(rt, test, [item])) ? undefined : item,
        ),
    ],
    [
      'starmap',
      'function iterable',
      (rt, [callee, over]) => mapped(rt, 'starmap', over!, (item) => call(rt, callee!, itemsOf(rt, item))),
    ],
    [
      'pairwise',
      'iterable',
      (rt, [over]) => {
        const { next } = iterate(rt, over!)
        let before = next()
        return iterator(rt, 'pairwise', () => {
          const item = next()
          if (before === undefined || item === undefined) return undefined
          const pair = new Tuple([before, item])
          before = item
          return pair
        })
      },
    ],
    [
      'zip_longest',
      '*iterables fillvalue?',
      (rt, [fill = null], lists) => {
        const sources = lists.map((list) => iterate(rt, list))
        return iterator(rt, 'zip_longest', () => {
          const row = sources.map(({ next }) => next())
          if (row.every((item) => item === undefined)) return undefined
          rt.make(row.length)
          return new Tuple(row.map((item) => firstOf(item, () => fill)))
        })
      },
    ],
  ),
]

// functools

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

// operator

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

// copy

function deepCopy(rt: Runtime, value: Value, known = new Map<Value, Value>()): Value {
  const before = known.get(value)
  if (before !== undefined) return before
  rt.work()
  rt.enter()
  const again = (item: Value): Value => deepCopy(rt, item, known)
  let made = value
  if (value instanceof List) {
    const list = new List([])
    known.set(value, list)
    rt.make(value.items.length)
    for (const item of value.items) list.items.push(again(item))
    made = list
  } else if (value instanceof Tuple) made = new Tuple(value.items.map(again), value.type)
  else if (value instanceof Dict) {
    const dict = new Dict(value.type)
    dict.factory = value.factory
    known.set(value, dict)
    for (const { key, value: item } of value.entries.values()) put(rt, dict, key, again(item))
    made = dict
  } else if (value instanceof PySet) {
    const set = new PySet(value.type)
    for (const item of value.items.values()) include(rt, set, item)
    made = set
  } else if (value instanceof Instance && !value.type.isBuiltin && value.type.find('__members__') === undefined) {
    const own = new Instance(value.type)
    known.set(value, own)
    rt.make(value.attributes.size)
    for (const [name, item] of value.attributes) own.attributes.set(name, again(item))
    made = own
  } else made = copyOwn(rt, value)
  rt.leave()
  return made
}

/** Arrays know how to copy themselves. */
function copyOwn(rt: Runtime, value: Value): Value {
  const own = typeof value === 'object' && value !== null ? findAttribute(rt, value, 'copy') : undefined
  return own !== undefined && !(value instanceof PyType) && !(value instanceof Instance) ? call(rt, own, []) : value
}

function shallowCopy(rt: Runtime, value: Value): Value {
  if (value instanceof Instance && !value.type.isBuiltin) {
    const made = new Instance(value.type)
    rt.make(value.attributes.size)
    for (const [name, item] of value.attributes) made.attributes.set(name, item)
    return made
  }
  return copyOwn(rt, value)
}

export const COPY: readonly Named[] = natives(
  ['copy', 'x', (rt, [value]) => shallowCopy(rt, value!)],
  ['deepcopy', 'x memo?', (rt, [value]) => deepCopy(rt, value!)],
)

// collections

const DEQUE = new PyType('deque', {
  bases: [TYPES.object],
  slots: {
    ...TYPES.list.slots,
    compare: (rt, operator, left, right) =>
      right instanceof List && right.type === DEQUE ? TYPES.list.slots.compare!(rt, operator, left, right) : undefined,
    repr: (rt, value) => `deque(${TYPES.list.slots.repr!(rt, value, 0)})`,
  },
})
DEQUE.construct = (rt, type, [over], named) => {
  if (named.has('maxlen')) throw fault(rt, 'NotImplementedError', 'deque() with maxlen is not supported')
  return new List(over === undefined ? [] : itemsOf(rt, over), type)
}
for (const name of ['append', 'extend', 'insert', 'remove', 'clear', 'index', 'count', 'reverse'])
  DEQUE.attributes.set(name, TYPES.list.attributes.get(name)!)

const dequeItems = (value: Value | undefined): Value[] => (value instanceof List ? value.items : [])

for (const [name, method] of natives(
  [
    'appendleft',
    'self x',
    (rt, [self, item]) => {
      const items = dequeItems(self)
      rt.make(items.length + 1, 1)
      rt.work(items.length / 64)
      items.unshift(item!)
      return null
    },
  ],
  [
    'extendleft',
    'self iterable',
    (rt, [self, more]) => {
      const added = itemsOf(rt, more!)
      rt.make(dequeItems(self).length + added.length, 0)
      for (const item of added) dequeItems(self).unshift(item)
      return null
    },
  ],
  [
    'pop',
    'self',
    (rt, [self]) => {
      const item = dequeItems(self).pop()
      if (item === undefined) throw fault(rt, 'IndexError', 'pop from an empty deque')
      return item
    },
  ],
  [
    'popleft',
    'self',
    (rt, [self]) => {
      rt.work(dequeItems(self).length / 64)
      const item = dequeItems(self).shift()
      if (item === undefined) throw fault(rt, 'IndexError', 'pop from an empty deque')
      return item
    },
  ],
  [
    'rotate',
    'self n?',
    (rt, [self, n = 1n]) => {
      const items = dequeItems(self)
      rt.work(items.length / 16)
      const by = items.length === 0 ? 0 : ((count(rt, n) % items.length) + items.length) % items.length
      const tail = items.splice(items.length - by)
      for (const item of tail.toReversed()) items.unshift(item)
      return null
    },
  ],
  [
    'copy',
    'self',
    (rt, [self]) => {
      rt.make(dequeItems(self).length)
      return new List([...dequeItems(self)], DEQUE)
    },
  ],
))
  DEQUE.attributes.set(name, method)

export const COLLECTIONS: readonly Named[] = [
  ['defaultdict', DEFAULT_DICT],
  ['Counter', COUNTER],
  ['OrderedDict', ORDERED],
  ['namedtuple', namedtuple],
  ['deque', DEQUE],
]

// statistics

const reals = (rt: Runtime, over: Value | undefined): number[] => itemsOf(rt, over!).map((value) => real(rt, value))
const meanOf = (values: readonly number[]): number => values.reduce((sum, value) => sum + value, 0) / values.length

export const STATISTICS: readonly Named[] = natives(
  [
    'mean',
    'data',
    (rt, [over]) => {
      const items = itemsOf(rt, over!)
      if (items.length === 0) throw fault(rt, 'ValueError', 'mean requires at least one data point')
      const sum = items.reduce<Value>((total, item) => binary(rt, '+', total, item), 0n)
      const mean = binary(rt, '/', sum, BigInt(items.length))
      return items.every((item) => typeof item === 'bigint') && Number.isInteger(mean) ? BigInt(Number(mean)) : mean
    },
  ],
  ['fmean', 'data', (rt, [over]) => meanOf(reals(rt, over))],
  [
    'median',
    'data',
    (rt, [over]) => {
      const items = sorted(rt, itemsOf(rt, over!), null, false)
      if (items.length === 0) throw fault(rt, 'ValueError', 'no median for empty data')
      const half = items.length >> 1
      return items.length % 2 === 1
        ? items[half]!
        : binary(rt, '/', binary(rt, '+', items[half - 1]!, items[half]!), 2n)
    },
  ],
  [
    'pstdev',
    'data',
    (rt, [over]) => {
      const values = reals(rt, over)
      const mean = meanOf(values)
      return Math.sqrt(meanOf(values.map((value) => (value - mean) ** 2)))
    },
  ],
  [
    'stdev',
    'data',
    (rt, [over]) => {
      const values = reals(rt, over)
      if (values.length < 2) throw fault(rt, 'ValueError', 'stdev requires at least two data points')
      const mean = meanOf(values)
      return Math.sqrt(values.reduce((sum, value) => sum + (value - mean) ** 2, 0) / (values.length - 1))
    },
  ],
)
