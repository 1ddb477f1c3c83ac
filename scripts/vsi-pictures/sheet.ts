/** A sheet with views of the named objects on the left and the map on the right. */
import { escapeXml } from '../../src/base/escape-xml.ts'
import { type Bitmap, decodeImage, encodeJpeg, svgToPng } from '../../src/media/index.ts'
import { PUBLISHED_CAMERA } from '../../src/suites/vsi/domain/camera.ts'
import type { Stage } from '../../src/suites/vsi/domain/scene/stage.ts'
import { categoryOf, type View } from './views.ts'

const GAP = 8
const CAPTION = 22
const ONE_COLUMN = 560
const TWO_COLUMNS = 440
const QUALITY = 82

export async function sheetOf(stage: Stage, views: readonly View[], map: Uint8Array): Promise<Uint8Array> {
  const right = await decodeImage(map)
  const columns = views.length > 2 ? 2 : 1
  const width = columns === 2 ? TWO_COLUMNS : ONE_COLUMN
  const viewHeight = (width * PUBLISHED_CAMERA.height) / PUBLISHED_CAMERA.width
  const placed = await Promise.all(
    views.map(async (view, k) => {
      const x = (k % columns) * (width + GAP)
      const y = Math.floor(k / columns) * (viewHeight + CAPTION)
      return `<g transform="translate(${x} ${y})">${await drawView(stage, view, width, viewHeight)}</g>`
    }),
  )
  const left = columns * (width + GAP)
  const height = Math.max((viewHeight + CAPTION) * Math.ceil(views.length / columns), right.height)
  const plan = `<image href="data:image/png;base64,${Buffer.from(map).toString('base64')}" x="${left}" y="0" width="${right.width}" height="${right.height}"/>`
  const svg = `<svg xmlns="http://www.w3.org/2000/svg" width="${left + right.width}" height="${Math.ceil(height)}" font-family="DejaVu Sans"><rect width="100%" height="100%" fill="#fff"/>${placed.join('')}${plan}</svg>`
  return encodeJpeg(await decodeImage(await svgToPng(svg, { background: '#ffffff' })), { quality: QUALITY })
}

async function drawView(stage: Stage, view: View, width: number, height: number): Promise<string> {
  const size = { width: PUBLISHED_CAMERA.width, height: PUBLISHED_CAMERA.height }
  const { color } = stage.renderer.render(view.camera, { ...size, antialias: true })
  const bitmap: Bitmap = { ...size, channels: 3, data: color }
  const href = `data:image/jpeg;base64,${Buffer.from(await encodeJpeg(bitmap)).toString('base64')}`
  const scale = width / size.width
  const outlines = view.seen.map(({ instance, x1, y1, x2, y2 }) => {
    const [x, y] = [x1 * scale, y1 * scale]
    const inside = Math.min(Math.max(x, 4), width - 90)
    return (
      `<rect x="${x}" y="${y}" width="${(x2 - x1 + 1) * scale}" height="${(y2 - y1 + 1) * scale}" fill="none" stroke="#e4572e" stroke-width="2"/>` +
      `<text x="${inside}" y="${Math.max(12, y - 4)}" font-size="12" fill="#7a1f00" stroke="#fff" stroke-width="3" paint-order="stroke">${escapeXml(categoryOf(stage, instance))}</text>`
    )
  })
  return (
    `<image href="${href}" width="${width}" height="${height}"/>${outlines.join('')}` +
    `<text x="2" y="${height + 15}" font-size="13" fill="#222">${escapeXml(view.caption)}</text>`
  )
}
