import { mkdtemp, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { Command, Option } from 'commander'
import { beforeAll, describe, expect, it } from 'vitest'
import { cliPage, fullName, leaves, visibleOptions } from '../scripts/docs-reference/cli.ts'
import { CONFIG_EXAMPLE } from '../scripts/docs-reference/config.ts'
import { cell, table } from '../scripts/docs-reference/markdown.ts'
import { referencePages } from '../scripts/docs-reference/pages.ts'
import { EXIT } from '../src/cli/terminal/exit.ts'
import { program } from '../src/cli/program.ts'
import { loadSettings } from '../src/library/config.ts'
import { describeOptions } from '../src/engine/options.ts'
import { builtinSuite, suiteNames } from '../src/suites/index.ts'

let pages: Record<string, string> = {}
beforeAll(async () => {
  pages = await referencePages()
})

/** The text under a heading, up to the next heading of any level. */
function section(page: string, heading: string): string {
  const found = page.split(/^#+ /m).find((part) => part.startsWith(`${heading}\n`))
  expect(found, heading).toBeDefined()
  return found!
}

describe('cli.md', () => {
  it.each(leaves(program).map((command) => [fullName(command), command] as const))('covers %s', (name, command) => {
    const text = section(pages['cli.md']!, name)
    for (const { flags } of visibleOptions(command)) expect(text).toContain(`| \`${flags.replaceAll('|', '\\|')}\` |`)
    for (const argument of command.registeredArguments) expect(text).toContain(argument.name())
  })

  it('lists every exit code', () => {
    const text = section(pages['cli.md']!, 'Exit codes')
    for (const code of Object.values(EXIT)) expect(text).toContain(`| \`${code}\` |`)
  })

  it('shows choices, defaults, variables, and leaves out hidden options and commands', () => {
    const tool = new Command('tool').description('A tool.')
    tool
      .command('do')
      .description('do it')
      .addOption(new Option('--format <format>', 'how').choices(['a', 'b']).default('a').env('TOOL_FORMAT'))
      .addOption(new Option('--old', 'old name').hideHelp())
    tool.command('gone', { hidden: true })
    const page = cliPage(tool)
    expect(page).toContain(
      '| `--format <format>` | How. Choices: `a`, `b`. Default: `a`. Environment: `TOOL_FORMAT`. |',
    )
    expect(page).not.toMatch(/--old|gone/)
  })
})

describe('config.md', () => {
  it('shows an example that loads', async () => {
    expect(pages['config.md']).toContain(CONFIG_EXAMPLE)
    const folder = await mkdtemp(join(tmpdir(), 'sightline-config-'))
    try {
      await writeFile(join(folder, 'sightline.config.ts'), CONFIG_EXAMPLE)
      expect(await loadSettings(join(folder, 'sightline.config.ts'))).toMatchObject({
        suites: ['./suites/bearings.ts'],
      })
    } finally {
      await rm(folder, { recursive: true })
    }
  })

  it('gives every field a type and a description', () => {
    const rows = pages['config.md']!.split('\n').filter((line) => /^\| `\w+\./.test(line))
    expect(rows.length).toBeGreaterThan(20)
    for (const row of rows) expect(row).not.toMatch(/\|\s*\||`unknown`/)
  })
})

it.each(suiteNames())('suites.md covers %s', async (name) => {
  const suite = await builtinSuite(name)
  const text = section(pages['suites.md']!, name)
  for (const option of describeOptions(suite)) expect(text).toContain(`| \`${option.name}\` |`)
  for (const profile of suite.profiles) expect(text).toContain(`\`${profile}\``)
  for (const { usage } of Object.values(suite.sources))
    expect(text).toContain(`| \`${usage.replaceAll('|', '\\|')}\` |`)
  for (const baseline of Object.keys(suite.baselines)) expect(text).toContain(`| \`baseline/${baseline}\` |`)
})

describe('tables', () => {
  it('escape what Markdown and Vue would interpret, except in code', () => {
    expect(cell('a|b <c> *_eval {{x}} `<d>`')).toBe('a\\|b \\<c> \\*\\_eval \\{\\{x}} `<d>`')
  })

  it('leave out empty columns', () => {
    expect(table(['A', 'B'], [['1', '']])).toBe('| A |\n| --- |\n| 1 |')
  })
})
