/** Names that every program finds. */
import {
  advance,
  call,
  compare,
  dictOf,
  divmod,
  ELLIPSIS,
  EXCEPTIONS,
  fault,
  findAttribute,
  firstOf,
  floorDivision,
  format,
  getAttribute,
  Instance,
  integer,
  isCallable,
  isInstance,
  iterate,
  iterator,
  itemsOf,
  keyOf,
  length,
  List,
  mapped,
  modulo,
  Native,
  natives,
  NOT_IMPLEMENTED,
  numOf,
  power,
  PyType,
  binary,
  Raised,
  repr,
  roundNumber,
  type Runtime,
  setAttribute,
  slotsOf,
  sorted,
  special,
  str,
  Super,
  textIn,
  textOf,
  toFloat,
  truth,
  Tuple,
  TYPES,
  typeOf,
  type Value,
} from '../values/index.ts'

/** The least or greatest; the first of equal ones. */
function extreme(name: 'min' | 'max'): Native {
  const operator = name === 'min' ? '<' : '>'
  return new Native(name, (rt, args, named) => {
    const strange = [...named.keys()].find((key) => key !== 'key' && key !== 'default')
    if (strange !== undefined) throw fault(rt, 'TypeError', `${name}() got an unexpected keyword argument '${strange}'`)
    if (args.length === 0) throw fault(rt, 'TypeError', `${name} expected at least 1 argument, got 0`)
    const key = named.get('key') ?? null
    const items = args.length === 1 ? itemsOf(rt, args[0]!) : args
    let [best] = items
    if (best === undefined) {
      const otherwise = named.get('default')
      if (otherwise !== undefined) return otherwise
      throw fault(rt, 'ValueError', `${name}() arg is an empty sequence`)
    }
    const keyed = (item: Value): Value => (key === null ? item : call(rt, key, [item]))
    let bestKey = keyed(best)
    for (const item of items.slice(1)) {
      const itemKey = keyed(item)
      if (!truth(rt, compare(rt, operator, itemKey, bestKey))) continue
      best = item
      bestKey = itemKey
    }
    return best
  })
}

function absolute(rt: Runtime, value: Value): Value {
  const number = numOf(value)
  if (number !== null) return typeof number === 'number' ? Math.abs(number) : number < 0n ? -number : number
  const own = special(rt, value, '__abs__')
  if (own === undefined) throw fault(rt, 'TypeError', `bad operand type for abs(): '${typeOf(value).name}'`)
  return call(rt, own, [])
}

function rounding(rt: Runtime, value: Value, places: Value | undefined): Value {
  const number = numOf(value)
  if (number !== null) return roundNumber(rt, number, places)
  const own = special(rt, value, '__round__')
  if (own === undefined) throw fault(rt, 'TypeError', `type ${typeOf(value).name} doesn't define __round__ method`)
  return call(rt, own, places === undefined ? [] : [places])
}

function zipped(rt: Runtime, lists: readonly Value[], isStrict: boolean): Value {
  const sources = lists.map((list) => iterate(rt, list))
  return iterator(rt, 'zip', () => {
    if (sources.length === 0) return undefined
    const items: Value[] = []
    for (const [i, { next }] of sources.entries()) {
      const item = next()
      if (item !== undefined) {
        items.push(item)
        continue
      }
      if (isStrict && (i > 0 || sources.slice(1).some((other) => other.next() !== undefined)))
        throw fault(
          rt,
          'ValueError',
          i > 0
            ? `zip() argument ${i + 1} is shorter than argument${i === 1 ? ' 1' : `s 1-${i}`}`
            : `zip() argument 2 is longer than argument 1`,
        )
      return undefined
    }
    rt.make(items.length)
    return new Tuple(items)
  })
}

