/** Builds the events that an episode records for the viewer. */
import { formOf } from '../domain/answers/forms.ts'
import type { Question, TaskScore } from '../domain/answers/question.ts'
import { type FogProbe, letterOf, scoreFogProbe, unexploredLetters } from '../domain/belief/fog-probe.ts'
import { scoreGlobalMap, scoreLocalMap } from '../domain/belief/probes.ts'
import { readRoomsMap, scoreRoomsMap } from '../domain/belief/rooms-map.ts'
import { trueGlobalMap, trueLocalMap } from '../domain/belief/ground-truth.ts'
import type { ExplorationState, Turn } from '../domain/explore/exploration.ts'
import type { Progress } from '../domain/explore/progress.ts'
import type { RevisedScene, Scene, Vec } from '../domain/grid/scene.ts'
import type { Profile } from '../domain/profile.ts'
import type { SpaceEvent } from '../events.ts'
import { actionText, type Phase } from '../parse/actions.ts'
import type { MapContext } from '../parse/maps.ts'
import type { MapKind } from '../prompts/prompts.ts'

export function sceneEvent(
  phase: Phase,
  scene: Scene,
  changes: RevisedScene['changes'] | null,
): SpaceEvent<'space/scene'> {
  return { type: 'space/scene', phase, scene, changes }
}

export function turnEvent(
  turn: Turn,
  number: number,
  state: ExplorationState,
  progress: Progress,
): SpaceEvent<'space/turn'> {
  const { pose, remaining, phase, cost } = state
  return {
    type: 'space/turn',
    phase,
    turn: number,
    pose,
    valid: turn.valid,
    failed: turn.failed,
    problem: turn.error?.problem ?? null,
    actions: turn.executed.map(({ action, text, ok }) => ({ action: actionText(action), text, ok })),
    visible: turn.view?.visible.map(({ name }) => name) ?? null,
    observed: [...state.observed],
    explored: exploredCells(progress),
    ended: turn.ended ?? null,
    reported: turn.changes ?? null,
    remaining,
    cost,
    coverage: progress.coverage.nodeCoverage,
    information: progress.level,
  }
}

function exploredCells({ fog }: Progress): Vec[] {
  return fog.rooms().flatMap((room) => fog.explored(room))
}

interface Probed {
  kind: MapKind
  reply: string
  number: number
  phase: Phase
}

export function mapEvent(
  { kind, reply, number, phase }: Probed,
  context: MapContext,
  profile: Profile,
): SpaceEvent<'space/map'> {
  return { type: 'space/map', phase, turn: number, kind, ...believed(kind, reply, context, profile) }
}

type Believed = Pick<SpaceEvent<'space/map'>, 'map' | 'truth' | 'scores'>

function believed(kind: MapKind, reply: string, context: MapContext, profile: Profile): Believed {
  const { scene } = context
  switch (kind) {
    case 'local': {
      const { map, all } = scoreLocalMap(reply, context, new Set(), profile)
      return { map, truth: trueLocalMap(context), scores: all }
    }
    case 'rooms': {
      const { metrics } = scoreRoomsMap(reply, context, profile)
      return {
        map: readRoomsMap(reply, context, profile),
        truth: trueGlobalMap(context, context.observed),
        scores: metrics,
      }
    }
    case 'global': {
      const { map, observed } = scoreGlobalMap(reply, context, profile)
      return { map, truth: trueGlobalMap(context, context.observed), scores: observed }
    }
    case 'global-false-belief': {
      const everything = new Set(scene.order)
      const { map, full } = scoreGlobalMap(reply, { ...context, observed: everything }, profile)
      return { map, truth: trueGlobalMap(context, everything), scores: full }
    }
  }
}

export function fogEvent(probe: FogProbe, reply: string, number: number, profile: Profile): SpaceEvent<'space/fog'> {
  const { letters, f1, balancedAccuracy, formatError } = scoreFogProbe(reply, probe, profile)
  return {
    type: 'space/fog',
    turn: number,
    cells: probe.candidates.map((cell, i) => ({ letter: letterOf(i), cell })),
    unexplored: unexploredLetters(probe),
    named: letters,
    scores: { f1, balancedAccuracy, formatError },
  }
}

export function answerEvent(
  question: Question,
  scene: Scene,
  answer: string,
  result: TaskScore,
): SpaceEvent<'space/answer'> {
  return {
    type: 'space/answer',
    question: question.id,
    task: question.task,
    text: question.text,
    answer,
    expected: formOf(question.answer, scene).truth(),
    score: result.score,
    exact: result.exact,
    formatError: result.formatError,
  }
}
