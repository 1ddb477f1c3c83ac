import { execFileSync } from 'node:child_process'
import { readdirSync, statSync } from 'node:fs'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'

const ROOT = fileURLToPath(new URL('..', import.meta.url))
/** What the build reads. */
const SOURCES = [
  'src',
  'viewer',
  'kernels',
  'scripts/copy-assets.ts',
  'package.json',
  'package-lock.json',
  'tsconfig.json',
  'tsconfig.build.json',
]
/** Written anew by each part of the build, in order. */
const OUTPUTS = ['dist/cli/commands/suite-facts.json', 'dist/viewer/index.html', 'dist/viewer-share/viewer.js']

/** Tests that start the command line start the built one, as users do: build it once, from what is here now. */
export default function buildFirst(): void {
  if (isFresh()) return
  execFileSync('npm', ['run', '--silent', 'build'], {
    cwd: ROOT,
    stdio: 'inherit',
    // On Windows, npm is a script for the shell.
    shell: process.platform === 'win32',
  })
}

/** Whether everything was built after the last change; a file that was removed changes its folder. */
function isFresh(): boolean {
  try {
    const built = Math.min(...OUTPUTS.map((path) => statSync(join(ROOT, path)).mtimeMs))
    return SOURCES.every((path) => newest(join(ROOT, path)) < built)
  } catch {
    return false
  }
}

function newest(path: string): number {
  const stats = statSync(path)
  if (!stats.isDirectory()) return stats.mtimeMs
  // The kernels are built into src.
  const names = readdirSync(path).filter((name) => !name.endsWith('.wasm'))
  return Math.max(stats.mtimeMs, ...names.map((name) => newest(join(path, name))))
}
