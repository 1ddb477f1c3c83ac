/** Allowed ranges of numbers, on the command line and in a config. */
export interface NumberRange {
  min?: number
  max?: number
  whole?: boolean
}

export const RANGES = {
  epochs: { min: 1, max: 10_000, whole: true },
  participants: { min: 1, max: 1000, whole: true },
  sample: { min: 1, max: 1_000_000_000, whole: true },
  seed: { min: 0, max: Number.MAX_SAFE_INTEGER, whole: true },
  maxConnections: { min: 1, max: 10_000, whole: true },
  perMinute: { min: 1, max: 1e9 },
  /** Below a second, a busy worker would count as dead. */
  lease: { min: 1, max: 3600 },
  slots: { min: 1, max: 10_000, whole: true },
  threads: { min: 0, max: 1024, whole: true },
  grace: { min: 0, max: 3600 },
  pictureSide: { min: 8, max: 4096, whole: true },
  figureWidth: { min: 160, max: 4000 },
  maxRetries: { min: 0, max: 1000, whole: true },
  /** At most a day. */
  timeout: { min: 0.001, max: 86_400 },
  /** At most the 24 days that a timer can hold. */
  timeLimit: { min: 0.001, max: 2_147_483 },
  failUnder: {},
  maxGain: { min: 0, max: 100 },
  scenes: { min: 1, max: 1_000_000, whole: true },
  rooms: { min: 2, max: 8, whole: true },
  port: { min: 0, max: 65_535, whole: true },
  sessions: { min: 1, max: 100_000, whole: true },
  fov: { min: 1, max: 170 },
  metersPerUnit: { min: 1e-9, max: 1e9 },
} as const satisfies Record<string, NumberRange>
