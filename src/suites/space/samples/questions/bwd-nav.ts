/** View to action: which moves lead to this view? */
import type { Pose, Scene } from '../../domain/grid/scene.ts'
import { entityAt, startPose } from '../../domain/grid/view.ts'
import { amongOthers, questionText, sampleSightings } from './draw.ts'
import { shortestRoute } from '../../domain/explore/moves.ts'
import { drawWalk } from './walks.ts'
import { viewText } from '../../domain/answers/sightings.ts'
import { task } from './task.ts'
import type { Step } from '../../domain/answers/question.ts'

const JUMPS = 3

export const bwdNav = task('bwd_nav_text', (scene, random, profile) => {
  const walk = drawWalk(scene, random, JUMPS)
  if (walk === null) return null
  const from = startPose(scene)
  const to = walk.poses.at(-1)!
  const shortest = shortestRoute(scene, from, to)
  if (shortest === null) return null
  const view = sampleSightings(random, walk.view)
  return {
    text: questionText('bwd-nav', profile, {
      final_obs: viewText(view, 'is at'),
      ...(profile === 'fixed' && { among_others: amongOthers(view, walk.view) }),
    }),
    answer: {
      form: 'route',
      from,
      to,
      goal: 'view',
      view,
      shortest: profile === 'upstream' ? asPublished(scene, shortest, to) : shortest,
    },
  }
})

/** The published search calls a door that is the goal `initial_pos`, a name that its own scorer does not know. */
function asPublished(scene: Scene, steps: readonly Step[], { pos }: Pose): Step[] {
  const goal = entityAt(scene, pos)
  if (goal?.kind !== 'door') return [...steps]
  return steps.map((step) => ('jump' in step && step.jump === goal.name ? { jump: 'initial_pos' } : step))
}
