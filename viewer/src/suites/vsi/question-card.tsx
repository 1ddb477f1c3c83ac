/** The question with its options, answer and ground truth. */
import type { ReactNode } from 'react'
import { humanize } from '../../ui/format.ts'
import type { Question } from '../../../../src/suites/vsi/events.ts'

interface QuestionCardProps {
  question: Question
  /** `null` until given, or if there was none. */
  answer: string | null
  ended: boolean
  /** View selector, shown next to the question type. */
  children?: ReactNode
}

export function QuestionCard({ question, answer, ended, children }: QuestionCardProps) {
  const { truth, options, questionType } = question
  return (
    <section aria-label="Question" className="border-b border-line px-3 py-2 text-[13px]">
      <div className="mb-1 flex flex-wrap items-center justify-between gap-2">
        <p className="text-xs text-quiet">{humanize(questionType ?? 'question')}</p>
        {children}
      </div>
      <p className="font-medium whitespace-pre-line [overflow-wrap:anywhere]">{question.question.slice(0, 2000)}</p>
      {options && options.length > 0 ? (
        <ul className="mt-1.5 flex flex-wrap gap-1.5">
          {options.map((option) => (
            <Option
              key={option}
              option={option}
              isTrue={isOption(option, truth)}
              isAnswer={answer !== null && isOption(option, answer)}
            />
          ))}
        </ul>
      ) : (
        <p className="mt-1 flex flex-wrap gap-x-4 tabular-nums">
          <span>
            <span className="text-quiet">ground truth</span>{' '}
            <b className="font-medium text-truth">{truth.slice(0, 100)}</b>
          </span>
          <span>
            <span className="text-quiet">answer</span>{' '}
            <b className="font-medium">{answer === null ? (ended ? 'none' : '…') : answer.slice(0, 200)}</b>
          </span>
        </p>
      )}
      {options && options.length > 0 && ended && answer === null && <p className="mt-1 text-quiet">No answer.</p>}
      {options && answer !== null && !options.some((option) => isOption(option, answer)) && (
        <p className="mt-1">
          <span className="text-quiet">answer</span> {answer.slice(0, 200)}
        </p>
      )}
    </section>
  )
}

function Option({ option, isTrue, isAnswer }: { option: string; isTrue: boolean; isAnswer: boolean }) {
  const look = isTrue ? 'border-truth text-truth' : isAnswer ? 'border-bad text-bad' : 'border-line text-quiet'
  return (
    <li className={`rounded-md border px-2 py-0.5 ${look} ${isAnswer ? 'bg-current/10 font-medium' : ''}`}>
      {option.slice(0, 200)}
      {isTrue && <span className="text-xs"> · ground truth</span>}
      {isAnswer && <span className="text-xs"> · answer</span>}
    </li>
  )
}

/** Options start with a letter (`A. left`); answers and ground truth are letters. */
function isOption(option: string, letter: string): boolean {
  return option.trim().slice(0, 1).toUpperCase() === letter.trim().slice(0, 1).toUpperCase()
}
