import { readFileSync } from 'node:fs'
import { fileURLToPath } from 'node:url'
import { expect, it } from 'vitest'
import { installedPackages, readLock, thirdPartyList } from './packages.ts'
import { bundledPackages, releaseBom } from './sbom.ts'

const ROOT = fileURLToPath(new URL('../..', import.meta.url))

it('THIRD-PARTY.md lists what package-lock.json installs (npm run licenses)', () => {
  const packages = installedPackages(readLock(readFileSync(`${ROOT}package-lock.json`, 'utf8')))
  expect(packages.length).toBeGreaterThan(100)
  expect(readFileSync(`${ROOT}THIRD-PARTY.md`, 'utf8')).toBe(thirdPartyList(packages))
})

it('refuses a license that nobody has looked at, but not that of a tool of development', () => {
  const lock = (entry: object) => ({ packages: { 'node_modules/a': entry } })
  expect(() => installedPackages(lock({ license: 'AGPL-3.0' }))).toThrow('a (AGPL-3.0)')
  expect(() => installedPackages(lock({}))).toThrow('a (none)')
  expect(installedPackages(lock({ license: 'AGPL-3.0', dev: true }))).toEqual([])
})

it('a package is optional only if nothing requires it', () => {
  const packages = {
    'node_modules/a': { license: 'MIT' },
    'node_modules/b/node_modules/a': { license: 'MIT', optional: true },
    'node_modules/c': { license: 'MIT', optional: true },
  }
  expect(installedPackages({ packages })).toEqual([
    { name: 'a', license: 'MIT', optional: false },
    { name: 'c', license: 'MIT', optional: true },
  ])
})

it('a bill of materials has what is installed and what is bundled, and no tools', () => {
  const component = (name: string, development: boolean) => ({
    'bom-ref': `${name}@1.0.0`,
    name,
    version: '1.0.0',
    properties: development ? [{ name: 'cdx:npm:package:development', value: 'true' }] : [],
  })
  const all = {
    metadata: { component: component('folder', false) },
    components: [component('hono', false), component('three', true), component('vite', true)],
    dependencies: [
      { ref: 'folder@1.0.0', dependsOn: ['hono@1.0.0', 'three@1.0.0', 'vite@1.0.0'] },
      { ref: 'vite@1.0.0' },
    ],
  }
  const bundled = bundledPackages('# Licenses\n\n## three - 1.0.0 (MIT)\n\nMIT License\n')
  const bom = releaseBom(all, bundled)
  expect(bom.metadata.component.name).toBe('sightline')
  expect(bom.components.map(({ name, properties }) => [name, properties])).toEqual([
    ['hono', []],
    ['three', [{ name: 'sightline:bundled', value: 'true' }]],
  ])
  expect(bom.dependencies).toEqual([{ ref: 'folder@1.0.0', dependsOn: ['hono@1.0.0', 'three@1.0.0'] }])
  expect(() => releaseBom(all, bundledPackages('## gone - 1.0.0 (MIT)\n'))).toThrow('gone@1.0.0')
})
