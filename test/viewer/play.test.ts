/** Human play in the browser, which produces a normal run. */
import { readdir } from 'node:fs/promises'
import { join } from 'node:path'
import type { Locator } from 'playwright-core'
import { expect, it } from 'vitest'
import { DESKTOP, NO_PROBLEMS, describeInBrowser, type OpenedPage, PHONE, useViewer } from './browser.ts'

/** A click is exact to the pixel: in thousandths of the small frame, which is 300 pixels wide. */
const PIXEL = 1000 / 150

async function partOf(box: Locator, x: number, y: number): Promise<{ x: number; y: number }> {
  const { width, height } = (await box.boundingBox())!
  return { x: x * width, y: y * height }
}

describeInBrowser('human play', () => {
  const viewer = useViewer([
    ['run', 'space/text', '-m', 'baseline/oracle', '-l', '1', '-T', 'questions=1', '-T', 'tasks=dir'],
  ])

  async function start(suite: string, options: Parameters<typeof viewer.open>[1] = {}): Promise<OpenedPage> {
    const opened = await viewer.open('#/play', options)
    const { page } = opened
    await page.getByLabel(suite).check()
    await page.getByLabel('Your name').fill('ada')
    await page.getByLabel('Samples').fill('1')
    await page.getByRole('button', { name: 'Play', exact: true }).click()
    await page.getByRole('region', { name: 'Question' }).waitFor()
    return opened
  }

  it('explores a grid with keys, pauses, resumes and finishes', async () => {
    const { page, problems } = await start('space/text')
    await page.keyboard.press('ArrowRight')
    await page.getByText('Rotate(90)', { exact: true }).waitFor()
    await page.keyboard.press('o')
    await page.getByText('19 exploration steps left').waitFor()

    await page.getByRole('button', { name: 'Pause' }).click()
    await page.getByRole('link', { name: 'Back to Play' }).click()
    await page.getByRole('button', { name: 'Resume' }).click()
    await page.getByText('19 exploration steps left').waitFor()

    await page.getByRole('button', { name: 'End exploration' }).click()
    await page.getByRole('button', { name: 'Answer', exact: true }).waitFor()
    expect(problems()).toEqual(NO_PROBLEMS)
    await page.getByRole('button', { name: 'Pause' }).click()
    await page.getByRole('link', { name: 'Open run' }).click()
    await page.getByText('human/ada').first().waitFor()
  })

  it('moves through a room and answers', async () => {
    const { page, problems } = await start('vsi/explore')
    await page.getByRole('button', { name: 'Start at 90°' }).click()
    await page.getByAltText('Image 0 (Initial view)').first().waitFor()
    await page.keyboard.press('ArrowLeft')
    await page.getByAltText('Image 1 (After movement 1)').first().waitFor()
    const answer = page.getByRole('region', { name: 'Answer and finish' })
    const number = answer.getByLabel('Answer', { exact: true })
    // The question has a number or options, as it is drawn.
    if ((await number.count()) > 0) {
      await number.fill('2')
      await number.press('Enter')
    } else {
      await answer.getByRole('button').first().click()
    }
    await page.getByText('1 sample played').waitFor()
    await page.getByRole('link', { name: 'Open run' }).click()
    await page.getByText('human/ada').first().waitFor()
    expect(problems()).toEqual(NO_PROBLEMS)
  })

  it('points at the last frame of a clip: large, small, by touch and with keys', async () => {
    const { page, problems } = await start('vsig', { viewport: PHONE, deviceScaleFactor: 2.5, hasTouch: true })
    const question = page.getByRole('region', { name: 'Question' })
    expect(await question.textContent()).not.toMatch(/\p{Script=Han}/u)
    const large = question.getByRole('button', { name: 'click the targets' })
    const small = page.getByRole('region', { name: 'Click the targets' }).getByAltText('Last frame')
    await large.click({ position: await partOf(large, 0.25, 0.75) })
    await page.setViewportSize(DESKTOP)
    await large.tap({ position: await partOf(large, 0.9, 0.1) })
    await small.click({ position: await partOf(small, 0.5, 0.2) })
    await large.focus()
    await page.keyboard.press('ArrowRight')
    await page.keyboard.press('Shift+ArrowUp')
    await page.keyboard.press('Enter')
    await page.getByLabel('Description of point 1').fill('a cup')
    const sent = page.waitForRequest(/reply$/)
    await page.getByLabel('The full request in one sentence').fill('pick up the cup')
    await page.getByRole('button', { name: 'Answer', exact: true }).click()
    const { text } = (await sent).postDataJSON() as { text: string }
    const { point_list: points } = JSON.parse(text) as { point_list: { point: [number, number] }[] }
    const wanted = [
      [250, 750],
      [900, 100],
      [500, 200],
      [525, 495],
    ]
    expect(points).toHaveLength(wanted.length)
    for (const [i, { point }] of points.entries()) {
      for (const axis of [0, 1]) expect(Math.abs(point[axis]! - wanted[i]![axis]!)).toBeLessThanOrEqual(PIXEL)
    }
    await page.getByText('1 sample played').waitFor()
    expect(problems()).toEqual(NO_PROBLEMS)
    const runs = await readdir(join(viewer.store, 'runs'))
    expect(runs.filter((run) => run.includes('_vsig_ada_'))).toHaveLength(1)
  })
})
