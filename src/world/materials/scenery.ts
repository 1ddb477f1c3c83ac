/** What is laid once over a thing: carpets, mirrors, globes. Each variant is painted once and kept. */
import type { Texture } from '../mesh.ts'
import { Random } from '../../base/random.ts'
import { Canvas, type Color, mix } from './canvas.ts'
import { fractal, hash } from './noise.ts'
import { once } from './surfaces.ts'

/** A carpet with borders and a center medallion; laid once over the rug. */
export function rugPattern(variant: number): Texture {
  return once(`rug${variant}`, () => {
    const random = new Random(`rug/${variant}`)
    const sets: readonly (readonly Color[])[] = [
      [
        [142, 40, 38],
        [224, 200, 158],
        [34, 50, 84],
        [196, 132, 62],
      ],
      [
        [42, 66, 98],
        [226, 214, 190],
        [150, 54, 48],
        [120, 150, 160],
      ],
      [
        [196, 188, 176],
        [92, 96, 104],
        [232, 226, 216],
        [150, 142, 132],
      ],
      [
        [206, 150, 96],
        [240, 226, 200],
        [120, 66, 48],
        [80, 108, 96],
      ],
    ]
    const [field, light, dark, accent] = random.pick(sets) as readonly [Color, Color, Color, Color]
    const canvas = new Canvas(256, 192)
    const kind = variant % 3
    canvas.each((u, v, x, y) => {
      const knot = (hash(x, y, 3) - 0.5) * 26
      let color = field
      const edge = Math.min(x, 255 - x, y, 191 - y)
      if (kind === 2) {
        const zig = Math.abs(((x + (Math.floor(y / 16) % 2) * 8) % 32) - 16)
        color = y % 16 < zig ? field : light
        if (Math.floor(y / 16) % 4 === 1) color = y % 16 < zig ? dark : accent
      } else {
        if (edge < 5) color = dark
        else if (edge < 9) color = light
        else if (edge < 26) color = (Math.floor(x / 9) + Math.floor(y / 9)) % 2 ? accent : dark
        else if (edge < 30) color = light
        else {
          const dx = Math.abs(u - 0.5) * 2
          const dy = Math.abs(v - 0.5) * 2
          const d = kind === 0 ? dx + dy : Math.sqrt(dx * dx + dy * dy)
          const ring = Math.floor(d * 9)
          if (d < 0.62) color = ring % 3 === 0 ? dark : ring % 3 === 1 ? light : accent
          else {
            const px = (x % 26) - 13
            const py = (y % 26) - 13
            if (Math.abs(px) + Math.abs(py) < 6) color = Math.abs(px) + Math.abs(py) < 3 ? light : accent
          }
        }
      }
      return [color[0] + knot, color[1] + knot, color[2] + knot]
    })
    return canvas
  })
}

/** A mirrored room, out of focus, with streaks of glare: baked light cannot mirror, but it can read as a mirror. */
export function mirrorGlare(): Texture {
  return once('mirror', () =>
    new Canvas(128, 128).each((u, v) => {
      const room = mix([176, 200, 214], [128, 146, 158], v * 0.7 + fractal(u, v, 2, 2, 3, 5) * 0.3)
      const across = u + v * 0.6
      const streak = (across > 0.42 && across < 0.58) || (across > 0.64 && across < 0.69)
      return streak ? mix(room, [246, 252, 255], 0.55) : room
    }),
  )
}

/** Seas and lands of a world that is not ours. */
export function globeTexture(): Texture {
  return once('globe', () =>
    new Canvas(256, 128).each((u, v) => {
      const land = fractal(u, v, 6, 4, 5, 1234)
      const pole = Math.abs(v - 0.5) > 0.42
      if (Math.floor(u * 24) !== Math.floor((u - 0.004) * 24) || Math.floor(v * 12) !== Math.floor((v - 0.008) * 12))
        return [120, 150, 170]
      if (pole) return [240, 244, 246]
      if (land < 0.52) return mix([52, 110, 170], [96, 160, 206], land)
      return mix([214, 196, 130], [96, 140, 74], Math.min(1, (land - 0.52) * 8))
    }),
  )
}
