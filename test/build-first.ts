import { fileURLToPath } from 'node:url'
import { execFileSync } from 'node:child_process'

/** Tests that start the command line start the built one, as users do: build it once, from what is here now. */
export default function buildFirst(): void {
  execFileSync('npm', ['run', '--silent', 'build'], {
    cwd: fileURLToPath(new URL('..', import.meta.url)),
    stdio: 'inherit',
  })
}
