/** Exported runs: folders that open from disk and from any static server. */
import { readdir, readFile, writeFile } from 'node:fs/promises'
import { createServer } from 'node:http'
import { homedir } from 'node:os'
import { extname, join } from 'node:path'
import { pathToFileURL } from 'node:url'
import { expect, it } from 'vitest'
import { exampleHeader, exampleLine } from '../support/store.ts'
import { Store } from '../../src/store/store.ts'
import { sightline } from '../cli/cli.ts'
import { describeInBrowser, openPage, useViewer } from './browser.ts'

const SVG = (inside: string): string =>
  `<svg xmlns="http://www.w3.org/2000/svg" width="40" height="30">${inside}<rect width="40" height="30" fill="teal"/></svg>`
const EVIL = '<script>globalThis.ran = 1</script><img src=x onerror="globalThis.ran=1">'

async function writeDrawnRun(dir: string): Promise<void> {
  const store = await Store.open(dir)
  const plain = await store.media.keep(Buffer.from(SVG('')), 'image/svg+xml')
  const evil = await store.media.keep(Buffer.from(SVG('<script>globalThis.ran = 1</script>')), 'image/svg+xml')
  const data = await store.media.keep(Buffer.from('{"a":1}'), 'application/json')
  await store.media.keep(Buffer.from('of another run'), 'text/plain')
  const writer = await store.createRun(exampleHeader({ id: 'drawn', suite: 'none/such', planned: 2 }))
  for (const index of [0, 1]) {
    const content = [...[plain, evil].map((media) => ({ type: 'media', media })), { type: 'text', text: EVIL }]
    const events = [
      { type: 'message', id: 0, role: 'user', content },
      { type: 'ask', ordinal: 0, role: 'player', messages: [0], sampling: {} },
      { type: 'reply', ordinal: 0, role: 'player', text: `${EVIL} in ${join(dir, 'x.png')} of ${homedir()}/secret/` },
      { type: 'note', data: data.sha256 },
    ]
    await writer.append(
      { ...exampleLine(index), sample: `case ${index} ${EVIL}` },
      events.map((event) => JSON.stringify(event)),
    )
  }
  await writer.setStatus({ state: 'done', reason: null })
  await writer.close()
}

