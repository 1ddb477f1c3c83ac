/** set and frozenset. */
import { fault } from './errors.ts'
import { iterator } from './iterators.ts'
import { itemsOf, keyOf } from './protocol.ts'
import { enclosed, joinedRepr } from './sequences.ts'
import type { Runtime } from './runtime.ts'
import { type Body, native } from './signature.ts'
import { Iter, PySet, type PyType, type Slots, TYPES, type Value } from './value.ts'

export function setOf(rt: Runtime, items: Iterable<Value>, type: PyType = TYPES.set): PySet {
  const made = new PySet(type)
  for (const item of items) include(rt, made, item)
  return made
}

export function include(rt: Runtime, set: PySet, item: Value): void {
  const key = keyOf(rt, item)
  if (set.items.has(key)) return
  rt.make(set.items.size + 1, 1)
  set.items.set(key, item)
}

function setIn(value: Value | undefined): PySet {
  if (value instanceof PySet) return value
  throw new TypeError('a set was expected')
}

/**
 * The order in which CPython visits a set of integers: by their place in its hash table. Of anything else the order is
 * that of insertion; CPython's differs from run to run.
 */
export function visited(rt: Runtime, set: PySet): Value[] {
  const items = [...set.items.values()]
  rt.work(1 + items.length / 4)
  if (!items.every((item) => typeof item === 'bigint' && item >= 0n && item < 1_000_000_000n)) return items
  let table: (bigint | undefined)[] = Array.from({ length: 8 })
  let used = 0
  const place = (into: (bigint | undefined)[], item: bigint): void => {
    const mask = into.length - 1
    let perturb = item
    let at = Number(item) & mask
    for (;;) {
      // Nine neighbors are tried before jumping on.
      const last = at + 9 <= mask ? at + 9 : at
      for (let i = at; i <= last; i++)
        if (into[i] === undefined) {
          into[i] = item
          return
        }
      perturb >>= 5n
      at = (at * 5 + 1 + Number(perturb)) & mask
    }
  }
  for (const item of items) {
    if (typeof item !== 'bigint') continue
    place(table, item)
    used += 1
    if (used * 5 < (table.length - 1) * 3) continue
    const wanted = used > 50_000 ? used * 2 : used * 4
    let size = 8
    while (size <= wanted) size *= 2
    const larger: (bigint | undefined)[] = Array.from({ length: size })
    for (const known of table) if (known !== undefined) place(larger, known)
    table = larger
  }
  return table.filter((item) => item !== undefined)
}

const OPERATORS: Readonly<Record<string, (a: PySet, b: PySet) => [string, Value][]>> = {
  '|': (a, b) => [...a.items, ...b.items],
  '&': (a, b) => [...a.items].filter(([key]) => b.items.has(key)),
  '-': (a, b) => [...a.items].filter(([key]) => !b.items.has(key)),
  '^': (a, b) => [
    ...[...a.items].filter(([key]) => !b.items.has(key)),
    ...[...b.items].filter(([key]) => !a.items.has(key)),
  ],
}

function combined(rt: Runtime, operator: string, a: PySet, b: PySet): PySet {
  rt.work(1 + (a.items.size + b.items.size) / 2)
  const made = new PySet(a.type)
  for (const [key, item] of OPERATORS[operator]!(a, b)) if (!made.items.has(key)) made.items.set(key, item)
  rt.make(made.items.size)
  return made
}

function isSubset(rt: Runtime, a: PySet, b: PySet): boolean {
  rt.work(1 + a.items.size / 8)
  return a.items.size <= b.items.size && [...a.items.keys()].every((key) => b.items.has(key))
}

