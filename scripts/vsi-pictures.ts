/**
 * Ten questions about built-in scenes, each with its answer, pictures that show why it is true, and the map:
 * `npx tsx scripts/vsi-pictures.ts [number…]` writes docs/suites/vsi/.
 */
import { mkdir, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { headingOf } from '../src/suites/vsi/agent/pose.ts'
import { optionText, type VsiCase } from '../src/suites/vsi/case.ts'
import { builtScene } from '../src/suites/vsi/scene/built.ts'
import { loadStage } from '../src/suites/vsi/scene/stages.ts'
import { makeCases } from '../src/suites/vsi/source/builtin-questions.ts'
import { drawTopDown } from '../src/suites/vsi/top-down.ts'
import { ANSWER_UNITS, isNumberType, QUESTION_TYPES, TYPE_TITLES } from '../src/suites/vsi/types.ts'
import { marksFor } from './vsi-pictures/marks.ts'
import { sheetOf } from './vsi-pictures/sheet.ts'
import { bestViews, firstAppearances } from './vsi-pictures/views.ts'

const SEED = 7
const folder = new URL('../docs/suites/vsi/', import.meta.url).pathname
const UNITS: Readonly<Record<string, string>> = { m: ' m', cm: ' cm', m2: ' m²' }
const only = process.argv.slice(2).map(Number)

await mkdir(folder, { recursive: true })
const page = [
  '# Ten questions about built-in scenes',
  '',
  'One of each type, each from another scene: the first that has such a question. Beside it the truth as it was computed',
  'from the scene, views that show the things asked about, and the room from above with what the answer is made of: the',
  'distances between closest points, the sides of rooms and things, the bearing, the way. Made by',
  '`npx tsx scripts/vsi-pictures.ts`.',
  '',
]
for (const [i, type] of QUESTION_TYPES.entries()) {
  const kase = firstOfType(type, i)
  const name = `${String(i + 1).padStart(2, '0')}-${type}.jpg`
  if (only.length === 0 || only.includes(i + 1)) await writeFile(join(folder, name), await sheet(kase))
  const answer = answerText(kase)
  page.push(`## ${i + 1}. ${TYPE_TITLES[type]}`, '', kase.question, '')
  if (kase.options) page.push(...kase.options.map((option) => `- ${option}`), '')
  page.push(`**Answer: ${answer}**`, '', `![${kase.labels['scene']}](${name})`, '')
  console.log(name, answer)
}
await writeFile(join(folder, 'README.md'), `${page.join('\n').trimEnd()}\n`)

/** Another scene for each type, so that ten different ones are seen. */
function firstOfType(type: string, from: number): VsiCase {
  for (let index = from; ; index += QUESTION_TYPES.length) {
    const kase = makeCases(SEED, index, 'lit').find((each) => each.type === type)
    if (kase) return kase
  }
}

function answerText({ type, truth, options }: VsiCase): string {
  if (isNumberType(type)) return `${truth}${UNITS[ANSWER_UNITS[type] ?? ''] ?? ''}`
  return `${truth}. ${optionText(options![truth.charCodeAt(0) - 65]!)}`
}

async function sheet(kase: VsiCase): Promise<Uint8Array> {
  if (kase.scene.kind !== 'builtin') throw new Error('only built-in scenes are drawn')
  const stage = await loadStage(kase.scene)
  const built = builtScene(kase.scene.scene, kase.scene.seed)
  const views = kase.type === 'obj_appearance_order' ? firstAppearances(kase, stage, built) : bestViews(kase, stage)
  const path = views.map(({ camera: { pose } }) => ({
    position: pose.position,
    heading: headingOf(pose),
    asked: null,
    done: null,
    blocked: false,
  }))
  const text = `${kase.question}\n${kase.options ? `${kase.options.join(' · ')}\n` : ''}Answer: ${answerText(kase)}`
  const map = await drawTopDown(stage, path, kase.things ?? [], text, marksFor(kase, built))
  return sheetOf(stage, views, map.png)
}
