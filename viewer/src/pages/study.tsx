/** What a participant of a study sees: what to do, how far they are, and the samples. No other page is served. */
import { useEffect, useState } from 'react'
import type { StudyState } from '../../../src/server/api.ts'
import { errorText } from '../data/http.ts'
import { Page } from '../frame/page.tsx'
import { studyApi } from '../play/client.ts'
import { SessionView } from '../play/session-view.tsx'
import { card, primaryButton } from '../ui/button.ts'
import { plural } from '../ui/format.ts'
import { Progress } from '../ui/progress.tsx'
import { ErrorMessage, Loading } from '../ui/states.tsx'

export function StudyPage() {
  const [state, setState] = useState<StudyState | null>(null)
  const [session, setSession] = useState<string | null>(null)
  const [problem, setProblem] = useState<string | null>(null)
  const [isStarting, setIsStarting] = useState(false)
  const load = async (): Promise<void> => {
    try {
      const next = await studyApi.state()
      setState(next)
      setSession(next.session)
    } catch (error) {
      setProblem(errorText(error).message)
    }
  }
  useEffect(() => void load(), [])
  const begin = (): void => {
    setProblem(null)
    setIsStarting(true)
    studyApi
      .begin()
      .then(
        ({ id }) => setSession(id),
        (error: unknown) => setProblem(errorText(error).message),
      )
      .finally(() => setIsStarting(false))
  }
  return (
    <Page title="Study" isAlone>
      {state === null ? (
        problem === null ? (
          <Loading what="study" />
        ) : (
          <ErrorMessage error={new Error(problem)} />
        )
      ) : session === null ? (
        <Welcome state={state} problem={problem} isStarting={isStarting} begin={begin} />
      ) : (
        <SessionView
          key={session}
          id={session}
          onEnd={() => {
            setSession(null)
            void load()
          }}
        />
      )}
    </Page>
  )
}

interface WelcomeProps {
  state: StudyState
  problem: string | null
  isStarting: boolean
  begin: () => void
}

function Welcome({ state, problem, isStarting, begin }: WelcomeProps) {
  const { study, participant, assigned, finished, isDone } = state
  return (
    <div className={`${card} mx-auto flex max-w-xl flex-col items-start gap-4 p-6`}>
      <h1 className="text-lg font-semibold">Study {study}</h1>
      {isDone ? (
        <p>Thank you. You have played all {plural(assigned, 'sample')}; you can close this page.</p>
      ) : (
        <>
          <p>
            You are participant {participant} and have {plural(assigned, 'sample')} to play. You get the same
            instructions, images and limits as an AI model. Answer on your own, without other aids.
          </p>
          <p className="text-quiet">
            Your answers are stored with the time each took, under {participant} and nothing else, on the computer that
            this page comes from. You can pause at any time and continue with the same link.
          </p>
        </>
      )}
      <div className="flex w-full flex-col gap-1 text-[13px] text-quiet">
        <Progress label="Finished samples" value={finished} of={assigned} />
        <span>
          {finished} of {assigned} finished
        </span>
      </div>
      {problem !== null && (
        <p role="alert" className="text-bad">
          {problem}
        </p>
      )}
      {!isDone && (
        <button type="button" className={primaryButton} disabled={isStarting} onClick={begin}>
          {finished > 0 ? 'Continue' : 'Start'}
        </button>
      )}
    </div>
  )
}
