/** Coordinate conventions of models. */
import type { Size } from './mask.ts'
import type { Point } from './points.ts'

export const CONVENTIONS = ['xy1000', 'yx1000', 'xy-pixel', 'xy1', 'xy100'] as const
export type Convention = (typeof CONVENTIONS)[number]

/** Conventions that model families were trained on. Other models are asked for `xy1000`. */
export const FAMILIES = {
  gemini: 'yx1000',
  'qwen2.5-vl': 'xy-pixel',
  'qwen3-vl': 'xy1000',
  molmo: 'xy100',
} as const satisfies Record<string, Convention>

/** Converts a point as written to 0…1000, x first. Pixels refer to the frame as shown. */
export function toThousand([a, b]: Point, convention: Convention, { width, height }: Size): Point {
  switch (convention) {
    case 'xy1000':
      return [a, b]
    case 'yx1000':
      return [b, a]
    case 'xy-pixel':
      return [(a / width) * 1000, (b / height) * 1000]
    case 'xy1':
      return [a * 1000, b * 1000]
    case 'xy100':
      return [a * 10, b * 10]
  }
}

/** The inverse of `toThousand`; 0…1000 and pixel values are rounded to one decimal. */
export function fromThousand([x, y]: Point, convention: Convention, { width, height }: Size): Point {
  const tenth = (value: number): number => Math.round(value * 10) / 10
  switch (convention) {
    case 'xy1000':
      return [tenth(x), tenth(y)]
    case 'yx1000':
      return [tenth(y), tenth(x)]
    case 'xy-pixel':
      return [tenth((x / 1000) * width), tenth((y / 1000) * height)]
    case 'xy1':
      return [x / 1000, y / 1000]
    case 'xy100':
      return [x / 10, y / 10]
  }
}
