/**
 * Draws a question of each type with its answer, views of its objects, and the room from above:
 * `npx tsx scripts/vsi-pictures.ts [number…]` writes docs/suites/vsi/samples.md and the images of all or the given types.
 */
import { fileURLToPath } from 'node:url'
import { mkdir, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { headingOf } from '../src/suites/vsi/domain/pose.ts'
import { optionText, type VsiSample } from '../src/suites/vsi/samples/sample.ts'
import { builtScene } from '../src/suites/vsi/domain/scene/built.ts'
import { DataFiles } from '../src/engine/data-files.ts'
import { loadStage } from '../src/suites/vsi/domain/scene/stages.ts'
import { makeSamples } from '../src/suites/vsi/samples/builtin-questions.ts'
import { drawTopDown } from '../src/suites/vsi/play/top-down.ts'
import { ANSWER_UNITS, isNumberType, QUESTION_TYPES, TYPE_TITLES } from '../src/suites/vsi/domain/question-types.ts'
import { marksFor } from './vsi-pictures/marks.ts'
import { sheetOf } from './vsi-pictures/sheet.ts'
import { bestViews, firstAppearances } from './vsi-pictures/views.ts'

const SEED = 7
const folder = fileURLToPath(new URL('../docs/suites/vsi/', import.meta.url))
const UNITS: Readonly<Record<string, string>> = { m: ' m', cm: ' cm', m2: ' m²' }
const only = process.argv.slice(2).map(Number)

await mkdir(folder, { recursive: true })
const page = [
  '# VSI: one sample of each question type',
  '',
  'One question per type, each from a different built-in scene of seed 7 (an example; the default is seed 0). The ground truth is computed from the scene. Each',
  'image shows views of the objects in the question, marked, and the room from above with the measurements behind the',
  'answer. The model sees neither the marks nor the map. Drawn by `npx tsx scripts/vsi-pictures.ts`.',
  '',
  '[Back to VSI](index.md)',
  '',
]
for (const [i, type] of QUESTION_TYPES.entries()) {
  const sample = firstOfType(type, i)
  const name = `${String(i + 1).padStart(2, '0')}-${type}.jpg`
  if (only.length === 0 || only.includes(i + 1)) await writeFile(join(folder, name), await sheet(sample))
  const answer = answerText(sample)
  page.push(`## ${i + 1}. ${TYPE_TITLES[type]}`, '', sample.question, '')
  if (sample.options) page.push(...sample.options.map((option) => `- ${option}`), '')
  page.push(`**Answer: ${answer}**`, '', `![${TYPE_TITLES[type]} in a built-in ${sample.labels['scene']}](${name})`, '')
  console.log(name, answer)
}
await writeFile(join(folder, 'samples.md'), `${page.join('\n').trimEnd()}\n`)

/** Starts at a different scene for each type, to show ten scenes. */
function firstOfType(type: string, from: number): VsiSample {
  for (let index = from; ; index += QUESTION_TYPES.length) {
    const sample = makeSamples({ seed: SEED, index, look: 'lit', level: 'medium', knobs: {} }).find(
      (each) => each?.type === type,
    )
    if (sample) return sample
  }
}

function answerText({ type, truth, options }: VsiSample): string {
  if (isNumberType(type)) return `${truth}${UNITS[ANSWER_UNITS[type] ?? ''] ?? ''}`
  return `${truth}. ${optionText(options![truth.charCodeAt(0) - 65]!)}`
}

async function sheet(sample: VsiSample): Promise<Uint8Array> {
  if (sample.scene.kind !== 'builtin') throw new Error('expected a built-in scene')
  const stage = await loadStage(sample.scene, new DataFiles())
  const built = builtScene(sample.scene)
  const views =
    sample.type === 'obj_appearance_order' ? firstAppearances(sample, stage, built) : bestViews(sample, stage)
  const path = views.map(({ camera: { pose } }) => ({
    position: pose.position,
    heading: headingOf(pose),
    asked: null,
    done: null,
    blocked: false,
  }))
  const text = `${sample.question}\n${sample.options ? `${sample.options.join(' · ')}\n` : ''}Answer: ${answerText(sample)}`
  const map = await drawTopDown(stage, path, sample.things ?? [], text, { marks: marksFor(sample, built) })
  return sheetOf(stage, views, map.png)
}
