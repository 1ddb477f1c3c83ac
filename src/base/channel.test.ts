import { MessageChannel } from 'node:worker_threads'
import { afterEach, describe, expect, it } from 'vitest'
import { Channel, type ErrorKind, errorKind, type Handlers } from './channel.ts'
import { MissingAssetError, UserError } from './errors.ts'

class Refused extends Error {
  override readonly name = 'Refused'
  readonly attempts: number

  constructor(attempts: number, message: string) {
    super(message)
    this.attempts = attempts
  }
}

const open: MessageChannel[] = []
afterEach(() => {
  for (const { port1, port2 } of open.splice(0)) {
    port1.close()
    port2.close()
  }
})

/** Two ends in one thread; messages are still cloned. */
function ends<Here extends Handlers<Here>, There extends Handlers<There>>(
  here: Here,
  there: There,
  kinds: readonly ErrorKind[] = [],
): { here: Channel<Here, There>; there: Channel<There, Here> } {
  const ports = new MessageChannel()
  open.push(ports)
  return { here: new Channel(ports.port1, here, kinds), there: new Channel(ports.port2, there, kinds) }
}

describe('a channel', () => {
  it('answers both ends, each call with its own result', async () => {
    const { here, there } = ends(
      { double: (value: number) => 2 * value },
      { greet: async ({ name }: { name: string }) => `hello ${name}` },
    )
    const [a, b, c] = await Promise.all([
      here.call('greet', { name: 'Ada' }),
      here.call('greet', { name: 'Grace' }),
      there.call('double', 21),
    ])
    expect([a, b, c]).toEqual(['hello Ada', 'hello Grace', 42])
    expect(here.pendingCalls).toBe(0)
  })

  it('sends notifications in order, before later calls', async () => {
    const heard: number[] = []
    const { here } = ends({}, { hear: (value: number) => heard.push(value), heard: () => heard })
    here.send('hear', 1)
    here.send('hear', 2)
    expect(await here.call('heard', null)).toEqual([1, 2])
  })

  it('keeps the class, message and stack of errors', async () => {
    const errors = {
      user: new UserError('no such file', { hint: 'Write another name.' }),
      missing: new MissingAssetError('the mesh is broken'),
      refused: new Refused(3, 'the server is on fire'),
      fault: new TypeError('x is not a function'),
    }
    const { here } = ends(
      {},
      {
        fail: (which: keyof typeof errors) => {
          throw errors[which]
        },
      },
      [errorKind(Refused, ({ attempts, message }) => [attempts, message])],
    )
    const thrown = (which: keyof typeof errors): Promise<unknown> =>
      here.call('fail', which).catch((error: unknown) => error)
    const user = await thrown('user')
    expect(user).toBeInstanceOf(UserError)
    expect(user).toMatchObject({ message: 'no such file', hint: 'Write another name.', stack: errors.user.stack })
    expect(await thrown('missing')).toBeInstanceOf(MissingAssetError)
    const refused = await thrown('refused')
    expect(refused).toBeInstanceOf(Refused)
    expect(refused).toMatchObject({ message: 'the server is on fire', attempts: 3 })
    const fault = await thrown('fault')
    expect(fault).toBeInstanceOf(Error)
    expect(fault).toMatchObject({ message: 'x is not a function', stack: errors.fault.stack })
  })

  it('transfers buffers instead of copying them', async () => {
    const { here } = ends({}, { size: (buffer: ArrayBuffer) => buffer.byteLength })
    const given = new ArrayBuffer(8)
    expect(await here.call('size', given, [given])).toBe(8)
    expect(given.byteLength).toBe(0)
  })

  it('fails a call whose payload or result cannot be cloned', async () => {
    const { here } = ends({}, { give: () => () => 'a function' })
    await expect(here.call('give', null)).rejects.toThrow(/could not be cloned/)
    await expect(here.call('give', () => 'a function')).rejects.toThrow(/could not be cloned/)
    expect(here.pendingCalls).toBe(0)
  })

  it('fails all calls after it is closed', async () => {
    const { here } = ends({}, { wait: () => new Promise<void>(() => undefined) })
    const waiting = Promise.allSettled([here.call('wait', null), here.call('wait', null)])
    const reason = new Error('the other end is gone')
    here.close(reason)
    expect(await waiting).toEqual([
      { status: 'rejected', reason },
      { status: 'rejected', reason },
    ])
    await expect(here.call('wait', null)).rejects.toBe(reason)
  })
})
