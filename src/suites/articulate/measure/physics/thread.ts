/** The process of `index.ts`. */
import { serveReaders } from '../../../../suite.ts'
import type { Robot } from '../../../../world.ts'
import { physicsModel } from './mjcf.ts'
import type { Solid } from './pieces.ts'
import type { Physics } from '../../domain/outcome.ts'
import { simulated } from './simulate.ts'

export interface PhysicsReaders {
  simulate(built: { robot: Robot; parts: readonly Solid[] }): Promise<Physics>
}

serveReaders<PhysicsReaders>({ simulate: ({ robot, parts }) => simulated(physicsModel(robot, parts)) })
