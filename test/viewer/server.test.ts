/** `sightline view` as somebody starts it. */
import { appendFile, mkdtemp, readFile, rm } from 'node:fs/promises'
import { createServer, type Server } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { exampleHeader, exampleLine } from '../support/store.ts'
import { Store } from '../../src/store/store.ts'
import { sightline } from '../cli/cli.ts'
import { CLEAN, describeInBrowser, startViewer, useViewer } from './browser.ts'

describe('sightline view', () => {
  let dir: string
  beforeAll(async () => {
    dir = await mkdtemp(join(tmpdir(), 'sightline-view-'))
    const writer = await (await Store.open(dir)).createRun(exampleHeader({ id: 'one-run', profile: 'fixed' }))
    await writer.append(exampleLine(0), [])
    await writer.setStatus({ state: 'done', reason: null })
    await writer.close()
  })
  afterAll(() => rm(dir, { recursive: true }))

  it('opens on a run by the beginning of its id, or by its folder, whatever the store', async () => {
    const byId = await startViewer(dir, ['one', '--port', '0'])
    expect(byId.address).toMatch(/^http:\/\/127\.0\.0\.1:\d+\/#\/runs\/one-run$/)
    await byId.stop()
    const byPath = await startViewer(join(dir, 'another'), [join(dir, 'runs', 'one-run'), '--port', '0'])
    const rows = (await (await fetch(new URL('api/runs', byPath.address))).json()) as { id: string }[]
    expect(rows.map(({ id }) => id)).toEqual(['one-run'])
    await byPath.stop()
  })

  it('takes the next port when nobody asked for one, and refuses one that is taken', async () => {
    const first = await startViewer(dir, [])
    const second = await startViewer(dir, [])
    const port = (address: string): number => Number(new URL(address).port)
    // Whoever else is on this machine may give a port back at any time: another one, not a higher one.
    expect(port(second.address)).not.toBe(port(first.address))
    await Promise.all([first.stop(), second.stop()])
    const server: Server = createServer()
    await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
    const at = server.address()
    const taken = typeof at === 'object' && at ? at.port : 0
    const { code, stderr } = await sightline(['view', '--port', String(taken), '--log-dir', dir], { cwd: dir })
    expect([code, stderr]).toEqual([2, expect.stringContaining(`Port ${taken} on 127.0.0.1 is taken.`)])
    server.close()
  })

  it('needs a token when others can reach it', async () => {
    const server = await startViewer(dir, ['--host', '0.0.0.0', '--port', '0'])
    const { port, search } = new URL(server.address)
    expect(search).toMatch(/^\?token=[\w-]{32}$/)
    expect((await fetch(`http://127.0.0.1:${port}/api/runs`)).status).toBe(401)
    const opened = await fetch(`http://127.0.0.1:${port}/${search}`, { redirect: 'manual' })
    const cookie = opened.headers.get('set-cookie')?.split(';')[0] ?? ''
    expect((await fetch(`http://127.0.0.1:${port}/api/runs`, { headers: { cookie } })).status).toBe(200)
    await server.stop()
  })

  it('says what is wrong with where it should listen', async () => {
    const { code, stderr } = await sightline(['view', '--host', '203.0.113.7', '--log-dir', dir], { cwd: dir })
    expect([code, stderr]).toEqual([2, expect.stringContaining('not an address of this machine')])
  })
})

describeInBrowser('pages of sightline view', () => {
  const viewer = useViewer([['run', 'space/text', '-m', 'baseline/oracle', '-l', '2', '-T', 'tasks=dir']])

  it('show the run, with nothing to complain about', async () => {
    const { page, seen } = await viewer.open('')
    await page.getByText('oracle').first().waitFor()
    expect(seen()).toEqual(CLEAN)
  })

  it('show a run while it is written, and that it was damaged afterwards', async () => {
    const store = await Store.open(viewer.store)
    const writer = await store.createRun(
      exampleHeader({ id: 'moving', profile: 'fixed', models: { player: 'openai/moving' }, planned: 3 }),
    )
    const { page, seen } = await viewer.open('')
    const row = page
      .getByRole('row')
      .filter({ hasText: 'openai/moving' })
      .or(page.getByRole('listitem').filter({ hasText: 'openai/moving' }))
    await row.first().waitFor()
    for (const index of [0, 1, 2]) await writer.append({ ...exampleLine(index), scores: { dir: 1 } }, [])
    await row.filter({ hasText: /100/ }).first().waitFor()
    await writer.setStatus({ state: 'done', reason: null })
    await writer.close()
    expect(seen()).toEqual(CLEAN)
    const journal = join(viewer.store, 'runs', 'moving', 'episodes.jsonl')
    const lines = await readFile(journal, 'utf8')
    await appendFile(journal, `not a line\n${lines}`)
    const damaged = await viewer.open('#/runs/moving', { expectedErrors: /422/ })
    await damaged.page
      .getByText(/Line 4 of .*episodes\.jsonl is invalid/)
      .first()
      .waitFor()
    expect(damaged.seen()).toEqual(CLEAN)
  })
})
