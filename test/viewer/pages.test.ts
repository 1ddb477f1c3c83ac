/** The board, the page of a run, two runs compared: what a person sees and does there. */
import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import type { Page } from 'playwright-core'
import { afterAll, expect, it } from 'vitest'
import { exampleHeader, exampleLine } from '../support/store.ts'
import { Store } from '../../src/store/store.ts'
import { sightline } from '../cli/cli.ts'
import { CLEAN, describeInBrowser, fitsTheScreen, openPage, PHONE, startViewer, useViewer } from './browser.ts'
import { startHeldModel } from './held-model.ts'

const MANY = 5000
/** Text as a model, a data set or an endpoint may send it. */
const HOSTILE =
  '<img src=x onerror="document.title=1"><script>document.title=2</script>[link](javascript:alert(1))\u001B[31m'

/** A run of a suite that is not known here, with many episodes and hostile words. */
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

/** What a screen reader could only call "button". */
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

describeInBrowser('the pages of runs', () => {
  const small = ['-l', '6', '-T', 'questions=1', '-T', 'tasks=dir,pov']
  const viewer = useViewer(
    [
      ['run', 'space/text', '-m', 'baseline/oracle', ...small],
      ['run', 'space/text', '-m', 'baseline/random', ...small],
      ['run', 'vsi/blind', '-m', 'baseline/random', '-l', '20'],
    ],
    addLongRun,
  )
  const oracle = (): string => viewer.runs[0]!
  const random = (): string => viewer.runs[1]!

  it('the board shows each player in each suite, and every run; runs can be found and put in order', async () => {
    const { page, seen } = await viewer.open('#/')
    const board = page.getByRole('table', { name: 'The score of each player in each suite' })
    await board
      .getByRole('row', { name: /space\/text/ })
      .getByRole('link', { name: /^100\.0/ })
      .waitFor()
    await expect.poll(() => page.title()).toBe('Runs · Sightline')

    const list = page.getByRole('table', { name: 'Runs' })
    await page.getByText('4 runs').waitFor()
    await page.getByLabel('Search runs').fill('blind')
    await page.getByText('1 of 4 runs').waitFor()
    await expect.poll(() => list.getByRole('row').nth(1).innerText()).toContain('vsi/blind')
    await page.getByRole('button', { name: 'Clear' }).click()

    await list.getByRole('button', { name: 'Player' }).click()
    await expect.poll(() => list.getByRole('row').nth(2).innerText()).toContain('baseline/oracle')
    // The order is part of the address: who opens it sees the same.
    await expect.poll(() => page.url()).toContain('sort=player')
    expect(await nameless(page)).toEqual([])
    expect(seen()).toEqual(CLEAN)
  })

  it('two runs are chosen on the board and compared, down to two episodes side by side', async () => {
    const { page, seen } = await viewer.open('#/')
    await page.getByLabel('Choose baseline/random in space/text to compare').check()
    await page.getByText('Choose another run to compare it with.').waitFor()
    await page.getByLabel('Choose baseline/oracle in space/text to compare').check()
    await page.getByRole('button', { name: 'Compare', exact: true }).click()

    await page.getByText('Like for like').waitFor()
    const { stdout } = await sightline(['compare', random(), oracle(), '--log-dir', viewer.store], {
      cwd: viewer.store,
    })
    const said = await page.getByRole('region', { name: 'What came out' }).innerText()
    const difference = /\+[\d.]+/.exec(said)![0]
    // The page and the terminal say the same.
    expect(stdout).toContain(difference)
    expect(await nameless(page)).toEqual([])

    const pairs = page.getByRole('table', { name: 'Pairs of episodes' })
    await page.getByRole('radio', { name: /^B better/ }).click()
    await pairs.getByRole('row').nth(1).getByRole('link').click()
    const sides = ['A', 'B'].map((letter) => page.getByRole('region', { name: `Episode of run ${letter}` }))
    await sides[0]!.getByText('baseline/random').waitFor()
    await sides[1]!.getByText('baseline/oracle').waitFor()
    // One key moves both, and the address says where they are.
    await page.keyboard.press('Home')
    await expect.poll(() => page.url()).toMatch(/[?&]a=\d+/)
    await expect.poll(() => page.url()).toMatch(/[?&]b=\d+/)
    const first = page.url()
    await page.keyboard.press('j')
    await expect.poll(() => page.url().split('?')[0]).not.toBe(first.split('?')[0])
    expect(seen()).toEqual(CLEAN)
  })

  it('the page of a run says what the report says', async () => {
    const { page, seen } = await viewer.open(`#/runs/${random()}`)
    await page.getByRole('heading', { name: 'baseline/random in space/text' }).waitFor()
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
    expect(seen()).toEqual(CLEAN)
  })

  it('episodes are filtered, sorted and opened with keys; coming back finds the table as it was left', async () => {
    const { page, seen } = await viewer.open('#/runs/long?view=episodes')
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
    expect(seen()).toEqual(CLEAN)
  })

  it('scrolling never shows an empty table', async () => {
    const { page } = await viewer.open('#/runs/long?view=episodes')
    const table = page.getByRole('table', { name: 'Episodes' })
    await table.getByRole('row').nth(5).waitFor()
    const empty = await table.evaluate(async (element) => {
      const found: number[] = []
      for (let i = 0; i < 12; i++) {
        element.scrollTop = (i * 7919 * 34) % (element.scrollHeight - element.clientHeight)
        const box = element.getBoundingClientRect()
        // At once, before anything was drawn again, and after it.
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

  it('hostile words are shown as words, and a suite that is not known is told', async () => {
    const { page, seen } = await viewer.open('#/runs/long')
    await page.getByText('does not know the suite other/suite').waitFor()
    await page.getByRole('heading', { name: /<img src=x onerror/ }).waitFor()
    await page.getByRole('tab', { name: /Episodes/ }).click()
    await page.getByLabel('Search episodes').fill('<script>')
    await page.getByText('101 of 5,000 episodes').waitFor()
    expect(await page.locator('img[src=x]').count()).toBe(0)
    await expect.poll(() => page.title()).toContain('<img src=x')
    expect(seen()).toEqual(CLEAN)
  })

  it('a run that goes on is followed: it appears, its numbers move, and it ends', async () => {
    const { page, seen } = await viewer.open('#/')
    const list = page.getByRole('table', { name: 'Runs' })
    await page.getByText('4 runs').waitFor()
    const model = await startHeldModel()
    // Nothing is asked again: one reply, one episode.
    const held = ['run', 'vsi/blind', ...model.args, '-l', '9', '-T', 'reasks=0']
    const played = sightline([...held, '--log-dir', viewer.store], { cwd: viewer.store })
    try {
      const row = list.getByRole('row').filter({ hasText: model.name })
      await row.getByText('running').waitFor()
      const progress = row.getByRole('progressbar')
      await expect.poll(() => progress.getAttribute('aria-valuenow')).toBe('0')
      model.letThrough(2)
      await expect.poll(() => progress.getAttribute('aria-valuenow')).toBe('2')
      await row.getByRole('link').click()
      const tab = page.getByRole('tab', { name: /Episodes/ })
      const count = async (): Promise<number> => Number((await tab.innerText()).replace(/\D/g, ''))
      await expect.poll(count).toBe(2)
      model.letThrough(3)
      await expect.poll(count).toBe(5)
      await page.getByText('running', { exact: true }).waitFor()
      model.letThrough(Infinity)
      await page.getByText('done', { exact: true }).waitFor()
      await expect.poll(count).toBe(9)
      expect((await played).code).toBe(0)
      expect(seen()).toEqual(CLEAN)
    } finally {
      model.letThrough(Infinity)
      await played
      await model.close()
    }
  })

  it('keys are explained, and dark stays dark', async () => {
    const { page } = await viewer.open(`#/runs/${oracle()}?view=episodes`, { colorScheme: 'light' })
    await page.getByRole('table', { name: 'Episodes' }).waitFor()
    await page.keyboard.press('?')
    const help = page.getByRole('dialog', { name: 'Keyboard' })
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

  it('on a telephone nothing is wider than the screen', async () => {
    const addresses = [
      '#/',
      `#/runs/${random()}`,
      '#/runs/long?view=episodes',
      `#/runs/${random()}?view=settings`,
      `#/compare/${random()}/${oracle()}`,
      `#/compare/${random()}/${oracle()}/0/0/1`,
    ]
    const { page, seen } = await viewer.open('#/', { viewport: PHONE, hasTouch: true })
    for (const address of addresses) {
      // From elsewhere, so that what is seen belongs to this page.
      await page.goto('about:blank')
      await page.goto(new URL(address, viewer.address).href)
      await page.getByRole('heading', { level: 1 }).waitFor()
      await expect.poll(() => page.getByText(/Loading/).count()).toBe(0)
      await fitsTheScreen(page, address)
    }
    expect(seen()).toEqual(CLEAN)
  })

  it('what is not there is told, with the way back', async () => {
    const { page } = await viewer.open('#/runs/nowhere', { expectedErrors: /404/ })
    await page.getByRole('alert').waitFor()
    await page.goto(new URL('#/somewhere/else', viewer.address).href)
    await page.getByText('There is no such page.').waitFor()
    await page.getByRole('link', { name: 'All runs' }).click()
    await page.getByText(/\d runs/).waitFor()
  })

  const empty = mkdtemp(join(tmpdir(), 'sightline-viewer-'))
  afterAll(async () => rm(await empty, { recursive: true, force: true }))

  it('an empty store says how the first run is made', async () => {
    const server = await startViewer(await empty)
    try {
      const { page, seen } = await openPage(viewer.browser, server.address)
      await page.getByRole('heading', { name: 'No runs yet' }).waitFor()
      await page.getByText('sightline run space/text -m baseline/random').waitFor()
      expect(seen()).toEqual(CLEAN)
    } finally {
      await server.stop()
    }
  })
})
