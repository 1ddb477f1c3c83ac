/**
 * `actions=pose`: the view-selection protocol of the published agent (rl_multiturn_v2). At each turn the model gives the
 * camera's pose and field of view in world coordinates; at the last one it answers.
 */
import type { Episode, Message, Played } from '../../../suite.ts'
import { clampToBounds, type Pose, toMatrix } from '../../../world.ts'
import { type CameraSettings, cameraFor, fovOf, withFov } from '../domain/camera.ts'
import { sharesFrom } from '../domain/evidence.ts'
import type { VsiOutcome } from '../domain/outcome.ts'
import { headingOf } from '../domain/pose.ts'
import type { Profile } from '../domain/protocol.ts'
import type { Stage } from '../domain/scene/stage.ts'
import type { VsiEvent } from '../events.ts'
import { type ExploreOptions, stepsFor } from '../options.ts'
import { posePrompt, poseReask, poseSystem } from '../prompts.ts'
import type { VsiSample } from '../samples/sample.ts'
import type { BaselineInput } from './baseline-input.ts'
import { captureView, type View } from './capture-view.ts'
import { NO_MAP } from './cognitive-map.ts'
import { questionEvent, readEvent, stageEvent } from './event-builders.ts'
import { firstView } from './first-view.ts'
import { keepPath } from './keep-path.ts'
import { media, text } from './message-parts.ts'
import { FOV_LIMITS, type PoseReply, readPoseReply } from './read-pose.ts'

interface ChosenView extends View {
  fov: number
}

export async function playPoses(
  sample: VsiSample,
  episode: Episode<Profile>,
  options: ExploreOptions,
  stage: Stage,
): Promise<Played<VsiOutcome>> {
  const camera = cameraFor(sample.scene, options)
  const turns = stepsFor(sample, options) + 1
  const first = await firstView(sample, episode, options, stage, camera)
  const views: ChosenView[] = [{ ...first, fov: fovOf(camera) }]
  episode.note(questionEvent(sample))
  episode.note(stageEvent(stage, camera))
  noteView(episode, views)
  let last: Asked | null = null
  let unreadable = 0
  for (let turn = 1; turn <= turns; turn++) {
    last = await askTurn({ sample, episode, options, stage, camera, views, turn, turns })
    unreadable += last.unreadable
    const { answer, pose, fov, problem } = last.reply
    if (answer !== null) break
    if (pose !== null) {
      views.push(await capture({ episode, stage, camera }, pose, fov))
      noteView(episode, views)
    } else if (turn < turns) episode.note({ type: 'vsi/no-move', step: turn - 1, problem } satisfies VsiEvent)
  }
  const answer = last?.reply.answer ?? null
  const path = views.map(({ pose, fov }) => ({
    position: pose.position,
    heading: headingOf(pose),
    asked: null,
    done: null,
    blocked: false,
    fov,
  }))
  await keepPath(sample, episode, stage, camera, { answer, path })
  const outcome: VsiOutcome = {
    answer,
    reply: last?.said ?? '',
    form: 'json',
    pictures: views.length,
    unreadable,
    ...NO_MAP,
    path,
  }
  if (answer !== null) return { status: 'answered', outcome }
  return { status: 'parse_failed', outcome, problem: last?.reply.problem ?? 'no answer was given' }
}

interface Turn {
  sample: VsiSample
  episode: Episode<Profile>
  options: ExploreOptions
  stage: Stage
  camera: CameraSettings
  views: readonly ChosenView[]
  turn: number
  turns: number
}

interface Asked {
  said: string
  reply: PoseReply
  unreadable: number
}

async function askTurn({ sample, episode, options, stage, camera, views, turn, turns }: Turn): Promise<Asked> {
  const final = turn === turns
  const { profile } = episode
  const { pose } = views.at(-1)!
  const baselineInput: BaselineInput = {
    ask: 'step',
    form: 'pose',
    step: turn - 1,
    final,
    pose,
    stage,
    seen: () => sharesFrom(stage.renderer, withFov(camera, views.at(-1)!.fov), pose, 1),
  }
  const prompt = posePrompt(sample, {
    turn,
    turns,
    profile,
    bounds: stage.bounds,
    fov: FOV_LIMITS,
    views: views.map((view) => ({ matrix: toMatrix(view.pose), fov: view.fov })),
  })
  const messages: Message[] = [
    { role: 'system', content: poseSystem() },
    { role: 'user', content: [...views.map((view) => media(view.media)), text(prompt)] },
  ]
  let unreadable = 0
  for (let again = 0; ; again++) {
    const { text: said } = await episode.ask('player', [...messages], {
      temperature: 0,
      maxTokens: options.maxTokens,
      baselineInput,
      purpose: final ? 'final step' : `step ${turn - 1}`,
      // The published agent sends the same request again.
      ...(profile === 'upstream' && again > 0 && { seed: again }),
    })
    const reply = readPoseReply(said, sample, { final, profile })
    episode.note(readEvent({ answer: reply.answer, problem: reply.problem, done: reply.answer !== null, repairs: [] }))
    if (reply.problem === null) return { said, reply, unreadable }
    unreadable += 1
    if (again >= options.reasks) return { said, reply, unreadable }
    if (profile !== 'upstream')
      messages.push({ role: 'assistant', content: said || ' ' }, { role: 'user', content: poseReask(reply.problem) })
  }
}

/** The published agent reads the field of view but never uses it, and its camera may be anywhere. */
async function capture(
  { episode, stage, camera }: Pick<Turn, 'stage' | 'camera'> & { episode: Episode<Profile> },
  asked: Pose,
  fov: number,
): Promise<ChosenView> {
  if (episode.profile === 'upstream')
    return { ...(await captureView(stage, episode, camera, asked)), fov: fovOf(camera) }
  const shown = Math.min(FOV_LIMITS.max, Math.max(FOV_LIMITS.min, fov))
  const pose = { ...asked, position: clampToBounds(asked.position, stage.bounds) }
  return { ...(await captureView(stage, episode, withFov(camera, shown), pose)), fov: shown }
}

function noteView(episode: Episode, views: readonly ChosenView[]): void {
  const { pose, media: picture, fov } = views.at(-1)!
  episode.note({
    type: 'vsi/view',
    index: views.length - 1,
    picture: picture.sha256,
    position: pose.position,
    heading: headingOf(pose),
    matrix: toMatrix(pose),
    fov,
  } satisfies VsiEvent)
}
