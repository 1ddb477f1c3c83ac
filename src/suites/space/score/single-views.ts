/** Scores maps of single views: how well a view is read, by how far things are. */
import { mean, type Scores } from '../../../suite.ts'
import { trueLocalMap } from '../domain/belief/ground-truth.ts'
import { scoreLocalMap } from '../domain/belief/probes.ts'
import { singleView } from '../domain/explore/single-view.ts'
import type { Scene } from '../domain/grid/scene.ts'
import type { SpaceOutcome } from '../domain/outcome.ts'
import type { Profile } from '../domain/profile.ts'

/** Things up to this many cells away, nearest first; the names of the distances in the prompt. */
export const SINGLE_DISTANCES = { near: 2, mid: 4, far: Infinity } as const

/** A place is right if it is nearer than this to the true one, in cells. */
const SAME_CELL = 0.75

export function singleViewScores(
  scene: Scene,
  { singles = [], profile: played }: SpaceOutcome,
  profile: Profile,
): Scores {
  const parts = {
    position: [] as number[],
    facing: [] as number[],
    near: [] as number[],
    mid: [] as number[],
    far: [] as number[],
  }
  for (const { degrees, reply } of singles) {
    const seen = singleView(scene, played, degrees)
    if (seen === null) continue
    const { pose, observed } = seen.state
    const context = { scene, pose, observed }
    const { map, all } = scoreLocalMap(reply, context, observed, profile)
    parts.position.push(all?.position ?? 0)
    parts.facing.push(all?.facing ?? 0)
    for (const { name, pos } of trueLocalMap(context)) {
      const drawn = map?.find((entry) => entry.name === name)
      const off = drawn ? Math.hypot(drawn.pos[0] - pos[0], drawn.pos[1] - pos[1]) : Infinity
      const distance = Math.hypot(...pos)
      const bin = distance <= SINGLE_DISTANCES.near ? 'near' : distance <= SINGLE_DISTANCES.mid ? 'mid' : 'far'
      parts[bin].push(off < SAME_CELL ? 1 : 0)
    }
  }
  return Object.fromEntries(
    Object.entries(parts).flatMap(([name, values]) => (values.length === 0 ? [] : [[`single.${name}`, mean(values)]])),
  )
}
