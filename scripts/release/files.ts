/** The files that carry the version: each function takes a file's text and returns the new one. */

const UNRELEASED = /^## \[?Unreleased\]?[^\n]*\n/m
const NEXT_HEADING = /^## /m

/** Dates the entries under "Unreleased", and leaves an empty "Unreleased" above them. */
export function releaseChangelog(changelog: string, version: string, date: string): string {
  const heading = UNRELEASED.exec(changelog)
  if (!heading) throw new Error('CHANGELOG.md has no "## Unreleased" heading.')
  if (changelog.includes(`\n## ${version} - `)) throw new Error(`CHANGELOG.md already has a section for ${version}.`)
  const before = changelog.slice(0, heading.index)
  const after = changelog.slice(heading.index + heading[0].length)
  const end = NEXT_HEADING.exec(after)?.index ?? after.length
  const entries = after.slice(0, end)
  if (!/^\s*[-*] /m.test(entries))
    throw new Error('CHANGELOG.md has no entries under "Unreleased": nothing to release.')
  return `${before}## Unreleased\n\n## ${version} - ${date}\n${entries}${after.slice(end)}`
}

/** The entries of a version, for the release notes. */
export function changelogOf(changelog: string, version: string): string {
  const start = changelog.indexOf(`\n## ${version} - `)
  if (start < 0) throw new Error(`CHANGELOG.md has no section for ${version}.`)
  const section = changelog.slice(changelog.indexOf('\n', start + 1) + 1)
  return section.slice(0, NEXT_HEADING.exec(section)?.index ?? section.length).trim()
}

/** package.json, or package-lock.json, which has the version twice. */
export function releasePackageJson(text: string, version: string): string {
  const data = JSON.parse(text) as { version: string; packages?: Record<string, { version?: string }> }
  data.version = version
  const root = data.packages?.['']
  if (root) root.version = version
  return `${JSON.stringify(data, null, 2)}\n`
}

export function releaseCitation(text: string, version: string, date: string): string {
  const updated = text
    .replace(/^version: .*$/m, `version: ${version}`)
    .replace(/^date-released: .*$/m, `date-released: '${date}'`)
  if (!updated.includes(`\nversion: ${version}\n`) || !updated.includes(`\ndate-released: '${date}'\n`))
    throw new Error('CITATION.cff has no "version" or "date-released" line.')
  return updated
}

export interface SiteVersion {
  /** `0.1`: patch releases share a site. */
  name: string
  tag: string
}

/** The list of older versions that the documentation site links to, newest first, once `previous` is one of them. */
export function releaseSiteVersions(text: string, previous: string, version: string): string {
  const older = JSON.parse(text) as SiteVersion[]
  const name = minorOf(previous)
  if (name === minorOf(version)) return text
  const others = older.filter((entry) => entry.name !== name)
  return `${JSON.stringify([{ name, tag: `v${previous}` }, ...others], null, 2)}\n`
}

function minorOf(version: string): string {
  return version.slice(0, version.lastIndexOf('.'))
}
