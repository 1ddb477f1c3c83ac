/** CLIP's byte pairs, from the `tokenizer.json` that comes with its exports. */
import { z } from 'zod'
import { UserError } from '../../../../suite.ts'
import { readJson } from '../../domain/json.ts'
import { cleanedPrompt } from './prompt-text.ts'

const tokenizerFile = z.looseObject({
  model: z.looseObject({
    vocab: z.record(z.string(), z.int()),
    merges: z.array(z.union([z.string(), z.tuple([z.string(), z.string()])])),
  }),
})

const START = '<|startoftext|>'
const END = '<|endoftext|>'
const WORDS = /'s|'t|'re|'ve|'m|'ll|'d|\p{L}+|\p{N}|[^\s\p{L}\p{N}]+/giu

export interface Tokenizer {
  /** Exactly `length` numbers: start, words (cut off if too many), end, zeros. */
  encode(text: string, length: number): BigInt64Array
}

export async function readTokenizer(path: string): Promise<Tokenizer> {
  const parsed = tokenizerFile.safeParse(await readJson(path, `The tokenizer ${path}`))
  if (!parsed.success) throw new UserError(`${path} is not a tokenizer.json with byte pairs in it.`)
  const { vocab, merges } = parsed.data.model
  const ranks = new Map(merges.map((pair, rank) => [typeof pair === 'string' ? pair : pair.join(' '), rank]))
  const start = vocab[START]
  const end = vocab[END]
  if (start === undefined || end === undefined) throw new UserError(`${path} has no ${START} and ${END}.`)
  return {
    encode(text, length) {
      const words = cleanedPrompt(text).match(WORDS) ?? []
      const ids = words.flatMap((word) => pieces(word, ranks).map((piece) => vocab[piece] ?? end))
      const out = new BigInt64Array(length)
      const all = [start, ...ids.slice(0, length - 2), end]
      for (const [i, id] of all.entries()) out[i] = BigInt(id)
      return out
    },
  }
}

function pieces(word: string, ranks: ReadonlyMap<string, number>): string[] {
  const parts = [...Buffer.from(word, 'utf8')].map((byte) => BYTES[byte]!)
  parts[parts.length - 1] += '</w>'
  for (;;) {
    let best = -1
    let bestRank = Infinity
    for (let i = 0; i + 1 < parts.length; i++) {
      const rank = ranks.get(`${parts[i]} ${parts[i + 1]}`) ?? Infinity
      if (rank < bestRank) {
        bestRank = rank
        best = i
      }
    }
    if (best < 0) return parts
    parts.splice(best, 2, parts[best]! + parts[best + 1]!)
  }
}

/** GPT-2's printable stand-ins for all bytes. */
const BYTES: readonly string[] = (() => {
  const plain = (byte: number) => (byte >= 33 && byte <= 126) || (byte >= 161 && byte <= 172) || byte >= 174
  let next = 256
  return Array.from({ length: 256 }, (_, byte) => String.fromCodePoint(plain(byte) ? byte : next++))
})()
