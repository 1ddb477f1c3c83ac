/** Checks the profiles of question suites in the catalog against the readers and scorers that they follow. */
import { z } from 'zod'
import type { AnySuite } from '../src/suite.ts'
import { catalogSuite } from '../src/questions/catalog.ts'
import { type Check, close, type Verdict, verdict } from './agreement/check.ts'

/** Suites, their profiles, and the column of the oracle file with what their code reads. */
const READERS = [
  ['cv-bench', 'lmms-eval', 1],
  ['blink', 'lmms-eval', 1],
  ['embspatial-bench', 'lmms-eval', 1],
  ['mmsi-bench', 'official', 10],
  ['mmsi-bench', 'lmms-eval', 2],
  ['mindcube-tiny', 'official', 3],
  ['viewspatial-bench', 'official', 4],
  ['viewspatial-bench', 'lmms-eval', 4],
  ['erqa', 'official', 5],
  ['3dsrbench', 'lmms-eval', 6],
  ['omnispatial', 'official', 7],
  ['revsi', 'official', 8],
  ['revsi-16', 'official', 8],
  ['revsi-64', 'official', 8],
  ['revsi-all', 'official', 8],
  ['site-image', 'official', 9],
  ['site-video', 'official', 9],
] as const
const LETTERS = 'ABCD'

const repliesFile = z.object({ replies: z.array(z.array(z.string())) })

/** The grade of a reply. */
async function gradeOf(
  suite: AnySuite,
  profile: string,
  { cells = {}, ...sample }: { options: string[] | null; truth: unknown; cells?: Record<string, string> },
  reply: string,
): Promise<number> {
  const asked = { id: '1', cluster: '1', labels: {}, question: '', media: [], frequent: 'A', ...sample, cells }
  const scores = await suite.score(asked, { answer: null, reply }, { profile, options: {}, measurements: {} })
  return scores['correct'] ?? 0
}

interface Asked {
  cells?: Record<string, string>
  options?: string[]
}

/** The letters for which a reply is right. */
async function lettersOf(
  suite: AnySuite,
  profile: string,
  reply: string,
  { cells = {}, options = Array.from(LETTERS, () => '') }: Asked = {},
): Promise<string> {
  let right = ''
  for (const truth of LETTERS)
    if ((await gradeOf(suite, profile, { options, truth, cells }, reply)) === 1) right += truth
  return right
}

async function* comparedLetters(
  rows: readonly (readonly string[])[],
  [name, profile, column]: readonly [string, string, number],
  asked: Asked = {},
): AsyncGenerator<Verdict> {
  const suite = catalogSuite(name)
  for (const [i, row] of rows.entries()) {
    const ours = await lettersOf(suite, profile, row[0]!, asked)
    const theirs = row[column]!
    const difference =
      ours === theirs ? null : `${JSON.stringify(row[0]!.slice(0, 80))}: ours "${ours}", theirs "${theirs}"`
    yield verdict(`${name}/${profile}[${i}]`, difference)
  }
}

export const readers: Check = async function* (file) {
  const { replies } = repliesFile.parse(file)
  for (const each of READERS) yield* comparedLetters(replies, each)
}

export const cvBench: Check = async function* (file) {
  yield* comparedLetters(repliesFile.parse(file).replies, ['cv-bench', 'official', 1])
}

export const vlmevalkit: Check = async function* (file) {
  const { options, replies } = repliesFile.extend({ options: z.array(z.string()) }).parse(file)
  for (const name of ['blink', '3dsrbench']) yield* comparedLetters(replies, [name, 'vlmevalkit', 1], { options })
}

export const mmsiVideo: Check = async function* (file) {
  const { replies } = repliesFile.parse(file)
  yield* comparedLetters(replies, ['mmsi-video', 'official', 1])
  yield* comparedLetters(replies, ['mmsi-video', 'lmms-eval', 2])
}

const sparFile = z.object({
  letters: z.array(z.tuple([z.string(), z.string()])),
  amounts: z.array(z.tuple([z.string(), z.string(), z.string(), z.number()])),
})

export const spar: Check = async function* (file) {
  const { letters, amounts } = sparFile.parse(file)
  for (const name of ['spar-bench', 'spar-bench-tiny']) {
    yield* comparedLetters(letters, [name, 'official', 1], { cells: { task: 'spatial_imagination_oc' } })
    const suite = catalogSuite(name)
    for (const [i, [task, reply, written, score]] of amounts.entries()) {
      const truth = task === 'view_change_infer' ? movesOf(written) : Number(written)
      const ours = await gradeOf(suite, 'official', { options: null, truth, cells: { task } }, reply)
      const difference = close(ours, score)
        ? null
        : `${JSON.stringify(reply)} for ${written}: ours ${ours}, theirs ${score}`
      yield verdict(`${name} amounts[${i}]`, difference)
    }
  }
}

/** Right minus left, up minus down, forward minus backward, and turns. */
function movesOf(written: string): number[] {
  const moves = new Map(written.split(',').map((item) => item.split(':') as [string, string]))
  const amount = (name: string): number => Number(moves.get(name) ?? 0)
  return [
    amount('move_right') - amount('move_left'),
    amount('move_up') - amount('move_down'),
    amount('move_forward') - amount('move_backward'),
    amount('rotate_right') - amount('rotate_left'),
    amount('rotate_up') - amount('rotate_down'),
  ]
}

const robospatialFile = z.object({
  outline: z.array(z.array(z.number())),
  points: z.array(z.tuple([z.string(), z.boolean()])),
  yesNo: z.array(z.tuple([z.string(), z.string()])),
})

export const robospatial: Check = async function* (file) {
  const { outline, points, yesNo } = robospatialFile.parse(file)
  const suite = catalogSuite('robospatial-home')
  const isRight = async (category: string, truth: boolean | number[], reply: string): Promise<boolean> =>
    (await gradeOf(suite, 'official', { options: null, truth, cells: { category } }, reply)) === 1
  const corners = outline.flat()
  for (const [i, [reply, right]] of points.entries()) {
    const ours = await isRight('context', corners, reply)
    yield verdict(`points[${i}]`, ours === right ? null : `${JSON.stringify(reply)}: ours ${ours}, theirs ${right}`)
  }
  for (const [i, [reply, said]] of yesNo.entries()) {
    const yes = await isRight('compatibility', true, reply)
    const no = await isRight('compatibility', false, reply)
    const ours = yes ? 'yes' : no ? 'no' : ''
    yield verdict(`yesNo[${i}]`, ours === said ? null : `${JSON.stringify(reply)}: ours "${ours}", theirs "${said}"`)
  }
}

const revsiFile = z.object({ replies: z.array(z.tuple([z.string(), z.number(), z.number()])) })

export const revsi: Check = async function* (file) {
  const { replies } = revsiFile.parse(file)
  const cells = { question_type: 'object_counting_single' }
  for (const name of ['revsi', 'revsi-16', 'revsi-64', 'revsi-all']) {
    const suite = catalogSuite(name)
    for (const [i, [reply, truth, score]] of replies.entries()) {
      const ours = await gradeOf(suite, 'official', { options: null, truth, cells }, reply)
      const difference = close(ours, score)
        ? null
        : `${JSON.stringify(reply)} for ${truth}: ours ${ours}, theirs ${score}`
      yield verdict(`${name} replies[${i}]`, difference)
    }
  }
}
