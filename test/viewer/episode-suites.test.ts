/** Episode panels of space and vsi. */
import type { Page } from 'playwright-core'
import { expect, it } from 'vitest'
import type { EpisodeDetail } from '../../src/server/api.ts'
import { NO_PROBLEMS, describeInBrowser, settledScreenshot, PHONE, useViewer, type Viewer } from './browser.ts'

const slider = (page: Page) => page.getByRole('slider', { name: 'Step' })

/** Path of an episode at the first matching event. */
async function momentOf(viewer: Viewer, run: number, type: string, wanted: object = {}): Promise<string> {
  const answer = await viewer.fetch(`api/runs/${viewer.runs[run]!}/episodes/0/1`)
  const { events } = (await answer.json()) as EpisodeDetail
  const at = events.findIndex(
    (event) => event.type === type && Object.entries(wanted).every(([name, value]) => event[name] === value),
  )
  if (at < 0) throw new Error(`No such event: ${type}`)
  return `#/runs/${viewer.runs[run]!}/0/1?at=${at}`
}

const MAPS = ['run', 'space/text', '-m', 'baseline/random', '-l', '1', '-T', 'questions=1', '-T', 'maps=every']

describeInBrowser('space', () => {
  const viewer = useViewer([
    [...MAPS, '-T', 'revision=true'],
    ['run', 'space/vision', '-m', 'baseline/random', '-l', '1', '-T', 'questions=1', '-T', 'tasks=dir'],
  ])
  const rooms = (page: Page) => page.getByRole('img', { name: /^Floor plan/ })

  it('shows the player, its field of view, and the error of its map', async () => {
    const { page, problems } = await viewer.open(await momentOf(viewer, 0, 'space/turn'))
    await rooms(page).waitFor()
    const label = (): Promise<string | null> => rooms(page).getAttribute('aria-label')
    await expect.poll(label).toMatch(/The player is at \d+, \d+, facing \w+\. In view: /)
    expect(await label()).not.toContain('Its predicted map has')
    await page.goto(new URL(await momentOf(viewer, 0, 'space/map', { kind: 'global' }), viewer.address).href)
    await page.getByText(/mean error \d+\.\d cells/).waitFor()
    await expect.poll(label).toContain('Its predicted map has')
    await page
      .locator('svg title', { hasText: /predicted \d+\.\d cells off/ })
      .first()
      .waitFor({ state: 'attached' })
    await page.getByRole('checkbox', { name: 'Predicted map' }).uncheck()
    await expect.poll(() => page.locator('svg title', { hasText: /predicted/ }).count()).toBe(0)
    expect(problems()).toEqual(NO_PROBLEMS)
  })

  it('marks changed objects in the second phase', async () => {
    const { page } = await viewer.open(await momentOf(viewer, 0, 'space/scene', { phase: 'false-belief' }))
    await page.getByText('Re-exploration, before the first turn').waitFor()
    await expect.poll(() => page.locator('svg title', { hasText: /was (moved|turned)/ }).count()).toBe(4)
  })

  it('draws curves over turns and lists questions with answers and ground truth', async () => {
    const { page, problems } = await viewer.open(`#/runs/${viewer.runs[0]!}/0/1`)
    await page.getByRole('radio', { name: 'Curves' }).click()
    await page.getByRole('img', { name: /Information gain by turn: information ends at \d+%/ }).waitFor()
    await page.getByRole('img', { name: /Global map by turn/ }).waitFor()
    await page.getByRole('radio', { name: 'Questions' }).click()
    const row = page.getByRole('row', { name: /describe where/ }).first()
    await expect.poll(() => row.getByRole('cell').count()).toBe(4)
    await row.getByRole('button').click()
    await expect.poll(() => slider(page).getAttribute('aria-valuetext')).toContain('question dir')
    expect(problems()).toEqual(NO_PROBLEMS)
  })

  it('shows the image of the turn next to the floor plan', async () => {
    const { page, problems } = await viewer.open(await momentOf(viewer, 1, 'space/picture'))
    const image = page.getByAltText('The player’s view in this turn')
    await expect.poll(() => image.evaluate((element: HTMLImageElement) => element.naturalWidth)).toBeGreaterThan(0)
    expect(problems()).toEqual(NO_PROBLEMS)
  })
})

