/** The state of an episode at a step. Pure. */
import { latestAt } from '../../episode/read.ts'
import type { BelievedEntry, Pair, TrueEntry, TruePose, TrueScene } from '../../../../src/suites/space/events.ts'
import type { SpaceEpisode } from './episode.ts'

/** Name of the player in maps. */
export const AGENT = 'agent'

export interface Believed {
  name: string
  /** Predicted cell; may be outside the grid. */
  at: Pair
  facing: Pair | null
  /** True cell; `null` for objects that are not in the scene. */
  truth: Pair | null
  trueFacing: Pair | null
}

export type SpaceState = NonNullable<ReturnType<typeof stateAt>>

export function stateAt(episode: SpaceEpisode, at: number, mapKind: string) {
  const opened = latestAt(episode.scenes, at) ?? episode.scenes[0]
  if (!opened) return null
  const { phase, scene, changes } = opened.event
  const inPhase = <T extends { at: number }>(list: readonly T[]): T[] =>
    list.filter((each) => each.at >= opened.at && each.at <= at)
  const turns = inPhase(episode.turns).filter(({ event }) => event.phase === phase)
  const turn = turns.at(-1) ?? null
  const pose: TruePose = turn?.event.pose ?? startPose(scene)
  const map =
    inPhase(episode.maps).findLast(({ event }) => event.phase === phase && kindOf(event.kind) === mapKind) ?? null
  const mapPose = map === null ? pose : (turns.findLast(({ at: when }) => when < map.at)?.event.pose ?? pose)
  const fog = latestAt(inPhase(episode.fogs), at)
  const picture = latestAt(inPhase(episode.pictures), at)
  return {
    phase,
    scene,
    before:
      phase === 'exploration' ? null : (episode.scenes.findLast((each) => each.at < opened.at)?.event.scene ?? null),
    changes: changes ?? [],
    turns,
    turn,
    pose,
    /** Images and fog probes are shown only during their own turn. */
    picture: picture && picture.event.turn === turn?.event.turn ? picture.event : null,
    fog: fog && fog.event.turn === turn?.event.turn ? fog.event : null,
    map: map?.event ?? null,
    mapAt: map?.at ?? null,
    beliefs: map?.event.map?.flatMap((entry) => believed(entry, map.event, scene, mapPose)) ?? [],
    answer: answerAt(episode, at, turns.at(-1)?.at ?? opened.at),
  }
}

/** Map kind for the selector; the map after the changes is also a global one. */
export function kindOf(kind: string): string {
  return kind === 'global-false-belief' ? 'global' : kind
}

/** The current question: the last one, unless exploration has continued since. */
function answerAt(episode: SpaceEpisode, at: number, after: number) {
  return episode.answers.findLast((each) => each.at <= at && each.at > after) ?? null
}

function startPose({ start: { pos, room } }: TrueScene): TruePose {
  return { pos, heading: [0, 1], rooms: [room] }
}

/** An entry of the predicted map; empty if it has no coordinates. */
function believed(
  { name, pos: [x, y], facing }: BelievedEntry,
  { kind, truth }: { kind: string; truth: readonly TrueEntry[] },
  scene: TrueScene,
  pose: TruePose,
): Believed[] {
  if (x === null || y === null) return []
  const cell = kind === 'local' ? fromOwnFrame([x, y], pose) : fromStart([x, y], scene)
  const known = truth.find((entry) => entry.name === name)
  const trueCell = known ? (kind === 'local' ? fromOwnFrame(known.pos, pose) : fromStart(known.pos, scene)) : null
  const entity = [...scene.objects, ...scene.doors].find((each) => each.name === name)
  return [{ name, at: cell, facing, truth: trueCell ?? entity?.pos ?? null, trueFacing: known?.facing ?? null }]
}

function fromStart([x, y]: Pair, { start }: TrueScene): Pair {
  return [start.pos[0] + x, start.pos[1] + y]
}

/** From the player's frame: x is right, y is ahead. */
function fromOwnFrame([right, ahead]: Pair, { pos, heading: [hx, hy] }: TruePose): Pair {
  return [pos[0] + ahead * hx + right * hy, pos[1] + ahead * hy - right * hx]
}

/** Mean distance in cells between predicted and true positions; `null` if there are none to compare. */
export function meanError(beliefs: readonly Believed[]): number | null {
  const errors = beliefs.flatMap(({ at, truth }) => (truth ? [Math.hypot(at[0] - truth[0], at[1] - truth[1])] : []))
  return errors.length === 0 ? null : errors.reduce((a, b) => a + b, 0) / errors.length
}

export function headingName([x, y]: Pair): string {
  if (x === 0) return y > 0 ? 'north' : 'south'
  if (y === 0) return x > 0 ? 'east' : 'west'
  return ''
}
