/** What an episode leaves for those who look at it later: the truth, every turn, what was believed and answered. */
import type { EpisodeEvent } from '../../../engine/suite.ts'
import { type FogProbe, letterOf, scoreFogProbe, unexploredLetters } from '../domain/belief/fog-probe.ts'
import { type BeliefMap, type MapContext, trueGlobalMap, trueLocalMap } from '../parse/maps.ts'
import { scoreGlobalMap, scoreLocalMap } from '../domain/belief/probes.ts'
import { readRoomsMap, scoreRoomsMap } from '../domain/belief/rooms-map.ts'
import type { Revised } from '../cases/revise.ts'
import { actionText, type Phase } from '../parse/actions.ts'
import type { ExplorationState, Turn } from '../domain/explore/exploration.ts'
import type { Progress } from '../domain/explore/progress.ts'
import type { Scene, Vec } from '../domain/grid/scene.ts'
import type { Profile } from '../domain/profile.ts'
import type { MapKind } from '../prompts.ts'
import { perfectAnswer, type Question } from '../cases/questions.ts'
import type { TaskScore } from '../domain/answers/question.ts'

/** The world of a phase: all coordinates of the other events are cells of it, or relative to its start. */
export function sceneEvent(phase: Phase, scene: Scene, changes: Revised['changes'] | null): EpisodeEvent {
  return { type: 'space/scene', phase, scene, changes }
}

export function turnEvent(turn: Turn, number: number, state: ExplorationState, progress: Progress): EpisodeEvent {
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

/** A map as it was understood, beside the true one. Places are relative to the start, north up; local ones ahead up. */
export function mapEvent({ kind, reply, number, phase }: Probed, context: MapContext, profile: Profile): EpisodeEvent {
  return { type: 'space/map', phase, turn: number, kind, ...believed(kind, reply, context, profile) }
}

interface Believed {
  /** Null where the reply holds no map. */
  map: BeliefMap | null
  truth: BeliefMap
  scores: unknown
}

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

/** Lettered cells, which of them had not been in view, and which the player named. */
export function fogEvent(probe: FogProbe, reply: string, number: number, profile: Profile): EpisodeEvent {
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
  profile: Profile,
): EpisodeEvent {
  return {
    type: 'space/answer',
    question: question.id,
    task: question.task,
    text: question.text,
    answer,
    expected: perfectAnswer(question, scene, profile),
    score: result.score,
    exact: result.exact,
    formatError: result.formatError,
  }
}
