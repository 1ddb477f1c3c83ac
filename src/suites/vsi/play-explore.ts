/** The conversation of `vsi/explore`: four first views, then steps with all pictures so far, then an answer. */
import type { Episode, Played } from '../../engine/suite.ts'
import type { MediaRef } from '../../media/index.ts'
import { QUICK_PNG_NAME, quickPng } from '../../media/quick-png.ts'
import type { Message, Part } from '../../models/types.ts'
import { seenThings } from '../../world/geometry/index.ts'
import { fromYawPitch, type Pose, toMatrix } from '../../world/render/index.ts'
import { bestObject } from '../../base/text/index.ts'
import { FIRST_ANGLES, headingOf, startPosition, VIEW } from './agent/pose.ts'
import { firstObject, readUpstreamReply } from './agent/upstream-reply.ts'
import { bestOf, laplacianVariance, visibility } from './agent/view-metrics.ts'
import { walk, type Walked } from './agent/walk.ts'
import type { VsiCase } from './case.ts'
import type { Cue } from './cue.ts'
import { askForMap } from './ask-map.ts'
import { questionEvent, stageEvent } from './events.ts'
import type { ExploreOptions } from './options.ts'
import type { PathStep, VsiOutcome } from './outcome.ts'
import { readAgentReply, readAnswer } from './parse.ts'
import { answerOnlyPrompt, explorePrompt, firstViewPrompt, pictureLabel, promptWith } from './prompts.ts'
import { PythonNumber, pythonStr } from './python.ts'
import { cameraAt, type Stage } from './scene/stage.ts'
import { drawTopDown } from './top-down.ts'
import { asProfile, isNumberType, type Profile } from './types.ts'

const text = (words: string): Part => ({ type: 'text', text: words })
const picture = (media: MediaRef): Part => ({ type: 'media', media })

interface View {
  pose: Pose
  media: MediaRef
}

export async function playExplore(
  kase: VsiCase,
  episode: Episode,
  options: ExploreOptions,
  stage: Stage,
): Promise<Played<VsiOutcome>> {
  const agent = new Explorer(kase, episode, options, stage)
  return agent.play()
}

class Explorer {
  readonly #kase: VsiCase
  readonly #episode: Episode
  readonly #options: ExploreOptions
  readonly #stage: Stage
  readonly #profile: Profile
  readonly #views: View[] = []
  readonly #walked: Walked[] = []
  #unreadable = 0
  #answer: string | null = null
  #reply = ''

  constructor(kase: VsiCase, episode: Episode, options: ExploreOptions, stage: Stage) {
    this.#kase = kase
    this.#episode = episode
    this.#options = options
    this.#stage = stage
    this.#profile = asProfile(episode.profile)
  }

