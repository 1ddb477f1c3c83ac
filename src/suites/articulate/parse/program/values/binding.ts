/** Arguments of the program's own functions, bound to their parameters as CPython binds them. */
import { fault } from './errors.ts'
import type { Runtime } from './runtime.ts'
import { Dict, type Named, Tuple, type Value } from './value.ts'

export interface Slot {
  name: string
  kind: 'positional' | 'both' | 'named' | 'rest' | 'others'
  /** Undefined where it must be given. */
  otherwise: Value | undefined
}

export function bindArguments(
  rt: Runtime,
  name: string,
  slots: readonly Slot[],
  args: readonly Value[],
  named: Named,
): Map<string, Value> {
  const bound = new Map<string, Value>()
  const places = slots.filter(({ kind }) => kind === 'positional' || kind === 'both')
  places.forEach((slot, i) => {
    const value = args[i]
    if (value !== undefined) bound.set(slot.name, value)
  })
  const others = slots.find(({ kind }) => kind === 'others')
  const extra = new Dict()
  for (const [key, value] of named) {
    const slot = slots.find((one) => one.name === key && (one.kind === 'both' || one.kind === 'named'))
    if (slot) {
      if (bound.has(key)) throw fault(rt, 'TypeError', `${name}() got multiple values for argument '${key}'`)
      bound.set(key, value)
    } else if (others) extra.entries.set(`s${key}`, { key, value })
    else if (slots.some((one) => one.name === key && one.kind === 'positional'))
      throw fault(rt, 'TypeError', `${name}() got some positional-only arguments passed as keyword arguments: '${key}'`)
    else throw fault(rt, 'TypeError', `${name}() got an unexpected keyword argument '${key}'`)
  }
  const rest = slots.find(({ kind }) => kind === 'rest')
  if (rest) bound.set(rest.name, new Tuple(args.slice(places.length)))
  else if (args.length > places.length) throw tooMany(rt, name, places, slots, args.length, bound)
  if (others) bound.set(others.name, extra)
  missing(rt, name, 'positional', places, bound)
  missing(
    rt,
    name,
    'keyword-only',
    slots.filter(({ kind }) => kind === 'named'),
    bound,
  )
  return bound
}

function missing(rt: Runtime, name: string, kind: string, slots: readonly Slot[], bound: Map<string, Value>): void {
  const absent: string[] = []
  for (const slot of slots) {
    if (bound.has(slot.name)) continue
    if (slot.otherwise === undefined) absent.push(`'${slot.name}'`)
    else bound.set(slot.name, slot.otherwise)
  }
  if (absent.length === 0) return
  const listed = absent.length < 3 ? absent.join(' and ') : `${absent.slice(0, -1).join(', ')}, and ${absent.at(-1)}`
  const plural = absent.length === 1 ? 'argument' : 'arguments'
  throw fault(rt, 'TypeError', `${name}() missing ${absent.length} required ${kind} ${plural}: ${listed}`)
}

function tooMany(
  rt: Runtime,
  name: string,
  places: readonly Slot[],
  slots: readonly Slot[],
  given: number,
  bound: ReadonlyMap<string, Value>,
): Error {
  const least = places.filter(({ otherwise }) => otherwise === undefined).length
  const most = places.length
  const count = least === most ? String(most) : `from ${least} to ${most}`
  const keywordOnly = slots.filter(({ kind, name: own }) => kind === 'named' && bound.has(own)).length
  const extra =
    keywordOnly === 0
      ? ''
      : ` positional argument${given === 1 ? '' : 's'} (and ${keywordOnly} keyword-only argument${keywordOnly === 1 ? '' : 's'})`
  const plural = most === 1 && least === most ? 'argument' : 'arguments'
  return fault(
    rt,
    'TypeError',
    `${name}() takes ${count} positional ${plural} but ${given}${extra} ${given === 1 && extra === '' ? 'was' : 'were'} given`,
  )
}
