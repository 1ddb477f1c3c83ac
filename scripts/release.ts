/**
 * `npm run release -- patch|minor|major|X.Y.Z [--publish] [--skip-tests]`: checks, sets the version, dates the changelog,
 * commits, tags, packs, writes the software bill of materials and rehearses the publication. Publishes only with `--publish`; pushes never.
 */
import { execFileSync } from 'node:child_process'
import { existsSync, readFileSync, writeFileSync } from 'node:fs'
import { fileURLToPath } from 'node:url'
import { parseArgs } from 'node:util'
import { releaseChangelog, releaseCitation, releasePackageJson, releaseSiteVersions } from './release/files.ts'
import { nextVersion, STEPS } from './release/version.ts'

const ROOT = fileURLToPath(new URL('..', import.meta.url))
const BRANCH = 'main'
const USAGE = `npm run release -- ${STEPS.join('|')}|X.Y.Z [--publish] [--skip-tests]`

try {
  release()
} catch (error) {
  console.error(error instanceof Error ? error.message : error)
  process.exitCode = 1
}

function release(): void {
  const { step, publish, skipTests } = readArguments()
  const { version: previous } = JSON.parse(read('package.json')) as { version: string }
  const version = nextVersion(previous, step)
  const tag = `v${version}`
  requireCleanMain(tag)
  // Everything is computed before anything is written.
  const date = new Date().toISOString().slice(0, 10)
  const files = releasedFiles(previous, version, date)

  run('npm', 'run', 'check')
  run('npm', 'run', 'build')
  run('npm', 'run', 'check:package')
  if (skipTests) console.log('\nTests are skipped (--skip-tests).')
  else run('npm', 'test')

  for (const [file, text] of Object.entries(files)) writeFileSync(`${ROOT}/${file}`, text)
  run('git', 'commit', '--quiet', '--message', `Release ${version}`, '--', ...Object.keys(files))
  run('git', 'tag', '--annotate', tag, '--message', `Sightline ${version}`)
  // What is published is what was checked and packed here.
  const tarball = `./sightline-${version}.tgz`
  run('npm', 'pack', '--ignore-scripts')
  const bom = `sightline-${version}.cdx.json`
  run('npm', 'run', 'sbom', '--', bom)
  run('npm', 'publish', tarball, '--dry-run')
  if (publish) run('npm', 'publish', tarball)

  const rest = [
    `git push origin ${BRANCH} ${tag}`,
    ...(publish ? [] : [`npm publish ${tarball}`]),
    `gh release create ${tag} ${tarball} ${bom}`,
  ]
  console.log(`\n${version} is committed and tagged${publish ? ' and published' : ''}. Next:\n  ${rest.join('\n  ')}`)
  if (skipTests) console.log('The tests were not run for this release.')
}

function readArguments(): { step: string; publish: boolean; skipTests: boolean } {
  const { values, positionals } = parseArgs({
    allowPositionals: true,
    options: { publish: { type: 'boolean' }, 'skip-tests': { type: 'boolean' } },
  })
  const [step, ...more] = positionals
  if (step === undefined || more.length > 0) throw new Error(`Usage: ${USAGE}`)
  return { step, publish: values.publish ?? false, skipTests: values['skip-tests'] ?? false }
}

function requireCleanMain(tag: string): void {
  const branch = git('branch', '--show-current')
  if (branch !== BRANCH) throw new Error(`Releases are made from ${BRANCH}; this is ${branch || 'a detached HEAD'}.`)
  const changed = git('status', '--porcelain')
  if (changed !== '') throw new Error(`Commit or stash these changes first:\n${changed}`)
  if (git('tag', '--list', tag) !== '') throw new Error(`The tag ${tag} exists already.`)
}

function releasedFiles(previous: string, version: string, date: string): Record<string, string> {
  const files: Record<string, string> = {
    'CHANGELOG.md': releaseChangelog(read('CHANGELOG.md'), version, date),
    'package.json': releasePackageJson(read('package.json'), version),
    'package-lock.json': releasePackageJson(read('package-lock.json'), version),
    'CITATION.cff': releaseCitation(read('CITATION.cff'), version, date),
  }
  const site = 'site/versions.json'
  // Only a version with a site can be linked to.
  if (existsSync(`${ROOT}/${site}`) && git('ls-tree', '--name-only', `v${previous}`, site) === site)
    files[site] = releaseSiteVersions(read(site), previous, version)
  return files
}

function read(file: string): string {
  return readFileSync(`${ROOT}/${file}`, 'utf8')
}

function git(...args: readonly string[]): string {
  try {
    return execFileSync('git', args, { cwd: ROOT, encoding: 'utf8', stdio: ['ignore', 'pipe', 'ignore'] }).trim()
  } catch {
    return ''
  }
}

function run(program: string, ...args: readonly string[]): void {
  console.log(`\n$ ${[program, ...args].join(' ')}`)
  try {
    execFileSync(program, args, { cwd: ROOT, stdio: 'inherit' })
  } catch (error) {
    throw new Error(`"${[program, ...args].join(' ')}" failed; nothing after it was done.`, { cause: error })
  }
}
