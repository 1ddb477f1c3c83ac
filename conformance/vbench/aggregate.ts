/** Totals from dimensions, for VBench and its relatives. */
import { z } from 'zod'
import {
  type Dimension,
  DIMENSION_FACTS,
  DIMENSIONS,
  isDimension,
  QUALITY,
  SEMANTIC,
  spacedName,
} from '../../src/suites/vbench/domain/dimensions.ts'
import { publishedUpload } from '../../src/suites/vbench/published/results.ts'
import { vbench2Totals } from '../../src/suites/vbench/published/vbench2-totals.ts'
import { i2vTotals, publishedTotals, QUALITY_WEIGHT, SEMANTIC_WEIGHT } from '../../src/suites/vbench/domain/totals.ts'
import { type Check, eachCase, firstDifference, listed, type Verdict, verdict } from '../agreement/check.ts'
import { raises, refused } from './shared.ts'

const numbers = z.record(z.string(), z.number())
const numbersOrNaN = z.record(z.string(), z.number().nullable())
const totals = z.object({
  normalized_unweighted: numbersOrNaN.optional(),
  normalized_weighted: numbersOrNaN.optional(),
  quality: z.number().nullable(),
  semantic: z.number().nullable(),
  total: z.number().nullable(),
})

const aggregateFile = z.object({
  constants: z.object({
    normalize: z.record(z.string(), z.object({ Min: z.number(), Max: z.number() })),
    dim_weight: numbers,
    quality_list: z.array(z.string()),
    semantic_list: z.array(z.string()),
    quality_weight: z.number(),
    semantic_weight: z.number(),
  }),
  cases: listed,
  submission_cases: listed,
  i2v_cases: listed,
  vbench2_cases: listed,
})
const totalsCase = z.object({
  id: z.string(),
  raw: z.record(z.string(), z.number().nullable()),
  expected: totals,
})
const submissionCase = z.object({
  id: z.string(),
  files: z.array(z.object({ path: z.string(), json: z.unknown().optional(), text: z.string().optional() })),
  upload: z.record(z.string(), z.unknown()).nullish(),
  expected: z.union([raises, totals]),
})
const I2V_TITLES: Readonly<Record<string, string>> = {
  camera_motion: 'Video-Text Camera Motion',
  i2v_subject: 'Video-Image Subject Consistency',
  i2v_background: 'Video-Image Background Consistency',
}
const titleOf = (name: string): string => spacedName(name).replaceAll(/\b\w/g, (letter) => letter.toUpperCase())
const i2vCase = z.object({
  id: z.string(),
  raw: numbers,
  expected: z.object({
    quality: z.number(),
    i2v: z.number(),
    total: z.number(),
    normalized_weighted: numbers.optional(),
  }),
})
const vbench2Case = z.object({ id: z.string(), raw: numbers, expected: numbers })

function spaced(values: Readonly<Record<Dimension, number>>): Record<string, number | null> {
  return Object.fromEntries(DIMENSIONS.map((name) => [spacedName(name), withoutNaN(values[name])]))
}

/** NaN went into the file as null. */
function withoutNaN(value: number): number | null {
  return Number.isNaN(value) ? null : value
}

function compareTotals(where: string, raw: Readonly<Record<string, unknown>>, theirs: z.infer<typeof totals>): Verdict {
  const values: Partial<Record<Dimension, number>> = {}
  for (const [key, value] of Object.entries(raw)) {
    const name = key.replaceAll(' ', '_')
    if (isDimension(name)) values[name] = typeof value === 'number' ? value : Number.NaN
  }
  const ours = publishedTotals(values)
  const all = {
    normalized_unweighted: spaced(ours.normalised),
    normalized_weighted: spaced(ours.weighted),
    quality: withoutNaN(ours.quality),
    semantic: withoutNaN(ours.semantic),
    total: withoutNaN(ours.total),
  }
  return verdict(where, firstDifference(onlyKeysOf(all, theirs), theirs))
}

/** Files may say less than we compute. */
function onlyKeysOf(ours: Readonly<Record<string, unknown>>, theirs: object): Record<string, unknown> {
  return Object.fromEntries(Object.keys(theirs).map((key) => [key, ours[key]]))
}

export const aggregate: Check = function* (file) {
  const { constants, cases, submission_cases, i2v_cases, vbench2_cases } = aggregateFile.parse(file)
  const ours = {
    normalize: Object.fromEntries(
      DIMENSIONS.map((name) => [spacedName(name), { Min: DIMENSION_FACTS[name].min, Max: DIMENSION_FACTS[name].max }]),
    ),
    dim_weight: Object.fromEntries(DIMENSIONS.map((name) => [spacedName(name), DIMENSION_FACTS[name].weight])),
    quality_list: QUALITY.map(spacedName).toSorted(),
    semantic_list: SEMANTIC.map(spacedName).toSorted(),
    quality_weight: QUALITY_WEIGHT,
    semantic_weight: SEMANTIC_WEIGHT,
  }
  const theirs = {
    ...constants,
    quality_list: constants.quality_list.toSorted(),
    semantic_list: constants.semantic_list.toSorted(),
  }
  yield verdict('constants', firstDifference(ours, theirs))
  yield* eachCase('cases', cases, totalsCase, function* ({ id, raw, expected }) {
    yield compareTotals(id, raw, expected)
  })
  yield* eachCase('submission_cases', submission_cases, submissionCase, function* ({ id, files, upload, expected }) {
    const given = files.map(({ path, json, text }) => ({ path, text: text ?? JSON.stringify(json) }))
    if ('upstream_raises' in expected) {
      yield refused(id, expected.upstream_raises, () => publishedUpload(given))
      return
    }
    const read = publishedUpload(given)
    if (upload) yield verdict(`${id}.upload`, firstDifference(read, upload))
    yield compareTotals(id, read, expected)
  })
  yield* eachCase('i2v_cases', i2v_cases, i2vCase, function* ({ id, raw, expected }) {
    const { weighted, ...rest } = i2vTotals(raw)
    const titled = Object.entries(weighted).map(([name, value]) => [I2V_TITLES[name] ?? titleOf(name), value])
    const ours = { ...rest, normalized_weighted: Object.fromEntries(titled) as Record<string, number> }
    yield verdict(id, firstDifference(onlyKeysOf(ours, expected), expected))
  })
  yield* eachCase('vbench2_cases', vbench2_cases, vbench2Case, function* ({ id, raw, expected }) {
    yield verdict(id, firstDifference(vbench2Totals(raw), expected))
  })
}
