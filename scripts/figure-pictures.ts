/**
 * `npx tsx scripts/figure-pictures.ts`: draws the figures of docs/reports.md from runs of baselines on built-in samples.
 * Needs a build. Baselines cost nothing, so the figure of costs has made-up numbers.
 */
import { mkdir, mkdtemp, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { costFigure, type ScoredRun } from '../src/report/figures/runs.ts'
import { figureSvg } from '../src/report/figures/draw/svg.ts'
import { sightline } from '../test/cli/cli.ts'

const folder = join(import.meta.dirname, '../docs/figures')
const RUNS = [
  ['vsi/blind', '-m', 'baseline/random', '-m', 'baseline/frequency', '-m', 'baseline/oracle', '-l', '160'],
  ['space/text', '-m', 'baseline/random', '-m', 'baseline/scout', '-m', 'baseline/strategist', '-l', '24'],
  ['articulate/critic', '-m', 'baseline/random', '--source', 'builtin:objects=12'],
  ['vsig', '-m', 'baseline/reference', '-l', '12'],
]
const FIGURES = [
  ['forest', 'vsi-blind_random', 'frequency', 'oracle'],
  ['types', 'space-text_random', 'scout', 'strategist'],
  ['numbers', 'vsi-blind_random', 'frequency'],
  ['confusion', 'critic_random'],
  ['heatmap', 'vsig_reference'],
  ['curves', 'space-text_random', 'scout', 'strategist'],
] as const

const store = await mkdtemp(join(tmpdir(), 'sightline-figures-'))
try {
  await mkdir(folder, { recursive: true })
  for (const run of RUNS) await command(['run', ...run])
  for (const [kind, ...runs] of FIGURES) {
    await command(['figure', kind, ...runs, '-o', join(folder, `${kind}.svg`)])
  }
  await writeFile(join(folder, 'cost.svg'), `${figureSvg(costFigure(examples()))}\n`)
} finally {
  await rm(store, { recursive: true, force: true })
}

async function command(args: readonly string[]): Promise<void> {
  console.log(`sightline ${args.join(' ')}`)
  const { code, stderr } = await sightline([...args, '--log-dir', store], { cwd: store })
  if (code !== 0) throw new Error(`It failed with ${code}: ${stderr}`)
}

function examples(): ScoredRun[] {
  const values = [
    ['provider/large', 0.61, 14],
    ['provider/medium', 0.52, 2.4],
    ['provider/small', 0.41, 0.3],
    ['local/own', 0.47, 0],
    ['other/preview', 0.57, null],
  ] as const
  return values.map(([name, value, usd]) => ({
    name,
    suite: 'Example',
    score: {
      title: 'Accuracy',
      unit: 'percent',
      better: 'higher',
      value,
      interval: [value - 0.04, value + 0.04],
    },
    usd,
  }))
}