function reversedOf(rt: Runtime, value: Value): Value {
  const own = special(rt, value, '__reversed__')
  if (own !== undefined) return call(rt, own, [])
  const { length: size, getItem } = slotsOf(value)
  if (!size || !getItem || typeOf(value) === TYPES.set)
    throw fault(rt, 'TypeError', `'${typeOf(value).name}' object is not reversible`)
  if (typeOf(value).isA(TYPES.dict)) {
    const keys = itemsOf(rt, value).toReversed()
    return iterate(rt, new Tuple(keys))
  }
  let at = size(rt, value)
  return iterator(rt, 'reversed', () => {
    at -= 1
    return at < 0 ? undefined : getItem(rt, value, BigInt(at))
  })
}

function based(prefix: string, radix: number): (rt: Runtime, args: (Value | undefined)[]) => Value {
  return (rt, [value]) => {
    const number = integer(rt, value!)
    return `${number < 0n ? '-' : ''}${prefix}${(number < 0n ? -number : number).toString(radix)}`
  }
}

function quotient(rt: Runtime, a: Value, b: Value): Value {
  const [x, y] = [numOf(a), numOf(b)]
  if (x === null || y === null) return new Tuple([binary(rt, '//', a, b), binary(rt, '%', a, b)])
  if (typeof x === 'bigint' && typeof y === 'bigint') {
    if (y === 0n) throw fault(rt, 'ZeroDivisionError', 'integer division or modulo by zero')
    return new Tuple([floorDivision(x, y), modulo(x, y)])
  }
  if (Number(y) === 0) throw fault(rt, 'ZeroDivisionError', 'float divmod()')
  return new Tuple(divmod(toFloat(rt, x), toFloat(rt, y)))
}

/** A whole number for equal values; not the one that CPython has for texts, which differs from run to run. */
function hashOf(rt: Runtime, value: Value): bigint {
  const key = keyOf(rt, value)
  if (/^n-?\d{1,18}$/.test(key)) return key === 'n-1' ? -2n : BigInt(key.slice(1))
  let hash = 0n
  for (const char of key) hash = (hash * 31n + BigInt(char.codePointAt(0)!)) % (2n ** 61n - 1n)
  return hash
}

