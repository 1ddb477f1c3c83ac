/** Reads a suite's file. Everything that can be wrong with it is found here, before anything is asked. */
import type { z } from 'zod'
import { didYouMean, messageOf, Pattern, UserError } from '../suite.ts'
import { scoreFits } from './score.ts'
import { allRules, profileNames, type QuestionsFile, questionsFile, type Rules, rulesFor } from './domain/format.ts'
import { needsSize, scalesOf } from './domain/scale.ts'
import type { TotalPart } from './domain/total-format.ts'
import { parseYaml, readWhole, withCatalog } from './extend.ts'

const MAX_PROBLEMS = 5

export async function readQuestionsFile(path: string, name: string): Promise<QuestionsFile> {
  return checkedFile(await readWhole(path, name), name)
}

/** @param name for messages */
export function parseQuestionsFile(text: string, name: string): QuestionsFile {
  return checkedFile(withCatalog(parseYaml(text, name), name), name)
}

function checkedFile(content: unknown, name: string): QuestionsFile {
  const parsed = questionsFile.safeParse(content)
  if (!parsed.success) {
    const problems = parsed.error.issues.slice(0, MAX_PROBLEMS).map((issue) => `  ${problemOf(issue)}`)
    throw new UserError(`${name} is not a question suite:\n${problems.join('\n')}`, {
      hint: 'The format is described in docs/questions.md.',
    })
  }
  checkRules(parsed.data, name)
  return parsed.data
}

function problemOf(issue: z.core.$ZodIssue): string {
  const at = issue.path.map(String).join('.') || 'the file'
  if (issue.code === 'unrecognized_keys')
    return `${at}: unknown ${issue.keys.map((key) => `"${key.slice(0, 60)}"`).join(', ')}`
  return `${at}: ${issue.message}`
}

/** Patterns that do not compile, scores that do not fit the answer, labels that do not exist. */
function checkRules(file: QuestionsFile, name: string): void {
  for (const { read } of allRules(file)) {
    const rules = [...(read?.narrow ?? []), ...(read?.rules ?? [])]
    for (const rule of rules) {
      if (typeof rule === 'string' || !('pattern' in rule)) continue
      compiled(rule, name)
    }
  }
  for (const { pattern } of Object.values(file.data.derive ?? {})) compiled({ pattern, ignoreCase: false }, name)
  for (const profile of profileNames(file)) {
    for (const cells of [{}, ...(file.cases ?? []).map(({ when }) => firstOf(when))]) {
      const problem = ruleProblem(rulesFor(file, profile, cells), file.columns)
      if (problem !== null) throw new UserError(`${name}: ${problem}.`)
    }
  }
  const labels = Object.keys(file.columns.labels)
  const { also = [], ...total } = file.total ?? {}
  for (const label of [total, ...also].flatMap(totalLabels)) {
    if (labels.includes(label)) continue
    throw new UserError(`${name}: total refers to the label "${label}", which columns.labels does not have.`, {
      hint: labels.length === 0 ? 'Add it to columns.labels.' : didYouMean(label, labels, 'Labels'),
    })
  }
}

function ruleProblem(rules: Rules, columns: QuestionsFile['columns']): string | null {
  const { kind = 'choice', written, axes } = rules.answer ?? {}
  if (rules.score !== undefined && !scoreFits(kind, rules.score))
    return `score ${JSON.stringify(rules.score)} does not fit answers of kind ${kind}`
  if (kind === 'moves' && axes === undefined) return 'answers of kind moves need answer.axes'
  const isMask = written === 'mask'
  if (isMask && (kind !== 'point' || columns.mask === undefined))
    return 'written: mask is for answers of kind point, and needs columns.mask'
  if (!isMask && columns.answer === undefined) return 'columns.answer is missing'
  const { replies, data } = scalesOf(rules)
  return needsSize(rules) && (columns.width === undefined || columns.height === undefined)
    ? `points and boxes in ${data} and in ${replies} need columns.width and columns.height`
    : null
}

function compiled({ pattern, ignoreCase }: { pattern: string; ignoreCase: boolean }, name: string): Pattern {
  try {
    return new Pattern(pattern, { ignoreCase })
  } catch (error) {
    throw new UserError(`${name}: pattern ${pattern.slice(0, 100)}: ${messageOf(error)}.`, { cause: error })
  }
}

function firstOf(when: Readonly<Record<string, unknown>>): Record<string, string> {
  return Object.fromEntries(Object.entries(when).map(([column, values]) => [column, String([values].flat()[0])]))
}

function totalLabels({ by, where = {}, mean = [] }: TotalPart): string[] {
  return [...(by === undefined ? [] : [by]), ...Object.keys(where), ...mean.flatMap(totalLabels)]
}
