/**
 * `npm run docs:reports [page…]`: runs the command of every `<!-- report: … -->` marker in docs/ and replaces everything
 * up to `<!-- /report -->` with the command and the table it prints. Needs a build.
 */
import { mkdtemp, readdir, readFile, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join, relative } from 'node:path'
import { sightline } from '../test/cli/cli.ts'

const root = join(import.meta.dirname, '..')
const docs = join(root, 'docs')
const REPORT = /<!-- report: (.+?) -->\n[\s\S]*?<!-- \/report -->/g
/** Differs in every run: a fixed text keeps pages the same when nothing changed. */
const RUN_ID = /\b\d{4}-\d\d-\d\dT\d\d-\d\d-\d\d_[\w.-]+/g

const folder = await mkdtemp(join(tmpdir(), 'sightline-reports-'))
try {
  const given = process.argv.slice(2)
  for (const page of given.length > 0 ? given : await pages()) {
    const text = await readFile(page, 'utf8')
    let updated = text
    for (const [block, command] of text.matchAll(REPORT)) {
      console.log(`${relative(root, page)}: sightline ${command!}`)
      const report = await reportOf(command!)
      updated = updated.replace(block, () => blockOf(command!, report))
    }
    if (updated !== text) await writeFile(page, updated)
  }
} finally {
  await rm(folder, { recursive: true, force: true })
}

async function pages(): Promise<string[]> {
  const names = await readdir(docs, { recursive: true })
  return names
    .filter((name) => name.endsWith('.md') && !name.includes('node_modules'))
    .toSorted()
    .map((name) => join(docs, name))
}

/** Arguments are split at spaces: markers need no quotes. */
async function reportOf(command: string): Promise<string> {
  const { code, stdout, stderr } = await sightline(command.split(/\s+/), { cwd: folder })
  if (code !== 0) throw new Error(`sightline ${command} failed with ${code}: ${stderr}`)
  const lines = stdout.replaceAll(RUN_ID, 'RUN').split('\n')
  return lines
    .map((line) => line.trimEnd())
    .join('\n')
    .trim()
}

function blockOf(command: string, report: string): string {
  return [
    `<!-- report: ${command} -->`,
    '',
    '```sh',
    `npx sightline ${command}`,
    '```',
    '',
    '```text',
    report,
    '```',
    '',
    '<!-- /report -->',
  ].join('\n')
}
