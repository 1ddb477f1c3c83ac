/** API client for votes on pairs of videos. */
import type { BallotRequest, BallotRow, SideChoice, VoteReport, VoteState } from '../../../src/report/preference.ts'
import { requestJson } from '../data/http.ts'

const VOTES = 'api/votes'
const of = (ballot: string): string => `${VOTES}/${encodeURIComponent(ballot)}`

export const votesApi = {
  ballots: () => requestJson<readonly BallotRow[]>(VOTES),
  start: (request: BallotRequest) => requestJson<{ id: string }>(`${VOTES}/start`, { body: request }),
  state: (ballot: string, name: string) => requestJson<VoteState>(`${of(ballot)}?${new URLSearchParams({ name })}`),
  vote: (ballot: string, name: string, key: string, choice: SideChoice) =>
    requestJson<VoteState>(`${of(ballot)}/vote`, { body: { name, key, choice } }),
  undo: (ballot: string, name: string) => requestJson<VoteState>(`${of(ballot)}/undo`, { body: { name } }),
  report: (ballot: string) => requestJson<VoteReport>(`${of(ballot)}/report`),
}
