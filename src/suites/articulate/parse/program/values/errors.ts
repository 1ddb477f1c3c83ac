/** Exceptions: Python's types, thrown through the host as `Raised`. */
import type { Runtime } from './runtime.ts'
import { Instance, PyType, Tuple, TYPES, type Value } from './value.ts'

/** Types and their bases, as in CPython. */
const TREE: readonly (readonly [name: string, base: string])[] = [
  ['Exception', 'BaseException'],
  ['KeyboardInterrupt', 'BaseException'],
  ['SystemExit', 'BaseException'],
  ['GeneratorExit', 'BaseException'],
  ['StopIteration', 'Exception'],
  ['ArithmeticError', 'Exception'],
  ['FloatingPointError', 'ArithmeticError'],
  ['OverflowError', 'ArithmeticError'],
  ['ZeroDivisionError', 'ArithmeticError'],
  ['AssertionError', 'Exception'],
  ['AttributeError', 'Exception'],
  ['BufferError', 'Exception'],
  ['EOFError', 'Exception'],
  ['ImportError', 'Exception'],
  ['ModuleNotFoundError', 'ImportError'],
  ['LookupError', 'Exception'],
  ['IndexError', 'LookupError'],
  ['KeyError', 'LookupError'],
  ['MemoryError', 'Exception'],
  ['NameError', 'Exception'],
  ['UnboundLocalError', 'NameError'],
  ['OSError', 'Exception'],
  ['FileNotFoundError', 'OSError'],
  ['PermissionError', 'OSError'],
  ['TimeoutError', 'OSError'],
  ['ReferenceError', 'Exception'],
  ['RuntimeError', 'Exception'],
  ['NotImplementedError', 'RuntimeError'],
  ['RecursionError', 'RuntimeError'],
  ['SyntaxError', 'Exception'],
  ['IndentationError', 'SyntaxError'],
  ['SystemError', 'Exception'],
  ['TypeError', 'Exception'],
  ['ValueError', 'Exception'],
  ['UnicodeError', 'ValueError'],
  ['Warning', 'Exception'],
  ['UserWarning', 'Warning'],
  ['DeprecationWarning', 'Warning'],
  ['RuntimeWarning', 'Warning'],
  ['FutureWarning', 'Warning'],
]

const BASE = new PyType('BaseException', { bases: [TYPES.object], slots: {} })

export const EXCEPTIONS: ReadonlyMap<string, PyType> = (() => {
  const types = new Map([['BaseException', BASE]])
  for (const [name, base] of TREE) types.set(name, new PyType(name, { bases: [types.get(base)!], slots: {} }))
  types.set('IOError', types.get('OSError')!)
  types.set('EnvironmentError', types.get('OSError')!)
  types.set('FrozenInstanceError', new PyType('FrozenInstanceError', { bases: [types.get('AttributeError')!] }))
  // numpy raises some of its own.
  types.set('LinAlgError', new PyType('LinAlgError', { bases: [types.get('ValueError')!] }))
  types.set('UFuncTypeError', new PyType('UFuncTypeError', { bases: [types.get('TypeError')!] }))
  types.set('AxisError', new PyType('AxisError', { bases: [types.get('ValueError')!, types.get('IndexError')!] }))
  return types
})()

export const BASE_EXCEPTION = BASE
export const EXCEPTION: PyType = EXCEPTIONS.get('Exception')!

/** A Python exception on its way up. */
export class Raised extends Error {
  override readonly name = 'Raised'
  readonly value: Instance
  readonly line: number
  /** `raise … from None` and the like do not change where it was raised first. */
  constructor(value: Instance, line: number) {
    super(value.type.name)
    this.value = value
    this.line = line
  }
}

export function exception(type: PyType, args: readonly Value[]): Instance {
  const made = new Instance(type)
  made.attributes.set('args', new Tuple(args))
  return made
}

/** `throw fault(rt, 'ValueError', 'math domain error')` */
export function fault(rt: Runtime, type: string, ...args: readonly Value[]): Raised {
  // The host takes its time over an exception.
  rt.work(20)
  return new Raised(exception(EXCEPTIONS.get(type)!, args), rt.line)
}
