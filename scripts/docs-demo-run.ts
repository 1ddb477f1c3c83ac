/**
 * Plays the runs of docs/demo.md with baselines and exports them into site/public/demo/:
 *
 *     npx tsx scripts/docs-demo-run.ts
 *
 * Needs `npm run build`.
 */
import { mkdtemp, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { sightline } from '../test/cli/cli.ts'
import { linkTo } from '../viewer/src/navigation/routes.ts'

const FOLDER = fileURLToPath(new URL('../site/public/demo/', import.meta.url))

const RUNS: Readonly<Record<string, readonly string[]>> = {
  explore: [
    'vsi/explore',
    '--model',
    'baseline/eye',
    '--source',
    'builtin:seed=3,scenes=2',
    '-T',
    'types=object_abs_distance,object_rel_distance',
  ],
  space: ['space/text', '--model', 'baseline/scout', '--limit', '6', '-T', 'maps=every'],
}

/** The page shows an episode first: the route of each run's first one. */
const routes: Record<string, string> = {}
const store = await mkdtemp(join(tmpdir(), 'sightline-demo-'))
try {
  await rm(FOLDER, { recursive: true, force: true })
  for (const [name, run] of Object.entries(RUNS)) {
    const [{ id }] = JSON.parse(await command('run', ...run, '--json')) as [{ id: string }]
    await command('export', id, '--html', '--output', join(FOLDER, name))
    routes[name] = linkTo.episode(id, { index: 0, epoch: 1 })
  }
  await writeFile(join(FOLDER, 'routes.json'), `${JSON.stringify(routes, null, 2)}\n`)
} finally {
  await rm(store, { recursive: true, force: true })
}

async function command(...args: readonly string[]): Promise<string> {
  const { code, stdout, stderr } = await sightline([...args, '--log-dir', store], { cwd: store })
  if (code !== 0) throw new Error(`sightline ${args.join(' ')} failed with ${code}: ${stderr}`)
  console.log(stderr.trim().split('\n').at(-1))
  return stdout
}
