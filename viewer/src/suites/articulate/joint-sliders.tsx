/** A slider per joint, and a button that animates them all. */
import { useEffect, useState } from 'react'
import { button } from '../../ui/button.ts'
import { Icon } from '../../ui/icon.tsx'
import type { JointData, RobotData } from '../../../../src/suites/articulate/events.ts'

interface JointSlidersProps {
  truth: RobotData
  prediction: RobotData | null
  /** Part → position within its range, 0 to 1. */
  shares: ReadonlyMap<string, number>
  onChange: (shares: ReadonlyMap<string, number>) => void
}

/** Full cycle. */
const SWEEP_MS = 3000

export function JointSliders({ truth, prediction, shares, onChange }: JointSlidersProps) {
  const movable = (robot: RobotData | null): JointData[] => robot?.joints.filter(({ range }) => range !== null) ?? []
  const parts = [...new Set([...movable(truth), ...movable(prediction)].map(({ part }) => part))]
  const [sweeps, setSweeps] = useState(false)

  useEffect(() => {
    if (!sweeps) return
    const begun = performance.now()
    let frame = requestAnimationFrame(function step(now) {
      const turn = ((now - begun) / SWEEP_MS) % 1
      const share = turn < 0.5 ? turn * 2 : 2 - turn * 2
      onChange(new Map(parts.map((part) => [part, share])))
      frame = requestAnimationFrame(step)
    })
    return () => cancelAnimationFrame(frame)
    // The parts of an object do not change while it is shown.
  }, [sweeps])

  if (parts.length === 0) return <p className="text-[13px] text-quiet">No movable joints.</p>
  return (
    <section aria-label="Joints" className="flex flex-col gap-1.5 rounded-lg border border-line bg-paper p-3">
      {parts.map((part) => {
        const share = shares.get(part) ?? 0
        const trueJoint = movable(truth).find((joint) => joint.part === part)
        const builtJoint = movable(prediction).find((joint) => joint.part === part)
        return (
          <label
            key={part}
            className="grid grid-cols-[7rem_minmax(0,1fr)_11rem] items-center gap-2 text-[13px] max-sm:grid-cols-[5rem_minmax(0,1fr)]"
          >
            <span className="truncate" title={part}>
              {part}
            </span>
            <input
              type="range"
              min={0}
              max={1}
              step={0.01}
              value={share}
              onChange={(event) => onChange(new Map(shares).set(part, Number(event.target.value)))}
              aria-valuetext={`${jointValue(trueJoint, share)} ground truth, ${jointValue(builtJoint, share)} predicted`}
              className="accent-accent"
            />
            <span className="flex justify-between tabular-nums max-sm:col-span-2">
              <span className="text-truth">{jointValue(trueJoint, share)}</span>
              <span className="text-belief">{jointValue(builtJoint, share)}</span>
            </span>
          </label>
        )
      })}
      <button
        type="button"
        className={`${button} mt-1 self-start`}
        aria-pressed={sweeps}
        onClick={() => setSweeps(!sweeps)}
      >
        <Icon name={sweeps ? 'pause' : 'play'} className="size-3.5" />
        {sweeps ? 'Stop' : 'Animate all'}
      </button>
    </section>
  )
}

/** The position of a joint as text: `slides 0.12 m`. */
function jointValue(joint: JointData | undefined, share: number): string {
  if (!joint?.range) return 'fixed'
  const [from, to] = joint.range
  const value = from + (to - from) * share
  return joint.type === 'prismatic' ? `slides ${value.toFixed(2)} m` : `turns ${Math.round((value * 180) / Math.PI)}°`
}
