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
  add('columns.answer', [columns.answer])
  add('columns.options', [columns.options ?? []].flat())
  add('columns.cluster', columnsIn(columns.cluster))
  for (const [label, column] of Object.entries(columns.labels)) add(`columns.labels.${label}`, columnsIn(column))
  add('data.where', Object.keys(data.where ?? {}))
  for (const when of allConditions({ columns, data, ...file })) add('when', Object.keys(when))
  return needed
}

/** Columns with the text of a question. */
export function textColumns(file: QuestionsFile): Map<string, string> {
  const needed = new Map<string, string>()
  const { question, video } = file.columns
  if (question !== undefined) needed.set(question, 'columns.question')
  for (const column of columnsIn(video)) needed.set(column, 'columns.video')
  for (const path of imageSources(file).filter((source) => placeholders(source).length > 0))
    for (const column of columnsIn(path)) needed.set(column, 'columns.images')
  for (const { prompt } of allRules(file))
    for (const text of [prompt?.system, prompt?.text])
      for (const name of placeholders(text ?? '')) if (!BUILT_IN.has(name)) needed.set(name, `{${name}} in a prompt`)
  return needed
}

export function imageSources({ columns }: QuestionsFile): string[] {
  return [columns.images ?? []].flat()
}

/** Columns whose cells are images or paths of images. */
export function imageColumns(file: QuestionsFile): string[] {
  return imageSources(file).filter((source) => placeholders(source).length === 0)
}

export function textsOf(cells: Row, columns: Iterable<string>): Record<string, string> {
  const texts: Record<string, string> = {}
  for (const column of columns) texts[column] = cellText(Object.hasOwn(cells, column) ? cells[column] : null)
  return texts
}
