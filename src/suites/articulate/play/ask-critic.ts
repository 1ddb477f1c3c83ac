/** Critics that are models: the published prompts, and their answers checked. */
import { type Episode, isObject, type Message, messageOf, type Part, type Role } from '../../../suite.ts'
import { note } from './record.ts'
import type { BaselineInput } from '../domain/outcome.ts'
import { RATINGS } from '../domain/states.ts'
import type { ArticulatedModel } from '../domain/objects/model.ts'
import type { Profile } from '../domain/profile.ts'
import { functionName } from '../domain/objects/write-program.ts'
import { promptWith } from '../prompts/prompts.ts'
import { isTrue, PythonError } from '../published/python.ts'
import type { Critique } from '../measure/critique.ts'
import { type CriticReading, readJointCritique, readLinkCritique, readUrdfCritique } from '../parse/critique.ts'
import { publishedEvaluation, publishedJointReply, publishedLinkScore, publishedReply } from '../published/critiques.ts'

const text = (words: string): Part => ({ type: 'text', text: words })

/** What a critic compares, and the function that the prediction was built by. */
interface Compared {
  truth: readonly Part[]
  predicted: readonly Part[]
  source?: string
  /** An ablation: the images of the prediction come first. */
  isSwapped?: boolean
}

const objectId = (model: ArticulatedModel): string => functionName(model).replace('partnet_', '')

/** What the prompts say about the order of the images, for the other order. */
function swappedOrder(system: string): string {
  return system
    .replace('first the ground truth, then the prediction', 'first the prediction, then the ground truth')
    .replace('the groundtruth and the prediction in this order', 'the prediction and the groundtruth in this order')
}

function comparison(
  system: string,
  { truth, predicted, source, isSwapped = false }: Compared,
  titles: { truth: string; predicted: string },
): Message[] {
  const shown = [
    truth.length > 0 ? [text(titles.truth), ...truth] : [],
    predicted.length > 0 ? [text(titles.predicted), ...predicted] : [],
  ]
  return [
    { role: 'system', content: isSwapped ? swappedOrder(system) : system },
    {
      role: 'user',
      content: [
        ...(isSwapped ? shown.toReversed() : shown).flat(),
        ...(source === undefined ? [] : [text(`Candidate function:\n\`\`\`python\n${source.trimEnd()}\n\`\`\``)]),
      ],
    },
  ]
}

export function jointCriticMessages(model: ArticulatedModel, compared: Compared, traces: boolean): Message[] {
  const system = promptWith('joint-critic', { object_id: objectId(model) })
  return comparison(traces ? `${system}\n\n${promptWith('joint-critic-traces')}` : system, compared, {
    truth: 'Ground truth video, its frames in order:',
    predicted: 'Prediction video, its frames in order:',
  })
}

/** Naming the parts that move tells which ones are missing: a critic on trial is not told. */
export function linkCriticMessages(model: ArticulatedModel, compared: Compared, namesParts: boolean): Message[] {
  const moving = namesParts ? model.joints.map(({ child }) => child).join(', ') : 'parts'
  const description = [model.title, `its ${moving} can be moved`]
  const system = promptWith('link-critic', { object_id: objectId(model), description })
  return comparison(system, compared, { truth: 'Groundtruth:', predicted: 'Prediction:' })
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
  { episode, role, messages, baselineInput }: Asking,
  read: (reply: string) => CriticReading<T>,
): Promise<T | null> {
  const { text: reply } = await episode.ask(role, messages, {
    baselineInput: baselineInput,
    purpose: baselineInput.kind,
  })
  const first = read(reply)
  if (first.ok) return first.value
  const again: Message[] = [
    ...messages,
    { role: 'assistant', content: reply },
    { role: 'user', content: promptWith('repair-json', { problem: first.problem }) },
  ]
  const second = read(
    (await episode.ask(role, again, { baselineInput: baselineInput, purpose: `${baselineInput.kind} again` })).text,
  )
  if (second.ok) return second.value
  note(episode, { type: 'articulate/critic-failed', critic: baselineInput.kind, problem: second.problem })
  return null
}

interface Asking {
  episode: Episode<Profile>
  role: Role
  messages: readonly Message[]
  baselineInput: BaselineInput
}

/** A published critic whose reply cannot be read is not asked again: the whole run of actor and critic has failed. */
async function published(asking: Asking, read: (reply: string) => Omit<Critique, 'feedback'>): Promise<Critique> {
  const { episode, role, messages, baselineInput } = asking
  const { text: reply } = await episode.ask(role, messages, {
    baselineInput: baselineInput,
    purpose: baselineInput.kind,
  })
  try {
    return { ...read(reply), feedback: reply }
  } catch (error) {
    if (!(error instanceof PythonError)) throw error
    const problem = messageOf(error)
    note(episode, { type: 'articulate/critic-failed', critic: baselineInput.kind, problem })
    return { feedback_score: -1, feedback: reply, problem: `the critic's reply cannot be read: ${problem}` }
  }
}

const FAILED: Critique = { feedback_score: -1, feedback: 'The critic gave no answer that could be read.' }

export async function askJointCritic(asking: Asking): Promise<Critique> {
  if (asking.episode.profile === 'upstream')
    return published(asking, (reply) => ({ feedback_score: publishedJointReply(reply).realism_rating }))
  const value = await asked(asking, readJointCritique)
  if (!value) return FAILED
  return {
    feedback_score: RATINGS[value.reason],
    feedback: JSON.stringify({ failure_reason: value.reason, improvement_suggestion: value.suggestion }),
    verdict: value,
  }
}

export async function askLinkCritic(asking: Asking): Promise<Critique> {
  if (asking.episode.profile === 'upstream')
    return published(asking, (reply) => ({ feedback_score: publishedLinkScore(publishedReply(reply)) }))
  const value = await asked(asking, readLinkCritique)
  return value ? { feedback_score: value.rating, feedback: value.description, verdict: value } : FAILED
}

export async function askUrdfCritic(asking: Asking, movable: readonly string[]): Promise<Critique> {
  if (asking.episode.profile === 'upstream')
    return published(asking, (reply) => {
      const parsed = publishedReply(reply)
      if (!isObject(parsed)) throw new PythonError('TypeError', 'the reply is not an object')
      const { position_score, joint_score, overall_score, success } = publishedEvaluation(parsed)
      return { feedback_score: overall_score, position_score, joint_score, success: isTrue(success) }
    })
  const value = await asked(asking, (reply) => readUrdfCritique(reply, movable))
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
