/** What is known of all rows when the data are open: which are asked, under which name, and what is right. */
import { messageOf, UserError } from '../../suite.ts'
import { matches } from '../domain/basics.ts'
import { allConditions, profileNames, type QuestionsFile, type Rules, rulesFor } from '../domain/format.ts'
import type { Answer, QuestionSample } from '../domain/sample.ts'
import { needsSize } from '../domain/scale.ts'
import { readOptions, readTruth } from '../domain/truth.ts'
import { textsOf, valueOf } from './columns.ts'
import { CHUNK_ROWS, type DataRow, type DataRows } from './tables.ts'

const MAX_ID = 120

/** What is known of a row when the data are open. */
export interface Outline {
  /** Position among all rows. */
  at: number
  id: string
  cluster: string
  labels: Readonly<Record<string, string>>
  options: readonly string[] | null
  /** Empty if the answer is one of the options. */
  question: string
  /** Questions of one kind have the same labels and the same rules. */
  kind: string
  /** Null if it is an image, which is read later, or if there is a problem. */
  truth: Answer | null
  problem?: string
}

export async function outlinesOf(
  file: QuestionsFile,
  rows: DataRows,
  columns: readonly string[],
  scene: string | undefined,
): Promise<Outline[]> {
  const { where } = file.data
  const [profile] = profileNames(file)
  const rulesOf = sharedRules(file, profile)
  const groupOf = sharedGroups()
  const outlines: Outline[] = []
  const seen = new Map<string, number>()
  for (let from = 0; from < rows.count; from += 16 * CHUNK_ROWS) {
    const part = await rows.read(from, from + 16 * CHUNK_ROWS, columns)
    for (const [i, { cells }] of part.entries()) {
      const texts = textsOf(cells, columns)
      if (where !== undefined && !matches(where, texts)) continue
      const outline = outlineOf(file, scene, {
        at: from + i,
        cells,
        texts,
        rules: rulesOf(texts),
        groupOf,
      })
      const twin = seen.get(outline.id)
      if (twin !== undefined) {
        throw new UserError(`Rows ${twin + 1} and ${outline.at + 1} have the same id "${outline.id}".`, {
          hint: 'Choose other columns for columns.id, such as "{task}-{id}", or leave it out to use row numbers.',
        })
      }
      seen.set(outline.id, outline.at)
      outlines.push(outline)
    }
  }
  return outlines
}

function outlineOf(
  file: QuestionsFile,
  scene: string | undefined,
  {
    at,
    cells,
    texts,
    rules,
    groupOf,
  }: {
    groupOf: ReturnType<typeof sharedGroups>
    at: number
    cells: DataRow['cells']
    texts: Readonly<Record<string, string>>
    rules: Rules
  },
): Outline {
  const { columns } = file
  const named = columns.id === undefined ? '' : valueOf(columns.id, texts)
  const id = (/\s/.test(named) ? named.replaceAll(/\s+/g, '_') : named).slice(0, MAX_ID) || String(at + 1)
  const { labels, kind } = groupOf(columns.labels, texts, rules)
  const cluster = (scene === undefined ? '' : valueOf(scene, texts)) || id
  const isChoice = (rules.answer?.kind ?? 'choice') === 'choice'
  const question = isChoice || columns.question === undefined ? '' : valueOf(columns.question, texts)
  const known = { at, id, cluster, labels, kind, question }
  try {
    if (lacksSize(file, texts)) throw new Error('no width and height of the image')
    const options = optionsOf(columns.options, cells, rules.answer)
    if (rules.answer?.written === 'mask') return { ...known, options, truth: null }
    const truth = columns.answer === undefined ? null : cells[columns.answer]
    return { ...known, options, truth: readTruth(truth, options, rules.answer) }
  } catch (error) {
    return { ...known, options: null, truth: null, problem: messageOf(error) }
  }
}

export function sizeOf(
  { columns }: QuestionsFile,
  cells: Readonly<Record<string, string>>,
): Pick<QuestionSample, 'size'> {
  const [width, height] = [columns.width, columns.height].map((column) => Number(cells[column ?? ''] ?? Number.NaN))
  return width! > 0 && height! > 0 ? { size: [width!, height!] } : {}
}

/** Whether a profile converts pixels, and the row does not tell the size of its image. */
function lacksSize(file: QuestionsFile, texts: Readonly<Record<string, string>>): boolean {
  if (file.columns.width === undefined || sizeOf(file, texts).size !== undefined) return false
  return profileNames(file).some((profile) => needsSize(rulesFor(file, profile, texts)))
}

/** The same rules apply to all rows whose columns have the same values in conditions. */
function sharedRules(file: QuestionsFile, profile: string): (texts: Readonly<Record<string, string>>) => Rules {
  const columns = [...new Set(allConditions(file).flatMap((when) => Object.keys(when)))]
  const known = new Map<string, Rules>()
  return (texts) => {
    const key = columns.map((column) => texts[column]).join('\0')
    let rules = known.get(key)
    if (rules === undefined) known.set(key, (rules = rulesFor(file, profile, texts)))
    return rules
  }
}

interface Group {
  labels: Readonly<Record<string, string>>
  /** Questions of one kind have a most frequent answer. */
  kind: string
}

/** Many rows have the same labels: they share them. */
function sharedGroups(): (
  columns: Readonly<Record<string, string>>,
  texts: Readonly<Record<string, string>>,
  rules: Rules,
) => Group {
  const byAnswer = new Map<Rules['answer'], Map<string, Group>>()
  return (columns, texts, { answer }) => {
    const values = Object.values(columns).map((from) => valueOf(from, texts))
    let groups = byAnswer.get(answer)
    if (groups === undefined) byAnswer.set(answer, (groups = new Map()))
    const key = values.join('\0')
    let group = groups.get(key)
    if (group === undefined) {
      const labels = Object.fromEntries(Object.keys(columns).map((label, i) => [label, values[i]!]))
      groups.set(key, (group = { labels, kind: JSON.stringify([labels, answer]) }))
    }
    return group
  }
}

function optionsOf(
  columns: QuestionsFile['columns']['options'],
  cells: DataRow['cells'],
  answer: Rules['answer'],
): string[] | null {
  if ((answer?.kind ?? 'choice') !== 'choice') return null
  const unknown = answer?.letters === undefined ? null : Array.from({ length: answer.letters }, () => '')
  if (columns !== undefined) {
    try {
      return readOptions([columns].flat().map((column) => cells[column]))
    } catch (error) {
      if (unknown === null) throw error
    }
  }
  if (unknown !== null) return unknown
  throw new Error('a choice needs columns.options, or answer.letters')
}

/** Questions of one kind have a most frequent answer; the first one in the data on a tie. */
export function mostFrequent(outlines: readonly Outline[]): ReadonlyMap<string, Answer> {
  const counts = new Map<string, Map<string, { truth: Answer; count: number }>>()
  for (const { kind, truth } of outlines) {
    if (truth === null) continue
    const ofKind = counts.get(kind) ?? new Map<string, { truth: Answer; count: number }>()
    counts.set(kind, ofKind)
    const key = typeof truth === 'string' ? truth : JSON.stringify(truth)
    const entry = ofKind.get(key) ?? { truth, count: 0 }
    entry.count++
    ofKind.set(key, entry)
  }
  return new Map(
    [...counts].map(([kind, answers]) => [
      kind,
      [...answers.values()].reduce((best, each) => (each.count > best.count ? each : best)).truth,
    ]),
  )
}