const FUNCTIONS = natives(
  ['abs', 'x', (rt, [value]) => absolute(rt, value!)],
  [
    'all',
    'iterable',
    (rt, [over]) => {
      const { next } = iterate(rt, over!)
      for (let item = next(); item !== undefined; item = next()) if (!truth(rt, item)) return false
      return true
    },
  ],
  [
    'any',
    'iterable',
    (rt, [over]) => {
      const { next } = iterate(rt, over!)
      for (let item = next(); item !== undefined; item = next()) if (truth(rt, item)) return true
      return false
    },
  ],
  ['bin', 'number', based('0b', 2)],
  ['oct', 'number', based('0o', 8)],
  ['hex', 'number', based('0x', 16)],
  ['callable', 'obj', (_, [value]) => isCallable(value!)],
  [
    'chr',
    'i',
    (rt, [value]) => {
      const code = integer(rt, value!)
      if (code >= 2n ** 63n || code < -(2n ** 63n))
        throw fault(rt, 'OverflowError', 'Python int too large to convert to C int')
      if (code >= 2n ** 31n) throw fault(rt, 'OverflowError', 'signed integer is greater than maximum')
      if (code < 0n || code > 0x10_ff_ffn) throw fault(rt, 'ValueError', 'chr() arg not in range(0x110000)')
      return String.fromCodePoint(Number(code))
    },
  ],
  [
    'ord',
    'c',
    (rt, [value]) => {
      const text = textOf(rt, value, 'ord() expected string of length 1, but')
      const [char, more] = text
      if (char === undefined || more !== undefined)
        throw fault(rt, 'TypeError', `ord() expected a character, but string of length ${text.length} found`)
      return BigInt(char.codePointAt(0)!)
    },
  ],
  ['divmod', 'x y', (rt, [a, b]) => quotient(rt, a!, b!)],
  [
    'enumerate',
    'iterable start?',
    (rt, [over, start = 0n]) => {
      let at = integer(rt, start) - 1n
      return mapped(rt, 'enumerate', over!, (item) => {
        at += 1n
        return new Tuple([at, item])
      })
    },
  ],
  [
    'filter',
    'function iterable',
    (rt, [test = null, over]) =>
      mapped(rt, 'filter', over!, (item) =>
        truth(rt, test === null ? item : call(rt, test, [item])) ? item : undefined,
      ),
  ],
  [
    'format',
    'value format_spec?',
    (rt, [value, spec = '']) => format(rt, value!, textOf(rt, spec, 'format() argument 2')),
  ],
  [
    'getattr',
    'object name default?',
    (rt, [value, name, otherwise]) => {
      const key = textOf(rt, name, 'attribute name')
      return otherwise === undefined
        ? getAttribute(rt, value!, key)
        : firstOf(attributeOr(rt, value!, key), () => otherwise)
    },
  ],
  [
    'hasattr',
    'object name',
    (rt, [value, name]) => attributeOr(rt, value!, textOf(rt, name, 'attribute name')) !== undefined,
  ],
  [
    'setattr',
    'object name value',
    (rt, [value, name, item]) => {
      setAttribute(rt, value!, textOf(rt, name, 'attribute name'), item!)
      return null
    },
  ],
  [
    'delattr',
    'object name',
    (rt, [value, name]) => {
      if (!(value instanceof Instance) || !value.attributes.delete(textIn(name)))
        throw fault(rt, 'AttributeError', textIn(name))
      return null
    },
  ],
  ['hash', 'object', (rt, [value]) => hashOf(rt, value!)],
  ['id', 'object', (rt, [value]) => hashOf(rt, value instanceof PyType ? value.name : str(rt, value!))],
  ['isinstance', 'object class_or_tuple', (rt, [value, type]) => isInstance(rt, value!, type!)],
  [
    'issubclass',
    'cls class_or_tuple',
    (rt, [type, of]) => {
      if (!(type instanceof PyType)) throw fault(rt, 'TypeError', 'issubclass() arg 1 must be a class')
      return isInstance(rt, null, of!, type)
    },
  ],
  [
    'iter',
    'object sentinel?',
    (rt, [value, end]) => {
      if (end === undefined) return iterate(rt, value!)
      return iterator(rt, 'callable_iterator', () => {
        const item = call(rt, value!, [])
        return truth(rt, compare(rt, '==', item, end)) ? undefined : item
      })
    },
  ],
  ['len', 'obj', (rt, [value]) => BigInt(length(rt, value!))],
  [
    'next',
    'iterator default?',
    (rt, [value, otherwise]) => {
      const own = value instanceof Instance ? special(rt, value, '__next__') : undefined
      if (own === undefined) return advance(rt, value!, otherwise)
      return call(rt, own, [])
    },
  ],
  ['pow', 'base exp mod?', (rt, [base, exponent, modulus]) => power(rt, base!, exponent!, modulus)],
  ['repr', 'obj', (rt, [value]) => repr(rt, value!)],
  ['ascii', 'obj', (rt, [value]) => repr(rt, value!)],
  ['reversed', 'sequence', (rt, [value]) => reversedOf(rt, value!)],
  ['round', 'number ndigits?', (rt, [value, places]) => rounding(rt, value!, places)],
  [
    'sorted',
    'iterable *, key? reverse?',
    (rt, [over, key = null, reverse = false]) => new List(sorted(rt, itemsOf(rt, over!), key, truth(rt, reverse))),
  ],
  [
    'sum',
    'iterable start?',
    (rt, [over, start = 0n]) => {
      if (typeof start === 'string') throw fault(rt, 'TypeError', "sum() can't sum strings [use ''.join(seq) instead]")
      const { next } = iterate(rt, over!)
      let sum: Value = start
      for (let item = next(); item !== undefined; item = next()) sum = binary(rt, '+', sum, item)
      return sum
    },
  ],
  ['zip', '*iterables strict?', (rt, [strict = false], lists) => zipped(rt, lists, truth(rt, strict))],
  [
    'vars',
    'object',
    (rt, [value]) => {
      if (value instanceof Instance) return dictOf(rt, value.attributes)
      throw fault(rt, 'TypeError', 'vars() argument must have __dict__ attribute')
    },
  ],
  [
    'dir',
    'object',
    (rt, [value]) => {
      const own = value instanceof Instance ? [...value.attributes.keys()] : []
      const names = new Set([...own, ...typeOf(value!).mro.flatMap(({ attributes }) => [...attributes.keys()])])
      rt.make(names.size)
      return new List([...names].sort())
    },
  ],
)

