/**
 * What makes one sofa differ from the next: its variant, its size and proportions, its colors. Sizes are drawn from all
 * that a category comes in (a child's guitar, a baritone), so that a thing's name does not tell how large it is.
 */
import type { Random } from '../../base/random.ts'
import { WOODS } from '../materials/finishes.ts'
import { type Category, VARIANTS, buildObject } from '../objects/catalogue.ts'
import type { DyeablePart } from '../objects/dyeable.ts'
import { toMillimetres } from './scene.ts'

type Color = [number, number, number]
type Size = [number, number, number]

/** One thing as the planner draws it. */
export interface Look {
  variant: number
  size: Size
  colors: Color[]
}

/** How much depth, width and height follow when the longest side grows: exponents of its factor. */
type Follow = readonly [number, number, number]
/** A vase: all of it grows. */
const WHOLE: Follow = [1, 1, 1]
/** A sofa: longer ones are hardly deeper or taller. */
const LONG: Follow = [0.25, 1, 0.2]
/** A table: its top grows, its height is that of people. */
const TOP: Follow = [0.7, 1, 0.2]
/** A shelf: tall ones are somewhat wider. */
const TALL: Follow = [0.35, 0.6, 1]
/** A picture: as thick as any. */
const FLAT: Follow = [0.2, 1, 1]
/** A chair: made for people of all sizes. */
const BODY: Follow = [0.75, 0.75, 1]

