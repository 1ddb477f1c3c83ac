/** One message after the other over a WebSocket of an environment. */
import { WebSocket } from 'ws'

export async function connect(url: string): Promise<{ socket: WebSocket; send: (message: object) => Promise<Buffer> }> {
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

/** At the end of a message that may have megabytes of pictures. */
export function isDone(reply: Buffer): boolean {
  if (reply.subarray(0, 20).includes('"type":"error"')) throw new Error(reply.toString())
  return reply.subarray(-200).includes('"done":true')
}
