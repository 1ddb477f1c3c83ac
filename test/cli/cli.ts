/** Runs the command line as a user does: another process, another folder. */
import { fileURLToPath } from 'node:url'
import { execFile } from 'node:child_process'

const MAIN = fileURLToPath(new URL('../../dist/cli/main.js', import.meta.url))

export interface Ended {
  code: number
  stdout: string
  stderr: string
}

export function sightline(
  args: readonly string[],
  options: { cwd: string; env?: Record<string, string> },
): Promise<Ended> {
  return new Promise((resolve) => {
    const env = { ...process.env, NO_COLOR: '1', ...options.env }
    execFile(
      process.execPath,
      [MAIN, ...args],
      { cwd: options.cwd, env, maxBuffer: 1 << 28 },
      (error, stdout, stderr) => {
        resolve({ code: typeof error?.code === 'number' ? error.code : error ? 1 : 0, stdout, stderr })
      },
    )
  })
}