/** The longest side that things of a category have, from and to, meters; of those in `OWN_SIZE`, factors of their own. */
const RANGES: Readonly<Record<Category, readonly [number, number, Follow]>> = {
  chair: [0.5, 1.35, BODY],
  'office chair': [0.65, 1.45, BODY],
  stool: [0.2, 1.0, BODY],
  armchair: [0.5, 1.4, BODY],
  sofa: [1.1, 3.6, LONG],
  bench: [0.45, 3.0, LONG],
  ottoman: [0.3, 1.4, WHOLE],
  bed: [1.25, 2.4, [1, 0.9, 0.6]],
  'bunk bed': [1.6, 2.2, WHOLE],
  crib: [0.6, 1.6, [1, 0.8, 0.6]],
  table: [0.45, 3.4, TOP],
  'round table': [0.45, 2.0, [1, 1, 0.2]],
  'coffee table': [0.4, 1.9, TOP],
  'side table': [0.25, 0.95, BODY],
  desk: [0.6, 2.6, TOP],
  'school desk': [0.5, 1.6, TOP],
  nightstand: [0.28, 1.0, WHOLE],
  bookshelf: [0.4, 2.4, TALL],
  'wall shelf': [0.25, 2.0, LONG],
  cabinet: [0.4, 2.6, [0.4, 1, 0.55]],
  wardrobe: [1.0, 2.4, TALL],
  'chest of drawers': [0.35, 1.9, [0.4, 0.9, 0.8]],
  'tv stand': [0.5, 2.8, LONG],
  'filing cabinet': [0.35, 1.7, TALL],
  'storage rack': [0.5, 2.4, TALL],
  lamp: [0.15, 1.1, WHOLE],
  'floor lamp': [0.8, 2.2, [0.7, 0.7, 1]],
  'ceiling lamp': [0.2, 1.1, [1, 1, 0.6]],
  'light panel': [0.6, 1.5, [0.8, 1, 0.1]],
  'desk lamp': [0.2, 0.9, WHOLE],
  candle: [0.06, 0.4, WHOLE],
  television: [0.3, 2.2, [0.4, 1, 1]],
  monitor: [0.3, 1.2, [0.4, 1, 0.8]],
  keyboard: [0.24, 0.5, LONG],
  mouse: [0.09, 0.14, WHOLE],
  laptop: [0.24, 0.45, WHOLE],
  computer: [0.6, 1.05, WHOLE],
  'computer tower': [0.2, 0.8, WHOLE],
  printer: [0.2, 1.1, WHOLE],
  scanner: [0.2, 0.8, WHOLE],
  projector: [0.1, 0.7, WHOLE],
  speaker: [0.1, 1.5, [0.7, 0.7, 1]],
  telephone: [0.1, 0.3, WHOLE],
  'air conditioner': [0.45, 1.5, LONG],
  fan: [0.15, 1.6, WHOLE],
  radio: [0.1, 0.8, WHOLE],
  'kitchen counter': [0.9, 2.2, LONG],
  'kitchen sink': [0.9, 1.7, LONG],
  oven: [0.6, 1.1, BODY],
  refrigerator: [0.45, 2.2, [0.35, 0.4, 1]],
  dishwasher: [0.6, 1.0, BODY],
  microwave: [0.36, 0.65, WHOLE],
  'wall cabinet': [0.45, 1.8, LONG],
  'range hood': [0.4, 1.0, WHOLE],
  kettle: [0.14, 0.32, WHOLE],
  toaster: [0.18, 0.42, WHOLE],
  pot: [0.12, 0.48, WHOLE],
  'coffee machine': [0.2, 0.5, WHOLE],
  cup: [0.05, 0.15, WHOLE],
  bottle: [0.1, 0.45, WHOLE],
  'fruit bowl': [0.15, 0.45, WHOLE],
  plate: [0.12, 0.34, [1, 1, 0.4]],
  toilet: [0.62, 1.05, BODY],
  bathtub: [1.0, 2.1, [1, 0.8, 0.3]],
  shower: [1.85, 2.3, [0.9, 0.9, 1]],
  sink: [0.75, 1.3, [0.6, 0.8, 1]],
  'washing machine': [0.5, 1.2, BODY],
  towel: [0.2, 1.4, FLAT],
  mirror: [0.15, 1.9, FLAT],
  'toilet paper': [0.1, 0.15, WHOLE],
  'laundry basket': [0.2, 1.1, WHOLE],
  'ironing board': [0.6, 1.7, [1, 0.6, 0.4]],
  plant: [0.12, 2.2, WHOLE],
  vase: [0.08, 1.3, WHOLE],
  rug: [0.4, 4.0, [1, 1, 0.01]],
  curtain: [1.2, 2.6, FLAT],
  picture: [0.1, 2.1, FLAT],
  clock: [0.08, 1.1, FLAT],
  calendar: [0.15, 0.9, FLAT],
  pillow: [0.15, 1.1, WHOLE],
  'teddy bear': [0.08, 1.3, WHOLE],
  box: [0.08, 1.25, WHOLE],
  basket: [0.1, 1.1, WHOLE],
  books: [0.1, 0.45, WHOLE],
  'row of books': [0.12, 1.0, LONG],
  globe: [0.08, 1.0, WHOLE],
  piano: [0.6, 1.8, [0.5, 1, 0.7]],
  guitar: [0.4, 1.4, WHOLE],
  backpack: [0.2, 1.0, WHOLE],
  suitcase: [0.3, 1.3, WHOLE],
  handbag: [0.12, 0.75, WHOLE],
  bicycle: [0.6, 2.0, WHOLE],
  shoes: [0.12, 0.36, WHOLE],
  'umbrella stand': [0.45, 1.15, WHOLE],
  'coat rack': [0.7, 2.2, [0.7, 0.7, 1]],
  ball: [0.85, 1.15, WHOLE],
  whiteboard: [0.6, 2.2, [0.5, 1, 1]],
  'wall whiteboard': [0.4, 3.8, [0.2, 1, 0.8]],
  'trash can': [0.15, 1.15, WHOLE],
  radiator: [0.3, 2.4, LONG],
  ladder: [0.4, 2.4, WHOLE],
  workbench: [0.7, 3.0, LONG],
  'tool box': [0.15, 1.1, WHOLE],
  'fire extinguisher': [0.22, 0.9, WHOLE],
  bucket: [0.1, 0.6, WHOLE],
  broom: [0.5, 1.75, [0.7, 0.7, 1]],
  'vacuum cleaner': [0.4, 1.4, WHOLE],
  'paint can': [0.09, 0.4, WHOLE],
  'drill press': [0.35, 1.5, WHOLE],
  bowl: [0.1, 0.34, WHOLE],
  'drinking glass': [0.07, 0.22, WHOLE],
  jar: [0.07, 0.32, WHOLE],
  can: [0.07, 0.18, WHOLE],
  'toy car': [0.06, 0.6, WHOLE],
  'toy blocks': [0.1, 0.4, WHOLE],
  'tissue box': [0.12, 0.3, WHOLE],
  'pen holder': [0.1, 0.26, WHOLE],
  'remote control': [0.1, 0.26, WHOLE],
  'photo frame': [0.07, 0.7, WHOLE],
  papers: [0.18, 0.5, [1, 1, 0.3]],
  'soap dispenser': [0.1, 0.28, WHOLE],
  hat: [0.2, 0.5, WHOLE],
  smartphone: [0.11, 0.18, WHOLE],
  tray: [0.25, 0.7, WHOLE],
  'shoe box': [0.18, 0.55, WHOLE],
  'cutting board': [0.2, 0.55, WHOLE],
}

