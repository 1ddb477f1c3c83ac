/** One server for everything that the pages ask over HTTP: models of every provider, and video generators. */
import { createServer, type IncomingMessage } from 'node:http'
import type { AddressInfo } from 'node:net'
import { type Answer, BatchServer } from '../support/models/batches/server.ts'
import { dialectOf, replyBody } from '../support/models/dialects.ts'

export interface LocalServer {
  /** `http://127.0.0.1:port` */
  origin: string
  close(): Promise<void>
}

/** Read by every suite as some answer: it ends an exploration, answers a question, rates with 5. */
const REPLY = 'THINK: The lamp is near.\nFINAL ANSWER: Actions: [Term()]\n{"answer": "A", "score": 5, "done": true}'

/** As Whisper writes it in `verbose_json`. */
const TRANSCRIPT = JSON.stringify({
  task: 'transcribe',
  language: 'english',
  duration: 2.1,
  text: 'Pick this up.',
  words: [
    { word: 'Pick', start: 0.4, end: 0.7 },
    { word: 'this', start: 0.7, end: 1.1 },
    { word: 'up', start: 1.1, end: 1.3 },
  ],
})

export async function startLocalServer(video: () => Promise<Uint8Array>): Promise<LocalServer> {
  const batches = new BatchServer({ looks: 0 })
  const server = createServer((request, response) => {
    void bodyOf(request)
      .then(async (body) => {
        const path = request.url ?? '/'
        const url = new URL(path, `http://${request.headers.host}`)
        const answer = batches.route({ method: request.method ?? 'GET', url, headers: request.headers, body })
        if (answer) return { type: 'application/json', ...answer }
        if (/\/videos\b/.test(path)) return { type: 'video/mp4', body: await video() }
        if (path.endsWith('/audio/transcriptions')) return { type: 'application/json', body: TRANSCRIPT }
        const reply = path.endsWith('/models') ? { data: [] } : replyBody(dialectOf(path), { text: REPLY })
        return { type: 'application/json', body: JSON.stringify(reply) }
      })
      .then(({ type, body, ...more }) => {
        const { status = 200, headers = {} } = more as Partial<Answer>
        return response.writeHead(status, { 'content-type': type, ...headers }).end(body)
      })
      .catch(() => response.destroy())
  })
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  return {
    origin: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    close: () =>
      new Promise((resolve) => {
        server.closeAllConnections()
        server.close(() => resolve())
      }),
  }
}

async function bodyOf(request: IncomingMessage): Promise<Buffer> {
  const chunks: Buffer[] = []
  for await (const chunk of request) chunks.push(chunk as Buffer)
  return Buffer.concat(chunks)
}
