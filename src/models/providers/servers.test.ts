import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import { type HostileServer, startHostileServer } from '../../../test/support/models/hostile-server.ts'
import { openTestModel, PNG, requestFor, type TestSettings } from '../../../test/support/models/open-test-model.ts'
import type { Message, Model } from '../types.ts'

let servers: HostileServer[]
let lines: string[]
const opened: Model[] = []
const soon = () => AbortSignal.timeout(30_000)

beforeEach(async () => {
  servers = [await startHostileServer(), await startHostileServer(), await startHostileServer()]
  lines = []
})
afterEach(async () => {
  await Promise.all(opened.splice(0).map((model) => model.close()))
  await Promise.all(servers.map((server) => server.close()))
})

async function open(more: TestSettings = {}): Promise<Model> {
  const addresses = servers.map(({ origin }) => `${origin}/v1`).join(', ')
  const model = await openTestModel('vllm/x', addresses, { log: (line) => lines.push(line), ...more })
  opened.push(model)
  return model
}

function about(picture: keyof typeof PNG, text: string): readonly Message[] {
  return [
    {
      role: 'user',
      content: [
        { type: 'media', media: PNG[picture].ref },
        { type: 'text', text },
      ],
    },
  ]
}

const counts = (): number[] => servers.map(({ requests }) => requests.length)

describe('several servers of one model', () => {
  it('get the requests with one picture at the same place while it has a free connection', async () => {
    const model = await open({ maxConnections: 2 })
    expect(model.connections()).toBe(6)
    for (const text of ['a', 'b', 'c', 'd']) await model.ask(requestFor(about('red', text)), soon())
    expect(counts().toSorted((a, b) => a - b)).toEqual([0, 0, 4])
    let go!: () => void
    const after = new Promise<void>((resolve) => (go = resolve))
    for (const server of servers) server.behave({ do: 'reply', after })
    const many = Array.from({ length: 6 }, (_, i) => model.ask(requestFor(about('red', `${i}`)), soon()))
    await expect.poll(() => servers.map((server) => server.parallel())).toEqual([2, 2, 2])
    go()
    await Promise.all(many)
  })

  it('share requests without pictures', async () => {
    const model = await open({ maxConnections: 10 })
    for (const server of servers) server.behave({ do: 'reply', ms: 5 })
    await Promise.all(Array.from({ length: 30 }, (_, i) => model.ask(requestFor(`${i}`), soon())))
    expect(Math.min(...counts())).toBeGreaterThan(5)
  })

  it('are left out while they do not answer, and said', async () => {
    const model = await open({ maxConnections: 4, timesAsFast: 1 })
    await servers[1]!.close()
    const replies = await Promise.all(Array.from({ length: 40 }, (_, i) => model.ask(requestFor(`${i}`), soon())))
    expect(replies).toHaveLength(40)
    const said = lines.filter((line) => line.includes('does not answer'))
    expect(said).toEqual([
      `vllm/x: ${servers[1]!.origin}/v1 does not answer (connection refused) and is left out; 2 of 3 go on.`,
    ])
    expect(model.connections()).toBe(8)
  })

  it('fail together with an error that names an address', async () => {
    const model = await open()
    await Promise.all(servers.map((server) => server.close()))
    await expect(model.ask(requestFor('a'), soon())).rejects.toMatchObject({
      name: 'ModelError',
      fatal: true,
      message: expect.stringMatching(/^vllm\/x at 127\.0\.0\.1:\d+: connection refused/) as string,
    })
  })

  it('are only for servers that speak the OpenAI protocol', async () => {
    await expect(openTestModel('anthropic/claude', 'http://a.example, http://b.example')).rejects.toThrow(
      'ANTHROPIC_BASE_URL has several URLs, but anthropic has one.',
    )
  })
})

