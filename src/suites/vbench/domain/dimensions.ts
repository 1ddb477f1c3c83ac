/** The sixteen dimensions, which list of prompts each is measured on, and the published constants of its total. */
import { didYouMean, UserError } from '../../../suite.ts'
import { JUDGED_DIMENSIONS } from './vbench2.ts'

/** The eleven lists of prompts, in the order in which the combined list has them. */
export const LISTS = [
  'temporal_flickering',
  'multiple_objects',
  'human_action',
  'subject_consistency',
  'object_class',
  'color',
  'appearance_style',
  'temporal_style',
  'overall_consistency',
  'scene',
  'spatial_relationship',
] as const
export type ListName = (typeof LISTS)[number]

export const CATEGORIES = [
  'animal',
  'architecture',
  'food',
  'human',
  'lifestyle',
  'plant',
  'scenery',
  'vehicles',
] as const
export type Category = (typeof CATEGORIES)[number]

export interface DimensionFacts {
  /** Which list its prompts come from. */
  list: ListName | 'i2v' | 'vbench2'
  kind: 'quality' | 'semantic' | 'i2v' | 'vbench2'
  /** How many prompts the public suite has for it. */
  prompts: number
  /** Empirical lowest and highest value: where its normalized score is 0 and 1. Not clamped. */
  min: number
  max: number
  weight: number
}

function facts(
  list: DimensionFacts['list'],
  kind: DimensionFacts['kind'],
  prompts: number,
  [min, max]: readonly [number, number] = [0, 1],
  weight = 1,
): DimensionFacts {
  return { list, kind, prompts, min, max, weight }
}

/** In the order of the published table. */
const FACTS = {
  subject_consistency: facts('subject_consistency', 'quality', 72, [0.1462, 1]),
  background_consistency: facts('scene', 'quality', 86, [0.2615, 1]),
  temporal_flickering: facts('temporal_flickering', 'quality', 75, [0.6293, 1]),
  motion_smoothness: facts('subject_consistency', 'quality', 72, [0.706, 0.9975]),
  dynamic_degree: facts('subject_consistency', 'quality', 72, [0, 1], 0.5),
  aesthetic_quality: facts('overall_consistency', 'quality', 93),
  imaging_quality: facts('overall_consistency', 'quality', 93),
  object_class: facts('object_class', 'semantic', 79),
  multiple_objects: facts('multiple_objects', 'semantic', 82),
  human_action: facts('human_action', 'semantic', 100),
  color: facts('color', 'semantic', 85),
  spatial_relationship: facts('spatial_relationship', 'semantic', 84),
  scene: facts('scene', 'semantic', 86, [0, 0.8222]),
  temporal_style: facts('temporal_style', 'semantic', 100, [0, 0.364]),
  appearance_style: facts('appearance_style', 'semantic', 90, [0.0009, 0.2855]),
  overall_consistency: facts('overall_consistency', 'semantic', 93, [0, 0.364]),
  camera_motion: facts('i2v', 'i2v', 763, [0, 1], 0.1),
  i2v_subject: facts('i2v', 'i2v', 246, [0.1462, 1]),
  i2v_background: facts('i2v', 'i2v', 109, [0.2615, 1]),
  composition: facts('vbench2', 'vbench2', 53),
  motion_rationality: facts('vbench2', 'vbench2', 58),
  complex_landscape: facts('vbench2', 'vbench2', 30),
  complex_plot: facts('vbench2', 'vbench2', 60),
  dynamic_attribute: facts('vbench2', 'vbench2', 91),
  dynamic_spatial_relationship: facts('vbench2', 'vbench2', 69),
  human_interaction: facts('vbench2', 'vbench2', 100),
  motion_order_understanding: facts('vbench2', 'vbench2', 99),
  human_clothes: facts('vbench2', 'vbench2', 75),
  material: facts('vbench2', 'vbench2', 50),
  mechanics: facts('vbench2', 'vbench2', 57),
  thermotics: facts('vbench2', 'vbench2', 50),
} as const satisfies Record<string, DimensionFacts>

