/** Human preference: people compare two videos of one prompt, blinded, dimension by dimension. */
import { UserError } from '../base/errors.ts'
import { shortHash } from '../engine/fingerprint.ts'
import { isEvent } from '../engine/recorder.ts'
import { makeReport } from '../engine/reporting.ts'
import type {
  BallotRequest,
  BallotRow,
  DimensionValue,
  ShownQuestion,
  SideChoice,
  VoteReport,
  VoteState,
} from '../report/preference.ts'
import type { EpisodeLine } from '../store/records.ts'
import type { Store } from '../store/store.ts'
import { type Ballot, type BallotQuestion, type VoteLine, VoteStore } from '../store/votes.ts'
import { type Dimension, isDimension } from '../suites/vbench/domain/dimensions.ts'
import {
  askedOf,
  type BallotVideo,
  drawnQuestions,
  isAOnLeft,
  orderFor,
  questionsOf,
} from '../suites/vbench/domain/preference/ballot.ts'
import {
  type Choice,
  correlations,
  raterAgreement,
  type Vote,
  winRatios,
} from '../suites/vbench/domain/preference/statistics.ts'
import { type Tier, TIERS } from '../suites/vbench/domain/results.ts'
import { outcomeEvent } from '../suites/vbench/events.ts'
import { vbench } from '../suites/vbench/suite.ts'

/**
 * Draws the questions and keeps them. The same request finds the ballot that it made before.
 *
 * @example
 * const { id } = await createBallot(store, { runs: ['RUN_A', 'RUN_B'], seed: 0, count: 50 })
 */
export async function createBallot(store: Store, request: BallotRequest): Promise<Ballot> {
  const ids = [...new Set(request.runs)].sort((a, b) => a.localeCompare(b))
  if (ids.length < 2) throw new UserError('Choose two or more runs to vote on.')
  const readers = await Promise.all(ids.map((id) => store.openRunById(id)))
  for (const { header } of readers)
    if (header.suite !== vbench.name) throw new UserError(`${header.id} is not a run of ${vbench.name}.`)
  const lines = new Map<string, Map<string, EpisodeLine>>()
  const videos: BallotVideo[] = []
  for (const reader of readers) {
    const answered = (await reader.episodes()).filter(({ status, epoch }) => status === 'answered' && epoch === 1)
    lines.set(reader.header.id, new Map(answered.map((line) => [line.sample, line])))
    for (const { sample, cluster, labels } of answered) {
      const dimensions = (labels['dimensions'] ?? '').split(' ').filter(isDimension)
      videos.push({ run: reader.header.id, sample, prompt: cluster, dimensions })
    }
  }
  const drawn = drawnQuestions(
    questionsOf(videos, request.dimensions?.filter(isDimension)),
    request.seed,
    request.count,
  )
  if (drawn.length === 0) {
    throw new UserError('These runs have no video of the same prompt, index and dimension.', {
      hint: 'Vote on runs with the same prompts, such as two runs of the built-in prompts.',
    })
  }
  const mediaOf = async ({ run, sample }: BallotVideo): Promise<BallotQuestion['a']['media']> => {
    const reader = readers.find(({ header }) => header.id === run)!
    const events = await reader.events(lines.get(run)!.get(sample)!)
    const media = outcomeEvent.safeParse(events.findLast((event) => isEvent(event, 'outcome'))).data?.outcome.media
    if (!media) throw new UserError(`The video of ${sample} in ${run} is not on record.`)
    return { sha256: media.sha256, type: media.type }
  }
  const questions: BallotQuestion[] = []
  for (const { key, dimension, prompt, a, b } of drawn) {
    const [first, second] = [await mediaOf(a), await mediaOf(b)]
    questions.push({ key, dimension, prompt, a: { run: a.run, media: first }, b: { run: b.run, media: second } })
  }
  const runs = readers.map(({ header }) => ({ id: header.id, player: header.models['player'] ?? header.id }))
  const ballot: Ballot = {
    version: 1,
    id: `votes-${shortHash([ids, request.seed, drawn.map(({ key }) => key)]).slice(0, 12)}`,
    suite: vbench.name,
    created: new Date().toISOString(),
    seed: request.seed,
    runs,
    questions,
  }
  await new VoteStore(store.dir).create(ballot)
  return ballot
}

export class Voting {
  readonly #store: Store
  readonly #votes: VoteStore

  constructor(store: Store) {
    this.#store = store
    this.#votes = new VoteStore(store.dir)
  }

