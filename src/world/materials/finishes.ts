/** What things are made of, by name. A finish is a material and how large its texture is in meters. */
import type { Material, Texture } from '../mesh.ts'
import type { Color } from './canvas.ts'
import { mirrorGlare } from './scenery.ts'
import { type SurfaceName, surfaces } from './surfaces.ts'

export interface Finish {
  material: Material
  /** Meters that one repeat of the texture covers; 0 lays the texture once over a face. */
  tile: number
}

interface Look {
  surface?: SurfaceName
  /** Painted when first looked at. */
  texture?: () => Texture
  tile?: number
  roughness?: number
  metallic?: number
  glow?: number
  opacity?: number
}

const known = new Map<string, Finish>()

/**
 * One finish a name and look: things that share a finish share its material, and scenes stay small. What was asked for
 * before never changes what is given: the name decides about the texture alone.
 */
export function finish(name: string, color: Color, look: Look = {}): Finish {
  const rounded: Color = [Math.round(color[0]), Math.round(color[1]), Math.round(color[2])]
  const called = `${name} ${rounded.join(',')}`
  const { surface, tile, roughness, metallic, glow, opacity } = look
  const key = [called, surface, tile, roughness, metallic, glow, opacity].join('|')
  const found = known.get(key)
  if (found) return found
  const texture = look.texture ?? (surface ? surfaces[surface] : undefined)
  const plain = {
    name: called,
    color: rounded,
    ...(roughness === undefined ? {} : { roughness }),
    ...(metallic === undefined ? {} : { metallic }),
    ...(glow === undefined ? {} : { glow }),
    ...(opacity === undefined ? {} : { opacity }),
  }
  const material: Material = texture
    ? {
        ...plain,
        // Scenes are described far more often than drawn.
        get texture() {
          return texture()
        },
      }
    : plain
  const made: Finish = { material, tile: tile ?? 1 }
  known.set(key, made)
  return made
}

export const WOODS: Readonly<Record<'pine' | 'oak' | 'beech' | 'cherry' | 'walnut' | 'wenge' | 'white', Color>> = {
  pine: [232, 190, 132],
  oak: [205, 160, 106],
  beech: [222, 176, 128],
  cherry: [176, 100, 62],
  walnut: [128, 86, 58],
  wenge: [84, 60, 48],
  white: [244, 242, 236],
}

export type Wood = keyof typeof WOODS

export const wood = (tone: Wood | Color): Finish => {
  const name = typeof tone === 'string' ? `${tone} wood` : 'wood'
  // White furniture is lacquered: no grain.
  if (tone === 'white') return finish('white lacquer', WOODS.white, { surface: 'plaster', tile: 1, roughness: 0.4 })
  return finish(name, typeof tone === 'string' ? WOODS[tone] : tone, { surface: 'wood', tile: 0.7, roughness: 0.5 })
}

export const fabric = (color: Color): Finish => finish('fabric', color, { surface: 'weave', tile: 0.22, roughness: 1 })
export const linen = (color: Color): Finish => finish('linen', color, { surface: 'linen', tile: 0.9, roughness: 1 })
export const knit = (color: Color): Finish => finish('knit', color, { surface: 'knit', tile: 0.16, roughness: 1 })
export const leather = (color: Color): Finish =>
  finish('leather', color, { surface: 'leather', tile: 0.3, roughness: 0.45 })
export const fur = (color: Color): Finish => finish('fur', color, { surface: 'fur', tile: 0.15, roughness: 1 })
export const paint = (color: Color): Finish => finish('paint', color, { surface: 'plaster', tile: 1.2, roughness: 0.8 })
export const lacquer = (color: Color): Finish => finish('lacquer', color, { roughness: 0.3 })
export const plastic = (color: Color): Finish => finish('plastic', color, { roughness: 0.45 })
export const rubber = (color: Color = [42, 42, 45]): Finish => finish('rubber', color, { roughness: 0.9 })
export const ceramic = (color: Color = [246, 246, 244]): Finish => finish('ceramic', color, { roughness: 0.12 })
export const paper = (color: Color = [248, 246, 240]): Finish => finish('paper', color, { roughness: 1 })
export const wicker = (color: Color): Finish =>
  finish('wicker', color, { surface: 'wicker', tile: 0.16, roughness: 0.9 })
export const cardboard = (): Finish =>
  finish('cardboard', [196, 154, 106], { surface: 'cardboard', tile: 0.5, roughness: 1 })
export const granite = (color: Color): Finish =>
  finish('granite', color, { surface: 'granite', tile: 0.6, roughness: 0.25 })
export const marble = (color: Color = [244, 242, 240]): Finish =>
  finish('marble', color, { surface: 'marble', tile: 0.8, roughness: 0.2 })
export const concrete = (color: Color = [178, 176, 172]): Finish =>
  finish('concrete', color, { surface: 'concrete', tile: 1.5, roughness: 0.9 })

export const steel = (): Finish =>
  finish('brushed steel', [196, 198, 202], { surface: 'brushed', tile: 0.4, roughness: 0.3, metallic: 1 })
export const chrome = (): Finish => finish('chrome', [184, 188, 195], { roughness: 0.08, metallic: 1 })
export const brass = (): Finish => finish('brass', [206, 164, 84], { roughness: 0.25, metallic: 1 })
export const iron = (): Finish => finish('black iron', [48, 48, 52], { roughness: 0.5, metallic: 1 })
export const coated = (color: Color): Finish => finish('coated metal', color, { roughness: 0.35, metallic: 0 })

export const glass = (): Finish => finish('glass', [206, 226, 230], { roughness: 0.03, opacity: 0.28 })
export const darkGlass = (): Finish => finish('dark glass', [20, 22, 26], { roughness: 0.06 })
export const mirror = (): Finish =>
  finish('mirror', [255, 255, 255], { texture: mirrorGlare, tile: 0, glow: 0.25, roughness: 1 })

/** A picture laid once over a face. */
export const printed = (name: string, texture: () => Texture, look: Look = {}): Finish =>
  finish(name, [255, 255, 255], { texture, tile: 0, roughness: 0.8, ...look })

/** Something that shines by itself. */
export const glowing = (color: Color, glow = 1): Finish => finish(`glow${glow}`, color, { glow, roughness: 1 })

export const foliage = (color: Color): Finish =>
  finish('leaf', color, { texture: surfaces.leaf, tile: 0, roughness: 0.6 })
export const soil = (): Finish => finish('soil', [96, 70, 52], { surface: 'soil', tile: 0.12, roughness: 1 })
