/** The public prompt suite, from the user's own checkout of it. */
import { stat } from 'node:fs/promises'
import { join } from 'node:path'
import { z } from 'zod'
import { canonicalJson, codeOf, hashOf, UserError, fileErrorReason, readRegularText } from '../../../suite.ts'
import { CATEGORIES, type Category, type Dimension, DIMENSION_FACTS, DIMENSIONS, LISTS } from '../domain/dimensions.ts'
import { parseResults } from '../published/results.ts'
import { nameProblem } from '../domain/names.ts'
import { builtinPromptSuite } from './builtin.ts'
import { readFullInfo } from './full-info.ts'
import { openSister, sisterOf } from './sister-suites.ts'
import {
  type PromptEntry,
  type PromptFacts,
  type PromptSuite,
  repeated,
  sharedPromptRemarks,
} from '../domain/prompts.ts'

const FULL_INFO = 'VBench_full_info.json'
const PER_CATEGORY = 100
const HINT = 'Give a checkout of github.com/Vchitect/VBench, or "builtin".'

/** `builtin`, a checkout of the public repository, `i2v:` or `vbench2:` with one, or a file of the form of VBench_full_info.json. */
export async function openPromptSuite(where: string): Promise<PromptSuite> {
  if (where === 'builtin') return builtinPromptSuite()
  const sister = sisterOf(where)
  if (sister !== null) return openSister(where, sister)
  const found = await stat(where).catch(() => null)
  if (!found) throw new UserError(`File or folder not found: ${where}`, { hint: HINT })
  const root = found.isDirectory() ? where : null
  const infoFile = root === null ? where : await firstThere([join(root, 'vbench', FULL_INFO), join(root, FULL_INFO)])
  if (infoFile === null) {
    throw new UserError(`${where} is not a VBench checkout: it has neither vbench/${FULL_INFO} nor ${FULL_INFO}.`, {
      hint: 'Give the folder that has "prompts" and "vbench" in it.',
    })
  }
  const entries = readFullInfo(parseResults(await readRegularText(infoFile), infoFile, HINT), infoFile)
  if (entries.length === 0) throw new UserError(`${infoFile} has no prompts in it.`)
  const { categories, remarks } = await readCategories(root)
  return {
    name: where,
    dimensions: DIMENSIONS,
    fingerprint: hashOf([entries, categories]),
    entries,
    categories,
    remarks: [
      ...countRemarks(entries, categories),
      ...(root === null ? [] : [...(await listRemarks(root, entries)), ...(await metadataRemarks(root, entries))]),
      ...nameRemarks(entries),
      ...remarks,
    ],
  }
}

async function firstThere(paths: readonly string[]): Promise<string | null> {
  for (const path of paths) if (await stat(path).catch(() => null)) return path
  return null
}

/** Lines of a prompt list: trimmed, none empty, accents composed. */
export async function readLines(path: string): Promise<string[] | null> {
  let text: string
  try {
    text = await readRegularText(path)
  } catch (error) {
    if (codeOf(error) === 'ENOENT') return null
    throw new UserError(`${path} cannot be read: ${fileErrorReason(error)}.`, { cause: error })
  }
  return text
    .replace(/^\uFEFF/, '')
    .split(/\r?\n/)
    .map((line) => line.trim().normalize('NFC'))
    .filter((line) => line !== '')
}

type CategoryLists = Readonly<Record<Category, readonly string[]>>

async function readCategories(root: string | null): Promise<{ categories: CategoryLists; remarks: string[] }> {
  const none = CATEGORIES.map((name): [Category, string[]] => [name, []])
  const categories = Object.fromEntries(none) as Record<Category, string[]>
  const remarks: string[] = []
  if (root === null) return { categories, remarks }
  for (const name of CATEGORIES) {
    const path = join(root, 'prompts', 'prompts_per_category', `${name}.txt`)
    const lines = await readLines(path)
    if (lines === null) remarks.push(`the list of category ${name} is not there (${path})`)
    else if (lines.length !== PER_CATEGORY) {
      remarks.push(`category ${name} has ${lines.length} prompts, the published one ${PER_CATEGORY}`)
    }
    categories[name] = lines ?? []
  }
  return { categories, remarks }
}

