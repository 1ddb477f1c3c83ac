/** Mesh retrieval: prompts word for word, and tournaments of images with replies of all kinds. */
import { createHash } from 'node:crypto'
import { z } from 'zod'
import { publishedSelection } from '../../src/suites/articulate/play/retrieve/parse.ts'
import { prompts } from '../../src/suites/articulate/play/retrieve/play.ts'
import { tournament } from '../../src/suites/articulate/play/retrieve/tournament.ts'
import { type Check, firstDifference, verdict } from '../agreement/check.ts'

const file = z.object({
  prompts: z.record(z.string(), z.string()),
  tournaments: z.array(
    z.object({
      id: z.string(),
      candidates: z.number(),
      max_images: z.number(),
      replies: z.array(z.string()),
      expected: z.number().nullable(),
    }),
  ),
})

export const retrieval: Check = async function* (given) {
  const { prompts: texts, tournaments } = file.parse(given)
  for (const [name, hash] of Object.entries(texts)) {
    const ours = createHash('sha256').update(prompts.text(name)).digest('hex')
    yield verdict(`prompts.${name}`, firstDifference(ours, hash))
  }
  for (const { id, candidates, max_images, replies, expected } of tournaments) {
    let asked = 0
    const chosen = await tournament(
      Array.from({ length: candidates }, (_, i) => i),
      max_images,
      (batch) => {
        const at = publishedSelection(replies[asked++] ?? '', batch.length)
        return at === null ? null : batch[at]!
      },
    )
    yield verdict(`tournaments.${id}`, firstDifference({ chosen, asked }, { chosen: expected, asked: replies.length }))
  }
}
