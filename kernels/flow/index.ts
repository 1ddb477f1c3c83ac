/**
 * Dense optical flow by inverse search of small patches over a pyramid (after Kroeger, Timofte, Dai and Van Gool, 2016),
 * without variational refinement. Allocates nothing: all memory is laid out by src/media/flow/kernel.ts.
 */
export { absoluteDifference } from './difference'
export { densify } from './densify'
export { gradients, searchPatches } from './search'
export { midpointError } from './midpoint'
export { grey, halve, padEdges, shrinkRows, shrinkColumns } from './picture'
export { magnitudes } from './magnitude'
export { fillFlow, globalShift } from './shift'
