/**
 * Ten pictures of built-in scenes with a question and its answer each, and the map that goes with it:
 * `npx tsx scripts/vsi-pictures.ts` writes docs/suites/vsi/.
 */
import { mkdir, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { type Bitmap, decodeImage, encodeJpeg, resizeBitmap, svgToPng } from '../src/media/index.ts'
import { seenThings } from '../src/world/geometry/index.ts'
import { fromYawPitch, type Pose } from '../src/world/render/index.ts'
import { headingOf } from '../src/suites/vsi/agent/pose.ts'
import { optionText, type VsiCase } from '../src/suites/vsi/case.ts'
import { makeCases } from '../src/suites/vsi/source/builtin-questions.ts'
import { builtScene } from '../src/suites/vsi/scene/built.ts'
import { FILM_VIEW, filmCamera } from '../src/suites/vsi/scene/film-view.ts'
import { cameraAt } from '../src/suites/vsi/scene/stage.ts'
import { loadStage } from '../src/suites/vsi/scene/stages.ts'
import { drawTopDown } from '../src/suites/vsi/top-down.ts'
import { ANSWER_UNITS, isNumberType, QUESTION_TYPES, TYPE_TITLES } from '../src/suites/vsi/types.ts'

const SEED = 7
const folder = new URL('../docs/suites/vsi/', import.meta.url).pathname
const UNITS: Readonly<Record<string, string>> = { m: ' m', cm: ' cm', m2: ' m²' }
const WIDTH = 640
/** As many pixels of a film's frame as make a thing count as seen. */
const SEEN_PIXELS = 640 * 480 * 0.004

await mkdir(folder, { recursive: true })
const page = [
  '# Ten questions about built-in scenes',
  '',
  'One of each type, with the truth as it was computed from the scene, two of the views that show the things asked about,',
  'and the room from above. Made by `npx tsx scripts/vsi-pictures.ts`.',
  '',
]
for (const [i, type] of QUESTION_TYPES.entries()) {
  const kase = firstOfType(type, i)
  const name = `${String(i + 1).padStart(2, '0')}-${type}.jpg`
  await writeFile(join(folder, name), await sheet(kase))
  const answer = answerText(kase)
  page.push(`## ${i + 1}. ${TYPE_TITLES[type]}`, '', kase.question, '')
  if (kase.options) page.push(...kase.options.map((option) => `- ${option}`), '')
  page.push(`**Answer: ${answer}**`, '', `![${kase.labels['scene']}](${name})`, '')
  console.log(name, answer)
}
await writeFile(join(folder, 'README.md'), `${page.join('\n').trimEnd()}\n`)

/** Another scene for each type, so that ten different ones are seen. */
function firstOfType(type: string, from: number): VsiCase {
  for (let index = from; ; index++) {
    const kase = makeCases(SEED, index, 'lit').find((each) => each.type === type)
    if (kase) return kase
  }
}

function answerText({ type, truth, options }: VsiCase): string {
  if (isNumberType(type)) return `${truth}${UNITS[ANSWER_UNITS[type] ?? ''] ?? ''}`
  return `${truth}. ${optionText(options![truth.charCodeAt(0) - 65]!)}`
}

/** The two views that together show most of what the question names, beside the map. */
async function sheet(kase: VsiCase): Promise<Uint8Array> {
  if (kase.scene.kind !== 'builtin') throw new Error('only built-in scenes are drawn')
  const stage = await loadStage(kase.scene)
  const { tour } = builtScene(kase.scene.scene, kase.scene.seed)
  const named = new Set((kase.things ?? []).map(({ category }) => category))
  const wanted = new Set(stage.objects.filter(({ category }) => named.has(category)).map(({ instance }) => instance))
  const film = kase.type === 'obj_appearance_order'
  const poses = film
    ? tour().frames.map(({ pose }) => pose)
    : [stage.start, ...stage.viewpoints().map(([x, y]) => [x, y, stage.start[2]] as const)].flatMap((eye) =>
        Array.from({ length: 12 }, (_, k) => fromYawPitch(eye, k * 30)),
      )
  const views = chosenViews(poses, (pose) =>
    seenThings(
      stage.renderer.render(film ? filmCamera(pose) : cameraAt(pose), {
        width: 640,
        height: 480,
        color: false,
        ids: true,
      }).ids,
      640,
    ),
  )
  const pictures = views.map((pose) => {
    const camera = film ? filmCamera(pose) : cameraAt(pose)
    const { width, height } = FILM_VIEW
    const { color } = stage.renderer.render(camera, { width, height, antialias: true })
    return { width, height, channels: 3 as const, data: color }
  })
  const path = views.map((pose) => ({
    position: pose.position,
    heading: headingOf(pose),
    asked: null,
    done: null,
    blocked: false,
  }))
  const text = `${kase.question}\n${kase.options ? `${kase.options.join(' · ')}\n` : ''}Answer: ${answerText(kase)}`
  const map = await drawTopDown(stage, path, kase.things ?? [], text)
  return joined(pictures, map.png)

  function chosenViews(all: readonly Pose[], look: (pose: Pose) => ReturnType<typeof seenThings>): Pose[] {
    const scored = all.map((pose) => {
      const things = look(pose).filter(({ instance }) => wanted.size === 0 || wanted.has(instance))
      const large = things.filter(({ pixels }) => pixels > (film ? SEEN_PIXELS : 300))
      return { pose, seen: new Set(large.map(({ instance }) => instance)) }
    })
    if (film) {
      // When each category is first seen, in their order.
      const order = optionText(kase.options![kase.truth.charCodeAt(0) - 65]!).split(', ')
      return order.map((name) => {
        const instances = stage.objects.filter(({ category }) => category === name).map(({ instance }) => instance)
        return scored.find(({ seen }) => instances.some((instance) => seen.has(instance)))!.pose
      })
    }
    const first = scored.reduce((best, each) => (each.seen.size > best.seen.size ? each : best))
    // What the first does not show, or else the same from another side.
    const worth = ({ pose, seen }: (typeof scored)[number]): number => {
      const added = [...seen].filter((instance) => !first.seen.has(instance)).length
      const turned = Math.abs(((headingOf(pose) - headingOf(first.pose) + 540) % 360) - 180)
      return added * 100 + (turned >= 60 ? seen.size : 0)
    }
    return [first.pose, scored.reduce((best, each) => (worth(each) > worth(best) ? each : best)).pose]
  }
}

/** Pictures on the left, two below each other or four in a square; the map on the right. */
async function joined(pictures: readonly Bitmap[], map: Uint8Array): Promise<Uint8Array> {
  const right = await decodeImage(map)
  const columns = pictures.length > 2 ? 2 : 1
  const width = WIDTH / columns
  const tall = (width * 3) / 4
  const height = Math.max(tall * Math.ceil(pictures.length / columns), right.height)
  const placed = await Promise.all(
    pictures.map(async (bitmap, k) => {
      const [x, y] = [(k % columns) * width, Math.floor(k / columns) * tall]
      const href = `data:image/jpeg;base64,${Buffer.from(await encodeJpeg(bitmap)).toString('base64')}`
      const number = `<text x="${x + 12}" y="${y + 28}" font-size="22" fill="#fff" stroke="#000" stroke-width="4" paint-order="stroke" font-family="DejaVu Sans">${k}</text>`
      return `<image href="${href}" x="${x}" y="${y}" width="${width}" height="${tall}"/>${number}`
    }),
  )
  const plan = `<image href="data:image/png;base64,${Buffer.from(map).toString('base64')}" x="${WIDTH}" y="0" width="${right.width}" height="${right.height}"/>`
  const svg = `<svg xmlns="http://www.w3.org/2000/svg" width="${WIDTH + right.width}" height="${height}"><rect width="100%" height="100%" fill="#fff"/>${placed.join('')}${plan}</svg>`
  const whole = await decodeImage(await svgToPng(svg))
  const shown = await resizeBitmap(whole, Math.round(whole.width * 0.8), Math.round(whole.height * 0.8))
  return encodeJpeg(shown, { quality: 80 })
}
