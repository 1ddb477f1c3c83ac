/** Totals of VBench-2.0, from published results. */

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
