/** VBench-2.0: the dimensions that the published code has vision-language models judge, and what it asks of each prompt. */

/** Videos per prompt that the protocol asks for. */
export const VBENCH2_SAMPLES = 3
/** File names have so many characters of the prompt. */
export const VBENCH2_NAME_LENGTH = 180

/** In the order of the published table. Names there have capitals: `Human_Clothes`. */
export const JUDGED_DIMENSIONS = [
  'composition',
  'motion_rationality',
  'complex_landscape',
  'complex_plot',
  'dynamic_attribute',
  'dynamic_spatial_relationship',
  'human_interaction',
  'motion_order_understanding',
  'human_clothes',
  'material',
  'mechanics',
  'thermotics',
] as const
export type JudgedDimension = (typeof JUDGED_DIMENSIONS)[number]

/** What the suite says of a prompt: questions, statements or plots. */
export interface Asked {
  texts: readonly string[]
  /** Of composition: whether there must be one creature only, and whether all parts must be there. */
  one?: boolean
  all?: boolean
}
