/** Asks the judge about commands and moments, depending on the profile. */
import type { Episode } from '../../../suite.ts'
import type { VsigSample } from '../samples/sample.ts'
import type { VsigOutcome } from '../domain/outcome.ts'
import type { PredictedPoint, Prediction } from '../domain/prediction.ts'
import { PROFILE_RULES, type Profile } from '../domain/profiles.ts'
import { scoreIn } from '../parse/judge.ts'
import { intentJudgePrompt, temporalJudgePrompt } from '../prompts/prompts.ts'

/** Null if the profile does not use a judge. */
export async function askJudge(
  sample: VsigSample,
  episode: Episode<Profile>,
  { command, points }: Prediction,
): Promise<VsigOutcome['judge']> {
  const asked = PROFILE_RULES[episode.profile].judge
  const hasSpeech = Boolean(sample.annotation.asr_result?.text)
  const ask = async (prompt: string, purpose: string): Promise<string> => {
    const how = { purpose, temperature: 0, baselineInput: { kind: 'judge' } }
    return (await episode.ask('judge', [{ role: 'user', content: prompt }], how)).text
  }
  const askMoments = (given: readonly PredictedPoint[], purpose: string): Promise<string> => {
    const timed = given.map(({ description, time }) => ({ description, timestamp: time }))
    return ask(temporalJudgePrompt(sample, timed), purpose)
  }
  if (asked.includes('each moment')) {
    const moments: (string | null)[] = []
    for (const point of points) {
      moments.push(hasSpeech && Array.isArray(point.time) ? await askMoments([point], 'judge moment') : null)
    }
    return { intent: null, temporal: null, moments }
  }
  if (!asked.includes('intent')) return null
  const prompt = intentJudgePrompt(sample, command)
  const intent = await ask(prompt, 'judge intent')
  if (asked.includes('moments')) {
    return { intent, temporal: hasSpeech ? await askMoments(points, 'judge moments') : null }
  }
  if (scoreIn(intent) !== null) return { intent, temporal: null }
  // An identical request would be answered from the cache.
  const reminder = 'Your last reply had no score in it. Reply with nothing but {"score": a number from 0 to 1}.'
  return { intent, again: await ask(`${prompt}\n\n${reminder}`, 'judge intent again'), temporal: null }
}
