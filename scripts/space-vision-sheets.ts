/**
 * `npx tsx scripts/space-vision-sheets.ts` draws ten scenes of space/vision: a sheet per scene with map, instruction
 * images and all views, at the size the player sees.
 */
import { fileURLToPath } from 'node:url'
import { mkdir } from 'node:fs/promises'
import sharp, { type OverlayOptions } from 'sharp'
import { escapeXml } from '../src/base/escape-xml.ts'
import { DRAWING_FONT } from '../src/media/fonts.ts'
import { svgToPng } from '../src/media/svg.ts'
import { drawEpisode } from './space-draw.ts'
import { generateScene } from '../src/suites/space/samples/generate.ts'
import { headingName } from '../src/suites/space/domain/grid/relations.ts'
import { HEADINGS, type Pose, type Scene } from '../src/suites/space/domain/grid/scene.ts'
import { entitiesOf, facingPhrase, poseAt, START, visibleEntities } from '../src/suites/space/domain/grid/view.ts'
import { calibrationImage, contactSheet } from '../src/suites/space/play/images/instructions.ts'
import { IMAGE_SIZE } from '../src/suites/space/domain/vision/camera.ts'
import { renderView } from '../src/suites/space/domain/vision/images.ts'

const folder = new URL('../docs/suites/space/', import.meta.url)
const SCENES = 10
/** Views are shown at their original size. */
const TILE = IMAGE_SIZE.fixed
const GAP = 8
const CAPTION = 46
/** Two anchors per row, four headings each. */
const COLUMNS = 8
const HEADER = TILE * 2
const QUALITY = 74

interface View {
  at: string
  pose: Pose
}

function viewsOf(scene: Scene): View[] {
  return ([START, ...entitiesOf(scene)] as const).flatMap((place) => {
    const at = typeof place === 'string' ? 'start' : place.name
    return HEADINGS.map((heading) => ({ at, pose: poseAt(scene, place, heading) }))
  })
}

async function header(scene: Scene, seed: number): Promise<OverlayOptions[]> {
  const side = TILE + GAP
  const map = svgToPng(drawEpisode({ scene, title: `scene ${seed}` }), { background: '#ffffff', scale: 2 })
  const fit = async (png: Uint8Array, width: number): Promise<Buffer> =>
    sharp(png).resize(width, HEADER, { fit: 'contain', background: '#ffffff' }).toBuffer()
  return [
    { input: await fit(await map, side * 3), left: 0, top: 0 },
    { input: Buffer.from(calibrationImage('fixed')), left: side * 3, top: TILE / 2 },
    { input: await fit(await contactSheet(scene), side * 4 - GAP), left: side * 4, top: 0 },
  ]
}

async function sheet(scene: Scene, seed: number): Promise<{ parts: OverlayOptions[]; height: number }> {
  const parts = await header(scene, seed)
  const views = viewsOf(scene)
  const top = HEADER + GAP
  for (const [i, { at, pose }] of views.entries()) {
    const { bitmap } = renderView(scene, pose, 'fixed')
    const raw = { width: bitmap.width, height: bitmap.height, channels: 3 as const }
    const left = (i % COLUMNS) * (TILE + GAP)
    const down = top + Math.floor(i / COLUMNS) * (TILE + CAPTION)
    parts.push({ input: await sharp(bitmap.data, { raw }).png().toBuffer(), left, top: down })
    parts.push({ input: await caption(at, scene, pose), left, top: down + TILE })
  }
  return { parts, height: top + Math.ceil(views.length / COLUMNS) * (TILE + CAPTION) }
}

/** Position and heading, and everything in view from left to right with its facing. */
async function caption(at: string, scene: Scene, pose: Pose): Promise<Buffer> {
  const { pos, heading } = pose
  const side = ({ pos: [x, y] }: { pos: readonly [number, number] }): number => {
    const [dx, dy] = [x - pos[0], y - pos[1]]
    return (dx * heading[1] - dy * heading[0]) / (dx * heading[0] + dy * heading[1])
  }
  const seen = visibleEntities(scene, pose)
    .toSorted((a, b) => side(a) - side(b))
    .map((entity) => [entity.name, entity.kind === 'object' ? facingPhrase(entity, pose) : undefined])
    .map(([name, facing]) => (facing === undefined ? name : `${name} (${facing.replace('facing ', '')})`))
  const line = (text: string, y: number, weight: string): string =>
    `<text x="2" y="${y}" font-size="14" font-weight="${weight}">${escapeXml(text)}</text>`
  const words = wrapped(seen.join(', ') || 'nothing', 70)
  const svg = `<svg xmlns="http://www.w3.org/2000/svg" width="${TILE}" height="${CAPTION}" font-family="${DRAWING_FONT}, sans-serif">${line(`${at}, facing ${headingName(heading)}`, 13, 'bold')}${words.map((text, i) => line(text, 28 + i * 14, 'normal')).join('')}</svg>`
  return Buffer.from(await svgToPng(svg, { background: '#ffffff' }))
}

/** Two lines at most. */
function wrapped(text: string, most: number): string[] {
  if (text.length <= most) return [text]
  const cut = text.lastIndexOf(', ', most) + 1 || most
  const rest = text.slice(cut).trim()
  return [text.slice(0, cut), rest.length > most ? `${rest.slice(0, most - 1)}…` : rest]
}

await mkdir(folder, { recursive: true })
for (let seed = 0; seed < SCENES; seed++) {
  const { parts, height } = await sheet(generateScene({ seed: `sheet/${seed}`, spacing: 'dataset' }), seed)
  const name = `scene-${String(seed).padStart(2, '0')}.webp`
  const width = COLUMNS * (TILE + GAP) - GAP
  const { size } = await sharp({ create: { width, height, channels: 3, background: '#ffffff' } })
    .composite(parts)
    .webp({ quality: QUALITY, effort: 6 })
    .toFile(fileURLToPath(new URL(name, folder)))
  console.log(`docs/suites/space/${name}: ${parts.length} images and captions, ${(size / 1e6).toFixed(2)} MB`)
}
