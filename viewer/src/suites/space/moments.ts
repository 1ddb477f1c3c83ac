import type { RecordedEvent } from '../../../../src/server/api.ts'
import type { Moment } from '../../episode/panel.ts'

/** Timeline titles of the suite's events. */
export function momentOf(event: RecordedEvent, at: number): Moment | null {
  switch (event.type) {
    case 'space/scene':
      return {
        at,
        kind: 'move',
        title: event['phase'] === 'exploration' ? 'start' : 're-exploration after changes',
      }
    case 'space/turn':
      return { at, kind: 'move', title: turnTitle(event) }
    case 'space/picture':
      return { at, kind: 'picture', title: `turn ${numberOf(event['turn'])}` }
    case 'space/map':
      return { at, kind: 'belief', title: `map: ${textOf(event['kind'])}, turn ${numberOf(event['turn'])}` }
    case 'space/fog':
      return { at, kind: 'belief', title: `unexplored cells, turn ${numberOf(event['turn'])}` }
    case 'space/answer':
      return { at, kind: 'verdict', title: `question ${textOf(event['task'])}: ${percent(event['score'])}` }
    default:
      return null
  }
}

function turnTitle(event: RecordedEvent): string {
  const { turn, actions } = event
  const names = Array.isArray(actions)
    ? actions.map((each: unknown) =>
        typeof each === 'object' && each !== null && 'action' in each && typeof each.action === 'string'
          ? each.action
          : '',
      )
    : []
  return `turn ${numberOf(turn)}: ${names.join(', ').slice(0, 120) || 'no action'}`
}

function numberOf(value: unknown): string {
  return typeof value === 'number' ? String(value) : '?'
}

function textOf(value: unknown): string {
  return typeof value === 'string' ? value.slice(0, 60) : '?'
}

function percent(value: unknown): string {
  return typeof value === 'number' ? `${Math.round(value * 100)}%` : '–'
}
