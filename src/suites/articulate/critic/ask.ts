/** Critics that are models: the published prompts, and their answers checked. */
import type { Episode } from '../../../engine/suite.ts'
import type { Message, Part, Role } from '../../../models/types.ts'
import { messageOf } from '../../../base/errors.ts'
import { isObject } from '../../../base/json-object.ts'
import type { Cue } from '../episode.ts'
import { RATINGS } from '../metrics/joint-state.ts'
import type { ArticulatedModel } from '../objects/model.ts'
import type { Profile } from '../profile.ts'
import { functionName } from '../program/write.ts'
import { objectWords, promptWith } from '../prompts.ts'
import { PythonError } from '../python.ts'
import type { Critique } from './geometric.ts'
import { type CriticReading, readJointCritique, readLinkCritique, readUrdfCritique } from './reply.ts'
import { publishedEvaluation, publishedJointReply, publishedLinkScore, publishedReply } from './upstream.ts'

const text = (words: string): Part => ({ type: 'text', text: words })

export function jointCriticMessages(
  model: ArticulatedModel,
  {
    truth,
    predicted,
    source,
    traces,
  }: { truth: readonly Part[]; predicted: readonly Part[]; source: string; traces: boolean },
): Message[] {
  const system = promptWith('joint-critic', { object_id: functionName(model).replace('partnet_', '') })
  return [
    { role: 'system', content: traces ? `${system}\n\n${promptWith('joint-critic-traces')}` : system },
    {
      role: 'user',
      content: [
        text('Ground truth video, its frames in order:'),
        ...truth,
        text('Prediction video, its frames in order:'),
        ...predicted,
        text(`Candidate function:\n\`\`\`python\n${source.trimEnd()}\n\`\`\``),
      ],
    },
  ]
}

export function linkCriticMessages(
  model: ArticulatedModel,
  { truth, predicted, source }: { truth: readonly Part[]; predicted: readonly Part[]; source: string },
): Message[] {
  const moving = model.joints.map(({ child }) => child).join(', ')
  return [
    {
      role: 'system',
      content: promptWith('link-critic', {
        object_id: functionName(model).replace('partnet_', ''),
        description: [objectWords(model), `its ${moving} can be moved`],
      }),
    },
    {
      role: 'user',
      content: [
        text('Groundtruth:'),
        ...truth,
        text('Prediction:'),
        ...predicted,
        text(`Candidate function:\n\`\`\`python\n${source.trimEnd()}\n\`\`\``),
      ],
    },
  ]
}

export function urdfCriticMessages(urdf: string, images: readonly Part[], views: readonly string[]): Message[] {
  const described = views.map((view, i) => `${i + 1}. ${view} view`).join('\n')
  return [
    {
      role: 'user',
      content: [text(promptWith('urdf-critic', { urdf_content: urdf, image_descriptions: described })), ...images],
    },
  ]
}

/** Asks, reads, and asks once more when the answer cannot be read. Null when it still cannot. */
async function asked<T>(
  episode: Episode,
  role: Role,
  messages: readonly Message[],
  cue: Cue,
  read: (reply: string) => CriticReading<T>,
): Promise<T | null> {
  const { text: reply } = await episode.ask(role, messages, { cue, purpose: cue.kind })
  const first = read(reply)
  if (first.ok) return first.value
  const again: Message[] = [
    ...messages,
    { role: 'assistant', content: reply },
    { role: 'user', content: promptWith('repair-json', { problem: first.problem }) },
  ]
  const second = read((await episode.ask(role, again, { cue, purpose: `${cue.kind} again` })).text)
  if (second.ok) return second.value
  episode.note({ type: 'articulate/critic-failed', critic: cue.kind, problem: second.problem })
  return null
}

interface Asking {
  episode: Episode
  role: Role
  profile: Profile
  messages: readonly Message[]
  cue: Cue
}

/** A published critic whose reply cannot be read scores −1, and is not asked again. */
async function published(asking: Asking, read: (reply: string) => Omit<Critique, 'feedback'>): Promise<Critique> {
  const { episode, role, messages, cue } = asking
  const { text: reply } = await episode.ask(role, messages, { cue, purpose: cue.kind })
  try {
    return { ...read(reply), feedback: reply }
  } catch (error) {
    if (!(error instanceof PythonError)) throw error
    episode.note({ type: 'articulate/critic-failed', critic: cue.kind, problem: messageOf(error) })
    return { feedback_score: -1, feedback: reply }
  }
}

const FAILED: Critique = { feedback_score: -1, feedback: 'The critic gave no answer that could be read.' }

export async function askJointCritic(asking: Asking): Promise<Critique> {
  if (asking.profile === 'upstream')
    return published(asking, (reply) => {
      const parsed = publishedJointReply(reply, true)
      return { feedback_score: isObject(parsed) ? Number(parsed['realism_rating']) : -1 }
    })
  const value = await asked(asking.episode, asking.role, asking.messages, asking.cue, readJointCritique)
  if (!value) return FAILED
  return {
    feedback_score: RATINGS[value.reason],
    feedback: JSON.stringify({ failure_reason: value.reason, improvement_suggestion: value.suggestion }),
    verdict: value,
  }
}

export async function askLinkCritic(asking: Asking): Promise<Critique> {
  if (asking.profile === 'upstream')
    return published(asking, (reply) => ({ feedback_score: publishedLinkScore(publishedReply(reply)) }))
  const value = await asked(asking.episode, asking.role, asking.messages, asking.cue, readLinkCritique)
  return value ? { feedback_score: value.rating, feedback: value.description, verdict: value } : FAILED
}

export async function askUrdfCritic(asking: Asking, movable: readonly string[]): Promise<Critique> {
  if (asking.profile === 'upstream')
    return published(asking, (reply) => {
      const parsed = publishedReply(reply)
      if (!isObject(parsed)) throw new PythonError('TypeError', 'the reply is not an object')
      const { position_score, joint_score, overall_score } = publishedEvaluation(parsed)
      return { feedback_score: overall_score, position_score, joint_score }
    })
  const value = await asked(asking.episode, asking.role, asking.messages, asking.cue, (reply) =>
    readUrdfCritique(reply, movable),
  )
  if (!value) return FAILED
  return {
    feedback_score: value.overall,
    position_score: value.position,
    joint_score: value.joint,
    verdict: value,
    feedback: [
      value.positionReasoning,
      ...value.details.map(
        ({ joint, type, position, reasoning }) => `${joint}: type ${type}/10, position ${position}/10. ${reasoning}`,
      ),
    ].join('\n'),
  }
}
