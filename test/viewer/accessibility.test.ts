/** axe-core on every page, in both themes and at both widths; every page fits its screen, every table shows its first column. */
import { createRequire } from 'node:module'
import { join } from 'node:path'
import { pathToFileURL } from 'node:url'
import type { AxeResults, RunOptions } from 'axe-core'
import type { Page } from 'playwright-core'
import { expect, it, onTestFinished } from 'vitest'
import type { PlayState, RunRow } from '../../src/server/api.ts'
import { sightline } from '../cli/cli.ts'
import { DESKTOP, describeInBrowser, expectNoOverflow, openPage, PHONE, startViewer, useViewer } from './browser.ts'

const AXE = createRequire(import.meta.url).resolve('axe-core/axe.min.js')
const ALL_RULES: RunOptions = {
  runOnly: ['wcag2a', 'wcag2aa', 'wcag21a', 'wcag21aa', 'best-practice'],
  resultTypes: ['violations'],
}
/** Themes differ in colors alone. */
const COLOR_RULES: RunOptions = { runOnly: { type: 'rule', values: ['color-contrast'] }, resultTypes: ['violations'] }
const THEMES = { light: ALL_RULES, dark: COLOR_RULES } as const
const BAD: ReadonlySet<string> = new Set(['serious', 'critical'])

const one = (suite: string, baseline: string, ...more: string[]): string[] => [
  'run',
  suite,
  '-m',
  `baseline/${baseline}`,
  '-l',
  '1',
  ...more,
]
const SHORT = ['-T', 'questions=1', '-T', 'tasks=dir']
/** Nothing listens at port 9: a run that fails at once. */
const DEAD = ['run', 'space/text', '-m', 'openai-compatible/gone', '-M', 'base_url=http://127.0.0.1:9/v1', '-l', '2']

const SUITES = ['space/text', 'space/vision', 'vsi/explore', 'vsig', 'articulate/joint', 'vbench'] as const
const PLAYABLE = ['space/text', 'space/vision', 'vsi/explore', 'vsi/video', 'vsig'] as const

describeInBrowser('accessibility', () => {
  let shared = ''
  const viewer = useViewer(
    [
      one('space/text', 'oracle', ...SHORT),
      one('space/vision', 'oracle', ...SHORT),
      one('vsi/explore', 'oracle'),
      one('vsig', 'oracle'),
      one('articulate/joint', 'oracle'),
      one('vbench', 'films'),
      one('space/text', 'random', ...SHORT),
    ],
    async (store, runs) => {
      shared = join(store, 'shared')
      await sightline(['export', runs[0]!, '--html', '-o', shared, '--log-dir', store], { cwd: store })
      await sightline([...DEAD, '--max-retries', '0', '--log-dir', store], { cwd: store })
    },
  )

  const run = (at: number): string => `#/runs/${encodeURIComponent(viewer.runs[at]!)}`
  const pages: [name: string, path: () => string | Promise<string>, ready: string][] = [
    ['the leaderboard', () => '#/', 'main table, main a'],
    ['a run', () => run(0), '[aria-label="Episodes"], table'],
    ['a failed run', failedRun, 'main h1'],
    ...SUITES.map((suite, at): [string, () => string, string] => [
      `an episode of ${suite}`,
      () => `${run(at)}/0/1`,
      '[aria-label="Transcript"]',
    ]),
    ['a comparison', () => `#/compare/${both()}`, 'main table:visible'],
    ['a pair', () => `#/compare/${both()}/0/0/1`, '[role=tab]'],
    ['the start of a game', () => '#/play', 'main form'],
    ['the start of a ballot', () => '#/votes', 'main p'],
    ...PLAYABLE.map((suite): [string, () => Promise<string>, string] => [
      `a game of ${suite}`,
      () => startGame(suite),
      '[aria-label="Question"]',
    ]),
    ['a game with tools', () => startGame('space/text', 'ada.tools'), '[aria-label="Tools"]'],
    ['a participant of a study', studyLink, 'main h1'],
    ['a page that does not exist', () => '#/nowhere', 'main'],
    ['an exported run', () => pathToFileURL(join(shared, 'index.html')).href, 'main'],
  ]

  it.each(pages)('of %s', async (_, path, ready) => {
    const address = new URL(await path(), viewer.link).href
    const { page } = await openPage(viewer.browser, address, { expectedErrors: /404/, bypassCSP: true })
    await page.locator(ready).first().waitFor()
    await page.evaluate(() => document.fonts.ready)
    await page.addScriptTag({ path: AXE })
    const found: string[] = []
    for (const [width, viewport] of Object.entries({ wide: DESKTOP, narrow: PHONE })) {
      await page.setViewportSize(viewport)
      for (const [theme, rules] of Object.entries(THEMES)) {
        await page.emulateMedia({ colorScheme: theme as keyof typeof THEMES, reducedMotion: 'reduce' })
        found.push(...(await violations(page, rules)).map((problem) => `${width}, ${theme}: ${problem}`))
      }
      await expectNoOverflow(page, width)
    }
    expect(found).toEqual([])
    expect(await hiddenFirstCells(page)).toEqual([])
  })

  async function failedRun(): Promise<string> {
    const rows = (await (await viewer.fetch('api/runs')).json()) as RunRow[]
    return `#/runs/${encodeURIComponent(rows.find(({ state }) => state === 'failed')!.id)}`
  }

  function both(): string {
    return `${encodeURIComponent(viewer.runs[0]!)}/${encodeURIComponent(viewer.runs[6]!)}`
  }

  async function studyLink(): Promise<string> {
    const { store } = viewer
    await sightline(['study', 'new', 'pilot', 'space/text', '--participants', '2', '-l', '1', '--log-dir', store], {
      cwd: store,
    })
    const served = await startViewer(store, ['--port', '0'], ['study', 'serve', 'pilot'])
    onTestFinished(() => served.stop())
    return served.link
  }

  async function startGame(suite: string, name = 'ada'): Promise<string> {
    const { origin } = new URL(viewer.address)
    const started = await viewer.fetch('api/play/start', {
      method: 'POST',
      headers: { 'content-type': 'application/json', origin },
      body: JSON.stringify({ suite, name, seed: 0, count: 1 }),
    })
    return `#/play/${((await started.json()) as PlayState).id}`
  }
})

/** Text of row headings that leave the screen when their table is scrolled to the right. */
function hiddenFirstCells(page: Page): Promise<string[]> {
  return page.evaluate(() =>
    [...document.querySelectorAll('table, [role=table]')].flatMap((table) => {
      const scroller = table.getAttribute('role') === 'table' ? table : table.parentElement!
      scroller.scrollLeft = scroller.scrollWidth
      const { left } = scroller.getBoundingClientRect()
      return [...table.querySelectorAll('th[scope=row], th[scope=rowgroup] > *, [role=cell]:has(a)')]
        .filter((cell) => cell.checkVisibility() && cell.getBoundingClientRect().left < left - 1)
        .map((cell) => cell.textContent)
    }),
  )
}

async function violations(page: Page, rules: RunOptions): Promise<string[]> {
  const { violations: found } = (await page.evaluate(
    (options) => (globalThis as unknown as { axe: { run(options: unknown): Promise<unknown> } }).axe.run(options),
    rules,
  )) as AxeResults
  return found
    .filter(({ impact }) => BAD.has(impact ?? ''))
    .map(({ id, nodes }) =>
      `${id}: ${nodes.map(({ target, failureSummary }) => `${target.join(' ')} ${failureSummary ?? ''}`).join(' | ')}`.slice(
        0,
        800,
      ),
    )
}
