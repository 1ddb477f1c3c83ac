/** Top view of the room with path, field of view and the objects in question. */
import { useSource } from '../../data/hooks.ts'
import type { Bounds, Thing, Triple } from '../../../../src/suites/vsi/events.ts'
import type { Pose, VsiEpisode } from './episode.ts'

interface FloorMapProps {
  episode: VsiEpisode
  /** Index of the current pose in `episode.poses`; −1 before the first. */
  current: number
  seek: (at: number) => void
}

/** Length of the field of view on the map, in meters. */
const REACH = 1.4
const PIXELS_PER_METER = 100
const MARGIN = 0.4

export function FloorMap({ episode, current, seek }: FloorMapProps) {
  const source = useSource()
  const { poses, map, question, lens } = episode
  const bounds = episode.stage?.bounds ?? boundsOf(poses, question?.things ?? [])
  const frame = frameOf(bounds, map?.floor ?? null)
  const half = Math.atan(lens.width / 2 / lens.focal)
  const unit = frame.width / 600
  const shown = poses.slice(0, current + 1)
  const now = poses[current]
  return (
    <svg
      viewBox={`0 0 ${frame.width} ${frame.height}`}
      role="img"
      aria-label={describe(poses, current, question?.things ?? [])}
      className="block size-full select-none"
      fontSize={13 * unit}
    >
      {map?.floor ? (
        <image
          href={source.mediaUrl({ sha256: map.floor.picture, type: 'image/jpeg' })}
          width={frame.width}
          height={frame.height}
        />
      ) : (
        <rect
          x={frame.x(bounds.min[0])}
          y={frame.y(bounds.max[1])}
          width={(bounds.max[0] - bounds.min[0]) * frame.scale}
          height={(bounds.max[1] - bounds.min[1]) * frame.scale}
          className="fill-paper stroke-quiet"
          strokeWidth={2 * unit}
        />
      )}
      {(question?.things ?? []).map((object, i) => (
        <ObjectMark key={i} object={object} frame={frame} unit={unit} />
      ))}
      {now && <FieldOfView pose={now} frame={frame} half={half} />}
      <polyline
        points={shown.map(({ position }) => frame.at(position).join(',')).join(' ')}
        fill="none"
        stroke={PATH_COLOR}
        strokeWidth={3 * unit}
        strokeLinejoin="round"
      />
      {poses.map((pose, i) => (
        <PoseMark
          key={pose.at}
          pose={pose}
          frame={frame}
          unit={unit}
          state={i === current ? 'now' : i < current ? 'before' : 'later'}
          seek={seek}
        />
      ))}
      <g transform={`translate(${14 * unit} ${frame.height - 14 * unit})`} className="stroke-ink fill-ink">
        <path d={`M0,0h${frame.scale}`} strokeWidth={3 * unit} />
        <text y={-6 * unit} stroke="white" strokeWidth={3 * unit} paintOrder="stroke" fill="#222">
          1 m
        </text>
      </g>
    </svg>
  )
}

/** Visible on floors of any color, in both themes. */
const PATH_COLOR = '#1f6feb'
const OBJECT_COLOR = '#e4572e'

interface Frame {
  width: number
  height: number
  scale: number
  x: (meters: number) => number
  y: (meters: number) => number
  at: (position: Triple) => [number, number]
}

/** Maps world to image coordinates; both are centered on the bounds. */
function frameOf({ min, max }: Bounds, floor: NonNullable<VsiEpisode['map']>['floor'] | null): Frame {
  const scale = floor?.pixelsPerMeter ?? PIXELS_PER_METER
  const width = floor?.width ?? (max[0] - min[0] + 2 * MARGIN) * scale
  const height = floor?.height ?? (max[1] - min[1] + 2 * MARGIN) * scale
  const [cx, cy] = [(min[0] + max[0]) / 2, (min[1] + max[1]) / 2]
  const x = (meters: number): number => width / 2 + (meters - cx) * scale
  const y = (meters: number): number => height / 2 - (meters - cy) * scale
  return { width, height, scale, x, y, at: ([px, py]) => [x(px), y(py)] }
}

