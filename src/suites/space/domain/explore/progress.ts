/** Tracks coverage, fog and position information over the turns of an episode. */
import type { Scene } from '../grid/scene.ts'
import type { Profile } from '../profile.ts'
import { Coverage } from './coverage.ts'
import type { Turn } from './exploration.ts'
import { Fog } from './fog.ts'
import { PositionSolver } from './solver.ts'

export class Progress {
  readonly coverage: Coverage
  readonly profile: Profile
  fog: Fog
  solver: PositionSolver

  constructor(scene: Scene, profile: Profile) {
    this.profile = profile
    this.coverage = new Coverage(scene)
    this.fog = new Fog(scene)
    this.solver = PositionSolver.forScene(scene)
  }

  record(turn: Turn): void {
    if (turn.view) {
      this.coverage.observe(turn.view)
      this.fog.observe(turn.view)
      this.solver.observe(turn.view)
    }
    if (turn.located) this.solver.locate(turn.located.name, turn.located.offset)
  }

  /**
   * The scene has changed. The published environment keeps its knowledge of the old scene, which mixes two worlds; `fixed`
   * resets fog and solver.
   */
  revise(changed: Scene): void {
    if (this.profile === 'upstream') return
    this.fog = new Fog(changed)
    this.solver = PositionSolver.forScene(changed)
  }

  /** Information level, 0 to 1. */
  get level(): number {
    return this.solver.level(this.profile)
  }
}
