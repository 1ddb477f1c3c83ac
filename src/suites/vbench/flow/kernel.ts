/** The flow kernel is shared: it lives with the other means of reading films. */
export { DifferenceKernel, type FlowField, FlowKernel, flowSize } from '../../../media/flow/index.ts'
