/** `npx tsx scripts/space-vision-sheets.ts`: ten scenes of space/vision with what is seen in them, into docs/suites/space. */
import { mkdir } from 'node:fs/promises'
import sharp, { type OverlayOptions } from 'sharp'
import { DRAWING_FONT } from '../src/media/fonts.ts'
import { escapeSvg, svgToPng } from '../src/media/svg.ts'
import { drawEpisode } from '../src/suites/space/draw.ts'
import { generateScene } from '../src/suites/space/grid/generate.ts'
import { headingName } from '../src/suites/space/grid/relations.ts'
import { HEADINGS, type Pose, type Scene } from '../src/suites/space/grid/scene.ts'
import { entitiesOf, poseAt, START, visibleEntities } from '../src/suites/space/grid/view.ts'
import { contactSheet } from '../src/suites/space/vision/instructions.ts'
import { drawView } from '../src/suites/space/vision/pictures.ts'

const folder = new URL('../docs/suites/space/', import.meta.url)
const SCENES = 10
const TILE = 192
const CAPTION = 30
const COLUMNS = 10
const QUALITY = 72

interface View {
  at: string
  pose: Pose
}

/** Everything that can be seen: the start all around, then every anchor towards where most is in view. */
function viewsOf(scene: Scene): View[] {
  const places = [START, ...entitiesOf(scene)] as const
  return places.flatMap((place) => {
    const at = place === START ? 'start' : place.name
    const views = HEADINGS.map((heading) => ({ at, pose: poseAt(scene, place, heading) }))
    const busiest = views.toSorted((a, b) => count(scene, b.pose) - count(scene, a.pose))
    return place === START ? views : busiest.slice(0, place.kind === 'door' ? 2 : 1)
  })
}

function count(scene: Scene, pose: Pose): number {
  return visibleEntities(scene, pose).length
}

async function row(scene: Scene, seed: number, top: number): Promise<{ parts: OverlayOptions[]; height: number }> {
  const map = await sharp(await svgToPng(drawEpisode({ scene, title: `scene ${seed}` }), { background: '#ffffff' }))
    .resize(TILE * 3, TILE * 2, { fit: 'contain', background: '#ffffff' })
    .toBuffer()
  const objects = await sharp(await contactSheet(scene))
    .resize(TILE * 5, TILE * 2, { fit: 'contain', background: '#ffffff' })
    .toBuffer()
  const parts: OverlayOptions[] = [
    { input: map, left: 0, top },
    { input: objects, left: TILE * 3, top },
  ]
  const views = viewsOf(scene)
  const first = top + TILE * 2 + 8
  for (const [i, { at, pose }] of views.entries()) {
    const { bitmap } = drawView(scene, pose, 'fixed')
    const raw = { width: bitmap.width, height: bitmap.height, channels: 3 as const }
    const left = (i % COLUMNS) * TILE
    const down = first + Math.floor(i / COLUMNS) * (TILE + CAPTION)
    parts.push({
      input: await sharp(bitmap.data, { raw })
        .resize(TILE - 4, TILE - 4)
        .png()
        .toBuffer(),
      left,
      top: down,
    })
    parts.push({
      input: await caption(`${at}, facing ${headingName(pose.heading)}`, scene, pose),
      left,
      top: down + TILE - 4,
    })
  }
  return { parts, height: TILE * 2 + 8 + Math.ceil(views.length / COLUMNS) * (TILE + CAPTION) + 12 }
}

async function caption(title: string, scene: Scene, pose: Pose): Promise<Buffer> {
  const seen = visibleEntities(scene, pose).map(({ name }) => name)
  const line = (text: string, y: number, weight: string): string =>
    `<text x="2" y="${y}" font-size="10" font-weight="${weight}">${escapeSvg(text.length > 34 ? `${text.slice(0, 33)}…` : text)}</text>`
  const svg = `<svg xmlns="http://www.w3.org/2000/svg" width="${TILE}" height="${CAPTION}" font-family="${DRAWING_FONT}, sans-serif">${line(title, 11, 'bold')}${line(seen.join(', ') || 'nothing', 23, 'normal')}</svg>`
  return Buffer.from(await svgToPng(svg, { background: '#ffffff' }))
}

await mkdir(folder, { recursive: true })
for (const [name, from, to] of [
  ['pictures-1.jpg', 0, SCENES / 2],
  ['pictures-2.jpg', SCENES / 2, SCENES],
] as const) {
  const parts: OverlayOptions[] = []
  let top = 0
  for (let seed = from; seed < to; seed++) {
    const made = await row(generateScene({ seed: `sheet/${seed}`, spacing: 'dataset' }), seed, top)
    parts.push(...made.parts)
    top += made.height
  }
  const { size } = await sharp({ create: { width: COLUMNS * TILE, height: top, channels: 3, background: '#ffffff' } })
    .composite(parts)
    .jpeg({ quality: QUALITY, mozjpeg: true })
    .toFile(new URL(name, folder).pathname)
  console.log(`docs/suites/space/${name}: ${to - from} scenes, ${(size / 1e6).toFixed(2)} MB`)
}