const slots: Slots = {
  binary: (rt, operator, left, right) =>
    left instanceof PySet && right instanceof PySet && OPERATORS[operator]
      ? combined(rt, operator, left, right)
      : undefined,
  inPlace(rt, operator, left, right) {
    if (!(left instanceof PySet) || !(right instanceof PySet) || !OPERATORS[operator] || left.type !== TYPES.set)
      return undefined
    become(left, combined(rt, operator, left, right))
    return left
  },
  compare(rt, operator, left, right) {
    if (!(left instanceof PySet) || !(right instanceof PySet)) return undefined
    const [a, b] = [left.items.size, right.items.size]
    switch (operator) {
      case '==':
        return a === b && isSubset(rt, left, right)
      case '!=':
        return a !== b || !isSubset(rt, left, right)
      case '<':
        return a < b && isSubset(rt, left, right)
      case '<=':
        return isSubset(rt, left, right)
      case '>':
        return b < a && isSubset(rt, right, left)
      default:
        return isSubset(rt, right, left)
    }
  },
  length: (_, value) => setIn(value).items.size,
  iterate(rt, value): Iter {
    const set = setIn(value)
    const { size } = set.items
    const items = visited(rt, set)
    let at = -1
    return iterator(rt, 'set_iterator', () => {
      if (set.items.size !== size) throw fault(rt, 'RuntimeError', 'Set changed size during iteration')
      at += 1
      return items[at]
    })
  },
  contains: (rt, whole, item) => setIn(whole).items.has(keyOf(rt, item)),
  repr: (rt, value) =>
    enclosed(rt, value, 'set(...)', () => {
      const set = setIn(value)
      const body = joinedRepr(rt, visited(rt, set))
      if (set.type === TYPES.frozenset) return set.items.size === 0 ? 'frozenset()' : `frozenset({${body}})`
      return set.items.size === 0 ? 'set()' : `{${body}}`
    }),
}

function become(set: PySet, other: PySet): void {
  set.items.clear()
  for (const [key, item] of other.items) set.items.set(key, item)
}

const asSet = (rt: Runtime, value: Value | undefined): PySet =>
  value instanceof PySet ? value : setOf(rt, itemsOf(rt, value ?? null))

function operation(operator: string): Body {
  return (rt, [self], rest) =>
    rest.reduce<PySet>(
      (made, other) => combined(rt, operator, made, asSet(rt, other)),
      combined(rt, '|', setIn(self), new PySet()),
    )
}

function changing(operator: string): Body {
  return (rt, [self], rest) => {
    for (const other of rest) become(setIn(self), combined(rt, operator, setIn(self), asSet(rt, other)))
    return null
  }
}

const SHARED: readonly (readonly [string, string, Body])[] = [
  ['union', '*others', operation('|')],
  ['intersection', '*others', operation('&')],
  ['difference', '*others', operation('-')],
  ['symmetric_difference', '*others', operation('^')],
  ['issubset', 'other', (rt, [self, other]) => isSubset(rt, setIn(self), asSet(rt, other))],
  ['issuperset', 'other', (rt, [self, other]) => isSubset(rt, asSet(rt, other), setIn(self))],
  ['isdisjoint', 'other', (rt, [self, other]) => combined(rt, '&', setIn(self), asSet(rt, other)).items.size === 0],
  ['copy', '', (rt, [self]) => combined(rt, '|', setIn(self), new PySet())],
]

const CHANGING: readonly (readonly [string, string, Body])[] = [
  [
    'add',
    'elem',
    (rt, [self, item]) => {
      include(rt, setIn(self), item!)
      return null
    },
  ],
  [
    'discard',
    'elem',
    (rt, [self, item]) => {
      setIn(self).items.delete(keyOf(rt, item!))
      return null
    },
  ],
  [
    'remove',
    'elem',
    (rt, [self, item]) => {
      if (!setIn(self).items.delete(keyOf(rt, item!))) throw fault(rt, 'KeyError', item!)
      return null
    },
  ],
  [
    'pop',
    '',
    (rt, [self]) => {
      const set = setIn(self)
      const [first] = visited(rt, set)
      if (first === undefined) throw fault(rt, 'KeyError', 'pop from an empty set')
      set.items.delete(keyOf(rt, first))
      return first
    },
  ],
  [
    'clear',
    '',
    (_, [self]) => {
      setIn(self).items.clear()
      return null
    },
  ],
  ['update', '*others', changing('|')],
  ['intersection_update', '*others', changing('&')],
  ['difference_update', '*others', changing('-')],
  ['symmetric_difference_update', '*others', changing('^')],
]

Object.assign(TYPES.set.slots, slots)
Object.assign(TYPES.frozenset.slots, slots, {
  key: (rt: Runtime, value: Value): string => {
    rt.work(setIn(value).items.size)
    return `f${[...setIn(value).items.keys()].sort().join('\u0000')}`
  },
})
for (const [name, parameters, body] of SHARED)
  for (const type of [TYPES.set, TYPES.frozenset])
    type.attributes.set(name, native(`${type.name}.${name}`, `self ${parameters}`, body))
for (const [name, parameters, body] of CHANGING)
  TYPES.set.attributes.set(name, native(`set.${name}`, `self ${parameters}`, body))
TYPES.set.construct = (rt, type, [over]) => setOf(rt, over === undefined ? [] : itemsOf(rt, over), type)
TYPES.frozenset.construct = TYPES.set.construct
