import { createServer, type Server } from 'node:http'
import type { AddressInfo } from 'node:net'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { sha256 } from '../../base/hash.ts'
import { readWav, writeWav } from '../../media/sound.ts'
import { openTestModel, requestFor, SECRET } from '../../../test/support/models/open-test-model.ts'

/** What Whisper replies in `verbose_json` with word times; Chinese comes character by character. */
const CHINESE = {
  task: 'transcribe',
  language: 'chinese',
  duration: 2.5,
  text: '把这个拿起来',
  words: Array.from('把这个拿起来').map((word, i) => ({ word, start: i * 0.25, end: i * 0.25 + 0.2 })),
  segments: [{ id: 0, start: 0, end: 1.5, text: '把这个拿起来' }],
}

const wav = writeWav({ sampleRate: 16_000, samples: Float32Array.from({ length: 800 }, (_, i) => Math.sin(i / 9)) })
const sound = { sha256: sha256(wav), type: 'audio/wav', bytes: wav.length } as const

interface Received {
  path: string
  key: string | undefined
  fields: Record<string, string>
  file: { name: string; type: string; bytes: Uint8Array } | null
}

let server: Server
let origin: string
let replies: { status: number; body: string }[] = []
const received: Received[] = []

beforeAll(async () => {
  server = createServer((request, response) => {
    const chunks: Buffer[] = []
    request.on('data', (chunk: Buffer) => chunks.push(chunk))
    request.on('end', () => {
      void (async () => {
        // Read by Node's own parser of forms, as a server would.
        const type = request.headers['content-type'] ?? ''
        const form = await new Response(Buffer.concat(chunks), { headers: { 'content-type': type } }).formData()
        const file = form.get('file')
        received.push({
          path: request.url ?? '',
          key: request.headers.authorization,
          fields: Object.fromEntries([...form].filter(([, value]) => typeof value === 'string')) as Record<
            string,
            string
          >,
          file:
            file instanceof File
              ? { name: file.name, type: file.type, bytes: new Uint8Array(await file.arrayBuffer()) }
              : null,
        })
        const { status, body } = replies.shift() ?? { status: 200, body: JSON.stringify(CHINESE) }
        response.writeHead(status, { 'content-type': 'application/json' }).end(body)
      })()
    })
  })
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  origin = `http://127.0.0.1:${(server.address() as AddressInfo).port}`
})
afterAll(() => {
  server.closeAllConnections()
  server.close()
})

const NEVER = new AbortController().signal
const transcribe = async (spec: string, options: Record<string, unknown> = {}) => {
  const model = await openTestModel(spec, origin, {
    options: { api: 'transcriptions', ...options },
    readMedia: () => Promise.resolve(wav),
  })
  try {
    const asked = requestFor([{ role: 'user', content: [{ type: 'media', media: sound }] }])
    return await model.ask({ ...asked, sampling: { temperature: 0 } }, NEVER)
  } finally {
    await model.close()
  }
}

describe('transcriptions', () => {
  it.each(['openai/whisper-1', 'vllm/openai/whisper-large-v3'])('send %s a form with the sound', async (spec) => {
    received.length = 0
    const reply = await transcribe(spec, { 'x.language': 'zh' })
    expect(JSON.parse(reply.text)).toEqual({ text: CHINESE.text, language: 'chinese', words: CHINESE.words })
    const [{ path, key, fields, file }] = received as [Received]
    expect(path).toBe('/v1/audio/transcriptions')
    expect(key).toBe(`Bearer ${SECRET}`)
    expect(fields).toEqual({
      model: spec.slice(spec.indexOf('/') + 1),
      response_format: 'verbose_json',
      'timestamp_granularities[]': 'word',
      temperature: '0',
      language: 'zh',
    })
    expect([file!.name, file!.type]).toEqual(['sound.wav', 'audio/wav'])
    expect(readWav(file!.bytes).samples).toHaveLength(800)
  })

  it('do without words where the server has none', async () => {
    replies = [{ status: 200, body: '{"text":"Pick this up."}' }]
    expect(JSON.parse((await transcribe('vllm/whisper')).text)).toEqual({ text: 'Pick this up.' })
  })

  it('are asked for again after an overload, and fail on replies without a text', async () => {
    replies = [{ status: 503, body: '{}' }]
    expect((await transcribe('vllm/whisper')).text).toContain('把这个')
    replies = Array.from({ length: 5 }, () => ({ status: 200, body: '{"words":[]}' }))
    await expect(transcribe('vllm/whisper')).rejects.toThrow('the reply has no text')
  })

  it('are refused by providers without them, and by requests without a sound', async () => {
    await expect(transcribe('anthropic/claude-sonnet-4-5')).rejects.toThrow('cannot transcribe speech')
    const model = await openTestModel('vllm/whisper', origin, { options: { api: 'transcriptions' } })
    await expect(model.ask(requestFor('Hello'), NEVER)).rejects.toThrow('needs one sound')
    await model.close()
  })
})
