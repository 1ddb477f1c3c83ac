/** Clients that call tools, written from their protocols: MCP, OpenEnv's tool calls, the Open Reward Standard. */
import { afterEach, expect, it } from 'vitest'
import { WebSocket } from 'ws'
import { z } from 'zod'
import bearings from '../../examples/bearings.ts'
import { builtinSuite } from '../suites/index.ts'
import { Environment } from './environment.ts'
import { type EnvironmentServer, serveEnvironments } from './server.ts'

const open: EnvironmentServer[] = []
afterEach(async () => {
  await Promise.all(open.splice(0).map((server) => server.close()))
})

type Json = Record<string, unknown>

async function serve(...environments: readonly Environment[]) {
  const faults: unknown[] = []
  const server = await serveEnvironments({
    environments,
    host: '127.0.0.1',
    port: 0,
    maxSessions: 3,
    idleMs: 60_000,
    version: '0',
    onFault: (error) => faults.push(error),
  })
  open.push(server)
  const post = (path: string, body: unknown, headers: Record<string, string> = {}) =>
    fetch(server.url + path, { method: 'POST', body: JSON.stringify(body), headers })
  return { server, faults, post }
}

const spaceText = async () => Environment.open({ suite: await builtinSuite('space/text') })

it('answers clients of the Model Context Protocol over HTTP', async () => {
  const { server, faults, post } = await serve(await spaceText())
  const start = { protocolVersion: '2025-03-26', capabilities: {}, clientInfo: { name: 'x', version: '1' } }
  const started = await post('/mcp', { jsonrpc: '2.0', id: 0, method: 'initialize', params: start })
  const session = { 'mcp-session-id': started.headers.get('mcp-session-id')! }
  expect(((await started.json()) as Json)['result']).toMatchObject({ protocolVersion: '2025-03-26' })
  const told = await post('/mcp', { jsonrpc: '2.0', method: 'notifications/initialized' }, session)
  expect([told.status, await told.text()]).toEqual([202, ''])
  const rpc = async (method: string, params: object = {}) =>
    (await (await post('/mcp', { jsonrpc: '2.0', id: 'a', method, params }, session)).json()) as Json
  const { tools } = (await rpc('tools/list'))['result'] as { tools: { name: string; inputSchema: object }[] }
  expect(tools.map(({ name }) => name)).toEqual('new_episode observe rotate jump_to query term answer reply'.split(' '))
  expect(tools.find(({ name }) => name === 'jump_to')?.inputSchema).toMatchObject({ required: ['object'] })
  // Clients that convert schemas for providers keep the first of `anyOf` alone.
  const { inputSchema } = tools.find(({ name }) => name === 'rotate')!
  expect(inputSchema).toMatchObject({ properties: { degrees: { type: 'number', enum: [90, 180, 270] } } })
  const call = (name: string, given: object = {}) => rpc('tools/call', { name, arguments: given })
  // What a model can do better next time is a result; a tool that does not exist is not.
  const refused = { isError: true, content: [{ type: 'text' }] }
  expect((await call('observe'))['result']).toMatchObject({
    ...refused,
    content: [{ text: 'There is no episode: start one first.' }],
  })
  await call('new_episode', { seed: 3 })
  expect((await call('rotate', { degrees: 90 }))['result']).toMatchObject({
    content: [{ type: 'text' }],
    structuredContent: { done: false },
  })
  for (const [name, given] of Object.entries({ rotate: { degrees: 45 }, jump_to: { object: 'x), Term(' } }))
    expect((await call(name, given))['result']).toMatchObject(refused)
  for (const name of ['fly', 'constructor']) expect((await call(name))['error']).toMatchObject({ code: -32602 })
  expect((await rpc('resources/list'))['error']).toMatchObject({ code: -32601 })
  expect(((await (await post('/mcp', [])).json()) as Json)['error']).toMatchObject({ code: -32600 })
  // From this, a client of a later protocol knows that it has to initialize.
  const list = { jsonrpc: '2.0', id: 1, method: 'tools/list' }
  const versioned = (version: string) => post('/mcp', list, { ...session, 'mcp-protocol-version': version })
  expect([(await versioned('2026-07-28')).status, (await versioned('2025-11-25')).status]).toEqual([400, 200])
  const later = { 'mcp-protocol-version': '2026-07-28' }
  const agreed = await post('/mcp', { jsonrpc: '2.0', id: 2, method: 'initialize', params: start }, later)
  expect(await agreed.json()).toMatchObject({ result: { protocolVersion: '2025-03-26' } })
  await fetch(`${server.url}/mcp`, {
    method: 'DELETE',
    headers: { 'mcp-session-id': agreed.headers.get('mcp-session-id')! },
  })
  await fetch(`${server.url}/mcp`, { method: 'DELETE', headers: session })
  expect((await post('/mcp', { jsonrpc: '2.0', id: 1, method: 'ping' }, session)).status).toBe(404)
  expect([server.sessions(), faults]).toEqual([0, []])
})

