export { texturedPoints } from './corners.ts'
export { DifferenceKernel, type FlowField, FlowKernel, flowSize } from './kernel.ts'
export { bilinear, PointTracker, type Track, type TrackPoint } from './tracks.ts'
