import { readFile } from 'node:fs/promises'
import { expect, it } from 'vitest'

it.each([
  ['add-a-suite.md', 'bearings.ts'],
  ['add-a-suite.md', 'left-or-right.ts'],
  ['add-a-suite.md', 'bearings.test.js'],
  ['viewer.md', 'walks-panel.js'],
])('docs/%s quotes examples/%s exactly', async (doc, name) => {
  const page = await readFile(new URL(`../docs/${doc}`, import.meta.url), 'utf8')
  expect(page).toContain(await readFile(new URL(`../examples/${name}`, import.meta.url), 'utf8'))
})
