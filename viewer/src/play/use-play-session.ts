/** The state of a play session, updated by long polling. */
import { useEffect, useState } from 'react'
import type { PlayState } from '../../../src/server/api.ts'
import { errorText } from '../data/http.ts'
import { playApi } from './client.ts'

export interface PlaySession {
  state: PlayState | null
  /** The last error message, if any. */
  problem: string | null
  /** A reply is being sent. */
  sending: boolean
  reply: (text: string) => void
  stop: () => void
}

/** Delay before retrying a failed request. */
const RETRY_MS = 1500

export function usePlaySession(id: string): PlaySession {
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
          const next = await playApi.state(id, version, ended.signal)
          version = next.version
          newer(next)
          setProblem(null)
          if (hasEnded(next)) return
        } catch (error) {
          if (ended.signal.aborted) return
          setProblem(errorText(error).message)
          await new Promise((resolve) => setTimeout(resolve, RETRY_MS))
        }
      }
    }
    void follow()
    return () => ended.abort()
  }, [id])

  const send = (act: Promise<PlayState>): void => {
    setSending(true)
    act.then(newer, (error: unknown) => setProblem(errorText(error).message)).finally(() => setSending(false))
  }
  return {
    state,
    problem,
    sending,
    reply: (text) => {
      if (state?.turn && !sending) send(playApi.reply(id, state.turn.number, text))
    },
    stop: () => send(playApi.stop(id)),
  }
}

export function hasEnded({ state }: PlayState): boolean {
  return state === 'done' || state === 'stopped' || state === 'failed'
}
