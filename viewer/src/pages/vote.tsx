/** Two videos side by side, one question, five keys. */
import { useEffect, useRef, useState } from 'react'
import { Link } from 'wouter'
import type { ShownQuestion, SideChoice, VoteState } from '../../../src/report/preference.ts'
import { errorText } from '../data/http.ts'
import { useLoaded, useSource } from '../data/hooks.ts'
import { Page } from '../frame/page.tsx'
import { linkTo } from '../navigation/routes.ts'
import { useQuery } from '../navigation/query.ts'
import { button, primaryButton } from '../ui/button.ts'
import { Kbd } from '../ui/kbd.tsx'
import { useKeys } from '../ui/keys.ts'
import { EmptyState, WhenLoaded } from '../ui/states.tsx'
import { votesApi } from '../votes/client.ts'

export function VotePage({ ballot }: { ballot: string }) {
  const name = useQuery().get('name') ?? ''
  const first = useLoaded(`vote/${ballot}/${name}`, () => votesApi.state(ballot, name))
  return (
    <Page
      title="Vote"
      crumbs={[
        { title: 'Leaderboard', to: linkTo.leaderboard() },
        { title: 'Vote', to: linkTo.votes() },
        { title: name },
      ]}
    >
      <WhenLoaded of={first} what="ballot">
        {(state) => <Booth key={`${ballot} ${name}`} start={state} />}
      </WhenLoaded>
    </Page>
  )
}

function Booth({ start }: { start: VoteState }) {
  const [state, setState] = useState(start)
  const [problem, setProblem] = useState<string | null>(null)
  const sending = useRef(false)
  const { ballot, rater, question, done, total, canUndo } = state
  const send = async (request: Promise<VoteState>): Promise<void> => {
    try {
      setState(await request)
      setProblem(null)
    } catch (error) {
      setProblem(errorText(error).message)
    }
    sending.current = false
  }
  /** One answer per question, however often a key repeats. */
  const once = (request: () => Promise<VoteState>): void => {
    if (sending.current) return
    sending.current = true
    void send(request())
  }
  const choose = (choice: SideChoice): void => {
    if (question) once(() => votesApi.vote(ballot, rater, question.key, choice))
  }
  const undo = (): void => {
    if (canUndo) once(() => votesApi.undo(ballot, rater))
  }
  const keys = (list: readonly string[], title: string, run: () => void) => ({ keys: list, title, run })
  useKeys('Vote', [
    keys(['ArrowLeft', '1'], 'Left is better', () => choose('left')),
    keys(['ArrowRight', '2'], 'Right is better', () => choose('right')),
    keys(['t', '0'], 'Equal', () => choose('tie')),
    keys(['s'], 'Skip', () => choose('skip')),
    keys(['z', 'Backspace'], 'Undo the last answer', undo),
  ])
  return (
    <div className="flex flex-col gap-4">
      <div className="flex flex-wrap items-center gap-x-4 gap-y-1 text-[13px] text-quiet tabular-nums">
        <progress value={done} max={total} aria-label="Questions answered" className="h-1.5 w-40 accent-accent" />
        <span role="status">
          {done} of {total} answered
        </span>
      </div>
      {question ? (
        <Pair key={question.key} question={question} choose={choose} />
      ) : (
        <EmptyState title="All questions are answered. Thank you!">
          <Link href={linkTo.preference(ballot)} className={primaryButton}>
            Results
          </Link>
        </EmptyState>
      )}
      {problem !== null && (
        <p role="alert" className="text-bad">
          {problem}
        </p>
      )}
      <div className="flex flex-wrap gap-2">
        {question && (
          <>
            <button type="button" className={button} onClick={() => choose('tie')}>
              Equal <Kbd>t</Kbd>
            </button>
            <button type="button" className={button} onClick={() => choose('skip')}>
              Skip <Kbd>s</Kbd>
            </button>
          </>
        )}
        <button type="button" className={button} onClick={undo} disabled={!canUndo}>
          Undo <Kbd>z</Kbd>
        </button>
      </div>
    </div>
  )
}

interface PairProps {
  question: ShownQuestion
  choose: (choice: SideChoice) => void
}

function Pair({ question: { asked, dimension, prompt, left, right }, choose }: PairProps) {
  return (
    <section aria-label="Question" className="flex flex-col gap-4">
      <div>
        <p className="text-[13px] text-quiet">{dimension.replaceAll('_', ' ')}</p>
        <h1 className="text-lg font-semibold">{asked}</h1>
        <p className="mt-1 [overflow-wrap:anywhere]">
          <span className="text-quiet">Prompt: </span>
          {prompt}
        </p>
      </div>
      <div className="grid grid-cols-2 gap-2 sm:gap-4">
        <Video title="Left" media={left} hint="ArrowLeft" onChoose={() => choose('left')} />
        <Video title="Right" media={right} hint="ArrowRight" onChoose={() => choose('right')} />
      </div>
    </section>
  )
}

interface VideoProps {
  title: string
  media: ShownQuestion['left']
  hint: string
  onChoose: () => void
}

function Video({ title, media, hint, onChoose }: VideoProps) {
  const source = useSource()
  const video = useRef<HTMLVideoElement>(null)
  const [broken, setBroken] = useState(false)
  useEffect(() => {
    // People who do not want motion start it themselves.
    if (!matchMedia('(prefers-reduced-motion: reduce)').matches) video.current?.play().catch(() => undefined)
  }, [])
  return (
    <div className="flex min-w-0 flex-col gap-2">
      {broken ? (
        <p className="grid aspect-video place-items-center rounded-lg border border-line text-[13px] text-quiet">
          This video cannot be shown here.
        </p>
      ) : (
        <video
          ref={video}
          src={source.mediaUrl(media)}
          loop
          muted
          controls
          playsInline
          preload="auto"
          aria-label={`${title} video`}
          onError={() => setBroken(true)}
          className="aspect-video w-full rounded-lg bg-black object-contain"
        />
      )}
      <button type="button" className={`${primaryButton} h-10`} onClick={onChoose}>
        {title} is better
        <span className="max-sm:hidden">
          <Kbd>{hint}</Kbd>
        </span>
      </button>
    </div>
  )
}
