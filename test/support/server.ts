/** A server over a store in a temporary folder, for tests: as `sightline view` starts it, but for the built page. */
import { suiteFinder } from '../../src/library/suites.ts'
import { mkdir, mkdtemp, rm, writeFile } from 'node:fs/promises'
import { request, type IncomingHttpHeaders, type Server } from 'node:http'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { createAdaptorServer } from '@hono/node-server'
import { Prices } from '../../src/models/prices.ts'
import { exampleHeader, exampleLine } from './store.ts'
import type { EpisodeLine, RunHeader } from '../../src/store/records.ts'
import { Store } from '../../src/store/store.ts'
import { makeApp } from '../../src/server/app.ts'
import { StaticPages } from '../../src/server/static.ts'

export interface Answer {
  status: number
  headers: IncomingHttpHeaders
  body: Buffer
  text: string
  json: () => unknown
}

export interface AskOptions {
  method?: string
  headers?: Record<string, string>
  /** False sends no token: another program of the machine. Default true. */
  withToken?: boolean
}

export interface ExampleServer {
  store: Store
  port: number
  token: string
  faults: unknown[]
  /** The path goes out as it is written: nothing tidies `..` away, as a browser would. */
  ask(path: string, options?: AskOptions): Promise<Answer>
  close(): Promise<void>
}

const TOKEN = 'a-secret-of-this-start'

export async function startExampleServer(bound: { host?: string } = {}): Promise<ExampleServer> {
  const folder = await mkdtemp(join(tmpdir(), 'sightline-server-'))
  const pages = join(folder, 'pages')
  await mkdir(join(pages, 'assets'), { recursive: true })
  await writeFile(join(pages, 'index.html'), '<!doctype html><title>Sightline</title>')
  await writeFile(join(pages, 'assets', 'main-1a2B3c4D.js'), 'console.log(1)'.repeat(1000))
  await writeFile(join(pages, 'secret.env'), 'KEY=1')
  const store = await Store.open(join(folder, 'store'))
  const faults: unknown[] = []
  const viewer = makeApp({
    finder: suiteFinder(),
    store,
    environment: { store, prices: new Prices([]), versions: {}, git: null, now: () => new Date() },
    pages: await StaticPages.open(pages),
    version: '1.2.3',
    host: bound.host ?? '127.0.0.1',
    token: TOKEN,
    onFault: (error) => faults.push(error),
  })
  const server = createAdaptorServer({ fetch: viewer.app.fetch }) as Server
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  const address = server.address()
  const port = typeof address === 'object' && address ? address.port : 0
  return {
    store,
    port,
    token: TOKEN,
    faults,
    ask: (path, options) => ask(port, path, options),
    async close() {
      await viewer.close()
      server.closeAllConnections()
      await new Promise((resolve) => server.close(resolve))
      await rm(folder, { recursive: true, force: true })
    },
  }
}

function ask(
  port: number,
  path: string,
  { method = 'GET', headers: given = {}, withToken = true }: AskOptions = {},
): Promise<Answer> {
  const headers = withToken ? { authorization: `Bearer ${TOKEN}`, ...given } : given
  return new Promise((resolve, reject) => {
    const asked = request({ host: '127.0.0.1', port, path, method, headers, agent: false }, (answer) => {
      const pieces: Buffer[] = []
      answer.on('data', (piece: Buffer) => pieces.push(piece))
      answer.on('end', () => {
        const body = Buffer.concat(pieces)
        const text = body.toString('utf8')
        const json = (): unknown => JSON.parse(text)
        resolve({ status: answer.statusCode ?? 0, headers: answer.headers, body, text, json })
      })
    })
    asked.on('error', reject)
    asked.end()
  })
}

export interface ExampleRun extends Partial<RunHeader> {
  id: string
  episodes?: number
  events?: (index: number) => readonly unknown[]
  line?: (index: number) => Partial<EpisodeLine>
}

/** A run that is done, written as the engine writes it. */
export async function writeExampleRun(store: Store, run: ExampleRun): Promise<void> {
  const { episodes = 3, events = exampleEvents, line = () => ({}), ...header } = run
  const writer = await store.createRun(exampleHeader({ planned: episodes, profile: 'fixed', ...header }))
  await Promise.all(
    Array.from({ length: episodes }, (_, index) => {
      const logged = events(index).map((event) => JSON.stringify(event))
      return writer.append({ ...exampleLine(index), ...line(index) }, logged)
    }),
  )
  await writer.setStatus({ state: 'done', reason: null })
  await writer.close()
}

export function exampleEvents(index: number): readonly unknown[] {
  return [
    { type: 'message', id: 0, role: 'user', content: [{ kind: 'text', text: `What is in room ${index}?` }] },
    { type: 'reply', ordinal: 0, role: 'player', text: `A Lamp, and "${index}" chairs.` },
    { type: 'outcome', status: 'answered', outcome: { answer: index } },
  ]
}
