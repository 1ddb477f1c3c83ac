/** API client for human play. */
import type { PlayableSamples, PlayLanguage, PlayRequest, PlayState, StudyState } from '../../../src/server/api.ts'
import { requestJson } from '../data/http.ts'

const PLAY = 'api/play'

/** Identifies a list of built-in samples. */
export interface SampleQuery {
  suite: string
  seed: number
  language: PlayLanguage | undefined
}

export const playApi = {
  sessions: () => requestJson<readonly PlayState[]>(PLAY),
  samples: ({ suite, seed, language }: SampleQuery, from: number, count: number) =>
    requestJson<PlayableSamples>(
      `${PLAY}/samples?${new URLSearchParams({ suite, ...(language ? { language } : {}), ...toStrings({ seed, from, count }) })}`,
    ),
  start: (request: PlayRequest) => requestJson<PlayState>(`${PLAY}/start`, { body: request }),
  resume: (run: string) => requestJson<PlayState>(`${PLAY}/resume`, { body: { run } }),
  /** Long poll: responds when the state is newer than `after`, or after 25 seconds. */
  state: (play: string, after: number, signal: AbortSignal) =>
    requestJson<PlayState>(`${PLAY}/${encodeURIComponent(play)}?after=${after}`, { signal }),
  reply: (play: string, turn: number, text: string) =>
    requestJson<PlayState>(`${PLAY}/${encodeURIComponent(play)}/reply`, { body: { turn, text } }),
  stop: (play: string) => requestJson<PlayState>(`${PLAY}/${encodeURIComponent(play)}/stop`, { body: {} }),
}

/** The part of a study that this page's link is for. */
export const studyApi = {
  state: () => requestJson<StudyState>(`${PLAY}/study`),
  begin: () => requestJson<PlayState>(`${PLAY}/study/begin`, { body: {} }),
}

function toStrings(numbers: Readonly<Record<string, number>>): Record<string, string> {
  return Object.fromEntries(Object.entries(numbers).map(([key, value]) => [key, String(value)]))
}
