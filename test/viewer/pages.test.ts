/** Leaderboard, run and comparison pages, as a user sees and operates them. */
import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import type { Page } from 'playwright-core'
import { afterAll, expect, it } from 'vitest'
import { exampleHeader, exampleLine } from '../support/store.ts'
import { Store } from '../../src/store/store.ts'
import { sightline } from '../cli/cli.ts'
import { NO_PROBLEMS, describeInBrowser, expectNoOverflow, openPage, PHONE, startViewer, useViewer } from './browser.ts'
import { startHeldModel } from './held-model.ts'

const MANY = 5000
/** Text as a model, dataset or endpoint may send it. */
const HOSTILE =
  '<img src=x onerror="document.title=1"><script>document.title=2</script>[link](javascript:alert(1))\u001B[31m'

/** A run of an unknown suite with many episodes and hostile text. */
async function addLongRun(dir: string): Promise<void> {
  const store = await Store.open(dir)
  const run = await store.createRun(
    exampleHeader({ id: 'long', suite: 'other/suite', models: { player: HOSTILE }, planned: MANY }),
  )
  const appended = []
  for (let i = 0; i < MANY; i++) {
    const failed = i % 50 === 7
    appended.push(
      run.append(
        {
          ...exampleLine(i),
          ...(i === 3 && { sample: HOSTILE }),
          ...(failed && { status: 'model_error' as const, error: `${HOSTILE} ${i}`, scores: {} }),
        },
        [JSON.stringify({ type: 'answer', text: `the answer is ${i}` })],
      ),
    )
  }
  await Promise.all(appended)
  await run.setStatus({ state: 'done', reason: null })
  await run.close()
}

/** Elements without an accessible name. */
async function nameless(page: Page): Promise<string[]> {
  const all = page.locator('button, a, input, select, [role=table], [role=img], [role=progressbar]')
  return all.evaluateAll((elements) =>
    elements
      .filter((element) => {
        const labels = 'labels' in element ? (element.labels as ArrayLike<{ textContent: string | null }> | null) : null
        const name = element.getAttribute('aria-label') ?? (element.textContent || labels?.[0]?.textContent)
        return (name ?? '').trim() === ''
      })
      .map((element) => element.outerHTML.slice(0, 200)),
  )
}

