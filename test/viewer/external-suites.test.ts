/** External suites get the same viewer features as built-in ones: episodes, panels, play and export. */
import { cpSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { readdir, readFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { fileURLToPath, pathToFileURL } from 'node:url'
import { afterAll, expect, it } from 'vitest'
import { sightline } from '../cli/cli.ts'
import { NO_PROBLEMS, describeInBrowser, expectNoOverflow, openPage, PHONE, startViewer, useViewer } from './browser.ts'

/** Keeps the list of known suites out of the home folder. */
const folder = mkdtempSync(join(tmpdir(), 'sightline-guests-'))
process.env['XDG_STATE_HOME'] = folder
for (const name of ['walks.ts', 'walks-panel.js']) {
  cpSync(fileURLToPath(new URL(`../../examples/${name}`, import.meta.url)), join(folder, name))
}
afterAll(() => rmSync(folder, { recursive: true, force: true }))

/** One triangle. */
const corners = new Uint8Array(new Float32Array([0, 0, 0, 1, 0, 0, 0, 1, 0]).buffer)
const gltf = JSON.stringify({
  asset: { version: '2.0' },
  scene: 0,
  scenes: [{ nodes: [0] }],
  nodes: [{ mesh: 0 }],
  meshes: [{ primitives: [{ attributes: { POSITION: 0 } }] }],
  accessors: [{ bufferView: 0, componentType: 5126, count: 3, type: 'VEC3', min: [0, 0, 0], max: [1, 1, 0] }],
  bufferViews: [{ buffer: 0, byteLength: corners.length }],
  buffers: [{ byteLength: corners.length }],
})
const chunk = (type: string, bytes: Uint8Array): Buffer =>
  Buffer.concat(
    [new Uint32Array([bytes.length]), Buffer.from(type), bytes].map((part) =>
      Buffer.from(part.buffer, part.byteOffset, part.byteLength),
    ),
  )
const chunks = [chunk('JSON', Buffer.from(gltf.padEnd(Math.ceil(gltf.length / 4) * 4))), chunk('BIN\0', corners)]
const head = Buffer.from(new Uint32Array([0x46_54_6c_67, 2, 12 + chunks[0]!.length + chunks[1]!.length]).buffer)
writeFileSync(join(folder, 'triangle.glb'), Buffer.concat([head, ...chunks]))

/** A suite with an image, notes, a measure stage and a scene. */
writeFileSync(
  join(folder, 'discs.ts'),
  `import { readFile } from 'node:fs/promises'
import { defineSuite, show, svgToPng, user } from 'sightline/suite'
const draw = (color) => svgToPng('<svg xmlns="http://www.w3.org/2000/svg" width="320" height="200"><circle cx="90" cy="100" r="60" fill="' + color + '"/></svg>')
export default defineSuite({
  name: 'their/discs',
  title: 'Which colour is the disc?',
  version: 1,
  samples: [{ color: 'teal', painter: { name: 'Ada', year: 1843 } }, { color: 'olive', painter: { name: 'Grace', year: 1906 } }],
  async play(sample, episode) {
    const picture = await show(episode, await draw(sample.color))
    episode.note({ type: 'palette', shades: [3, 5, 8], mixed_by: { hand: 'left', swatch: picture } })
    const { text } = await episode.ask('player', [user\`Which colour is the disc in this picture? \${picture} One word, please.\`])
    return { status: 'answered', outcome: { answer: text.trim(), sure: true } }
  },
  measure: {
    options: [],
    open: async () => ({
      all: [{ name: 'wavelength', version: '2' }, { name: 'warmth', version: '1' }],
      wanted: () => [{ name: 'wavelength', version: '2' }, { name: 'warmth', version: '1' }],
      measure: async () => ({ wavelength: { nanometres: 495 }, warmth: 0.25 }),
    }),
  },
  score: (sample, { answer }) => ({ correct: answer === sample.color ? 1 : 0, 'by.letter': 0.5 }),
  metrics: { correct: { title: 'Correct', better: 'higher', unit: 'percent', failed: 'zero' } },
  summary: (means) => ({ headline: 'correct', rows: [{ key: 'correct', title: 'Correct', value: means.mean('correct'), n: means.count('correct'), unit: 'percent', better: 'higher' }] }),
  baselines: { oracle: { title: 'knows', start: (sample) => () => sample.color } },
  viewer: { scene: () => ({ key: 'triangle', glb: () => readFile(new URL('./triangle.glb', import.meta.url)) }) },
})
`,
)

/** Writes a suite with the given panel script. */
function withPanel(name: string, panel: string): void {
  writeFileSync(join(folder, `${name}-panel.js`), panel)
  writeFileSync(
    join(folder, `${name}.ts`),
    `import { defineSuite, user, yesOrNo } from 'sightline/suite'
export default defineSuite({
  name: '${name}',
  version: 1,
  samples: [{ wet: true }],
  ask: () => [user\`Is water wet?\`],
  read: yesOrNo(),
  truth: (sample) => sample.wet,
  viewer: { panel: new URL('./${name}-panel.js', import.meta.url) },
})
`,
  )
}
withPanel('throwing', `export function mount() { throw new Error('no more paint') }`)
withPanel('broken', `export function mount( {`)
withPanel(
  'hostile',
  `export const mount = (element, { events }) => { events.length = 0; element.innerHTML = '<img src=x onerror="globalThis.ran=1">' }`,
)

const oracle = (suite: string, limit = '2'): string[] => [
  'run',
  join(folder, `${suite}.ts`),
  '-m',
  'baseline/oracle',
  '-l',
  limit,
]

describeInBrowser('external suites', () => {
  const names = ['discs', 'walks', 'throwing', 'broken', 'hostile']
  const viewer = useViewer(
    names.map((name) => oracle(name)),
    undefined,
    ['--suite', join(folder, 'discs.ts'), '--suite', join(folder, 'walks.ts')],
  )
  const episodeOf = (name: string, index = 0): string => `#/runs/${viewer.runs[names.indexOf(name)]}/${index}/1`

  it('without a panel show question, image, notes, outcome, scores, measurements and sample', async () => {
    const { page, problems } = await viewer.open(episodeOf('discs'))
    const transcript = page.getByRole('log')
    await transcript.getByText('Which colour is the disc in this picture?').waitFor()
    await transcript.getByText('One word, please.').waitFor()
    await transcript.locator('article img').first().waitFor()
    // Notes are expanded, with images inline.
    await transcript.getByText('3, 5, 8').waitFor()
    await transcript.getByText('mixed by').waitFor()
    await transcript.getByText('Measured: wavelength, warmth').waitFor()
    const details = page.getByRole('region', { name: 'Details' })
    await expect.poll(() => details.getByRole('region', { name: 'Outcome' }).textContent()).toContain('answerteal')
    expect(await details.getByRole('region', { name: 'Scores' }).textContent()).toContain('Correct100.0')
    const measured = await details.getByRole('region', { name: 'Measurements' }).textContent()
    expect(measured).toContain('wavelengthversion 2nanometres495')
    expect(await details.getByRole('region', { name: 'Sample' }).textContent()).toContain('nameAdayear1843')
    await details.getByRole('img', { name: '3D scene' }).locator('canvas').waitFor()
    // Six steps from the image to the end, including the measurements.
    await page.getByText('6 / 6').waitFor()
    await page.keyboard.press('Home')
    await page.getByText('1 / 6').waitFor()
    await expectNoOverflow(page)
    expect(problems()).toEqual(NO_PROBLEMS)
  })

  it('fit a phone screen, transcript first', async () => {
    const { page, problems } = await viewer.open(episodeOf('discs'), { viewport: PHONE, colorScheme: 'dark' })
    await page.getByRole('log').getByText('One word, please.').waitFor()
    await expectNoOverflow(page, 'transcript')
    await page.getByRole('tab', { name: 'Details' }).click()
    await page.getByText('wavelength').waitFor()
    await expectNoOverflow(page, 'details')
    expect(problems()).toEqual(NO_PROBLEMS)
  })

  it('use their custom panel, which follows the timeline', async () => {
    const { page, problems } = await viewer.open(episodeOf('walks'))
    await page.getByRole('img', { name: /^A walk: / }).waitFor()
    await page.getByText(/Back where it started: (true|false)\. Answered: (true|false)\./).waitFor()
    await page.keyboard.press('Home')
    await page.getByText('Answered: ….').waitFor()
    await expectNoOverflow(page)
    expect(problems()).toEqual(NO_PROBLEMS)
  })

  it.each([
    ['throwing', 'no more paint'],
    ['broken', /Unexpected|Invalid/],
  ])('fall back to the default panel with the error when theirs is %s', async (name, reason) => {
    const { page } = await viewer.open(episodeOf(name))
    const alert = page.getByRole('alert')
    await alert.getByText('The suite’s panel failed to load.').waitFor()
    await alert.getByText(reason).waitFor()
    await page.getByRole('region', { name: 'Sample' }).getByText('wet').waitFor()
    await page.getByText('Is water wet?').waitFor()
  })

  it('cannot bypass the content security policy or modify the page’s data', async () => {
    const { page } = await viewer.open(episodeOf('hostile'), { expectedErrors: /Content Security Policy|404/ })
    await page.getByText('Is water wet?').waitFor()
    await page.locator('section[aria-label="Replay"] img').waitFor()
    expect(await page.evaluate(() => 'ran' in globalThis)).toBe(false)
    await page.keyboard.press('Home')
    await page.getByText('Is water wet?').waitFor()
  })

  it('serve only the panel script, and only to the viewer’s page', async () => {
    const at = `api/runs/${viewer.runs[names.indexOf('walks')]}/`
    const answer = await viewer.fetch(`${at}panel`)
    expect([answer.status, answer.headers.get('content-type')]).toEqual([200, 'text/javascript; charset=utf-8'])
    expect(answer.headers.get('content-security-policy')).toContain("script-src 'self';")
    expect(await answer.text()).toBe(await readFile(join(folder, 'walks-panel.js'), 'utf8'))
    for (const path of ['walks.ts', 'panel/../walks.ts', 'panel/walks.ts', '..%2fwalks.ts']) {
      expect((await viewer.fetch(at + path)).status, path).toBe(404)
    }
    const cross = await viewer.fetch(`${at}panel`, { headers: { 'sec-fetch-site': 'cross-site' } })
    expect(cross.status).toBe(403)
    const none = await viewer.fetch(`api/runs/${viewer.runs[names.indexOf('discs')]}/panel`)
    expect([none.status, await none.json()]).toEqual([404, { problem: 'their/discs has no custom panel.' }])
  })

  it('can be played by a human with text replies', async () => {
    const { page, problems } = await viewer.open('#/play', { viewport: PHONE })
    // Known suites show their runs; only suites passed with --suite can be played.
    expect(await page.getByLabel('throwing').count()).toBe(0)
    await page.getByLabel('their/discs').check()
    await page.getByLabel('Your name').fill('ada')
    await page.getByLabel('Samples').fill('2')
    await page.getByRole('button', { name: 'Play', exact: true }).click()
    const question = page.getByRole('region', { name: 'Question' })
    await question.getByText('Which colour is the disc in this picture?').waitFor()
    await question.locator('img').waitFor()
    await expectNoOverflow(page)
    await page.getByLabel('Reply').fill('teal')
    await page.getByRole('button', { name: 'Send' }).click()
    await page.getByText('ada, 2 of 2').waitFor()
    await expect.poll(() => page.getByLabel('Reply').inputValue()).toBe('')
    await page.getByLabel('Reply').fill('olive')
    await page.getByLabel('Reply').press('Control+Enter')
    await page.getByText('2 samples played').waitFor()
    await page.getByRole('link', { name: 'Open run' }).click()
    await page.getByText('100.0').first().waitFor()
    expect(problems()).toEqual(NO_PROBLEMS)
  })

  it('that were run before are found without --suite', async () => {
    const plain = await startViewer(viewer.store)
    try {
      const { page, problems } = await openPage(viewer.browser, plain.link + episodeOf('walks'))
      await page.getByRole('img', { name: /^A walk: / }).waitFor()
      expect(problems()).toEqual(NO_PROBLEMS)
    } finally {
      await plain.stop()
    }
  })

  it('that are unknown on this machine are shown without their code', async () => {
    const state = mkdtempSync(join(tmpdir(), 'sightline-nobody-'))
    const known = process.env['XDG_STATE_HOME']
    process.env['XDG_STATE_HOME'] = state
    const plain = await startViewer(viewer.store)
    process.env['XDG_STATE_HOME'] = known
    try {
      const { page, problems } = await openPage(viewer.browser, plain.link + episodeOf('walks'))
      await page.getByText('You walk one block at a time').waitFor()
      await page.getByRole('region', { name: 'Sample' }).getByText('back').waitFor()
      expect(problems()).toEqual(NO_PROBLEMS)
      const panel = await plain.fetch(`api/runs/${viewer.runs[names.indexOf('walks')]}/panel`)
      expect(panel.status).toBe(404)
    } finally {
      await plain.stop()
      rmSync(state, { recursive: true })
    }
  })

  it('export their panel into a folder that opens from disk', async () => {
    const share = async (name: string): Promise<string> => {
      const run = viewer.runs[names.indexOf(name)]!
      const { code, stderr } = await sightline(['export', run, '--html', '-o', name, '--log-dir', viewer.store], {
        cwd: viewer.store,
      })
      expect(code, stderr).toBe(0)
      return join(viewer.store, name)
    }
    const walks = await share('walks')
    const { page, problems } = await openPage(
      viewer.browser,
      pathToFileURL(join(walks, 'index.html')).href + episodeOf('walks'),
    )
    await page.getByRole('img', { name: /^A walk: / }).waitFor()
    expect(problems().errors).toEqual([])
    const discs = await share('discs')
    expect(await readdir(join(discs, 'data'))).not.toContain('panel.js')
    // Only folders with a panel allow blob scripts.
    expect(await readFile(join(discs, 'index.html'), 'utf8')).not.toMatch(/script-src[^;]*blob:/)
    const without = await openPage(viewer.browser, pathToFileURL(join(discs, 'index.html')).href + episodeOf('discs'))
    await without.page.getByText('wavelength').first().waitFor()
    expect(without.problems().errors).toEqual([])
  })
})
