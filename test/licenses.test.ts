/** What the build ships of others, with its licenses. */
import { readFileSync } from 'node:fs'
import { fileURLToPath } from 'node:url'
import { expect, it } from 'vitest'
import { PERMISSIVE } from '../scripts/supply-chain/packages.ts'
import { bundledPackages } from '../scripts/supply-chain/sbom.ts'

const DIST = fileURLToPath(new URL('../dist/', import.meta.url))

it.each(['viewer', 'viewer-share'])('%s names what is bundled in it, all under permissive licenses', (folder) => {
  const bundled = bundledPackages(readFileSync(`${DIST}${folder}/licenses.md`, 'utf8'))
  expect(bundled.length).toBeGreaterThan(20)
  expect(bundled.map(({ name }) => name)).toContain('react')
  expect(bundled.filter(({ license }) => !PERMISSIVE.has(license))).toEqual([])
  expect(readFileSync(`${DIST}${folder}/inter-license.txt`, 'utf8')).toContain('SIL Open Font License')
})
