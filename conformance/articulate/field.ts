/** Overlap of boxes, as the published code of SINGAPO measures it at rest. */
import { z } from 'zod'
import { generalizedIou, iou } from '../../src/suites/articulate/measure/field.ts'
import { type Check, firstDifference, verdict } from '../agreement/check.ts'
import { vec3 } from './shared.ts'

const corners = z.tuple([vec3, vec3]).transform(([min, max]) => ({ min, max }))
const file = z.object({
  boxes: z.array(z.object({ id: z.string(), a: corners, b: corners, iou: z.number(), giou: z.number() })),
})

export const field: Check = function* (given) {
  for (const { id, a, b, ...expected } of file.parse(given).boxes) {
    const ours = { iou: iou(a, b), giou: generalizedIou(a, b) }
    yield verdict(`boxes.${id}`, firstDifference(ours, expected))
  }
}
