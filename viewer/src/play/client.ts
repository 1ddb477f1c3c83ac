/** Playing as a person: the server's side of it. */
import type { PlayableSample, PlayLanguage, PlayRequest, PlayState } from '../../../src/server/api.ts'
import { requestJson } from '../data/http.ts'

const PLAY = 'api/play'

/** Which built-in samples there are to choose from. */
export interface World {
  suite: string
  seed: number
  language: PlayLanguage | undefined
}

export const playing = {
  games: () => requestJson<readonly PlayState[]>(PLAY),
  samples: ({ suite, seed, language }: World, from: number, count: number) =>
    requestJson<readonly PlayableSample[]>(
      `${PLAY}/samples?${new URLSearchParams({ suite, ...(language ? { language } : {}), ...texts({ seed, from, count }) })}`,
    ),
  start: (request: PlayRequest) => requestJson<PlayState>(`${PLAY}/start`, { body: request }),
  resume: (run: string) => requestJson<PlayState>(`${PLAY}/resume`, { body: { run } }),
  /** Answers when the state is newer than `after`, or after half a minute. */
  state: (play: string, after: number, signal: AbortSignal) =>
    requestJson<PlayState>(`${PLAY}/${encodeURIComponent(play)}?after=${after}`, { signal }),
  reply: (play: string, turn: number, text: string) =>
    requestJson<PlayState>(`${PLAY}/${encodeURIComponent(play)}/reply`, { body: { turn, text } }),
  stop: (play: string) => requestJson<PlayState>(`${PLAY}/${encodeURIComponent(play)}/stop`, { body: {} }),
}

function texts(numbers: Readonly<Record<string, number>>): Record<string, string> {
  return Object.fromEntries(Object.entries(numbers).map(([key, value]) => [key, String(value)]))
}