function attributeOr(rt: Runtime, value: Value, name: string): Value | undefined {
  const { nesting } = rt
  try {
    return findAttribute(rt, value, name)
  } catch (error) {
    if (!(error instanceof Raised) || !error.value.type.isA(EXCEPTIONS.get('AttributeError')!)) throw error
    rt.nesting = nesting
    return undefined
  }
}

const map = new Native('map', (rt, [callee, ...lists]) => {
  if (callee === undefined || lists.length === 0)
    throw fault(rt, 'TypeError', 'map() must have at least two arguments.')
  const sources = lists.map((list) => iterate(rt, list))
  return iterator(rt, 'map', () => {
    const items: Value[] = []
    for (const { next } of sources) {
      const item = next()
      if (item === undefined) return undefined
      items.push(item)
    }
    return call(rt, callee, items)
  })
})

const print = new Native('print', (rt, args, named) => {
  for (const key of named.keys())
    if (!['sep', 'end', 'file', 'flush'].includes(key))
      throw fault(rt, 'TypeError', `'${key}' is an invalid keyword argument for print()`)
  const text = (key: string, otherwise: string): string => {
    const value = named.get(key) ?? otherwise
    return textOf(rt, value, key)
  }
  rt.print(args.map((value) => str(rt, value)).join(text('sep', ' ')) + text('end', '\n'))
  return null
})

/** What is known by name but not offered, and why. */
const REFUSED: readonly (readonly [string, string])[] = [
  ['open', 'files are not available'],
  ['input', 'there is nobody to ask'],
  ['eval', 'code in a text is not run'],
  ['exec', 'code in a text is not run'],
  ['compile', 'code in a text is not run'],
  ['__import__', 'use an import statement'],
  ['globals', 'names cannot be listed'],
  ['locals', 'names cannot be listed'],
  ['complex', 'complex numbers are not supported'],
  ['bytes', 'bytes are not supported'],
  ['bytearray', 'bytes are not supported'],
  ['memoryview', 'bytes are not supported'],
]

TYPES.super.construct = (rt, _, [type, self]) => {
  if (type instanceof PyType && self !== undefined) return new Super(type, self)
  throw fault(rt, 'TypeError', 'super() needs a class and an instance')
}

const OF_MODULES: ReadonlySet<string> = new Set(['FrozenInstanceError', 'LinAlgError', 'AxisError', 'UFuncTypeError'])

export const BUILTINS: ReadonlyMap<string, Value> = new Map<string, Value>([
  ...FUNCTIONS,
  ['map', map],
  ['print', print],
  ['min', extreme('min')],
  ['max', extreme('max')],
  ...(
    [
      'object',
      'type',
      'int',
      'bool',
      'float',
      'str',
      'list',
      'tuple',
      'dict',
      'set',
      'frozenset',
      'range',
      'slice',
      'property',
      'staticmethod',
      'classmethod',
      'super',
    ] as const
  ).map((name): [string, Value] => [name, TYPES[name]]),
  ...[...EXCEPTIONS].filter(([name]) => !OF_MODULES.has(name)),
  ...REFUSED.map(([name, why]): [string, Value] => [
    name,
    new Native(name, (rt) => {
      throw fault(rt, 'NotImplementedError', `${name}() is not supported: ${why}`)
    }),
  ]),
  ['Ellipsis', ELLIPSIS],
  ['NotImplemented', NOT_IMPLEMENTED],
  ['__debug__', true],
])
