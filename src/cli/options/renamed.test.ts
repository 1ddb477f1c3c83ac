import { expect, it } from 'vitest'
import { withNewNames } from './renamed.ts'

it.each([
  ['run space/text --on redis://host', 'run space/text --queue redis://host', 1],
  ['list space/text --cases', 'list space/text --samples', 1],
  ['scene show room.json --film=tour.mp4 --doll-house', 'scene show room.json --video=tour.mp4 --dollhouse', 2],
  ['vbench sample --suite builtin --out videos', 'vbench sample --prompts builtin --output videos', 2],
  ['score latest --suite ./mine.ts', 'score latest --suite ./mine.ts', 0],
])('%s becomes %s', (typed, current, notes) => {
  const result = withNewNames(typed.split(' '))
  expect(result.args.join(' ')).toBe(current)
  expect(result.notes).toHaveLength(notes)
})