describeInBrowser('sightline export --html', () => {
  const viewer = useViewer([['run', 'vsi/explore', '-m', 'baseline/oracle', '-l', '2', '-T', 'steps=3']], writeDrawnRun)

  const share = async (run: string, folder: string, ...more: string[]): Promise<string> => {
    const { code, stderr } = await sightline(
      ['export', run, '--html', '-o', folder, '--log-dir', viewer.store, ...more],
      {
        cwd: viewer.store,
      },
    )
    expect(code, stderr).toBe(0)
    return join(viewer.store, folder)
  }
  const fromDisk = (folder: string, hash = '') =>
    openPage(viewer.browser, pathToFileURL(join(folder, 'index.html')).href + hash)

  it('opens from disk with table, episodes and images', async () => {
    const [run] = viewer.runs
    const folder = await share(run!, 'whole')
    const { page, problems } = await fromDisk(folder)
    await page.getByText('baseline/oracle').first().waitFor()
    expect(page.url()).toContain(`#/runs/${run}`)
    await page.goto(`${pathToFileURL(join(folder, 'index.html')).href}#/runs/${run}/1/1`)
    await page.getByText('You are about to explore').first().waitFor()
    await page.locator('img').first().waitFor()
    await page.waitForFunction(() => [...document.images].some((image) => image.naturalWidth > 0))
    // Images that are not loaded yet have no source.
    const sources = await page.evaluate(() => [...document.images].map(({ src }) => src).filter((src) => src !== ''))
    expect(sources.length).toBeGreaterThan(0)
    expect(sources.every((source) => source.startsWith(pathToFileURL(folder).href))).toBe(true)
    expect(problems().errors).toEqual([])
    expect((await readdir(join(folder, 'data'))).some((name) => name.startsWith('scene-'))).toBe(true)
  })

  it('opens from any static server', async () => {
    const folder = await share(viewer.runs[0]!, 'served')
    const types: Record<string, string> = {
      '.html': 'text/html',
      '.js': 'text/javascript',
      '.css': 'text/css',
      '.png': 'image/png',
    }
    const server = createServer(({ url = '/' }, answer) => {
      const path = new URL(url, 'http://x').pathname
      const file = join(folder, path === '/' ? 'index.html' : path)
      readFile(file).then(
        (bytes) => answer.setHeader('Content-Type', types[extname(file)] ?? 'application/octet-stream').end(bytes),
        () => answer.writeHead(404).end(),
      )
    })
    await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
    const address = server.address()
    const { page, problems } = await openPage(
      viewer.browser,
      `http://127.0.0.1:${typeof address === 'object' && address ? address.port : 0}/#/runs/${viewer.runs[0]}/0/1`,
    )
    await page.getByText('You are about to explore').first().waitFor()
    await page.waitForFunction(() => [...document.images].some((image) => image.naturalWidth > 0))
    expect(problems()).toEqual({ errors: [], foreign: [] })
    server.closeAllConnections()
    server.close()
  })

  it('contains only one episode and its media with --episode', async () => {
    const folder = await share('drawn', 'one', '--episode', '1')
    const { page, problems } = await fromDisk(folder)
    await page.getByText('case 1').first().waitFor()
    expect(page.url()).toMatch(/#\/runs\/drawn\/1\/1$/)
    await page.waitForFunction(
      () => document.images.length > 1 && [...document.images].every((image) => image.naturalWidth > 0),
    )
    expect(await page.evaluate(() => 'ran' in globalThis)).toBe(false)
    expect(problems().errors).toEqual([])
    const data = await readdir(join(folder, 'data'))
    expect(data.filter((name) => name.startsWith('episodes-'))).toHaveLength(1)
    expect(data.filter((name) => name.startsWith('bytes-'))).toHaveLength(1)
    // The unsafe SVG was converted to PNG.
    expect((await readdir(join(folder, 'media'))).map((name) => extname(name)).sort()).toEqual(['.png', '.svg'])
    expect(await readFile(join(folder, 'data', 'episodes-0.js'), 'utf8')).not.toContain('case 0')
  })

  it('removes the previous export from the same folder', async () => {
    const before = await share(viewer.runs[0]!, 'again')
    const kept = join(before, 'data', 'notes.txt')
    await writeFile(kept, 'mine')
    const folder = await share('drawn', 'again', '--episode', '1')
    const data = await readdir(join(folder, 'data'))
    expect(data.filter((name) => /^(scene|small)-/.test(name))).toEqual([])
    expect(data.filter((name) => name.startsWith('bytes-'))).toHaveLength(1)
    expect(await readdir(join(folder, 'media'))).toHaveLength(2)
    expect(await readFile(kept, 'utf8')).toBe('mine')
  })

  it('contains no absolute paths of this machine', async () => {
    const folder = await share('drawn', 'places')
    for (const name of await readdir(join(folder, 'data'))) {
      const text = await readFile(join(folder, 'data', name), 'utf8')
      expect(text).not.toContain(viewer.store)
      expect(text).not.toContain(`${homedir()}/`)
    }
  })

  it('rejects a folder with other files and invalid options', async () => {
    const export_ = (...args: string[]) =>
      sightline(['export', 'drawn', '--log-dir', viewer.store, ...args], { cwd: viewer.store })
    await writeFile(join(viewer.store, 'letter.txt'), 'mine')
    const [taken, none, both, nonsense, missing] = await Promise.all([
      export_('--html', '-o', '.'),
      export_(),
      export_('--html', '--to', 'csv'),
      export_('--html', '--episode', 'x'),
      export_('--html', '--episode', '7', '-o', 'seven'),
    ])
    expect(taken.stderr).toContain('is not empty')
    expect(none.stderr).toContain('--html')
    expect(both.stderr).toContain('cannot be combined')
    expect(nonsense.stderr).toContain('INDEX.EPOCH')
    expect(missing.stderr).toContain('no episode for sample 7')
    expect([taken, none, both, nonsense, missing].map(({ code }) => code)).toEqual([2, 2, 2, 2, 2])
  })
})
