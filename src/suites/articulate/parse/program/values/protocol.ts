/** What can be done with any value: each asks the value's type. */
import { Raised, fault } from './errors.ts'
import { INSTANCE_SLOTS } from './instances.ts'
import type { Runtime } from './runtime.ts'
import {
  firstOf,
  Func,
  type Iter,
  Instance,
  Method,
  type Named,
  Native,
  NO_NAMES,
  Property,
  type PyObject,
  PyType,
  type Slots,
  TYPES,
  typeOf,
  type Value,
  Wrapped,
} from './value.ts'

export function slotsOf(value: Value): Slots {
  return value instanceof Instance ? INSTANCE_SLOTS : typeOf(value).slots
}

export function isNumber(value: Value): value is number | bigint | boolean {
  return typeof value === 'number' || typeof value === 'bigint' || typeof value === 'boolean'
}

export function binary(rt: Runtime, operator: string, left: Value, right: Value, shown = operator): Value {
  rt.work()
  // A type that refines another has its way first.
  const isRefined =
    right instanceof Instance && left instanceof Instance && right.type !== left.type && right.type.isA(left.type)
  const ways = [
    () => slotsOf(left).binary?.(rt, operator, left, right),
    () => slotsOf(right).reflected?.(rt, operator, left, right),
  ]
  for (const way of isRefined ? ways.toReversed() : ways) {
    const made = way()
    if (made !== undefined) return made
  }
  const [a, b] = [typeOf(left).name, typeOf(right).name]
  const isSequence = (value: Value): boolean => [TYPES.str, TYPES.list, TYPES.tuple].includes(typeOf(value))
  if (operator === '+' && isSequence(left))
    throw fault(rt, 'TypeError', `can only concatenate ${a} (not "${b}") to ${a}`)
  if (operator === '*' && (isSequence(left) || isSequence(right)))
    throw fault(rt, 'TypeError', `can't multiply sequence by non-int of type '${isSequence(left) ? b : a}'`)
  const name = operator === '**' && shown === operator ? '** or pow()' : shown
  throw fault(rt, 'TypeError', `unsupported operand type(s) for ${name}: '${a}' and '${b}'`)
}

/** `left += right` and the like. */
export function augmented(rt: Runtime, operator: string, left: Value, right: Value): Value {
  return firstOf(slotsOf(left).inPlace?.(rt, operator, left, right), () =>
    binary(rt, operator, left, right, `${operator}=`),
  )
}

export function unary(rt: Runtime, operator: string, value: Value): Value {
  rt.work()
  const made = slotsOf(value).unary?.(rt, operator, value)
  if (made !== undefined) return made
  throw fault(rt, 'TypeError', `bad operand type for unary ${operator}: '${typeOf(value).name}'`)
}

const SWAPPED: Readonly<Record<string, string>> = { '<': '>', '>': '<', '<=': '>=', '>=': '<=', '==': '==', '!=': '!=' }

/** The result is a value, not always a truth: arrays compare item by item. */
export function compare(rt: Runtime, operator: string, left: Value, right: Value): Value {
  rt.work()
  const made = firstOf(slotsOf(left).compare?.(rt, operator, left, right), () =>
    slotsOf(right).compare?.(rt, SWAPPED[operator]!, right, left),
  )
  if (made !== undefined) return made
  if (operator === '==' || operator === '!=') return Object.is(left, right) === (operator === '==')
  throw fault(
    rt,
    'TypeError',
    `'${operator}' not supported between instances of '${typeOf(left).name}' and '${typeOf(right).name}'`,
  )
}

/** The same thing, or equal. */
export function equals(rt: Runtime, left: Value, right: Value): boolean {
  if (Object.is(left, right)) {
    rt.work()
    return true
  }
  rt.enter()
  const isEqual = truth(rt, compare(rt, '==', left, right))
  rt.leave()
  return isEqual
}

export function less(rt: Runtime, left: Value, right: Value): boolean {
  return truth(rt, compare(rt, '<', left, right))
}

export function truth(rt: Runtime, value: Value): boolean {
  if (typeof value === 'boolean') return value
  const { truth: own, length: count } = slotsOf(value)
  if (own) return own(rt, value)
  return count ? count(rt, value) !== 0 : value !== null
}

export function length(rt: Runtime, value: Value): number {
  const count = slotsOf(value).length
  if (!count) throw fault(rt, 'TypeError', `object of type '${typeOf(value).name}' has no len()`)
  return count(rt, value)
}

export function iterate(rt: Runtime, value: Value): Iter {
  const own = slotsOf(value).iterate
  if (!own) throw fault(rt, 'TypeError', `'${typeOf(value).name}' object is not iterable`)
  return own(rt, value)
}

/** Everything that a value hands out, as a list of the host. */
export function itemsOf(rt: Runtime, value: Value): Value[] {
  const { next } = iterate(rt, value)
  const items: Value[] = []
  for (let item = next(); item !== undefined; item = next()) {
    rt.work()
    items.push(item)
    if (items.length % 256 === 0) rt.make(items.length, 256)
  }
  rt.make(items.length, items.length % 256)
  return items
}

