/** Asks the judge about commands and moments, depending on the profile. */
import type { Episode, Message } from '../../../suite.ts'
import type { VsigSample } from '../samples/sample.ts'
import type { VsigOutcome } from '../domain/outcome.ts'
import type { PredictedPoint, Prediction } from '../domain/prediction.ts'
import { PROFILE_RULES, type Profile, temperatureOf } from '../domain/profiles.ts'
import { scoreIn } from '../parse/judge.ts'
import { intentJudgePrompt } from '../prompts/prompts.ts'
import {
  type JudgePrompt,
  publishedIntentJudge,
  publishedMomentJudge,
  publishedMomentsJudge,
} from '../prompts/published.ts'

/** Null if the profile does not use a judge. */
export async function askJudge(
  sample: VsigSample,
  episode: Episode<Profile>,
  { command, points }: Prediction,
): Promise<VsigOutcome['judge']> {
  const asked = PROFILE_RULES[episode.profile].judge
  const hasSpeech = Boolean(sample.annotation.asr_result?.text)
  const ask = async ({ system, user }: JudgePrompt, purpose: string): Promise<string> => {
    const how = { purpose, temperature: temperatureOf(episode.profile), baselineInput: { kind: 'judge' } }
    const messages: Message[] = [
      ...(system === undefined ? [] : [{ role: 'system' as const, content: system }]),
      { role: 'user', content: user },
    ]
    return (await episode.ask('judge', messages, how)).text
  }
  if (asked.includes('each moment')) {
    const moments: (string | null)[] = []
    for (const { description, time } of points) {
      const range = hasSpeech && isRange(time) ? { description, timestamp: time } : null
      moments.push(range && (await ask(publishedMomentJudge(sample, range), 'judge moment')))
    }
    return { intent: null, temporal: null, moments }
  }
  if (!asked.includes('intent')) return null
  if (asked.includes('moments')) {
    const intent = await ask(publishedIntentJudge(sample, command), 'judge intent')
    const timed = points.map(({ description, time }) => ({ description, timestamp: time }))
    return { intent, temporal: hasSpeech ? await ask(publishedMomentsJudge(sample, timed), 'judge moments') : null }
  }
  const prompt = intentJudgePrompt(sample, command)
  const intent = await ask({ user: prompt }, 'judge intent')
  if (scoreIn(intent) !== null) return { intent, temporal: null }
  // An identical request would be answered from the cache.
  const reminder = 'Your last reply had no score in it. Reply with nothing but {"score": a number from 0 to 1}.'
  return { intent, again: await ask({ user: `${prompt}\n\n${reminder}` }, 'judge intent again'), temporal: null }
}

function isRange(time: PredictedPoint['time']): time is readonly [number, number] {
  return Array.isArray(time)
}
