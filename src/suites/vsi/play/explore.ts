/** The conversation of `vsi/explore`: four first views, then steps with all images so far, then an answer. */
import type { Episode, Message, Played } from '../../../suite.ts'
import { toMatrix } from '../../../world.ts'
import { headingOf } from '../domain/pose.ts'
import { firstObject, readUpstreamReply } from '../published/upstream-reply.ts'
import { walk, type MoveResult } from '../domain/walk.ts'
import { type AskedMap, askForMap, ownMapRequest } from './ask-map.ts'
import { outcomeOf } from './cognitive-map.ts'
import type { VsiSample } from '../samples/sample.ts'
import type { BaselineInput } from './baseline-input.ts'
import type { VsiEvent } from '../events.ts'
import { media, type Part, text } from './message-parts.ts'
import { questionEvent, readEvent, stageEvent } from './event-builders.ts'
import { captureView, type View } from './capture-view.ts'
import { firstView } from './first-view.ts'
import { keepPath } from './keep-path.ts'
import { type CameraSettings, cameraFor } from '../domain/camera.ts'
import { sharesFrom } from '../domain/evidence.ts'
import { type ExploreOptions, stepsFor } from '../options.ts'
import type { PathStep, VsiOutcome } from '../domain/outcome.ts'
import { readAgentReply, readAnswer } from '../parse.ts'
import {
  answerOnlyPrompt,
  chatStepPrompt,
  explorePrompt,
  type ExplorePromptState,
  imageLabel,
  promptWith,
} from '../prompts.ts'
import type { Stage } from '../domain/scene/stage.ts'
import type { Profile } from '../domain/protocol.ts'
import { isNumberType } from '../domain/question-types.ts'

/** Plays one episode. */
export class Explorer {
  readonly #sample: VsiSample
  readonly #episode: Episode<Profile>
  readonly #options: ExploreOptions
  readonly #stage: Stage
  readonly #camera: CameraSettings
  readonly #steps: number
  readonly #profile: Profile
  readonly #views: View[] = []
  readonly #walked: MoveResult[] = []
  /** Views that the conversation has shown. */
  #shown = 0
  #unreadable = 0
  #answer: string | null = null
  #reply = ''

  constructor(sample: VsiSample, episode: Episode<Profile>, options: ExploreOptions, stage: Stage) {
    this.#sample = sample
    this.#episode = episode
    this.#options = options
    this.#stage = stage
    this.#camera = cameraFor(sample.scene, options)
    this.#steps = stepsFor(sample, options)
    this.#profile = episode.profile
  }

