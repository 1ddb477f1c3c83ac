/** `enum`, `collections.namedtuple`, `typing.NamedTuple` and `abc`. */
import {
  bindArguments,
  Dict,
  fault,
  Func,
  Instance,
  itemsOf,
  keyOf,
  Native,
  native,
  Property,
  put,
  PyType,
  repr,
  type Runtime,
  type Slot,
  str,
  textIn,
  Tuple,
  TYPES,
  equals,
  type Value,
  Wrapped,
  compare,
  numOf,
  binary,
} from '../values/index.ts'

// enum

const ENUM = new PyType('Enum', { bases: [TYPES.object] })
const AUTO = new Instance(new PyType('auto', { bases: [TYPES.object] }))

const valueOf = (member: Value | undefined): Value =>
  member instanceof Instance ? (member.attributes.get('value') ?? null) : (member ?? null)

ENUM.derive = (rt, name, namespace) => deriveEnum(rt, name, namespace, ENUM)

function deriveEnum(rt: Runtime, name: string, namespace: Map<string, Value>, base: PyType): PyType {
  const type = new PyType(name, { bases: [base], isBuiltin: false })
  const members: Instance[] = []
  for (const [key, given] of namespace) {
    const isMember =
      !key.startsWith('_') && !(given instanceof Func || given instanceof Property || given instanceof Wrapped)
    if (!isMember) {
      type.attributes.set(key, given)
      continue
    }
    const last = members.length === 0 ? 0n : valueOf(members.at(-1))
    const value = given === AUTO ? (base.name === 'StrEnum' ? key.toLowerCase() : binary(rt, '+', last, 1n)) : given
    const known = members.find((member) => equals(rt, valueOf(member), value))
    const member = known ?? new Instance(type)
    if (!known) {
      member.attributes.set('name', key)
      member.attributes.set('value', value)
      member.attributes.set('_value_', value)
      member.attributes.set('_name_', key)
      members.push(member)
    }
    type.attributes.set(key, member)
  }
  type.attributes.set('__members__', new Tuple(members))
  type.construct = (runtime, _, [value = null]) => {
    const member = members.find((one) => one === value || equals(runtime, valueOf(one), value))
    if (member) return member
    throw fault(runtime, 'ValueError', `${repr(runtime, value)} is not a valid ${name}`)
  }
  return type
}

ENUM.attributes.set(
  '__repr__',
  native('__repr__', 'self', (rt, [self]) =>
    self instanceof Instance
      ? `<${self.type.name}.${textIn(self.attributes.get('name'))}: ${repr(rt, valueOf(self))}>`
      : '',
  ),
)
ENUM.attributes.set(
  '__str__',
  native('__str__', 'self', (_, [self]) =>
    self instanceof Instance ? `${self.type.name}.${textIn(self.attributes.get('name'))}` : '',
  ),
)
ENUM.attributes.set(
  '__hash__',
  native('__hash__', 'self', (rt, [self]) =>
    self instanceof Instance ? keyOf(rt, new Tuple([self.type.name, self.attributes.get('name') ?? null])) : '',
  ),
)

/** `class A(str, Enum)` and `IntEnum`. */
const VALUE_ENUMS: readonly PyType[] = ['IntEnum', 'StrEnum', 'IntFlag', 'Flag'].map((name) => {
  const type = new PyType(name, { bases: [ENUM] })
  for (const [method, operator] of [
    ['__eq__', '=='],
    ['__ne__', '!='],
    ['__lt__', '<'],
    ['__le__', '<='],
    ['__gt__', '>'],
    ['__ge__', '>='],
  ] as const)
    type.attributes.set(
      method,
      native(method, 'self other', (rt, [self, other]) => compare(rt, operator, valueOf(self), valueOf(other))),
    )
  for (const [method, operator] of [
    ['add', '+'],
    ['sub', '-'],
    ['mul', '*'],
    ['or', '|'],
    ['and', '&'],
    ['truediv', '/'],
  ] as const) {
    type.attributes.set(
      `__${method}__`,
      native(method, 'self other', (rt, [self, other]) => binary(rt, operator, valueOf(self), valueOf(other))),
    )
    type.attributes.set(
      `__r${method}__`,
      native(method, 'self other', (rt, [self, other]) => binary(rt, operator, valueOf(other), valueOf(self))),
    )
  }
  type.attributes.set(
    '__hash__',
    native('__hash__', 'self', (rt, [self]) => keyOf(rt, valueOf(self))),
  )
  type.attributes.set(
    '__int__',
    native('__int__', 'self', (_, [self]) => numOf(valueOf(self)) ?? 0n),
  )
  type.attributes.set(
    '__index__',
    native('__index__', 'self', (_, [self]) => numOf(valueOf(self)) ?? 0n),
  )
  type.attributes.set(
    '__str__',
    native('__str__', 'self', (rt, [self]) => str(rt, valueOf(self))),
  )
  type.attributes.set(
    '__format__',
    native('__format__', 'self spec', (rt, [self]) => str(rt, valueOf(self))),
  )
  type.derive = (rt, own, namespace) => deriveEnum(rt, own, namespace, type)
  return type
})

