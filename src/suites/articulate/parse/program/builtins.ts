/** Names that every program finds. */
import { Given } from './arguments.ts'
import { itemsOf } from './items.ts'
import type { Meter } from './meter.ts'
import { mapNumber, numeric, whole } from './numbers.ts'
import { binary, compare } from './operators.ts'
import { ProgramError } from './problem.ts'
import { newRobot, pushDirection, type RobotMaker, vertices } from './robot.ts'
import { type Arguments, Callable, Dictionary, isTrue, Sequence, textOf, Thing, typeOf, type Value } from './values.ts'

type Builtin = (args: Arguments, line: number) => Value

export function builtins(meter: Meter, maker: RobotMaker): [string, Value][] {
  const list = (items: readonly Value[], kind: Sequence['kind'] = 'list'): Sequence => {
    meter.make(items.length)
    return new Sequence(kind, [...items])
  }
  const things: Record<string, readonly string[]> = {
    Joint: ['name', 'parent?', 'child?', 'origin?', 'axis?', 'limit?', 'type?'],
    Parent: ['name'],
    Child: ['name'],
    Link: ['name'],
    Origin: ['xyz?', 'rpy?'],
    Axis: ['xyz'],
    Limit: ['lower?', 'upper?', 'effort?', 'velocity?'],
  }
  const functions: Record<string, Builtin> = {
    Robot: (args) => newRobot(maker, args),
    compute_aabb_vertices: vertices,
    compute_push_direction: pushDirection,
    align_robot_orientation: (args) => args.positional[0] ?? null,
    range({ positional }, line) {
      const [a = 0, b, step = 1] = positional.map((value) => whole(value, line))
      const [from, to] = b === undefined ? [0, a] : [a, b]
      if (step === 0) throw new ProgramError(line, 'range() with a step of 0')
      const count = Math.max(0, Math.ceil((to - from) / step))
      meter.make(count)
      return list(Array.from({ length: count }, (_, i) => from + i * step))
    },
    len({ positional: [value = null] }, line) {
      if (value instanceof Dictionary) return value.size
      if (typeof value === 'string') return value.length
      if (value instanceof Sequence) return value.items.length
      throw new ProgramError(line, `${typeOf(value)} has no length`)
    },
    enumerate({ positional: [value = null, given], named }, line) {
      const start = whole(given ?? named.get('start') ?? 0, line)
      return list(itemsOf(value, line).map((item, i) => list([start + i, item], 'tuple')))
    },
    zip({ positional }, line) {
      const lists = positional.map((value) => itemsOf(value, line))
      const count = lists.length === 0 ? 0 : Math.min(...lists.map(({ length }) => length))
      return list(
        Array.from({ length: count }, (_, i) =>
          list(
            lists.map((items) => items[i]!),
            'tuple',
          ),
        ),
      )
    },
    min: (args, line) => extreme(args, line, '<', meter),
    max: (args, line) => extreme(args, line, '>', meter),
    sum({ positional: [value = null, start = 0] }, line) {
      return itemsOf(value, line).reduce<Value>((sum, item) => binary('+', sum, item, line, meter), start)
    },
    abs: ({ positional: [value = null] }, line) => mapNumber(value, line, Math.abs, meter),
    round({ positional: [value = null, digits = 0] }, line) {
      const scale = 10 ** whole(digits, line)
      return mapNumber(value, line, (number) => Math.round(number * scale) / scale, meter)
    },
    int: ({ positional: [value = null] }, line) => Math.trunc(numeric(value, line)),
    float: ({ positional: [value = null] }, line) => numeric(value, line),
    str({ positional: [value = ''] }) {
      const text = textOf(value)
      meter.make(text.length, true)
      return text
    },
    bool: ({ positional: [value = false] }) => isTrue(value),
    list: ({ positional: [value] }, line) => list(value === undefined ? [] : itemsOf(value, line)),
    tuple: ({ positional: [value] }, line) => list(value === undefined ? [] : itemsOf(value, line), 'tuple'),
    reversed: ({ positional: [value = null] }, line) => list(itemsOf(value, line).toReversed()),
    sorted({ positional: [value = null], named }, line) {
      const key = named.get('key')
      const keyed = itemsOf(value, line).map((item) => ({
        item,
        key: key instanceof Callable ? key.call({ positional: [item], named: new Map() }, line) : item,
      }))
      keyed.sort((a, b) =>
        compare('<', a.key, b.key, line, meter) ? -1 : compare('>', a.key, b.key, line, meter) ? 1 : 0,
      )
      const items = keyed.map(({ item }) => item)
      return list(isTrue(named.get('reverse') ?? false) ? items.toReversed() : items)
    },
    dict({ positional: [value], named }, line) {
      const made = new Dictionary()
      if (value instanceof Dictionary) for (const entry of value.entries()) made.set(entry.key, entry.value)
      else if (value !== undefined)
        for (const pair of itemsOf(value, line)) {
          const [key, item] = itemsOf(pair, line)
          if (key === undefined || item === undefined) throw new ProgramError(line, 'dict() needs pairs')
          made.set(key, item)
        }
      for (const [key, item] of named) made.set(key, item)
      meter.make(made.size)
      return made
    },
    any: ({ positional: [value = null] }, line) => itemsOf(value, line).some((item) => isTrue(item)),
    all: ({ positional: [value = null] }, line) => itemsOf(value, line).every((item) => isTrue(item)),
    print: () => null,
    ValueError: ({ positional: [value = ''] }) => textOf(value),
    RuntimeError: ({ positional: [value = ''] }) => textOf(value),
    KeyError: ({ positional: [value = ''] }) => textOf(value),
    Exception: ({ positional: [value = ''] }) => textOf(value),
  }
  return [
    ...Object.entries(functions).map(([name, call]): [string, Value] => [name, new Callable(name, call)]),
    ...Object.entries(things).map(([name, parameters]): [string, Value] => [
      name,
      new Callable(name, (args, line) => thing(name, parameters, args, line)),
    ]),
    ['__name__', 'candidate'],
  ]
}

/** Parts of a joint come in any order, told apart by what they are. */
function thing(name: string, parameters: readonly string[], args: Arguments, line: number): Thing {
  const fields = new Map<string, Value>()
  const positional: Value[] = []
  for (const value of args.positional) {
    if (name === 'Joint' && value instanceof Thing) fields.set(value.kind.toLowerCase(), value)
    else positional.push(value)
  }
  const given = new Given(name, parameters, { positional, named: args.named }, line)
  for (const parameter of parameters) {
    const key = parameter.replace('?', '')
    const value = given.raw(key)
    if (value !== undefined) fields.set(key, value)
  }
  return new Thing(name, fields)
}

function extreme({ positional, named }: Arguments, line: number, operator: '<' | '>', meter: Meter): Value {
  const items = positional.length === 1 ? itemsOf(positional[0]!, line) : positional
  const key = named.get('key')
  const keyOf = (item: Value): Value =>
    key instanceof Callable ? key.call({ positional: [item], named: new Map() }, line) : item
  let best = items[0]
  if (best === undefined) throw new ProgramError(line, 'the smallest or largest of nothing')
  for (const item of items) if (compare(operator, keyOf(item), keyOf(best), line, meter)) best = item
  return best
}
