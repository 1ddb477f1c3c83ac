/** Rewritten and translated lists: sample with the rewritten text, save and score under the original prompt. */
import { join } from 'node:path'
import { UserError } from '../../../suite.ts'
import { CATEGORIES } from '../domain/dimensions.ts'
import { readLines } from './checkout.ts'
import type { PromptSuite } from '../domain/prompts.ts'

/** Lists that a checkout has, line by line next to its combined lists. */
const KNOWN = {
  gpt: {
    dimensions: 'augmented_prompts/gpt_enhanced_prompts/all_dimension_longer.txt',
    categories: 'augmented_prompts/gpt_enhanced_prompts/all_category_longer.txt',
  },
  hunyuan: { dimensions: 'augmented_prompts/hunyuan_all_dimension.txt', categories: null },
  wan: { dimensions: 'augmented_prompts/Wan2.1-T2V-1.3B/all_dimension_aug_wanx_seed42.txt', categories: null },
  chinese: { dimensions: 'all_dimension_cn.txt', categories: null },
} as const

/** From original prompt to the text to sample with. */
export async function rewrittenTexts(promptSuite: PromptSuite, name: string): Promise<Map<string, string>> {
  const originals = promptSuite.entries.map(({ prompt }) => prompt)
  const known = Object.hasOwn(KNOWN, name) ? KNOWN[name as keyof typeof KNOWN] : null
  const texts = new Map<string, string>()
  const file = known === null ? name : join(promptSuite.name, 'prompts', known.dimensions)
  if (known !== null && promptSuite.name === 'builtin') {
    throw new UserError(`The built-in prompts have no list "${name}".`, {
      hint: 'Use a checkout of the public suite (--prompts PATH), or your own file with one text per prompt.',
    })
  }
  await align(file, originals, texts)
  if (known !== null && known.categories !== null) {
    const categories = CATEGORIES.flatMap((category) => promptSuite.categories[category])
    await align(join(promptSuite.name, 'prompts', known.categories), categories, texts)
  }
  return texts
}

/** A prompt that stands in two rows is sampled once: with the text of its first row. */
async function align(file: string, originals: readonly string[], texts: Map<string, string>): Promise<void> {
  const lines = await readLines(file)
  if (lines === null) {
    throw new UserError(`File not found: ${file}`, {
      hint: `Give a file with one text for every prompt, or one of: ${Object.keys(KNOWN).join(', ')}.`,
    })
  }
  if (lines.length !== originals.length) {
    throw new UserError(
      `${file} has ${lines.length} texts for ${originals.length} prompts: they must stand line by line.`,
    )
  }
  for (const [i, prompt] of originals.entries()) if (!texts.has(prompt)) texts.set(prompt, lines[i]!)
}
