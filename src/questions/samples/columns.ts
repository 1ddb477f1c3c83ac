/** Which columns a suite's file refers to, and what for. */
import { allConditions, allRules, type QuestionsFile } from '../domain/format.ts'
import { fill, placeholders } from '../domain/template.ts'
import { cellText } from '../domain/truth.ts'
import type { Row } from '../../suite.ts'

/** Placeholders of prompts that are not columns. */
const BUILT_IN: ReadonlySet<string> = new Set(['question', 'options', 'letters'])

/** Columns that a name or a template refers to. */
export function columnsIn(nameOrTemplate: string | undefined): readonly string[] {
  if (nameOrTemplate === undefined) return []
  const named = placeholders(nameOrTemplate)
  return named.length > 0 ? named : [nameOrTemplate]
}

/** What a name or a template says of a row. */
export function valueOf(nameOrTemplate: string, texts: Readonly<Record<string, string>>): string {
  if (placeholders(nameOrTemplate).length > 0) return fill(nameOrTemplate, texts)
  return Object.hasOwn(texts, nameOrTemplate) ? texts[nameOrTemplate]! : ''
}

/** Columns that decide which rows are asked, and under which name. They are read when the data are opened. */
export function outlineColumns({ columns, data, ...file }: QuestionsFile): Map<string, string> {
  const needed = new Map<string, string>()
  const add = (use: string, names: readonly string[]): void => {
    for (const name of names) if (!needed.has(name)) needed.set(name, use)
  }
  add('columns.id', columnsIn(columns.id))
  add('columns.answer', [columns.answer ?? []].flat())
  add('columns.width', [columns.width ?? []].flat())
  add('columns.height', [columns.height ?? []].flat())
  add('columns.options', [columns.options ?? []].flat())
  add('columns.cluster', columnsIn(columns.cluster))
  for (const [label, column] of Object.entries(columns.labels)) add(`columns.labels.${label}`, columnsIn(column))
  add('data.where', Object.keys(data.where ?? {}))
  for (const when of allConditions({ columns, data, ...file })) add('when', Object.keys(when))
  // Guesses without looking depend on what is asked, unless there are options.
  const hasOpen = allRules({ columns, data, ...file }).some(({ answer }) => (answer?.kind ?? 'choice') !== 'choice')
  if (hasOpen && columns.question !== undefined) add('columns.question', [columns.question])
  return needed
}

/** Columns with the text of a question. */
export function textColumns(file: QuestionsFile): Map<string, string> {
  const needed = new Map<string, string>()
  const { question } = file.columns
  if (question !== undefined) needed.set(question, 'columns.question')
  for (const what of MEDIA)
    for (const source of mediaSources(file, what))
      if (what === 'video' || placeholders(source).length > 0)
        for (const column of columnsIn(source)) needed.set(column, `columns.${what}`)
  for (const { prompt } of allRules(file))
    for (const text of [prompt?.system, prompt?.text])
      for (const name of placeholders(text ?? '')) if (!BUILT_IN.has(name)) needed.set(name, `{${name}} in a prompt`)
  return needed
}

const MEDIA = ['images', 'video', 'sound'] as const

/** Columns and templates. */
export function mediaSources({ columns }: QuestionsFile, what: (typeof MEDIA)[number]): string[] {
  return [columns[what] ?? []].flat()
}

/** Columns whose cells are images or sounds, or paths of them. */
export function mediaColumns(file: QuestionsFile): Map<string, string> {
  const columns = new Map<string, string>()
  for (const what of ['images', 'sound'] as const)
    for (const source of mediaSources(file, what))
      if (placeholders(source).length === 0) columns.set(source, `columns.${what}`)
  return columns
}

export function textsOf(cells: Row, columns: Iterable<string>): Record<string, string> {
  const texts: Record<string, string> = {}
  for (const column of columns) texts[column] = cellText(Object.hasOwn(cells, column) ? cells[column] : null)
  return texts
}
