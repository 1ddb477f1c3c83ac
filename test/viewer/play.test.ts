/** Human play in the browser, which produces a normal run. */
import { readdir } from 'node:fs/promises'
import { join } from 'node:path'
import { expect, it } from 'vitest'
import { NO_PROBLEMS, describeInBrowser, type OpenedPage, PHONE, useViewer } from './browser.ts'

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
    await page.getByLabel('Answer', { exact: true }).fill('2')
    await page.getByRole('button', { name: 'Answer', exact: true }).click()
    await page.getByText('1 sample played').waitFor()
    await page.getByRole('link', { name: 'Open run' }).click()
    await page.getByText('human/ada').first().waitFor()
    expect(problems()).toEqual(NO_PROBLEMS)
  })

  it('points at the last frame of a clip, on a phone', async () => {
    const { page, problems } = await start('vsig', { viewport: PHONE })
    expect(await page.getByRole('region', { name: 'Question' }).textContent()).not.toMatch(/\p{Script=Han}/u)
    await page.getByAltText('Last frame', { exact: true }).click({ position: { x: 120, y: 80 } })
    await page.getByLabel('Description of point 1').fill('a cup')
    await page.getByLabel('The full request in one sentence').fill('pick up the cup')
    await page.getByRole('button', { name: 'Answer', exact: true }).click()
    await page.getByText('1 sample played').waitFor()
    expect(problems()).toEqual(NO_PROBLEMS)
    const runs = await readdir(join(viewer.store, 'runs'))
    expect(runs.filter((run) => run.includes('_vsig_ada_'))).toHaveLength(1)
  })
})
