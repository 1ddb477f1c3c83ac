/** `@dataclass`: methods made from annotations. */
import {
  bindArguments,
  call,
  compare,
  Dict,
  equals,
  EXCEPTIONS,
  fault,
  findAttribute,
  firstOf,
  getAttribute,
  Instance,
  itemsOf,
  keyOf,
  List,
  Module,
  Native,
  native,
  put,
  PyType,
  repr,
  type Runtime,
  type Slot,
  textIn,
  Tuple,
  truth,
  TYPES,
  type Value,
} from '../values/index.ts'

interface Field {
  name: string
  otherwise: Value | undefined
  factory: Value | undefined
  isInit: boolean
  isShown: boolean
  isCompared: boolean
  isKeywordOnly: boolean
}

const FIELD = new PyType('Field', { bases: [TYPES.object] })
const FIELDS = '__dataclass_fields__'
const KNOWN = new WeakMap<PyType, readonly Field[]>()

const field = native(
  'field',
  '*, default? default_factory? init? repr? compare? hash? metadata? kw_only?',
  (_, values) => {
    const made = new Instance(FIELD)
    ;['default', 'default_factory', 'init', 'repr', 'compare', 'hash', 'metadata', 'kw_only'].forEach((name, i) => {
      const value = values[i]
      if (value !== undefined) made.attributes.set(name, value)
    })
    return made
  },
)

function fieldsOf(rt: Runtime, type: PyType, isKeywordOnly: boolean): Field[] {
  const fields = new Map<string, Field>()
  for (const base of type.mro.toReversed()) for (const one of KNOWN.get(base) ?? []) fields.set(one.name, one)
  const annotations = type.attributes.get('__annotations__')
  let isAfterMarker = isKeywordOnly
  if (annotations instanceof Dict)
    for (const { key, value } of annotations.entries.values()) {
      if (value === 'ClassVar') continue
      if (value === 'KW_ONLY') {
        isAfterMarker = true
        continue
      }
      const name = textIn(key)
      const given = type.attributes.get(name)
      const described = given instanceof Instance && given.type === FIELD ? given.attributes : null
      const flag = (what: string): boolean => described?.get(what) !== false
      const otherwise = described ? described.get('default') : given
      if (otherwise instanceof List || otherwise instanceof Dict)
        throw fault(
          rt,
          'ValueError',
          `mutable default ${repr(rt, otherwise.type)} for field ${name} is not allowed: use default_factory`,
        )
      fields.set(name, {
        name,
        otherwise,
        factory: described?.get('default_factory'),
        isInit: flag('init'),
        isShown: flag('repr'),
        isCompared: flag('compare'),
        isKeywordOnly: isAfterMarker || described?.get('kw_only') === true,
      })
      if (described) {
        if (otherwise === undefined) type.attributes.delete(name)
        else type.attributes.set(name, otherwise)
      }
    }
  return [...fields.values()]
}

/** Stands for a value that is made when it is needed. */
const MADE_LATER = new Instance(FIELD)

function initializer(rt: Runtime, type: PyType, fields: readonly Field[]): Native {
  const taken = fields.filter(({ isInit }) => isInit)
  let hasDefault: string | null = null
  for (const one of taken) {
    if (one.isKeywordOnly) continue
    const isOptional = one.otherwise !== undefined || one.factory !== undefined
    if (hasDefault !== null && !isOptional)
      throw fault(rt, 'TypeError', `non-default argument '${one.name}' follows default argument`)
    if (isOptional) hasDefault = one.name
  }
  const slots: Slot[] = [
    { name: 'self', kind: 'both', otherwise: undefined },
    ...taken.map(({ name, otherwise, factory, isKeywordOnly }): Slot => ({
      name,
      kind: isKeywordOnly ? 'named' : 'both',
      otherwise: firstOf(otherwise, () => (factory === undefined ? undefined : MADE_LATER)),
    })),
  ]
  return new Native('__init__', (runtime, args, named) => {
    const bound = bindArguments(runtime, `${type.name}.__init__`, slots, args, named)
    const self = bound.get('self')
    if (!(self instanceof Instance)) return null
    for (const { name, otherwise, factory } of fields) {
      const given = firstOf(bound.get(name), () => (factory === undefined ? otherwise : MADE_LATER))
      const value = given === MADE_LATER ? call(runtime, factory!, []) : given
      runtime.make(1)
      if (value !== undefined) self.attributes.set(name, value)
    }
    const after = findAttribute(runtime, self, '__post_init__')
    if (after !== undefined) call(runtime, after, [])
    return null
  })
}

const ORDERS: Readonly<Record<string, string>> = { __lt__: '<', __le__: '<=', __gt__: '>', __ge__: '>=' }

