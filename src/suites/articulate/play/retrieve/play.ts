/**
 * The published pipeline before programs are written: what object is it, which category, which of its objects (a tournament
 * of images), which part moves; from words: a description, a plan of boxes, a mesh for each.
 */
import { type Episode, type Message, type Part, type Played, promptFiles } from '../../../../suite.ts'
import { modelOf, readableModel } from '../../domain/objects/find.ts'
import type { ArticulatedModel } from '../../domain/objects/model.ts'
import type { LoopOutcome } from '../../domain/outcome.ts'
import type { Profile } from '../../domain/profile.ts'
import { loopOptions } from '../../options.ts'
import { playLoop } from '../loop.ts'
import { buildFrom } from '../../parse/answer.ts'
import type { LoopSample } from '../../samples/sample.ts'
import { api } from '../../prompts/prompts.ts'
import { noteObject } from '../record.ts'
import { meshKinds, plannedModel } from './meshes.ts'
import type { RetrieveOptions } from './options.ts'
import type { PlannedMesh, RetrieveInput, RetrieveOutcome } from './outcome.ts'
import {
  categoryIn,
  readAffordance,
  readCategory,
  readMatch,
  readObject,
  readPlan,
  readSelection,
  readSpecified,
} from './parse.ts'
import { Pictures } from './pictures.ts'
import type { RetrieveSample } from './sample.ts'
import { tournament } from './tournament.ts'

export const prompts = promptFiles(new URL('./prompts/', import.meta.url))

const text = (content: string): Part => ({ type: 'text', text: content })

/** As published, for every request. */
const TEMPERATURE = 0.5

const NOTHING: RetrieveOutcome = {
  object: null,
  category: null,
  chosen: null,
  affordance: null,
  plan: null,
  made: null,
  stopped: null,
}

export async function playRetrieve(
  sample: RetrieveSample,
  episode: Episode<Profile>,
  options: RetrieveOptions,
): Promise<Played<RetrieveOutcome>> {
  const retrieval = new Retrieval(sample, episode, options)
  const outcome = await (sample.input === 'text' ? retrieval.fromWords() : retrieval.fromPictures())
  if (outcome.stopped === null) return { status: 'answered', outcome }
  return { status: retrieval.hasWords ? 'parse_failed' : 'no_answer', outcome, problem: outcome.stopped }
}

class Retrieval {
  readonly #sample: RetrieveSample
  readonly #episode: Episode<Profile>
  readonly #options: RetrieveOptions
  readonly #pictures: Pictures
  /** Whether any reply had words. */
  hasWords = false

  constructor(sample: RetrieveSample, episode: Episode<Profile>, options: RetrieveOptions) {
    this.#sample = sample
    this.#episode = episode
    this.#options = options
    this.#pictures = new Pictures(episode, options)
  }

