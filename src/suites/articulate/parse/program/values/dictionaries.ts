/** dict, with its views, and what `collections` builds on it. */
import { fault } from './errors.ts'
import { iterator } from './iterators.ts'
import { call, equals, itemsOf, iterate, keyOf, repr } from './protocol.ts'
import { enclosed } from './sequences.ts'
import type { Runtime } from './runtime.ts'
import { type Body, native } from './signature.ts'
import {
  Dict,
  firstOf,
  type Iter,
  type Named,
  Native,
  PyObject,
  PyType,
  type Slots,
  Tuple,
  TYPES,
  type Value,
  Wrapped,
} from './value.ts'

export function put(rt: Runtime, dict: Dict, key: Value, value: Value): void {
  const text = keyOf(rt, key)
  const known = dict.entries.get(text)
  if (known) {
    known.value = value
    return
  }
  rt.make(dict.entries.size + 1, 1)
  dict.entries.set(text, { key, value })
}

export function lookUp(rt: Runtime, dict: Dict, key: Value): Value | undefined {
  return dict.entries.get(keyOf(rt, key))?.value
}

export function dictFrom(rt: Runtime, entries: Iterable<readonly [Value, Value]>): Dict {
  const made = new Dict()
  for (const [key, value] of entries) put(rt, made, key, value)
  return made
}

function dictIn(value: Value | undefined): Dict {
  if (value instanceof Dict) return value
  throw new TypeError('a dictionary was expected')
}

function entryIterator(
  rt: Runtime,
  dict: Dict,
  name: string,
  map: (entry: { key: Value; value: Value }) => Value,
): Iter {
  const { entries } = dict
  const { size } = entries
  const all = entries.values()
  return iterator(rt, name, () => {
    if (entries.size !== size) throw fault(rt, 'RuntimeError', 'dictionary changed size during iteration')
    const next = all.next()
    return next.done ? undefined : map(next.value)
  })
}

type View = 'keys' | 'values' | 'items'

const VIEWS: Readonly<Record<View, (entry: { key: Value; value: Value }) => Value>> = {
  keys: ({ key }) => key,
  values: ({ value }) => value,
  items: ({ key, value }) => new Tuple([key, value]),
}

class DictView extends PyObject {
  readonly dict: Dict
  readonly view: View

  constructor(dict: Dict, view: View) {
    super()
    this.dict = dict
    this.view = view
  }

  get type(): PyType {
    return VIEW_TYPES[this.view]
  }
}

function viewIn(value: Value): DictView {
  if (value instanceof DictView) return value
  throw new TypeError('a view was expected')
}

const setOperators: Pick<Slots, 'binary' | 'compare'> = {
  binary(rt, operator, left, right) {
    if (!['&', '|', '-', '^'].includes(operator) || viewIn(left).view === 'values') return undefined
    const asSet = (value: Value): Value => TYPES.set.construct!(rt, TYPES.set, [value], new Map())
    return TYPES.set.slots.binary!(rt, operator, asSet(left), asSet(right))
  },
  compare(rt, operator, left, right) {
    if (viewIn(left).view === 'values') return undefined
    const asSet = (value: Value): Value =>
      value instanceof DictView ? TYPES.set.construct!(rt, TYPES.set, [value], new Map()) : value
    return TYPES.set.slots.compare!(rt, operator, asSet(left), asSet(right))
  },
}

function viewType(view: View): PyType {
  return new PyType(`dict_${view}`, {
    bases: [TYPES.object],
    slots: {
      ...setOperators,
      length: (_, value) => viewIn(value).dict.entries.size,
      iterate: (rt, value) =>
        entryIterator(rt, viewIn(value).dict, `dict_${view.replace(/s$/, '')}iterator`, VIEWS[view]),
      ...(view === 'keys'
        ? { contains: (rt: Runtime, value: Value, item: Value) => viewIn(value).dict.entries.has(keyOf(rt, item)) }
        : {}),
      repr: (rt, value) => {
        const items = itemsOf(rt, value)
        return `dict_${view}([${items.map((item) => repr(rt, item)).join(', ')}])`
      },
    },
  })
}

const VIEW_TYPES: Readonly<Record<View, PyType>> = {
  keys: viewType('keys'),
  values: viewType('values'),
  items: viewType('items'),
}

/** What a key that is missing gives: a default, or KeyError. */
export function missing(rt: Runtime, dict: Dict, key: Value): Value {
  if (dict.type === DEFAULT_DICT && dict.factory !== null) {
    const made = call(rt, dict.factory, [])
    put(rt, dict, key, made)
    return made
  }
  if (dict.type === COUNTER) return 0n
  throw fault(rt, 'KeyError', key)
}

