/** Scores reported changes. */
import type { Change } from '../domain/grid/scene.ts'
import type { ReportedChange } from '../parse/changes.ts'

export interface ChangeScore {
  precision: number
  recall: number
  f1: number
  /** F1 over the names of moved objects only. */
  position: number
  /** F1 over the names of turned objects only. */
  orientation: number
}

export function scoreChanges(reported: readonly ReportedChange[], truth: readonly Change[]): ChangeScore {
  const names = {
    position: reported.filter(({ position }) => position).map(({ name }) => name),
    orientation: reported.filter(({ orientation }) => orientation).map(({ name }) => name),
  }
  const of = (kind: Change['kind']): string[] => truth.filter((change) => change.kind === kind).map(({ name }) => name)
  const labels = [
    ...names.position.map((name) => `position ${name}`),
    ...names.orientation.map((name) => `orientation ${name}`),
  ]
  const all = f1(
    labels,
    truth.map(({ name, kind }) => `${kind} ${name}`),
  )
  return {
    ...all,
    position: f1(names.position, of('position')).f1,
    orientation: f1(names.orientation, of('orientation')).f1,
  }
}

function f1(reported: readonly string[], truth: readonly string[]): { precision: number; recall: number; f1: number } {
  const [a, b] = [new Set(reported), new Set(truth)]
  const right = [...a].filter((label) => b.has(label)).length
  const precision = a.size > 0 ? right / a.size : 0
  const recall = b.size > 0 ? right / b.size : 0
  return { precision, recall, f1: precision + recall > 0 ? (2 * precision * recall) / (precision + recall) : 0 }
}
