/** Verdicts on each answer: critic, comparison with the ground truth, and verifier. */
import { LongText } from '../../episode/long-text.tsx'
import type { CritiqueEvent, IterationEvent, StopEvent } from '../../../../src/suites/articulate/events.ts'

interface IterationsProps {
  iterations: readonly { at: number; event: IterationEvent }[]
  /** Event index of the current answer. */
  current: number | null
  stop: StopEvent | null
  seek: (at: number) => void
}

export function Iterations({ iterations, current, stop, seek }: IterationsProps) {
  return (
    <section aria-label="Answers and verdicts" className="flex flex-col gap-2">
      <ol className="flex flex-col gap-2">
        {iterations.map(({ at, event }) => (
          <li
            key={at}
            className={`rounded-lg border bg-paper p-3 text-[13px] ${at === current ? 'border-accent' : 'border-line'}`}
          >
            <button
              type="button"
              onClick={() => seek(at)}
              className="flex w-full cursor-pointer items-baseline gap-2 text-left"
            >
              <span className="font-semibold">Answer {event.iteration + 1}</span>
              {stop?.best === event.iteration && (
                <span className="rounded bg-accent-soft px-1.5 text-accent">scored</span>
              )}
              <Scores event={event} />
            </button>
            {at === current && <Details event={event} />}
          </li>
        ))}
      </ol>
      {stop && (
        <p className="text-[13px] text-quiet">
          Stopped: {stop.text} <code>({stop.code})</code>
        </p>
      )}
    </section>
  )
}

function Scores({ event }: { event: IterationEvent }) {
  const right = event.measured?.joints.filter(({ success }) => success).length ?? 0
  const all = event.measured?.joints.length ?? 0
  return (
    <span className="ml-auto flex gap-3 text-quiet tabular-nums">
      {typeof event.feedback_score === 'number' && event.verdict !== null && event.verdict !== undefined && (
        <span>critic {event.feedback_score}</span>
      )}
      {event.measured && <span>{event.measured.placed ? 'placed' : 'misplaced'}</span>}
      {all > 0 && (
        <span className={right === all ? 'text-good' : 'text-bad'}>
          {right} of {all} joints
        </span>
      )}
    </span>
  )
}

function Details({ event }: { event: IterationEvent }) {
  return (
    <div className="mt-2 flex flex-col gap-2">
      {event.problem !== null && <p className="text-bad [overflow-wrap:anywhere]">{event.problem}</p>}
      {event.measured && event.measured.joints.length > 0 && (
        <table className="w-full text-left tabular-nums">
          <caption className="sr-only">Predicted joints compared with the ground truth</caption>
          <thead className="text-[12px] text-quiet">
            <tr>
              <th className="font-normal">part</th>
              <th className="font-normal">result</th>
              <th className="text-right font-normal">axis error</th>
              <th className="text-right font-normal">position error</th>
            </tr>
          </thead>
          <tbody>
            {event.measured.joints.map(({ child, trueType, finding, success, diff }) => (
              <tr key={child} className="border-t border-line">
                <td className="py-1">
                  {child} <span className="text-quiet">{trueType}</span>
                </td>
                <td className={success ? 'text-good' : 'text-bad'}>{finding.replaceAll('_', ' ')}</td>
                <td className="text-right">
                  {typeof diff?.axisAngle === 'number' ? `${((diff.axisAngle * 180) / Math.PI).toFixed(1)}°` : '–'}
                </td>
                <td className="text-right">
                  {typeof diff?.axisPosition === 'number' ? `${(diff.axisPosition * 100).toFixed(1)} cm` : '–'}
                </td>
              </tr>
            ))}
          </tbody>
        </table>
      )}
      {event.verdict !== null && event.verdict !== undefined && (
        <Folded title="Critic's verdict" value={event.verdict} />
      )}
      {event.feedback !== null && event.feedback !== undefined && <Folded title="Feedback" value={event.feedback} />}
      {event.verifier && (
        <p>
          <span className="text-quiet">Verifier:</span> {event.verifier.stops ? 'stop' : 'continue'}.{' '}
          {event.verifier.text}{' '}
          {event.verifier.code !== null && <code className="text-quiet">({event.verifier.code})</code>}
        </p>
      )}
      {typeof event.source === 'string' && <Folded title="Program" value={event.source} />}
    </div>
  )
}

function Folded({ title, value }: { title: string; value: unknown }) {
  return (
    <details>
      <summary className="cursor-pointer text-quiet">{title}</summary>
      <div className="mt-1 rounded border border-line bg-ground p-2 font-mono text-[12px]">
        <LongText text={typeof value === 'string' ? value : JSON.stringify(value, null, 2)} />
      </div>
    </details>
  )
}

export function CritiqueCard({ critique, isGraded }: { critique: CritiqueEvent; isGraded: boolean }) {
  const { critic, fault, kind, part, expected, said } = critique
  const isRight = said !== null && said.accepts === (kind === 'none')
  return (
    <section aria-label="Critic grading" className="rounded-lg border border-line bg-paper p-3 text-[13px]">
      <dl className="grid grid-cols-[7rem_minmax(0,1fr)] gap-x-2 gap-y-1">
        <dt className="text-quiet">injected fault</dt>
        <dd className="text-truth">{kind === 'none' ? 'none' : `${fault}${part === null ? '' : ` (${part})`}`}</dd>
        <dt className="text-quiet">expected</dt>
        <dd>{(expected ?? 'success').replaceAll('_', ' ')}</dd>
        {isGraded && (
          <>
            <dt className="text-quiet">{critic} critic</dt>
            <dd className={isRight ? 'text-good' : 'text-bad'}>
              {said === null
                ? 'unreadable reply'
                : said.accepts
                  ? 'accepts'
                  : `rejects: ${(said.reason ?? 'no reason').replaceAll('_', ' ')}`}
            </dd>
          </>
        )}
      </dl>
    </section>
  )
}
