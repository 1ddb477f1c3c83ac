/** Which video belongs to which prompt. */
import { z } from 'zod'
import { CATEGORIES, DIMENSION_FACTS, isDimension, SAMPLES } from '../../src/suites/vbench/dimensions.ts'
import { actionOfFile } from '../../src/suites/vbench/rules/action.ts'
import { officialName, promptOfFile } from '../../src/suites/vbench/videos/names.ts'
import {
  matchCategory,
  matchCustomFile,
  matchCustomFolder,
  matchStandard,
  type PublishedMatch,
} from '../../src/suites/vbench/videos/published-match.ts'
import { type Check, eachCase, firstDifference, listed, verdict } from '../agreement/check.ts'
import { raises, refused } from './shared.ts'

const infoEntry = z.object({ prompt_en: z.string(), dimension: z.array(z.string()) })
const matchCase = z.object({
  id: z.string(),
  mode: z.enum(['vbench_standard', 'custom_input', 'vbench_category']),
  dimension_list: z.array(z.string()),
  listing_in_os_order: z.array(z.string()),
  special_str: z.string().optional(),
  prompt_list: z.union([z.array(z.string()), z.record(z.string(), z.string())]).optional(),
  videos_path_is_file: z.string().optional(),
  category: z.string().optional(),
  expected: z.union([
    raises,
    z.object({
      entries: z.array(z.object({ prompt_en: z.string(), matched: z.array(z.string()) })),
      missing: z.array(z.string()),
    }),
  ]),
})
const counted = z.object({ prompts: z.int(), files: z.int() })
const expectedName = z.object({
  prompt_en: z.string(),
  utf8_bytes: z.int(),
  expected_files: z.array(z.string()),
  max_filename_bytes: z.int(),
})
const promptFrom = z.object({ path: z.string(), prompt: z.string() })
const labelFrom = z.object({ file: z.string(), label: z.string() })
const filematchFile = z.object({
  expected_names: listed,
  suite: z.object({ full_info_entries: z.int(), per_dimension: z.record(z.string(), counted) }),
  mini_suite_full_info: z.array(infoEntry),
  cases: listed,
  prompt_from_filename: listed,
  human_action_label_from_path: listed,
})

function matched(suite: z.infer<typeof infoEntry>[], given: z.infer<typeof matchCase>): PublishedMatch {
  const { mode, dimension_list: dimensions, listing_in_os_order: listing, prompt_list: prompts } = given
  if (mode === 'vbench_category') return matchCategory(dimensions, given.category ?? CATEGORIES.join())
  if (mode === 'vbench_standard') {
    const entries = suite.map((entry) => ({ prompt: entry.prompt_en, dimensions: entry.dimension }))
    return matchStandard(entries, dimensions, listing, given.special_str)
  }
  if (given.videos_path_is_file !== undefined) {
    return matchCustomFile(dimensions, given.videos_path_is_file, Array.isArray(prompts) ? prompts : [])
  }
  return matchCustomFolder(dimensions, listing, prompts === undefined || Array.isArray(prompts) ? null : prompts)
}

export const filematch: Check = function* (file) {
  const parsed = filematchFile.parse(file)
  yield* eachCase('expected_names', parsed.expected_names, expectedName, function* (sample) {
    const { prompt_en, utf8_bytes, expected_files, max_filename_bytes } = sample
    const names = Array.from({ length: SAMPLES }, (_, index) => officialName(prompt_en, index))
    const ours = {
      bytes: Buffer.byteLength(prompt_en),
      names,
      longest: Math.max(...names.map((name) => Buffer.byteLength(name))),
    }
    const theirs = { bytes: utf8_bytes, names: expected_files, longest: max_filename_bytes }
    yield verdict(`expected_names.${prompt_en}`, firstDifference(ours, theirs))
  })
  // The prompts themselves are not part of this repository; src/suites/vbench/suite/suite.test.ts checks them.
  for (const [name, { prompts, files }] of Object.entries(parsed.suite.per_dimension)) {
    const known = isDimension(name) ? DIMENSION_FACTS[name].prompts : null
    yield verdict(
      `suite.${name}`,
      firstDifference({ prompts: known, files: (known ?? 0) * SAMPLES }, { prompts, files }),
    )
  }
  yield* eachCase('cases', parsed.cases, matchCase, function* (given) {
    const { id, expected } = given
    if ('upstream_raises' in expected) {
      yield refused(id, expected.upstream_raises, () => matched(parsed.mini_suite_full_info, given))
      return
    }
    const { entries, missing } = matched(parsed.mini_suite_full_info, given)
    const ours = { entries: entries.map(({ prompt, matched }) => ({ prompt_en: prompt, matched })), missing }
    yield verdict(id, firstDifference(ours, expected))
  })
  yield* eachCase('prompt_from_filename', parsed.prompt_from_filename, promptFrom, function* ({ path, prompt }) {
    yield verdict(`prompt_from_filename.${path}`, firstDifference(promptOfFile(path), prompt))
  })
  const labels = 'human_action_label_from_path'
  yield* eachCase(labels, parsed.human_action_label_from_path, labelFrom, function* ({ file: path, label }) {
    yield verdict(`${labels}.${path}`, firstDifference(actionOfFile(path), label))
  })
}
