/** What the suites about things, hands and films add to the page of an episode. */
import { expect, it } from 'vitest'
import { CLEAN, describeInBrowser, drawn, fitsTheScreen, PHONE, useViewer } from './browser.ts'

describeInBrowser('articulate', () => {
  const viewer = useViewer([
    ['run', 'articulate/joint', '-m', 'baseline/random', '-l', '1', '-T', 'video=true', '-T', 'size=320x240'],
    ['run', 'articulate/critic', '-m', 'baseline/random', '-l', '1', '-T', 'size=320x240'],
  ])

  it('shows truth and prediction in 3D, each joint on a slider, and what was said of the answer', async () => {
    const { page, seen } = await viewer.open(`#/runs/${viewer.runs[0]!}/0/1`)
    await page.getByText('truth', { exact: true }).first().waitFor()
    await page.getByText('prediction', { exact: true }).first().waitFor()
    const stage = page.locator('canvas').first()
    const joint = page.getByRole('region', { name: 'Joints' }).getByRole('slider').first()
    await joint.focus()
    const closed = await drawn(stage, 5)
    await page.keyboard.press('End')
    await expect.poll(async () => closed.equals(await stage.screenshot())).toBe(false)
    await expect.poll(() => joint.getAttribute('aria-valuetext')).toMatch(/(turns|slides|fixed).* true, .*predicted/)
    const verdicts = page.getByRole('region', { name: 'Answers and verdicts' })
    await verdicts.getByText(/of \d+ joints/).waitFor()
    await verdicts.getByText(/The loop ended/).waitFor()
    await page.getByLabel(/^truth of/).waitFor()
    expect(seen()).toEqual(CLEAN)
  })

  it('shows both of them whole on a phone', async () => {
    const { page, seen } = await viewer.open(`#/runs/${viewer.runs[0]!}/0/1`, { viewport: PHONE })
    const stage = page.locator('canvas').first()
    await drawn(stage, 5)
    for (const name of ['truth', 'prediction']) {
      const label = page.getByText(name, { exact: true }).first()
      await expect
        .poll(async () => {
          const [inner, outer] = [await label.boundingBox(), await stage.boundingBox()]
          return inner && outer && inner.x >= outer.x && inner.x + inner.width <= outer.x + outer.width
        })
        .toBe(true)
    }
    await fitsTheScreen(page)
    expect(seen()).toEqual(CLEAN)
  })

  it('grades a critic: the fault that was put in, and what was said of it', async () => {
    const { page, seen } = await viewer.open(`#/runs/${viewer.runs[1]!}/0/1`)
    const graded = page.getByRole('region', { name: 'The critic, graded' })
    await graded.getByText('fault put in').waitFor()
    await graded.getByText(/ said$/).waitFor()
    expect(seen()).toEqual(CLEAN)
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
      '--source',
      'builtin:seed=2,clips=6,language=en',
    ],
  ])

  it('marks what was meant and what was answered in the last frame, and hits and misses in words', async () => {
    for (const [run, verdict] of [
      [0, 'hit'],
      [1, 'missed'],
    ] as const) {
      const { page, seen } = await viewer.open(`#/runs/${viewer.runs[run]!}/0/1`)
      const frame = page.getByRole('img', { name: /^Last frame with what was meant and answered/ })
      await frame.waitFor()
      await expect.poll(() => frame.getAttribute('aria-label')).toContain(verdict)
      await page.getByRole('region', { name: 'Words, true windows and answered moments' }).waitFor()
      expect(seen()).toEqual(CLEAN)
    }
  })

  it('shows earlier frames without marks, on a phone too', async () => {
    const { page, seen } = await viewer.open(`#/runs/${viewer.runs[0]!}/0/1?at=2`, { viewport: PHONE })
    await page.getByAltText('Frame of the clip').waitFor()
    expect(await page.getByRole('img', { name: /^Last frame with/ }).count()).toBe(0)
    await fitsTheScreen(page)
    expect(seen()).toEqual(CLEAN)
  })

  it('shows every spoken word whole on a phone', async () => {
    const said = []
    // One clip of each template; in some of them nothing is said.
    for (const clip of [0, 1, 2, 3, 4, 5]) {
      const { page } = await viewer.open(`#/runs/${viewer.runs[2]!}/${clip}/1`, { viewport: PHONE })
      const axis = page.getByRole('region', { name: 'Words, true windows and answered moments' })
      await axis.waitFor()
      const words = await axis.evaluate((region) => {
        const edge = region.getBoundingClientRect().right
        return [...region.querySelectorAll('span')]
          .filter(({ title }) => / to \d+ ms$/.test(title) && !/^(true|answered): /.test(title))
          .map((word) => {
            const range = document.createRange()
            range.selectNodeContents(word)
            const { left, right, top } = range.getBoundingClientRect()
            const isCut = getComputedStyle(word).overflowX !== 'visible' && right > word.getBoundingClientRect().right
            return { text: word.textContent, left, right, top, isCut: isCut || right > edge }
          })
      })
      said.push(...words.map(({ text }) => text))
      expect(words.filter(({ isCut }) => isCut)).toEqual([])
      const isCovered = (one: (typeof words)[number]): boolean =>
        words.some((other) => other.top === one.top && other.left > one.left && other.left < one.right)
      expect(words.filter(isCovered)).toEqual([])
    }
    expect(said).toContain('this')
  })
})

describeInBrowser('vbench', () => {
  const viewer = useViewer([
    ['run', 'vbench', '-m', 'baseline/procedural', '-l', '3', '-T', 'dimension=dynamic_degree', '-T', 'samples=3'],
  ])

  it('shows a video with its scores, frames and motion, among all videos of its prompt', async () => {
    const { page, seen } = await viewer.open(`#/runs/${viewer.runs[0]!}/0/1`)
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
    await expect.poll(() => page.url()).toMatch(/\/1\/1$/)
    expect(seen()).toEqual(CLEAN)
  })
})