const slots: Slots = {
  binary(rt, operator, left, right) {
    if (operator !== '|' || !(left instanceof Dict) || !(right instanceof Dict)) return undefined
    const made = copied(rt, left)
    update(rt, made, right)
    return made
  },
  inPlace(rt, operator, left, right) {
    if (operator !== '|' || !(left instanceof Dict)) return undefined
    update(rt, left, right)
    return left
  },
  compare(rt, operator, left, right) {
    if (!(left instanceof Dict) || !(right instanceof Dict) || (operator !== '==' && operator !== '!='))
      return undefined
    const isSame =
      left.entries.size === right.entries.size &&
      [...left.entries].every(([text, { value }]) => {
        const other = right.entries.get(text)
        return other !== undefined && equals(rt, value, other.value)
      })
    return isSame === (operator === '==')
  },
  length: (_, value) => dictIn(value).entries.size,
  iterate: (rt, value) => entryIterator(rt, dictIn(value), 'dict_keyiterator', VIEWS.keys),
  contains: (rt, whole, item) => dictIn(whole).entries.has(keyOf(rt, item)),
  getItem: (rt, value, index) => firstOf(lookUp(rt, dictIn(value), index), () => missing(rt, dictIn(value), index)),
  setItem: (rt, value, index, item) => put(rt, dictIn(value), index, item),
  deleteItem(rt, value, index) {
    if (!dictIn(value).entries.delete(keyOf(rt, index))) throw fault(rt, 'KeyError', index)
  },
  repr: (rt, value) =>
    enclosed(rt, value, '{...}', () => {
      const dict = dictIn(value)
      let total = 0
      const pieces = [...dict.entries.values()].map(({ key, value: item }) => {
        const piece = `${repr(rt, key)}: ${repr(rt, item)}`
        total += piece.length + 2
        rt.text(total)
        return piece
      })
      const body = `{${pieces.join(', ')}}`
      if (dict.type === DEFAULT_DICT) return `defaultdict(${repr(rt, dict.factory)}, ${body})`
      if (dict.type === COUNTER) return dict.entries.size === 0 ? 'Counter()' : `Counter(${counterText(rt, dict)})`
      if (dict.type === ORDERED) return orderedText(rt, dict)
      return body
    }),
}

function counterText(rt: Runtime, dict: Dict): string {
  const entries = [...dict.entries.values()].sort((a, b) => Number(b.value) - Number(a.value))
  return `{${entries.map(({ key, value }) => `${repr(rt, key)}: ${repr(rt, value)}`).join(', ')}}`
}

function orderedText(rt: Runtime, dict: Dict): string {
  if (dict.entries.size === 0) return 'OrderedDict()'
  return `OrderedDict([${[...dict.entries.values()].map(({ key, value }) => `(${repr(rt, key)}, ${repr(rt, value)})`).join(', ')}])`
}

function copied(rt: Runtime, dict: Dict): Dict {
  rt.make(dict.entries.size)
  const made = new Dict(dict.type)
  made.factory = dict.factory
  for (const [text, { key, value }] of dict.entries) made.entries.set(text, { key, value })
  return made
}

function update(rt: Runtime, dict: Dict, more: Value, named: Named = new Map()): void {
  if (more instanceof Dict) for (const { key, value } of more.entries.values()) put(rt, dict, key, value)
  else {
    const { next } = iterate(rt, more)
    for (let pair = next(), at = 0; pair !== undefined; pair = next(), at++) {
      if (!(typeof pair === 'string' || (typeof pair === 'object' && pair !== null && pair.type.slots.iterate)))
        throw fault(rt, 'TypeError', `cannot convert dictionary update sequence element #${at} to a sequence`)
      const parts = itemsOf(rt, pair)
      if (parts.length !== 2)
        throw fault(
          rt,
          'ValueError',
          `dictionary update sequence element #${at} has length ${parts.length}; 2 is required`,
        )
      put(rt, dict, parts[0]!, parts[1]!)
    }
  }
  for (const [key, value] of named) put(rt, dict, key, value)
}

const METHODS: readonly (readonly [string, string, Body])[] = [
  ['keys', '', (_, [self]) => new DictView(dictIn(self), 'keys')],
  ['values', '', (_, [self]) => new DictView(dictIn(self), 'values')],
  ['items', '', (_, [self]) => new DictView(dictIn(self), 'items')],
  [
    'get',
    'key default?',
    (rt, [self, key, otherwise = null]) => firstOf(lookUp(rt, dictIn(self), key!), () => otherwise),
  ],
  [
    'setdefault',
    'key default?',
    (rt, [self, key, otherwise = null]) => {
      const known = lookUp(rt, dictIn(self), key!)
      if (known !== undefined) return known
      put(rt, dictIn(self), key!, otherwise)
      return otherwise
    },
  ],
  [
    'pop',
    'key default?',
    (rt, [self, key, otherwise]) => {
      const dict = dictIn(self)
      const text = keyOf(rt, key!)
      const known = dict.entries.get(text)
      if (known) {
        dict.entries.delete(text)
        return known.value
      }
      if (otherwise !== undefined) return otherwise
      throw fault(rt, 'KeyError', key!)
    },
  ],
  [
    'popitem',
    'last?',
    (rt, [self, last = true]) => {
      const dict = dictIn(self)
      rt.work(1 + dict.entries.size / 16)
      const all = [...dict.entries]
      const entry = last === false ? all[0] : all.at(-1)
      if (!entry) throw fault(rt, 'KeyError', 'popitem(): dictionary is empty')
      dict.entries.delete(entry[0])
      return new Tuple([entry[1].key, entry[1].value])
    },
  ],
  [
    'clear',
    '',
    (_, [self]) => {
      dictIn(self).entries.clear()
      return null
    },
  ],
  ['copy', '', (rt, [self]) => copied(rt, dictIn(self))],
]

