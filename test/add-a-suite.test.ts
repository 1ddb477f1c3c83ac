import { readFile } from 'node:fs/promises'
import { expect, it } from 'vitest'

it('docs/add-a-suite.md shows the example that the tests run, to the letter', async () => {
  const page = await readFile(new URL('../docs/add-a-suite.md', import.meta.url), 'utf8')
  const suite = await readFile(new URL('../examples/compass/suite.ts', import.meta.url), 'utf8')
  expect(page).toContain(suite)
})
