import { describe, expect, it } from 'vitest'
import { changelogOf, releaseChangelog, releaseCitation, releasePackageJson, releaseSiteVersions } from './files.ts'
import { nextVersion } from './version.ts'

describe('nextVersion', () => {
  it.each([
    ['0.1.9', 'patch', '0.1.10'],
    ['0.1.9', 'minor', '0.2.0'],
    ['0.1.9', 'major', '1.0.0'],
    ['0.1.9', '0.3.0', '0.3.0'],
  ])('%s, %s: %s', (current, step, next) => expect(nextVersion(current, step)).toBe(next))

  it.each([
    ['0.2.0', '0.2.0', 'not newer than 0.2.0'],
    ['0.10.0', '0.9.0', 'not newer than 0.10.0'],
    ['0.1.0', 'v0.2.0', 'is not a version'],
    ['0.1.0', 'big', 'Use patch, minor, major or X.Y.Z'],
  ])('refuses %s, %s', (current, step, reason) => expect(() => nextVersion(current, step)).toThrow(reason))
})

const CHANGELOG = `# Changelog

## Unreleased

### Added

- A site.

## 0.1.0 - 2026-11-15

### Added

- Everything.
`

describe('releaseChangelog', () => {
  it('dates what is unreleased and leaves the heading for what comes next', () => {
    const released = releaseChangelog(CHANGELOG, '0.2.0', '2026-12-01')
    expect(released).toContain(
      '## Unreleased\n\n## 0.2.0 - 2026-12-01\n\n### Added\n\n- A site.\n\n## 0.1.0 - 2026-11-15\n',
    )
    expect(changelogOf(released, '0.2.0')).toBe('### Added\n\n- A site.')
    expect(changelogOf(released, '0.1.0')).toBe('### Added\n\n- Everything.')
  })

  it.each([
    ['# Changelog\n\n## 0.1.0 - 2026-11-15\n', '0.2.0', 'no "## Unreleased" heading'],
    [CHANGELOG, '0.1.0', 'already has a section for 0.1.0'],
    [releaseChangelog(CHANGELOG, '0.2.0', '2026-12-01'), '0.3.0', 'nothing to release'],
  ])('refuses a changelog it cannot release (%#)', (changelog, version, reason) =>
    expect(() => releaseChangelog(changelog, version, '2026-12-01')).toThrow(reason),
  )
})

it('sets the version of a package and of its lock file, and nothing else', () => {
  expect(releasePackageJson('{\n  "name": "a",\n  "version": "0.1.0"\n}\n', '0.2.0')).toBe(
    '{\n  "name": "a",\n  "version": "0.2.0"\n}\n',
  )
  const lock = { version: '0.1.0', packages: { '': { version: '0.1.0' }, 'node_modules/b': { version: '0.1.0' } } }
  expect(JSON.parse(releasePackageJson(JSON.stringify(lock), '0.2.0'))).toEqual({
    version: '0.2.0',
    packages: { '': { version: '0.2.0' }, 'node_modules/b': { version: '0.1.0' } },
  })
})

it('sets version and date of the citation, but not the version of its format', () => {
  const cff = "cff-version: 1.2.0\ntitle: Sightline\nversion: 0.1.0\ndate-released: '2026-11-15'\nlicense: Apache-2.0\n"
  expect(releaseCitation(cff, '0.2.0', '2026-12-01')).toBe(
    "cff-version: 1.2.0\ntitle: Sightline\nversion: 0.2.0\ndate-released: '2026-12-01'\nlicense: Apache-2.0\n",
  )
  expect(() => releaseCitation('cff-version: 1.2.0\n', '0.2.0', '2026-12-01')).toThrow('CITATION.cff')
})

it('links the site to the last release of each older minor version', () => {
  const first = releaseSiteVersions('[]', '0.1.0', '0.2.0')
  expect(JSON.parse(first)).toEqual([{ name: '0.1', tag: 'v0.1.0' }])
  expect(releaseSiteVersions(first, '0.2.0', '0.2.1')).toBe(first)
  expect(JSON.parse(releaseSiteVersions(first, '0.2.1', '0.3.0'))).toEqual([
    { name: '0.2', tag: 'v0.2.1' },
    { name: '0.1', tag: 'v0.1.0' },
  ])
})
