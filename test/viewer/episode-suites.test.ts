/** What the suites add to the page of an episode: rooms, paths, beliefs, films. */
import type { Page } from 'playwright-core'
import { expect, it } from 'vitest'
import type { EpisodeDetail } from '../../src/server/api.ts'
import { CLEAN, describeInBrowser, drawn, PHONE, useViewer, type Viewer } from './browser.ts'

const slider = (page: Page) => page.getByRole('slider', { name: 'Moment of the episode' })

/** The address of an episode at the first event that is meant. */
async function momentOf(viewer: Viewer, run: number, type: string, wanted: object = {}): Promise<string> {
  const answer = await fetch(`${viewer.address}api/runs/${viewer.runs[run]!}/episodes/0/1`)
  const { events } = (await answer.json()) as EpisodeDetail
  const at = events.findIndex(
    (event) => event.type === type && Object.entries(wanted).every(([name, value]) => event[name] === value),
  )
  if (at < 0) throw new Error(`There is no event ${type}.`)
  return `#/runs/${viewer.runs[run]!}/0/1?at=${at}`
}

const MAPS = ['run', 'space/text', '-m', 'baseline/random', '-l', '1', '-T', 'questions=1', '-T', 'maps=every']

describeInBrowser('space', () => {
  const viewer = useViewer([
    [...MAPS, '-T', 'revision=true'],
    ['run', 'space/vision', '-m', 'baseline/random', '-l', '1', '-T', 'questions=1', '-T', 'tasks=dir'],
  ])
  const rooms = (page: Page) => page.getByRole('img', { name: /^Rooms from above/ })

  it('shows where the player is, what it sees, and how far its map is from the truth', async () => {
    const { page, seen } = await viewer.open(await momentOf(viewer, 0, 'space/turn'))
    await rooms(page).waitFor()
    const told = (): Promise<string | null> => rooms(page).getAttribute('aria-label')
    await expect.poll(told).toMatch(/The player is at \d+, \d+ and looks \w+\. In view: /)
    expect(await told()).not.toContain('Its map has')
    await page.goto(new URL(await momentOf(viewer, 0, 'space/map', { kind: 'global' }), viewer.address).href)
    await page.getByText(/cells off on average/).waitFor()
    await expect.poll(told).toContain('Its map has')
    await page
      .locator('svg title', { hasText: /believed \d+\.\d cells off/ })
      .first()
      .waitFor({ state: 'attached' })
    await page.getByRole('checkbox', { name: 'Belief' }).uncheck()
    await expect.poll(() => page.locator('svg title', { hasText: /believed/ }).count()).toBe(0)
    expect(seen()).toEqual(CLEAN)
  })

  it('marks what was changed in the second phase', async () => {
    const { page } = await viewer.open(await momentOf(viewer, 0, 'space/scene', { phase: 'false-belief' }))
    await page.getByText('After the changes, before the first turn').waitFor()
    await expect.poll(() => page.locator('svg title', { hasText: /was (moved|turned)/ }).count()).toBe(4)
  })

  it('draws curves over the turns, and lists questions with answer and truth', async () => {
    const { page, seen } = await viewer.open(`#/runs/${viewer.runs[0]!}/0/1`)
    await page.getByRole('radio', { name: 'Curves' }).click()
    await page.getByRole('img', { name: /What was found out by turn: information ends at \d+ %/ }).waitFor()
    await page.getByRole('img', { name: /Map of everything by turn/ }).waitFor()
    await page.getByRole('radio', { name: 'Questions' }).click()
    const row = page.getByRole('row', { name: /describe where/ }).first()
    await expect.poll(() => row.getByRole('cell').count()).toBe(4)
    await row.getByRole('button').click()
    await expect.poll(() => slider(page).getAttribute('aria-valuetext')).toContain('question dir')
    expect(seen()).toEqual(CLEAN)
  })

  it('has the picture of the turn beside the rooms', async () => {
    const { page, seen } = await viewer.open(await momentOf(viewer, 1, 'space/picture'))
    const picture = page.getByAltText('What the player saw in this turn')
    await expect.poll(() => picture.evaluate((image: HTMLImageElement) => image.naturalWidth)).toBeGreaterThan(0)
    expect(seen()).toEqual(CLEAN)
  })
})

