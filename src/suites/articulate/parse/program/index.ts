/**
 * Candidate functions: from the Python that a model writes to an assembled robot, or the line and reason why not.
 *
 * The language has a parser of its own. The parsers of editors (Lezer, tree-sitter) recover from errors by design: of
 * 53 invalid programs, Lezer's accepts 22 (`f() = 3`, `def f(a, a)`, `x = 08`, a `try` alone), and neither says what
 * is wrong in words that a model can use. Strings, numbers and f-strings would still be read here.
 */
import type { Vec3 } from '../../../../world.ts'
import type { Assembly } from '../../domain/assembly/assembly.ts'
import type { PartShelf } from '../../domain/assembly/parts.ts'
import type { Profile } from '../../domain/profile.ts'
import { BUILTINS, moduleNamed } from './modules/index.ts'
import { link } from './robot/elements.ts'
import { located, RobotValue, robotNames } from './robot/robot.ts'
import { explained, Interpreter } from './run/index.ts'
import { ProgramError } from './syntax/problem.ts'
import { parseProgram } from './syntax/statements.ts'
import type { Statement } from './syntax/tree.ts'
import { call, dictFrom, EXCEPTIONS, Module, Raised, Runtime, Tuple, type Value } from './values/index.ts'

export { LIMITS, ProgramError } from './syntax/problem.ts'

export interface ProgramSetting {
  profile: Profile
  shelf: PartShelf
  /** The turn that stands the object's meshes up, where they lie. */
  baseTurn?: Vec3 | null
}

/** Modules of the published code, whose names every program finds already. */
const PROTOCOL = /^\.*(?:articulate_anything|odio_urdf|api|utils|robot)?(?:\.|$)/

/**
 * Runs `partnet_<id>(input_dir, links)` and gives the robot it returns. Throws `ProgramError`.
 *
 * @example
 * runProgram(source, { profile: 'fixed', shelf: model.shelf }).robot()
 */
export function runProgram(source: string, { profile, shelf, baseTurn = null }: ProgramSetting): Assembly {
  const statements = parseProgram(source)
  const rt = new Runtime()
  const names = robotNames({ shelf, setting: { profile, baseTurn, spend: (work) => rt.look(work) } })
  const protocol = new Module('articulate_anything', names)
  const interpreter = new Interpreter(
    rt,
    new Map([...BUILTINS, ...names]),
    (name) => moduleNamed(name) ?? (PROTOCOL.test(name) ? protocol : undefined),
    // What stands under `if __name__ == "__main__":` is not part of the answer.
    'candidate',
  )
  try {
    interpreter.run(statements)
    return built(rt, statements, interpreter, shelf)
  } catch (error) {
    throw withParts(explained(rt, error), error, shelf)
  }
}

function built(rt: Runtime, statements: readonly Statement[], interpreter: Interpreter, shelf: PartShelf): Assembly {
  const entry = entryOf(statements)
  const callee = entry && interpreter.defined(entry.code.name)
  if (!entry || callee === undefined) throw new ProgramError(1, 'there is no function partnet_<id>(input_dir, links)')
  const links = dictFrom(
    rt,
    [...shelf.keys()].map((name): [Value, Value] => [name, link(name)]),
  )
  const taken = entry.code.parameters.filter(({ otherwise, kind }) => otherwise === null && kind !== 'others')
  const given: Value[] =
    taken.length === 1 && taken[0]!.kind !== 'rest' ? [links] : ['.', links].slice(0, Math.max(taken.length, 0))
  rt.line = entry.line
  const returned = call(rt, callee, given)
  if (!(returned instanceof RobotValue))
    throw new ProgramError(rt.line, `${entry.code.name}() must return the robot it built`)
  const { assembly } = returned
  // Asking once finds what hangs on nothing.
  located(rt, () =>
    assembly.boxes([...assembly.links].filter(([, { part }]) => part.points.length > 0).map(([name]) => name)),
  )
  return assembly
}

/** The last `partnet_…`, or the only function there is. */
function entryOf(statements: readonly Statement[]): Extract<Statement, { kind: 'def' }> | undefined {
  const functions = statements.filter((statement) => statement.kind === 'def')
  return (
    functions.findLast(({ code }) => code.name.startsWith('partnet_')) ??
    (functions.length === 1 ? functions[0] : undefined)
  )
}

/** The most common mistake is a misspelled part: the parts are listed. */
function withParts(problem: ProgramError, error: unknown, shelf: PartShelf): ProgramError {
  if (!(error instanceof Raised) || error.value.type !== EXCEPTIONS.get('KeyError')) return problem
  const args = error.value.attributes.get('args')
  const [key] = args instanceof Tuple ? args.items : []
  if (typeof key !== 'string' || shelf.has(key)) return problem
  return new ProgramError(problem.line, `${problem.reason} (parts: ${[...shelf.keys()].join(', ')})`)
}
