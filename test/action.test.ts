/** The GitHub Action and the workflows: what they refer to exists, and no input can become part of a script. */
import { execFile } from 'node:child_process'
import { mkdtemp, readdir, readFile, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { describe, expect, it } from 'vitest'
import { parse } from 'yaml'

const ROOT = fileURLToPath(new URL('..', import.meta.url))

interface Step {
  id?: string
  run?: string
  uses?: string
  if?: string
  with?: Record<string, string>
  env?: Record<string, string>
}
interface Action {
  inputs: Record<string, { description: string; default?: string; required?: boolean }>
  outputs: Record<string, { value: string }>
  runs: { steps: Step[] }
}
interface Workflow {
  permissions: Record<string, string>
  jobs: Record<string, { steps: Step[]; 'timeout-minutes': number }>
}

const read = async <T>(path: string): Promise<T> => parse(await readFile(join(ROOT, path), 'utf8')) as T
const action = await read<Action>('action.yml')
const names = (await readdir(join(ROOT, '.github/workflows'))).map((name) => `.github/workflows/${name}`)
const workflows = await Promise.all(names.map(async (name) => [name, await read<Workflow>(name)] as const))
const allSteps = [
  ...action.runs.steps,
  ...workflows.flatMap(([, { jobs }]) => Object.values(jobs).flatMap(({ steps }) => steps)),
]
const expressions = (value: unknown): string[] =>
  [...JSON.stringify(value ?? '').matchAll(/\$\{\{(.*?)\}\}/g)].map(([, inner]) => inner!.trim())

describe('action.yml', () => {
  it('uses every input, and no other', () => {
    const used = expressions(action.runs).flatMap((text) => /^inputs\.([\w-]+)$/.exec(text)?.[1] ?? [])
    expect(new Set(used)).toEqual(new Set(Object.keys(action.inputs)))
    for (const { description, default: preset, required } of Object.values(action.inputs)) {
      expect(description).toMatch(/\.$/)
      expect(required === true || preset !== undefined).toBe(true)
    }
  })

  it('takes outputs from steps that exist', () => {
    const ids = action.runs.steps.flatMap(({ id }) => id ?? [])
    for (const { value } of Object.values(action.outputs)) {
      for (const text of expressions(value)) expect(ids).toContain(/^steps\.(\w+)\./.exec(text)?.[1])
    }
  })

  it('keeps the report even if the run fails', () => {
    const upload = action.runs.steps.find(({ uses }) => uses?.startsWith('actions/upload-artifact@'))
    expect(upload?.if).toMatch(/^always\(\)/)
  })
})

it.each(allSteps.map((step) => [step.uses ?? step.run, step] as const))('step %s runs a fixed script', (_, step) => {
  // `matrix` is written in the workflow itself; everything else may come from outside.
  expect(expressions(step.run)).toEqual([])
  if (step.uses !== undefined && step.uses !== './') expect(step.uses).toMatch(/^actions\/[\w-]+@v\d+$/)
  if (step.uses === './') {
    expect(Object.keys(action.inputs)).toEqual(expect.arrayContaining(Object.keys(step.with ?? {})))
  }
})

it.each(workflows)('%s may only read, and ends', (_, { permissions, jobs }) => {
  expect(permissions).toEqual({ contents: 'read' })
  for (const job of Object.values(jobs)) expect(job['timeout-minutes']).toBeGreaterThan(0)
})

it('the workflows use scripts of package.json that exist', async () => {
  const { scripts } = await read<{ scripts: Record<string, string> }>('package.json')
  const used = allSteps.flatMap(({ run = '' }) => [...run.matchAll(/npm run ([\w:-]+)/g)].map(([, name]) => name))
  expect(used.length).toBeGreaterThan(0)
  for (const name of used) expect(Object.keys(scripts)).toContain(name)
})

describe('a run of the action', () => {
  async function act(inputs: Record<string, string>) {
    const temp = await mkdtemp(join(tmpdir(), 'sightline action '))
    const files = { GITHUB_STEP_SUMMARY: join(temp, 'summary.md'), GITHUB_OUTPUT: join(temp, 'outputs') }
    const empty = { LIMIT: '', SAMPLE: '', FAIL_UNDER: '', ARGS: '', LOG_DIR: join(temp, 'store'), NAME: 'report' }
    const env = { ...process.env, RUNNER_TEMP: temp, SIGHTLINE_MAIN: join(ROOT, 'dist/cli/main.js') }
    const code = await new Promise<number>((resolve) =>
      execFile(
        'bash',
        [join(ROOT, '.github/action/run.sh')],
        { cwd: temp, env: { ...env, ...files, ...empty, ...inputs } },
        (error) => resolve(typeof error?.code === 'number' ? error.code : 0),
      ),
    )
    const text = (path: string): Promise<string> => readFile(path, 'utf8').catch(() => '')
    const [summary, outputs, report] = await Promise.all(
      [files.GITHUB_STEP_SUMMARY, files.GITHUB_OUTPUT, join(temp, 'sightline-report.html')].map(text),
    )
    const left = await readdir(temp)
    await rm(temp, { recursive: true })
    return { code, summary: summary!, outputs: outputs!, report: report!, left }
  }

  it('fails below the score, with summary, report and outputs', async () => {
    const { code, summary, outputs, report } = await act({
      SUITE: 'space/text\n',
      MODEL: 'baseline/random\r\nbaseline/oracle\n',
      LIMIT: '2',
      FAIL_UNDER: '90',
      ARGS: '-T\ntasks=dir,rot\n-T\nquestions=1',
    })
    expect(code).toBe(100)
    expect(summary).toMatch(/^\| baseline\/random \|.*\n\| baseline\/oracle \|/m)
    expect(report).toContain('<!doctype html>')
    expect(outputs).toMatch(/^runs=\S+_random_\S+ \S+_oracle_\S+\nreport=.*sightline-report\.html\nartifact=report\n$/)
  })

  it('runs nothing that an input says', async () => {
    const hostile = '$(touch pwned)`touch pwned`; touch pwned'
    const inputs = Object.fromEntries(
      ['SUITE', 'MODEL', 'LIMIT', 'FAIL_UNDER', 'ARGS', 'NAME'].map((name) => [name, hostile]),
    )
    const { code, left, outputs } = await act(inputs)
    expect(code).toBe(2)
    expect(left).not.toContain('pwned')
    expect(outputs).toBe('')
  })
})
