/** A play session: the question on one side, the controls on the other. */
import { Link } from 'wouter'
import { linkTo } from '../navigation/routes.ts'
import { button, card, primaryButton } from '../ui/button.ts'
import { ErrorMessage, Loading } from '../ui/states.tsx'
import { controlsOf } from './controls/index.ts'
import { TextReplyControls } from './controls/text-reply.tsx'
import { Question } from './question.tsx'
import { hasEnded, usePlaySession } from './use-play-session.ts'
import { plural } from '../ui/format.ts'

export function SessionView({ id }: { id: string }) {
  const { state, problem, sending, reply, stop } = usePlaySession(id)
  if (state === null) return problem === null ? <Loading what="session" /> : <ErrorMessage error={new Error(problem)} />
  const Controls = controlsOf(state.suite)
  const { turn } = state
  return (
    <div className="flex flex-col gap-4">
      <header className="flex flex-wrap items-center gap-x-4 gap-y-2">
        <h1 className="text-lg font-semibold">{state.suite}</h1>
        <p className="text-quiet">
          {state.name}, {Math.min(state.finished + 1, state.planned)} of {state.planned}
          {turn && turn.purpose !== '' ? `, ${turn.purpose}` : ''}
        </p>
        <div
          role="progressbar"
          aria-label="Finished samples"
          aria-valuemin={0}
          aria-valuenow={state.finished}
          aria-valuemax={state.planned}
          className="h-1.5 w-32 overflow-hidden rounded-full bg-line"
        >
          <div className="h-full bg-accent" style={{ width: `${(100 * state.finished) / state.planned}%` }} />
        </div>
        {!hasEnded(state) && (
          <button type="button" className={`${button} ml-auto`} onClick={stop}>
            Pause
          </button>
        )}
      </header>
      {problem !== null && (
        <p role="alert" className="text-bad">
          {problem}
        </p>
      )}
      {hasEnded(state) ? (
        <SessionEnd state={state} />
      ) : turn ? (
        <div className="grid items-start gap-4 lg:grid-cols-[minmax(0,1fr)_22rem]" aria-busy={sending}>
          <Question messages={turn.messages} inOrder={Controls === null} />
          <div className="flex flex-col gap-3 lg:sticky lg:top-16" inert={sending}>
            {Controls ? (
              <Controls key={`${turn.sample} ${turn.purpose}`} turn={turn} send={reply} />
            ) : (
              <TextReplyControls key={turn.number} turn={turn} send={reply} />
            )}
          </div>
        </div>
      ) : (
        <Loading what="next question" />
      )}
    </div>
  )
}

function SessionEnd({ state }: { state: NonNullable<ReturnType<typeof usePlaySession>['state']> }) {
  return (
    <div className={`${card} flex flex-col items-start gap-3 p-6`}>
      <p className="text-base font-medium">
        {state.state === 'done'
          ? `Done. ${plural(state.planned, 'sample')} played; the run is on the leaderboard.`
          : state.state === 'stopped'
            ? 'Paused. Your answers are saved; resume from the Play page.'
            : `The session failed: ${state.problem ?? 'unknown reason'}`}
      </p>
      <div className="flex gap-2">
        {state.run !== null && (
          <Link href={linkTo.run(state.run)} className={primaryButton}>
            Open run
          </Link>
        )}
        <Link href={linkTo.play()} className={button}>
          Back to Play
        </Link>
      </div>
    </div>
  )
}