export const ENUM_NAMES: readonly [string, Value][] = [
  ['Enum', ENUM],
  ...VALUE_ENUMS.map((type): [string, Value] => [type.name, type]),
  ['auto', native('auto', '', () => AUTO)],
  ['unique', native('unique', 'enumeration', (_, [type]) => type!)],
]

// named tuples

const tupleItems = (value: Value | undefined): readonly Value[] => (value instanceof Tuple ? value.items : [])

export function namedTupleType(name: string, fields: readonly string[], defaults: ReadonlyMap<string, Value>): PyType {
  const type = new PyType(name, {
    bases: [TYPES.tuple],
    isBuiltin: false,
    slots: {
      ...TYPES.tuple.slots,
      repr: (rt, value) =>
        `${name}(${tupleItems(value)
          .map((item, i) => `${fields[i]}=${repr(rt, item)}`)
          .join(', ')})`,
    },
  })
  const slots: Slot[] = [
    { name: 'cls', kind: 'both', otherwise: undefined },
    ...fields.map((field): Slot => ({ name: field, kind: 'both', otherwise: defaults.get(field) })),
  ]
  type.construct = (rt, own, args, named) => {
    const bound = bindArguments(rt, `${name}.__new__`, slots, [null, ...args], named)
    rt.make(fields.length)
    return new Tuple(
      fields.map((field) => bound.get(field) ?? null),
      own,
    )
  }
  fields.forEach((field, i) => {
    type.attributes.set(field, new Property(native(field, 'self', (_, [self]) => tupleItems(self)[i] ?? null)))
  })
  type.attributes.set('_fields', new Tuple(fields))
  type.attributes.set('__match_args__', new Tuple(fields))
  type.attributes.set(
    '_asdict',
    native('_asdict', 'self', (rt, [self]) => {
      const made = new Dict()
      fields.forEach((field, i) => put(rt, made, field, tupleItems(self)[i] ?? null))
      return made
    }),
  )
  type.attributes.set(
    '_replace',
    new Native('_replace', (rt, [self], named) => {
      const all = new Map(fields.map((field, i) => [field, tupleItems(self)[i] ?? null]))
      for (const [key, value] of named) {
        if (!all.has(key)) throw fault(rt, 'ValueError', `Got unexpected field names: ['${key}']`)
        all.set(key, value)
      }
      return new Tuple([...all.values()], self instanceof Tuple ? self.type : type)
    }),
  )
  return type
}

export const namedtuple = native(
  'namedtuple',
  'typename field_names *, defaults? rename? module?',
  (rt, [name, given, defaults]) => {
    const fields =
      typeof given === 'string'
        ? given
            .replaceAll(',', ' ')
            .split(/\s+/)
            .filter((field) => field !== '')
        : itemsOf(rt, given!).map((field) => str(rt, field))
    const values = defaults === undefined || defaults === null ? [] : itemsOf(rt, defaults)
    const first = fields.length - values.length
    return namedTupleType(str(rt, name!), fields, new Map(values.map((value, i) => [fields[first + i]!, value])))
  },
)

export const NAMED_TUPLE = new PyType('NamedTuple', { bases: [TYPES.object] })
NAMED_TUPLE.derive = (rt, name, namespace) => {
  const annotations = namespace.get('__annotations__')
  const fields = annotations instanceof Dict ? [...annotations.entries.values()].map(({ key }) => textIn(key)) : []
  const defaults = new Map<string, Value>()
  for (const field of fields) {
    const value = namespace.get(field)
    if (value !== undefined) defaults.set(field, value)
  }
  const type = namedTupleType(name, fields, defaults)
  rt.make(fields.length)
  for (const [key, value] of namespace) if (!fields.includes(key)) type.attributes.set(key, value)
  return type
}

// abc

export const ABC_NAMES: readonly [string, Value][] = [
  ['ABC', new PyType('ABC', { bases: [TYPES.object] })],
  ['ABCMeta', TYPES.type],
  [
    'abstractmethod',
    native('abstractmethod', 'funcobj', (_, [method]) => {
      if (method instanceof Func) method.attributes.set('__isabstractmethod__', true)
      return method!
    }),
  ],
]
