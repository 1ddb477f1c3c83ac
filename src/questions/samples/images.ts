/** Images in the cells of a table: bytes, base64, data URLs, paths, and lists of these. */
import { isObject } from '../../suite.ts'
import { cellText, listOf } from '../domain/truth.ts'

/** Of one question. */
export const MAX_IMAGES = 256
const MAX_PATH = 500
/** First characters of PNG, JPEG, WebP and GIF as base64. */
const BASE64 = /^(?:iVBORw0KGgo|\/9j\/|UklGR|R0lGOD)/

/** Whether a cell names files and does not hold images. */
export function looksLikePath(cell: unknown): boolean {
  const [first] = itemsOf(cell)
  return typeof first === 'string' && first.length <= MAX_PATH && !first.startsWith('data:') && !BASE64.test(first)
}

export function pathsIn(cell: unknown): string[] {
  return itemsOf(cell).flatMap((item) => (typeof item === 'string' && item.trim() !== '' ? [item.trim()] : []))
}

/** The bytes or paths of the images of a cell. An empty cell has none. */
export function imagesIn(cell: unknown): (Uint8Array | string)[] {
  return itemsOf(cell).flatMap((item): (Uint8Array | string)[] => {
    // Copied: what another process sent at once shares one buffer.
    if (item instanceof Uint8Array) return [item.slice()]
    // As Hugging Face datasets store images: bytes, or a path if there are none.
    if (isObject(item)) {
      if (item['bytes'] instanceof Uint8Array) return [item['bytes'].slice()]
      return typeof item['path'] === 'string' ? [item['path']] : imagesIn(item['bytes'])
    }
    const text = cellText(item).trim()
    if (text === '') return []
    const data = /^data:[\w/+.-]{1,60};base64,/.exec(text)
    if (data) return [Buffer.from(text.slice(data[0].length), 'base64')]
    return [BASE64.test(text) ? Buffer.from(text, 'base64') : text]
  })
}

function itemsOf(cell: unknown): unknown[] {
  if (cell === null || cell === undefined) return []
  if (Array.isArray(cell)) return cell.slice(0, MAX_IMAGES + 1)
  if (typeof cell !== 'string' || !cell.startsWith('[')) return [cell]
  return listOf(cell)?.slice(0, MAX_IMAGES + 1) ?? [cell]
}
