import { readdirSync, readFileSync } from 'node:fs'
import { describe, expect, test } from 'vitest'
import { sceneFromJson } from '../domain/grid/scene-json.ts'
import { PROFILES, type Profile } from '../domain/profile.ts'
import {
  allPrompts,
  falseBeliefPrompt,
  fogPrompt,
  mapPrompt,
  prompt,
  questionPrompt,
  systemPrompt,
} from './prompts.ts'
import { explorationPrompt, layoutText } from '../play/opening.ts'

const ROOMS = new URL('../../../../conformance/oracle/space/rooms.json', import.meta.url)
const rooms = (JSON.parse(readFileSync(ROOMS, 'utf8')) as { rooms: { id: string; description: string }[] }).rooms

test.each(rooms.map((room) => [room.id, room] as const))('describes the layout of %s as published', (id, room) => {
  expect(layoutText(sceneFromJson(room, id), 'upstream')).toBe(room.description)
})

const scene = sceneFromJson(rooms[9], 'R09')

function messagesOf(profile: Profile): Record<string, string> {
  return {
    'active, text': explorationPrompt(scene, profile),
    'active, images': explorationPrompt(scene, profile, { vision: true, think: false }),
    passive: explorationPrompt(scene, profile, { active: false, history: '1. Actions: [Observe()]. You observe: …' }),
    'false belief': falseBeliefPrompt(4, 15, true, profile),
    question: questionPrompt('Where?\n', true, profile),
    'question after a map': questionPrompt('Where?\n', true, profile, { mode: 'own-map' }),
    'question with the true map': questionPrompt('Where?\n', false, profile, { mode: 'true-map', map: '{}' }),
    global: mapPrompt('global', true, profile),
    local: mapPrompt('local', false, profile),
    rooms: mapPrompt('rooms', true, profile),
    'second global': mapPrompt('global-false-belief', true, profile),
    fog: fogPrompt({ text: '#A#' }, true, profile),
    'fog, image': fogPrompt('image', true, profile),
  }
}

describe.each(PROFILES)('complete messages of profile %s', (profile) => {
  const messages = messagesOf(profile)

  test.each(Object.entries(messages))(
    '%s has no unfilled placeholder and asks for a final answer if needed',
    (name, text) => {
      expect(text).not.toMatch(/\{[a-z_]+\}/)
      // The passive log is followed by a question, which has its own format.
      expect(text.includes('FINAL ANSWER:')).toBe(name !== 'passive')
      if (profile === 'fixed') expect(text).not.toContain('\n\n\n')
    },
  )

  test('only text mentions relations between close objects, and only vision has images', () => {
    expect(messages['active, text']).toContain(prompt('proximity', profile))
    expect(messages['active, images']).not.toContain(prompt('proximity', profile))
    expect(messages['active, images']!.split('<image>')).toHaveLength(3)
  })
})

test('fixed has clean English, upstream the published words', () => {
  const [own, published] = [messagesOf('fixed'), messagesOf('upstream')]
  expect(systemPrompt(true, 'fixed')).toMatch(/^Your answer should/)
  expect(systemPrompt(false, 'upstream')).toBe(
    'You answer should strictly follow this format:\nTHINK: Your thoughts\nFINAL ANSWER: Your final answer',
  )
  expect(own['active, text']).toContain('Your current (initial) position')
  expect(published['active, text']).toContain('You current (initial) position')
  for (const text of Object.values(own)) expect(text).not.toMatch(/You current|You answer|objects in the room\b/)
  expect(published['active, text']).toContain('High cost, only use when necessary')
  expect(published['active, text']).toContain('(-22.5°,22.5°]→north')
  expect(published['global']).toContain('!!! IMPORTANT OUTPUT RULES !!!')
  expect(published['question']).toMatch(/^Where\?\n\n\n## Output Format\nTHINK:\n\[Your thoughts on the question\]/)
})

test('every prompt file is part of the fingerprint', () => {
  const files = readdirSync(new URL('./', import.meta.url)).filter((file) => file.endsWith('.txt'))
  const names = files.map((file) => file.replace(/\.txt$/, ''))
  expect(Object.keys(allPrompts()).sort()).toEqual(names.sort())
  for (const name of names) expect(allPrompts()[name]).toBe(prompt(name, 'fixed'))
})