describeInBrowser('vsi', () => {
  const source = ['--source', 'builtin:scenes=1,look=plain']
  const viewer = useViewer([
    ['run', 'vsi/explore', '-m', 'baseline/tour', '-l', '1', '-T', 'steps=4', ...source],
    ['run', 'vsi/video', '-m', 'baseline/oracle', '-l', '1', '-T', 'frames=60', '-T', 'map=true', ...source],
    ['run', 'vsi/blind', '-m', 'baseline/blind', '-l', '1', ...source],
  ])

  // Without a graphics card a picture takes a second, and more on a busy machine.
  it(
    'shows the room in 3D with the way through it, and through the eyes of the agent',
    { timeout: 180_000 },
    async () => {
      const { page, seen } = await viewer.open(await momentOf(viewer, 0, 'vsi/view', { index: 0 }))
      await page.getByText('truth', { exact: true }).first().waitFor()
      const stage = page.locator('canvas')
      const room = await drawn(stage, 10)
      await page.getByRole('radio', { name: 'Its eyes' }).click()
      await expect.poll(async () => room.equals(await stage.screenshot())).toBe(false)
      await slider(page).focus()
      const before = await drawn(stage, 5)
      await page.keyboard.press('Shift+ArrowRight')
      await expect.poll(async () => before.equals(await stage.screenshot())).toBe(false)
      expect(seen()).toEqual(CLEAN)
    },
  )

  it('says what was asked for and what was done, and draws it on the map', async () => {
    const { page } = await viewer.open(`#/runs/${viewer.runs[0]!}/0/1`)
    await page.getByRole('radio', { name: 'Map', exact: true }).click()
    await page.getByText('Picture 4 of 4').waitFor()
    const map = page.getByRole('img', { name: /^The room from above/ })
    await expect.poll(() => map.getAttribute('aria-label')).toContain('picture 4 of 5')
    await page.goto(new URL(await momentOf(viewer, 0, 'vsi/view', { index: 1 }), viewer.address).href)
    await page.getByText('Picture 1 of 4').waitFor()
    await expect.poll(() => map.getAttribute('aria-label')).toContain('picture 1 of 5')
  })

  it('opens a picture large, with where it comes from, and goes through them with arrows', async () => {
    const { page, seen } = await viewer.open(`#/runs/${viewer.runs[1]!}/0/1`)
    const strip = page.getByRole('list', { name: 'Pictures in order' })
    await strip.locator('[aria-current] button').click()
    const large = page.getByRole('dialog')
    await large.getByText('Where it comes from').waitFor()
    const frame = large.getByRole('term').filter({ hasText: /^frame$/ })
    await expect.poll(() => frame.count()).toBe(1)
    const title = large.getByRole('heading', { level: 2 })
    const last = await title.textContent()
    await page.keyboard.press('ArrowLeft')
    await expect.poll(() => title.textContent()).not.toBe(last)
    await page.keyboard.press('Escape')
    await large.waitFor({ state: 'detached' })
    expect(seen()).toEqual(CLEAN)
  })

  it('says so where 3D cannot be drawn, and shows the map instead', async () => {
    const page = await (await viewer.browser.newContext()).newPage()
    await page.addInitScript({
      content: `const original = HTMLCanvasElement.prototype.getContext
        HTMLCanvasElement.prototype.getContext = function (kind, ...rest) {
          return kind.startsWith('webgl') ? null : original.call(this, kind, ...rest)
        }`,
    })
    await page.goto(`${viewer.address}#/runs/${viewer.runs[0]!}/0/1`)
    await page.getByText('This browser cannot draw in 3D').waitFor()
    await page.getByRole('img', { name: /^The room from above/ }).waitFor()
  })

  it('lays the frames of a film on its time axis, and the believed map over the true one', async () => {
    const { page, seen } = await viewer.open(`#/runs/${viewer.runs[1]!}/0/1`)
    const axis = page.getByRole('list', { name: 'Frames on the time axis' })
    await axis.waitFor()
    await expect.poll(() => axis.getByRole('button').count()).toBe(60)
    await axis.getByRole('button').first().click()
    await page.getByText(/^frame 0 of \d+ · 0\.0 s of /).waitFor()
    const pictures = page.getByRole('list', { name: 'Pictures in order' }).locator('li')
    await expect.poll(() => pictures.count()).toBe(60)
    await page.getByRole('radio', { name: 'Believed map' }).click()
    await page.getByRole('img', { name: /^Map of ten by ten cells/ }).waitFor()
    expect(seen()).toEqual(CLEAN)
  })

  it('has the question alone where nothing was shown, on a phone too', async () => {
    const { page, seen } = await viewer.open(`#/runs/${viewer.runs[2]!}/0/1`, { viewport: PHONE })
    await page.getByText('the question is answered from words alone').waitFor()
    expect(await page.getByRole('tab', { name: 'Pictures' }).count()).toBe(0)
    expect(seen()).toEqual(CLEAN)
  })
})