  async state(id: string, rater: string): Promise<VoteState> {
    const ballot = await this.#votes.ballot(id)
    const answered = answersIn(await this.#votes.votes(id, rater))
    const order = orderFor(questionsIn(ballot), ballot.seed, rater)
    const next = order.find(({ key }) => !answered.has(key))
    return {
      ballot: id,
      rater,
      done: order.filter(({ key }) => answered.has(key)).length,
      total: order.length,
      canUndo: answered.size > 0,
      question: next ? shown(next, ballot, rater) : null,
    }
  }

  /** A vote on a question that is answered already changes nothing: a page may send it twice. */
  async vote(id: string, rater: string, key: string, side: SideChoice): Promise<VoteState> {
    const ballot = await this.#votes.ballot(id)
    const question = questionsIn(ballot).find((each) => each.key === key)
    if (!question) throw new UserError('This question is not on the ballot.')
    if (!answersIn(await this.#votes.votes(id, rater)).has(key)) {
      const isLeft = isAOnLeft(question, ballot.seed, rater)
      const choice: Choice = side === 'tie' || side === 'skip' ? side : (side === 'left') === isLeft ? 'a' : 'b'
      await this.#votes.add(id, rater, { key, choice, at: new Date().toISOString() })
    }
    return this.state(id, rater)
  }

  /** Takes the last vote back. */
  async undo(id: string, rater: string): Promise<VoteState> {
    const last = [...answersIn(await this.#votes.votes(id, rater)).keys()].at(-1)
    if (last !== undefined) await this.#votes.add(id, rater, { undo: last, at: new Date().toISOString() })
    return this.state(id, rater)
  }

  async list(): Promise<BallotRow[]> {
    const rows: BallotRow[] = []
    for (const id of await this.#votes.ids()) {
      // One that cannot be read must not hide the others.
      const row = await this.#row(id).catch(() => null)
      if (row !== null) rows.push(row)
    }
    return rows.sort((a, b) => b.created.localeCompare(a.created))
  }

  async #row(id: string): Promise<BallotRow> {
    const { created, runs, questions } = await this.#votes.ballot(id)
    const raters = []
    for (const name of await this.#votes.raters(id))
      raters.push({ name, done: answersIn(await this.#votes.votes(id, name)).size })
    return { id, created, runs, total: questions.length, raters }
  }

  async report(id: string): Promise<VoteReport> {
    const ballot = await this.#votes.ballot(id)
    const questions = new Map(questionsIn(ballot).map((question) => [question.key, question]))
    const votes: Vote[] = []
    for (const rater of await this.#votes.raters(id)) {
      for (const [key, choice] of answersIn(await this.#votes.votes(id, rater))) {
        const question = questions.get(key)
        if (!question) continue
        const { dimension, a, b } = question
        votes.push({ key, dimension, a: a.run, b: b.run, rater, choice })
      }
    }
    const ratios = winRatios(votes)
    const { scores, notes } = await this.#scores(ballot)
    const scoreOf = (run: string, dimension: Dimension): number | null =>
      scores.find((each) => each.run === run && each.dimension === dimension)?.value ?? null
    return {
      ballot: id,
      runs: ballot.runs,
      questions: ballot.questions.length,
      votes: votes.filter(({ choice }) => choice !== 'skip').length,
      skipped: votes.filter(({ choice }) => choice === 'skip').length,
      ratios,
      agreement: raterAgreement(votes),
      correlations: correlations(ratios, scoreOf),
      scores,
      notes,
    }
  }

  /** Scores of each dimension by the best tier that all runs have. */
  async #scores({ runs }: Ballot): Promise<{ scores: DimensionValue[]; notes: string[] }> {
    const notes: string[] = []
    const reports = new Map<string, Awaited<ReturnType<typeof makeReport>>>()
    for (const { id } of runs) {
      try {
        reports.set(id, await makeReport(await this.#store.openRunById(id), vbench))
      } catch {
        notes.push(`The run ${id} cannot be read: its scores are left out.`)
      }
    }
    const values = (tier: Tier): DimensionValue[] =>
      [...reports].flatMap(([run, { rows }]) =>
        rows.flatMap(({ key, value }) => {
          const [dimension = '', own] = key.split('.')
          return own === tier && value !== null && isDimension(dimension) ? [{ run, dimension, tier, value }] : []
        }),
      )
    const scores = new Map<string, DimensionValue[]>()
    for (const tier of TIERS)
      for (const found of values(tier)) {
        const all = values(tier).filter(({ dimension }) => dimension === found.dimension)
        if (!scores.has(found.dimension) && all.length === reports.size) scores.set(found.dimension, all)
      }
    return { scores: [...scores.values()].flat(), notes }
  }
}

type KnownQuestion = BallotQuestion & { dimension: Dimension }

function questionsIn({ questions }: Ballot): KnownQuestion[] {
  return questions.filter((question): question is KnownQuestion => isDimension(question.dimension))
}

function shown(question: KnownQuestion, { seed }: Ballot, rater: string): ShownQuestion {
  const { key, dimension, prompt, a, b } = question
  const [left, right] = isAOnLeft(question, seed, rater) ? [a, b] : [b, a]
  return { key, dimension, asked: askedOf(dimension), prompt, left: left.media, right: right.media }
}

/** By question, the earliest first: what was taken back is not among them. */
function answersIn(lines: readonly VoteLine[]): Map<string, Choice> {
  const answers = new Map<string, Choice>()
  for (const line of lines) {
    if ('undo' in line) answers.delete(line.undo)
    else if (!answers.has(line.key)) answers.set(line.key, line.choice)
  }
  return answers
}
