import { execFileSync } from 'node:child_process'
import { describe, expect, it } from 'vitest'
import { compass } from '../../test/support/compass.ts'
import { shellCommand } from '../base/shell-quote.ts'
import { suiteOptions } from '../engine/options.ts'
import { planRun, type RunRequest } from '../engine/plan.ts'
import type { AnySuite } from '../engine/suite.ts'
import type { RunHeader } from '../store/records.ts'
import { builtinSuite, suiteNames } from '../suites/index.ts'
import { resumeCommand, runCommand } from './commands.ts'

async function headerOf(suite: AnySuite, request: Partial<RunRequest> = {}): Promise<RunHeader> {
  const opened = { fingerprint: 'none', count: 5, samples: () => [] }
  const { header } = await planRun({ suite, opened, models: { player: 'baseline/random' }, ...request })
  return { ...header, id: 'a-run', created: '', versions: {}, git: null, prices: {} }
}

/** What a program receives from a shell that runs the command. */
function received(command: string): string[] {
  const printed = execFileSync('sh', ['-c', `printf '%s\\0' ${command}`], { encoding: 'utf8' })
  return printed.split('\0').slice(0, -1)
}

describe('the command of a run', () => {
  it.each(suiteNames())('of %s has only the options that were given', async (name) => {
    const suite = await builtinSuite(name)
    const plain = runCommand(await headerOf(suite), suite)!
    expect(plain.join(' ')).toBe(`npx sightline run ${name} --model baseline/random`)
    // Options of a suite that is not installed are all given, and mean the same.
    const all = runCommand(await headerOf(suite), null)!
    const given = all.flatMap((word, i) => (all[i - 1] === '-T' ? [word] : []))
    const typed = Object.fromEntries(
      given.map((pair) => [pair.slice(0, pair.indexOf('=')), pair.slice(pair.indexOf('=') + 1)]),
    )
    expect(suiteOptions(suite, typed)).toEqual(suiteOptions(suite, {}))
  })

  it('repeats every setting', async () => {
    const header = await headerOf(compass, {
      models: { player: 'vllm/a b' },
      modelOptions: { temperature: '0.5', chat_template_kwargs: { thinking: false } },
      options: { turns: '7' },
      source: 'builtin:samples=9',
      limit: '2-4',
      epochs: 3,
      seed: 11,
      budget: '200k-tokens',
      timeLimitSeconds: 60,
      suiteModule: { from: './compass.ts', hash: 'x' },
    })
    expect(shellCommand(runCommand({ ...header, sampleIds: ['$(id)'] }, compass)!)).toBe(
      `npx sightline run ./compass.ts --model 'vllm/a b' -M temperature=0.5 -M 'chat_template_kwargs={"thinking":false}' ` +
        `-T turns=7 --source builtin:samples=9 --limit 2-4 --sample-id '$(id)' --epochs 3 --seed 11 ` +
        `--budget 200k-tokens --time-limit 60`,
    )
  })

  it('leaves out secrets, even those of old stores', async () => {
    const header = await headerOf(compass, {
      modelOptions: {
        api_key: 'sk-1',
        'judge.api_key': 'sk-2',
        base_url: 'http://me:sk-3@localhost/v1',
        extra_body: { authorization: 'sk-4', top_k: 3 },
      },
    })
    const command = shellCommand(runCommand(header, compass)!)
    expect(command).not.toContain('sk-')
    expect(command).toContain(`-M base_url=http://localhost/v1 -M 'extra_body={"top_k":3}'`)
  })

  it('does not exist for what a person played or another tool recorded', async () => {
    const header = await headerOf(compass)
    for (const player of ['human/me', 'imported/gpt']) {
      expect(runCommand({ ...header, models: { player } }, compass)).toBeNull()
    }
    expect(runCommand({ ...header, suite: 'imported/inspect/x' }, compass)).toBeNull()
  })

  it.each(["it's", '`id`', '$(id)', 'a"b\\', '; id', '--x', '*', '~', '', 'two\nlines', '\\'])(
    'is one word per argument in a shell: %j',
    (hostile) => {
      const args = [...resumeCommand(hostile, true), '-M', `x=${hostile}`, hostile, hostile]
      for (const width of [Infinity, 20]) expect(received(shellCommand(args, width))).toEqual(args)
    },
  )
})
