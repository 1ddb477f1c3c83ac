/** numpy, as far as programs that build objects use it. */
import { fault, Module, Native, natives, type Value } from '../values/index.ts'
import { NDARRAY, NUMBER_TYPES } from './array.ts'
import { DTYPE_NAMES } from './dtypes.ts'
import { CREATING } from './create.ts'
import { ELEMENTWISE } from './elementary.ts'
import { LINALG, PRODUCT_NAMES } from './linear.ts'
import { reducers } from './reduce.ts'
import { REST, SEARCHING } from './search.ts'
import { SHAPE_NAMES } from './shape.ts'
import './types.ts'

export { NdArray } from './array.ts'
export { vector } from './types.ts'

/** Programs must mean the same every time. */
const RANDOM = new Module(
  'numpy.random',
  new Map<string, Value>(
    [
      'seed',
      'rand',
      'randn',
      'randint',
      'random',
      'uniform',
      'normal',
      'choice',
      'shuffle',
      'permutation',
      'default_rng',
      'RandomState',
    ].map((name) => [
      name,
      new Native(name, (rt) => {
        throw fault(
          rt,
          'NotImplementedError',
          `numpy.random.${name}() is not supported: a program must build the same object every time`,
        )
      }),
    ]),
  ),
)

const NAMES = new Map<string, Value>([
  ...natives(...ELEMENTWISE, ...CREATING, ...SEARCHING, ...REST),
  ...SHAPE_NAMES,
  ...PRODUCT_NAMES,
  ...reducers('a'),
  ...DTYPE_NAMES,
  ...Object.entries(NUMBER_TYPES),
  ['ndarray', NDARRAY],
  ['pi', Math.PI],
  ['e', Math.E],
  ['inf', Infinity],
  ['Inf', Infinity],
  ['nan', Number.NaN],
  ['NaN', Number.NaN],
  ['newaxis', null],
  ['linalg', LINALG],
  ['random', RANDOM],
  ['__version__', '1.24.2'],
])

export const NUMPY: readonly [string, Module][] = [
  ['numpy', new Module('numpy', NAMES)],
  ['numpy.linalg', LINALG],
  ['numpy.random', RANDOM],
  [
    'numpy.typing',
    new Module(
      'numpy.typing',
      new Map<string, Value>([
        ['NDArray', NDARRAY],
        ['ArrayLike', NDARRAY],
      ]),
    ),
  ],
]
