/** How fast environments are served: steps of a text suite over WebSockets, and the memory of open sessions. */
import { WebSocket } from 'ws'
import { Environment } from '../src/environments/environment.ts'
import { serveEnvironments } from '../src/environments/server.ts'
import { builtinSuite } from '../src/suites/index.ts'
import { type BenchResult, median } from './harness.ts'

const CLIENTS = 16
const SESSIONS = 1000
const SECONDS = 3
const RUNS = 3
/** Trainers play each sample several times, to compare its rewards. */
const GROUP = 8
let episodes = 0
/** Observes until the steps are used up, then answers every question. */
const ACTION = 'THINK: look\nFINAL ANSWER: A\nActions: [Observe()]'

export default async function serve(): Promise<BenchResult> {
  const environment = await Environment.open({ suite: await builtinSuite('space/text') })
  const server = await serveEnvironments({
    environments: [environment],
    host: '127.0.0.1',
    port: 0,
    maxSessions: 2 * SESSIONS,
    idleMs: 60_000,
    version: 'bench',
    onFault: (error) => console.error(error),
  })
  const url = `${server.url.replace('http', 'ws')}/ws`
  try {
    await stepsPerSecond(url, 0.5)
    const rates: number[] = []
    for (let i = 0; i < RUNS; i++) rates.push(await stepsPerSecond(url, SECONDS))
    return {
      figures: {
        'text, steps per second of CPU, clients included': median(rates),
        [`${SESSIONS} open sessions, MB`]: await memoryOfSessions(url),
      },
      bars: {
        'text, steps per second of CPU, clients included': { atLeast: 5000 },
        [`${SESSIONS} open sessions, MB`]: { atMost: 1000 },
      },
    }
  } finally {
    await server.close()
  }
}

async function stepsPerSecond(url: string, seconds: number): Promise<number> {
  const clients = await Promise.all(Array.from({ length: CLIENTS }, () => connect(url)))
  const start = process.cpuUsage()
  const elapsed = (): number => {
    const { user, system } = process.cpuUsage(start)
    return (user + system) / 1e6
  }
  let steps = 0
  await Promise.all(
    clients.map(async ({ send, socket }) => {
      let done = true
      while (elapsed() < seconds) {
        const reply = await send(
          done
            ? { type: 'reset', data: { seed: Math.floor(episodes++ / GROUP) } }
            : { type: 'step', data: { text: ACTION } },
        )
        if (!done) steps++
        done = reply.includes('"done":true')
      }
      socket.close()
    }),
  )
  return steps / elapsed()
}

async function memoryOfSessions(url: string): Promise<number> {
  const clients = await Promise.all(Array.from({ length: SESSIONS }, () => connect(url)))
  await Promise.all(clients.map(({ send }) => send({ type: 'reset' })))
  await Promise.all(clients.map(({ send }) => send({ type: 'step', data: { text: ACTION } })))
  const { rss } = process.memoryUsage()
  for (const { socket } of clients) socket.terminate()
  return rss / 1e6
}

async function connect(url: string): Promise<{ socket: WebSocket; send: (message: object) => Promise<string> }> {
  const socket = new WebSocket(url)
  await new Promise((resolve, reject) => {
    socket.once('open', resolve)
    socket.once('error', reject)
  })
  return {
    socket,
    send(message) {
      const reply = new Promise<string>((resolve) => {
        socket.once('message', (data: Buffer) => resolve(data.toString()))
      })
      socket.send(JSON.stringify(message))
      return reply
    },
  }
}
