/**
 * A trainer's client in a process of its own: walks through the scenes of `vsi/explore` and fetches each picture once, if there
 * are addresses of them. Says before and after the steps of each episode, and continues when it is answered.
 * Arguments: WebSocket address, `address` or `data`, seeds of the episodes.
 */
import { Agent, request } from 'node:http'
import { once } from 'node:events'
import { connect, isDone } from './connection.ts'

const MOVE = JSON.stringify({ rotation_angle_degrees: 70, forward_meters: 0.3, answer: null, done: false })
const [url, media, seeds] = process.argv.slice(2) as [string, string, string]
const agent = new Agent({ keepAlive: true })
let fetched = new Set<string>()

async function fetchNew(reply: Buffer): Promise<void> {
  if (media === 'data') return
  const shown = new Set(reply.toString().match(/http:[^"]*\/media\/[0-9a-f]+/g) ?? [])
  for (const address of shown) if (!fetched.has(address)) await get(address)
  fetched = shown
}

async function get(address: string): Promise<void> {
  await new Promise<void>((resolve, reject) => {
    request(address, { agent }, (response) => {
      response.on('data', () => {})
      response.on('end', resolve)
    })
      .on('error', reject)
      .end()
  })
}

async function say(what: 'steps' | 'over'): Promise<void> {
  process.send!(what)
  await once(process, 'message')
}

const { send, socket } = await connect(url)
for (const seed of seeds.split(',')) {
  let reply = await send({ type: 'reset', data: { seed: Number(seed), media } })
  await fetchNew(reply)
  await say('steps')
  while (!isDone(reply)) {
    reply = await send({ type: 'step', data: { text: MOVE } })
    await fetchNew(reply)
  }
  await say('over')
}
socket.close()
agent.destroy()
process.disconnect()
