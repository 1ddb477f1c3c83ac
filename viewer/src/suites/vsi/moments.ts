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

/** What the others are called in the transcript. */
export function titleOf(event: RecordedEvent): string | null {
  switch (event.type) {
    case 'vsi/read': {
      const { answer, problem } = event
      const parts = [moveWords(event['move']), typeof answer === 'string' ? `answer ${answer.slice(0, 80)}` : null]
      const understood = parts.filter((part) => part !== null).join(', ')
      return understood === '' || typeof problem === 'string' ? 'not understood' : `understood: ${understood}`
    }
    case 'vsi/stage':
      return 'the room'
    case 'vsi/film':
      return `a film of ${numberOf(event['frames'])} frames`
    case 'vsi/map':
      return 'the path from above was kept'
    default:
      return null
  }
}

function numberOf(value: unknown): string {
  return typeof value === 'number' ? String(Math.round(value)) : '?'
}
