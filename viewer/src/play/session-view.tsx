/** A play session: the question on one side, the controls on the other. */
import { type ReactNode, useState } from 'react'
import { Link } from 'wouter'
import type { PlayState } from '../../../src/server/api.ts'
import { linkTo } from '../navigation/routes.ts'
import { button, card, primaryButton } from '../ui/button.ts'
import { ErrorMessage, Loading } from '../ui/states.tsx'
import { asksForPoints, controlsOf } from './controls/index.ts'
import { TextReplyControls } from './controls/text-reply.tsx'
import { Question } from './question.tsx'
import { Progress } from '../ui/progress.tsx'
import { hasTools, Tools } from './tools/tools.tsx'
import type { Point } from './controls/pointable-image.tsx'
import { hasEnded, usePlaySession } from './use-play-session.ts'
import { useResume } from './use-resume.ts'
import { plural } from '../ui/format.ts'

interface SessionViewProps {
  id: string
  /** Called when the player leaves an ended session; by default there are links to the run and to another session. */
  onEnd?: (() => void) | undefined
}

export function SessionView({ id, onEnd }: SessionViewProps) {
  const { state, problem, sending, reply, stop } = usePlaySession(id)
  const [firsts] = useState(() => new Map<string, string>())
  if (state === null) return problem === null ? <Loading what="session" /> : <ErrorMessage error={new Error(problem)} />
  const { turn } = state
  return (
    <div className="flex flex-col gap-4">
      <header className="flex flex-wrap items-center gap-x-4 gap-y-2">
        <h1 className="text-lg font-semibold">{state.suite}</h1>
        <p className="text-quiet">
          {state.name}, {Math.min(state.finished + 1, state.planned)} of {state.planned}
          {turn && turn.title !== '' ? `, ${turn.title}` : ''}
        </p>
        <div className="w-32">
          <Progress label="Finished samples" value={state.finished} of={state.planned} />
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
        <SessionEnd state={state} onEnd={onEnd} />
      ) : turn ? (
        <Turn suite={state.suite} turn={turn} isFirst={isFirstOf(firsts, turn)} sending={sending} reply={reply}>
          {hasTools(state.name) && <Tools key={`${turn.sample} ${turn.epoch}`} />}
        </Turn>
      ) : (
        <Preparing work={state.work} />
      )}
    </div>
  )
}

/** Whether the player has not been asked this kind of question about another sample: its instructions are new. */
function isFirstOf(firsts: Map<string, string>, { purpose, sample, epoch }: NonNullable<PlayState['turn']>): boolean {
  const own = `${sample} ${epoch}`
  const first = firsts.get(purpose) ?? own
  firsts.set(purpose, first)
  return first === own
}

interface TurnProps {
  suite: string
  turn: NonNullable<PlayState['turn']>
  /** The first one of its kind. */
  isFirst: boolean
  sending: boolean
  reply: (text: string) => void
  /** Below the controls. */
  children: ReactNode
}

function Turn({ suite, turn, isFirst, sending, reply, children }: TurnProps) {
  const Controls = controlsOf(suite)
  const key = `${turn.sample} ${turn.purpose}`
  const [marked, setMarked] = useState<{ key: string; points: readonly Point[] }>({ key, points: [] })
  const points = marked.key === key ? marked.points : []
  const setPoints = (next: readonly Point[]): void => setMarked({ key, points: next })
  return (
    <div className="grid items-start gap-4 lg:grid-cols-[minmax(0,1fr)_22rem]" aria-busy={sending}>
      <Question
        messages={turn.messages}
        isFirst={isFirst}
        inOrder={Controls === null}
        pointing={asksForPoints(suite) ? { points, add: (point) => setPoints([...points, point]) } : undefined}
      />
      <div className="flex flex-col gap-3 lg:sticky lg:top-16" inert={sending}>
        {Controls ? (
          <Controls key={key} turn={turn} send={reply} points={points} setPoints={setPoints} />
        ) : (
          <TextReplyControls key={turn.number} send={reply} />
        )}
        {children}
      </div>
    </div>
  )
}

/** Rendering can take seconds, on a slow or busy machine minutes. */
function Preparing({ work }: Pick<PlayState, 'work'>) {
  if (!work) return <Loading what="next question" />
  const { what, done, total } = work
  return (
    <div role="status" className="mx-auto flex w-64 flex-col gap-2 py-16 text-center text-quiet">
      <p>
        {what}
        {total > 1 ? `, ${Math.min(done + 1, total)} of ${total}` : '…'}
      </p>
      <Progress label={what} value={done} of={total} active />
    </div>
  )
}

function SessionEnd({ state, onEnd }: { state: PlayState } & Pick<SessionViewProps, 'onEnd'>) {
  const { resume, problem } = useResume()
  return (
    <div className={`${card} flex flex-col items-start gap-3 p-6`}>
      <p className="text-base font-medium">
        {state.state === 'done'
          ? `Done. ${plural(state.planned, 'sample')} played${onEnd ? '' : '; the run is on the leaderboard'}.`
          : state.state === 'stopped'
            ? `Paused: ${state.problem ?? 'stopped by the player'}. Your answers are saved.`
            : `The session failed: ${state.problem ?? 'unknown reason'}`}
      </p>
      {problem !== null && (
        <p role="alert" className="text-bad">
          {problem}
        </p>
      )}
      {onEnd ? (
        <button type="button" className={primaryButton} onClick={onEnd}>
          Back to the study
        </button>
      ) : (
        <EndLinks state={state} resume={resume} />
      )}
    </div>
  )
}

function EndLinks({ state, resume }: { state: PlayState; resume: (run: string) => void }) {
  const { run } = state
  return (
    <div className="flex flex-wrap gap-2">
      {run !== null && state.state !== 'done' && (
        <button type="button" className={primaryButton} onClick={() => resume(run)}>
          Resume
        </button>
      )}
      {run !== null && (
        <Link href={linkTo.run(run)} className={state.state === 'done' ? primaryButton : button}>
          Open run
        </Link>
      )}
      <Link href={linkTo.play()} className={button}>
        Back to Play
      </Link>
    </div>
  )
}
