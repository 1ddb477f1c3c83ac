/** list, tuple and range. */
import { fault } from './errors.ts'
import { bounds, compareItems, placeOf, repeats, sliced, spanOf } from './indexing.ts'
import { iterator, overItems } from './iterators.ts'
import { count, indexOf, integer } from './numbers.ts'
import { call, compare, equals, itemsOf, keyOf, less, repr, truth, typeName } from './protocol.ts'
import type { Runtime } from './runtime.ts'
import { type Body, native } from './signature.ts'
import { List, Range, Slice, type Slots, Tuple, TYPES, type Value } from './value.ts'

const how = { equals, compare }

function itemsIn(value: Value): readonly Value[] {
  return value instanceof List || value instanceof Tuple ? value.items : []
}

function repeat(rt: Runtime, items: readonly Value[], times: bigint): Value[] {
  if (repeats(rt, times) <= 0n || items.length === 0) return []
  rt.make(times > 1_000_000_000n ? 1_000_000_000 : items.length * Number(times))
  const made: Value[] = []
  for (let i = 0; i < Number(times); i++) for (const item of items) made.push(item)
  return made
}

/** What is being shown, so that a list in itself ends as `[...]`. */
const shown = new WeakMap<Runtime, Set<Value>>()

export function enclosed(rt: Runtime, value: Value, cycle: string, show: () => string): string {
  const open = shown.get(rt) ?? new Set()
  shown.set(rt, open)
  if (open.has(value)) return cycle
  open.add(value)
  try {
    return show()
  } finally {
    open.delete(value)
  }
}

export function joinedRepr(rt: Runtime, items: readonly Value[]): string {
  let total = 0
  const pieces = items.map((item) => {
    const piece = repr(rt, item)
    total += piece.length + 2
    rt.text(total)
    return piece
  })
  return pieces.join(', ')
}

function slotsFor(kind: typeof List | typeof Tuple, name: 'list' | 'tuple'): Slots {
  const made = (items: Value[]): List | Tuple => new kind(items)
  return {
    binary(rt, operator, left, right) {
      if (operator === '+') {
        if (!(right instanceof kind)) return undefined
        rt.make(itemsIn(left).length + right.items.length)
        return made([...itemsIn(left), ...right.items])
      }
      const times = operator === '*' ? indexOf(rt, right) : null
      return times === null ? undefined : made(repeat(rt, itemsIn(left), times))
    },
    reflected(rt, operator, left, right) {
      const times = operator === '*' ? indexOf(rt, left) : null
      return times === null ? undefined : made(repeat(rt, itemsIn(right), times))
    },
    compare: (rt, operator, left, right) =>
      right instanceof kind ? compareItems(rt, operator, itemsIn(left), right.items, how) : undefined,
    length: (_, value) => itemsIn(value).length,
    iterate: (rt, value) => overItems(rt, itemsIn(value), `${name}_iterator`),
    contains: (rt, whole, item) => itemsIn(whole).some((other) => equals(rt, other, item)),
    getItem(rt, value, index) {
      const items = itemsIn(value)
      if (!(index instanceof Slice)) return items[placeOf(rt, index, items.length, name)]!
      const span = spanOf(rt, index, items.length)
      rt.make(span.count)
      return made(sliced(items, span))
    },
  }
}

Object.assign(TYPES.list.slots, slotsFor(List, 'list'), {
  inPlace(rt, operator, left, right) {
    if (!(left instanceof List)) return undefined
    if (operator === '+') extend(rt, left, right)
    else if (operator === '*') {
      const times = indexOf(rt, right)
      if (times === null) return undefined
      become(left.items, repeat(rt, left.items, times))
    } else return undefined
    return left
  },
  setItem(rt, value, index, item) {
    if (!(value instanceof List)) return
    if (index instanceof Slice) assignSlice(rt, value, index, item)
    else value.items[placeOf(rt, index, value.items.length, 'list', ' assignment')] = item
  },
  deleteItem(rt, value, index) {
    if (!(value instanceof List)) return
    const { items } = value
    rt.work(items.length / 64)
    if (!(index instanceof Slice)) {
      items.splice(placeOf(rt, index, items.length, 'list', ' assignment'), 1)
      return
    }
    const span = spanOf(rt, index, items.length)
    const dropped = new Set(Array.from({ length: span.count }, (_, i) => span.start + i * span.step))
    become(
      items,
      items.filter((_, i) => !dropped.has(i)),
    )
  },
  repr: (rt, value) => enclosed(rt, value, '[...]', () => `[${joinedRepr(rt, itemsIn(value))}]`),
} satisfies Slots)

