/** A run to try the store with: for tests and benchmarks. */
import type { EpisodeLine, RunHeader } from '../../src/store/records.ts'

/** A whole header; give the fields that matter. */
export function exampleHeader(fields: Partial<RunHeader> & { id: string }): RunHeader {
  return {
    format: 1,
    suite: 'space/text',
    suiteVersion: 1,
    models: { player: 'baseline/random' },
    modelOptions: {},
    profile: 'official',
    options: { rooms: 3 },
    source: 'builtin:seed=7',
    sourceFingerprint: 'builtin/1/seed=7',
    limit: null,
    sampleIds: null,
    epochs: 1,
    seed: 0,
    budget: null,
    timeLimitSeconds: null,
    fingerprint: { parts: { suite: 'space/text@1' }, hash: '0'.repeat(64) },
    versions: { sightline: '0.1.0' },
    git: null,
    prices: {},
    created: '2026-11-15T10:02:33.000Z',
    planned: 1,
    ...fields,
  }
}

/** The finished episode of the case at `index`, of the size that real ones have. */
export function exampleLine(index: number, epoch = 1): Omit<EpisodeLine, 'events'> {
  return {
    index,
    sample: `scene-${Math.floor(index / 10)}/question-${index}`,
    epoch,
    cluster: `scene-${Math.floor(index / 10)}`,
    labels: { type: index % 2 === 0 ? 'object_count' : 'room_size', setting: 'active' },
    status: 'answered',
    scores: { accuracy: (index % 7) / 6, steps: index % 20, exploration: (index % 100) / 99 },
    usage: {
      calls: 3,
      inputTokens: 2400 + index,
      outputTokens: 310,
      reasoningTokens: 120,
      cachedInputTokens: 0,
      usd: 0.0125,
    },
    ms: 1234.5,
  }
}
