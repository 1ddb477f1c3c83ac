/** What the player asked for and what came of it. */
import type { View } from '../../../../src/suites/vsi/events.ts'
import { moveWords } from './words.ts'

export function MoveLine({ view, of }: { view: View | null; of: number }) {
  if (!view) return <p className="text-[13px] text-quiet">Four views are shown before the first step.</p>
  const asked = moveWords(view.asked)
  const done = moveWords(view.done)
  const [x, y, z] = view.position
  return (
    <div className="flex flex-wrap items-baseline gap-x-4 gap-y-0.5 text-[13px]">
      <span className="font-medium tabular-nums">
        Picture {view.index} <span className="font-normal text-quiet">of {of}</span>
      </span>
      {asked !== null && (
        <span>
          <span className="text-quiet">asked</span> {asked}
        </span>
      )}
      {done !== null && done !== asked && (
        <span className="text-warn">
          <span className="text-quiet">done</span> {done}
        </span>
      )}
      {view.limited && <span className="text-warn">more than a step allows</span>}
      {view.blocked && (
        <span className="text-warn">
          stopped by {view.stoppedBy ? view.stoppedBy.slice(0, 60) : 'something in the way'}
        </span>
      )}
      <span className="ml-auto text-xs text-quiet tabular-nums">
        x {x.toFixed(2)} y {y.toFixed(2)} z {z.toFixed(2)} m, {Math.round(view.heading)}°
      </span>
    </div>
  )
}
