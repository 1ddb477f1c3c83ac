/** A small made-up run for tests and benches: question types, scenes, failures, repeats. */
import { Random } from '../../src/base/random.ts'
import type { EpisodeLine, RunHeader, Status } from '../../src/store/records.ts'
import type { Metric, Means } from '../../src/report/means.ts'
import type { Summary } from '../../src/report/summary.ts'

export const exampleMetrics: Readonly<Record<string, Metric>> = {
  score: { title: 'Score', better: 'higher', unit: 'percent', failed: 'zero' },
  steps: { title: 'Steps', better: 'lower', unit: 'number', failed: 'leave-out' },
}

/** Two question types, a macro average over them, and a cost. */
export const exampleSuite = {
  title: 'Example rooms',
  metrics: exampleMetrics,
  summary(means: Means): Summary {
    const types = means.values('type').map((type) => ({
      key: type,
      title: type,
      value: means.mean('score', { type }),
      n: means.count('score', { type }),
      unit: 'percent' as const,
      better: 'higher' as const,
      chance: 0.25,
      section: 'By question',
    }))
    const known = types.flatMap(({ value }) => (value === null ? [] : [value]))
    return {
      headline: 'overall',
      success: 'score',
      rows: [
        {
          key: 'overall',
          title: 'Overall (macro)',
          value: known.length === 0 ? null : known.reduce((sum, value) => sum + value, 0) / known.length,
          n: means.count('score'),
          unit: 'percent',
          better: 'higher',
          chance: 0.25,
          constant: 0.31,
        },
        {
          key: 'steps',
          title: 'Steps',
          value: means.mean('steps'),
          n: means.count('steps'),
          unit: 'number',
          better: 'lower',
          note: 'Of answered episodes only.',
        },
        ...types,
      ],
    }
  },
}

export function exampleHeader(changes: Partial<RunHeader> = {}): RunHeader {
  const player = changes.models?.['player'] ?? 'baseline/random'
  return {
    format: 1,
    id: 'example-run',
    suite: 'example/rooms',
    suiteVersion: 1,
    models: { player },
    modelOptions: {},
    profile: 'fixed',
    options: {},
    source: 'builtin:seed=7',
    sourceFingerprint: 'example-1-seed-7',
    limit: null,
    sampleIds: null,
    epochs: 1,
    seed: 0,
    budget: null,
    timeLimitSeconds: null,
    fingerprint: {
      hash: 'abc123',
      parts: {
        suite: 'example/rooms',
        suiteVersion: '1',
        profile: 'fixed',
        source: 'example-1-seed-7',
        samples: changes.limit ?? (changes.sample === undefined ? 'all' : `sample ${changes.sample}`),
        'model.player': player,
      },
    },
    versions: {},
    git: null,
    prices: {},
    created: '2026-01-01T00:00:00.000Z',
    planned: 0,
    ...changes,
  }
}

export function exampleLine(index: number, changes: Partial<EpisodeLine> = {}): EpisodeLine {
  return {
    index,
    sample: `case-${index}`,
    epoch: 0,
    cluster: `scene-${index}`,
    labels: { type: 'direction' },
    status: 'answered',
    scores: { score: 1 },
    usage: { calls: 1, inputTokens: 100, outputTokens: 10, reasoningTokens: 0, cachedInputTokens: 0, usd: 0.001 },
    ms: 5,
    events: [0, 0],
    ...changes,
  }
}

export interface ExampleRun {
  clusters: number
  samplesPerCluster: number
  epochs?: number
  /** Chance of a right answer in an average scene. */
  skill: number
  /** How much scenes differ in difficulty. */
  spread?: number
  failures?: number
  key: string
}

/** A run with scenes of different difficulty. Cases and scenes are the same for every key; answers are not. */
export function exampleRows({
  clusters,
  samplesPerCluster,
  epochs = 1,
  skill,
  spread = 0.2,
  failures = 0,
  key,
}: ExampleRun): EpisodeLine[] {
  const difficulty = new Random('example/difficulty')
  const random = new Random(`example/${key}`)
  const rows: EpisodeLine[] = []
  for (let cluster = 0; cluster < clusters; cluster++) {
    const ease = Math.min(1, Math.max(0, skill + spread * (difficulty.unit() * 2 - 1)))
    for (let item = 0; item < samplesPerCluster; item++) {
      for (let epoch = 0; epoch < epochs; epoch++) {
        const index = cluster * samplesPerCluster + item
        const failed = random.chance(failures)
        const status: Status = failed ? random.pick(['no_answer', 'parse_failed', 'model_error'] as const) : 'answered'
        const right = random.chance(ease) ? 1 : 0
        rows.push(
          exampleLine(index, {
            epoch,
            cluster: `scene-${cluster}`,
            labels: { type: item % 2 === 0 ? 'direction' : 'distance' },
            status,
            scores: failed ? {} : { score: right, steps: random.between(3, 12) },
          }),
        )
      }
    }
  }
  return rows
}
