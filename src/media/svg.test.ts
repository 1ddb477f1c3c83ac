import { expect, test } from 'vitest'
import { escapeXml } from '../base/escape-xml.ts'
import { decodeImage } from './image.ts'
import { svgToPng } from './svg.ts'

const drawing = (content: string) =>
  `<svg xmlns="http://www.w3.org/2000/svg" width="120" height="40"><rect width="120" height="40" fill="white"/>${content}</svg>`

test('renders at the SVG size times the scale', async () => {
  expect(await decodeImage(await svgToPng(drawing('')))).toMatchObject({ width: 120, height: 40 })
  expect(await decodeImage(await svgToPng(drawing(''), { scale: 2 }))).toMatchObject({ width: 240, height: 80 })
})

/** Number of dark pixels per ten columns. */
async function ink(text: string): Promise<number[]> {
  const label = `<text x="10" y="28" font-family="sans-serif" font-size="20">${escapeXml(text)}</text>`
  const { data, width } = await decodeImage(await svgToPng(drawing(label)), { channels: 1 })
  const columns = Array.from({ length: 12 }, () => 0)
  data.forEach((grey, i) => {
    if (grey < 128) columns[Math.floor((i % width) / 10)]!++
  })
  return columns
}

test('renders text with real glyphs', async () => {
  const dots = await ink('....')
  const letters = await ink('WWWW')
  const sum = (columns: number[]) => columns.reduce((total, count) => total + count, 0)
  expect(sum(dots)).toBeGreaterThan(0)
  expect(sum(letters)).toBeGreaterThan(5 * sum(dots))
  expect(sum(await ink('3.5 m²'))).not.toBe(sum(await ink('3.5 m³')))
})

test('escapes text so a model reply cannot break the SVG', async () => {
  await expect(ink('<script>&"\'')).resolves.toHaveLength(12)
})

test('rejects a malformed SVG with a clear error', async () => {
  await expect(svgToPng('<svg')).rejects.toThrow(/Cannot render the SVG/)
})
