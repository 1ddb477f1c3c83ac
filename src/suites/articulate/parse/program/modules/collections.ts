/** `collections`, `copy` and `statistics`. */
import {
  binary,
  call,
  COUNTER,
  count,
  DEFAULT_DICT,
  Dict,
  fault,
  findAttribute,
  include,
  Instance,
  itemsOf,
  List,
  natives,
  ORDERED,
  put,
  PySet,
  PyType,
  real,
  type Runtime,
  sorted,
  Tuple,
  TYPES,
  type Value,
} from '../values/index.ts'
import { namedtuple } from './classes.ts'

type Named = [string, Value]

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