function decorate(rt: Runtime, type: Value, options: ReadonlyMap<string, Value>): Value {
  if (!(type instanceof PyType)) throw fault(rt, 'TypeError', 'dataclass() should be applied to a class')
  const flag = (name: string, otherwise: boolean): boolean => truth(rt, options.get(name) ?? otherwise)
  const fields = fieldsOf(rt, type, flag('kw_only', false))
  KNOWN.set(type, fields)
  const define = (name: string, method: Value): void => {
    if (!type.attributes.has(name)) type.attributes.set(name, method)
  }
  const compared = fields.filter(({ isCompared }) => isCompared).map(({ name }) => name)
  const values = (runtime: Runtime, self: Value): Tuple =>
    new Tuple(compared.map((name) => getAttribute(runtime, self, name)))
  if (flag('init', true)) define('__init__', initializer(rt, type, fields))
  if (flag('repr', true))
    define(
      '__repr__',
      native('__repr__', 'self', (runtime, [self]) => {
        const shown = fields
          .filter(({ isShown }) => isShown)
          .map(({ name }) => `${name}=${repr(runtime, getAttribute(runtime, self!, name))}`)
        const owner = self instanceof Instance ? self.type.name : type.name
        return `${owner}(${shown.join(', ')})`
      }),
    )
  const same = (self: Value | undefined, other: Value | undefined): boolean =>
    self instanceof Instance && other instanceof Instance && self.type === other.type
  const hasEquality = flag('eq', true)
  if (hasEquality)
    define(
      '__eq__',
      native('__eq__', 'self other', (runtime, [self, other]) =>
        same(self, other) ? equals(runtime, values(runtime, self!), values(runtime, other!)) : self === other,
      ),
    )
  if (flag('order', false))
    for (const [name, operator] of Object.entries(ORDERS))
      define(
        name,
        native(name, 'self other', (runtime, [self, other]) => {
          if (same(self, other)) return compare(runtime, operator, values(runtime, self!), values(runtime, other!))
          throw fault(runtime, 'TypeError', `'${operator}' not supported between these instances`)
        }),
      )
  if (flag('frozen', false)) {
    type.attributes.set(
      '__setattr__',
      native('__setattr__', 'self name value', (runtime, [, name]) => {
        throw fault(runtime, 'FrozenInstanceError', `cannot assign to field '${textIn(name)}'`)
      }),
    )
    if (hasEquality)
      define(
        '__hash__',
        native('__hash__', 'self', (runtime, [self]) => keyOf(runtime, values(runtime, self!))),
      )
  } else if (flag('unsafe_hash', false))
    define(
      '__hash__',
      native('__hash__', 'self', (runtime, [self]) => keyOf(runtime, values(runtime, self!))),
    )
  type.attributes.set(FIELDS, new Tuple(fields.map(({ name }) => name)))
  define('__match_args__', new Tuple(fields.filter(({ isInit }) => isInit).map(({ name }) => name)))
  return type
}

const dataclass = new Native('dataclass', (rt, [type], options) =>
  type === undefined || type === null
    ? new Native('dataclass', (runtime, [given = null]) => decorate(runtime, given, options))
    : decorate(rt, type, options),
)

function namesOf(rt: Runtime, value: Value): string[] {
  const names = findAttribute(rt, value, FIELDS)
  if (names instanceof Tuple) return names.items.map(String)
  throw fault(rt, 'TypeError', 'must be called with a dataclass type or instance')
}

function plain(rt: Runtime, value: Value): Value {
  rt.enter()
  const made = plainOf(rt, value)
  rt.leave()
  return made
}

function plainOf(rt: Runtime, value: Value): Value {
  if (value instanceof Instance && value.type.find(FIELDS) !== undefined) {
    const made = new Dict()
    for (const name of namesOf(rt, value)) put(rt, made, name, plain(rt, getAttribute(rt, value, name)))
    return made
  }
  if (value instanceof List) return new List(itemsOf(rt, value).map((item) => plain(rt, item)))
  if (value instanceof Tuple)
    return new Tuple(
      itemsOf(rt, value).map((item) => plain(rt, item)),
      value.type,
    )
  if (value instanceof Dict) {
    const made = new Dict()
    for (const entry of value.entries.values()) put(rt, made, entry.key, plain(rt, entry.value))
    return made
  }
  return value
}

export const DATACLASSES = new Module(
  'dataclasses',
  new Map<string, Value>([
    ['dataclass', dataclass],
    ['FrozenInstanceError', EXCEPTIONS.get('FrozenInstanceError')!],
    ['field', field],
    ['KW_ONLY', new PyType('KW_ONLY', { bases: [TYPES.object] })],
    ['asdict', native('asdict', 'obj', (rt, [value]) => plain(rt, value!))],
    [
      'astuple',
      native(
        'astuple',
        'obj',
        (rt, [value]) => new Tuple(namesOf(rt, value!).map((name) => plain(rt, getAttribute(rt, value!, name)))),
      ),
    ],
    [
      'fields',
      native(
        'fields',
        'class_or_instance',
        (rt, [value]) =>
          new Tuple(
            namesOf(rt, value!).map((name) => {
              const made = new Instance(FIELD)
              made.attributes.set('name', name)
              return made
            }),
          ),
      ),
    ],
    ['is_dataclass', native('is_dataclass', 'obj', (rt, [value]) => findAttribute(rt, value!, FIELDS) !== undefined)],
    [
      'replace',
      new Native('replace', (rt, [value = null], named) => {
        if (!(value instanceof Instance))
          throw fault(rt, 'TypeError', 'replace() should be called on dataclass instances')
        const all = new Map(namesOf(rt, value).map((name) => [name, getAttribute(rt, value, name)]))
        for (const [name, item] of named) all.set(name, item)
        return call(rt, value.type, [], all)
      }),
    ],
  ]),
)