Object.assign(TYPES.tuple.slots, slotsFor(Tuple, 'tuple'), {
  repr: (rt, value) =>
    enclosed(rt, value, '(...)', () => {
      const items = itemsIn(value)
      return items.length === 1 ? `(${joinedRepr(rt, items)},)` : `(${joinedRepr(rt, items)})`
    }),
  key: (rt, value) => {
    let key = '('
    for (const item of itemsIn(value)) {
      key += `${keyOf(rt, item)}\u0000`
      rt.text(key.length)
    }
    return `${key})`
  },
} satisfies Slots)

function become(items: Value[], other: readonly Value[]): void {
  items.length = 0
  for (const item of other) items.push(item)
}

function extend(rt: Runtime, list: List, more: Value): void {
  const added = itemsOf(rt, more)
  rt.make(list.items.length + added.length, 0)
  for (const item of added) list.items.push(item)
}

function assignSlice(rt: Runtime, { items }: List, slice: Slice, given: Value): void {
  const span = spanOf(rt, slice, items.length)
  if (typeof given !== 'string' && typeName(given) !== 'NoneType' && typeof given !== 'object')
    throw fault(rt, 'TypeError', 'can only assign an iterable')
  const added = itemsOf(rt, given)
  if (span.step === 1) {
    rt.make(items.length + added.length, added.length)
    const tail = items.splice(span.start)
    for (const item of added) items.push(item)
    for (const item of tail.slice(span.count)) items.push(item)
    return
  }
  if (added.length !== span.count)
    throw fault(
      rt,
      'ValueError',
      `attempt to assign sequence of size ${added.length} to extended slice of size ${span.count}`,
    )
  added.forEach((item, i) => {
    items[span.start + i * span.step] = item
  })
}

/** Short runs are sorted by insertion, as CPython does it. */
const SHORT_RUN = 32

/** Stable, by `<` alone and asked in the order in which CPython asks; reversed keeps equal items in order. */
export function sorted(rt: Runtime, items: readonly Value[], key: Value, isReversed: boolean): Value[] {
  rt.make(items.length)
  const keyed = items.map((item) => ({ item, key: key === null ? item : call(rt, key, [item]) }))
  if (isReversed) keyed.reverse()
  const order = mergeSort(keyed, (a, b) => less(rt, a.key, b.key)).map(({ item }) => item)
  return isReversed ? order.reverse() : order
}

function mergeSort<T>(items: readonly T[], isBefore: (a: T, b: T) => boolean): T[] {
  if (items.length <= SHORT_RUN) return insertionSort(items, isBefore)
  const half = items.length >> 1
  const [left, right] = [mergeSort(items.slice(0, half), isBefore), mergeSort(items.slice(half), isBefore)]
  const made: T[] = []
  let [i, j] = [0, 0]
  while (i < left.length && j < right.length) made.push(isBefore(right[j]!, left[i]!) ? right[j++]! : left[i++]!)
  for (const rest of [left.slice(i), right.slice(j)]) for (const item of rest) made.push(item)
  return made
}