Object.assign(TYPES.dict.slots, slots)
for (const [name, parameters, body] of METHODS)
  TYPES.dict.attributes.set(name, native(`dict.${name}`, `self ${parameters}`, body))
TYPES.dict.attributes.set(
  'update',
  new Native('update', (rt, [self, more], named) => {
    update(
      rt,
      dictIn(self),
      firstOf(more, () => new Dict()),
      named,
    )
    return null
  }),
)
TYPES.dict.attributes.set(
  'fromkeys',
  new Wrapped(
    'classmethod',
    native('fromkeys', 'cls iterable value?', (rt, [, keys, value = null]) =>
      dictFrom(
        rt,
        itemsOf(rt, keys!).map((key) => [key, value]),
      ),
    ),
  ),
)
TYPES.dict.construct = (rt, _, [more], named) => {
  const made = new Dict()
  update(
    rt,
    made,
    firstOf(more, () => new Dict()),
    named,
  )
  return made
}

// collections

const like = (name: string): PyType => new PyType(name, { bases: [TYPES.dict], slots })

export const DEFAULT_DICT = like('defaultdict')
export const COUNTER = like('Counter')
export const ORDERED = like('OrderedDict')

DEFAULT_DICT.construct = (rt, type, [factory = null, more], named) => {
  if (factory !== null && typeof factory !== 'object')
    throw fault(rt, 'TypeError', 'first argument must be callable or None')
  const made = new Dict(type)
  made.factory = factory
  update(
    rt,
    made,
    firstOf(more, () => new Dict()),
    named,
  )
  return made
}
ORDERED.construct = (rt, type, [more], named) => {
  const made = new Dict(type)
  update(
    rt,
    made,
    firstOf(more, () => new Dict()),
    named,
  )
  return made
}

function countInto(rt: Runtime, counter: Dict, more: Value, by: bigint): void {
  const add = (key: Value, amount: bigint): void =>
    put(rt, counter, key, BigInt(Number(lookUp(rt, counter, key) ?? 0n)) + amount * by)
  if (more instanceof Dict) for (const { key, value } of more.entries.values()) add(key, BigInt(Number(value)))
  else for (const item of itemsOf(rt, more)) add(item, 1n)
}

COUNTER.construct = (rt, type, [more], named) => {
  const made = new Dict(type)
  if (more !== undefined && more !== null) countInto(rt, made, more, 1n)
  for (const [key, value] of named) put(rt, made, key, value)
  return made
}
const COUNTER_METHODS: readonly (readonly [string, string, Body])[] = [
  [
    'most_common',
    'n?',
    (rt, [self, n]) => {
      const entries = [...dictIn(self).entries.values()].sort((a, b) => Number(b.value) - Number(a.value))
      const kept = n === undefined || n === null ? entries : entries.slice(0, Number(n))
      return TYPES.list.construct!(rt, TYPES.list, [new Tuple(kept.map(VIEWS.items))], new Map())
    },
  ],
  [
    'update',
    'iterable?',
    (rt, [self, more]) => {
      if (more !== undefined) countInto(rt, dictIn(self), more, 1n)
      return null
    },
  ],
  [
    'subtract',
    'iterable?',
    (rt, [self, more]) => {
      if (more !== undefined) countInto(rt, dictIn(self), more, -1n)
      return null
    },
  ],
  [
    'total',
    '',
    (_, [self]) => [...dictIn(self).entries.values()].reduce((sum, { value }) => sum + BigInt(Number(value)), 0n),
  ],
  [
    'elements',
    '',
    (rt, [self]) => {
      const items = [...dictIn(self).entries.values()].flatMap(({ key, value }) => {
        rt.make(Math.max(0, Number(value)))
        return Array.from({ length: Math.max(0, Number(value)) }, () => key)
      })
      return iterate(rt, new Tuple(items))
    },
  ],
]
for (const [name, parameters, body] of COUNTER_METHODS)
  COUNTER.attributes.set(name, native(name, `self ${parameters}`, body))
ORDERED.attributes.set(
  'move_to_end',
  native('move_to_end', 'self key last?', (rt, [self, key, last = true]) => {
    const dict = dictIn(self)
    const text = keyOf(rt, key!)
    const entry = dict.entries.get(text)
    if (!entry) throw fault(rt, 'KeyError', key!)
    rt.work(1 + dict.entries.size / 16)
    dict.entries.delete(text)
    const rest = [...dict.entries]
    if (last === false) {
      dict.entries.clear()
      dict.entries.set(text, entry)
      for (const [other, value] of rest) dict.entries.set(other, value)
    } else dict.entries.set(text, entry)
    return null
  }),
)
