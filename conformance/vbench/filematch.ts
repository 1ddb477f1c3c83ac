/** Which video belongs to which prompt. */
import { z } from 'zod'
import { DIMENSION_FACTS, isDimension, SAMPLES } from '../../src/suites/vbench/domain/dimensions.ts'
import { actionOfFile } from '../../src/suites/vbench/measure/rules/action.ts'
import { officialName, promptOfFile } from '../../src/suites/vbench/domain/names.ts'
import { type Check, eachCase, firstDifference, listed, verdict } from '../agreement/check.ts'

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
  prompt_from_filename: listed,
  human_action_label_from_path: listed,
})

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
  // The prompts themselves are not part of this repository; src/suites/vbench/cases/prompt-suite.test.ts checks them.
  for (const [name, { prompts, files }] of Object.entries(parsed.suite.per_dimension)) {
    const known = isDimension(name) ? DIMENSION_FACTS[name].prompts : null
    yield verdict(
      `suite.${name}`,
      firstDifference({ prompts: known, files: (known ?? 0) * SAMPLES }, { prompts, files }),
    )
  }
  yield* eachCase('prompt_from_filename', parsed.prompt_from_filename, promptFrom, function* ({ path, prompt }) {
    yield verdict(`prompt_from_filename.${path}`, firstDifference(promptOfFile(path), prompt))
  })
  const labels = 'human_action_label_from_path'
  yield* eachCase(labels, parsed.human_action_label_from_path, labelFrom, function* ({ file: path, label }) {
    yield verdict(`${labels}.${path}`, firstDifference(actionOfFile(path), label))
  })
}
