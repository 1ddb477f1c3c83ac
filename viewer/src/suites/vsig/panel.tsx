/** VSIG: the intended targets of gesture and speech, and the player's interpretation. */
import { useMemo } from 'react'
import { useSource } from '../../data/hooks.ts'
import type { PanelProps, SuitePanel } from '../../episode/panel.ts'
import { eventsOf, latestAt } from '../../episode/read.ts'
import { type AnswerEvent, type ClipEvent, events as recorded } from '../../../../src/suites/vsig/events.ts'
import { Frame } from './frame.tsx'
import { TimeAxis } from './time-axis.tsx'

export const vsigPanel: SuitePanel = {
  moments: ({ type, ms }, at) =>
    type === 'vsig/frame'
      ? { at, title: `frame at ${typeof ms === 'number' ? (ms / 1000).toFixed(1) : '?'} s`, kind: 'picture' }
      : type === 'vsig/answer'
        ? { at, title: 'answer scored', kind: 'verdict' }
        : null,
  Panel: VsigPanel,
}

function VsigPanel({ episode: { events }, at }: PanelProps) {
  const { clip, frames, answers } = useMemo(
    () => ({
      clip: eventsOf(events, 'vsig/clip', recorded['vsig/clip'])[0],
      frames: eventsOf(events, 'vsig/frame', recorded['vsig/frame']),
      answers: eventsOf(events, 'vsig/answer', recorded['vsig/answer']),
    }),
    [events],
  )
  if (!clip) return null
  const frame = latestAt(frames, at)
  const answer = latestAt(answers, at)?.event ?? null
  const { lastFrame, video } = clip.event
  // After all frames, keep showing the last one, which the points refer to.
  const picture = frame?.event.picture ?? lastFrame
  return (
    <div className="flex flex-col gap-3">
      {picture !== null && picture !== undefined && (
        <Frame clip={clip.event} answer={answer} picture={picture} marked={picture === lastFrame} />
      )}
      <Legend />
      <TimeAxis clip={clip.event} answer={answer} now={frame && picture !== lastFrame ? frame.event.ms : null} />
      <Meaning clip={clip.event} answer={answer} />
      {video !== null && <Video sha256={video} />}
    </div>
  )
}

function Video({ sha256 }: { sha256: string }) {
  const source = useSource()
  const url = source.mediaUrl({ sha256, type: 'video/mp4' })
  return <video src={url} controls preload="metadata" aria-label="Clip" className="w-full rounded-lg" />
}

const SWATCHES = [
  ['bg-[#ffd21f]', 'target object'],
  ['bg-[#25d7ff]', 'target location'],
  ['bg-[#1f9d55]', 'answer: hit'],
  ['bg-[#f0433a]', 'answer: miss'],
] as const

function Legend() {
  return (
    <ul className="flex flex-wrap gap-x-4 gap-y-1 text-[12px] text-quiet">
      {SWATCHES.map(([color, title]) => (
        <li key={title} className="flex items-center gap-1.5">
          <span aria-hidden="true" className={`size-2.5 rounded-full ${color}`} />
          {title}
        </li>
      ))}
    </ul>
  )
}

function Meaning({ clip, answer }: { clip: ClipEvent; answer: AnswerEvent | null }) {
  return (
    <section aria-label="Interpretation" className="rounded-lg border border-line bg-paper p-3 text-[13px]">
      <dl className="grid grid-cols-[6.5rem_minmax(0,1fr)] gap-x-2 gap-y-1 [overflow-wrap:anywhere]">
        <dt className="text-quiet">speech</dt>
        <dd>{clip.said || `(${clip.slots[0]?.unmeasured === 'no transcript' ? 'no transcript' : 'no speech'})`}</dd>
        <dt className="text-quiet">intended</dt>
        <dd className="text-truth">{clip.meant ?? '?'}</dd>
        {answer && (
          <>
            <dt className="text-quiet">understood</dt>
            <dd className="text-belief">{answer.command || '(no command)'}</dd>
          </>
        )}
      </dl>
      {answer && (
        <table className="mt-3 w-full text-left tabular-nums">
          <caption className="sr-only">Targets and whether the answer hit them</caption>
          <thead className="text-[12px] text-quiet">
            <tr>
              <th className="font-normal">target</th>
              <th className="font-normal">position</th>
              <th className="font-normal">time</th>
              <th className="text-right font-normal">time error</th>
            </tr>
          </thead>
          <tbody>
            {answer.slots.map(({ name, spatial, temporal, errorMs }, i) => (
              <tr key={i} className="border-t border-line">
                <td className="py-1 pr-2">
                  {i + 1} {name}
                </td>
                <td>
                  <Verdict right={spatial} />
                </td>
                <td>
                  <Verdict right={temporal} />
                </td>
                <td className="text-right">{errorMs === null ? '–' : `${Math.round(errorMs)} ms`}</td>
              </tr>
            ))}
          </tbody>
        </table>
      )}
    </section>
  )
}

function Verdict({ right }: { right: boolean | null }) {
  if (right === null) return <span className="text-quiet">not measured</span>
  return right ? <span className="text-good">hit</span> : <span className="text-bad">miss</span>
}
