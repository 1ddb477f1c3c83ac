/** Executability in a physics engine, with collisions: in a process of its own, with a limit on time. */
import { importPart, LimitedProcess, messageOf, UserError } from '../../../../suite.ts'
import type { Robot } from '../../../../world.ts'
import type { ArticulatedModel } from '../../domain/objects/model.ts'
import type { Physics } from '../../domain/outcome.ts'
import { solidOf } from './pieces.ts'
import type { PhysicsReaders } from './thread.ts'

/** An object of 24 joints takes about a second. */
const MAX_SECONDS = 30

let process: LimitedProcess<PhysicsReaders> | undefined

/** Throws a clear error if the engine is not installed. */
export async function requirePhysics(): Promise<void> {
  await importPart('@mujoco/mujoco')
}

/** What a built robot does when its joints are driven. An object that takes too long is not executable. */
export async function physicsOf(robot: Robot, { parts }: Pick<ArticulatedModel, 'parts'>): Promise<Physics> {
  process ??= new LimitedProcess<PhysicsReaders>('./thread', import.meta.url, { minSeconds: MAX_SECONDS })
  try {
    return await process.read(['simulate', { robot, parts: parts.map(solidOf) }], 0, {
      message: 'The object cannot be simulated',
    })
  } catch (error) {
    if (error instanceof UserError && error.setup) throw error
    return { problem: messageOf(error), moves: null, stable: false, rest: 0, moving: 0, executable: false }
  }
}
