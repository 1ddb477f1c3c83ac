/** Figures as PDF: vector graphics with embedded fonts, as publishers require. */
import { createRequire } from 'node:module'
import { dirname, join } from 'node:path'
import { buffer } from 'node:stream/consumers'
import { missingPart } from '../../../base/optional-parts.ts'
import type { Figure } from '../figure.ts'

/** About as wide as the fonts of papers; has Latin, Greek and Cyrillic letters and mathematical signs. */
const FONTS = { regular: 'DejaVuSansCondensed.ttf', bold: 'DejaVuSansCondensed-Bold.ttf' } as const

/** @param svg the figure, drawn with explicit colors and sizes */
export async function svgToPdf(svg: string, { title, description }: Figure): Promise<Uint8Array> {
  const { PDFDocument, drawSvg } = await packages()
  const [, width, height] = /^<svg [^>]*viewBox="0 0 ([\d.]+) ([\d.]+)"/.exec(svg)!.map(Number)
  const folder = join(dirname(createRequire(import.meta.url).resolve('dejavu-fonts-ttf/package.json')), 'ttf')
  const document = new PDFDocument({
    size: [width!, height!],
    margin: 0,
    font: join(folder, FONTS.regular),
    lang: 'en',
    // The same figure is the same file, whenever it is written.
    info: { Title: title, Subject: description, Creator: 'Sightline', CreationDate: new Date(0) },
  })
  for (const [name, file] of Object.entries(FONTS)) document.registerFont(name, join(folder, file))
  drawSvg(document, svg, 0, 0, {
    width: width!,
    height: height!,
    assumePt: true,
    fontCallback: (_, isBold) => (isBold ? 'bold' : 'regular'),
    warningCallback: () => {},
  })
  document.end()
  return buffer(document)
}

async function packages() {
  try {
    const { default: PDFDocument } = await import('pdfkit')
    const { default: drawSvg } = await import('svg-to-pdfkit')
    return { PDFDocument, drawSvg }
  } catch (error) {
    throw missingPart('pdfkit', error)
  }
}