  async #ask(system: string | null, content: readonly Part[] | string, baselineInput: RetrieveInput): Promise<string> {
    const messages: Message[] = [
      ...(system === null ? [] : [{ role: 'system' as const, content: system }]),
      { role: 'user', content },
    ]
    const how = { baselineInput, purpose: baselineInput.kind, temperature: TEMPERATURE }
    const { text: reply } = await this.#episode.ask('player', messages, how)
    if (reply.trim() !== '') this.hasWords = true
    return reply
  }

  /** An image or a video: what it is, of which category, which object, and which of its parts moves. */
  async fromPictures(): Promise<RetrieveOutcome> {
    const { target, part, look, pool } = this.#sample
    const model = await modelOf(target.object, this.#episode.files)
    await noteObject(this.#episode, model, part)
    const shown =
      part === null
        ? [await this.#pictures.still(model, 'target', look)]
        : await this.#pictures.motion(model, part, look)
    const detector = prompts.text('object-detector')
    const detected = readObject(await this.#ask(detector, [text('The video is\n'), ...shown], { kind: 'detect' }))
    const object = this.#options.object ?? detected
    if (object === null) return { ...NOTHING, stopped: 'the detector named no object' }
    const categories = [...new Set(pool.map(({ category }) => category))]
    const category = await this.#categoryOf(object, categories)
    if (category === null) return { ...NOTHING, object, stopped: 'no category was chosen' }
    const numbers = await this.#readable(category)
    const chosen = await tournament(numbers, this.#options.batch, (batch) => this.#select(shown[0]!, batch))
    if (chosen === null) return { ...NOTHING, object, category, stopped: 'no image was chosen' }
    const outcome = { ...NOTHING, object, category, chosen }
    if (this.#options.stages === 'retrieve') return outcome
    const found = await modelOf(pool[chosen]!.object, this.#episode.files)
    const affordance = part === null ? null : await this.#affordance(shown, found, chosen)
    if (this.#options.stages === 'affordance') return { ...outcome, affordance }
    return { ...outcome, affordance, made: await this.#make(chosen, found, part === null ? null : affordance, shown) }
  }

  /** A category that the words name is taken; otherwise the model chooses. The published code compares CLIP embeddings. */
  async #categoryOf(object: string, categories: readonly string[]): Promise<string | null> {
    const named = categoryIn(object, categories)
    if (named !== null) return named
    const asked = prompts.fill('category', { object: object.slice(0, 2000), categories: categories.join(', ') })
    return readCategory(await this.#ask(null, asked, { kind: 'category', categories }), categories)
  }

  /** Numbers of the category's objects; those whose files cannot be read are not shown. */
  async #readable(category: string): Promise<number[]> {
    const numbers: number[] = []
    for (const [i, candidate] of this.#sample.pool.entries()) {
      if (candidate.category !== category) continue
      if (await readableModel(candidate.object, this.#episode.files)) numbers.push(i)
    }
    return numbers
  }

  async #select(target: Part, batch: readonly number[]): Promise<number | null> {
    const content: Part[] = [
      text('Here is the target image:\n'),
      target,
      text('\n\nHere are the candidate images (numbered starting from 0):\n'),
    ]
    for (const [i, number] of batch.entries()) {
      const model = await modelOf(this.#sample.pool[number]!.object, this.#episode.files)
      content.push(text(`\nImage ${i}:\n`), await this.#pictures.still(model, 'candidate'))
    }
    const reply = await this.#ask(prompts.text('object-selector'), content, { kind: 'select', batch })
    const at = readSelection(reply, batch.length, this.#episode.profile)
    return at === null ? null : batch[at]!
  }

  /** Which part of the retrieved object moves in the video. */
  async #affordance(shown: readonly Part[], found: ArticulatedModel, chosen: number): Promise<string | null> {
    const { picture, colors } = await this.#pictures.segmented(found)
    const content = [
      text('The groundtruth video is\n'),
      ...shown,
      text('The object image is \n'),
      await this.#pictures.still(found, 'candidate'),
      text('The segmented object image is \n'),
      picture,
      text('The segmentation color mapping is \n'),
      text(JSON.stringify(colors, null, 4)),
    ]
    const reply = await this.#ask(prompts.text('affordance'), content, { kind: 'affordance', chosen })
    return readAffordance(
      reply,
      found.parts.map(({ name }) => name),
    )
  }

  /** Placement of the retrieved object's parts, then the joint of the part that moves in the video. */
  async #make(
    chosen: number,
    found: ArticulatedModel,
    part: string | null,
    shown: readonly Part[],
  ): Promise<NonNullable<RetrieveOutcome['made']>> {
    const place = await this.#loop('place', chosen, null)
    const moves = part !== null && found.joints.some(({ child }) => child === part)
    const joint = moves ? await this.#loop('joint', chosen, part, shown) : null
    return { place, joint, urdf: null, problem: null }
  }

  async #loop(
    task: 'place' | 'joint',
    chosen: number,
    target: string | null,
    motion?: readonly Part[],
  ): Promise<LoopOutcome> {
    const { id, cluster, pool } = this.#sample
    const { size, names, iterations, feedback, frames, traces } = this.#options
    const sample: LoopSample = { id, cluster, labels: {}, object: pool[chosen]!.object, target }
    const outer = this.#episode
    const episode: Episode<Profile> = {
      profile: outer.profile,
      epoch: outer.epoch,
      files: outer.files,
      random: outer.random,
      signal: outer.signal,
      has: (role) => outer.has(role),
      keep: (...given) => outer.keep(...given),
      fileOf: (ref) => outer.fileOf(ref),
      note: (event) => outer.note(event),
      progress: (...given) => outer.progress(...given),
      // Baselines are told which object it is about.
      ask: (role, messages, how) => {
        const input = how?.baselineInput
        const known = typeof input === 'object' && input !== null ? input : {}
        return outer.ask(role, messages, { ...how, baselineInput: { ...known, task, chosen, target } })
      },
    }
    const given = loopOptions.parse({ size, names, iterations, feedback, frames, traces })
    const { outcome } = await playLoop(task, motion)(sample, episode, given)
    if (outcome.iterations.some(({ source }) => source !== '')) this.hasWords = true
    return outcome
  }

  /** Words: described in full, planned as boxes, a mesh for each. */
  async fromWords(): Promise<RetrieveOutcome> {
    const asked = this.#sample.text
    // An object that cannot be read has no words; this throws what is missing.
    if (asked === null) await modelOf(this.#sample.target.object, this.#episode.files)
    const specifier = prompts.text('task-specifier')
    const described = readSpecified(
      await this.#ask(specifier, `Now, the user needs you to describe: ${asked}`, { kind: 'specify' }),
    )
    if (described === null) return { ...NOTHING, stopped: 'the task was not described' }
    const planner = prompts.text('layout-planner')
    const planned = readPlan(await this.#ask(planner, `Now, I need a design for ${described}.`, { kind: 'plan' }))
    if (planned.length === 0) return { ...NOTHING, object: described, stopped: 'no part was planned' }
    const meshes = await meshKinds(this.#sample.pool, this.#episode.files)
    const listed = meshes.map(
      ({ category, kind }, i) => `${i}. ${kind.replaceAll('_', ' ')} of a ${category.replaceAll('_', ' ')}`,
    )
    const plan: PlannedMesh[] = []
    for (const part of planned) {
      const values = { part: `${part.name}. ${part.description}`, meshes: listed.join('\n') }
      const input = { kind: 'match', part: part.name, meshes } as const
      const at = readMatch(await this.#ask(null, prompts.fill('match-part', values), input), meshes.length)
      const mesh = typeof at === 'number' ? meshes[at]! : null
      plan.push({ ...part, mesh: mesh && { category: mesh.category, kind: mesh.kind } })
    }
    const outcome = { ...NOTHING, object: described, plan }
    if (plan.every(({ mesh }) => mesh === null)) return { ...outcome, stopped: 'no mesh fits any part' }
    if (this.#options.stages !== 'make') return outcome
    return { ...outcome, made: await this.#makeFromWords(described, plan) }
  }

  /** Without a picture to compare with there is one answer, as published. */
  async #makeFromWords(described: string, plan: readonly PlannedMesh[]): Promise<NonNullable<RetrieveOutcome['made']>> {
    const model = await plannedModel(plan, this.#sample.pool, this.#episode.files)
    const meters = (value: number): string => value.toFixed(4)
    const parts = plan
      .filter(({ mesh }) => mesh !== null)
      .map(
        ({ name, description, dimensions: [x, y, z] }) =>
          `- ${name}: length (x) ${meters(x)}, width (y) ${meters(y)}, height (z) ${meters(z)}. ${description}`,
      )
    const values = { description: described, parts: parts.join('\n'), ...api(model) }
    const input = { kind: 'make', parts: model.parts.map(({ name }) => name) } as const
    const built = buildFrom(await this.#ask(null, prompts.fill('make-text', values), input), model.shelf)
    const problem = built.kind === 'robot' ? null : built.problem
    return { place: null, joint: null, urdf: built.kind === 'robot' ? built.urdf : null, problem }
  }
}
