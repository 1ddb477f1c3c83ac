import { expect, it } from 'vitest'
import { CLEAN, describeInBrowser, useViewer } from './browser.ts'

describeInBrowser('sightline view', () => {
  const viewer = useViewer([['run', 'space/text', '-m', 'baseline/oracle', '-l', '2', '-T', 'tasks=dir']])

  it('opens a page that shows the run, with nothing to complain about', async () => {
    const { page, seen } = await viewer.open('')
    await page.getByText('oracle').first().waitFor()
    expect(seen()).toEqual(CLEAN)
  })
})
