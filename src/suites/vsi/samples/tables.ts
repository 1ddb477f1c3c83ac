/** Which rows are asked: the sets of VSI-Bench, and the tables they are published in. */
import { readdir, readFile, stat } from 'node:fs/promises'
import { join } from 'node:path'
import { hashOf, UserError, fileErrorReason } from '../../../suite.ts'
import { readTable, type VsiRow, type VsiTable } from './rows.ts'
import { TINY_IDS } from './tiny.ts'

export const SETS = ['full', 'debiased', 'pruned', 'tiny'] as const
export type VsiSet = (typeof SETS)[number]

/** The whole benchmark in one table, best first: JSON lines, then Parquet as it was published before November 2025. */
const WHOLE = ['test.jsonl', 'test-00000-of-00001.parquet', 'test.parquet'] as const
/** Since then it is published in two parts, which together are the whole. */
const PARTS = {
  debiased: ['test_debiased.parquet', 'test_debiased.jsonl'],
  pruned: ['test_pruned.parquet', 'test_pruned.jsonl'],
} as const
const PRUNED_IDS = 'pruned_ids.txt'
const TINY = new Set(TINY_IDS)

export interface Rows {
  rows: readonly VsiRow[]
  /** Of the tables that were read. */
  hash: string
}

export async function rowsOfSet(root: string, set: VsiSet): Promise<Rows> {
  await checkFolder(root)
  if (set === 'debiased' || set === 'pruned') {
    const part = await firstFile(root, PARTS[set])
    const { rows, hash } = part === null ? await wholeOf(root, set) : await oneTable(part)
    // A part's rows say themselves what they are; in an older table nothing does.
    const known = rows.some(({ pruned }) => typeof pruned === 'boolean')
    if (part === null && !known) throw nothingFor(root, set, [...PARTS[set], PRUNED_IDS])
    return { rows: rows.filter(({ pruned }) => pruned == null || pruned === (set === 'pruned')), hash }
  }
  const whole = await wholeOf(root, set)
  return set === 'tiny' ? { ...whole, rows: whole.rows.filter(({ id }) => TINY.has(id)) } : whole
}

/** All rows, with what was pruned where the table or the list of ids tells. */
async function wholeOf(root: string, set: VsiSet): Promise<Rows> {
  const table = await firstFile(root, WHOLE)
  if (table === null) {
    const parts = await Promise.all([firstFile(root, PARTS.debiased), firstFile(root, PARTS.pruned)])
    const found = parts.filter((path) => path !== null)
    if (found.length < parts.length) throw nothingFor(root, set, [...WHOLE, PARTS.debiased[0], PARTS.pruned[0]])
    return joined(await Promise.all(found.map(readTable)))
  }
  const read = await oneTable(table)
  const list = join(root, PRUNED_IDS)
  if (read.rows.some(({ pruned }) => typeof pruned === 'boolean') || !(await isFile(list))) return read
  const ids = await readIds(list)
  return { ...read, rows: read.rows.map((row) => ({ ...row, pruned: ids.has(row.id) })) }
}

async function oneTable(path: string): Promise<Rows> {
  const { rows, sha256: hash } = await readTable(path)
  return { rows, hash }
}

function joined(tables: readonly VsiTable[]): Rows {
  const rows = tables.flatMap((table) => table.rows).sort((a, b) => a.id - b.id)
  const twice = rows.find(({ id }, i) => rows[i - 1]?.id === id)
  if (twice) throw new UserError(`The debiased and the pruned table both have a row with id ${twice.id}.`)
  return { rows, hash: hashOf(tables.map(({ sha256 }) => sha256)) }
}

function nothingFor(root: string, set: VsiSet, looked: readonly string[]): UserError {
  return new UserError(`There are no questions of the set "${set}" in ${root}: looked for ${looked.join(', ')}.`, {
    hint: 'Download the tables of nyu-visionx/VSI-Bench into this folder.',
  })
}

async function checkFolder(root: string): Promise<void> {
  try {
    await readdir(root)
  } catch (error) {
    throw new UserError(`The folder ${root} cannot be read: ${fileErrorReason(error)}.`, {
      hint: 'Write vsi-bench:/data/vsi.',
    })
  }
}

async function firstFile(root: string, names: readonly string[]): Promise<string | null> {
  for (const name of names) if (await isFile(join(root, name))) return join(root, name)
  return null
}

function isFile(path: string): Promise<boolean> {
  return stat(path).then(
    (found) => found.isFile(),
    () => false,
  )
}

/** One id a line; what follows a # is a remark. */
export async function readIds(path: string): Promise<Set<number>> {
  const text = await readFile(path, 'utf8').catch((error: unknown) => {
    throw new UserError(`The list ${path} cannot be read: ${fileErrorReason(error)}.`)
  })
  const ids = new Set<number>()
  for (const [i, line] of text.split('\n').entries()) {
    const word = line.replace(/#.*/, '').trim()
    if (word === '') continue
    if (!/^\d+$/.test(word)) throw new UserError(`${path}, line ${i + 1}: "${word.slice(0, 40)}" is not an id.`)
    ids.add(Number(word))
  }
  return ids
}
