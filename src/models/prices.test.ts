import { mkdtemp, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { UserError } from '../base/errors.ts'
import { costOf, loadPrices } from './prices.ts'

let folder: string
beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'prices-'))
})
afterAll(() => rm(folder, { recursive: true }))

async function file(name: string, content: unknown): Promise<string> {
  const path = join(folder, name)
  await writeFile(path, typeof content === 'string' ? content : JSON.stringify(content))
  return path
}

describe('prices', () => {
  it('finds a model by its name, with or without a snapshot date', async () => {
    const prices = await loadPrices()
    expect(prices.of('openai/gpt-5.2')).toEqual({ input: 1.75, output: 14, cachedInput: 0.175 })
    expect(prices.of('anthropic/claude-sonnet-4-5-20250929')).toEqual(prices.of('anthropic/claude-sonnet-4-5'))
    for (const unknown of ['openai/gpt-5.2-pro', 'vllm/gpt-5.2', 'ollama/llava', 'openai/constructor', 'openai/']) {
      expect(prices.of(unknown)).toBe(null)
    }
    expect(prices.of('baseline/random')).toEqual({ input: 0, output: 0 })
  })

  it("prefers the user's file, then the optional file, then the built-in list", async () => {
    const given = await file('given.json', { models: { 'openai/gpt-5': { input: 1, output: 2 } } })
    const optionalFile = await file('optional.json', {
      asOf: 'today',
      models: { 'openai/gpt-5': { input: 9, output: 9 }, 'vllm/*': { input: 0.1, output: 0.2 } },
    })
    const prices = await loadPrices({ file: given, optionalFile })
    expect(prices.of('openai/gpt-5')).toEqual({ input: 1, output: 2 })
    expect(prices.of('vllm/Qwen/Qwen3')).toEqual({ input: 0.1, output: 0.2 })
    expect(prices.of('openai/gpt-4o')?.input).toBe(2.5)
  })

  it('ignores a missing optional file', async () => {
    expect((await loadPrices({ optionalFile: join(folder, 'none.json') })).of('openai/gpt-5')?.input).toBe(1.25)
  })

  it.each([
    ['missing.json', undefined, 'Cannot read price file'],
    ['torn.json', '{"models": {', 'is not valid JSON'],
    ['negative.json', { models: { a: { input: -1, output: 1 } } }, 'models → a → input'],
    ['typo.json', { models: { a: { input: 1, outputs: 1 } } }, 'models → a'],
    ['list.json', [], 'the top level'],
  ])('reports the problem in %s', async (name, content, words) => {
    const path = content === undefined ? join(folder, name) : await file(name, content)
    const failed: unknown = await loadPrices({ file: path }).catch((error: unknown) => error)
    expect(failed).toBeInstanceOf(UserError)
    expect(String(failed)).toContain(words)
    expect(String(failed)).toContain(name)
  })
})

describe('costOf', () => {
  const price = { input: 2, output: 10, cachedInput: 0.5, cacheWrite: 2.5, long: { over: 1000, input: 4, output: 20 } }
  const tokens = { input: 1000, output: 100, reasoning: 50, cachedInput: 0, cacheWrite: 0 }
  it.each([
    ['plain', tokens, (1000 * 2 + 100 * 10) / 1e6],
    ['with cached input', { ...tokens, cachedInput: 400 }, (600 * 2 + 400 * 0.5 + 1000) / 1e6],
    ['with input written to the cache', { ...tokens, cacheWrite: 400 }, (600 * 2 + 400 * 2.5 + 1000) / 1e6],
    ['with a long prompt', { ...tokens, input: 2000 }, (2000 * 4 + 100 * 20) / 1e6],
    ['with more cached than sent', { ...tokens, input: 10, cachedInput: 20 }, (20 * 0.5 + 1000) / 1e6],
  ])('%s', (_, used, usd) => {
    expect(costOf(price, used)).toBeCloseTo(usd, 12)
  })

  it('is estimated per call, and unknown without a price', async () => {
    const prices = await loadPrices()
    // Two million tokens over a hundred calls do not make a long prompt.
    expect(
      prices.estimate('google/gemini-2.5-pro', { calls: 100, inputTokens: 2e6, outputTokens: 1e5 }).usd,
    ).toBeCloseTo(2 * 1.25 + 0.1 * 10, 9)
    expect(prices.estimate('google/gemini-2.5-pro', { calls: 1, inputTokens: 2e6, outputTokens: 1e5 }).usd).toBeCloseTo(
      2 * 2.5 + 0.1 * 15,
      9,
    )
    expect(prices.estimate('vllm/x', { calls: 1, inputTokens: 1e6, outputTokens: 1e6 })).toEqual({
      calls: 1,
      inputTokens: 1e6,
      outputTokens: 1e6,
      usd: null,
      usdCached: null,
    })
    // Ten questions about one video of 1,000 tokens, with 100 tokens of their own.
    const video = { calls: 10, inputTokens: 11_000, outputTokens: 0, sentAgain: 8000, sentTwice: 1000 }
    expect(prices.estimate('openai/gpt-5.2', video).usdCached).toBeCloseTo((2000 * 1.75 + 9000 * 0.175) / 1e6, 12)
    const written = 2000 * 1 + 1000 * 1.25 + 8000 * 0.1
    expect(prices.estimate('anthropic/claude-haiku-4-5', video).usdCached).toBeCloseTo(written / 1e6, 12)
    // With two questions, what is written to the cache is never read, and still paid.
    const two = { calls: 2, inputTokens: 2200, outputTokens: 0, sentAgain: 0, sentTwice: 1000 }
    expect(prices.estimate('anthropic/claude-haiku-4-5', two)).toMatchObject({
      usd: expect.closeTo((1200 * 1 + 1000 * 1.25) / 1e6, 12) as number,
      usdCached: null,
    })
    // A conversation of three turns.
    const chat = { calls: 3, inputTokens: 600, outputTokens: 0, sentAgain: 300, kept: 300 }
    expect(prices.estimate('openai/gpt-5.2', chat).usdCached).toBeCloseTo((300 * 1.75 + 300 * 0.175) / 1e6, 12)
    const haiku = prices.estimate('anthropic/claude-haiku-4-5', chat)
    expect(haiku.usdCached).toBeCloseTo((300 * 1.25 + 300 * 0.1) / 1e6, 12)
    expect(prices.estimate('baseline/random', { calls: 5, inputTokens: 1e6, outputTokens: 1e6 }).usd).toBe(0)
  })
})
