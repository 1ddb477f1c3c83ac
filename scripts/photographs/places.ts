/** What docs/photographs.md shows. Each place is independent of the others: what it needs is made for it. */
import { join } from 'node:path'
import type { Page } from 'playwright-core'

/** Runs that places show, by name: the command lines after `sightline`. */
export const RUNS = {
  modelA: ['run', 'vsi/blind', '-m', 'vllm/model-a', '-l', '120'],
  modelB: ['run', 'vsi/blind', '-m', 'vllm/model-b', '-l', '90'],
  modelC: ['run', 'vsi/blind', '-m', 'vllm/model-c', '-l', '120'],
  chance: ['run', 'vsi/blind', '-m', 'baseline/random', '-l', '200'],
  failed: ['run', 'space/text', '-m', 'ollama/gone', '-l', '20', '--max-retries', '0'],
  explored: ['run', 'vsi/explore', '-m', 'baseline/eye', '-l', '12', '--source', 'builtin:seed=3,scenes=2'],
  guessed: ['run', 'vsi/explore', '-m', 'baseline/random', '-l', '12', '--source', 'builtin:seed=3,scenes=2'],
} as const satisfies Readonly<Record<string, readonly string[]>>

export type RunName = keyof typeof RUNS

export interface Studio {
  /** The working folder of commands; its store has the runs. */
  folder: string
  /** The id of a run, which is played if it is missing. */
  run: (name: RunName) => Promise<string>
  terminal: (command: string, how?: { columns?: number; lines?: number; during?: RegExp }) => Promise<Buffer>
  /** A page of the viewer, by the part of its address after the `#`. */
  page: (address: string, how?: PageOptions) => Promise<Buffer>
  /** A file as a page. */
  file: (path: string, how?: PageOptions) => Promise<Buffer>
  /** Runs a command that is not shown. */
  sightline: (...args: string[]) => Promise<void>
}

export interface PageOptions {
  width?: number
  height?: number
  prepare?: (page: Page) => Promise<void>
}

export interface Place {
  /** File name without extension. */
  name: string
  take: (studio: Studio) => Promise<Buffer>
}

const MODELS = ['modelA', 'modelB', 'modelC'] as const

export const PLACES: readonly Place[] = [
  {
    name: 'dead-endpoint',
    take: ({ terminal }) => terminal('sightline run space/text -m ollama/gone -l 20'),
  },
  {
    name: 'cut-off-replies',
    take: ({ terminal }) => terminal('sightline run vsi/blind -m vllm/cut -M max_tokens=64 -l 40'),
  },
  {
    name: 'report-of-models',
    take: async ({ run, terminal }) => {
      const ids = await each(MODELS, run)
      return terminal(`sightline report ${ids.map(lastPart).join(' ')}`, { lines: 40 })
    },
  },
  {
    name: 'live-display',
    take: ({ terminal }) =>
      terminal('sightline run vsi/blind -m vllm/slow-model-a -m vllm/slow-model-b -l 400', {
        during: /\d+ ?(?:\/|of) ?[48]00/,
        lines: 14,
      }),
  },
  { name: 'demo', take: ({ terminal }) => terminal('sightline demo --no-view', { lines: 36 }) },
  { name: 'doctor', take: ({ terminal }) => terminal('sightline doctor', { lines: 40 }) },
  {
    name: 'html-report',
    take: async ({ run, file, folder, sightline }) => {
      const report = join(folder, 'report.html')
      await sightline('report', ...(await each(MODELS, run)), '-o', report)
      return file(report, { height: 620 })
    },
  },
  {
    name: 'leaderboard',
    take: async ({ run, page }) => {
      await each([...MODELS, 'chance'], run)
      return page('/', { height: 720 })
    },
  },
  { name: 'failed-run', take: async ({ run, page }) => page(`/runs/${await run('failed')}`, { height: 560 }) },
  {
    name: 'episodes',
    take: async ({ run, page }) => page(`/runs/${await run('explored')}?view=episodes`, { height: 620 }),
  },
  { name: 'play-vsig', take: ({ page }) => page('/play', { height: 900, prepare: playClip }) },
  {
    name: 'pair-narrow',
    take: async ({ run, page }) =>
      page(`/compare/${await run('guessed')}/${await run('explored')}/3/3/1`, { width: 390, height: 844 }),
  },
]

/** One after the other: each run uses all cores. */
async function each(names: readonly RunName[], run: Studio['run']): Promise<string[]> {
  const ids: string[] = []
  for (const name of names) ids.push(await run(name))
  return ids
}

/** A unique part of a run id is enough for the command line. */
function lastPart(id: string): string {
  return id.slice(id.lastIndexOf('_') + 1)
}

async function playClip(page: Page): Promise<void> {
  await page.getByLabel('vsig').check()
  await page.getByLabel('Your name').fill('ada')
  await page.getByLabel('Samples').fill('1')
  await page.getByRole('button', { name: 'Play', exact: true }).click()
  const picture = page.getByRole('region', { name: 'Question' }).getByRole('button', { name: 'click the targets' })
  await picture.waitFor()
  const { width, height } = (await picture.boundingBox())!
  await picture.click({ position: { x: width * 0.4, y: height * 0.6 } })
  await picture.click({ position: { x: width * 0.62, y: height * 0.55 } })
}