function boundsOf(poses: readonly Pose[], objects: readonly Thing[]): Bounds {
  const points = [...poses.map(({ position }) => position), ...objects.map(({ box }) => box.center)]
  if (points.length === 0) return { min: [-1, -1, 0], max: [1, 1, 2] }
  const of = (axis: 0 | 1 | 2): number[] => points.map((point) => point[axis])
  return {
    min: [Math.min(...of(0)) - 1, Math.min(...of(1)) - 1, 0],
    max: [Math.max(...of(0)) + 1, Math.max(...of(1)) + 1, 3],
  }
}

function ObjectMark({ object: { category, box }, frame, unit }: { object: Thing; frame: Frame; unit: number }) {
  const [x, y] = frame.at(box.center)
  const [w, h] = [box.size[0] * frame.scale, box.size[1] * frame.scale]
  return (
    <g>
      <rect
        x={x - w / 2}
        y={y - h / 2}
        width={w}
        height={h}
        transform={`rotate(${-box.yaw} ${x} ${y})`}
        fill={OBJECT_COLOR}
        fillOpacity={0.25}
        stroke={OBJECT_COLOR}
        strokeWidth={2 * unit}
      />
      <text
        x={x}
        y={y + 4 * unit}
        textAnchor="middle"
        fill="#7a1f00"
        stroke="#fff"
        strokeWidth={3 * unit}
        paintOrder="stroke"
      >
        {category}
      </text>
    </g>
  )
}

function FieldOfView({ pose, frame, half }: { pose: Pose; frame: Frame; half: number }) {
  const [x, y] = frame.at(pose.position)
  const ahead = Math.atan2(pose.forward[1], pose.forward[0])
  const reach = REACH * frame.scale
  const edge = (turn: number): string => `${x + Math.cos(ahead + turn) * reach},${y - Math.sin(ahead + turn) * reach}`
  return (
    <path
      d={`M${x},${y}L${edge(half)}A${reach},${reach} 0 0 1 ${edge(-half)}Z`}
      fill={PATH_COLOR}
      fillOpacity={0.22}
      stroke={PATH_COLOR}
      strokeOpacity={0.6}
    />
  )
}

interface PoseMarkProps {
  pose: Pose
  frame: Frame
  unit: number
  state: 'before' | 'now' | 'later'
  seek: (at: number) => void
}

function PoseMark({ pose, frame, unit, state, seek }: PoseMarkProps) {
  const [x, y] = frame.at(pose.position)
  const angle = (-Math.atan2(pose.forward[1], pose.forward[0]) * 180) / Math.PI
  const size = (state === 'now' ? 1.35 : 1) * unit
  return (
    <g
      transform={`translate(${x} ${y})`}
      opacity={state === 'later' ? 0.35 : 1}
      onClick={() => seek(pose.at)}
      className="cursor-pointer"
    >
      <path
        d={`M${20 * size},0L${8 * size},${-6 * size}V${6 * size}Z`}
        transform={`rotate(${angle})`}
        fill={PATH_COLOR}
      />
      <circle r={9 * size} fill={state === 'now' ? '#ffb627' : PATH_COLOR} stroke="#fff" strokeWidth={1.5 * unit} />
      <text y={3.6 * size} fontSize={10 * size} textAnchor="middle" fill={state === 'now' ? '#16324f' : '#fff'}>
        {pose.name.replace('frame ', '')}
      </text>
    </g>
  )
}

function describe(poses: readonly Pose[], current: number, objects: readonly Thing[]): string {
  const now = poses[current]
  const where = now
    ? `The agent is at x ${now.position[0].toFixed(1)} m, y ${now.position[1].toFixed(1)} m, image ${now.name} of ${poses.length}.`
    : 'No image yet.'
  const marked = objects.length === 0 ? '' : ` Marked: ${objects.map(({ category }) => category).join(', ')}.`
  return `Top view of the room. ${where}${marked}`
}
