import { execFileSync } from 'node:child_process'
import { chmod, mkdir, mkdtemp, readdir, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import type { Command } from 'commander'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { catalogNames } from '../../questions/catalog.ts'
import { suiteNames } from '../../suites/index.ts'
import { program } from '../program.ts'
import { candidates } from './completion.ts'

const RUN = '2026-11-16T12-17-11_space-text_random_sgmr'
/** Names that a shell would run, were they not data. */
const HOSTILE = ['$(touch pwned)', '`touch pwned`', ';touch pwned', 'a b', "it's"]

let folder: string
beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'sightline-completion-'))
  for (const name of [RUN, ...HOSTILE]) await mkdir(join(folder, 'runs', name), { recursive: true })
})
afterAll(() => rm(folder, { recursive: true }))

const complete = (...words: string[]): Promise<string[]> => candidates(program, words)

describe('completion', () => {
  it('offers every command, and every option of each', async () => {
    const walk = async (command: Command, words: readonly string[]): Promise<void> => {
      if (command.commands.length > 0) {
        expect(await complete(...words, '')).toEqual(command.commands.map((each) => each.name()))
      }
      const known = command.options.filter(({ hidden }) => !hidden).map(({ long }) => long)
      expect(await complete(...words, '--')).toEqual([...known, '--help'])
      for (const each of command.commands) await walk(each, [...words, each.name()])
    }
    await walk(program, [])
  })

  it.each([
    [['re'], ['resume', 'report']],
    [
      ['run', 'vsi/'],
      ['vsi/explore', 'vsi/video', 'vsi/blind'],
    ],
    [
      ['run', 'space/text', '--mod'],
      ['--model', '--model-role', '--model-option'],
    ],
    [
      ['run', 'space/text', '--profile', ''],
      ['fixed', 'upstream'],
    ],
    [['run', 'vsi/blind', '--profile=o'], ['--profile=official']],
    [
      ['run', 'space/text', '-m', 'open'],
      ['openai/', 'openrouter/', 'openai-compatible/'],
    ],
    [['run', '--limit', '3', 'space/text', '--model', 'baseline/o'], ['baseline/oracle']],
    [['run', 'space/text', '-T', 'questi'], ['questions=']],
    [['run', 'space/text', '-M', 'temp'], ['temperature=']],
    [['run', 'space/text', '--model-role', 'j'], ['judge=']],
    [['run', 'space/text', 'vsi/b'], ['vsi/blind']],
    [['run', 'space/text', '--source', 'b'], ['builtin']],
    [['report', 'latest', '-f', 'l'], ['latex']],
    [['list', 'ru'], ['runs']],
    [['scene', 'new', '--kind', ''], expect.not.arrayContaining(['living room']) as string[]],
    [['run', '--', '--mod'], []],
    [['run', '--output', ''], []],
    [['nonsense', ''], []],
  ])('of %j is %j', async (words, expected) => {
    expect(await complete(...words)).toEqual(expected)
  })

  it('offers the suites', async () => {
    expect(await complete('run', '')).toEqual([...suiteNames(), ...catalogNames()])
  })

  it('offers runs of the store, and no name that a shell would run', async () => {
    expect(await complete('show', '--log-dir', folder, '')).toEqual(['latest', RUN])
    expect(await complete('compare', `--log-dir=${folder}`, 'latest', '2026')).toEqual([RUN])
    expect(await complete('show', '--log-dir', join(folder, 'none'), 'l')).toEqual(['latest'])
  })
})

const script = (shell: string): string => fileURLToPath(new URL(`../completion/sightline.${shell}`, import.meta.url))

const has = (shell: string): boolean => {
  try {
    execFileSync(shell, ['--version'])
    return true
  } catch {
    return false
  }
}

describe.skipIf(!has('bash'))('the script for bash', () => {
  /** What bash gets for a line from a `sightline` that prints its words and `answers`. */
  async function inBash(line: string, answers: readonly string[]): Promise<{ words: string[]; replies: string[] }> {
    const bin = await mkdtemp(join(folder, 'bin-'))
    await writeFile(join(bin, 'answers'), answers.map((answer) => `${answer}\n`).join(''))
    await writeFile(
      join(bin, 'sightline'),
      '#!/bin/sh\nprintf "%s\\0" "$@" > "$(dirname "$0")/words"\ncat "$(dirname "$0")/answers"\n',
    )
    await chmod(join(bin, 'sightline'), 0o755)
    const run = `source "$1"; COMP_LINE=$2 COMP_POINT=\${#2}; _sightline sightline; printf '%s\\0' "\${COMPREPLY[@]}"; cat "$3/words"`
    const printed = execFileSync('bash', ['-c', run, 'bash', script('bash'), line, bin], {
      cwd: folder,
      encoding: 'utf8',
      env: { ...process.env, PATH: `${bin}:${process.env['PATH']}` },
    })
    const all = printed.split('\0').slice(0, -1)
    const replies = Math.max(1, answers.length)
    return { replies: all.slice(0, replies), words: all.slice(replies) }
  }

  it('hands over the words up to the cursor', async () => {
    expect((await inBash('sightline run  vsi/', ['vsi/blind'])).words).toEqual([
      'completion',
      'bash',
      '--',
      'run',
      'vsi/',
    ])
    expect((await inBash('sightline show ', ['latest'])).words).toEqual(['completion', 'bash', '--', 'show', ''])
  })

  it('completes after = and : where readline starts a new word', async () => {
    const { replies } = await inBash('sightline run --model=base', ['--model=baseline/random'])
    expect(replies).toEqual(['baseline/random'])
  })

  it('runs nothing that is typed or printed', async () => {
    const { replies, words } = await inBash(`sightline show $(touch pwned) \`touch pwned\` ;touch`, HOSTILE)
    expect(replies).toEqual(HOSTILE)
    expect(words).toContain('$(touch')
    expect(await readdir(folder)).not.toContain('pwned')
  })
})

it.skipIf(!has('zsh'))('the script for zsh can be read', () => {
  execFileSync('zsh', ['-n', script('zsh')])
})

it.skipIf(!has('fish'))('the script for fish can be read', () => {
  execFileSync('fish', ['--no-execute', script('fish')])
})
