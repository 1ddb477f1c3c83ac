import type { Material } from '../mesh.ts'
import type { SiblingFiles } from './sibling-files.ts'
import { textLines } from './text-lines.ts'

/** How many words follow each option of a `map_` line. */
const MAP_OPTION_WORDS: Readonly<Record<string, number>> = {
  '-blendu': 1,
  '-blendv': 1,
  '-boost': 1,
  '-cc': 1,
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
  /** As `d` says; as `Tr` says, which some writers take for the opposite of what it is. */
  opacity?: number
  transparency?: number
  roughness?: number
  metallic?: number
  glow?: number
}

/** Reads a Wavefront material library. Values that make no sense are left at their defaults. */
export async function parseMtl(text: string, beside: SiblingFiles): Promise<Material[]> {
  const drafts: Draft[] = []
  for (const { line } of textLines(text.replace(/^\uFEFF/, ''))) {
    const trimmed = line.trim()
    const [key = '', ...words] = trimmed.split(/\s+/)
    const rest = trimmed.slice(key.length).trim()
    if (key.toLowerCase() === 'newmtl') {
      drafts.push({ name: rest, color: [255, 255, 255] })
      continue
    }
    const draft = drafts.at(-1)
    if (!draft) continue
    const value = words[0] === '-halo' ? Number(words[1]) : Number(words[0])
    const part = value >= 0 && value <= 1 ? { value } : undefined
    switch (key.toLowerCase()) {
      case 'kd':
        draft.color = [0, 1, 2].map((i) => toByte(Number(words[i] ?? words[0]))) as [number, number, number]
        break
      case 'map_kd':
        draft.map = mapFile(rest)
        break
      case 'd':
        if (part) draft.opacity = value
        break
      case 'tr':
        if (part) draft.transparency = value
        break
      case 'pr':
        if (part) draft.roughness = value
        break
      case 'pm':
        if (part) draft.metallic = value
        break
      case 'ke':
        if (words.some((word) => Number(word) > 0)) draft.glow = Math.min(1, Math.max(...words.map(Number)))
        break
      default:
    }
  }
  return Promise.all(drafts.map((draft) => finish(draft, beside)))
}

async function finish({ map, color, opacity, transparency, ...draft }: Draft, beside: SiblingFiles): Promise<Material> {
  const texture = map === undefined || map === '' ? undefined : await beside.texture(map)
  // Writers often leave Kd black next to a texture; viewers then show the texture as it is.
  const black = color.every((value) => value === 0)
  // Nobody gives a surface that cannot be seen: MeshLab writes `Tr 1`, others `d 0`, for an opaque one.
  const seen = opacity ?? (transparency === undefined ? 1 : 1 - transparency)
  return {
    ...draft,
    color: map !== undefined && black ? [255, 255, 255] : color,
    ...(texture && { texture }),
    ...(seen > 0 && seen < 1 && { opacity: seen }),
  }
}

/** The file of a `map_` line, which may have blanks in its name and quotes around it, after the line's options. */
function mapFile(rest: string): string {
  let left = rest
  for (;;) {
    const [option = ''] = left.split(/\s/, 1)
    const takes = MAP_OPTION_WORDS[option.toLowerCase()]
    if (takes === undefined) break
    left = left.slice(option.length).trimStart()
    for (let k = 0; k < takes; k++) {
      const [word = ''] = left.split(/\s/, 1)
      // The last numbers of -o, -s and -t may be left out.
      if (word === '' || (takes === 3 && k > 0 && !/^[-+.\d]+(e[-+]?\d+)?$/i.test(word))) break
      left = left.slice(word.length).trimStart()
    }
  }
  return left.replace(/^"(.*)"$/, '$1')
}

/** Writers put display (sRGB) values into Kd, so they are taken as they are. */
function toByte(value: number): number {
  return Number.isFinite(value) ? Math.round(Math.min(1, Math.max(0, value)) * 255) : 255
}
