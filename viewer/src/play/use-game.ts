/** A game as it stands: waits at the server for whatever comes next. */
import { useEffect, useState } from 'react'
import type { PlayState } from '../../../src/server/api.ts'
import { wordsOf } from '../data/http.ts'
import { playing } from './client.ts'

export interface Game {
  state: PlayState | null
  /** For people: what went wrong last; `null` when nothing did. */
  problem: string | null
  /** A reply is on its way. */
  sending: boolean
  reply: (text: string) => void
  stop: () => void
}

/** How long to wait after the server did not answer. */
const RETRY_MS = 1500

export function useGame(id: string): Game {
  const [state, setState] = useState<PlayState | null>(null)
  const [problem, setProblem] = useState<string | null>(null)
  const [sending, setSending] = useState(false)
  const newer = (next: PlayState): void =>
    setState((before) => (before === null || next.version >= before.version ? next : before))

  useEffect(() => {
    const ended = new AbortController()
    const follow = async (): Promise<void> => {
      let version = 0
      while (!ended.signal.aborted) {
        try {
          const next = await playing.state(id, version, ended.signal)
          version = next.version
          newer(next)
          setProblem(null)
          if (isOver(next)) return
        } catch (error) {
          if (ended.signal.aborted) return
          setProblem(wordsOf(error).message)
          await new Promise((resolve) => setTimeout(resolve, RETRY_MS))
        }
      }
    }
    void follow()
    return () => ended.abort()
  }, [id])

  const send = (act: Promise<PlayState>): void => {
    setSending(true)
    act.then(newer, (error: unknown) => setProblem(wordsOf(error).message)).finally(() => setSending(false))
  }
  return {
    state,
    problem,
    sending,
    reply: (text) => {
      if (state?.turn && !sending) send(playing.reply(id, state.turn.number, text))
    },
    stop: () => send(playing.stop(id)),
  }
}

export function isOver({ state }: PlayState): boolean {
  return state === 'done' || state === 'stopped' || state === 'failed'
}