  async play(): Promise<Played<VsiOutcome>> {
    this.#episode.note(questionEvent(this.#kase))
    this.#episode.note(stageEvent(this.#stage))
    const first = await this.#firstView()
    this.#views.push(first)
    this.#noteView()
    const problem = await (this.#profile === 'upstream' ? this.#publishedLoop() : this.#loop())
    const map = this.#options.map ? await this.#mapThenAnswer() : null
    await this.#keepPath()
    const outcome: VsiOutcome = {
      answer: this.#answer,
      reply: this.#reply,
      form: 'json',
      pictures: this.#views.length,
      unreadable: this.#unreadable,
      map: map?.map ?? null,
      mapAgreement: map?.agreement ?? null,
      path: this.#path(),
    }
    if (this.#answer !== null) return { status: 'answered', outcome }
    const status = this.#unreadable > 0 ? 'parse_failed' : 'no_answer'
    return { status, outcome, problem: problem ?? 'no answer was given' }
  }

  /** Steps with re-asks, and one short question when no answer came. */
  async #loop(): Promise<string | null> {
    const { steps, reasks } = this.#options
    let problem: string | null = null
    for (let step = 0; step <= steps; step++) {
      const final = step === steps
      const request = this.#stepMessage(step)
      const messages: Message[] = [request]
      let said = await this.#ask([...messages], step, final)
      let reply = readAgentReply(said, this.#kase)
      for (let again = 0; again < reasks && this.#unusable(reply, final); again++) {
        this.#unreadable += 1
        problem = reply.problem ?? 'it has no answer'
        messages.push(
          { role: 'assistant', content: said || ' ' },
          { role: 'user', content: promptWith('reask', { problem }) },
        )
        said = await this.#ask([...messages], step, final)
        reply = readAgentReply(said, this.#kase)
      }
      if (this.#unusable(reply, final)) {
        this.#unreadable += 1
        problem = reply.problem ?? 'it has no answer'
      }
      if (reply.answer !== null) this.#answer = reply.answer
      if ((reply.done && this.#answer !== null) || final) break
      if (reply.move === null) {
        this.#episode.note({ type: 'vsi/no-move', step, problem: reply.problem })
        continue
      }
      await this.#move(reply.move)
    }
    if (this.#answer === null) this.#answer = await this.#answerOnly()
    return problem
  }

  #unusable(reply: ReturnType<typeof readAgentReply>, final: boolean): boolean {
    return final ? reply.answer === null && this.#answer === null : reply.problem !== null
  }

  /** As published: no re-asks, the first brace pair counts, and what cannot be converted loses the question. */
  async #publishedLoop(): Promise<string | null> {
    const numeric = isNumberType(this.#kase.type)
    for (let step = 0; step <= this.#options.steps; step++) {
      const final = step === this.#options.steps
      const said = await this.#ask([this.#stepMessage(step)], step, final)
      const reply = readUpstreamReply(said, { numeric, previous: this.#answer })
      if ('raises' in reply) {
        this.#unreadable += 1
        this.#answer = null
        return `the published reader raises ${reply.raises} here and drops the question`
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
    const cue: Cue = { ask: 'step', step, final, pose, stage: this.#stage, seen: () => this.#seen(pose) }
    const reply = await this.#episode.ask('player', messages, {
      temperature: 0,
      maxTokens: this.#options.maxTokens,
      cue,
      purpose: final ? 'final step' : `step ${step}`,
    })
    this.#reply = reply.text
    return reply.text
  }

  /** One message: every picture with its label, then the text. Pictures come first and never change: they can be cached. */
  #stepMessage(step: number): Message {
    const { bounds } = this.#options
    const { pose } = this.#views.at(-1)!
    const show =
      bounds === 'auto'
        ? this.#kase.type === 'room_size_estimation' && this.#profile !== 'upstream'
          ? 'position'
          : 'full'
        : bounds
    const words = explorePrompt(this.#kase, {
      step,
      steps: this.#options.steps,
      pose,
      bounds: this.#stage.bounds,
      show,
      walked: this.#walked,
      poses: this.#views.map((view) => view.pose),
      profile: this.#profile,
    })
    return { role: 'user', content: [...this.#pictureParts(), text(words)] }
  }

  #pictureParts(): Part[] {
    return this.#views.flatMap(({ media }, i) => [text(pictureLabel(i)), picture(media)])
  }

  async #answerOnly(): Promise<string | null> {
    const content = [...this.#pictureParts(), text(answerOnlyPrompt(this.#kase))]
    const cue: Cue = { ask: 'answer' }
    const reply = await this.#episode.ask('player', [{ role: 'user', content }], {
      temperature: 0,
      maxTokens: this.#options.maxTokens,
      cue,
      purpose: 'answer only',
    })
    this.#reply = reply.text
    return readAnswer(reply.text, this.#kase).answer
  }

  /** After the exploration, a map; then the question once more in the same conversation. The last answer counts. */
  async #mapThenAnswer(): ReturnType<typeof askForMap> {
    const { maxTokens } = this.#options
    const asked = await askForMap(this.#kase, this.#episode, this.#pictureParts(), this.#stage.bounds, maxTokens)
    if (asked === null) return null
    const cue: Cue = { ask: 'answer' }
    const again = `${promptWith('map-then')}\n\n${answerOnlyPrompt(this.#kase)}`
    const messages: Message[] = [
      { role: 'user', content: asked.said.prompt },
      { role: 'assistant', content: asked.said.reply || ' ' },
      { role: 'user', content: again },
    ]
    const reply = await this.#episode.ask('player', messages, { temperature: 0, maxTokens, cue, purpose: 'answer' })
    this.#reply = reply.text
    this.#answer = readAnswer(reply.text, this.#kase).answer ?? this.#answer
    return asked
  }

  async #move(asked: Walked['asked']): Promise<void> {
    const from = this.#views.at(-1)!.pose
    const walked = walk(from, asked, this.#stage, this.#profile)
    this.#walked.push(walked)
    this.#views.push(await this.#look(walked.pose))
    this.#noteView()
  }

  /** Where the four first views are taken: in the middle of the bounds; ours moves to where a body fits. */
  async #firstView(): Promise<View> {
    const eye = this.#profile === 'upstream' ? startPosition(this.#stage.bounds) : this.#stage.start
    const { firstView, fixedAngle } = this.#options
    if (firstView === 'fixed') return this.#look(fromYawPitch(eye, fixedAngle))
    const candidates: View[] = []
    for (const angle of FIRST_ANGLES) candidates.push(await this.#look(fromYawPitch(eye, angle)))
    if (firstView === 'model') return this.#chosenByModel(candidates)
    const scores = candidates.map(({ pose }) => {
      const rgb = this.#pixels(pose)
      return firstView === 'visibility' ? visibility(rgb) : laplacianVariance(rgb, VIEW.width, VIEW.height)
    })
    const best = bestOf(scores)
    this.#episode.note({ type: 'vsi/first-view', metric: firstView, scores, angle: FIRST_ANGLES[best] })
    return candidates[best]!
  }

  async #chosenByModel(candidates: readonly View[]): Promise<View> {
    const content: Part[] = [text(firstViewPrompt(this.#kase))]
    for (const [i, { media }] of candidates.entries())
      content.push(text(`View at ${FIRST_ANGLES[i]}°:`), picture(media))
    content.push(text(promptWith('first-view-ask')))
    const cue: Cue = { ask: 'first-view' }
    const reply = await this.#episode.ask('player', [{ role: 'user', content }], {
      temperature: 0,
      maxTokens: this.#options.maxTokens,
      cue,
      purpose: 'first view',
    })
    const angle = this.#profile === 'upstream' ? publishedAngle(reply.text) : chosenAngle(reply.text)
    const place = FIRST_ANGLES.findIndex((each) => each === angle)
    this.#episode.note({ type: 'vsi/first-view', metric: 'model', angle: place < 0 ? 0 : angle, readable: place >= 0 })
    return candidates[Math.max(0, place)]!
  }

  /** First views are the same for all questions of a scene: drawn and encoded once. */
  async #look(pose: Pose): Promise<View> {
    const { width, height } = VIEW
    const draw = (): Uint8Array => quickPng({ width, height, channels: 3, data: this.#pixels(pose) })
    const first = this.#views.length === 0
    const png = first ? await this.#stage.pictures.get(toMatrix(pose).join(), async () => draw()) : draw()
    const provenance = {
      made: 'render',
      scene: this.#stage.hash,
      pose: toMatrix(pose),
      focal: VIEW.focal,
      near: VIEW.near,
      encoder: QUICK_PNG_NAME,
    }
    return { pose, media: await this.#episode.keep(png, 'image/png', provenance, { width, height }) }
  }

  #pixels(pose: Pose): Uint8Array {
    const { width, height } = VIEW
    return this.#stage.renderer.render(cameraAt(pose), { width, height }).color
  }

  #seen(pose: Pose): ReturnType<typeof seenThings> {
    const { width, height } = VIEW
    const { ids } = this.#stage.renderer.render(cameraAt(pose), { width, height, color: false, ids: true })
    return seenThings(ids, width)
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
    })
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

  /** The path as JSON and the room from above, beside the pictures. */
  async #keepPath(): Promise<void> {
    const path = this.#path()
    const { question, things, id, truth } = this.#kase
    const made = { made: 'drawing', scene: this.#stage.hash }
    const json = Buffer.from(
      JSON.stringify({ case: id, question, truth, answer: this.#answer, bounds: this.#stage.bounds, path }),
    )
    const said = `${question} Answer: ${this.#answer ?? 'none'}, truth: ${truth}`
    const map = await drawTopDown(this.#stage, path, things ?? [], said)
    const size = { width: map.width, height: map.height }
    const refs = {
      json: await this.#episode.keep(json, 'application/json', { ...made, what: 'path' }),
      svg: await this.#episode.keep(Buffer.from(map.svg), 'image/svg+xml', { ...made, what: 'map' }, size),
      png: await this.#episode.keep(map.png, 'image/png', { ...made, what: 'map' }, size),
    }
    const { jpeg, pixelsPerMeter, width, height } = map.floor
    const floor = await this.#episode.keep(jpeg, 'image/jpeg', { ...made, what: 'floor' }, { width, height })
    this.#episode.note({
      type: 'vsi/map',
      path: refs.json.sha256,
      svg: refs.svg.sha256,
      png: refs.png.sha256,
      floor: { picture: floor.sha256, width, height, pixelsPerMeter },
    })
  }
}

function chosenAngle(reply: string): number | null {
  const value = bestObject(reply, (object) => 'selected_angle' in object)?.value['selected_angle']
  const angle = typeof value === 'string' ? Number.parseFloat(value) : value
  return typeof angle === 'number' ? angle : null
}

/** `int()` of Python on the first object that is read. */
function publishedAngle(reply: string): number | null {
  const value = firstObject(reply)?.['selected_angle']
  if (value instanceof PythonNumber) return Math.trunc(value.value)
  if (typeof value === 'string' && /^\s*[-+]?\d+\s*$/.test(pythonStr(value))) return Number(value)
  return null
}
