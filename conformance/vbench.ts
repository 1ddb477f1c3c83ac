/** VBench's prompts, file names, rules, flow and totals against the published evaluator. */
export { aggregate } from './vbench/aggregate.ts'
export { filematch } from './vbench/filematch.ts'
export { flowProxy } from './vbench/flow.ts'
export { spatialRelationship, temporalFlickering } from './vbench/pixels.ts'
export { rules } from './vbench/rules.ts'
