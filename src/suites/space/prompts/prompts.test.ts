import { readdirSync, readFileSync } from 'node:fs'
import { describe, expect, test } from 'vitest'
import { sceneFromJson } from '../domain/grid/scene-json.ts'
import { allPrompts, falseBeliefPrompt, fogPrompt, mapPrompt, prompt, questionPrompt } from './prompts.ts'
import { explorationPrompt, layoutText } from '../play/opening.ts'

const ROOMS = new URL('../../../../conformance/oracle/space/rooms.json', import.meta.url)
const rooms = (JSON.parse(readFileSync(ROOMS, 'utf8')) as { rooms: { id: string; description: string }[] }).rooms

test.each(rooms.map((room) => [room.id, room] as const))('describes the layout of %s as published', (id, room) => {
  expect(layoutText(sceneFromJson(room, id))).toBe(room.description)
})

describe('complete messages', () => {
  const scene = sceneFromJson(rooms[9], 'R09')
  const messages: Record<string, string> = {
    'active, text': explorationPrompt(scene),
    'active, images': explorationPrompt(scene, { vision: true, think: false }),
    passive: explorationPrompt(scene, { active: false, history: '1. Actions: [Observe()]. You observe: …' }),
    'false belief': falseBeliefPrompt(4, 15, true),
    question: questionPrompt('Where?\n', true),
    'question after a map': questionPrompt('Where?\n', true, { mode: 'own-map' }),
    'question with the true map': questionPrompt('Where?\n', false, { mode: 'true-map', map: '{}' }),
    global: mapPrompt('global', true),
    local: mapPrompt('local', false),
    rooms: mapPrompt('rooms', true),
    'second global': mapPrompt('global-false-belief', true),
    fog: fogPrompt({ text: '#A#' }, true),
    'fog, image': fogPrompt('image', true),
  }

  test.each(Object.entries(messages))(
    '%s has no unfilled placeholder and asks for a final answer if needed',
    (name, text) => {
      expect(text).not.toMatch(/\{[a-z_]+\}/)
      // The passive log is followed by a question, which has its own format.
      expect(text.includes('FINAL ANSWER:')).toBe(name !== 'passive')
      expect(text).not.toContain('\n\n\n')
    },
  )

  test('only text mentions relations between close objects, and only vision has images', () => {
    expect(messages['active, text']).toContain(prompt('proximity'))
    expect(messages['active, images']).not.toContain(prompt('proximity'))
    expect(messages['active, images']!.split('<image>')).toHaveLength(3)
  })
})

test('every prompt file is part of the fingerprint', () => {
  const files = readdirSync(new URL('./', import.meta.url)).filter((file) => file.endsWith('.txt'))
  const names = files.map((file) => file.replace(/\.txt$/, ''))
  expect(Object.keys(allPrompts()).sort()).toEqual(names.sort())
  for (const name of names) expect(allPrompts()[name]).toBe(prompt(name))
})