/** Things whose colors say what they are. */
const FIXED: ReadonlySet<string> = new Set(['fire extinguisher', 'whiteboard', 'wall whiteboard', 'light panel'])
/** Things that are mostly white, gray or black. */
const PALE: ReadonlySet<string> = new Set([
  'toilet',
  'bathtub',
  'shower',
  'sink',
  'refrigerator',
  'dishwasher',
  'oven',
  'washing machine',
  'microwave',
  'air conditioner',
  'radiator',
  'printer',
  'scanner',
  'projector',
  'monitor',
  'television',
  'computer',
  'computer tower',
  'keyboard',
  'laptop',
  'range hood',
  'coffee machine',
])

/** A tennis ball, a ball to sit on: their variants are things of different sizes, and each keeps about its own. */
const OWN_SIZE: ReadonlySet<string> = new Set(['ball'])

/** Between two neighbors along each axis: nothing is made to one proportion only. */
const PROPORTION = 0.12
/** Sides that differ by no more than this share are those of a round thing, and stay alike. */
const ROUND = 0.04

/** A thing of a category as it might be anywhere. `large` 0…1 says how far into its range it may reach. */
export function drawLook(category: Category, random: Random, large = 1): Look {
  const variant = random.int(VARIANTS)
  return { variant, size: drawSize(category, variant, random, large), colors: drawColors(category, variant, random) }
}

export function drawSize(category: Category, variant: number, random: Random, large = 1): Size {
  const { size } = buildObject(category, variant)
  const [least, most, follow] = RANGES[category]
  const longest = Math.max(...size)
  const axis = size.indexOf(longest)
  const start = OWN_SIZE.has(category) ? least : least / longest
  const factor = power(most / least, random.unit() * large) * start
  const drawn = size.map((_, k) => (k === axis ? 1 : random.range(1 - PROPORTION, 1 + PROPORTION)))
  return size.map((side, k) => {
    const like = size.findIndex((other) => Math.abs(other - side) <= ROUND * side)
    const own = axis !== k && Math.abs(longest - side) <= ROUND * longest ? 1 : drawn[like]!
    return toMillimetres(side * power(factor, k === axis ? 1 : follow[k]!) * own)
  }) as Size
}

export function drawColors(category: Category, variant: number, random: Random): Color[] {
  if (FIXED.has(category)) return []
  return buildObject(category, variant).dyeable.map((part) => drawColor(part, PALE.has(category), random))
}

const TONES = [WOODS.pine, WOODS.oak, WOODS.beech, WOODS.cherry, WOODS.walnut, WOODS.wenge, WOODS.white]

function drawColor({ wooden }: DyeablePart, pale: boolean, random: Random): Color {
  if (pale && random.chance(0.85)) return gray(random.weighted([0.95, 0.75, 0.2], [9, 3, 1]), random)
  // Some furniture is painted.
  if (wooden && random.chance(0.8)) return between(random.pick(TONES), random.pick(TONES), random.unit())
  if (random.chance(0.2)) return gray(random.range(0.15, 0.98), random)
  const value = random.range(0.25, 0.95)
  const saturation = random.range(0.1, 0.8)
  return hued(random.range(0, 6), saturation, value)
}

function gray(value: number, random: Random): Color {
  const warm = random.range(-5, 6)
  const level = Math.min(248, Math.max(24, value * 255 + random.range(-10, 10)))
  return [Math.round(level + warm), Math.round(level), Math.round(level - warm)]
}

function between(a: readonly number[], b: readonly number[], t: number): Color {
  return [0, 1, 2].map((k) => Math.round(a[k]! + (b[k]! - a[k]!) * t)) as Color
}

/** `hue` 0…6, red at 0, green at 2, blue at 4. */
function hued(hue: number, saturation: number, value: number): Color {
  const channel = (shift: number): number => {
    const k = (shift + hue) % 6
    const part = Math.max(0, Math.min(k, 4 - k, 1))
    return Math.round(value * (1 - saturation * part) * 255)
  }
  return [channel(5), channel(3), channel(1)]
}

/** `base` to the power of 0…1, with square roots only: the same bits on every machine. */
function power(base: number, exponent: number): number {
  let result = 1
  let root = base
  let rest = exponent
  for (; rest >= 1; rest -= 1) result *= base
  for (let bit = 0; bit < 24 && rest > 0; bit++) {
    root = Math.sqrt(root)
    rest *= 2
    if (rest < 1) continue
    result *= root
    rest -= 1
  }
  return result
}
