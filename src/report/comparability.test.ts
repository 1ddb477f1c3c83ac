import { expect, it } from 'vitest'
import { exampleHeader } from '../../test/support/store.ts'
import type { RunHeader } from '../store/records.ts'
import { settingsOf } from './comparability.ts'

const PARTS = {
  suite: 'space/text',
  seed: '0',
  samples: '20',
  'model.player': 'openai/a',
  'modelOption.temperature': '0',
}

function header(parts: Record<string, string>, fields: Partial<RunHeader> = {}): RunHeader {
  return exampleHeader({ id: 'run', fingerprint: { parts: { ...PARTS, ...parts }, hash: '' }, ...fields })
}

it.each<[string, RunHeader, boolean]>([
  ['another player', header({ 'model.player': 'openai/b' }), true],
  ['other options of the player', header({ 'modelOption.temperature': '1' }), true],
  ['another seed', header({ seed: '1' }), false],
  // Scores on other samples are not comparable, although shared samples could be paired.
  ['more samples', header({ samples: '40' }), false],
  ['another judge', header({ 'model.judge': 'openai/c' }), false],
  ['another profile', header({}, { profile: 'fixed' }), false],
])('decides whether runs with %s can be shown side by side', (_what, other, same) => {
  expect(settingsOf(other) === settingsOf(header({}))).toBe(same)
})
