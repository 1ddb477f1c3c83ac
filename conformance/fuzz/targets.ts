import { articulateForkTargets } from './articulate-fork.ts'
import { articulateTargets } from './articulate.ts'
import { spaceTargets } from './space-targets.ts'
import { pythonExpressions, pythonPrograms } from './python.ts'
import type { FuzzTarget } from './target.ts'
import { vsiTargets } from './vsi.ts'
import { vsigTargets } from './vsig.ts'

/** Every profile that reproduces published code, against that code; and Python programs against Python. */
export const targets: Readonly<Record<string, FuzzTarget>> = {
  ...articulateTargets,
  ...articulateForkTargets,
  'python-expressions': pythonExpressions,
  'python-programs': pythonPrograms,
  ...spaceTargets,
  ...vsiTargets,
  ...vsigTargets,
}
