/** Episode panels of articulate, vsig and vbench. */
import { expect, it } from 'vitest'
import { NO_PROBLEMS, describeInBrowser, settledScreenshot, expectNoOverflow, PHONE, useViewer } from './browser.ts'

describeInBrowser('articulate', () => {
  const viewer = useViewer([
    ['run', 'articulate/joint', '-m', 'baseline/random', '-l', '1', '-T', 'video=true', '-T', 'size=320x240'],
    ['run', 'articulate/critic', '-m', 'baseline/random', '-l', '1', '-T', 'size=320x240'],
  ])

  it('shows ground truth and prediction in 3D, a slider per joint, and the verdicts', async () => {
    const { page, problems } = await viewer.open(`#/runs/${viewer.runs[0]!}/0/1`)
    await page.getByText('ground truth', { exact: true }).first().waitFor()
    await page.getByText('prediction', { exact: true }).first().waitFor()
    const stage = page.locator('canvas').first()
    const joint = page.getByRole('region', { name: 'Joints' }).getByRole('slider').first()
    await joint.focus()
    const closed = await settledScreenshot(stage, 5)
    await page.keyboard.press('End')
    await expect.poll(async () => closed.equals(await stage.screenshot())).toBe(false)
    await expect
      .poll(() => joint.getAttribute('aria-valuetext'))
      .toMatch(/(turns|slides|fixed).* ground truth, .*predicted/)
    const verdicts = page.getByRole('region', { name: 'Answers and verdicts' })
    await verdicts.getByText(/of \d+ joints/).waitFor()
    await verdicts.getByText(/Stopped: /).waitFor()
    await page.getByLabel(/^truth of/).waitFor()
    expect(problems()).toEqual(NO_PROBLEMS)
  })

  it('fits both robots on a phone screen', async () => {
    const { page, problems } = await viewer.open(`#/runs/${viewer.runs[0]!}/0/1`, { viewport: PHONE })
    const stage = page.locator('canvas').first()
    await settledScreenshot(stage, 5)
    for (const name of ['ground truth', 'prediction']) {
      const label = page.getByText(name, { exact: true }).first()
      await expect
        .poll(async () => {
          const [inner, outer] = [await label.boundingBox(), await stage.boundingBox()]
          return inner && outer && inner.x >= outer.x && inner.x + inner.width <= outer.x + outer.width
        })
        .toBe(true)
    }
    await expectNoOverflow(page)
    expect(problems()).toEqual(NO_PROBLEMS)
  })

  it('shows the injected fault and the critic’s verdict', async () => {
    const { page, problems } = await viewer.open(`#/runs/${viewer.runs[1]!}/0/1`)
    const graded = page.getByRole('region', { name: 'Critic grading' })
    await graded.getByText('injected fault').waitFor()
    await graded.getByText(/ critic$/).waitFor()
    expect(problems()).toEqual(NO_PROBLEMS)
  })
})

describeInBrowser('vsig', () => {
  const viewer = useViewer([
    ['run', 'vsig', '-m', 'baseline/oracle', '-l', '2', '--source', 'builtin:clips=4,language=en'],
    ['run', 'vsig', '-m', 'baseline/centre', '-l', '2', '--source', 'builtin:clips=4,language=en'],
    [
      'run',
      'vsig',
      '-m',
      'baseline/centre',
      '-l',
      '6',
      '-T',
      'frames=1',
      '-T',
      'unanswerable=ask',
      '--source',
      'builtin:seed=2,clips=6,language=en',
    ],
  ])

  it('marks ground truth and answer in the last frame, and describes hits and misses', async () => {
    for (const [run, verdict] of [
      [0, 'hit'],
      [1, 'missed'],
    ] as const) {
      const { page, problems } = await viewer.open(`#/runs/${viewer.runs[run]!}/0/1`)
      const frame = page.getByRole('img', { name: /^Last frame with ground truth and answer/ })
      await frame.waitFor()
      await expect.poll(() => frame.getAttribute('aria-label')).toContain(verdict)
      await page.getByRole('region', { name: 'Words, ground-truth windows and predicted times' }).waitFor()
      expect(problems()).toEqual(NO_PROBLEMS)
    }
  })

  it('shows earlier frames without marks, also on a phone', async () => {
    const { page, problems } = await viewer.open(`#/runs/${viewer.runs[0]!}/0/1?at=2`, { viewport: PHONE })
    await page.getByAltText('Frame of the clip').waitFor()
    expect(await page.getByRole('img', { name: /^Last frame with/ }).count()).toBe(0)
    await expectNoOverflow(page)
    expect(problems()).toEqual(NO_PROBLEMS)
  })

  it('shows spoken words untruncated on a phone', async () => {
    const spoken = []
    // One clip per template; some have no speech.
    for (const clip of [0, 1, 2, 3, 4, 5]) {
      const { page } = await viewer.open(`#/runs/${viewer.runs[2]!}/${clip}/1`, { viewport: PHONE })
      const axis = page.getByRole('region', { name: 'Words, ground-truth windows and predicted times' })
      await axis.waitFor()
      const words = await axis.evaluate((region) => {
        const edge = region.getBoundingClientRect().right
        return [...region.querySelectorAll('span')]
          .filter(({ title }) => / to \d+ ms$/.test(title) && !/^(ground truth|predicted): /.test(title))
          .map((word) => {
            const range = document.createRange()
            range.selectNodeContents(word)
            const { left, right, top } = range.getBoundingClientRect()
            const isCut = getComputedStyle(word).overflowX !== 'visible' && right > word.getBoundingClientRect().right
            return { text: word.textContent, left, right, top, isCut: isCut || right > edge }
          })
      })
      spoken.push(...words.map(({ text }) => text))
      expect(words.filter(({ isCut }) => isCut)).toEqual([])
      const isCovered = (one: (typeof words)[number]): boolean =>
        words.some((other) => other.top === one.top && other.left > one.left && other.left < one.right)
      expect(words.filter(isCovered)).toEqual([])
    }
    expect(spoken).toContain('this')
  })
})

describeInBrowser('vbench', () => {
  const viewer = useViewer([
    ['run', 'vbench', '-m', 'baseline/films', '-T', 'dimension=dynamic_degree', '-T', 'samples=3'],
  ])

  it('shows a video with scores, frames, motion and the other videos of its prompt', async () => {
    const { page, problems } = await viewer.open(`#/runs/${viewer.runs[0]!}/0/1`)
    const scores = page.getByRole('region', { name: 'Scores by dimension' })
    await scores.getByRole('row', { name: /dynamic degree .* proxy/ }).waitFor()
    for (const name of ['Frames over time', /^Motion/]) {
      await expect
        .poll(() => page.getByAltText(name).evaluate((image: HTMLImageElement) => image.naturalWidth))
        .toBeGreaterThan(0)
    }
    const others = page.getByRole('region', { name: 'All videos of this prompt' }).getByRole('link')
    await expect.poll(() => others.count()).toBe(3)
    await others.nth(1).click()
    await expect.poll(() => page.url()).toMatch(/\/[1-9]\d*\/1$/)
    expect(problems()).toEqual(NO_PROBLEMS)
  })
})
