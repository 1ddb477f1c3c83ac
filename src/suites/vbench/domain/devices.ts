/** What computes: a provider of ONNX Runtime. Operators that it lacks are computed by the CPU. */
export const DEVICES = ['cpu', 'cuda', 'webgpu', 'coreml', 'dml'] as const
export type Device = (typeof DEVICES)[number]
