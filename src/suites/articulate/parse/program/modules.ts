/** What programs may import: the names of the protocol, which are there already, and some of `math` and `numpy`. */
import { cross } from '../../../../world.ts'
import { vectorOf } from './arguments.ts'
import { itemsOf } from './items.ts'
import type { Meter } from './meter.ts'
import { mapNumber, numeric, whole } from './numbers.ts'
import { binary } from './operators.ts'
import { ProgramError } from './problem.ts'
import { type Arguments, Callable, Sequence, Thing, type Value } from './values.ts'

const PROTOCOL = /^\.*(?:articulate_anything|odio_urdf|api|typing|__future__|utils|robot|os\.path\.join)(?:\.|$)/

/** Null for modules whose names are there already. */
export function moduleOf(name: string, meter: Meter): Thing | 'refused' | null {
  const [root] = name.replace(/^\.+/, '').split('.')
  if (root === 'math') return new Thing('module', new Map(mathNames(meter)))
  if (name === 'numpy.linalg') return linearAlgebra(meter)
  if (root === 'numpy') return new Thing('module', new Map(numpyNames(meter)))
  return PROTOCOL.test(name) && root !== 'os' ? null : 'refused'
}

type Named = [string, Value]
type Call = (args: Arguments, line: number) => Value

const callable = (name: string, call: Call): Named => [name, new Callable(name, call)]

const OF_ONE: Readonly<Record<string, (value: number) => number>> = {
  sin: Math.sin,
  cos: Math.cos,
  tan: Math.tan,
  asin: Math.asin,
  acos: Math.acos,
  atan: Math.atan,
  sqrt: Math.sqrt,
  exp: Math.exp,
  floor: Math.floor,
  ceil: Math.ceil,
  trunc: Math.trunc,
  fabs: Math.abs,
  radians: (degrees) => (degrees * Math.PI) / 180,
  degrees: (radians) => (radians * 180) / Math.PI,
}

const ofOne = (name: string, call: (value: number) => number, meter: Meter): Named =>
  callable(name, ({ positional: [value = null] }, line) => mapNumber(value, line, call, meter))

const angleOf: Call = ({ positional: [y = null, x = null] }, line) => Math.atan2(numeric(y, line), numeric(x, line))

function mathNames(meter: Meter): Named[] {
  return [
    ['pi', Math.PI],
    ['tau', 2 * Math.PI],
    ['e', Math.E],
    ...Object.entries(OF_ONE).map(([name, call]) => ofOne(name, call, meter)),
    callable('atan2', angleOf),
    callable('hypot', ({ positional }, line) =>
      lengthOf(numbersOf(new Sequence('list', [...positional]), line, meter)),
    ),
  ]
}

function numpyNames(meter: Meter): Named[] {
  const toArray = (value: Value): Value => {
    if (!(value instanceof Sequence)) return value
    meter.make(value.items.length)
    return new Sequence(
      'array',
      value.items.map((item) => toArray(item)),
    )
  }
  const array: Call = ({ positional: [value = null] }) => toArray(value)
  return [
    ...mathNames(meter),
    ofOne('deg2rad', OF_ONE['radians']!, meter),
    ofOne('rad2deg', OF_ONE['degrees']!, meter),
    ofOne('abs', Math.abs, meter),
    ...['sin', 'cos', 'tan'].map((name) => ofOne(`arc${name}`, OF_ONE[`a${name}`]!, meter)),
    callable('arctan2', angleOf),
    callable('array', array),
    callable('asarray', array),
    filled('zeros', 0, meter),
    filled('ones', 1, meter),
    callable('mean', ({ positional: [value = null], named }, line) => {
      const rows = itemsOf(value, line)
      if (rows.length === 0) throw new ProgramError(line, 'the mean of nothing')
      if (rows[0] instanceof Sequence && named.get('axis') === undefined)
        throw new ProgramError(line, 'mean() of several vectors needs axis=0')
      const sum = rows
        .slice(1)
        .reduce<Value>((all, row) => binary('+', all, toArray(row), line, meter), toArray(rows[0]!))
      return binary('/', sum, rows.length, line, meter)
    }),
    callable('dot', ({ positional: [a = null, b = null] }, line) => {
      const [u, v] = [numbersOf(a, line, meter), numbersOf(b, line, meter)]
      if (u.length !== v.length) throw new ProgramError(line, `dot() of ${u.length} and ${v.length} numbers`)
      return u.reduce((sum, value, i) => sum + value * v[i]!, 0)
    }),
    callable('cross', ({ positional: [a = null, b = null] }, line) => {
      const [u, v] = [vectorOf(a), vectorOf(b)]
      if (!u || !v) throw new ProgramError(line, 'cross() needs two vectors [x, y, z]')
      return new Sequence('array', [...cross(u, v)])
    }),
    ['linalg', linearAlgebra(meter)],
  ]
}

function linearAlgebra(meter: Meter): Thing {
  const norm = callable('norm', ({ positional: [value = null] }, line) => lengthOf(numbersOf(value, line, meter)))
  return new Thing('module', new Map([norm]))
}

function filled(name: string, value: number, meter: Meter): Named {
  return callable(name, ({ positional: [size = null] }, line) => {
    const count = whole(size, line)
    if (count < 0) throw new ProgramError(line, `${name}() of ${count} numbers`)
    meter.make(count)
    return new Sequence(
      'array',
      Array.from({ length: count }, () => value),
    )
  })
}

function lengthOf(numbers: readonly number[]): number {
  return Math.sqrt(numbers.reduce((sum, value) => sum + value * value, 0))
}

function numbersOf(value: Value, line: number, meter: Meter): number[] {
  const items = itemsOf(value, line)
  meter.work(items.length)
  return items.map((item) => numeric(item, line))
}
