/** Classes of the program. */
import {
  BASE_EXCEPTION,
  bound,
  call,
  fault,
  Func,
  type Named,
  Property,
  PyType,
  type Runtime,
  Tuple,
  TYPES,
  type Value,
  Wrapped,
} from '../values/index.ts'

export function makeClass(
  rt: Runtime,
  name: string,
  given: readonly Value[],
  namespace: Map<string, Value>,
  named: Named,
): PyType {
  const bases: PyType[] = []
  for (const base of given) {
    if (!(base instanceof PyType)) throw fault(rt, 'TypeError', `the base of class ${name} is not a class`)
    bases.push(base)
  }
  rt.make(namespace.size + 1)
  const deriving = bases.flatMap(({ mro }) => mro).find(({ derive }) => derive !== null)
  if (deriving?.derive) return deriving.derive(rt, name, namespace)
  const closed = bases.find(
    (base) => base.isBuiltin && base.construct !== null && base !== TYPES.object && base !== BASE_EXCEPTION,
  )
  if (closed) throw fault(rt, 'NotImplementedError', `a class derived from ${closed.name} is not supported`)
  if (namespace.has('__new__')) throw fault(rt, 'NotImplementedError', '`__new__` is not supported')
  const made = new PyType(name, { bases: bases.length > 0 ? bases : [TYPES.object], isBuiltin: false })
  if (made.mro.length === 1)
    throw fault(
      rt,
      'TypeError',
      `Cannot create a consistent method resolution\norder (MRO) for bases ${bases.map((base) => base.name).join(', ')}`,
    )
  for (const [key, value] of namespace) made.attributes.set(key, value)
  made.attributes.set('__abstract__', new Tuple(abstractIn(made)))
  const hook = made.mro
    .slice(1)
    .map(({ attributes }) => attributes.get('__init_subclass__'))
    .find((one) => one !== undefined)
  if (hook !== undefined)
    call(rt, bound(rt, made, made, hook instanceof Wrapped ? hook : new Wrapped('classmethod', hook)), [], named)
  return made
}

/** Names of methods that are still abstract. */
function abstractIn(type: PyType): string[] {
  const names = new Set<string>()
  for (const base of type.mro.toReversed())
    for (const [name, value] of base.attributes) {
      const own = value instanceof Wrapped ? value.value : value instanceof Property ? value.get : value
      if (own instanceof Func && own.attributes.get('__isabstractmethod__') === true) names.add(name)
      else names.delete(name)
    }
  return [...names].sort()
}
