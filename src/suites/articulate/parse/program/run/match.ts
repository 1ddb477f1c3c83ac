/** `match`: whether a value has a shape, and what its parts are called. */
import type { Expression, Pattern } from '../syntax/tree.ts'
import {
  compare,
  Dict,
  fault,
  findAttribute,
  isInstance,
  itemsOf,
  List,
  lookUp,
  put,
  PyType,
  type Runtime,
  truth,
  Tuple,
  TYPES,
  type Value,
} from '../values/index.ts'

export interface Matching {
  rt: Runtime
  value(node: Expression): Value
  bind(name: string, value: Value): void
}

/** Types whose one positional part is the value itself. */
const WHOLE: ReadonlySet<PyType> = new Set([
  TYPES.int,
  TYPES.float,
  TYPES.str,
  TYPES.bool,
  TYPES.list,
  TYPES.tuple,
  TYPES.dict,
  TYPES.set,
])

export function matches(pattern: Pattern, subject: Value, at: Matching): boolean {
  const { rt } = at
  rt.work()
  switch (pattern.kind) {
    case 'value': {
      const value = at.value(pattern.value)
      if (value === null || typeof value === 'boolean') return subject === value
      return truth(rt, compare(rt, '==', subject, value))
    }
    case 'capture':
    case 'star':
      if (pattern.name !== null) at.bind(pattern.name, subject)
      return true
    case 'as': {
      if (!matches(pattern.pattern, subject, at)) return false
      at.bind(pattern.name, subject)
      return true
    }
    case 'either':
      return pattern.patterns.some((one) => matches(one, subject, at))
    case 'sequence':
      return sequence(pattern.items, subject, at)
    case 'mapping':
      return mapping(pattern, subject, at)
    case 'class':
      return instance(pattern, subject, at)
  }
}

function sequence(patterns: readonly Pattern[], subject: Value, at: Matching): boolean {
  if (!(subject instanceof List || subject instanceof Tuple)) return false
  const items = itemsOf(at.rt, subject)
  const star = patterns.findIndex(({ kind }) => kind === 'star')
  if (star < 0)
    return items.length === patterns.length && patterns.every((pattern, i) => matches(pattern, items[i]!, at))
  const after = patterns.length - star - 1
  if (items.length < patterns.length - 1) return false
  return patterns.every((pattern, i) => {
    if (i < star) return matches(pattern, items[i]!, at)
    if (i > star) return matches(pattern, items[items.length - (patterns.length - i)]!, at)
    return matches(pattern, new List(items.slice(star, items.length - after)), at)
  })
}

function mapping(pattern: Extract<Pattern, { kind: 'mapping' }>, subject: Value, at: Matching): boolean {
  if (!(subject instanceof Dict)) return false
  const keys: Value[] = []
  for (const { key, pattern: inner } of pattern.entries) {
    const name = at.value(key)
    const value = lookUp(at.rt, subject, name)
    if (value === undefined || !matches(inner, value, at)) return false
    keys.push(name)
  }
  if (pattern.rest !== null) {
    const rest = new Dict()
    for (const { key, value } of subject.entries.values()) if (!keys.includes(key)) put(at.rt, rest, key, value)
    at.bind(pattern.rest, rest)
  }
  return true
}

function instance(pattern: Extract<Pattern, { kind: 'class' }>, subject: Value, at: Matching): boolean {
  const { rt } = at
  const type = at.value(pattern.type)
  if (!(type instanceof PyType)) throw fault(rt, 'TypeError', 'called match pattern must be a class')
  if (!isInstance(rt, subject, type)) return false
  const names = type.find('__match_args__')
  const places = names instanceof Tuple ? names.items : []
  for (const [i, inner] of pattern.items.entries()) {
    if (WHOLE.has(type) && i === 0) {
      if (!matches(inner, subject, at)) return false
      continue
    }
    const name = places[i]
    if (typeof name !== 'string')
      throw fault(
        rt,
        'TypeError',
        `${type.name}() accepts ${places.length} positional sub-patterns (${pattern.items.length} given)`,
      )
    const value = findAttribute(rt, subject, name)
    if (value === undefined || !matches(inner, value, at)) return false
  }
  return pattern.named.every(({ name, pattern: inner }) => {
    const value = findAttribute(rt, subject, name)
    return value !== undefined && matches(inner, value, at)
  })
}