function promptsOf(entries: readonly PromptEntry[], dimension: Dimension): string[] {
  return entries.filter(({ dimensions }) => dimensions.includes(dimension)).map(({ prompt }) => prompt)
}

function countRemarks(entries: readonly PromptEntry[], categories: CategoryLists): string[] {
  const remarks: string[] = []
  for (const dimension of DIMENSIONS) {
    const count = promptsOf(entries, dimension).length
    const published = DIMENSION_FACTS[dimension].prompts
    if (count !== published) remarks.push(`${dimension} has ${count} prompts, the published suite ${published}`)
  }
  remarks.push(...sharedPromptRemarks(entries))
  const inTwo = repeated(CATEGORIES.flatMap((name) => categories[name]))
  for (const prompt of inTwo) remarks.push(`two categories have the prompt "${prompt}": they share its videos`)
  return remarks
}

/** The lists next to the full file must say the same. */
async function listRemarks(root: string, entries: readonly PromptEntry[]): Promise<string[]> {
  const remarks: string[] = []
  for (const list of LISTS) {
    const lines = await readLines(join(root, 'prompts', 'prompts_per_dimension', `${list}.txt`))
    if (lines === null) continue
    const inFile = promptsOf(entries, list)
    const wrong = Math.max(lines.length, inFile.length)
    let at = 0
    while (at < wrong && lines[at] === inFile[at]) at++
    if (at < wrong) remarks.push(`the list ${list}.txt and ${FULL_INFO} differ from line ${at + 1} on`)
  }
  const all = await readLines(join(root, 'prompts', 'all_dimension.txt'))
  if (all && (all.length !== entries.length || all.some((line, i) => line !== entries[i]!.prompt))) {
    remarks.push(`all_dimension.txt and ${FULL_INFO} differ`)
  }
  return remarks
}

/** What the metadata next to the lists say of a prompt, by list: the published evaluator reads only the full file. */
const METADATA: Readonly<Record<string, (row: MetadataRow) => PromptFacts>> = {
  object_class: (row) => ({ object: row['object_en'] ?? '' }),
  multiple_objects: (row) => ({ object: row['object_en'] ?? '' }),
  color: (row) => ({ color: row['color_en'] ?? '' }),
  appearance_style: (row) => ({ style: row['style_en'] ?? '' }),
  spatial_relationship: (row) => ({
    relation: { a: row['object_a_en'] ?? '', b: row['object_b_en'] ?? '', relation: row['relationship_en'] ?? '' },
  }),
}
const metadataRows = z.array(z.record(z.string(), z.string()))
type MetadataRow = Readonly<Record<string, string>>

async function metadataRemarks(root: string, entries: readonly PromptEntry[]): Promise<string[]> {
  const remarks: string[] = []
  for (const [list, factsOf] of Object.entries(METADATA)) {
    const path = join(root, 'prompts', 'metadata', `${list}.json`)
    const text = await readRegularText(path).catch(() => null)
    if (text === null) continue
    const rows = metadataRows.safeParse(parseResults(text, path, HINT))
    const own = entries.filter(({ dimensions }) => dimensions.some((name) => name === list))
    const agrees =
      rows.success &&
      rows.data.length === own.length &&
      rows.data.every((row, i) => {
        const { prompt, facts } = own[i]!
        return row['prompt_en']?.trim() === prompt && canonicalJson(factsOf(row)) === canonicalJson(facts)
      })
    if (!agrees) remarks.push(`metadata/${list}.json and ${FULL_INFO} differ`)
  }
  return remarks
}

function nameRemarks(entries: readonly PromptEntry[]): string[] {
  return entries.flatMap(({ prompt }) => {
    const problem = nameProblem(prompt)
    return problem === null ? [] : [`the prompt ${JSON.stringify(prompt)} ${problem}: its videos get a safe name`]
  })
}
