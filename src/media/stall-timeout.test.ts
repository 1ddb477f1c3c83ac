import { expect, test } from 'vitest'
import { UserError } from '../base/errors.ts'
import { withStallTimeout } from './stall-timeout.ts'

async function* letters(): AsyncGenerator<string> {
  yield 'a'
  yield 'b'
}

test('passes items through', async () => {
  const seen: string[] = []
  for await (const letter of withStallTimeout(letters(), 10, 'late')) seen.push(letter)
  expect(seen).toEqual(['a', 'b'])
})

test('throws when the next item never arrives', async () => {
  async function* stuck(): AsyncGenerator<string> {
    yield 'a'
    await new Promise(() => {})
  }
  const seen: string[] = []
  const read = async (): Promise<void> => {
    for await (const letter of withStallTimeout(stuck(), 0.02, 'Nothing came.')) seen.push(letter)
  }
  await expect(read()).rejects.toThrow(new UserError('Nothing came.'))
  expect(seen).toEqual(['a'])
})

test('closes the source when the consumer stops early', async () => {
  let ended = false
  async function* counted(): AsyncGenerator<string> {
    try {
      yield* letters()
    } finally {
      ended = true
    }
  }
  for await (const _ of withStallTimeout(counted(), 10, 'late')) break
  expect(ended).toBe(true)
})
