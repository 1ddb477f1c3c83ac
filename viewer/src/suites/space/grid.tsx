/** Floor plan with ground truth, explored area, field of view, path and predicted map. North is up. */
import { useMemo } from 'react'
import { Frame } from './frame.ts'
import { Floor, Fog, FieldOfView, Path } from './ground.tsx'
import { Agent, Belief, Changes, DoorMark, FogProbe, ObjectMark, Start } from './marks.tsx'
import { type Believed, headingName, type SpaceState } from './state.ts'
import { plural } from '../../ui/format.ts'

const NONE: readonly Believed[] = []

export interface Layers {
  fog: boolean
  belief: boolean
  names: boolean
}

interface GridProps {
  state: SpaceState
  layers: Layers
}

export function Grid({ state, layers }: GridProps) {
  const { scene, pose, turns, turn, beliefs, fog } = state
  const shown = layers.belief ? beliefs : NONE
  const frame = useMemo(() => new Frame(scene, shown), [scene, shown])
  const explored = turn?.event.explored ?? []
  return (
    <svg
      viewBox={frame.viewBox}
      role="img"
      aria-label={describe(state)}
      className="block size-full select-none"
      fontSize={13.5}
    >
      <Floor scene={scene} frame={frame} />
      {layers.fog && <Fog scene={scene} explored={explored} frame={frame} />}
      <FieldOfView scene={scene} pose={pose} frame={frame} observing={turn === null || turn.event.visible !== null} />
      <Path pairs={[scene.start.pos, ...turns.map(({ event }) => event.pose.pos)]} frame={frame} />
      <Changes state={state} frame={frame} />
      {scene.doors.map((door) => (
        <DoorMark key={door.name} door={door} frame={frame} names={layers.names} />
      ))}
      {scene.objects.map((object) => (
        <ObjectMark
          key={object.name}
          object={object}
          frame={frame}
          names={layers.names}
          inView={turn?.event.visible?.includes(object.name) ?? false}
          known={turn?.event.observed?.includes(object.name) ?? true}
        />
      ))}
      {shown.map((belief) => (
        <Belief key={belief.name} belief={belief} frame={frame} />
      ))}
      {fog && layers.fog && <FogProbe fog={fog} frame={frame} />}
      <Start pos={scene.start.pos} frame={frame} />
      <Agent pose={pose} frame={frame} />
    </svg>
  )
}

function describe({ scene, pose, turn, beliefs }: SpaceState): string {
  const seen = turn?.event.visible
  return [
    `Floor plan with ${scene.objects.length} objects and ${scene.doors.length} doors.`,
    `The player is at ${pose.pos.join(', ')}, facing ${headingName(pose.heading)}.`,
    seen ? `In view: ${seen.length === 0 ? 'nothing' : seen.join(', ')}.` : '',
    beliefs.length > 0 ? `Its predicted map has ${plural(beliefs.length, 'object')}.` : '',
  ]
    .filter((part) => part !== '')
    .join(' ')
}
