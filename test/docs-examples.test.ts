import { readFile } from 'node:fs/promises'
import { expect, it } from 'vitest'

it.each(['bearings.ts', 'left-or-right.ts', 'bearings.test.js'])(
  'docs/add-a-suite.md shows examples/%s to the letter',
  async (name) => {
    const page = await readFile(new URL('../docs/add-a-suite.md', import.meta.url), 'utf8')
    expect(page).toContain(await readFile(new URL(`../examples/${name}`, import.meta.url), 'utf8'))
  },
)
