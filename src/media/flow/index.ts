export { texturedPoints } from './corners.ts'
export { DifferenceKernel, type FlowField, FlowKernel, flowSize } from './kernel.ts'
export { PointTracker, type Track, type TrackPoint } from './tracks.ts'
