import type { Material } from '../mesh.ts'
import type { SiblingFiles } from './sibling-files.ts'
import { textLines } from './text-lines.ts'

/** How many words follow each option of a `map_` line. */
const MAP_OPTION_WORDS: Readonly<Record<string, number>> = {
  '-blendu': 1,
  '-blendv': 1,
  '-boost': 1,
  '-mm': 2,
  '-o': 3,
  '-s': 3,
  '-t': 3,
  '-texres': 1,
  '-clamp': 1,
  '-bm': 1,
  '-imfchan': 1,
  '-type': 1,
}

interface Draft {
  name: string
  color: [number, number, number]
  map?: string
  opacity?: number
  roughness?: number
  metallic?: number
  glow?: number
}

/** Reads a Wavefront material library. Values that make no sense are left at their defaults. */
export async function parseMtl(text: string, beside: SiblingFiles): Promise<Material[]> {
  const drafts: Draft[] = []
  for (const { line } of textLines(text)) {
    const trimmed = line.trim()
    const [key = '', ...words] = trimmed.split(/\s+/)
    if (key === 'newmtl') {
      drafts.push({ name: trimmed.slice(key.length).trim(), color: [255, 255, 255] })
      continue
    }
    const draft = drafts.at(-1)
    if (!draft) continue
    const value = Number(words[0])
    switch (key) {
      case 'Kd':
        draft.color = [0, 1, 2].map((i) => toByte(Number(words[i] ?? words[0]))) as [number, number, number]
        break
      case 'map_Kd':
        draft.map = mapFile(words)
        break
      case 'd':
        if (value >= 0 && value <= 1) draft.opacity = value
        break
      case 'Tr':
        if (value >= 0 && value <= 1) draft.opacity = 1 - value
        break
      case 'Pr':
        if (value >= 0 && value <= 1) draft.roughness = value
        break
      case 'Pm':
        if (value >= 0 && value <= 1) draft.metallic = value
        break
      case 'Ke':
        if (words.some((word) => Number(word) > 0)) draft.glow = Math.min(1, Math.max(...words.map(Number)))
        break
      default:
    }
  }
  return Promise.all(drafts.map((draft) => finish(draft, beside)))
}

async function finish({ map, color, ...draft }: Draft, beside: SiblingFiles): Promise<Material> {
  const texture = map === undefined ? undefined : await beside.texture(map)
  // Writers often leave Kd black next to a texture; viewers then show the texture as it is.
  const black = color.every((value) => value === 0)
  return { ...draft, color: texture && black ? [255, 255, 255] : color, ...(texture && { texture }) }
}

function mapFile(words: readonly string[]): string {
  let at = 0
  while (at < words.length - 1) {
    const takes = MAP_OPTION_WORDS[words[at]!]
    if (takes === undefined) break
    at++
    // The last numbers of -o, -s and -t may be left out.
    for (let k = 0; k < takes && at < words.length - 1; k++) {
      if (takes === 3 && k > 0 && Number.isNaN(Number(words[at]))) break
      at++
    }
  }
  return words.slice(at).join(' ')
}

/** Writers put display (sRGB) values into Kd, so they are taken as they are. */
function toByte(value: number): number {
  return Number.isFinite(value) ? Math.round(Math.min(1, Math.max(0, value)) * 255) : 255
}