export function contains(rt: Runtime, whole: Value, item: Value): boolean {
  const { contains: own, iterate: each } = slotsOf(whole)
  if (own) return own(rt, whole, item)
  if (!each) throw fault(rt, 'TypeError', `argument of type '${typeOf(whole).name}' is not iterable`)
  const { next } = each(rt, whole)
  for (let other = next(); other !== undefined; other = next()) if (equals(rt, other, item)) return true
  return false
}

export function getItem(rt: Runtime, value: Value, index: Value): Value {
  rt.work()
  const own = slotsOf(value).getItem
  if (!own) throw fault(rt, 'TypeError', `'${typeOf(value).name}' object is not subscriptable`)
  return own(rt, value, index)
}

export function setItem(rt: Runtime, value: Value, index: Value, item: Value): void {
  rt.work()
  const own = slotsOf(value).setItem
  if (!own) throw fault(rt, 'TypeError', `'${typeOf(value).name}' object does not support item assignment`)
  own(rt, value, index, item)
}

export function deleteItem(rt: Runtime, value: Value, index: Value): void {
  rt.work()
  const own = slotsOf(value).deleteItem
  if (!own) throw fault(rt, 'TypeError', `'${typeOf(value).name}' object doesn't support item deletion`)
  own(rt, value, index)
}

export function repr(rt: Runtime, value: Value, depth = 0): string {
  rt.work()
  rt.enter()
  const own = slotsOf(value).repr
  const text = own ? own(rt, value, depth) : `<${typeOf(value).name} object>`
  rt.leave()
  rt.text(text.length)
  return text
}

export function str(rt: Runtime, value: Value): string {
  if (typeof value === 'string') return value
  return slotsOf(value).str?.(rt, value) ?? repr(rt, value)
}

export function format(rt: Runtime, value: Value, spec: string): string {
  const own = slotsOf(value).format
  if (own) return own(rt, value, spec)
  if (spec === '') return str(rt, value)
  throw fault(rt, 'TypeError', `unsupported format string passed to ${typeOf(value).name}.__format__`)
}

/** Equal for equal values: what dictionaries and sets are ordered by. */
export function keyOf(rt: Runtime, value: Value): string {
  if (typeof value === 'string') {
    rt.work(1 + value.length / 64)
    return `s${value}`
  }
  const own = slotsOf(value).key
  if (!own) throw fault(rt, 'TypeError', `unhashable type: '${typeOf(value).name}'`)
  rt.enter()
  const key = own(rt, value)
  rt.leave()
  rt.text(key.length)
  return key
}

const identities = new WeakMap<PyObject, number>()
let identity = 0

/** A number for a thing that is equal only to itself. */
export function identityOf(value: PyObject): number {
  const known = identities.get(value)
  if (known !== undefined) return known
  identity += 1
  identities.set(value, identity)
  return identity
}

export function call(rt: Runtime, callee: Value, args: readonly Value[], named: Named = NO_NAMES): Value {
  rt.work()
  const own = slotsOf(callee).call
  if (!own) throw fault(rt, 'TypeError', `'${typeOf(callee).name}' object is not callable`)
  return own(rt, callee, args, named)
}

export function isCallable(value: Value): boolean {
  return value instanceof Instance ? value.type.find('__call__') !== undefined : slotsOf(value).call !== undefined
}

/** Undefined where there is none. */
export function findAttribute(rt: Runtime, value: Value, name: string): Value | undefined {
  rt.work()
  return firstOf(slotsOf(value).attribute?.(rt, value, name), () => inheritedAttribute(rt, value, name))
}

export function getAttribute(rt: Runtime, value: Value, name: string): Value {
  const found = findAttribute(rt, value, name)
  if (found !== undefined) return found
  throw missingAttribute(rt, value, name)
}

export function missingAttribute(rt: Runtime, value: Value, name: string): Raised {
  const owner = value instanceof PyType ? `type object '${value.name}'` : `'${typeOf(value).name}' object`
  return fault(rt, 'AttributeError', `${owner} has no attribute '${name}'`)
}

export function setAttribute(rt: Runtime, value: Value, name: string, item: Value): void {
  rt.work()
  const own = slotsOf(value).setAttribute
  if (own) own(rt, value, name, item)
  else if (inheritedAttribute(rt, value, name) === undefined) throw missingAttribute(rt, value, name)
  else throw fault(rt, 'AttributeError', `'${typeOf(value).name}' object attribute '${name}' is read-only`)
}

/** What a value has from its type: methods, and attributes that are computed. */
function inheritedAttribute(rt: Runtime, value: Value, name: string): Value | undefined {
  const type = typeOf(value)
  if (name === '__class__') return type
  const found = type.find(name)
  return found === undefined ? undefined : bound(rt, value, type, found)
}

/** An attribute of a type as its values see it. */
export function bound(rt: Runtime, self: Value, type: PyType, found: Value): Value {
  if (found instanceof Func || found instanceof Native) return new Method(self, found)
  if (found instanceof Property) return call(rt, found.get, [self])
  if (found instanceof Wrapped) return found.kind === 'staticmethod' ? found.value : new Method(type, found.value)
  return found
}

export function typeName(value: Value): string {
  return typeOf(value).name
}