describe('upload=once', () => {
  const once = { options: { upload: 'once' } }
  const partsOf = (server: HostileServer): unknown[] =>
    server.requests.map(({ body }) => (body as { messages: { content: unknown[] }[] }).messages[0]!.content[0])
  const { sha256 } = PNG.red.ref
  const inFull = { type: 'image_url', image_url: { url: expect.stringMatching(/^data:/) as string }, uuid: sha256 }
  const named = { type: 'image_url', image_url: null, uuid: sha256 }

  beforeEach(() => {
    for (const server of servers.splice(1)) void server.close()
  })

  it('names a picture that the server has', async () => {
    const model = await open(once)
    for (const text of ['a', 'b', 'c']) await model.ask(requestFor(about('red', text)), soon())
    expect(partsOf(servers[0]!)).toEqual([inFull, named, named])
  })

  it('waits for a picture that is on its way', async () => {
    const model = await open({ ...once, maxConnections: 8, timesAsFast: 1 })
    let go!: () => void
    servers[0]!.behave({ do: 'reply', after: new Promise<void>((resolve) => (go = resolve)) })
    const asked = ['a', 'b', 'c', 'd'].map((text) => model.ask(requestFor(about('red', text)), soon()))
    await expect.poll(() => servers[0]!.parallel()).toBe(1)
    go()
    await Promise.all(asked)
    expect(partsOf(servers[0]!)).toEqual([inFull, named, named, named])
  })

  it('names a picture that is long on its way: an answer may take minutes', async () => {
    const model = await open({ ...once, maxConnections: 8 })
    let go!: () => void
    servers[0]!.behave({ do: 'reply', after: new Promise<void>((resolve) => (go = resolve)) })
    const asked = ['a', 'b', 'c'].map((text) => model.ask(requestFor(about('red', text)), soon()))
    await expect.poll(() => servers[0]!.parallel()).toBe(3)
    go()
    await Promise.all(asked)
    expect(partsOf(servers[0]!)).toEqual([inFull, named, named])
  })

  it('waits for the answer after all if it was named too early', async () => {
    const model = await open({ ...once, maxConnections: 8 })
    let go!: () => void
    const after = new Promise<void>((resolve) => (go = resolve))
    let isFirst = true
    let isThere = false
    servers[0]!.behave(({ body }) => {
      const isEarly = !isThere && JSON.stringify(body).includes('"image_url":null')
      if (isEarly) return { do: 'status', status: 400, message: 'no cached item' }
      const behaviour = { do: 'reply', ...(isFirst && { after }) } as const
      isFirst = false
      return behaviour
    })
    const asked = ['a', 'b', 'c', 'd', 'e'].map((text) => model.ask(requestFor(about('red', text)), soon()))
    await expect.poll(() => servers[0]!.requests.length).toBe(5)
    isThere = true
    go()
    await Promise.all(asked)
    expect(partsOf(servers[0]!)).toEqual([inFull, ...Array.from({ length: 8 }, () => named)])
    expect(lines).toEqual([])
  })

  it('sends it again in full if the server has dropped it', async () => {
    const model = await open(once)
    const dropped = { do: 'status', status: 400, message: 'no cached item' } as const
    servers[0]!.behave([{ do: 'reply' }, dropped, { do: 'reply' }])
    for (const text of ['a', 'b', 'c']) await model.ask(requestFor(about('red', text)), soon())
    expect(partsOf(servers[0]!)).toEqual([inFull, named, inFull, named])
    expect(lines).toEqual([])
  })

  it('is given up with a server that keeps nothing', async () => {
    const model = await open(once)
    servers[0]!.behave(({ body }) =>
      JSON.stringify(body).includes('"image_url":null') ? { do: 'status', status: 400 } : { do: 'reply' },
    )
    for (let i = 0; i < 6; i++) await model.ask(requestFor(about('red', `${i}`)), soon())
    expect(partsOf(servers[0]!)).toHaveLength(6 + 3)
    expect(lines).toEqual([expect.stringContaining('keeps no media by id')])
  })

  it('is refused where it would do nothing', async () => {
    await expect(openTestModel('ollama/x', servers[0]!.origin, once)).rejects.toThrow(
      '-M upload=once is not available for ollama.',
    )
  })
})
