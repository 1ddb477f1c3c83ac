import { mkdtemp, readdir, readFile, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { gzipSync } from 'node:zlib'
import { afterEach, beforeEach, expect, it, vi } from 'vitest'
import {
  type Act,
  completion,
  error,
  json,
  type LlamaServer,
  startLlamaServer,
} from '../../../test/support/models/llama-server.ts'
import { program } from '../program.ts'
import { reportFailure, STOP_SIGNALS } from '../terminal/exit.ts'

let folder: string
let server: LlamaServer
beforeEach(async () => {
  folder = await mkdtemp(join(tmpdir(), 'sightline-misbehaving-'))
  vi.stubEnv('VLLM_API_KEY', 'sk-a-wrong-key')
})
afterEach(async () => {
  vi.unstubAllEnvs()
  vi.restoreAllMocks()
  for (const signal of STOP_SIGNALS) process.removeAllListeners(signal)
  process.exitCode = undefined
  await server.close()
  await rm(folder, { recursive: true })
})

/** Runs a command in this process. */
async function sightline(...args: string[]): Promise<{ code: number; out: string; err: string }> {
  const written = { out: '', err: '' }
  const collect = (where: keyof typeof written) => (text: unknown) => {
    written[where] += String(text)
    return true
  }
  vi.spyOn(process.stdout, 'write').mockImplementation(collect('out'))
  vi.spyOn(process.stderr, 'write').mockImplementation(collect('err'))
  process.exitCode = undefined
  await program.parseAsync([...args, '--log-dir', folder], { from: 'user' }).catch(reportFailure)
  vi.restoreAllMocks()
  return { code: exitCode(), ...written }
}

function exitCode(): number {
  return Number(process.exitCode ?? 0)
}

/** A reply that the suite understands: it looks once, and answers. */
function answer(last: string): string {
  const explores = last.includes('Actions: [')
  return `THINK: so\nFINAL ANSWER: ${explores ? 'Actions: [Term()]' : 'north east, near'}`
}
const ANSWER = (last: string): Act => json(completion({ content: answer(last) }))

const QUICK = ['-T', 'questions=1', '-T', 'tasks=dir', '--limit', '3', '-j', '1', '--max-retries', '1']
const HTML = '<!DOCTYPE html><html><head><title>502 Bad Gateway</title></head><body>nginx</body></html>'

interface Case {
  does: (last: string, index: number) => Act
  state: 'done' | 'failed'
  code: number
  /** In the terminal; for a failed run in the list of runs too, for one that is done in its report. */
  says: RegExp
  args?: string[]
  isAbsent?: boolean
}

const LOADING = json('{"error":{"code":503,"message":"Loading model","type":"unavailable_error"}}', 503, {
  'retry-after-ms': '1',
})
const drop: Act = (response) => response.socket?.destroy()

const CASES: Record<string, Case> = {
  'a good server': {
    does: (last) => json(completion({ content: answer(last), reasoning: 'Let me see.' })),
    state: 'done',
    code: 0,
    says: /vllm\/m.*: 3\/3/,
  },
  'a wrong key': {
    does: () => error('authentication_error', 'Invalid API Key'),
    state: 'failed',
    code: 1,
    says: /HTTP 401: Invalid API Key\. Check VLLM_API_KEY/,
  },
  'an unknown model': {
    does: () => error('invalid_request_error', "model 'm' not found"),
    state: 'failed',
    code: 1,
    says: /HTTP 400: model 'm' not found/,
  },
  'a wrong path': {
    does: () => error('not_found_error', 'File Not Found'),
    state: 'failed',
    code: 1,
    says: /HTTP 404: File Not Found\. Check the model name and -M base_url/,
  },
  'spent quota': {
    does: () =>
      json(
        '{"error":{"message":"You exceeded your current quota","type":"insufficient_quota","code":"insufficient_quota"}}',
        429,
      ),
    state: 'failed',
    code: 1,
    says: /HTTP 429: You exceeded your current quota\. Check the credit and quota/,
  },
  'a model that is still loading': {
    does: () => error('unavailable_error', 'Loading model'),
    state: 'failed',
    code: 1,
    says: /HTTP 503: Loading model\. The server is still loading the model/,
    args: ['--max-retries', '0'],
  },
  'a model that has loaded meanwhile': {
    does: (last, index) => (index === 0 ? LOADING : ANSWER(last)),
    state: 'done',
    code: 0,
    says: /3\/3/,
  },
  'an absent server': {
    does: ANSWER,
    isAbsent: true,
    state: 'failed',
    code: 1,
    says: /connection refused\. Check that the server is reachable and that -M base_url=\S+ is correct/,
    args: ['--max-retries', '0'],
  },
  'a model without eyes': {
    does: () =>
      error(
        'server_error',
        'image input is not supported - hint: if this is unexpected, you may need to provide the mmproj',
      ),
    state: 'failed',
    code: 1,
    says: /HTTP 500: image input is not supported/,
    args: ['--max-retries', '6'],
  },
  'a context that is too small': {
    does: () =>
      error(
        'exceed_context_size_error',
        'request (9000 tokens) exceeds the available context size (4096 tokens), try increasing it',
        {
          n_prompt_tokens: 9000,
          n_ctx: 4096,
        },
      ),
    state: 'failed',
    code: 1,
    says: /all episodes failed: .*request \(9000 tokens\) exceeds the available context size \(4096 tokens\)/,
  },
  'an error of the server': {
    does: () => error('server_error', 'Compute error.'),
    state: 'failed',
    code: 1,
    says: /all episodes failed: .*HTTP 500: Compute error/,
    args: ['--max-retries', '0'],
  },
  'a server that dies midway': {
    does: (last, index) => (index < 2 ? ANSWER(last) : drop),
    state: 'done',
    code: 1,
    says: /2 episodes failed with a model error/,
    args: ['--max-retries', '0'],
  },
  'a reply that drips': {
    does: () => (response) => {
      response.writeHead(200, { 'content-type': 'application/json' })
      response.write('{"choices":[')
    },
    state: 'failed',
    code: 1,
    says: /no complete reply within 0\.05 s\. If the model needs longer, increase --timeout/,
    args: ['--timeout', '0.05', '--max-retries', '0'],
  },
  'JSON that is not': {
    does: () => json('{"choices": [{"mess'),
    state: 'failed',
    code: 1,
    says: /not valid JSON or is truncated \(19 characters/,
    args: ['--max-retries', '0'],
  },
  'an HTML page': {
    does: () => json(HTML, 502, { 'content-type': 'text/html' }),
    state: 'failed',
    code: 1,
    says: /HTTP 502: <!DOCTYPE html>/,
    args: ['--max-retries', '0'],
  },
  'an HTML page with status 200': {
    does: () => json(HTML, 200, { 'content-type': 'text/html' }),
    state: 'failed',
    code: 1,
    says: /not valid JSON.*DOCTYPE html/,
    args: ['--max-retries', '0'],
  },
  'a reply with the wrong content type': {
    does: (last) => json(completion({ content: answer(last) }), 200, { 'content-type': 'text/plain' }),
    state: 'done',
    code: 0,
    says: /3\/3/,
  },
  'a reply with no choices': {
    does: () => json('{"choices":[],"object":"chat.completion"}'),
    state: 'failed',
    code: 1,
    says: /the reply contains no choices/,
    args: ['--max-retries', '0'],
  },
  'a connection that is reset': {
    does: () => drop,
    state: 'failed',
    code: 1,
    says: /connection closed by the server/,
    args: ['--max-retries', '0'],
  },
  'a redirect': {
    does: () => json('', 301, { location: 'https://elsewhere.test/v1' }),
    state: 'failed',
    code: 1,
    says: /redirect to https:\/\/elsewhere\.test\/v1\)\. Redirects are not followed/,
  },
  'a body without end': {
    does: () => json(`{"choices":"${'x'.repeat(5 * 2 ** 20)}"}`),
    state: 'failed',
    code: 1,
    says: /the reply is larger than 4 MB/,
  },
  'a compressed reply': {
    does: (last) => json(gzipSync(completion({ content: answer(last) })), 200, { 'content-encoding': 'gzip' }),
    state: 'done',
    code: 0,
    says: /3\/3/,
  },
  'a compressed body without end': {
    does: () => json(gzipSync(Buffer.alloc(5 * 2 ** 20)), 200, { 'content-encoding': 'gzip' }),
    state: 'failed',
    code: 1,
    says: /the reply is larger than 4 MB/,
  },
  'a rate limit': {
    does: (last, index) =>
      index === 0
        ? json('{"error":{"message":"Rate limit reached","type":"requests","code":"rate_limit_exceeded"}}', 429, {
            'retry-after-ms': '1',
          })
        : ANSWER(last),
    state: 'done',
    code: 0,
    says: /vllm\/m: rate limited \(HTTP 429\)/,
  },
  'replies that are cut off': {
    does: (last) => json(completion({ content: answer(last), finish: 'length' })),
    state: 'done',
    code: 0,
    says: /3 of 3 episodes \(100\.0%\) have a reply that is cut off at the token limit.*-M max_tokens/s,
  },
  'a content filter': {
    does: () => json(completion({ content: '', finish: 'content_filter' })),
    state: 'done',
    code: 0,
    says: /3 of 3 episodes \(100\.0%\) have a reply that is blocked by the provider/,
  },
  'a refusal': {
    does: () => json(completion({ content: "I'm sorry, but I can't help with that." })),
    state: 'done',
    code: 0,
    says: /3 of 3 episodes \(100\.0%\) have a reply that is a refusal/,
  },
  'empty replies': {
    does: () => json(completion({ content: '', reasoning: 'Hm.' })),
    state: 'done',
    code: 0,
    says: /3 of 3 episodes \(100\.0%\) have a reply that is empty/,
  },
}

it.each(Object.entries(CASES))('%s', async (_, { does, state, code, says, args = [], isAbsent = false }) => {
  server = await startLlamaServer(does)
  if (isAbsent) await server.close()
  const model = ['--model', 'vllm/m', '-M', `base_url=${server.url}`]
  const ran = await sightline('run', 'space/text', ...model, ...QUICK, ...args)
  const oneLine = (text: string): string => text.replaceAll(/\s+/g, ' ')
  expect(oneLine(`${ran.err}\n${ran.out}`)).toMatch(says)
  expect(ran.code).toBe(code)
  expect(ran.err).not.toContain('sk-a-wrong-key')
  const [id] = await readdir(join(folder, 'runs'))
  const listed = oneLine((await sightline('list', 'runs')).out)
  expect(listed).toMatch(new RegExp(`vllm/m ${state} `))
  if (state === 'failed') {
    expect(ran.out).toBe('')
    expect(ran.err).toContain(`Resume with: sightline resume ${id}`)
    expect(listed).toMatch(says)
    expect(await readFile(join(folder, 'runs', id!, 'episodes.jsonl'), 'utf8').catch(() => '')).toBe('')
  }
  const report = await sightline('report', id!)
  expect(report.code).toBe(0)
  if (state === 'failed' || /have a reply/.test(says.source)) expect(oneLine(report.out)).toMatch(says)
})

/** Two models at two endpoints, by the names `first` and `second`. */
async function twoModels(first: LlamaServer, second: LlamaServer): Promise<string[]> {
  const config = join(folder, 'config.json')
  const model = (name: string, { url }: LlamaServer) => ({ model: `vllm/${name}`, options: { base_url: url } })
  await writeFile(config, JSON.stringify({ models: { first: model('first', first), second: model('second', second) } }))
  return ['--config', config, '-m', 'first', '-m', 'second']
}

it('one of two models: the other one plays to the end', async () => {
  server = await startLlamaServer(() => error('authentication_error', 'Invalid API Key'))
  const good = await startLlamaServer(ANSWER)
  const ran = await sightline('run', 'space/text', ...(await twoModels(server, good)), ...QUICK)
  await good.close()
  expect(ran.code).toBe(1)
  expect(ran.err).toMatch(/Failed \(space\/text with vllm\/first\): vllm\/first at \S+: HTTP 401/)
  // Last, both in the order of the command line.
  expect(ran.err).toMatch(/ {2}vllm\/first +failed +sightline resume \S+\n +space\/text {2}vllm\/second +done\n$/)
  expect(ran.out).toContain('vllm/second')
  expect(ran.out).not.toContain('vllm/first')
})

it('Ctrl-C with two models: both stop and can be resumed', async () => {
  const held: (() => void)[] = []
  const hold =
    (last: string): Act =>
    (response, request) => {
      held.push(() => ANSWER(last)(response, request))
      // Both wait for their first reply.
      if (held.length < 2) return
      process.emit('SIGINT')
      for (const release of held.splice(0)) release()
    }
  server = await startLlamaServer(hold)
  const other = await startLlamaServer(hold)
  const ran = await sightline('run', 'space/text', ...(await twoModels(server, other)), ...QUICK)
  await other.close()
  expect(ran.code).toBe(130)
  expect(ran.err.match(/Interrupted \(space\/text with vllm\/\w+\): stopped by Ctrl-C/g)).toHaveLength(2)
  expect([server.asked(), other.asked()]).toEqual([1, 1])
  const listed = (await sightline('list', 'runs')).out
  expect(listed.match(/vllm\/\w+ +interrupted/g)).toHaveLength(2)
})

it('Ctrl-C before the runs start: exit code 130, also with --fail-under', async () => {
  server = await startLlamaServer(ANSWER)
  const press = (event: string | symbol): void => {
    if (event !== 'SIGINT') return
    process.off('newListener', press)
    queueMicrotask(() => process.emit('SIGINT'))
  }
  process.on('newListener', press)
  const models = await twoModels(server, server)
  const ran = await sightline('run', 'space/text', ...models, ...QUICK, '--fail-under', '50')
  expect(ran.err.match(/Not started: /g)).toHaveLength(2)
  expect([ran.code, server.asked()]).toEqual([130, 0])
})
