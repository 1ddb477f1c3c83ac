/**
 * Plays the runs of docs/demo.md with baselines and exports them into site/public/demo/:
 *
 *     npx tsx scripts/docs-demo-run.ts
 *
 * Needs `npm run build`.
 */
import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { sightline } from '../test/cli/cli.ts'

const FOLDER = fileURLToPath(new URL('../site/public/demo/', import.meta.url))

const RUNS: Readonly<Record<string, readonly string[]>> = {
  explore: ['vsi/explore', '--model', 'baseline/tour', '--limit', '8', '--source', 'builtin:seed=3,scenes=1'],
  space: ['space/text', '--model', 'baseline/scout', '--limit', '6', '-T', 'maps=every'],
}

const store = await mkdtemp(join(tmpdir(), 'sightline-demo-'))
try {
  await rm(FOLDER, { recursive: true, force: true })
  for (const [name, run] of Object.entries(RUNS)) {
    await command('run', ...run)
    await command('export', 'latest', '--html', '--output', join(FOLDER, name))
  }
} finally {
  await rm(store, { recursive: true, force: true })
}

async function command(...args: readonly string[]): Promise<void> {
  const { code, stderr } = await sightline([...args, '--log-dir', store], { cwd: store })
  if (code !== 0) throw new Error(`sightline ${args.join(' ')} failed with ${code}: ${stderr}`)
  console.log(stderr.trim().split('\n').at(-1))
}
