/** The judge of commands: asked once, and once more when its reply holds no score. */
import type { Episode } from '../../../engine/suite.ts'
import { bestObject } from '../../../base/text/index.ts'
import type { VsigSample, VsigOutcome } from '../cases/sample.ts'
import type { Prediction } from '../parse.ts'
import { asNumber } from '../domain/points.ts'
import { intentJudgePrompt, temporalJudgePrompt } from '../prompts.ts'

/** Moments are judged only as the first published scorer does it; that one never asks again. */
export async function askJudge(
  sample: VsigSample,
  episode: Episode,
  { command, points }: Prediction,
): Promise<NonNullable<VsigOutcome['judge']>> {
  const ask = async (prompt: string, purpose: string): Promise<string> => {
    const how = { purpose, temperature: 0, cue: { kind: 'judge' } }
    return (await episode.ask('judge', [{ role: 'user', content: prompt }], how)).text
  }
  const prompt = intentJudgePrompt(sample, command)
  const intent = await ask(prompt, 'judge intent')
  if (episode.profile !== 'upstream-v1') {
    if (scoreIn(intent) !== null) return { intent, temporal: null }
    // Word for word the same request would be answered from the cache.
    const reminder = 'Your last reply had no score in it. Reply with nothing but {"score": a number from 0 to 1}.'
    return { intent, again: await ask(`${prompt}\n\n${reminder}`, 'judge intent again'), temporal: null }
  }
  if (!sample.annotation.asr_result?.text) return { intent, temporal: null }
  const said = points.map(({ description, time }) => ({ description, timestamp: time }))
  return { intent, temporal: await ask(temporalJudgePrompt(sample, said), 'judge moments') }
}

/** A judge's number, kept between 0 and 1; null where it gave none. */
function scoreIn(reply: string): number | null {
  const value = bestObject(reply, (object) => 'score' in object)?.value['score']
  const given = asNumber(typeof value === 'string' && value.trim() !== '' ? Number(value) : value)
  return given === null || Number.isNaN(given) ? null : Math.min(1, Math.max(0, given))
}

/** Null without a judge, or when it gave no score twice. */
export function judgeScore({ judge }: VsigOutcome): number | null {
  return judge && scoreIn(judge.again ?? judge.intent)
}