/** The run at the start is taken as it is, or turned around; the rest is inserted by halving. */
function insertionSort<T>(items: readonly T[], isBefore: (a: T, b: T) => boolean): T[] {
  const made = [...items]
  let run = Math.min(1, made.length)
  if (made.length > 1) {
    const isFalling = isBefore(made[1]!, made[0]!)
    for (run = 2; run < made.length && isBefore(made[run]!, made[run - 1]!) === isFalling; run++);
    if (isFalling) made.splice(0, run, ...made.slice(0, run).reverse())
  }
  for (; run < made.length; run++) {
    const item = made[run]!
    let [low, high] = [0, run]
    while (low < high) {
      const middle = (low + high) >> 1
      if (isBefore(item, made[middle]!)) high = middle
      else low = middle + 1
    }
    made.splice(run, 1)
    made.splice(low, 0, item)
  }
  return made
}

const find = (rt: Runtime, items: readonly Value[], wanted: Value, from: number, to: number): number => {
  for (let i = from; i < Math.min(to, items.length); i++) if (equals(rt, items[i]!, wanted)) return i
  return -1
}

const list = (value: Value | undefined): Value[] => (value instanceof List ? value.items : [])

const LIST: readonly (readonly [string, string, Body])[] = [
  [
    'append',
    'object',
    (rt, [self, item]) => {
      const items = list(self)
      rt.make(items.length + 1, 1)
      items.push(item!)
      return null
    },
  ],
  [
    'extend',
    'iterable',
    (rt, [self, more]) => {
      if (self instanceof List) extend(rt, self, more!)
      return null
    },
  ],
  [
    'insert',
    'index object',
    (rt, [self, at, item]) => {
      const items = list(self)
      rt.make(items.length + 1, 1)
      rt.work(items.length / 64)
      const [place] = bounds(rt, at, undefined, items.length)
      items.splice(place, 0, item!)
      return null
    },
  ],
  [
    'pop',
    'index?',
    (rt, [self, at]) => {
      const items = list(self)
      if (items.length === 0) throw fault(rt, 'IndexError', 'pop from empty list')
      if (at === undefined) return items.pop()!
      const place = count(rt, at)
      const from = place < 0 ? place + items.length : place
      if (from < 0 || from >= items.length) throw fault(rt, 'IndexError', 'pop index out of range')
      rt.work(items.length / 64)
      return items.splice(from, 1)[0]!
    },
  ],
  [
    'remove',
    'value',
    (rt, [self, item]) => {
      const items = list(self)
      const at = find(rt, items, item!, 0, items.length)
      if (at < 0) throw fault(rt, 'ValueError', 'list.remove(x): x not in list')
      items.splice(at, 1)
      return null
    },
  ],
  [
    'clear',
    '',
    (_, [self]) => {
      list(self).length = 0
      return null
    },
  ],
  [
    'copy',
    '',
    (rt, [self]) => {
      rt.make(list(self).length)
      return new List([...list(self)])
    },
  ],
  [
    'reverse',
    '',
    (rt, [self]) => {
      rt.work(list(self).length / 16)
      list(self).reverse()
      return null
    },
  ],
  [
    'sort',
    '*, key? reverse?',
    (rt, [self, key = null, reverse = false]) => {
      const items = list(self)
      become(items, sorted(rt, items, key, truth(rt, reverse)))
      return null
    },
  ],
]

const SHARED: readonly (readonly [string, string, Body])[] = [
  [
    'index',
    'value start? stop?',
    (rt, [self, item, start, stop]) => {
      const items = itemsIn(self!)
      const [from, to] = bounds(rt, start, stop, items.length)
      const at = find(rt, items, item!, from, to)
      if (at >= 0) return BigInt(at)
      throw fault(
        rt,
        'ValueError',
        self instanceof List ? `${repr(rt, item!)} is not in list` : 'tuple.index(x): x not in tuple',
      )
    },
  ],
  ['count', 'value', (rt, [self, item]) => BigInt(itemsIn(self!).filter((other) => equals(rt, other, item!)).length)],
]

for (const [name, parameters, body] of [...LIST, ...SHARED])
  TYPES.list.attributes.set(name, native(`list.${name}`, `self ${parameters}`, body))
for (const [name, parameters, body] of SHARED)
  TYPES.tuple.attributes.set(name, native(`tuple.${name}`, `self ${parameters}`, body))

