/**
 * How fast environments are served: steps of a text suite over WebSockets, the memory of open sessions, and what pictures cost the
 * server, compared with the renderer and the PNG encoder by themselves.
 */
import { fork } from 'node:child_process'
import { once } from 'node:events'
import { Environment } from '../src/environments/environment.ts'
import { type EnvironmentServer, serveEnvironments } from '../src/environments/server.ts'
import { builtinSuite } from '../src/suites/index.ts'
import { Renderer } from '../src/world.ts'
import { type BenchResult, median } from './harness.ts'
import { connect, isDone } from './serve/connection.ts'

const CLIENTS = 16
const SESSIONS = 1000
const SECONDS = 3
const RUNS = 3
/** Trainers play each sample several times, to compare its rewards. */
const GROUP = 8
let episodes = 0
/** Observes until the steps are used up, then answers every question. */
const ACTION = 'THINK: look\nFINAL ANSWER: A\nActions: [Observe()]'

/** Scenes in which pictures are drawn, and episodes in each. The first one is not counted: code is compiled in it. */
const SCENES = 5
const QUESTIONS = 4
/** Questions of a scene without a video. */
const PER_SCENE = 9

export default async function serve(): Promise<BenchResult> {
  const server = await serverOf(await Environment.open({ suite: await builtinSuite('space/text') }))
  const url = `${server.url.replace('http', 'ws')}/ws`
  try {
    await stepsPerSecond(url, 0.5)
    const rates: number[] = []
    for (let i = 0; i < RUNS; i++) rates.push(await stepsPerSecond(url, SECONDS))
    return {
      figures: {
        'text, steps per second of CPU, clients included': median(rates),
        [`${SESSIONS} open sessions, MB`]: await memoryOfSessions(url),
        'vsi/explore, pictures by address against the renderer': await pictureShare('address'),
        'vsi/explore, pictures in every request against the renderer': await pictureShare('data'),
      },
      bars: {
        'vsi/explore, pictures by address against the renderer': { atLeast: 0.8 },
        'text, steps per second of CPU, clients included': { atLeast: 5000 },
        [`${SESSIONS} open sessions, MB`]: { atMost: 1000 },
      },
    }
  } finally {
    await server.close()
  }
}

function serverOf(environment: Environment): Promise<EnvironmentServer> {
  return serveEnvironments({
    environments: [environment],
    host: '127.0.0.1',
    port: 0,
    maxSessions: 2 * SESSIONS,
    idleMs: 60_000,
    version: 'bench',
    onFault: (error) => console.error(error),
  })
}

/**
 * CPU time of drawing and encoding pictures, as a share of that of the server in the steps of episodes that show them: the
 * median of the episodes, each of which is followed by its pictures alone. The client has a process of its own, as a trainer's.
 * Scenes are built by resets, which are not counted. A request of `vsi/explore` shows all pictures so far: by address, the
 * client fetches each once; as data URLs, they are sent again.
 */
async function pictureShare(media: 'address' | 'data'): Promise<number> {
  const environment = await Environment.open({ suite: await builtinSuite('vsi/explore') })
  const server = await serverOf(environment)
  /** The pictures of an episode's steps, to be drawn again. */
  let drawn: (() => unknown)[] = []
  let isStep = false
  // oxlint-disable-next-line typescript/unbound-method -- called with the renderer
  const { renderColor } = Renderer.prototype
  Renderer.prototype.renderColor = function (camera, size, use) {
    const draw = (): ReturnType<typeof use> => renderColor.call(this, camera, size, use) as ReturnType<typeof use>
    if (isStep) drawn.push(draw)
    return draw()
  }
  try {
    const seeds = Array.from(
      { length: SCENES * QUESTIONS },
      (_, i) => Math.floor(i / QUESTIONS) * PER_SCENE + (i % QUESTIONS),
    )
    const client = fork(new URL('serve/client.ts', import.meta.url), [
      `${server.url.replace('http', 'ws')}/ws`,
      media,
      seeds.join(),
    ])
    const shares: number[] = []
    let start = process.cpuUsage()
    client.on('message', (what) => {
      isStep = what === 'steps'
      if (isStep) {
        drawn = []
        start = process.cpuUsage()
      } else {
        const served = secondsSince(start)
        const again = process.cpuUsage()
        for (const draw of drawn) draw()
        shares.push(secondsSince(again) / served)
      }
      client.send('continue')
    })
    const [code] = (await once(client, 'exit')) as [number | null]
    if (code !== 0) throw new Error(`the client ended with ${code}`)
    return median(shares.slice(QUESTIONS))
  } finally {
    Renderer.prototype.renderColor = renderColor
    await server.close()
  }
}

function secondsSince(start: NodeJS.CpuUsage): number {
  const { user, system } = process.cpuUsage(start)
  return (user + system) / 1e6
}

async function stepsPerSecond(url: string, seconds: number): Promise<number> {
  const clients = await Promise.all(Array.from({ length: CLIENTS }, () => connect(url)))
  const start = process.cpuUsage()
  const elapsed = (): number => secondsSince(start)
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
        done = isDone(reply)
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