export type Dimension = keyof typeof FACTS
export const ALL_DIMENSIONS: readonly Dimension[] = Object.keys(FACTS) as Dimension[]
export const DIMENSION_FACTS: Readonly<Record<Dimension, DimensionFacts>> = FACTS
/** Of VBench itself, which goes from text to video. */
export const DIMENSIONS: readonly Dimension[] = ALL_DIMENSIONS.filter((name) =>
  ['quality', 'semantic'].includes(FACTS[name].kind),
)
/** Of VBench-I2V alone: whether a video shows the image that it was made from, and moves the camera as asked. */
export const FROM_IMAGE: readonly Dimension[] = ALL_DIMENSIONS.filter((name) => FACTS[name].kind === 'i2v')
export const QUALITY: readonly Dimension[] = DIMENSIONS.filter((name) => FACTS[name].kind === 'quality')
export const SEMANTIC: readonly Dimension[] = DIMENSIONS.filter((name) => FACTS[name].kind === 'semantic')

/** Of VBench-I2V. Temporal flickering, which the published list also names, is part of no total of it. */
export const I2V_DIMENSIONS: readonly Dimension[] = [
  ...FROM_IMAGE,
  ...QUALITY.filter((name) => name !== 'temporal_flickering'),
]

/** Prompts of these need facts that a file name does not carry: the published tool refuses them for custom videos. */
export const NEEDS_FACTS: readonly Dimension[] = [
  'object_class',
  'multiple_objects',
  'scene',
  'appearance_style',
  'color',
  'spatial_relationship',
  ...FROM_IMAGE,
  ...JUDGED_DIMENSIONS,
]

/** Videos per prompt that the protocol asks for, and that count. */
export const SAMPLES = 5
/** For temporal flickering: enough that five pass the static filter. */
export const FLICKERING_SAMPLES = 25
/** From this length on the protocol has another pipeline (VBench-Long). */
export const LONG_SECONDS = 5

/** The published files write dimensions with spaces. */
export function spacedName(dimension: string): string {
  return dimension.replaceAll('_', ' ')
}

export function isDimension(name: string): name is Dimension {
  return Object.hasOwn(FACTS, name)
}

/** Dimensions as a user names them, with spaces, dashes or underscores; all `of` a benchmark when none is named. */
export function dimensionsNamed(names: readonly string[], of: readonly Dimension[] = DIMENSIONS): Dimension[] {
  if (names.length === 0) return [...of]
  const within = (group: readonly Dimension[]) => group.filter((name) => of.includes(name))
  const groups = { all: of, quality: within(QUALITY), semantic: within(SEMANTIC), i2v: within(FROM_IMAGE) }
  return known(names, of, groups, ['dimension', 'Dimensions'])
}

export function categoriesNamed(names: readonly string[]): Category[] {
  return known(names, CATEGORIES, { all: CATEGORIES }, ['category', 'Categories'])
}

function known<Name extends string>(
  typed: readonly string[],
  names: readonly Name[],
  groups: Readonly<Record<string, readonly Name[]>>,
  [one, all]: readonly [string, string],
): Name[] {
  const wanted = new Set<Name>()
  for (const name of typed.flatMap(listed)) {
    const normal = name.toLowerCase().replaceAll(/[ -]/g, '_')
    const meant = Object.hasOwn(groups, normal) ? groups[normal]! : names.filter((each) => each === normal)
    if (meant.length === 0) {
      throw new UserError(`VBench has no ${one} "${name}".`, { hint: didYouMean(normal, names, all) })
    }
    for (const each of meant) wanted.add(each)
  }
  return names.filter((each) => wanted.has(each))
}

/** `a, b` as it stands in an option. */
export function listed(text: string | undefined): string[] {
  const names = (text ?? '').split(',').map((name) => name.trim())
  return names.filter((name) => name !== '')
}
