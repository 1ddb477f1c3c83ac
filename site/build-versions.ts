/**
 * Adds the older versions of site/versions.json to the built site, each from its tag and under its own path: `/v0.1/`.
 *
 *     npm run docs:versions
 */
import { execFileSync } from 'node:child_process'
import { cpSync, mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { olderVersions } from './.vitepress/versions.ts'

const SITE = fileURLToPath(new URL('.', import.meta.url))
const BUILT = '.vitepress/dist'
const base = process.env['DOCS_BASE'] ?? '/'

for (const { name, tag } of olderVersions()) {
  const folder = mkdtempSync(join(tmpdir(), `sightline-${name}-`))
  try {
    run('git', ['worktree', 'add', '--detach', folder, tag], SITE)
    // Menus of older versions list the newer ones too.
    cpSync(join(SITE, 'versions.json'), join(folder, 'site/versions.json'))
    run('npm', ['ci'], folder)
    run('npm', ['run', 'docs:site'], folder, { DOCS_BASE: `${base}v${name}/` })
    cpSync(join(folder, 'site', BUILT), join(SITE, BUILT, `v${name}`), { recursive: true })
  } finally {
    rmSync(folder, { recursive: true, force: true })
    run('git', ['worktree', 'prune'], SITE)
  }
}

function run(program: string, args: readonly string[], cwd: string, env: Record<string, string> = {}): void {
  execFileSync(program, args, { cwd, stdio: 'inherit', env: { ...process.env, ...env } })
}
