/** Replies and datasets are hostile text: nothing in them may run, leak or hang the page. */
import { createServer } from 'node:http'
import type { Page } from 'playwright-core'
import { expect, it } from 'vitest'
import { exampleHeader, exampleLine } from '../support/store.ts'
import { Store } from '../../src/store/store.ts'
import { describeInBrowser, type OpenedPage, useViewer } from './browser.ts'

/** Executed code sets a global and requests a closed port. */
const ELSEWHERE = 'http://127.0.0.1:9/leak'
const MARK = `globalThis.ran=1;fetch('${ELSEWHERE}')`
const HOSTILE = [
  `<script>${MARK}</script>`,
  `<img src=x onerror="${MARK}"><img src="${ELSEWHERE}">`,
  `<svg onload="${MARK}"><script>${MARK}</script><image href="${ELSEWHERE}"/></svg>`,
  `<iframe srcdoc="<script>parent.ran=1</script>"></iframe><object data="${ELSEWHERE}"></object>`,
  `<style>@import '${ELSEWHERE}'; * { background: url(${ELSEWHERE}) }</style><link rel=stylesheet href=${ELSEWHERE}>`,
  `[a link](javascript:${MARK}) ![a picture](${ELSEWHERE}) <a href="javascript:${MARK}">x</a> ${ELSEWHERE}`,
  `<meta http-equiv=refresh content="0;url=${ELSEWHERE}"><base href="${ELSEWHERE}"><form action="${ELSEWHERE}">`,
  '\u001b]8;;http://127.0.0.1:9/leak\u0007link\u001b]8;;\u0007\u001b[2J\u001b[31mred\u0000\u202eright to left',
  '{{constructor.constructor("globalThis.ran=1")()}} ${globalThis.ran=1} __proto__ toString',
  '</textarea></title></noscript><plaintext>',
]
const ALL = HOSTILE.join('\n')
const LONG = `${ALL}\n${'<b onclick=1>very long </b>'.repeat(200_000)}`
/** Text without line breaks, and text with many. */
const NO_BREAKS = 'W'.repeat(5_000_000)
const MANY_LINES = 'a\n'.repeat(2_500_000)

const UNKNOWN = 'none/such'
const PROFILES: Readonly<Record<string, string>> = {
  'space/text': 'fixed',
  'space/vision': 'fixed',
  'vsi/explore': 'official',
  'vsi/video': 'official',
  vsig: 'seed',
  'articulate/build': 'fixed',
  vbench: 'published',
}
const SUITES = [...Object.keys(PROFILES), UNKNOWN]
const WORDS = [ALL, LONG, NO_BREAKS, MANY_LINES]

const SVG = `<svg xmlns="http://www.w3.org/2000/svg" xmlns:xlink="http://www.w3.org/1999/xlink" width="90" height="90" onload="${MARK}">
  <script>${MARK}</script><image href="${ELSEWHERE}" width="9" height="9"/><style>@import url(${ELSEWHERE});</style>
  <foreignObject width="90" height="90"><iframe xmlns="http://www.w3.org/1999/xhtml" src="${ELSEWHERE}"/></foreignObject>
  <rect width="90" height="90" fill="green"/></svg>`
const PAGE = `<!doctype html><script>${MARK}</script><img src="${ELSEWHERE}">`

/** Episodes with hostile text in every string and nonsense in the suites' own events. */
async function writeHostileRuns(dir: string): Promise<void> {
  const store = await Store.open(dir)
  const svg = await store.media.keep(Buffer.from(SVG), 'image/svg+xml')
  const page = await store.media.keep(Buffer.from(PAGE), 'image/png')
  for (const suite of SUITES) {
    const writer = await store.createRun(
      exampleHeader({
        id: idOf(suite),
        suite,
        // A valid profile, to also render the table with hostile labels.
        profile: PROFILES[suite] ?? ALL,
        source: ALL,
        models: { player: ALL, judge: ALL },
        options: { text: ALL },
        modelOptions: { [ALL]: ALL },
        planned: WORDS.length,
      }),
    )
    for (const [index, words] of WORDS.entries()) {
      const events = [
        {
          type: 'message',
          id: 0,
          role: 'user',
          content: [
            { type: 'text', text: ALL },
            { type: 'media', media: svg },
            { type: 'media', media: page },
          ],
        },
        { ...svg, type: 'media', mediaType: 'image/svg+xml', provenance: { made: ALL } },
        { type: 'ask', ordinal: 0, role: 'player', purpose: ALL, messages: [0], sampling: {} },
        {
          type: 'reply',
          ordinal: 0,
          role: 'player',
          text: words,
          reasoning: ALL,
          finish: 'stop',
          usage: {},
          ms: 1,
          cached: false,
        },
        ...nonsense(suite, svg.sha256, page.sha256),
        {
          type: 'outcome',
          status: 'parse_failed',
          outcome: { answer: words.slice(0, 1000), [ALL]: ALL },
          problem: ALL,
        },
      ]
      await writer.append(
        {
          ...exampleLine(index),
          sample: `${index} ${ALL}`,
          cluster: ALL,
          labels: { type: ALL, [ALL]: 'x' },
          scores: { [ALL]: 0.5, __proto__x: 1 },
          status: 'parse_failed',
          error: ALL,
        },
        events.map((event) => JSON.stringify(event)),
      )
    }
    await writer.setStatus({ state: 'interrupted', reason: ALL })
    await writer.close()
  }
}