it('takes tool calls of OpenEnv, in steps and as JSON-RPC', async () => {
  const { server, post } = await serve(await spaceText())
  const create = await post('/mcp', { jsonrpc: '2.0', id: 1, method: 'openenv/session/create' })
  const { session_id } = ((await create.json()) as Json)['result'] as { session_id: string }
  const params = { session_id, name: 'new_episode', arguments: { seed: 1 } }
  const begun = await post('/mcp', { jsonrpc: '2.0', id: 2, method: 'tools/call', params })
  expect(((await begun.json()) as Json)['result']).toMatchObject({ structuredContent: { done: false } })
  const socket = new WebSocket(`${server.url.replace('http', 'ws')}/ws`)
  await new Promise((resolve) => socket.once('open', resolve))
  const send = (message: object) =>
    new Promise<Json>((resolve) => {
      socket.once('message', (data: Buffer) => resolve(JSON.parse(data.toString()) as Json))
      socket.send(JSON.stringify(message))
    })
  await send({ type: 'reset', data: { seed: 1 } })
  expect(await send({ type: 'step', data: { type: 'list_tools' } })).toMatchObject({
    data: { observation: { tools: expect.arrayContaining([expect.objectContaining({ name: 'observe' })]) } },
  })
  const observe = { type: 'call_tool', tool_name: 'observe', arguments: {} }
  expect(await send({ type: 'step', data: observe })).toMatchObject({
    data: { observation: { tool_name: 'observe', error: null, messages: [{ role: 'assistant' }, { role: 'user' }] } },
  })
  for (const [tool_name, error_type] of Object.entries({ fly: 'tool_not_found', rotate: 'invalid_args' }))
    expect(await send({ type: 'step', data: { type: 'call_tool', tool_name, arguments: {} } })).toMatchObject({
      type: 'observation',
      data: { done: false, reward: null, observation: { tool_name, result: null, error: { error_type } } },
    })
  const { observation } = (await (await post('/reset', { seed: 1 })).json()) as { observation: { episode_id: string } }
  const step = await post('/step', { action: observe, episode_id: observation.episode_id })
  expect(await step.json()).toMatchObject({ observation: { tool_name: 'observe', error: null }, done: false })
  const list = { jsonrpc: '2.0', id: 3, method: 'tools/list' }
  expect(await send({ type: 'mcp', data: list })).toMatchObject({ type: 'mcp', data: { id: 3, result: {} } })
})

it('plays a session in its own suite at every path, also after `new_episode`', async () => {
  const { server, post } = await serve(await Environment.open({ suite: bearings }), await spaceText())
  const call = async (tool_name: string, given: object, episode_id: string) => {
    const action = { type: 'call_tool', tool_name, arguments: given }
    return (await (await post('/step', { action, episode_id })).json()) as { observation: { episode_id: string } }
  }
  const started = await post('/space/text/reset', { seed: 1 })
  const first = ((await started.json()) as { observation: { episode_id: string } }).observation.episode_id
  const seen = { observation: { tool_name: 'observe', error: null }, done: false }
  expect(await call('observe', {}, first)).toMatchObject(seen)
  const second = (await call('new_episode', { seed: 2 }, first)).observation.episode_id
  expect(await call('observe', {}, second)).toMatchObject(seen)
  expect(await (await fetch(`${server.url}/state?episode_id=${second}`)).json()).toMatchObject({ seed: 2 })
  const rpc = { jsonrpc: '2.0', id: 1 }
  const opened = await post('/space/text/mcp', { ...rpc, method: 'initialize' })
  const session = { 'mcp-session-id': opened.headers.get('mcp-session-id')! }
  const listed = await post('/mcp', { ...rpc, method: 'tools/list' }, session)
  expect(await listed.text()).toContain('"observe"')
})

