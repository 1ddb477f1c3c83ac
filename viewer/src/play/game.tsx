/** A game: what is asked on one side, what can be done on the other. */
import { Link } from 'wouter'
import { linkTo } from '../navigation/routes.ts'
import { button, card, primaryButton } from '../ui/button.ts'
import { Failure, Loading } from '../ui/states.tsx'
import { controlsOf } from './controls/index.ts'
import { WordsControls } from './controls/words.tsx'
import { Question } from './question.tsx'
import { isOver, useGame } from './use-game.ts'

export function GameView({ id }: { id: string }) {
  const { state, problem, sending, reply, stop } = useGame(id)
  if (state === null) return problem === null ? <Loading what="the game" /> : <Failure error={new Error(problem)} />
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
          aria-label="Samples finished"
          aria-valuemin={0}
          aria-valuenow={state.finished}
          aria-valuemax={state.planned}
          className="h-1.5 w-32 overflow-hidden rounded-full bg-line"
        >
          <div className="h-full bg-accent" style={{ width: `${(100 * state.finished) / state.planned}%` }} />
        </div>
        {!isOver(state) && (
          <button type="button" className={`${button} ml-auto`} onClick={stop}>
            Stop for now
          </button>
        )}
      </header>
      {problem !== null && (
        <p role="alert" className="text-bad">
          {problem}
        </p>
      )}
      {isOver(state) ? (
        <Over state={state} />
      ) : turn ? (
        <div className="grid items-start gap-4 lg:grid-cols-[minmax(0,1fr)_22rem]" aria-busy={sending}>
          <Question messages={turn.messages} inOrder={Controls === null} />
          <div className="flex flex-col gap-3 lg:sticky lg:top-16" inert={sending}>
            {Controls ? (
              <Controls key={`${turn.sample} ${turn.purpose}`} turn={turn} send={reply} />
            ) : (
              <WordsControls key={turn.number} turn={turn} send={reply} />
            )}
          </div>
        </div>
      ) : (
        <Loading what="the next question" />
      )}
    </div>
  )
}

function Over({ state }: { state: NonNullable<ReturnType<typeof useGame>['state']> }) {
  return (
    <div className={`${card} flex flex-col items-start gap-3 p-6`}>
      <p className="text-base font-medium">
        {state.state === 'done'
          ? `All ${state.planned} played. It is a run now, beside those of the models.`
          : state.state === 'stopped'
            ? 'Stopped. It can be continued from the page “Play”; what was answered is kept.'
            : `It could not go on: ${state.problem ?? 'unknown reason'}`}
      </p>
      <div className="flex gap-2">
        {state.run !== null && (
          <Link href={linkTo.run(state.run)} className={primaryButton}>
            See the run
          </Link>
        )}
        <Link href={linkTo.play()} className={button}>
          Play again
        </Link>
      </div>
    </div>
  )
}
