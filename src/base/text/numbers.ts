/** Numbers and their units in free text. */

const UNIT_NAMES = [
  'm',
  'cm',
  'mm',
  'km',
  'ft',
  'in',
  'yd',
  'm2',
  'cm2',
  'ft2',
  'deg',
  'rad',
  'percent',
  's',
  'ms',
  'min',
] as const
export type Unit = (typeof UNIT_NAMES)[number]

/** The quantity a unit measures, and its size in base units. */
const UNITS: Readonly<Record<Unit, { measures: string; factor: number }>> = {
  m: { measures: 'length', factor: 1 },
  cm: { measures: 'length', factor: 0.01 },
  mm: { measures: 'length', factor: 0.001 },
  km: { measures: 'length', factor: 1000 },
  ft: { measures: 'length', factor: 0.3048 },
  in: { measures: 'length', factor: 0.0254 },
  yd: { measures: 'length', factor: 0.9144 },
  m2: { measures: 'area', factor: 1 },
  cm2: { measures: 'area', factor: 0.0001 },
  ft2: { measures: 'area', factor: 0.09290304 },
  deg: { measures: 'angle', factor: 1 },
  rad: { measures: 'angle', factor: 180 / Math.PI },
  percent: { measures: 'share', factor: 1 },
  s: { measures: 'time', factor: 1 },
  ms: { measures: 'time', factor: 0.001 },
  min: { measures: 'time', factor: 60 },
}

const WORDS: Readonly<Record<Unit, readonly string[]>> = {
  m: [
    'm',
    'meter',
    'meters',
    'metre',
    'metres',
    'mtr',
    'metern',
    'metro',
    'metros',
    'mètre',
    'mètres',
    '米',
    'メートル',
  ],
  cm: [
    'cm',
    'centimeter',
    'centimeters',
    'centimetre',
    'centimetres',
    'cms',
    'zentimeter',
    'centímetro',
    'centímetros',
    'centimètre',
    'centimètres',
    '厘米',
    '公分',
    'センチ',
    'センチメートル',
  ],
  mm: ['mm', 'millimeter', 'millimeters', 'millimetre', 'millimetres'],
  km: ['km', 'kilometer', 'kilometers', 'kilometre', 'kilometres'],
  ft: ['ft', 'foot', 'feet', '′'],
  in: ['in', 'inch', 'inches', '″'],
  yd: ['yd', 'yard', 'yards'],
  m2: [
    'm²',
    'm2',
    'm^2',
    'm^{2}',
    'sqm',
    'sq m',
    'sq. m',
    'sq.m',
    'sq meter',
    'sq meters',
    'square meter',
    'square meters',
    'square metre',
    'square metres',
    'meters squared',
    'metres squared',
    'quadratmeter',
    'metros cuadrados',
    'mètres carrés',
    '平方米',
    '平米',
    '平方メートル',
    '㎡',
  ],
  cm2: ['cm²', 'cm2', 'cm^2', 'sq cm', 'square centimeters', 'square centimetres'],
  ft2: ['ft²', 'ft2', 'ft^2', 'sqft', 'sq ft', 'sq. ft', 'square foot', 'square feet'],
  deg: ['°', 'º', 'deg', 'degs', 'degree', 'degrees', '\\circ', '^\\circ', '^{\\circ}'],
  rad: ['rad', 'rads', 'radian', 'radians'],
  percent: ['%', '\\%', 'percent', 'per cent', 'pct', '％'],
  s: ['s', 'sec', 'secs', 'second', 'seconds'],
  ms: ['ms', 'millisecond', 'milliseconds'],
  min: ['min', 'mins', 'minute', 'minutes'],
}

const SPELLINGS: ReadonlyMap<string, Unit> = new Map(
  UNIT_NAMES.flatMap((unit) => WORDS[unit].map((word) => [word, unit] as const)),
)

/** A unit right after a number: a sign, or up to two complete words. */
const UNIT_SIGN =
  /\s{0,3}(\^\{\\circ\}|\^?\\circ|\\%|[°º%％′″㎡]|平方メートル|センチメートル|メートル|センチ|平方米|平米|厘米|公分|米)/y
