/** The critic benchmark: one built object, one verdict. */
import type { Episode, Message, Played } from '../../../suite.ts'
import { isMovable, writeUrdf } from '../../../world.ts'
import type { CriticSample } from '../samples/sample.ts'
import type { CriticOutcome, BaselineInput } from '../domain/outcome.ts'
import type { Profile } from '../domain/profile.ts'
import type { CriticOptions } from '../options.ts'
import { faulty } from '../parse/faulty.ts'
import { readCriticReply } from '../parse/critic-reply.ts'
import { jointCriticMessages, linkCriticMessages, urdfCriticMessages } from './ask-critic.ts'
import { VIEWS } from './pictures/cameras.ts'
import { note, noteObject, robotData } from './record.ts'
import { Show, shownAs } from './show.ts'

const UNSEEN = { truth: [], predicted: [] }

export async function playCritic(
  sample: CriticSample,
  episode: Episode<Profile>,
  options: CriticOptions,
): Promise<Played<CriticOutcome>> {
  const { model, source, robot } = await faulty(sample, episode.files)
  const { part } = sample.fault
  const { sees } = options
  const show = new Show(episode, model, { ...options, ...shownAs({ view: sample.view, part }), looks: sample.looks })
  await noteObject(episode, model, part)
  const isJoint = sample.critic === 'joint'
  const movable = robot.joints.filter((joint) => isMovable(joint)).map(({ name }) => name)
  const urdf = sample.critic === 'urdf' ? writeUrdf(robot) : ''
  const messages = await (sample.critic === 'urdf' ? urdfMessages() : comparedMessages())
  const baselineInput: BaselineInput =
    sample.critic === 'urdf'
      ? { kind: 'urdf-critic', urdf }
      : { kind: isJoint ? 'joint-critic' : 'link-critic', urdf, target: part }
  const { text: reply } = await episode.ask('player', messages, {
    baselineInput: baselineInput,
    purpose: baselineInput.kind,
  })
  const said = readCriticReply(sample.critic, reply, episode.profile, movable)
  note(episode, {
    type: 'articulate/critique',
    critic: sample.critic,
    fault: sample.fault.name,
    kind: sample.fault.kind,
    size: sample.fault.size,
    part,
    expected: sample.labels['truth'] ?? null,
    robot: robotData(robot),
    source,
    reply,
    said,
  })
  const outcome = { reply }
  if (reply.trim() === '') return { status: 'no_answer', outcome, problem: 'an empty reply' }
  if (said) return { status: 'answered', outcome }
  return { status: 'parse_failed', outcome, problem: 'no critique that can be read' }

  async function comparedMessages(): Promise<Message[]> {
    const compared = {
      ...(sees === 'code' ? UNSEEN : await show.compared(robot, isJoint ? part : null)),
      ...(sees === 'pictures' ? {} : { source }),
      isSwapped: options.order === 'prediction-first',
    }
    return isJoint
      ? jointCriticMessages(model, compared, options.traces)
      : linkCriticMessages(model, compared, episode.profile === 'upstream')
  }

  /** Views of what was built, and its URDF: there is no original to compare with. */
  async function urdfMessages(): Promise<Message[]> {
    const views = sees === 'code' ? [] : VIEWS
    const images = await show.stills(robot, views, 'prediction')
    return urdfCriticMessages(sees === 'pictures' ? '' : urdf, images, views)
  }
}
