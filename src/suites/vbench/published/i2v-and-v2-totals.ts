/** Totals of VBench-I2V (from image to video) and VBench-2.0, from published results. */

const I2V = {
  camera_motion: { title: 'Video-Text Camera Motion', min: 0, max: 1, weight: 0.1 },
  i2v_subject: { title: 'Video-Image Subject Consistency', min: 0.1462, max: 1, weight: 1 },
  i2v_background: { title: 'Video-Image Background Consistency', min: 0.2615, max: 1, weight: 1 },
  subject_consistency: { title: 'Subject Consistency', min: 0.1462, max: 1, weight: 1 },
  background_consistency: { title: 'Background Consistency', min: 0.2615, max: 1, weight: 1 },
  motion_smoothness: { title: 'Motion Smoothness', min: 0.706, max: 0.9975, weight: 1 },
  dynamic_degree: { title: 'Dynamic Degree', min: 0, max: 1, weight: 0.5 },
  aesthetic_quality: { title: 'Aesthetic Quality', min: 0, max: 1, weight: 1 },
  imaging_quality: { title: 'Imaging Quality', min: 0, max: 1, weight: 1 },
} as const
type I2VDimension = keyof typeof I2V
export const I2V_DIMENSIONS = Object.keys(I2V) as I2VDimension[]
const FROM_IMAGE: readonly I2VDimension[] = ['camera_motion', 'i2v_subject', 'i2v_background']
const I2V_QUALITY = I2V_DIMENSIONS.filter((name) => !FROM_IMAGE.includes(name))

/** A dimension that is not there counts as 0, as published. `weighted`: normalized, under the published titles. */
export function i2vTotals(values: Readonly<Record<string, number>>): Record<'quality' | 'i2v' | 'total', number> & {
  weighted: Record<string, number>
} {
  const weighted = (name: I2VDimension) => {
    const { min, max, weight } = I2V[name]
    return (((values[name] ?? 0) - min) / (max - min)) * weight
  }
  const mean = (names: readonly I2VDimension[]) =>
    names.reduce((sum, name) => sum + weighted(name), 0) / names.reduce((sum, name) => sum + I2V[name].weight, 0)
  const [quality, i2v] = [mean(I2V_QUALITY), mean(FROM_IMAGE)]
  const titled = I2V_DIMENSIONS.map((name) => [I2V[name].title, weighted(name)])
  return { weighted: Object.fromEntries(titled), quality, i2v, total: (quality + i2v) / 2 }
}

export const VBENCH2_GROUPS = {
  creativity: ['Composition', 'Diversity'],
  commonsense: ['Instance Preservation', 'Motion Rationality'],
  controllability: [
    'Camera Motion',
    'Complex Landscape',
    'Complex Plot',
    'Dynamic Attribute',
    'Dynamic Spatial Relationship',
    'Human Interaction',
    'Motion Order Understanding',
  ],
  human_fidelity: ['Human Anatomy', 'Human Clothes', 'Human Identity'],
  physics: ['Material', 'Mechanics', 'Multi-View Consistency', 'Thermotics'],
} as const satisfies Record<string, readonly string[]>

/** VBench-2.0: plain means of five groups, and the plain mean of those. */
export function vbench2Totals(values: Readonly<Record<string, number>>): Record<string, number> {
  const groups = Object.entries(VBENCH2_GROUPS).map(([group, names]): [string, number] => [
    group,
    names.reduce((sum, name) => sum + (values[name] ?? 0), 0) / names.length,
  ])
  const total = groups.reduce((sum, [, mean]) => sum + mean, 0) / groups.length
  return { ...Object.fromEntries(groups), total }
}
