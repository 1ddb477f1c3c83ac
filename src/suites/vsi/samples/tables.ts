/** The sets of VSI-Bench, and the tables they are published in. */
import { readdir, stat } from 'node:fs/promises'
import { join } from 'node:path'
import { z } from 'zod'
import { hashOf, UserError, fileErrorReason, readRegularText } from '../../../suite.ts'
import { readTable, type VsiRow, type VsiTable } from './rows.ts'
import { TINY_IDS } from './tiny.ts'

export const SETS = ['full', 'debiased', 'pruned', 'tiny'] as const
export type VsiSet = (typeof SETS)[number]

/** The whole benchmark in one table, in order of preference: JSON lines, then Parquet as published before November 2025. */
const WHOLE_TABLES = ['test.jsonl', 'test-00000-of-00001.parquet', 'test.parquet'] as const
/** Since then it is published in two parts. */
const PART_TABLES = {
  debiased: ['test_debiased.parquet', 'test_debiased.jsonl'],
  pruned: ['test_pruned.parquet', 'test_pruned.jsonl'],
} as const
const PRUNED_IDS = 'pruned_ids.txt'
const TINY = new Set(TINY_IDS)

export interface Rows {
  rows: readonly VsiRow[]
  /** Hash of the tables that were read. */
  hash: string
}

export async function rowsOfSet(root: string, set: VsiSet): Promise<Rows> {
  await checkFolder(root)
  if (set === 'debiased' || set === 'pruned') {
    const part = await firstFile(root, PART_TABLES[set])
    const { rows, hash } = part === null ? await readWhole(root, set) : await readOne(part)
    // A part needs no `pruned` column; a whole table does.
    const known = rows.some(({ pruned }) => typeof pruned === 'boolean')
    if (part === null && !known) throw missingTable(root, set, [...PART_TABLES[set], PRUNED_IDS])
    return { rows: rows.filter(({ pruned }) => pruned == null || pruned === (set === 'pruned')), hash }
  }
  const whole = await readWhole(root, set)
  return set === 'tiny' ? { ...whole, rows: whole.rows.filter(({ id }) => TINY.has(id)) } : whole
}

/** All rows, marked as pruned or not if the table or the list of ids says so. */
async function readWhole(root: string, set: VsiSet): Promise<Rows> {
  const table = await firstFile(root, WHOLE_TABLES)
  if (table === null) {
    const parts = await Promise.all([firstFile(root, PART_TABLES.debiased), firstFile(root, PART_TABLES.pruned)])
    const found = parts.filter((path) => path !== null)
    if (found.length < parts.length)
      throw missingTable(root, set, [...WHOLE_TABLES, PART_TABLES.debiased[0], PART_TABLES.pruned[0]])
    return mergeParts(await Promise.all(found.map(readTable)))
  }
  const read = await readOne(table)
  const list = join(root, PRUNED_IDS)
  if (read.rows.some(({ pruned }) => typeof pruned === 'boolean') || !(await isFile(list))) return read
  const ids = await readIds(list)
  return { ...read, rows: read.rows.map((row) => ({ ...row, pruned: ids.has(row.id) })) }
}

async function readOne(path: string): Promise<Rows> {
  const { rows, sha256: hash } = await readTable(path)
  return { rows, hash }
}

function mergeParts(tables: readonly VsiTable[]): Rows {
  const rows = tables.flatMap((table) => table.rows).sort((a, b) => a.id - b.id)
  const duplicate = rows.find(({ id }, i) => rows[i - 1]?.id === id)
  if (duplicate) throw new UserError(`Both the debiased and the pruned table have a row with id ${duplicate.id}.`)
  return { rows, hash: hashOf(tables.map(({ sha256 }) => sha256)) }
}

function missingTable(root: string, set: VsiSet, candidates: readonly string[]): UserError {
  return new UserError(`No table for set=${set} in ${root}. Looked for ${candidates.join(', ')}.`, {
    hint: 'Download the tables of nyu-visionx/VSI-Bench into this folder.',
  })
}

async function checkFolder(root: string): Promise<void> {
  try {
    await readdir(root)
  } catch (error) {
    throw new UserError(`Cannot read folder ${root}: ${fileErrorReason(error)}.`, {
      hint: 'Use --source vsi-bench:/data/vsi.',
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

/** One entry per line, # starts a comment; or a JSON list, as the published agent's filters are. */
export async function readList(path: string): Promise<Set<string>> {
  const text = await readRegularText(path).catch((error: unknown) => {
    throw new UserError(`Cannot read ${path}: ${fileErrorReason(error)}.`)
  })
  if (text.trimStart().startsWith('[')) return new Set(jsonList(text, path))
  return new Set(text.split('\n').flatMap((line) => line.replace(/#.*/, '').trim() || []))
}

function jsonList(text: string, path: string): string[] {
  let value: unknown
  try {
    value = JSON.parse(text)
  } catch {
    throw new UserError(`${path} starts like a JSON list, but is not JSON.`)
  }
  const entries = z.array(z.union([z.string(), z.number()])).safeParse(value)
  if (!entries.success) throw new UserError(`${path} must be a JSON list of names or numbers.`)
  return entries.data.map(String)
}

export async function readIds(path: string): Promise<Set<number>> {
  const entries = await readList(path)
  const wrong = [...entries].find((entry) => !/^\d+$/.test(entry))
  if (wrong !== undefined) throw new UserError(`${path}: "${wrong.slice(0, 40)}" is not an id.`)
  return new Set([...entries].map(Number))
}
