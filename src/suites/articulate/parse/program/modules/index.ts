/** What programs may import. Everything else is a clear error. */
import { firstOf, Module, native, PyType, TYPES, type Value } from '../values/index.ts'
import { NUMPY } from '../numpy/index.ts'
import { BUILTINS } from './builtins.ts'
import { ABC_NAMES, ENUM_NAMES, NAMED_TUPLE } from './classes.ts'
import { DATACLASSES } from './dataclasses.ts'
import { MATH } from './math.ts'
import { COLLECTIONS, COPY, STATISTICS } from './collections.ts'
import { FUNCTOOLS, OPERATOR } from './functools.ts'
import { ITERTOOLS } from './itertools.ts'

export { BUILTINS }

/** Names of `typing` that stand for nothing when a program runs. */
const HINTS =
  `Any Union Optional List Dict Tuple Set FrozenSet Sequence Iterable Iterator Mapping MutableMapping Callable Type
  ClassVar Final Literal Generic Protocol TypedDict Generator Hashable Sized Collection Annotated TypeAlias Self
  NoReturn Deque DefaultDict Text AnyStr Number SupportsFloat SupportsInt`.split(/\s+/)

const hint = (name: string): [string, Value] => [name, new PyType(name, { bases: [TYPES.object] })]

const identity = (name: string): [string, Value] => [
  name,
  native(name, 'first second?', (_, [first, second]) => firstOf(second, () => first!)),
]

const module = (name: string, names: Iterable<readonly [string, Value]>): [string, Module] => [
  name,
  new Module(name, new Map(names)),
]

const MODULES: ReadonlyMap<string, Module> = new Map([
  ['math', MATH],
  ['dataclasses', DATACLASSES],
  module('typing', [
    ...HINTS.map(hint),
    ['NamedTuple', NAMED_TUPLE],
    ['TYPE_CHECKING', false],
    identity('cast'),
    identity('overload'),
    identity('final'),
    ['TypeVar', native('TypeVar', 'name *constraints bound? covariant? contravariant?', () => TYPES.object)],
    ['NewType', native('NewType', 'name tp', (_, [, type]) => type!)],
  ]),
  module('collections.abc', HINTS.map(hint)),
  module('itertools', ITERTOOLS),
  module('functools', FUNCTOOLS),
  module('operator', OPERATOR),
  module('copy', COPY),
  module('collections', COLLECTIONS),
  module('enum', ENUM_NAMES),
  module('abc', ABC_NAMES),
  module('statistics', STATISTICS),
  module('__future__', [
    ['annotations', null],
    ['division', null],
    ['print_function', null],
  ]),
  module('builtins', BUILTINS),
  ...NUMPY,
])

export function moduleNamed(name: string): Module | undefined {
  return MODULES.get(name)
}

export const MODULE_NAMES: readonly string[] = [...MODULES.keys()].filter((name) => !name.startsWith('_'))
