/** The episode page: timeline, transcript, keyboard shortcuts and links. */
import { readFile, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import type { Page } from 'playwright-core'
import { expect, it } from 'vitest'
import { NO_PROBLEMS, describeInBrowser, expectNoOverflow, PHONE, useViewer } from './browser.ts'

const slider = (page: Page) => page.getByRole('slider', { name: 'Step' })

async function step(page: Page): Promise<number> {
  return Number(await slider(page).getAttribute('aria-valuenow'))
}

/** Description of the current step. */
const stepText = (page: Page) => (): Promise<string | null> => slider(page).getAttribute('aria-valuetext')

describeInBrowser('episode', () => {
  const viewer = useViewer([
    ['run', 'space/text', '-m', 'baseline/random', '-l', '2', '-T', 'questions=1', '-T', 'maps=every'],
  ])
  const episode = (at?: number, index = 0): string =>
    `#/runs/${viewer.runs[0]!}/${index}/1${at === undefined ? '' : `?at=${at}`}`

  it('opens at the last step with player, status and scores', async () => {
    const { page, problems } = await viewer.open(episode())
    await page.getByRole('heading', { level: 1 }).waitFor()
    await page.getByText('baseline/random').first().waitFor()
    await page.getByText('End of episode').waitFor()
    await expect.poll(stepText(page)).toContain('end: answered')
    await page.getByRole('button', { name: /All \d+ scores/ }).click()
    await page.getByRole('rowheader', { name: 'Information', exact: true }).waitFor()
    expect(problems()).toEqual(NO_PROBLEMS)
  })

  it('steps with keys and stores the step in the URL', async () => {
    const { page, problems } = await viewer.open(episode())
    await slider(page).waitFor()
    for (const [index, key] of ['Home', 'ArrowRight', 'ArrowRight'].entries()) {
      const before = page.url()
      await page.keyboard.press(key)
      await expect.poll(() => step(page)).toBe(index + 1)
      // The URL follows after a short delay.
      await expect.poll(() => page.url()).not.toBe(before)
    }
    expect(page.url()).toMatch(/\?at=\d+$/)
    const text = await stepText(page)()
    await page.reload()
    await expect.poll(stepText(page)).toBe(text)
    await page.keyboard.press('End')
    const last = Number(await slider(page).getAttribute('aria-valuemax'))
    await expect.poll(() => step(page)).toBe(last)
    expect(problems()).toEqual(NO_PROBLEMS)
  })

  it('restarts at the end when played, and pauses', async () => {
    const { page } = await viewer.open(episode())
    await slider(page).waitFor()
    const last = await step(page)
    // Slow enough to pause long before the end, even on a slow machine.
    await page.getByRole('combobox', { name: 'Speed' }).selectOption('0.5')
    await page.locator('main').click({ position: { x: 2, y: 2 } })
    await page.keyboard.press(' ')
    await page.getByRole('button', { name: 'Pause (Space)' }).waitFor()
    await expect.poll(() => step(page)).toBeLessThan(last)
    const started = await step(page)
    await expect.poll(() => step(page)).toBeGreaterThan(started)
    await page.keyboard.press(' ')
    await page.getByRole('button', { name: 'Play (Space)' }).waitFor()
    expect(await step(page)).toBeLessThan(last)
  })

  it('navigates to the next episode and back, and updates the URL', async () => {
    const { page } = await viewer.open(episode(3))
    const heading = page.getByRole('heading', { level: 1 })
    await slider(page).waitFor()
    const first = await heading.textContent()
    await page.keyboard.press('j')
    await expect.poll(() => heading.textContent()).not.toBe(first)
    await expect.poll(() => new URL(page.url()).hash).toBe(episode(undefined, 1))
    await slider(page).waitFor()
    await page.keyboard.press('k')
    await expect.poll(() => heading.textContent()).toBe(first)
  })

  it('shows only new messages, folds the system prompt, and searches', async () => {
    const { page } = await viewer.open(episode(0))
    await slider(page).waitFor()
    await page.keyboard.press('Home')
    const transcript = page.getByRole('region', { name: 'Transcript' })
    const prompt = transcript.getByRole('button', { name: /System prompt, \d+ characters/ })
    await prompt.click()
    await transcript.getByText('strictly follow this format').first().waitFor()
    await transcript.getByRole('searchbox').fill('cognitive map')
    await transcript.getByText(/^1 of \d+$/).waitFor()
    await transcript.getByRole('button', { name: 'Next match' }).click()
    await transcript.getByText(/^2 of \d+$/).waitFor()
    expect(await transcript.locator('mark').first().textContent()).toMatch(/cognitive map/i)
    await transcript.getByRole('searchbox').fill('text that does not occur')
    await transcript.getByText('no matches').waitFor()
  })

  it('shows one part at a time on a phone, also in dark mode', async () => {
    const { page, problems } = await viewer.open(episode(), { viewport: PHONE, colorScheme: 'dark' })
    await page.getByRole('tab', { name: 'Replay' }).waitFor()
    await page.getByRole('tab', { name: 'Transcript' }).click()
    await page.getByText('End of episode').waitFor()
    await expectNoOverflow(page)
    expect(problems()).toEqual(NO_PROBLEMS)
  })
})

describeInBrowser('hostile reply', () => {
  const HARM = [
    '<img src=x onerror="document.title=\'taken\'"><script>document.title="taken"</script>',
    '[click](javascript:document.title="taken") ![](http://198.51.100.1/leak.png)',
    '<svg onload="document.title=\'taken\'"></svg>',
    '\u001b]0;taken\u0007\u001b[2J\u202e',
  ].join('\n')
  const viewer = useViewer(
    [['run', 'space/text', '-m', 'baseline/random', '-l', '1', '-T', 'questions=1', '-T', 'tasks=dir']],
    (store, runs) => rewriteReplies(join(store, 'runs', runs[0]!), `${HARM}\n${'x'.repeat(5_000_000)}`),
  )

  it('is shown as text: nothing runs or is fetched, and five megabytes do not hang the page', async () => {
    const { page, problems } = await viewer.open(`#/runs/${viewer.runs[0]!}/0/1?at=5`)
    await page.getByText('onerror=').first().waitFor()
    await page
      .getByRole('button', { name: /Show more \([\d,]+ characters left\)/ })
      .first()
      .click()
    await page.getByRole('button', { name: 'Step forward (→)' }).click()
    await slider(page).waitFor()
    expect(await page.title()).not.toContain('taken')
    expect(await page.locator('main img[src="x"], main svg[onload], main a[href^="javascript"]').count()).toBe(0)
    // Terminal escapes are visible symbols.
    await page.getByText('␛]0;taken').first().waitFor()
    expect(problems()).toEqual(NO_PROBLEMS)
  })
})

/** Replaces the first reply of a run's first episode. */
async function rewriteReplies(folder: string, text: string): Promise<void> {
  const [events, lines] = await Promise.all(
    ['events.jsonl', 'episodes.jsonl'].map((name) => readFile(join(folder, name))),
  )
  const line = JSON.parse(lines!.toString().split('\n')[0]!) as { events: [number, number] }
  const [offset, length] = line.events
  const own = events!
    .subarray(offset, offset + length)
    .toString()
    .trimEnd()
    .split('\n')
  let first = true
  const changed = own.map((each) => {
    const event = JSON.parse(each) as { type: string; text?: string }
    if (event.type !== 'reply' || !first) return each
    first = false
    return JSON.stringify({ ...event, text, reasoning: text })
  })
  const bytes = Buffer.from(`${changed.join('\n')}\n`)
  await writeFile(join(folder, 'events.jsonl'), bytes)
  await writeFile(join(folder, 'episodes.jsonl'), `${JSON.stringify({ ...line, events: [0, bytes.byteLength] })}\n`)
}
