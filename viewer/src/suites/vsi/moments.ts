import type { RecordedEvent } from '../../../../src/server/api.ts'
import type { Moment } from '../../episode/panel.ts'
import { moveWords } from './words.ts'

/** What the events of the suites are called on the timeline. */
export function momentOf(event: RecordedEvent, at: number): Moment | null {
  switch (event.type) {
    case 'vsi/question':
      return { at, kind: 'move', title: 'question' }
    case 'vsi/first-view':
      return { at, kind: 'move', title: `first view: ${numberOf(event['angle'])}°` }
    case 'vsi/view': {
      const words = moveWords(event['done'])
      return { at, kind: 'move', title: `${numberOf(event['index'])}: ${words ?? 'first view'}` }
    }
    case 'vsi/no-move':
      return { at, kind: 'verdict', title: 'no move could be read' }
    case 'vsi/frame':
      return { at, kind: 'picture', title: `frame ${numberOf(event['frame'])}` }
    case 'vsi/cognitive-map':
      return { at, kind: 'belief', title: 'map of what it saw' }
    default:
      return null
  }
}

function numberOf(value: unknown): string {
  return typeof value === 'number' ? String(Math.round(value)) : '?'
}