TYPES.list.construct = (rt, _, [over]) => new List(over === undefined ? [] : itemsOf(rt, over))
TYPES.tuple.construct = (rt, _, [over]) =>
  over instanceof Tuple && over.type === TYPES.tuple ? over : new Tuple(over === undefined ? [] : itemsOf(rt, over))

// range

Object.assign(TYPES.range.slots, {
  length: (_, value) => (value instanceof Range ? Number(value.length) : 0),
  iterate(rt, value) {
    const { start, step, length } = value instanceof Range ? value : new Range(0n, 0n, 1n)
    let at = 0n
    return iterator(rt, 'range_iterator', () => {
      if (at >= length) return undefined
      at += 1n
      return start + (at - 1n) * step
    })
  },
  contains(rt, whole, item) {
    const number = indexOf(rt, item) ?? (typeof item === 'number' && Number.isInteger(item) ? BigInt(item) : null)
    if (number === null || !(whole instanceof Range)) return false
    const { start, stop, step } = whole
    const isBetween = step > 0n ? number >= start && number < stop : number <= start && number > stop
    return isBetween && (number - start) % step === 0n
  },
  getItem(rt, value, index) {
    if (!(value instanceof Range)) return null
    const { start, step, length } = value
    if (index instanceof Slice) {
      const span = spanOf(rt, index, Number(length))
      const from = start + BigInt(span.start) * step
      const by = step * BigInt(span.step)
      return new Range(from, start + BigInt(span.stop) * step, by)
    }
    const at = placeOf(rt, index, Number(length), 'range object')
    return start + BigInt(at) * step
  },
  compare(_, operator, left, right) {
    if (!(left instanceof Range) || !(right instanceof Range) || (operator !== '==' && operator !== '!='))
      return undefined
    const isSame =
      left.length === right.length &&
      (left.length === 0n || (left.start === right.start && (left.length === 1n || left.step === right.step)))
    return isSame === (operator === '==')
  },
  attribute: (_, value, name) =>
    value instanceof Range && (name === 'start' || name === 'stop' || name === 'step') ? value[name] : undefined,
  repr(_, value) {
    if (!(value instanceof Range)) return ''
    const { start, stop, step } = value
    return step === 1n ? `range(${start}, ${stop})` : `range(${start}, ${stop}, ${step})`
  },
  key: (_, value) =>
    value instanceof Range ? `r${value.length},${value.start},${value.length > 1n ? value.step : 0n}` : '',
} satisfies Slots)

TYPES.range.construct = (rt, _, args) => {
  if (args.length === 0) throw fault(rt, 'TypeError', 'range expected at least 1 argument, got 0')
  if (args.length > 3) throw fault(rt, 'TypeError', `range expected at most 3 arguments, got ${args.length}`)
  const [a = 0n, b, step = 1n] = args.map((value) => integer(rt, value))
  if (step === 0n) throw fault(rt, 'ValueError', 'range() arg 3 must not be zero')
  return b === undefined ? new Range(0n, a, 1n) : new Range(a, b, step)
}
TYPES.range.attributes.set(
  'index',
  native('index', 'self value', (rt, [self, item]) => {
    const items = itemsOf(rt, self!)
    const at = find(rt, items, item!, 0, items.length)
    if (at < 0) throw fault(rt, 'ValueError', `${repr(rt, item!)} is not in range`)
    return BigInt(at)
  }),
)
TYPES.range.attributes.set(
  'count',
  native('count', 'self value', (rt, [self, item]) =>
    BigInt(itemsOf(rt, self!).filter((other) => equals(rt, other, item!)).length),
  ),
)

// slice

Object.assign(TYPES.slice.slots, {
  attribute: (_, value, name) =>
    value instanceof Slice && (name === 'start' || name === 'stop' || name === 'step') ? value[name] : undefined,
  repr: (rt, value) =>
    value instanceof Slice ? `slice(${joinedRepr(rt, [value.start, value.stop, value.step])})` : '',
} satisfies Slots)
TYPES.slice.construct = (_, __, [a = null, b, step = null]) =>
  b === undefined ? new Slice(null, a, null) : new Slice(a, b, step)
