import { useState } from 'react'
import { errorText } from '../data/http.ts'
import { navigate } from '../navigation/location.ts'
import { linkTo } from '../navigation/routes.ts'
import { playApi } from './client.ts'

/** Resumes a paused run and opens its session. */
export function useResume(): { resume: (run: string) => void; problem: string | null } {
  const [problem, setProblem] = useState<string | null>(null)
  const resume = (run: string): void => {
    playApi.resume(run).then(
      (session) => navigate(linkTo.playSession(session.id)),
      (error: unknown) => setProblem(errorText(error).message),
    )
  }
  return { resume, problem }
}
