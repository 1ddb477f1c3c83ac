import { cp, mkdir, mkdtemp, readFile, rename, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { writePartNet } from './support/suites/articulate/objects.ts'
import { startModelServer } from './chaos/model-server.ts'
import { sightline } from './cli/cli.ts'

let cwd: string
beforeAll(async () => {
  cwd = await mkdtemp(join(tmpdir(), 'sightline-cli-'))
})
afterAll(() => rm(cwd, { recursive: true }))

const QUICK = ['-T', 'questions=1', '-T', 'tasks=dir,rot', '--limit', '3']

async function quickRun(baseline = 'oracle', ...more: string[]) {
  const { stdout } = await sightline(
    ['run', 'space/text', '--model', `baseline/${baseline}`, ...QUICK, '--json', ...more],
    { cwd },
  )
  return (JSON.parse(stdout) as { id: string; state: string; report: { rows: { key: string; value: number }[] } }[])[0]!
}

describe('sightline', () => {
  it('lists suites, baselines, models and options', async () => {
    const [all, one] = await Promise.all([sightline(['list'], { cwd }), sightline(['list', 'space/text'], { cwd })])
    expect(all.stdout).toMatch(/space\/text {2,}Theory of Space/)
    expect(all.stdout).toContain('baseline/oracle')
    expect(all.stdout).toContain('OPENAI_API_KEY')
    expect(one.stdout).toMatch(/explore +active \| passive +"active"/)
    expect(one.stdout).toContain('builtin:seed=7,scenes=100')
  })

  it('lists only models', async () => {
    const { code, stdout } = await sightline(['list', 'models'], { cwd })
    expect(code).toBe(0)
    expect(stdout).toMatch(/^ *openai\/MODEL/)
    expect(stdout).not.toContain('baseline/')
  })

  it('runs several models and shows them side by side', async () => {
    const { code, stdout } = await sightline(
      ['run', 'space/text', '--model', 'baseline/random', '--model', 'baseline/oracle', '--epochs', '2', ...QUICK],
      { cwd },
    )
    expect(code).toBe(0)
    expect(stdout).toMatch(/baseline\/random +baseline\/oracle +n +chance/)
    expect(stdout).toMatch(/Pairwise direction .*100\.0 \[100\.0, 100\.0\]/)
  })

  it('rescores a run without its data, and resumes it with the new location', async () => {
    await writePartNet(join(cwd, 'before'))
    const run = ['run', 'articulate/joint', '--model', 'baseline/oracle', '--log-dir', 'moved']
    expect(await sightline([...run, '--source', 'partnet:before'], { cwd })).toMatchObject({ code: 0 })
    await rename(join(cwd, 'before'), join(cwd, 'after'))
    const again = ['latest', '--log-dir', 'moved']
    const scored = await sightline(['score', ...again], { cwd })
    expect([scored.code, scored.stdout]).toEqual([0, expect.stringMatching(/100\.0/)])
    const lost = await sightline(['resume', ...again], { cwd })
    expect(lost).toMatchObject({ code: 2, stderr: expect.stringMatching(/before/) })
    const found = await sightline(['resume', ...again, '--source', 'partnet:after'], { cwd })
    expect([found.code, found.stdout]).toEqual([0, expect.stringMatching(/100\.0/)])
  })

  it('reports, rescores, compares, exports and imports runs', async () => {
    const a = await quickRun('oracle')
    const b = await quickRun('constant')
    const formats = await Promise.all(
      ['table', 'md', 'csv', 'latex', 'json', 'html'].map((format) =>
        sightline(['report', a.id, '--format', format], { cwd }),
      ),
    )
    for (const { code, stdout } of formats) {
      expect(code).toBe(0)
      expect(stdout).toMatch(/Pairwise direction/)
    }
    const scored = await sightline(['score', a.id, '--profile', 'upstream', '--json'], { cwd })
    expect(JSON.parse(scored.stdout)).toMatchObject({ profile: 'upstream' })
    const compared = await sightline(['compare', b.id, a.id, '--json'], { cwd })
    expect(JSON.parse(compared.stdout)).toMatchObject({ shared: 3, likeForLike: true })
    const same = await sightline(['compare', a.id, a.id], { cwd })
    expect(same).toMatchObject({ code: 2, stderr: `Both names refer to the same run: ${a.id}.\n` })
    const file = join(cwd, 'log.json')
    expect((await sightline(['export', a.id, '--to', 'inspect', '-o', file], { cwd })).code).toBe(0)
    expect(JSON.parse(await readFile(file, 'utf8'))).toMatchObject({ eval: { model: 'baseline/oracle' } })
    const imported = await sightline(['import', file, '--from', 'inspect', '--json'], { cwd })
    expect(imported.code).toBe(0)
    const { id } = JSON.parse(imported.stdout) as { id: string }
    expect((await sightline(['report', id], { cwd })).stdout).toContain('Imported: inspect')
    const scoredAgain = await sightline(['score', id], { cwd })
    expect(scoredAgain).toMatchObject({ code: 2, stderr: expect.stringContaining('played by another tool') })
  })

  it('rescores from the recorded outcomes, even with the same profile', async () => {
    const { id } = await quickRun('constant')
    const journal = join(cwd, '.sightline/runs', id, 'episodes.jsonl')
    const honest = await readFile(journal, 'utf8')
    await writeFile(journal, honest.replaceAll(/"dir":[\d.]+/g, '"dir":0.99'))
    const { stdout } = await sightline(['score', id, '--profile', 'fixed', '--json'], { cwd })
    const { rows } = JSON.parse(stdout) as { rows: { key: string; value: number }[] }
    expect(rows.find(({ key }) => key === 'dir')!.value).not.toBe(0.99)
    const reported = await sightline(['report', id, '--format', 'json'], { cwd })
    expect(reported.stdout).not.toContain('0.99')
  })

  it('lists runs and names the unreadable ones', async () => {
    const { id } = await quickRun('random')
    const logDir = join(cwd, 'partly')
    await mkdir(join(logDir, 'runs', 'damaged'), { recursive: true })
    await cp(join(cwd, '.sightline/runs', id), join(logDir, 'runs', id), { recursive: true })
    await writeFile(join(logDir, 'runs/damaged/run.json'), '{')
    const { code, stdout, stderr } = await sightline(['list', 'runs', '--log-dir', logDir], { cwd })
    expect(code).toBe(0)
    expect(stdout).toContain(id)
    expect(stderr).toContain('damaged')
  })

  it('shows a run in 80 columns, with the command that repeats it', async () => {
    const { id } = await quickRun('random', '--log-dir', 'a store')
    const shown = await sightline(['show', id, '--log-dir', 'a store'], { cwd })
    expect(shown.stdout).toMatch(/state +done\n +episodes +3 of 3\n +score +Accuracy \(some tasks\) [\d.]+ \[/)
    expect(Math.max(...shown.stdout.split('\n').map((line) => line.length))).toBeLessThanOrEqual(80)
    const { stdout } = await sightline(['show', id, '--json', '--log-dir', 'a store'], { cwd })
    expect(JSON.parse(stdout)).toMatchObject({
      status: { state: 'done' },
      command: 'npx sightline run space/text --model baseline/random -T tasks=dir,rot -T questions=1 --limit 3',
      resume: null,
    })
  })

  it('exits with 100 if the score is below --fail-under', async () => {
    const { code, stderr } = await sightline(
      ['run', 'space/text', '--model', 'baseline/random', ...QUICK, '--fail-under', '90'],
      { cwd },
    )
    expect(code).toBe(100)
    expect(stderr).toMatch(/Accuracy.* is [\d.]+, below --fail-under 90: exit code 100\. Run \S+_random_/)
  })

  it.each([
    [['run', 'space/txt', '--model', 'baseline/random'], /Did you mean "space\/text"/],
    [['run', 'space', '--model', 'baseline/random'], /"space" is a family\. Use space\/text or space\/vision\./],
    [['run', 'space/text'], /^No model given\. Use --model provider\/name/],
    [['run', 'space/text', '--model', 'baseline/random', '-T', 'room=3'], /no option "room".*\n.*"rooms"/],
    [['run', 'space/text', '--model', 'openai/gpt-5.2', '--limit', '1'], /OPENAI_API_KEY/],
    [['run', 'space/text', '--model', 'baseline/random', '--budget', 'lots'], /--budget must be/],
    [['run', 'space/text', '--model', 'baseline/random', '--seed', 'abc'], /Expected a whole number/],
    [['run', 'space/text', '--model', 'baseline/random', '-j', '0'], /Expected a whole number from 1/],
    [['run', 'space/text', '--model', 'baseline/random', '--max-retries', 'abc'], /Expected a whole number/],
    [['run', 'space/text', '--model', 'baseline/random', '--time-limit', '-5'], /Expected a number from/],
    [
      ['run', 'space/text', '--model', 'baseline/random', '--model', 'baseline/rndom', ...QUICK],
      /Did you mean "baseline\/random"/,
    ],
    [['run', 'space/text', '--model', 'baseline/random', '-o', 'report.pdf', ...QUICK], /Unknown report format/],
    [['run', 'space/text', '--model', 'vllm/x', '--budget', '5usd', ...QUICK], /no price for vllm\/x/],
    [['report', 'nothing'], /nothing/],
    [['resume', '../../etc'], /./],
    [['frobnicate'], /unknown command.*\nSee sightline --help\.\n/],
    [['run', '--modle', 'x'], /unknown option.*\n.*--model.*\nSee sightline run --help\.\n/],
    [['scene', 'new', '--rooms', '9'], /\nSee sightline scene new --help\.\n/],
    [
      ['vbench', 'run'],
      /\nCommands: plan, sample, vote, preference, check, score, networks, total\. See sightline vbench --help\.\n/,
    ],
    [['report', 'latest', '--format', 'pdf'], /Allowed choices/],
  ])('prints a clear error for %j', async (args, message) => {
    const { code, stderr } = await sightline(args, { cwd, env: { OPENAI_API_KEY: '' } })
    expect(code).toBe(2)
    expect(stderr).toMatch(message)
    expect(stderr).not.toMatch(/\n +at /)
  })

  it('reads defaults and model names from the config, and keys from .env', async () => {
    const server = await startModelServer(() => 1)
    const project = join(cwd, 'project')
    await mkdir(project)
    await writeFile(
      join(project, 'sightline.config.ts'),
      `export default {
        run: { model: ['ours'], limit: 1, task: { questions: 1, tasks: 'dir' } } as const,
        models: { ours: { model: 'openai-compatible/tiny', options: { base_url: '${server.url}' } } },
      }`,
    )
    await writeFile(join(project, '.env'), 'OPENAI_COMPATIBLE_API_KEY=sk-secret-from-dotenv\n')
    const { code, stderr } = await sightline(['run', 'space/text'], { cwd: project })
    await server.close()
    expect(stderr).toContain('openai-compatible/tiny')
    expect(code).toBe(0)
    expect(server.answered.size).toBeGreaterThan(2)
    await writeFile(join(project, 'sightline.config.ts'), 'export default { run: { modle: [] } }')
    const wrong = await sightline(['run', 'space/text'], { cwd: project })
    expect(wrong).toMatchObject({ code: 2, stderr: expect.stringContaining('modle') as string })
  })

  it('replays a recorded run without calling a model', async () => {
    const server = await startModelServer(() => 1)
    const first = await sightline(
      ['run', 'space/text', '--model', 'vllm/m', '-M', `base_url=${server.url}`, ...QUICK, '--json'],
      { cwd },
    )
    await server.close()
    const [{ id, report }] = JSON.parse(first.stdout) as [{ id: string; report: { rows: unknown } }]
    const again = await sightline(['run', 'space/text', '--model', `replay/${id}`, ...QUICK, '--json'], { cwd })
    const [replayed] = JSON.parse(again.stdout) as [{ report: { rows: unknown } }]
    expect(again.code).toBe(0)
    expect(replayed.report.rows).toEqual(report.rows)
  })

  it('names a custom suite that throws, and its file and line', async () => {
    const example = await readFile(new URL('../examples/bearings.ts', import.meta.url), 'utf8')
    const helper = 'function fail(sample: { missing?: string }): string {\n  return sample.missing!.trim()\n}\n'
    const buggy = `${example}\n${helper}`.replace('  ask: (sample) =>', '  ask: (sample) => fail(sample) ||')
    await writeFile(join(cwd, 'buggy.ts'), buggy)
    const { code, stderr } = await sightline(['run', './buggy.ts', '--model', 'baseline/random', '--limit', '1'], {
      cwd,
    })
    expect(code).toBe(1)
    expect(stderr).toMatch(/^Suite \.\/buggy\.ts failed: Cannot read properties of undefined/m)
    expect(stderr).toMatch(/^The error is in .*buggy\.ts:\d+:\d+$/m)
    expect(stderr).not.toContain('bug in Sightline')
  })

  it('checks the machine without printing keys', async () => {
    const { stdout } = await sightline(['doctor'], { cwd, env: { OPENAI_API_KEY: 'sk-very-secret' } })
    expect(stdout).toContain('OPENAI_API_KEY is set')
    expect(stdout).not.toContain('sk-very-secret')
    expect(stdout).toMatch(/Node +v/)
  })
})
