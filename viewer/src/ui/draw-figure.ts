/** Draws and saves figures in the browser. */
import { drawFigure } from '../../../src/report/figures/draw/index.ts'
import { DARK, LIGHT } from '../../../src/report/figures/draw/theme.ts'
import type { Figure } from '../../../src/report/figures/figure.ts'

/** Replaces what is in the element with the figure at its width. */
export function drawFigureIn(element: HTMLElement, figure: Figure, theme: 'light' | 'dark'): void {
  const colors = { ...(theme === 'dark' ? DARK : LIGHT), paper: 'none' }
  const svg = drawFigure(figure, { document, width: element.clientWidth, theme: colors, fontSize: 11 })
  // A name of a model is never read as HTML.
  const { documentElement } = new DOMParser().parseFromString(svg, 'image/svg+xml')
  documentElement.setAttribute('aria-label', `${figure.title}: ${figure.description}`)
  element.replaceChildren(document.adoptNode(documentElement))
}

/** The horizontal value of the point of a curve that is nearest to a position on the screen; null if there is none. */
export function nearestX(element: HTMLElement, clientX: number): number | null {
  let nearest: { x: number; distance: number } | null = null
  for (const point of element.querySelectorAll('[data-mark="dot"] > [data-mark]')) {
    const { left, width } = point.getBoundingClientRect()
    const distance = Math.abs(left + width / 2 - clientX)
    if (nearest === null || distance < nearest.distance) {
      nearest = { x: Number(point.getAttribute('data-mark')), distance }
    }
  }
  return nearest?.x ?? null
}

/** Downloads are for papers: always light, at the width of a page. */
const WIDTH = 640
const PNG_SCALE = 3

export async function downloadFigure(figure: Figure, name: string, type: 'svg' | 'png'): Promise<void> {
  const svg = new Blob([drawFigure(figure, { document, width: WIDTH, theme: LIGHT })], { type: 'image/svg+xml' })
  save(type === 'svg' ? svg : await rasterize(svg), `${name}.${type}`)
}

async function rasterize(svg: Blob): Promise<Blob> {
  const url = URL.createObjectURL(svg)
  try {
    const image = new Image()
    image.src = url
    await image.decode()
    const canvas = new OffscreenCanvas(image.naturalWidth * PNG_SCALE, image.naturalHeight * PNG_SCALE)
    canvas.getContext('2d')!.drawImage(image, 0, 0, canvas.width, canvas.height)
    return await canvas.convertToBlob({ type: 'image/png' })
  } finally {
    URL.revokeObjectURL(url)
  }
}

function save(content: Blob, name: string): void {
  const link = document.createElement('a')
  link.href = URL.createObjectURL(content)
  link.download = name
  link.click()
  URL.revokeObjectURL(link.href)
}
