import { get } from 'node:http'
import { setTimeout as wait } from 'node:timers/promises'
import { afterEach, beforeEach, expect, it } from 'vitest'
import { exampleHeader, exampleLine } from '../../test/support/store.ts'
import type { LiveEvent } from './api.ts'
import { type ExampleServer, startExampleServer, writeExampleRun } from '../../test/support/server.ts'
import { MAX_LISTENERS } from './stream.ts'

let server: ExampleServer
beforeEach(async () => {
  server = await startExampleServer()
})
afterEach(() => server.close())

/** Listens like a page. */
function listen(): { events: LiveEvent[]; status: Promise<number>; stop: () => void } {
  const events: LiveEvent[] = []
  const { promise, resolve } = withResolvers<number>()
  const headers = { authorization: `Bearer ${server.token}` }
  const asked = get({ host: '127.0.0.1', port: server.port, path: '/api/live', headers, agent: false }, (answer) => {
    resolve(answer.statusCode ?? 0)
    let text = ''
    answer.on('data', (piece: Buffer) => {
      text += piece.toString()
      const parts = text.split('\n\n')
      text = parts.pop() ?? ''
      for (const part of parts) if (part.startsWith('data: ')) events.push(JSON.parse(part.slice(6)) as LiveEvent)
    })
    answer.on('error', () => undefined)
  })
  asked.on('error', () => undefined)
  return { events, status: promise, stop: () => asked.destroy() }
}

function withResolvers<T>(): { promise: Promise<T>; resolve: (value: T) => void } {
  let resolve: (value: T) => void = () => undefined
  const promise = new Promise<T>((done) => (resolve = done))
  return { promise, resolve }
}

async function until(holds: () => boolean): Promise<void> {
  while (!holds()) await wait(20)
}

it('reports runs that start, progress and end, with the score so far', async () => {
  await writeExampleRun(server.store, { id: 'quiet' })
  const { events, status, stop } = listen()
  await status
  const writer = await server.store.createRun(exampleHeader({ id: 'moving', planned: 4 }))
  await until(() => events.some(({ run }) => run.id === 'moving' && run.state === 'running'))
  for (const index of [0, 1, 2]) {
    await writer.append({ ...exampleLine(index), scores: { dir: index / 2 } }, ['{"type":"note"}'])
    await until(() => events.at(-1)?.run.finished === index + 1)
    expect(events.at(-1)?.run.coverage).toBe((index + 1) / 4)
  }
  expect(events.at(-1)?.run.headline?.value).toBeCloseTo(0.5)
  expect(events.at(-1)?.run.usd).toBeCloseTo(3 * 0.0125)
  // A replayed episode counts once.
  await writer.append({ ...exampleLine(2), scores: { dir: 0 } }, ['{"type":"note"}'])
  await until(() => events.at(-1)?.run.headline?.value !== 0.5)
  expect(events.at(-1)?.run).toMatchObject({ finished: 3, headline: { value: expect.closeTo(0.5 / 3) as number } })
  await writer.setStatus({ state: 'interrupted', reason: 'The budget is spent.' })
  await writer.close()
  await until(() => events.at(-1)?.run.state === 'interrupted')
  expect(events.at(-1)).toMatchObject({ rate: null, run: { reason: 'The budget is spent.' } })
  expect(events.some(({ run }) => run.id === 'quiet')).toBe(false)
  stop()
})

it('sends running runs to late listeners', async () => {
  const writer = await server.store.createRun(exampleHeader({ id: 'moving', planned: 4 }))
  await writer.append(exampleLine(0), [])
  const [first, second] = [listen(), listen()]
  await until(() => first.events.length > 0 && second.events.length > 0)
  expect(second.events[0]?.run).toMatchObject({ id: 'moving', state: 'running', finished: 1 })
  first.stop()
  second.stop()
  await writer.close()
})

it('limits the number of listeners and frees slots of closed pages', async () => {
  const pages = Array.from({ length: MAX_LISTENERS }, () => listen())
  await Promise.all(pages.map(({ status }) => status))
  const refused = listen()
  expect(await refused.status).toBe(503)
  for (const page of pages) page.stop()
  let status = 503
  while (status === 503) {
    await wait(50)
    const again = listen()
    status = await again.status
    again.stop()
  }
  expect(status).toBe(200)
})
