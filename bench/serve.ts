/**
 * How fast environments are served: steps of a text suite over WebSockets, the memory of open sessions, and pictures
 * compared with the renderer and the PNG encoder by themselves.
 */
import { Agent, request } from 'node:http'
import { WebSocket } from 'ws'
import { Environment } from '../src/environments/environment.ts'
import { type EnvironmentServer, serveEnvironments } from '../src/environments/server.ts'
import { builtinSuite } from '../src/suites/index.ts'
import { Renderer } from '../src/world.ts'
import { type BenchResult, cpuSeconds, median } from './harness.ts'

const CLIENTS = 16
const SESSIONS = 1000
const SECONDS = 3
const RUNS = 3
/** Trainers play each sample several times, to compare its rewards. */
const GROUP = 8
let episodes = 0
/** Observes until the steps are used up, then answers every question. */
const ACTION = 'THINK: look\nFINAL ANSWER: A\nActions: [Observe()]'

/** Scenes in which pictures are drawn, and episodes in each. */
const SCENES = 3
const QUESTIONS = 4
/** Questions of a scene without a video. */
const PER_SCENE = 9
const MOVE = JSON.stringify({ rotation_angle_degrees: 70, forward_meters: 0.3, answer: null, done: false })

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
 * CPU time of drawing and encoding pictures, as a share of that of the steps of episodes that show them, client included.
 * Scenes are built by resets, which are not counted. A request of `vsi/explore` shows all pictures so far: by address, the
 * client fetches each once; as data URLs, they are sent again.
 */
async function pictureShare(media: 'address' | 'data'): Promise<number> {
  const environment = await Environment.open({ suite: await builtinSuite('vsi/explore') })
  const server = await serverOf(environment)
  /** The pictures of steps, to be drawn again. */
  const drawn: (() => unknown)[] = []
  let isStep = false
  // oxlint-disable-next-line typescript/unbound-method -- called with the renderer
  const { renderColor } = Renderer.prototype
  Renderer.prototype.renderColor = function (camera, size, use) {
    const draw = (): ReturnType<typeof use> => renderColor.call(this, camera, size, use) as ReturnType<typeof use>
    if (isStep) drawn.push(draw)
    return draw()
  }
  const agent = new Agent({ keepAlive: true })
  let fetched = new Set<string>()
  const fetchNew = async (reply: Buffer): Promise<void> => {
    if (media === 'data') return
    const shown = new Set(reply.toString().match(/http:[^"]*\/media\/[0-9a-f]+/g) ?? [])
    for (const address of shown) if (!fetched.has(address)) await get(address, agent)
    fetched = shown
  }
  try {
    const { send, socket } = await connect(`${server.url.replace('http', 'ws')}/ws`)
    let served = 0
    for (let scene = 0; scene < SCENES; scene++) {
      for (let question = 0; question < QUESTIONS; question++) {
        let reply = await send({ type: 'reset', data: { seed: scene * PER_SCENE + question, media } })
        await fetchNew(reply)
        isStep = true
        served += await cpuSeconds(async () => {
          while (!isDone(reply)) {
            reply = await send({ type: 'step', data: { text: MOVE } })
            await fetchNew(reply)
          }
        })
        isStep = false
      }
    }
    socket.close()
    agent.destroy()
    const bare = await cpuSeconds(() => {
      for (const draw of drawn) draw()
    })
    return bare / served
  } finally {
    Renderer.prototype.renderColor = renderColor
    await server.close()
  }
}

/** At the end of a message that may have megabytes of pictures. */
function isDone(reply: Buffer): boolean {
  if (reply.subarray(0, 20).includes('"type":"error"')) throw new Error(reply.toString())
  return reply.subarray(-200).includes('"done":true')
}

async function get(address: string, agent: Agent): Promise<void> {
  await new Promise<void>((resolve, reject) => {
    request(address, { agent }, (response) => {
      response.on('data', () => {})
      response.on('end', resolve)
    })
      .on('error', reject)
      .end()
  })
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

async function connect(url: string): Promise<{ socket: WebSocket; send: (message: object) => Promise<Buffer> }> {
  const socket = new WebSocket(url)
  await new Promise((resolve, reject) => {
    socket.once('open', resolve)
    socket.once('error', reject)
  })
  return {
    socket,
    send(message) {
      const reply = new Promise<Buffer>((resolve) => {
        socket.once('message', (data: Buffer) => resolve(data))
      })
      socket.send(JSON.stringify(message))
      return reply
    },
  }
}
