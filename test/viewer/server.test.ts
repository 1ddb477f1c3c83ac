/** `sightline view` as a user starts it. */
import { appendFile, mkdtemp, readFile, rm } from 'node:fs/promises'
import { createServer, type Server } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { exampleHeader, exampleLine } from '../support/store.ts'
import { Store } from '../../src/store/store.ts'
import { sightline } from '../cli/cli.ts'
import { NO_PROBLEMS, describeInBrowser, startViewer, useViewer } from './browser.ts'

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

  it('opens a run by unique id prefix or by folder, in any store', async () => {
    const byId = await startViewer(dir, ['one', '--port', '0'])
    expect(byId.link).toMatch(/^http:\/\/127\.0\.0\.1:\d+\/\?token=[\w-]{32}#\/runs\/one-run$/)
    await byId.stop()
    const byPath = await startViewer(join(dir, 'another'), [join(dir, 'runs', 'one-run'), '--port', '0'])
    const rows = (await (await byPath.fetch('api/runs')).json()) as { id: string }[]
    expect(rows.map(({ id }) => id)).toEqual(['one-run'])
    await byPath.stop()
  })

  it('uses the next free port by default, and rejects a port in use', async () => {
    const first = await startViewer(dir, [])
    const second = await startViewer(dir, [])
    const port = (address: string): number => Number(new URL(address).port)
    // Other processes may free a port at any time, so only expect a different one.
    expect(port(second.address)).not.toBe(port(first.address))
    await Promise.all([first.stop(), second.stop()])
    const server: Server = createServer()
    await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
    const at = server.address()
    const inUse = typeof at === 'object' && at ? at.port : 0
    const { code, stderr } = await sightline(['view', '--port', String(inUse), '--log-dir', dir], { cwd: dir })
    expect([code, stderr]).toEqual([2, expect.stringContaining(`Port ${inUse} is already in use on 127.0.0.1.`)])
    server.close()
  })

  it.each([[], ['--host', '0.0.0.0']])('requires the token of the printed link %s', async (...args) => {
    const server = await startViewer(dir, [...args, '--port', '0'])
    const { port, search } = new URL(server.link)
    expect(search).toMatch(/^\?token=[\w-]{32}$/)
    expect((await fetch(`http://127.0.0.1:${port}/api/runs`)).status).toBe(401)
    const opened = await fetch(`http://127.0.0.1:${port}/${search}`, { redirect: 'manual' })
    const cookie = opened.headers.get('set-cookie')?.split(';')[0] ?? ''
    expect((await fetch(`http://127.0.0.1:${port}/api/runs`, { headers: { cookie } })).status).toBe(200)
    await server.stop()
  })

  it('rejects a host that is not an address of this machine', async () => {
    const { code, stderr } = await sightline(['view', '--host', '203.0.113.7', '--log-dir', dir], { cwd: dir })
    expect([code, stderr]).toEqual([2, expect.stringContaining('not an address of this machine')])
  })
})

describeInBrowser('sightline view pages', () => {
  const viewer = useViewer([['run', 'space/text', '-m', 'baseline/oracle', '-l', '2', '-T', 'tasks=dir']])

  it('show the run without errors', async () => {
    const { page, problems } = await viewer.open('')
    await page.getByText('oracle').first().waitFor()
    expect(problems()).toEqual(NO_PROBLEMS)
  })

  it('show a run in progress, and report a damaged journal', async () => {
    const store = await Store.open(viewer.store)
    const writer = await store.createRun(
      exampleHeader({ id: 'moving', profile: 'fixed', models: { player: 'openai/moving' }, planned: 3 }),
    )
    const { page, problems } = await viewer.open('')
    const row = page
      .getByRole('row')
      .filter({ hasText: 'openai/moving' })
      .or(page.getByRole('listitem').filter({ hasText: 'openai/moving' }))
    await row.first().waitFor()
    for (const index of [0, 1, 2]) await writer.append({ ...exampleLine(index), scores: { dir: 1 } }, [])
    await row.filter({ hasText: /100/ }).first().waitFor()
    await writer.setStatus({ state: 'done', reason: null })
    await writer.close()
    expect(problems()).toEqual(NO_PROBLEMS)
    const journal = join(viewer.store, 'runs', 'moving', 'episodes.jsonl')
    const lines = await readFile(journal, 'utf8')
    await appendFile(journal, `not a line\n${lines}`)
    const damaged = await viewer.open('#/runs/moving', { expectedErrors: /422/ })
    await damaged.page
      .getByText(/Line 4 of .*episodes\.jsonl is invalid/)
      .first()
      .waitFor()
    expect(damaged.problems()).toEqual(NO_PROBLEMS)
  })
})