/** Events with the suites' event names and arbitrary content. */
function nonsense(suite: string, svg: string, page: string): Record<string, unknown>[] {
  const [family] = suite.split('/')
  const junk = [
    ALL,
    1e308,
    -1,
    null,
    { a: ALL },
    [ALL],
    { sha256: svg, type: 'image/svg+xml' },
    { sha256: page },
    { sha256: `../${svg}` },
  ]
  const names = [
    'view',
    'step',
    'move',
    'map',
    'belief',
    'scene',
    'question',
    'truth',
    'verdict',
    'frame',
    'clip',
    'answer',
    'state',
    'video',
  ]
  return names.flatMap((name) =>
    ['', `${family}/`, `${suite}/`].map((prefix, i) => ({
      type: `${prefix}${name}`,
      value: junk[i % junk.length],
      pose: [ALL, Number.MAX_VALUE],
      picture: junk[(i + 6) % junk.length],
      map: { svg, objects: { [ALL]: [ALL] } },
      grid: ALL,
      objects: [ALL, { name: ALL, position: [1e308, ALL] }],
      text: ALL,
    })),
  )
}

function idOf(suite: string): string {
  return `hostile-${suite.replace('/', '-')}`
}

async function expectHarmless({ page, problems }: OpenedPage): Promise<void> {
  expect(await page.evaluate(() => 'ran' in globalThis)).toBe(false)
  // Requests to other origins; requests blocked by the policy appear as console errors.
  expect(problems().foreign).toEqual([])
  expect(problems().errors).toEqual([])
}

/** Checks that the page still responds. */
async function expectResponsive(page: Page): Promise<void> {
  await page.keyboard.press('ArrowRight')
  await page.keyboard.press('End')
  await page.keyboard.press('Home')
  expect(await page.evaluate(() => new Promise((done) => requestAnimationFrame(() => done('drawn'))))).toBe('drawn')
  expect(await page.evaluate(() => document.querySelectorAll('*').length)).toBeLessThan(20_000)
}

describeInBrowser('hostile text', () => {
  const viewer = useViewer([], writeHostileRuns)

  it('is harmless on the leaderboard', async () => {
    const opened = await viewer.open('#/')
    await opened.page.getByText('<script>').first().waitFor()
    await expectHarmless(opened)
  })

  it.each(['', '?view=episodes', '?view=settings'])('is harmless on the run page: %s', async (view) => {
    for (const suite of ['space/text', UNKNOWN]) {
      const opened = await viewer.open(`#/runs/${idOf(suite)}${view}`)
      await opened.page.getByText('<script>').first().waitFor()
      await expectHarmless(opened)
    }
  })

  it.each(SUITES)('is harmless in an episode of %s', async (suite) => {
    const opened = await viewer.open(`#/runs/${idOf(suite)}/0/1`)
    await opened.page.getByText('<script>').first().waitFor()
    await opened.page.locator('img').first().waitFor()
    await expectResponsive(opened.page)
    await expectHarmless(opened)
  })

  it.each([1, 2, 3])('does not hang the page with five megabytes (%i)', async (index) => {
    for (const suite of ['space/text', UNKNOWN]) {
      const opened = await viewer.open(`#/runs/${idOf(suite)}/${index}/1`)
      await opened.page.getByText('<script>').first().waitFor()
      await expectResponsive(opened.page)
      await expectHarmless(opened)
    }
  })

  it('is harmless in media files opened directly', async () => {
    const asked: string[] = []
    const elsewhere = createServer(({ url = '' }, answer) => {
      asked.push(url)
      answer.end()
    })
    await new Promise<void>((resolve) => elsewhere.listen(0, '127.0.0.1', resolve))
    const at = elsewhere.address()
    const here = (text: string): Buffer =>
      Buffer.from(text.replaceAll(ELSEWHERE, `http://127.0.0.1:${typeof at === 'object' && at ? at.port : 9}/leak`))
    const { media } = await Store.open(viewer.store)
    const svg = await media.keep(here(SVG), 'image/svg+xml')
    const page = await media.keep(here(PAGE), 'image/png')
    for (const [{ sha256 }, type] of [
      [svg, 'image/svg+xml'],
      [page, 'image/png'],
      [page, 'text/html'],
      [page, 'application/xml'],
    ] as const) {
      const tab = await (await viewer.browser.newContext()).newPage()
      await tab.goto(viewer.link)
      await tab
        .goto(`${viewer.address}api/media/${sha256}?type=${encodeURIComponent(type)}`)
        .catch((error: unknown) => expect(String(error)).toContain('Download is starting'))
      expect(await tab.evaluate(() => 'ran' in globalThis)).toBe(false)
    }
    expect(asked).toEqual([])
    elsewhere.closeAllConnections()
    elsewhere.close()
  })
})
