/** The last frame with ground truth (masks, areas) and answers (points, hit or miss). */
import { useSource } from '../../data/hooks.ts'
import type { AnswerEvent, ClipEvent, Mask } from '../../../../src/suites/vsig/events.ts'

/** Points are in thousandths of the frame. */
const UNITS = 1000

interface FrameProps {
  clip: ClipEvent
  answer: AnswerEvent | null
  picture: string
  /** Draw the ground truth, which belongs to the last frame only. */
  marked: boolean
}

export function Frame({ clip, answer, picture, marked }: FrameProps) {
  const source = useSource()
  const { width, height } = clip.frame
  // Keeps marks at the same size on screen for any frame resolution.
  const unit = width / 100
  const at = ([x, y]: readonly [number, number]): [number, number] => [(x / UNITS) * width, (y / UNITS) * height]
  return (
    <figure className="relative overflow-hidden rounded-lg border border-line bg-ground">
      <img
        src={source.mediaUrl({ sha256: picture, type: 'image/jpeg' })}
        width={width}
        height={height}
        alt={marked ? 'Last frame' : 'Frame of the clip'}
        className="block h-auto w-full"
      />
      {marked && (
        <svg
          viewBox={`0 0 ${width} ${height}`}
          role="img"
          aria-label={describe(clip, answer)}
          className="absolute inset-0 size-full"
        >
          {clip.references.map(({ name, mask }, i) => (
            <MaskShape
              key={`r${i}`}
              mask={mask}
              frame={clip.frame}
              title={`${name} (reference object)`}
              className="fill-white/15 stroke-white"
            />
          ))}
          {clip.slots.map(({ name, kind, mask, area }, i) => (
            <g key={i}>
              <MaskShape
                mask={mask}
                frame={clip.frame}
                title={name}
                className={
                  kind === 'area' ? 'fill-[#25d7ff]/30 stroke-[#25d7ff]' : 'fill-[#ffd21f]/50 stroke-[#ffd21f]'
                }
              />
              {area && !mask && (
                <ellipse
                  cx={at(area.center)[0]}
                  cy={at(area.center)[1]}
                  rx={(area.radius / UNITS) * width}
                  ry={(area.radius / UNITS) * height}
                  className="fill-[#25d7ff]/20 stroke-[#25d7ff]"
                  strokeWidth={unit * 0.3}
                  strokeDasharray={`${unit} ${unit * 0.6}`}
                >
                  <title>{name}</title>
                </ellipse>
              )}
            </g>
          ))}
          {answer?.slots.map(({ point, spatial, name }, i) => {
            if (!point) return null
            const [x, y] = at(point)
            return (
              <g key={i} transform={`translate(${x} ${y})`}>
                <title>{`${name}: ${spatial ? 'hit' : 'missed'}`}</title>
                <circle
                  r={unit * 1.35}
                  className={spatial ? 'fill-[#1f9d55]' : 'fill-[#f0433a]'}
                  stroke="#fff"
                  strokeWidth={unit * 0.28}
                />
                <text textAnchor="middle" dy="0.36em" fontSize={unit * 1.7} fontWeight="700" fill="#fff">
                  {i + 1}
                </text>
              </g>
            )
          })}
        </svg>
      )}
    </figure>
  )
}

interface ShapeProps {
  mask: Mask | null
  frame: { width: number; height: number }
  title: string
  className: string
}

/** Masks have their own resolution and are scaled to the frame. */
function MaskShape({ mask, frame, title, className }: ShapeProps) {
  if (!mask) return null
  const [x, y] = mask.offset
  const scale = `scale(${frame.width / mask.frame.width} ${frame.height / mask.frame.height})`
  return (
    <path
      d={mask.path}
      transform={`${scale} translate(${x} ${y})`}
      className={className}
      strokeWidth={mask.frame.width / 700}
      strokeOpacity="0.35"
    >
      <title>{title}</title>
    </path>
  )
}

function describe({ slots }: ClipEvent, answer: AnswerEvent | null): string {
  const results = slots.map(({ name }, i) => {
    const hit = answer?.slots[i]?.spatial
    return `${i + 1}, ${name}: ${hit === true ? 'hit' : hit === false ? 'missed' : 'not measured'}`
  })
  return `Last frame with ground truth and answer. ${results.join('; ')}`
}
