/** VSIG: mark targets in the last frame, with time and command. */
import { useState } from 'react'
import { button, primaryButton } from '../../ui/button.ts'
import { PointableImage } from './pointable-image.tsx'
import { splitMessage } from './prompt.ts'
import { type PointedAt, vsigReply } from './replies.ts'
import type { ControlsProps } from './index.ts'
import { RawReply, Section } from './parts.tsx'

/** What a person says about a point, once it differs from the default. */
type Details = Partial<Pick<PointedAt, 'kind' | 'description' | 'time'>>

export function VsigControls({ turn, send, points: places, setPoints: setPlaces }: ControlsProps) {
  const { images } = splitMessage(turn.messages.at(-1)!)
  const [command, setCommand] = useState('')
  const [details, setDetails] = useState<readonly Details[]>([])
  const last = images.at(-1)
  const end = last ? findMilliseconds(last.label) : 0
  const points = places.map((point, i): PointedAt => ({
    kind: 'target_object',
    description: '',
    time: end > 0 ? [0, end] : null,
    ...details[i],
    point,
  }))
  const change = (at: number, part: Details): void =>
    setDetails(places.map((_, i) => (i === at ? { ...details[i], ...part } : (details[i] ?? {}))))
  const remove = (at: number): void => {
    setPlaces(places.toSpliced(at, 1))
    setDetails(details.toSpliced(at, 1))
  }
  return (
    <>
      {last && (
        <Section title="Click the targets in the last frame, in the order of the request">
          <PointableImage
            media={last.media}
            label="Last frame"
            points={places}
            add={(point) => setPlaces([...places, point])}
          />
        </Section>
      )}
      <Section title="Targets">
        {points.length === 0 && <p className="text-[13px] text-quiet">No targets yet.</p>}
        <ol className="flex flex-col gap-3">
          {points.map((point, i) => (
            <li key={i} className="flex flex-col gap-1.5 border-t border-line pt-2 first:border-0 first:pt-0">
              <PointFields number={i + 1} point={point} end={end} onChange={(part) => change(i, part)} />
              <button type="button" className={`${button} h-7 self-start`} onClick={() => remove(i)}>
                Remove
              </button>
            </li>
          ))}
        </ol>
        <label className="flex flex-col gap-1 text-[13px]">
          The full request in one sentence
          <textarea
            value={command}
            onChange={(event) => setCommand(event.target.value)}
            rows={2}
            className="rounded-md border border-line bg-paper p-2"
          />
        </label>
        <button
          type="button"
          className={primaryButton}
          disabled={points.length === 0 || command.trim() === ''}
          onClick={() => send(vsigReply(command.trim(), points))}
        >
          Answer
        </button>
      </Section>
      <RawReply key={turn.number} onSend={send} />
    </>
  )
}

/** The time in a frame's label. */
function findMilliseconds(label: string): number {
  return Number(/(\d+) (?:ms|毫秒)/.exec(label)?.[1] ?? 0)
}

interface FieldsProps {
  number: number
  point: PointedAt
  /** Of the clip, in milliseconds. */
  end: number
  onChange: (part: Details) => void
}

function PointFields({ number, point, end, onChange }: FieldsProps) {
  const [from, to] = point.time ?? [0, end]
  const field = 'h-7 rounded-md border border-line bg-paper px-1.5'
  return (
    <div className="flex flex-col gap-1.5 text-[13px]">
      <div className="flex gap-2">
        <span className="font-semibold text-accent">{number}</span>
        <select
          aria-label={`Type of point ${number}`}
          value={point.kind}
          onChange={(event) =>
            onChange({ kind: event.target.value === 'spatial_affordance' ? 'spatial_affordance' : 'target_object' })
          }
          className={field}
        >
          <option value="target_object">object</option>
          <option value="spatial_affordance">location</option>
        </select>
        <input
          aria-label={`Description of point ${number}`}
          placeholder="what it is and what it looks like"
          value={point.description}
          onChange={(event) => onChange({ description: event.target.value })}
          className={`${field} min-w-0 flex-1`}
        />
      </div>
      <div className="flex flex-wrap items-center gap-2">
        <label className="flex items-center gap-1">
          <input
            type="checkbox"
            checked={point.time !== null}
            onChange={(event) => onChange({ time: event.target.checked ? [0, end] : null })}
          />
          mentioned from
        </label>
        <input
          type="number"
          aria-label={`Start of point ${number} in milliseconds`}
          disabled={point.time === null}
          value={from}
          min={0}
          max={end}
          onChange={(event) => onChange({ time: [Number(event.target.value), to] })}
          className={`${field} w-20`}
        />
        to
        <input
          type="number"
          aria-label={`End of point ${number} in milliseconds`}
          disabled={point.time === null}
          value={to}
          min={0}
          max={end}
          onChange={(event) => onChange({ time: [from, Number(event.target.value)] })}
          className={`${field} w-20`}
        />
        ms
      </div>
    </div>
  )
}
