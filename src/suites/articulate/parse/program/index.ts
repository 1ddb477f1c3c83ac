/** Candidate functions: from the text that a model writes to an assembled robot, or the line and reason why not. */
import type { Vec3 } from '../../../../world.ts'
import { Assembly } from '../../domain/assembly/assembly.ts'
import type { PartShelf } from '../../domain/assembly/parts.ts'
import type { Profile } from '../../domain/profile.ts'
import { Interpreter } from './interpret.ts'
import { Meter } from './meter.ts'
import { parseProgram } from './parse.ts'
import { ProgramError } from './problem.ts'
import { located } from './robot.ts'
import type { Statement } from './tree.ts'
import { type Callable, Dictionary, Thing } from './values.ts'

export { LIMITS, ProgramError } from './problem.ts'

export interface ProgramSetting {
  profile: Profile
  shelf: PartShelf
  /** The turn that stands the object's meshes up, where they lie. */
  baseTurn?: Vec3 | null
}

/**
 * Runs `partnet_<id>(input_dir, links)` and gives the robot it returns. Throws `ProgramError`.
 *
 * @example
 * runProgram(source, { profile: 'fixed', shelf: model.shelf }).robot()
 */
export function runProgram(source: string, { profile, shelf, baseTurn = null }: ProgramSetting): Assembly {
  const statements = parseProgram(source)
  const meter = new Meter()
  const interpreter = new Interpreter(meter, {
    shelf,
    setting: { profile, baseTurn, spend: (work) => meter.look(work) },
  })
  try {
    interpreter.run(statements)
    const entry = entryOf(statements, interpreter)
    const links = new Dictionary()
    for (const name of shelf.keys()) links.set(name, new Thing('link', new Map([['name', name]])))
    const takes = statements.find((statement) => statement.kind === 'def' && statement.name === entry.name)
    const parameters = takes?.kind === 'def' ? takes.parameters.filter(({ otherwise }) => otherwise === null).length : 2
    const given = parameters === 1 ? [links] : ['.', links].slice(0, Math.max(parameters, 0))
    const line = takes?.line ?? 1
    const returned = entry.call({ positional: given, named: new Map() }, line)
    if (!(returned instanceof Thing) || !returned.assembly)
      throw new ProgramError(meter.line, `${entry.name}() must return the robot it built`)
    const { assembly } = returned
    // Asking once finds what hangs on nothing.
    located(meter.line, () =>
      assembly.boxes([...assembly.links].filter(([, { part }]) => part.points.length > 0).map(([name]) => name)),
    )
    return assembly
  } catch (error) {
    if (error instanceof RangeError) throw new ProgramError(meter.line, 'the program is nested too deep')
    throw error
  }
}

function entryOf(statements: readonly Statement[], interpreter: Interpreter): Callable {
  const names = statements.flatMap((statement) => (statement.kind === 'def' ? [statement.name] : []))
  const name =
    names.findLast((candidate) => candidate.startsWith('partnet_')) ?? (names.length === 1 ? names[0] : undefined)
  const entry = name === undefined ? null : interpreter.defined(name)
  if (!entry) throw new ProgramError(1, 'there is no function partnet_<id>(input_dir, links)')
  return entry
}
