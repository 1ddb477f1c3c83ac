/** `vllm run-batch -i requests.jsonl -o results.jsonl`, with the same answer to everything. */
import { readFileSync, writeFileSync } from 'node:fs'
import { parseArgs } from 'node:util'

const { values } = parseArgs({
  args: process.argv.slice(3),
  options: { input: { type: 'string', short: 'i' }, output: { type: 'string', short: 'o' }, model: { type: 'string' } },
})
const lines = readFileSync(values.input, 'utf8').trim().split('\n')
const results = lines.map((line, i) => {
  const { custom_id, url, body } = JSON.parse(line)
  if (url !== '/v1/chat/completions' || body.model !== values.model)
    throw new Error(`not a request for ${values.model}`)
  const choices = [{ index: 0, message: { role: 'assistant', content: 'A' }, finish_reason: 'stop' }]
  const reply = {
    object: 'chat.completion',
    choices,
    usage: { prompt_tokens: 9, completion_tokens: 1, total_tokens: 10 },
  }
  const response = { status_code: 200, request_id: `vllm-batch-${i}`, body: reply }
  return JSON.stringify({ id: `vllm-${i}`, custom_id, response, error: null })
})
writeFileSync(values.output, `${results.join('\n')}\n`)