describeInBrowser('vsi', () => {
  const source = ['--source', 'builtin:scenes=1,look=plain']
  const viewer = useViewer([
    [
      'run',
      'vsi/explore',
      '-m',
      'baseline/eye',
      '-l',
      '1',
      '-T',
      'steps=4',
      '-T',
      'types=object_abs_distance',
      '-T',
      'unanswerable=ask',
      ...source,
    ],
    ['run', 'vsi/video', '-m', 'baseline/oracle', '-l', '1', '-T', 'frames=60', '-T', 'map=true', ...source],
    ['run', 'vsi/blind', '-m', 'baseline/blind', '-l', '1', ...source],
  ])

  // Without a GPU, rendering an image takes a second or more.
  it('shows the room in 3D with the path, and in first person', { timeout: 180_000 }, async () => {
    const { page, problems } = await viewer.open(await momentOf(viewer, 0, 'vsi/view', { index: 0 }))
    await page.getByText('ground truth', { exact: true }).first().waitFor()
    const stage = page.locator('canvas')
    const room = await settledScreenshot(stage, 10)
    await page.getByRole('radio', { name: 'First person' }).click()
    await expect.poll(async () => room.equals(await stage.screenshot())).toBe(false)
    await slider(page).focus()
    const before = await settledScreenshot(stage, 5)
    await page.keyboard.press('Shift+ArrowRight')
    await expect.poll(async () => before.equals(await stage.screenshot())).toBe(false)
    expect(problems()).toEqual(NO_PROBLEMS)
  })

  it('shows requested and actual moves, and draws them on the map', async () => {
    const { page } = await viewer.open(`#/runs/${viewer.runs[0]!}/0/1`)
    await page.getByRole('radio', { name: 'Map', exact: true }).click()
    await page.getByText('Image 4 of 4').waitFor()
    const map = page.getByRole('img', { name: /^Top view of the room/ })
    await expect.poll(() => map.getAttribute('aria-label')).toContain('image 4 of 5')
    await page.goto(new URL(await momentOf(viewer, 0, 'vsi/view', { index: 1 }), viewer.address).href)
    await page.getByText('Image 1 of 4').waitFor()
    await expect.poll(() => map.getAttribute('aria-label')).toContain('image 1 of 5')
  })

  it('enlarges an image with its provenance and navigates with arrow keys', async () => {
    const { page, problems } = await viewer.open(`#/runs/${viewer.runs[1]!}/0/1`)
    const strip = page.getByRole('list', { name: 'Images in order' })
    await strip.locator('[aria-current] button').click()
    const large = page.getByRole('dialog')
    await large.getByText('Provenance').waitFor()
    const frame = large.getByRole('term').filter({ hasText: /^frame$/ })
    await expect.poll(() => frame.count()).toBe(1)
    const title = large.getByRole('heading', { level: 2 })
    const last = await title.textContent()
    await page.keyboard.press('ArrowLeft')
    await expect.poll(() => title.textContent()).not.toBe(last)
    await page.keyboard.press('Escape')
    await large.waitFor({ state: 'detached' })
    expect(problems()).toEqual(NO_PROBLEMS)
  })

  it('shows the map and a message when WebGL is not available', async () => {
    const page = await (await viewer.browser.newContext()).newPage()
    await page.addInitScript({
      content: `const original = HTMLCanvasElement.prototype.getContext
        HTMLCanvasElement.prototype.getContext = function (kind, ...rest) {
          return kind.startsWith('webgl') ? null : original.call(this, kind, ...rest)
        }`,
    })
    await page.goto(`${viewer.link}#/runs/${viewer.runs[0]!}/0/1`)
    await page.getByText('Cannot show 3D').waitFor()
    await page.getByRole('img', { name: /^Top view of the room/ }).waitFor()
  })

  it('puts frames on the video’s time axis, and the predicted map over the true one', async () => {
    const { page, problems } = await viewer.open(`#/runs/${viewer.runs[1]!}/0/1`)
    const axis = page.getByRole('list', { name: 'Frames on the time axis' })
    await axis.waitFor()
    await expect.poll(() => axis.getByRole('button').count()).toBe(60)
    await axis.getByRole('button').first().click()
    await page.getByText(/^frame 0 of \d+ · 0\.0 s of /).waitFor()
    const images = page.getByRole('list', { name: 'Images in order' }).locator('li')
    await expect.poll(() => images.count()).toBe(60)
    await page.getByRole('radio', { name: 'Predicted map' }).click()
    await page.getByRole('img', { name: /^10 by 10 map/ }).waitFor()
    expect(problems()).toEqual(NO_PROBLEMS)
  })

  it('shows only the question when there are no images, also on a phone', async () => {
    const { page, problems } = await viewer.open(`#/runs/${viewer.runs[2]!}/0/1`, { viewport: PHONE })
    await page.getByText('the question is answered from text alone').waitFor()
    expect(await page.getByRole('tab', { name: 'Images' }).count()).toBe(0)
    expect(problems()).toEqual(NO_PROBLEMS)
  })
})