  async play(): Promise<Played<VsiOutcome>> {
    this.#episode.note(questionEvent(this.#sample))
    this.#episode.note(stageEvent(this.#stage, this.#camera))
    this.#views.push(await firstView(this.#sample, this.#episode, this.#options, this.#stage, this.#camera))
    this.#noteView()
    const problem = await (this.#profile === 'upstream' ? this.#publishedLoop() : this.#loop())
    const map = this.#options.map ? await this.#mapThenAnswer() : null
    const path = this.#path()
    await keepPath(this.#sample, this.#episode, this.#stage, this.#camera, { answer: this.#answer, path })
    const outcome: VsiOutcome = {
      answer: this.#answer,
      reply: this.#reply,
      form: 'json',
      pictures: this.#views.length,
      unreadable: this.#unreadable,
      ...outcomeOf(map),
      path,
    }
    if (this.#answer !== null) return { status: 'answered', outcome }
    const status = this.#unreadable > 0 ? 'parse_failed' : 'no_answer'
    return { status, outcome, problem: problem ?? 'no answer was given' }
  }

  /** Retries unusable replies, and asks for the answer alone if there is none after the last step. */
  async #loop(): Promise<string | null> {
    const steps = this.#steps
    const { reasks } = this.#options
    let problem: string | null = null
    const chat: Message[] = []
    for (let step = 0; step <= steps; step++) {
      const final = step === steps
      const request = chat.length > 0 ? this.#chatMessage(step) : this.#stepMessage(step)
      const messages: Message[] = [...chat, request]
      let said = await this.#ask([...messages], step, final)
      let reply = this.#read(said)
      for (let again = 0; again < reasks && this.#unusable(reply, final); again++) {
        this.#unreadable += 1
        problem = reply.problem ?? 'it has no answer'
        messages.push(
          { role: 'assistant', content: said || ' ' },
          { role: 'user', content: promptWith('reask', { problem }) },
        )
        said = await this.#ask([...messages], step, final)
        reply = this.#read(said)
      }
      if (this.#unusable(reply, final)) {
        this.#unreadable += 1
        problem = reply.problem ?? 'it has no answer'
      }
      if (this.#options.chat) chat.push(request, { role: 'assistant', content: said || ' ' })
      if (reply.answer !== null) this.#answer = reply.answer
      if ((reply.done && this.#answer !== null) || final) break
      if (reply.move === null) {
        this.#episode.note({ type: 'vsi/no-move', step, problem: reply.problem } satisfies VsiEvent)
        continue
      }
      await this.#move(reply.move)
    }
    if (this.#answer === null) this.#answer = await this.#answerOnly()
    return problem
  }

  #read(said: string): ReturnType<typeof readAgentReply> {
    const reply = readAgentReply(said, this.#sample)
    this.#episode.note(readEvent(reply))
    return reply
  }

  #unusable(reply: ReturnType<typeof readAgentReply>, final: boolean): boolean {
    return final ? reply.answer === null && this.#answer === null : reply.problem !== null
  }

  /** The published loop: no retries, only the first pair of braces is read, and a failed conversion loses the question. */
  async #publishedLoop(): Promise<string | null> {
    const numeric = isNumberType(this.#sample.type)
    for (let step = 0; step <= this.#steps; step++) {
      const final = step === this.#steps
      const said = await this.#ask([this.#stepMessage(step)], step, final)
      const reply = readUpstreamReply(said, { numeric, previous: this.#answer })
      if ('raises' in reply) {
        this.#unreadable += 1
        this.#answer = null
        return `the published parser raises ${reply.raises} here and drops the question`
      }
      if (firstObject(said) === null) this.#unreadable += 1
      this.#answer = reply.answer
      if (reply.stops || final) break
      const [turnDegrees, forwardMeters, leftMeters, upMeters] = reply.movement
      if (!reply.movementComplete || !reply.movement.every((value) => Number.isFinite(value))) continue
      await this.#move({
        turnDegrees: turnDegrees!,
        forwardMeters: forwardMeters!,
        leftMeters: leftMeters!,
        upMeters: upMeters!,
      })
    }
    if (this.#answer === '') this.#answer = null
    return null
  }

  async #ask(messages: readonly Message[], step: number, final: boolean): Promise<string> {
    const { pose } = this.#views.at(-1)!
    const baselineInput: BaselineInput = {
      ask: 'step',
      step,
      final,
      pose,
      stage: this.#stage,
      seen: () => sharesFrom(this.#stage.renderer, this.#camera, pose, 1),
    }
    const reply = await this.#episode.ask('player', messages, {
      temperature: 0,
      maxTokens: this.#options.maxTokens,
      baselineInput,
      purpose: final ? 'final step' : `step ${step}`,
    })
    this.#reply = reply.text
    return reply.text
  }

  /** One message: every image with its label, then the text. Images come first because providers can then cache them. */
  #stepMessage(step: number): Message {
    this.#shown = this.#views.length
    const prompt = explorePrompt(this.#sample, this.#promptState(step))
    return { role: 'user', content: [...this.#pictureParts(), text(prompt)] }
  }

  /** What is new since the last message of the conversation. */
  #chatMessage(step: number): Message {
    const pictures = this.#pictureParts(this.#shown)
    this.#shown = this.#views.length
    return { role: 'user', content: [...pictures, text(chatStepPrompt(this.#sample, this.#promptState(step)))] }
  }

  #promptState(step: number): ExplorePromptState {
    const { bounds } = this.#options
    const { pose } = this.#views.at(-1)!
    const show =
      bounds === 'auto'
        ? this.#sample.type === 'room_size_estimation' && this.#profile !== 'upstream'
          ? 'position'
          : 'full'
        : bounds
    return {
      step,
      steps: this.#steps,
      heading: this.#options.heading,
      pose,
      bounds: this.#stage.bounds,
      show,
      walked: this.#walked,
      poses: this.#views.map((view) => view.pose),
      profile: this.#profile,
    }
  }

  #pictureParts(from = 0): Part[] {
    return this.#views.slice(from).flatMap(({ media: shown }, i) => [text(imageLabel(from + i)), media(shown)])
  }

  async #answerOnly(): Promise<string | null> {
    const content = [...this.#pictureParts(), text(answerOnlyPrompt(this.#sample))]
    return this.#askForAnswer([{ role: 'user', content }], 'answer only')
  }

  async #askForAnswer(messages: readonly Message[], purpose: string): Promise<string | null> {
    const baselineInput: BaselineInput = { ask: 'answer' }
    const how = { temperature: 0, maxTokens: this.#options.maxTokens, baselineInput, purpose }
    this.#reply = (await this.#episode.ask('player', messages, how)).text
    const read = readAnswer(this.#reply, this.#sample)
    this.#episode.note(readEvent(read))
    return read.answer
  }

  /** Asks for a map after exploring, then asks the question again in the same conversation. The last answer counts. */
  async #mapThenAnswer(): Promise<AskedMap | null> {
    const { maxTokens } = this.#options
    const { bounds } = this.#stage
    const request = ownMapRequest(this.#sample)
    if (request === null) return null
    const asked = await askForMap(this.#sample, this.#episode, this.#pictureParts(), bounds, maxTokens, request)
    const again = `${promptWith('map-then')}\n\n${answerOnlyPrompt(this.#sample)}`
    const messages: Message[] = [
      { role: 'user', content: asked.said.prompt },
      { role: 'assistant', content: asked.said.reply || ' ' },
      { role: 'user', content: again },
    ]
    this.#answer = (await this.#askForAnswer(messages, 'answer')) ?? this.#answer
    return asked
  }

  async #move(asked: MoveResult['asked']): Promise<void> {
    const from = this.#views.at(-1)!.pose
    const walked = walk(from, asked, this.#stage, this.#profile, this.#options.collisions)
    this.#walked.push(walked)
    this.#views.push(await captureView(this.#stage, this.#episode, this.#camera, walked.pose))
    this.#noteView()
  }

  #noteView(): void {
    const index = this.#views.length - 1
    const { pose, media } = this.#views[index]!
    const walked = this.#walked[index - 1]
    this.#episode.note({
      type: 'vsi/view',
      index,
      picture: media.sha256,
      position: pose.position,
      heading: headingOf(pose),
      matrix: toMatrix(pose),
      ...(walked && {
        asked: walked.asked,
        done: walked.done,
        blocked: walked.blocked,
        limited: walked.limited,
        stoppedBy: walked.stoppedBy,
      }),
    } satisfies VsiEvent)
  }

  #path(): PathStep[] {
    return this.#views.map(({ pose }, i) => {
      const walked = this.#walked[i - 1]
      return {
        position: pose.position,
        heading: headingOf(pose),
        asked: walked?.asked ?? null,
        done: walked?.done ?? null,
        blocked: walked?.blocked ?? false,
      }
    })
  }
}
