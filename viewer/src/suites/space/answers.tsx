/** Questions with answers and ground truth, by task. */
import { useEffect, useMemo, useRef } from 'react'
import { TASK_TITLES } from '../../../../src/suites/space/domain/answers/titles.ts'
import { formatValue } from '../../ui/format.ts'
import type { AnswerEvent } from '../../../../src/suites/space/events.ts'
import type { SpaceEpisode } from './episode.ts'

const TITLES: Readonly<Record<string, string>> = TASK_TITLES

interface AnswersProps {
  episode: SpaceEpisode
  at: number
  seek: (at: number) => void
}

export function Answers({ episode, at, seek }: AnswersProps) {
  const groups = useMemo(() => grouped(episode.answers), [episode])
  const current = episode.answers.findLast((each) => each.at <= at)
  if (groups.length === 0) return <p className="p-3 text-sm text-quiet">No questions.</p>
  return (
    <table className="w-full table-fixed text-[13px]">
      <caption className="sr-only">Questions, answers and ground truth by task</caption>
      <thead>
        <tr className="sticky top-0 bg-paper text-left text-xs text-quiet shadow-[0_1px_0_var(--color-line)]">
          <th scope="col" className="px-3 py-1.5 font-medium">
            question
          </th>
          <th scope="col" className="w-[24%] py-1.5 pr-3 font-medium">
            answer
          </th>
          <th scope="col" className="w-[24%] py-1.5 pr-3 font-medium">
            ground truth
          </th>
          <th scope="col" className="w-14 py-1.5 pr-3 text-right font-medium">
            score
          </th>
        </tr>
      </thead>
      {groups.map(({ task, answers, mean }) => (
        <tbody key={task} className="border-b border-line">
          <tr className="bg-ground">
            <th scope="rowgroup" colSpan={3} className="px-3 py-1 text-left text-xs font-medium">
              {taskTitle(task)}
            </th>
            <td className="py-1 pr-3 text-right text-xs font-medium tabular-nums">{formatValue(mean, 'percent')}</td>
          </tr>
          {answers.map(({ at: when, event }) => (
            <AnswerRow key={when} event={event} now={current?.at === when} later={when > at} go={() => seek(when)} />
          ))}
        </tbody>
      ))}
    </table>
  )
}

function AnswerRow({ event, now, later, go }: { event: AnswerEvent; now: boolean; later: boolean; go: () => void }) {
  const row = useRef<HTMLTableRowElement>(null)
  useEffect(() => {
    if (now) row.current?.scrollIntoView({ block: 'nearest' })
  }, [now])
  return (
    <tr
      ref={row}
      aria-current={now ? 'step' : undefined}
      className={`align-top ${now ? 'bg-accent-soft' : ''} ${later ? 'opacity-50' : ''}`}
    >
      <td className="px-3 py-1">
        <button
          type="button"
          onClick={go}
          className="line-clamp-3 text-left hover:text-accent"
          title={event.text.slice(0, 1500)}
        >
          {questionText(event.text)}
        </button>
      </td>
      <td className="py-1 pr-3 [overflow-wrap:anywhere]">
        {event.answer.trim().slice(0, 300) || <em className="text-quiet">none</em>}
      </td>
      <td className="py-1 pr-3 text-truth [overflow-wrap:anywhere]">{event.expected?.slice(0, 300) ?? '–'}</td>
      <td
        className={`py-1 pr-3 text-right tabular-nums ${event.score >= 1 ? 'text-good' : event.score <= 0 ? 'text-bad' : 'text-warn'}`}
      >
        {formatValue(event.score, 'percent')}
      </td>
    </tr>
  )
}

export function taskTitle(task: string): string {
  return Object.hasOwn(TITLES, task) ? TITLES[task]! : task.replaceAll('_', ' ')
}

/** The question without the answer format. */
export function questionText(text: string): string {
  return text
    .split(/\n\s*Answer format:/)[0]!
    .trim()
    .slice(0, 900)
}

function grouped(answers: SpaceEpisode['answers']) {
  const groups = new Map<string, SpaceEpisode['answers']>()
  for (const answer of answers) groups.set(answer.event.task, [...(groups.get(answer.event.task) ?? []), answer])
  return [...groups].map(([task, of]) => ({
    task,
    answers: of,
    mean: of.reduce((sum, { event }) => sum + event.score, 0) / of.length,
  }))
}
