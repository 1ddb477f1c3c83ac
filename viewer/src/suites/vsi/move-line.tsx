/** The requested move and the actual one. */
import type { View } from '../../../../src/suites/vsi/events.ts'
import { describeMove } from './describe-move.ts'

export function MoveLine({ view, of }: { view: View | null; of: number }) {
  if (!view) return <p className="text-[13px] text-quiet">The player sees four initial views before the first step.</p>
  const requested = describeMove(view.asked)
  const done = describeMove(view.done)
  const [x, y, z] = view.position
  return (
    <div className="flex flex-wrap items-baseline gap-x-4 gap-y-0.5 text-[13px]">
      <span className="font-medium tabular-nums">
        Image {view.index} <span className="font-normal text-quiet">of {of}</span>
      </span>
      {requested !== null && (
        <span>
          <span className="text-quiet">requested</span> {requested}
        </span>
      )}
      {done !== null && done !== requested && (
        <span className="text-warn">
          <span className="text-quiet">actual</span> {done}
        </span>
      )}
      {view.limited && <span className="text-warn">limited to the maximum step</span>}
      {view.blocked && (
        <span className="text-warn">blocked by {view.stoppedBy ? view.stoppedBy.slice(0, 60) : 'an obstacle'}</span>
      )}
      <span className="ml-auto text-xs text-quiet tabular-nums">
        x {x.toFixed(2)} y {y.toFixed(2)} z {z.toFixed(2)} m, {Math.round(view.heading)}°
      </span>
    </div>
  )
}
