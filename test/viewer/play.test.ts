/** A person plays in the browser; what comes of it is a run like any other. */
import { readdir } from 'node:fs/promises'
import { join } from 'node:path'
import { expect, it } from 'vitest'
import { CLEAN, describeInBrowser, type OpenedPage, PHONE, useViewer } from './browser.ts'

describeInBrowser('playing as a person', () => {
  const viewer = useViewer([
    ['run', 'space/text', '-m', 'baseline/oracle', '-l', '1', '-T', 'questions=1', '-T', 'tasks=dir'],
  ])

  async function start(suite: string, options: Parameters<typeof viewer.open>[1] = {}): Promise<OpenedPage> {
    const opened = await viewer.open('#/play', options)
    const { page } = opened
    await page.getByLabel(suite).check()
    await page.getByLabel('Your name').fill('ada')
    await page.getByLabel('How many').fill('1')
    await page.getByRole('button', { name: 'Play', exact: true }).click()
    await page.getByRole('region', { name: 'What is asked' }).waitFor()
    return opened
  }

  it('explores a grid with keys, stops, goes on where it was, and ends', async () => {
    const { page, seen } = await start('space/text')
    await page.keyboard.press('ArrowRight')
    await page.getByText('Rotate(90)', { exact: true }).waitFor()
    await page.keyboard.press('o')
    await page.getByText('19 exploration steps left').waitFor()

    await page.getByRole('button', { name: 'Stop for now' }).click()
    await page.getByRole('link', { name: 'Play again' }).click()
    await page.getByRole('button', { name: 'Continue' }).click()
    await page.getByText('19 exploration steps left').waitFor()

    await page.getByRole('button', { name: 'End exploration' }).click()
    await page.getByRole('button', { name: 'Answer', exact: true }).waitFor()
    expect(seen()).toEqual(CLEAN)
    await page.getByRole('button', { name: 'Stop for now' }).click()
    await page.getByRole('link', { name: 'See the run' }).click()
    await page.getByText('human/ada').first().waitFor()
  })

  it('walks through a room and answers', async () => {
    const { page, seen } = await start('vsi/explore')
    await page.getByRole('button', { name: 'Start at 90°' }).click()
    await page.getByAltText('Image 0 (Initial view)').first().waitFor()
    await page.keyboard.press('ArrowLeft')
    await page.getByAltText('Image 1 (After movement 1)').first().waitFor()
    await page.getByLabel('Answer', { exact: true }).fill('2')
    await page.getByRole('button', { name: 'Answer', exact: true }).click()
    await page.getByText('All 1 played').waitFor()
    await page.getByRole('link', { name: 'See the run' }).click()
    await page.getByText('human/ada').first().waitFor()
    expect(seen()).toEqual(CLEAN)
  })

  it('points into the last frame of a clip, on a phone', async () => {
    const { page, seen } = await start('vsig', { viewport: PHONE })
    expect(await page.getByRole('region', { name: 'What is asked' }).textContent()).not.toMatch(/\p{Script=Han}/u)
    await page.getByAltText('Last frame', { exact: true }).click({ position: { x: 120, y: 80 } })
    await page.getByLabel('Description of point 1').fill('a cup')
    await page.getByLabel('The whole request in one sentence').fill('pick up the cup')
    await page.getByRole('button', { name: 'Answer', exact: true }).click()
    await page.getByText('All 1 played').waitFor()
    expect(seen()).toEqual(CLEAN)
    const runs = await readdir(join(viewer.store, 'runs'))
    expect(runs.filter((run) => run.includes('_vsig_ada_'))).toHaveLength(1)
  })
})
