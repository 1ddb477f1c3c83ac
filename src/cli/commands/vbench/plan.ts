/** `sightline vbench plan` */
import { planTable } from '../../../suites/vbench/samples/plan.ts'
import { plural } from '../../../base/plural.ts'
import { columns, print } from '../../terminal/output.ts'
import { printableLines } from '../../../base/printable.ts'
import { planFrom, type PromptOptions } from './options.ts'

export async function plan(options: PromptOptions & { names?: boolean }): Promise<void> {
  const { plan: planned } = await planFrom(options)
  const { entries, prompts, videos, collisions } = planned
  if (options.names) {
    print(videos.map(({ file }) => printableLines(file)).join('\n'))
    return
  }
  if (options.json) {
    const counts = { entries: entries.length, prompts: prompts.length, videos: videos.length }
    const table = { suite: planned.promptSuite, counts, dimensions: planTable(planned), collisions, prompts }
    print(JSON.stringify(table, null, 1))
    return
  }
  const rows = planTable(planned).map((row) => [row.dimension, row.list, String(row.prompts), String(row.videos)])
  if (rows.length > 0) print(columns([['dimension', 'list', 'prompts', 'videos'], ...rows], '  ', Infinity))
  for (const category of new Set(prompts.flatMap((prompt) => prompt.categories))) {
    const own = prompts.filter((prompt) => prompt.categories.includes(category))
    const count = own.reduce((sum, { samples }) => sum + samples, 0)
    print(columns([[category, 'category', String(own.length), String(count)]]))
  }
  print(
    `\n${plural(entries.length, 'entry', 'entries')}, ${plural(prompts.length, 'prompt')}, ${plural(videos.length, 'video')}`,
  )
  print('Dimensions share videos, so the columns add up to more.')
  for (const group of collisions) {
    print(printableLines(`These prompts differ only in case: ${group.map((each) => `"${each}"`).join(', ')}`))
  }
}
