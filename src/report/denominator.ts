/**
 * The only place that decides which episodes count in a mean.
 *
 * 1. `missing_asset` and `cancelled` episodes are excluded from everything.
 * 2. If an episode has a value, it counts, whatever the episode's status.
 * 3. A failed episode without a value for a metric counts as 0 if the metric has `failed: 'zero'` and applies to it:
 *    - the metric's `appliesTo(labels)` decides, if it has one;
 *    - otherwise it applies if any episode with exactly the same labels has a value, so a failed direction question
 *      never counts for a metric that only room-size questions have;
 *    - if no episode with these labels has any value (all failed), it applies if all label groups that share the most
 *      labels with it have the metric;
 *    - if no episode of the run has any value, every such metric applies.
 */
import { UserError } from '../base/errors.ts'
import { counts, type Status } from '../store/records.ts'
import type { Metric, ScoredRow } from './means.ts'

export type Labels = Readonly<Record<string, string>>

/** Whether the player failed, as opposed to giving a wrong answer. */
export function failed(status: Status): boolean {
  return counts(status) && status !== 'answered'
}

interface Group {
  labels: Labels
  /** Metrics that some episode with these labels has a value for. */
  metrics: Set<string>
}

/** Comparisons of groups with each other. */
const MAX_COMPARISONS = 2e9

export function tooManyGroups(): UserError {
  return new UserError('The episodes have too many different labels to be summarized.', {
    hint: 'The run was edited, or its suite gives each sample labels of its own.',
  })
}

/** Groups of episodes with equal labels, and the metrics they have. */
export class LabelGroups {
  readonly #declared: Readonly<Record<string, Metric>>
  readonly #byKey = new Map<string, number>()
  readonly #groups: Group[] = []
  #applies = new Map<string, boolean[]>()
  #comparisons = 0

  constructor(declared: Readonly<Record<string, Metric>>) {
    this.#declared = declared
  }

  get size(): number {
    return this.#groups.length
  }

  /** Adds a counted row and returns the index of its group. */
  add(row: Pick<ScoredRow, 'labels' | 'scores'>): number {
    const key = keyOf(row.labels)
    let index = this.#byKey.get(key)
    if (index === undefined) {
      index = this.#groups.length
      this.#byKey.set(key, index)
      this.#groups.push({ labels: row.labels, metrics: new Set() })
      this.#applies.clear()
    }
    const { metrics } = this.#groups[index]!
    for (const metric in row.scores) {
      if (metrics.has(metric)) continue
      metrics.add(metric)
      this.#applies.clear()
    }
    return index
  }

  labels(group: number): Labels {
    return this.#groups[group]!.labels
  }

  /** For each group, whether its labels contain all of `where`. */
  matching(where: Labels): boolean[] {
    const wanted = Object.entries(where)
    return this.#groups.map(({ labels }) => wanted.every(([name, value]) => labels[name] === value))
  }

  /** Whether a failed episode of a group counts as 0 for a metric it has no value for. */
  zeroForFailed(metric: string, group: number): boolean {
    let answers = this.#applies.get(metric)
    if (answers === undefined) {
      answers = this.#groups.map((each) => this.#decide(metric, each))
      this.#applies.set(metric, answers)
    }
    return answers[group]!
  }

  #decide(metric: string, group: Group): boolean {
    const declared = Object.hasOwn(this.#declared, metric) ? this.#declared[metric] : undefined
    if (declared?.failed !== 'zero') return false
    if (declared.appliesTo) return declared.appliesTo(group.labels)
    if (group.metrics.size > 0) return group.metrics.has(metric)
    this.#comparisons += this.#groups.length
    if (this.#comparisons > MAX_COMPARISONS) throw tooManyGroups()
    let most = 0
    let all = true
    for (const other of this.#groups) {
      if (other.metrics.size === 0) continue
      const shared = sharedLabels(group.labels, other.labels)
      if (shared < most) continue
      if (shared > most) {
        most = shared
        all = true
      }
      all &&= other.metrics.has(metric)
    }
    return all
  }
}

function sharedLabels(a: Labels, b: Labels): number {
  let shared = 0
  for (const name in a) if (a[name] === b[name]) shared++
  return shared
}

/** Equal labels give equal keys, in any order. */
function keyOf(labels: Labels): string {
  const names = Object.keys(labels)
  if (names.length > 1) names.sort()
  let key = ''
  for (const name of names) key += `${name}\u0000${labels[name]}\u0001`
  return key
}
