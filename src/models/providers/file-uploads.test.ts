import { afterEach, beforeEach, expect, it } from 'vitest'
import { BatchServer } from '../../../test/support/models/batches/server.ts'
import { openTestModel, PNG, requestFor } from '../../../test/support/models/open-test-model.ts'

let server: BatchServer
let origin: string
beforeEach(async () => {
  server = new BatchServer()
  origin = await server.listen()
})
afterEach(() => server.close())

const NAMED = {
  'openai/gpt-5': /"type":"input_image","file_id":"file-\d+"/,
  'anthropic/claude-sonnet-4-5': /"source":\{"type":"file","file_id":"file_\d+"\}/,
  'google/gemini-2.5-flash': /"fileData":\{"mimeType":"image\/png","fileUri":"http[^"]+\/files\/f\d+"\}/,
}

it.each(Object.entries(NAMED))(
  '%s: uploads a picture once, names it, and deletes it in the end',
  async (spec, named) => {
    const uploads: string[] = []
    server.onEvent = (event) => {
      if (event === 'uploaded') uploads.push(event)
      return true
    }
    const model = await openTestModel(spec, origin, { options: { upload: 'once' } })
    const about = (text: string) =>
      requestFor([
        {
          role: 'user',
          content: [
            { type: 'media', media: PNG.red.ref },
            { type: 'text', text },
          ],
        },
      ])
    const asked = ['What is left?', 'What is right?'].map((text) =>
      model.ask(about(text), new AbortController().signal),
    )
    await Promise.all(asked)
    await model.ask(about('And now?'), new AbortController().signal)
    expect([uploads.length, server.files.size, server.direct]).toEqual([1, 1, 3])
    for (const body of server.bodies) expect(body).toMatch(named)
    expect(server.bodies.join('')).not.toContain('base64,')
    await model.close()
    expect(server.files.size).toBe(0)
  },
)

it('is for the Responses API', async () => {
  const opened = openTestModel('openai/gpt-5', origin, { options: { upload: 'once', api: 'chat' } })
  await expect(opened).rejects.toThrow('needs the Responses API')
})
