/** `itertools`: nothing is made before it is asked for. */
import {
  binary,
  call,
  compare,
  count,
  fault,
  firstOf,
  iterate,
  iterator,
  itemsOf,
  mapped,
  Native,
  native,
  natives,
  PyType,
  type Runtime,
  truth,
  Tuple,
  TYPES,
  type Value,
  Wrapped,
} from '../values/index.ts'

type Named = [string, Value]

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
  rt.work(1 + used.length / 8)
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
