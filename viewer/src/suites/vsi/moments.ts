import type { RecordedEvent } from '../../../../src/server/api.ts'
import type { Moment } from '../../episode/panel.ts'
import { describeMove } from './describe-move.ts'

/** Timeline titles of the suites' events. */
export function momentOf(event: RecordedEvent, at: number): Moment | null {
  switch (event.type) {
    case 'vsi/question':
      return { at, kind: 'move', title: 'question' }
    case 'vsi/first-view':
      return { at, kind: 'move', title: `initial view: ${numberOf(event['angle'])}°` }
    case 'vsi/view': {
      const move = describeMove(event['done'])
      return { at, kind: 'move', title: `${numberOf(event['index'])}: ${move ?? 'initial view'}` }
    }
    case 'vsi/no-move':
      return { at, kind: 'verdict', title: 'unreadable move' }
    case 'vsi/frame':
      return { at, kind: 'picture', title: `frame ${numberOf(event['frame'])}` }
    case 'vsi/cognitive-map':
      return { at, kind: 'belief', title: 'cognitive map' }
    default:
      return null
  }
}

/** Transcript titles of events that are not steps. */
export function titleOf(event: RecordedEvent): string | null {
  switch (event.type) {
    case 'vsi/read': {
      const { answer, problem } = event
      const parts = [describeMove(event['move']), typeof answer === 'string' ? `answer ${answer.slice(0, 80)}` : null]
      const parsed = parts.filter((part) => part !== null).join(', ')
      return parsed === '' || typeof problem === 'string' ? 'not parsed' : `parsed: ${parsed}`
    }
    case 'vsi/stage':
      return 'room'
    case 'vsi/film':
      return `video of ${numberOf(event['frames'])} frames`
    case 'vsi/map':
      return 'top view with path'
    default:
      return null
  }
}

function numberOf(value: unknown): string {
  return typeof value === 'number' ? String(Math.round(value)) : '?'
}
