/** What hands out values one by one. */
import { fault } from './errors.ts'
import { iterate } from './protocol.ts'
import type { Runtime } from './runtime.ts'
import { Iter, PyType, TYPES, typeOf, type Value } from './value.ts'

const slots = { iterate: (_: Runtime, value: Value): Iter => iterOf(value) }

function iterOf(value: Value): Iter {
  if (value instanceof Iter) return value
  throw new TypeError('only iterators have the slots of iterators')
}

const types = new Map<string, PyType>()

/** An iterator over the host's own `next`, metered; its type is called what CPython calls it. */
export function iterator(rt: Runtime, typeName: string, next: () => Value | undefined): Iter {
  return new Iter(iteratorType(typeName), () => {
    rt.work()
    return next()
  })
}

function iteratorType(name: string): PyType {
  const known = types.get(name)
  if (known) return known
  const made = new PyType(name, { bases: [TYPES.object], slots: { ...slots, repr: () => `<${name} object>` } })
  types.set(name, made)
  return made
}

export function overItems(rt: Runtime, items: readonly Value[], typeName = 'list_iterator'): Iter {
  let at = -1
  return iterator(rt, typeName, () => {
    at += 1
    return items[at]
  })
}

/** The next value, or StopIteration. */
export function advance(rt: Runtime, value: Value, otherwise: Value | undefined): Value {
  if (!(value instanceof Iter)) throw fault(rt, 'TypeError', `'${typeOf(value).name}' object is not an iterator`)
  const item = value.next()
  if (item !== undefined) return item
  if (otherwise !== undefined) return otherwise
  throw fault(rt, 'StopIteration')
}

/** Values of an iterable, mapped; `undefined` from the map leaves one out. */
export function mapped(rt: Runtime, typeName: string, over: Value, map: (item: Value) => Value | undefined): Iter {
  const source = iterate(rt, over)
  return iterator(rt, typeName, () => {
    for (let item = source.next(); item !== undefined; item = source.next()) {
      rt.work()
      const made = map(item)
      if (made !== undefined) return made
    }
    return undefined
  })
}
