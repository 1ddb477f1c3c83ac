/** How much of what a player reports to have changed is right. */
import type { Change } from '../domain/grid/scene.ts'
import type { ReportedChange } from '../parse/changes.ts'

export interface ChangeScore {
  precision: number
  recall: number
  f1: number
  /** F1 over the names of moved objects alone. */
  position: number
  /** F1 over the names of turned objects alone. */
  orientation: number
}

export function scoreChanges(reported: readonly ReportedChange[], truth: readonly Change[]): ChangeScore {
  const said = {
    position: reported.filter(({ position }) => position).map(({ name }) => name),
    orientation: reported.filter(({ orientation }) => orientation).map(({ name }) => name),
  }
  const of = (kind: Change['kind']): string[] => truth.filter((change) => change.kind === kind).map(({ name }) => name)
  const labels = [
    ...said.position.map((name) => `position ${name}`),
    ...said.orientation.map((name) => `orientation ${name}`),
  ]
  const all = f1(
    labels,
    truth.map(({ name, kind }) => `${kind} ${name}`),
  )
  return {
    ...all,
    position: f1(said.position, of('position')).f1,
    orientation: f1(said.orientation, of('orientation')).f1,
  }
}

function f1(said: readonly string[], truth: readonly string[]): { precision: number; recall: number; f1: number } {
  const [a, b] = [new Set(said), new Set(truth)]
  const right = [...a].filter((label) => b.has(label)).length
  const precision = a.size > 0 ? right / a.size : 0
  const recall = b.size > 0 ? right / b.size : 0
  return { precision, recall, f1: precision + recall > 0 ? (2 * precision * recall) / (precision + recall) : 0 }
}