describeInBrowser('run pages', () => {
  const small = ['-l', '6', '-T', 'questions=1', '-T', 'tasks=dir,pov']
  const viewer = useViewer(
    [
      ['run', 'space/text', '-m', 'baseline/oracle', ...small],
      ['run', 'space/text', '-m', 'baseline/random', ...small],
      ['run', 'vsi/blind', '-m', 'baseline/random', '-l', '20'],
      ['run', 'space/text', '-m', 'baseline/constant', ...small, '-l', '3'],
    ],
    addLongRun,
  )
  const oracle = (): string => viewer.runs[0]!
  const random = (): string => viewer.runs[1]!

  it('the leaderboard shows scores by suite and player, and a searchable, sortable run list', async () => {
    const { page, problems } = await viewer.open('#/')
    const leaderboard = page.getByRole('table', { name: 'Scores by suite and player' })
    await leaderboard
      .getByRole('row', { name: /space\/text/ })
      .getByRole('link', { name: /^100\.0/ })
      .waitFor()
    await expect.poll(() => page.title()).toBe('Leaderboard · Sightline')

    const list = page.getByRole('table', { name: 'Runs' })
    await page.getByText('5 runs').waitFor()
    await page.getByLabel('Search runs').fill('blind')
    await page.getByText('1 of 5 runs').waitFor()
    await expect.poll(() => list.getByRole('row').nth(1).innerText()).toContain('vsi/blind')
    await page.getByRole('button', { name: 'Clear' }).click()

    await list.getByRole('button', { name: 'Player' }).click()
    await expect.poll(() => list.getByRole('row').nth(2).innerText()).toContain('baseline/constant')
    // The order is part of the URL.
    await expect.poll(() => page.url()).toContain('sort=player')
    expect(await nameless(page)).toEqual([])
    expect(problems()).toEqual(NO_PROBLEMS)
  })

  it('selects two runs on the leaderboard and compares them, down to a pair of episodes', async () => {
    const { page, problems } = await viewer.open('#/')
    await page.getByLabel('Select baseline/random on space/text to compare').check()
    await page.getByText('Select another run to compare.').waitFor()
    await page.getByLabel('Select baseline/oracle on space/text to compare').check()
    await page.getByRole('button', { name: 'Compare', exact: true }).click()

    await page.getByText('Like for like').waitFor()
    const { stdout } = await sightline(['compare', random(), oracle(), '--log-dir', viewer.store], {
      cwd: viewer.store,
    })
    const result = await page.getByRole('region', { name: 'Result' }).innerText()
    const difference = /\+[\d.]+/.exec(result)![0]
    // Page and terminal show the same number.
    expect(stdout).toContain(difference)
    expect(await nameless(page)).toEqual([])

    const pairs = page.getByRole('table', { name: 'Pairs of episodes' })
    await page.getByRole('radio', { name: /^B better/ }).click()
    await pairs.getByRole('row').nth(1).getByRole('link').click()
    const sides = ['A', 'B'].map((letter) => page.getByRole('region', { name: `Episode of run ${letter}` }))
    await sides[0]!.getByText('baseline/random').waitFor()
    await sides[1]!.getByText('baseline/oracle').waitFor()
    // One key moves both, and the URL has both steps.
    await page.keyboard.press('Home')
    await expect.poll(() => page.url()).toMatch(/[?&]a=\d+/)
    await expect.poll(() => page.url()).toMatch(/[?&]b=\d+/)
    const first = page.url()
    await page.keyboard.press('j')
    await expect.poll(() => page.url().split('?')[0]).not.toBe(first.split('?')[0])
    expect(problems()).toEqual(NO_PROBLEMS)
  })

  it('scores any number of runs on the samples they share', async () => {
    const { page, problems } = await viewer.open('#/')
    const row = page.getByRole('row', { name: /space\/text/ }).first()
    await row.getByRole('link', { name: '3 of 6 samples shared by 3 runs' }).click()
    const table = page.getByRole('table', { name: 'Scores on the shared samples, best first' })
    await expect.poll(() => table.getByRole('row').nth(1).innerText()).toContain('baseline/oracle')
    await page.getByRole('img', { name: /baseline\/oracle 100\.0/ }).waitFor()
    await page.getByLabel('Baselines').uncheck()
    await page.getByText('No runs selected').waitFor()
    expect(await nameless(page)).toEqual([])
    expect(problems()).toEqual(NO_PROBLEMS)
  })

  it('the run page shows the numbers of the report', async () => {
    const { page, problems } = await viewer.open(`#/runs/${random()}`)
    await page.getByRole('heading', { name: 'baseline/random on space/text' }).waitFor()
    const { stdout } = await sightline(['report', random(), '--format', 'json', '--log-dir', viewer.store], {
      cwd: viewer.store,
    })
    const report = JSON.parse(stdout) as { rows: { title: string; value: number; unit: string }[] }
    const table = page.getByRole('table', { name: /Theory of Space/ })
    for (const { title, value, unit } of report.rows.filter(({ unit }) => unit === 'percent').slice(0, 4)) {
      const row = table.getByRole('row').filter({ hasText: title }).first()
      expect(await row.innerText(), `${title} in ${unit}`).toContain((value * 100).toFixed(1).replace('-', '−'))
    }
    await page.getByRole('img', { name: /^Time: 6 episodes/ }).waitFor()
    await page.getByRole('button', { name: /answered 6/ }).click()
    await page.getByText('6 episodes', { exact: true }).waitFor()
    await expect.poll(() => page.url()).toContain('status=answered')
    await page.getByRole('tab', { name: 'Settings' }).click()
    await page.getByText(`sightline report ${random()}`).waitFor()
    expect(await nameless(page)).toEqual([])
    expect(problems()).toEqual(NO_PROBLEMS)
  })

  it('filters, sorts and opens episodes with keys, and restores the table when going back', async () => {
    const { page, problems } = await viewer.open('#/runs/long?view=episodes')
    const table = page.getByRole('table', { name: 'Episodes' })
    await table.waitFor()
    await expect.poll(() => table.getAttribute('aria-rowcount')).toBe(String(MANY + 1))

    await page.getByRole('button', { name: 'Type' }).first().click()
    await page.getByLabel('room size').check()
    await page.keyboard.press('Escape')
    await page.getByText('2,500 of 5,000 episodes').waitFor()
    await page.getByLabel('Search episodes').fill('scene-12')
    await page.getByText('55 of 5,000 episodes').waitFor()
    await page.getByLabel('Search episodes').fill('')

    await page.getByLabel('Search in').selectOption('said')
    await page.getByLabel('Search episodes').fill('answer is 4321')
    await page.getByText('1 of 5,000 episodes').waitFor()
    await page.getByRole('button', { name: 'Clear' }).click()
    await page.getByText('5,000 episodes', { exact: true }).waitFor()

    await table.getByRole('button', { name: 'accuracy' }).click()
    await page.keyboard.press('Escape')
    await page.locator('body').press('End')
    await expect.poll(() => page.evaluate('document.activeElement.closest("[role=row]")?.ariaRowIndex')).toBe('5001')
    const place = (): Promise<number> => table.evaluate((element) => element.scrollTop)
    const there = await table.evaluate((element) => element.scrollHeight - element.clientHeight)
    await expect.poll(place).toBe(there)
    await page.keyboard.press('Enter')
    await expect.poll(() => page.url()).toMatch(/#\/runs\/long\/\d+\/1/)
    await page.goBack()
    await table.waitFor()
    await expect.poll(() => page.url()).toContain('sort=')
    await expect.poll(place).toBe(there)
    expect(problems()).toEqual(NO_PROBLEMS)
  })

  it('never shows an empty table while scrolling', async () => {
    const { page } = await viewer.open('#/runs/long?view=episodes')
    const table = page.getByRole('table', { name: 'Episodes' })
    await table.getByRole('row').nth(5).waitFor()
    const empty = await table.evaluate(async (element) => {
      const found: number[] = []
      for (let i = 0; i < 12; i++) {
        element.scrollTop = (i * 7919 * 34) % (element.scrollHeight - element.clientHeight)
        const box = element.getBoundingClientRect()
        // Before and after the next render.
        for (let frame = 0; frame < 2; frame++) {
          for (const y of [50, box.height / 2, box.height - 30]) {
            if (!document.elementFromPoint(box.left + 60, box.top + y)?.closest('[role=row]')) found.push(i)
          }
          await new Promise((resolve) => requestAnimationFrame(resolve))
        }
      }
      return found
    })
    expect(empty).toEqual([])
  })

  it('shows hostile text as text and reports an unknown suite', async () => {
    const { page, problems } = await viewer.open('#/runs/long')
    await page.getByText('unknown suite other/suite').waitFor()
    await page.getByRole('heading', { name: /<img src=x onerror/ }).waitFor()
    await page.getByRole('tab', { name: /Episodes/ }).click()
    await page.getByLabel('Search episodes').fill('<script>')
    await page.getByText('101 of 5,000 episodes').waitFor()
    expect(await page.locator('img[src=x]').count()).toBe(0)
    await expect.poll(() => page.title()).toContain('<img src=x')
    expect(problems()).toEqual(NO_PROBLEMS)
  })

  it('follows a run in progress from start to end', async () => {
    const { page, problems } = await viewer.open('#/')
    const list = page.getByRole('table', { name: 'Runs' })
    await page.getByText('5 runs').waitFor()
    const model = await startHeldModel()
    // Without reasks, one reply is one episode.
    const held = ['run', 'vsi/blind', ...model.args, '-l', '9', '-T', 'reasks=0']
    const played = sightline([...held, '--log-dir', viewer.store], { cwd: viewer.store })
    try {
      const row = list.getByRole('row').filter({ hasText: model.name })
      await row.getByText('running').waitFor()
      const progress = row.getByRole('progressbar')
      await expect.poll(() => progress.getAttribute('aria-valuenow')).toBe('0')
      model.release(2)
      await expect.poll(() => progress.getAttribute('aria-valuenow')).toBe('2')
      await row.getByRole('link').click()
      const tab = page.getByRole('tab', { name: /Episodes/ })
      const count = async (): Promise<number> => Number((await tab.innerText()).replace(/\D/g, ''))
      await expect.poll(count).toBe(2)
      model.release(3)
      await expect.poll(count).toBe(5)
      await page.getByText('running', { exact: true }).waitFor()
      model.release(Infinity)
      await page.getByText('done', { exact: true }).waitFor()
      await expect.poll(count).toBe(9)
      expect((await played).code).toBe(0)
      expect(problems()).toEqual(NO_PROBLEMS)
    } finally {
      model.release(Infinity)
      await played
      await model.close()
    }
  })

  it('shows keyboard help and remembers the theme', async () => {
    const { page } = await viewer.open(`#/runs/${oracle()}?view=episodes`, { colorScheme: 'light' })
    await page.getByRole('table', { name: 'Episodes' }).waitFor()
    await page.keyboard.press('?')
    const help = page.getByRole('dialog', { name: 'Keyboard shortcuts' })
    await help.getByText('Next episode').waitFor()
    await page.keyboard.press('Escape')
    await expect.poll(() => help.isVisible()).toBe(false)

    await page.getByRole('radio', { name: 'Dark' }).click()
    const background = (): Promise<string> => page.evaluate('getComputedStyle(document.body).backgroundColor')
    const shows = (theme: string): Promise<void> => page.locator(`html[data-theme=${theme}]`).waitFor()
    await shows('dark')
    const dark = await background()
    await page.reload()
    await page.getByRole('table', { name: 'Episodes' }).waitFor()
    expect(await background()).toBe(dark)
    await page.getByRole('radio', { name: 'Light' }).click()
    await shows('light')
    expect(await background()).not.toBe(dark)
  })

  it('fits a phone screen on every page', async () => {
    const addresses = [
      '#/',
      `#/runs/${random()}`,
      '#/runs/long?view=episodes',
      `#/runs/${random()}?view=settings`,
      `#/runs/${random()}?view=episodes`,
      `#/shared?run=${random()}&run=${oracle()}`,
      `#/compare/${random()}/${oracle()}`,
      `#/compare/${random()}/${oracle()}/0/0/1`,
    ]
    const { page, problems } = await viewer.open('#/', { viewport: PHONE, hasTouch: true })
    for (const address of addresses) {
      // A fresh document for each page.
      await page.goto('about:blank')
      await page.goto(new URL(address, viewer.address).href)
      await page.getByRole('heading', { level: 1 }).waitFor()
      await expect.poll(() => page.getByText(/Loading/).count()).toBe(0)
      await expectNoOverflow(page, address)
    }
    expect(problems()).toEqual(NO_PROBLEMS)
  })

  it('shows an error for missing runs and pages, with a link back', async () => {
    const { page } = await viewer.open('#/runs/nowhere', { expectedErrors: /404/ })
    await page.getByRole('alert').waitFor()
    await page.goto(new URL('#/somewhere/else', viewer.address).href)
    await page.getByText('Page not found').first().waitFor()
    await page.getByRole('link', { name: 'Go to the leaderboard' }).click()
    await page
      .getByRole('status')
      .getByText(/\d runs/)
      .waitFor()
  })

  const empty = mkdtemp(join(tmpdir(), 'sightline-viewer-'))
  afterAll(async () => rm(await empty, { recursive: true, force: true }))

  it('shows how to start the first run in an empty store', async () => {
    const server = await startViewer(await empty)
    try {
      const { page, problems } = await openPage(viewer.browser, server.link)
      await page.getByRole('heading', { name: 'No runs yet' }).waitFor()
      await page.getByText('sightline run space/text -m baseline/random').waitFor()
      expect(problems()).toEqual(NO_PROBLEMS)
    } finally {
      await server.stop()
    }
  })
})
