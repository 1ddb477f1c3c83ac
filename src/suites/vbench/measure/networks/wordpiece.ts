/** BERT's word pieces, lower case, from its `vocab.txt`. */
import { readFile } from 'node:fs/promises'
import { fileErrorReason, UserError } from '../../../../suite.ts'

const SPECIAL = ['[PAD]', '[UNK]', '[CLS]', '[SEP]', '[MASK]']
/** Longer words are unknown. */
const LONGEST_WORD = 100
/** Punctuation for BERT is every ASCII character except letters, digits and spaces, and what Unicode calls so. */
const PUNCTUATION = /[!-/:-@[-`{-~\p{P}]/u
const CHINESE = /[\u3400-\u4DBF\u4E00-\u9FFF\uF900-\uFAFF\u{20000}-\u{2CEAF}\u{2F800}-\u{2FA1F}]/u
/** Written with the word before it, after pieces are joined. */
const ATTACHED: readonly (readonly [string, string])[] = [
  [' .', '.'],
  [' ?', '?'],
  [' !', '!'],
  [' ,', ','],
  [" ' ", "'"],
  [" n't", "n't"],
  [" 'm", "'m"],
  [" 's", "'s"],
  [" 've", "'ve"],
  [" 're", "'re"],
]

export interface WordPieces {
  /** How many tokens the vocabulary has. */
  size: number
  /** Number of a token that the vocabulary has. */
  id(token: string): number
  /** Exactly `length` numbers: `[CLS]`, pieces (cut off if too many), `[SEP]`, `[PAD]`; and how many are not padding. */
  encode(text: string, length: number): { ids: number[]; used: number }
  /** Text of these tokens without special ones. */
  decode(ids: readonly number[]): string
}

export async function readWordPieces(path: string): Promise<WordPieces> {
  const text = await readFile(path, 'utf8').catch((cause: unknown) => {
    throw new UserError(`The vocabulary ${path} cannot be read: ${fileErrorReason(cause)}.`, { cause })
  })
  const tokens = text.replace(/\r?\n$/, '').split(/\r?\n/)
  const places = new Map(tokens.map((token, place) => [token, place]))
  const missing = SPECIAL.find((token) => !places.has(token))
  if (missing !== undefined) throw new UserError(`${path} is not a vocabulary of BERT: it has no ${missing}.`)
  const special = new Set(SPECIAL.map((token) => places.get(token)!))
  const id = (token: string): number => {
    const place = places.get(token)
    if (place === undefined) throw new UserError(`${path} has no ${token}.`)
    return place
  }
  return {
    size: tokens.length,
    id,
    encode(words, length) {
      const pieces = wordsOf(words).flatMap((word) => piecesOf(word, places))
      const ids = [id('[CLS]'), ...pieces.slice(0, length - 2).map((piece) => places.get(piece)!), id('[SEP]')]
      const used = ids.length
      return { ids: [...ids, ...Array.from({ length: length - used }, () => id('[PAD]'))], used }
    },
    decode(ids) {
      // Numbers beyond the vocabulary are those of special tokens that a network added.
      const shown = ids.filter((place) => !special.has(place) && place < tokens.length).map((place) => tokens[place]!)
      let joinedText = shown.join(' ').replaceAll(' ##', '').trim()
      for (const [apart, together] of ATTACHED) joinedText = joinedText.replaceAll(apart, together)
      return joinedText
    },
  }
}

/** Words and marks, in lower case and without accents. */
function wordsOf(text: string): string[] {
  const plain = text
    .toLowerCase()
    .normalize('NFD')
    .replaceAll(/\p{Mn}/gu, '')
  const words: string[] = []
  for (const word of plain.split(/\s+/u).filter((each) => each !== '')) {
    let current = ''
    for (const character of word) {
      if (PUNCTUATION.test(character) || CHINESE.test(character)) {
        if (current !== '') words.push(current)
        words.push(character)
        current = ''
      } else if (!/[\p{Cc}\p{Cf}\uFFFD]/u.test(character)) current += character
    }
    if (current !== '') words.push(current)
  }
  return words
}

/** The longest known beginning, then the longest known continuation, and so on; unknown as a whole if one is missing. */
function piecesOf(word: string, places: ReadonlyMap<string, number>): string[] {
  const characters = Array.from(word)
  if (characters.length > LONGEST_WORD) return ['[UNK]']
  const pieces: string[] = []
  for (let start = 0; start < characters.length;) {
    let end = characters.length
    const piece = () => (start > 0 ? '##' : '') + characters.slice(start, end).join('')
    while (end > start && !places.has(piece())) end--
    if (end === start) return ['[UNK]']
    pieces.push(piece())
    start = end
  }
  return pieces
}
