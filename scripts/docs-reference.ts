/**
 * Writes docs/reference/ from the product's own declarations: the CLI, the config schema, the suites.
 *
 *     npm run docs:reference
 */
import { mkdir, writeFile } from 'node:fs/promises'
import { fileURLToPath } from 'node:url'
import { referencePages } from './docs-reference/pages.ts'

const FOLDER = fileURLToPath(new URL('../docs/reference/', import.meta.url))

await mkdir(FOLDER, { recursive: true })
for (const [name, page] of Object.entries(await referencePages())) {
  await writeFile(`${FOLDER}${name}`, page)
  console.log(`docs/reference/${name}`)
}
