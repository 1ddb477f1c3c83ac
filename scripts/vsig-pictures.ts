/** `npx tsx scripts/vsig-pictures.ts`: draws ten clips with gestures, ground truth and answers, for docs/suites/vsig. */
import { mkdir, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { Random } from '../src/base/random.ts'
import { type Bitmap, decodeImage, encodeJpeg, resizeBitmap, svgToPng } from '../src/media/index.ts'
import { DataFiles } from '../src/engine/data-files.ts'
import { baselines } from '../src/suites/vsig/baselines.ts'
import type { VsigSample } from '../src/suites/vsig/samples/sample.ts'
import { ClipRenderer } from '../src/suites/vsig/samples/clips/draw.ts'
import { type ClipPlan, HEIGHT, planClip, WIDTH } from '../src/suites/vsig/samples/clips/plan.ts'
import { FPS } from '../src/suites/vsig/samples/clips/timing.ts'
import { clipSample } from '../src/suites/vsig/samples/builtin.ts'
import { vsigOptions } from '../src/suites/vsig/options.ts'
import { overlaySvg, timelineSvg } from '../src/suites/vsig/play/drawings.ts'
import { compareAnswer } from '../src/suites/vsig/score.ts'
import type { BaselineInput } from '../src/suites/vsig/play.ts'

const folder = join(import.meta.dirname, '../docs/suites/vsig')
const SEED = 21
/** All templates answered correctly, then typical mistakes. */
const SHEETS: readonly (readonly [index: number, player: keyof typeof baselines])[] = [
  [0, 'oracle'],
  [1, 'oracle'],
  [2, 'oracle'],
  [3, 'oracle'],
  [4, 'oracle'],
  [5, 'oracle'],
  [9, 'reference'],
  [11, 'reference'],
  [10, 'finger-ray'],
  [17, 'random'],
]
const options = vsigOptions.parse({})
const THUMB = { width: 232, height: 130 }
const GAP = 8

await mkdir(folder, { recursive: true })
for (const [number, [index, player]] of SHEETS.entries()) {
  const sample = clipSample({ seed: SEED, index, language: 'en', level: 'medium' })
  if (sample.origin.kind !== 'clip') throw new Error('not a built-in clip')
  const plan = planClip(sample.origin)
  const renderer = new ClipRenderer(plan)
  const name = `${String(number + 1).padStart(2, '0')}-${sample.labels.template}-${player}.jpg`
  const svg = await sheet(sample, plan, renderer, answerOf(sample, plan, player))
  const image = await decodeImage(await svgToPng(svg), { channels: 3 })
  await writeFile(join(folder, name), await encodeJpeg(image, { quality: 80 }))
  console.log(name, plan.text)
}

function answerOf(sample: VsigSample, plan: ClipPlan, player: keyof typeof baselines): string {
  const baselineInput: BaselineInput = {
    kind: 'clip',
    shown: { width: WIDTH, height: HEIGHT },
    durationMs: plan.durationMs,
    frames: null,
  }
  const start = baselines[player].start(sample, {
    random: new Random(`picture/${sample.id}`),
    options,
    profile: 'seed',
    files: new DataFiles(),
  })
  const origin = { sampleId: sample.id, ordinal: 0, role: 'player' } as const
  const reply = start({ messages: [], sampling: {}, epoch: 0, origin, baselineInput })
  if (typeof reply !== 'string') throw new Error('expected a synchronous baseline')
  return reply
}

/** The gestures on top, then the last frame with ground truth and answer, then the timeline. */
async function sheet(sample: VsigSample, plan: ClipPlan, renderer: ClipRenderer, reply: string): Promise<string> {
  const shown = { width: WIDTH, height: HEIGHT }
  const result = compareAnswer(sample, { reply, shown }, options)
  const last = renderer.frame(plan.frames - 1)
  const overlay = overlaySvg(sample, result, last, await encodeJpeg(last))
  const timeline = timelineSvg(sample, result, plan.durationMs)
  const heights = [overlay, timeline].map((svg) => Number(/height="(\d+)"/.exec(svg)![1]))
  const thumbs = await Promise.all(
    plan.gestures
      .filter(({ slot }) => slot !== null)
      .map(async ({ hold }, i) => {
        const frame = Math.round(((hold[0] + hold[1]) / 2000) * FPS)
        const small = await resizeBitmap(renderer.frame(frame), THUMB.width, THUMB.height)
        const x = GAP + i * (THUMB.width + GAP)
        return `<image x="${x}" y="${GAP}" width="${THUMB.width}" height="${THUMB.height}" href="${await uri(small)}"/>
<circle cx="${x + 16}" cy="${GAP + 16}" r="12" fill="#fff"/><text x="${x + 16}" y="${GAP + 21}" font-family="DejaVu Sans" font-size="14" font-weight="bold" text-anchor="middle">${i + 1}</text>`
      }),
  )
  const top = THUMB.height + 2 * GAP
  const embedded = (svg: string): string => `data:image/svg+xml;base64,${Buffer.from(svg).toString('base64')}`
  const height = top + heights[0]! + heights[1]!
  return `<svg xmlns="http://www.w3.org/2000/svg" width="${WIDTH}" height="${height}" viewBox="0 0 ${WIDTH} ${height}">
<rect width="${WIDTH}" height="${height}" fill="#fff"/>
${thumbs.join('\n')}
<image y="${top}" width="${WIDTH}" height="${heights[0]!}" href="${embedded(overlay)}"/>
<image y="${top + heights[0]!}" width="${WIDTH}" height="${heights[1]!}" href="${embedded(timeline)}"/>
</svg>`
}

async function uri(bitmap: Bitmap): Promise<string> {
  return `data:image/jpeg;base64,${Buffer.from(await encodeJpeg(bitmap)).toString('base64')}`
}
