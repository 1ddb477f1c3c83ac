/** The prompts of VBench-I2V and VBench-2.0, from the user's own checkout: `i2v:PATH`, `vbench2:PATH`. */
import { stat } from 'node:fs/promises'
import { join } from 'node:path'
import { z } from 'zod'
import { hashOf, readRegularText, UserError } from '../../../suite.ts'
import { CATEGORIES, type Category, type Dimension, DIMENSION_FACTS, I2V_DIMENSIONS } from '../domain/dimensions.ts'
import type { PromptEntry, PromptSuite } from '../domain/prompts.ts'
import {
  type Asked,
  JUDGED_DIMENSIONS,
  type JudgedDimension,
  VBENCH2_NAME_LENGTH,
  VBENCH2_SAMPLES,
} from '../domain/vbench2.ts'
import { parseResults } from '../published/results.ts'
import { readFullInfo } from './full-info.ts'

interface Sister extends Pick<PromptSuite, 'dimensions' | 'samples' | 'nameLength'> {
  /** Of its list of prompts in a checkout. */
  file: string
  read: (value: unknown, where: string) => PromptEntry[]
}

const SISTERS = {
  i2v: {
    file: join('vbench2_beta_i2v', 'vbench2_i2v_full_info.json'),
    dimensions: I2V_DIMENSIONS,
    read: (value, where) => readFullInfo(value, where).filter(({ facts }) => facts.image !== undefined),
  },
  vbench2: {
    file: join('VBench-2.0', 'vbench2', 'VBench2_full_info.json'),
    dimensions: JUDGED_DIMENSIONS,
    samples: VBENCH2_SAMPLES,
    nameLength: VBENCH2_NAME_LENGTH,
    read: readVbench2,
  },
} as const satisfies Record<string, Sister>
export type SisterName = keyof typeof SISTERS

/** Which benchmark a name such as `i2v:/data/VBench` is of; null for VBench itself. */
export function sisterOf(where: string): SisterName | null {
  const [prefix] = where.split(':', 1)
  return (Object.keys(SISTERS) as SisterName[]).find((name) => name === prefix && where.includes(':')) ?? null
}

/** The name with another path. */
export function withPath(name: string, change: (path: string) => string): string {
  const sister = sisterOf(name)
  return sister === null ? change(name) : `${sister}:${change(name.slice(sister.length + 1))}`
}

const HINT = 'Give a checkout of github.com/Vchitect/VBench.'

export async function openSister(name: string, sister: SisterName): Promise<PromptSuite> {
  const { file, read, ...about }: Sister = SISTERS[sister]
  const where = name.slice(sister.length + 1)
  const inCheckout = join(where, file)
  const found = await stat(inCheckout).catch(() => stat(where).catch(() => null))
  if (found === null) throw new UserError(`File or folder not found: ${where}`, { hint: HINT })
  if (found.isDirectory()) throw new UserError(`${where} is not a VBench checkout: it has no ${file}.`, { hint: HINT })
  const path = (await stat(inCheckout).catch(() => null)) === null ? where : inCheckout
  const entries = read(parseResults(await readRegularText(path), path, HINT), path)
  if (entries.length === 0) throw new UserError(`${path} has no prompts of this benchmark in it.`, { hint: HINT })
  const none = CATEGORIES.map((category): [Category, string[]] => [category, []])
  const countOf = (dimension: Dimension) => entries.filter(({ dimensions }) => dimensions.includes(dimension)).length
  const remarks = about.dimensions
    .filter((dimension) => DIMENSION_FACTS[dimension].list === sister)
    .filter((dimension) => countOf(dimension) !== DIMENSION_FACTS[dimension].prompts)
    .map((dimension) => {
      const published = DIMENSION_FACTS[dimension].prompts
      return `${dimension} has ${countOf(dimension)} prompts, the published suite ${published}`
    })
  return {
    name,
    ...about,
    fingerprint: hashOf([entries]),
    entries,
    categories: Object.fromEntries(none) as Record<Category, string[]>,
    remarks,
  }
}

const vbench2Entry = z.looseObject({
  prompt_en: z.string(),
  dimension: z.array(z.string()),
  auxiliary_info: z
    .union([
      z.array(z.string()),
      z.looseObject({ question: z.array(z.string()), judge: z.tuple([z.boolean(), z.boolean()]) }),
      z.string(),
    ])
    .optional(),
})

/** Dimensions that no judge answers are left out. */
function readVbench2(value: unknown, where: string): PromptEntry[] {
  const parsed = z.array(vbench2Entry).safeParse(value)
  if (!parsed.success) {
    const issue = parsed.error.issues[0]!
    throw new UserError(`${where} is not a list of prompts of VBench-2.0: ${issue.path.join('.')}: ${issue.message}`)
  }
  return parsed.data.flatMap(({ prompt_en, dimension, auxiliary_info: info }) => {
    const dimensions = JUDGED_DIMENSIONS.filter((name) => dimension.some((each) => each.toLowerCase() === name))
    if (dimensions.length === 0) return []
    const asked: Asked | null =
      info === undefined || typeof info === 'string'
        ? null
        : Array.isArray(info)
          ? { texts: info }
          : { texts: info.question, one: info.judge[0], all: info.judge[1] }
    const facts =
      asked === null
        ? {}
        : { asked: Object.fromEntries(dimensions.map((name) => [name, asked])) as Record<JudgedDimension, Asked> }
    return [{ prompt: prompt_en.trim().normalize('NFC'), dimensions, facts }]
  })
}