const UNIT_WORDS =
  /\s{0,3}-?((?:square|sq\.?|per)\s{0,3}[a-z]{1,12}|[a-zè]{1,12}\s{1,3}(?:squared|cuadrados|carrés)|[a-zèí]{1,12}(?:²|\^\{2\}|\^?2(?!\d))?)(?![\p{L}\p{N}])/iuy

export interface NumberFound {
  value: number
  unit: Unit | null
  start: number
  /** One past the unit, or past the number if there is none. */
  end: number
  /** The characters of the number. */
  text: string
}

// Chinese, Japanese and Korean are written without a space before a number.
// A sign belongs to the number only if no word or number ends right before it: "3-5" is a range. A comma right inside
// brackets separates coordinates, "(120,340)"; elsewhere, before three digits, it is a thousands separator.
const NUMBER =
  /(?<!(?![\p{Script=Han}\p{Script=Hiragana}\p{Script=Katakana}\p{Script=Hangul}])[\p{L}\p{N}_.])[-+−]?(?:(?:(?<![[(][-+−]?)\d{1,3}(?:,\d{3}){1,8}(?![\d,])|\d{1,400}(?!\d))(?:\.\d{0,400}(?!\d))?|\.\d{1,400}(?!\d))(?:[eE][-+]?\d{1,4}(?!\d))?/gu

/**
 * Every number in a text with its unit, in order. Digits inside words and names (`B2`, `chair_3`) are ignored; `1,250` is
 * one number; a full stop is not part of it.
 *
 * @example
 * numbersIn('about 3.5 meters, or 350cm') // values 3.5 (m) and 350 (cm)
 */
export function numbersIn(text: string): NumberFound[] {
  const found: NumberFound[] = []
  let free = 0
  for (const match of text.matchAll(NUMBER)) {
    // The 2 of "3 m^2" is part of a unit.
    if (match.index < free) continue
    let digits = match[0]
    if (digits.endsWith('.')) digits = digits.slice(0, -1)
    const value = Number(digits.replaceAll(',', '').replace('−', '-'))
    if (!Number.isFinite(value)) continue
    const after = match.index + digits.length
    const unit = unitAt(text, after)
    free = unit?.end ?? after
    found.push({ value, unit: unit?.unit ?? null, start: match.index, end: free, text: digits })
  }
  return found
}

/** The unit that stands at a position, after at most three spaces. */
export function unitAt(text: string, at: number): { unit: Unit; end: number } | null {
  UNIT_SIGN.lastIndex = at
  const sign = UNIT_SIGN.exec(text)
  if (sign !== null) return { unit: SPELLINGS.get(sign[1]!)!, end: UNIT_SIGN.lastIndex }
  UNIT_WORDS.lastIndex = at
  const words = UNIT_WORDS.exec(text)
  if (words === null) return null
  const end = UNIT_WORDS.lastIndex
  const spelling = words[1]!.toLowerCase().replace(/\s+/g, ' ')
  const whole = SPELLINGS.get(spelling)
  if (whole !== undefined) {
    // "3 in the corner": the word is a preposition, not inches.
    if (spelling === 'in' && /^\s{1,3}\p{L}/u.test(text.slice(end, end + 8))) return null
    return { unit: whole, end }
  }
  return null
}

/** Converts between units; null if they measure different quantities. */
export function convert(value: number, from: Unit, to: Unit): number | null {
  if (from === to) return value
  const source = UNITS[from]
  const target = UNITS[to]
  return source.measures === target.measures ? (value * source.factor) / target.factor : null
}

export interface Quantity {
  value: number
  repairs: string[]
}

/**
 * The first number in the text that fits the unit. A number without a unit is assumed to be in it; one in another unit of
 * the same quantity is converted, which counts as a repair.
 *
 * @example
 * numberWithUnit('roughly 350 cm', 'm') // { value: 3.5, repairs: ['converted cm to m'] }
 */
export function numberWithUnit(text: string, unit: Unit): Quantity | null {
  for (const found of numbersIn(text)) {
    if (found.unit === null || found.unit === unit) return { value: found.value, repairs: [] }
    const value = convert(found.value, found.unit, unit)
    if (value !== null) return { value, repairs: [`converted ${found.unit} to ${unit}`] }
  }
  return null
}