it('passes `openenv validate`, and describes what it takes and answers', async () => {
  const { server } = await serve(await spaceText())
  const api = (await (await fetch(`${server.url}/openapi.json`)).json()) as Json
  expect(api).toMatchObject({ info: { version: '1.0.0' }, paths: { '/reset': {}, '/step': {}, '/state': {} } })
  type Content = { content: { 'application/json': { schema: z.core.JSONSchema.JSONSchema } } }
  const { post } = (api['paths'] as Json)['/step'] as { post: { requestBody: Content; responses: { 200: Content } } }
  const schemaOf = ({ content }: Content) => z.fromJSONSchema(content['application/json'].schema)
  const [asked, answered] = [schemaOf(post.requestBody), schemaOf(post.responses[200])]
  const started = await fetch(`${server.url}/reset`, { method: 'POST' })
  const { episode_id } = ((await started.json()) as { observation: { episode_id: string } }).observation
  const call = { type: 'call_tool', tool_name: 'observe' }
  for (const action of [{ type: 'list_tools' }, call, { ...call, tool_name: 'fly' }, { text: 'x', other: 1 }]) {
    const request = { action, episode_id }
    const response = await fetch(`${server.url}/step`, { method: 'POST', body: JSON.stringify(request) })
    expect(response.status).toBe(200)
    expect([asked.safeParse(request).error, answered.safeParse(await response.json()).error]).toEqual([
      undefined,
      undefined,
    ])
  }
  for (const wrong of [{ action: call }, { action: { type: 'call_tool' }, episode_id }])
    expect(asked.safeParse(wrong).success).toBe(false)
})

it('answers clients of the Open Reward Standard', async () => {
  const { server, post } = await serve(await Environment.open({ suite: bearings }), await spaceText())
  const get = async (path: string, headers = {}): Promise<unknown> =>
    (await fetch(server.url + path, { headers })).json()
  expect(await get('/list_environments')).toEqual(['bearings', 'space/text'])
  expect(await get('/bearings/splits')).toEqual([{ name: 'train', type: 'train' }])
  expect(await (await post('/bearings/task', { split: 'train', index: 7 })).json()).toEqual({ task: { seed: 7 } })
  expect((await post('/bearings/task', { split: 'test', index: 7 })).status).toBe(422)
  const range = { split: 'train', start: -2 }
  const { tasks } = (await (await post('/space/text/task_range', range)).json()) as { tasks: object[] }
  expect(tasks).toEqual([{ seed: 98 }, { seed: 99 }])
  const [sid] = /(?<=data: )\S+/.exec(await (await post('/create_session', {})).text())!
  const session = { 'x-session-id': sid }
  await post('/create', { env_name: 'bearings', task_spec: { seed: 7 } }, session)
  expect(await get('/bearings/prompt', session)).toMatchObject([{ type: 'text' }])
  const call = async (body: object) => {
    const events = (await (await post('/bearings/call', body, session)).text()).trim().split('\n\n')
    const [task, ...rest] = events.map((each) => /^event: (\w+)\ndata: (.*)$/s.exec(each)!)
    return { task: task![2], result: JSON.parse(rest.map((each) => each[2]).join('')) as Json }
  }
  // Clients that leave out the name of the environment get the first one.
  expect(await get('/space/text/prompt', session)).toEqual({
    detail: 'This session plays bearings: use /bearings/prompt.',
  })
  expect((await call({ name: 'fly', input: {} })).result).toMatchObject({ ok: false })
  const { task, result } = await call({ name: 'reply', input: { text: 'north' } })
  expect(result).toMatchObject({ ok: true, output: { finished: true, metadata: { status: 'answered' } } })
  // A client that lost the connection gets the same answer again.
  expect((await call({ name: 'reply', input: {}, task_id: task })).result).toEqual(result)
  await post('/delete', {}, session)
  expect((await post('/ping', {}, session)).status).toBe(404)
  expect(server.sessions()).toBe(0)
})

it('says that the connection ends with a request that is too large', async () => {
  const { server, post } = await serve(await spaceText())
  const large = await fetch(`${server.url}/step`, { method: 'POST', body: 'x'.repeat(9_000_000) }).catch(() => null)
  // The refusal may not be read before the connection ends; the next request gets a new one.
  if (large !== null) expect([large.status, large.headers.get('connection')]).toEqual([422, 'close'])
  expect((await post('/reset', { seed: 1 })).status).toBe(200)
})
