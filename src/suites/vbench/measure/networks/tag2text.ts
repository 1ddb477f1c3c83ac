/** Tag2Text: names what a picture shows, and writes a caption with these tags in mind. */
import { beamSearch } from './beams.ts'
import type { Planes } from './resize.ts'
import { type Network, outputOf } from './runtime.ts'
import type { WordPieces } from './wordpiece.ts'

/** Settings of the published code. */
const SURE = 0.7
const UNUSED_TAGS = new Set([127, 3351, 3265, 3338, 3355, 3359])
const TAG_TOKENS = 40
const PROMPT = 'a picture of '
const CAPTION = { beams: 3, shortest: 10, longest: 30 }

export interface Tag2TextNetworks {
  vision: Network
  tags: Network
  words: Network
  vocabulary: WordPieces
  labels: readonly string[]
}

export async function caption(networks: Tag2TextNetworks, { width, height, data }: Planes): Promise<string> {
  const { vision, tags, words, vocabulary, labels } = networks
  const seen = await vision.run({ dims: [1, 3, height, width], data })
  const image = outputOf(seen, 'image')
  const sure = outputOf(seen, 'tags').data
  if (sure.length !== labels.length) {
    throw new Error(`the network has ${sure.length} tags, its labels name ${labels.length}`)
  }
  const named = labels.filter((_, i) => sure[i]! > SURE && !UNUSED_TAGS.has(i))
  const { ids, used } = vocabulary.encode(named.join(' | '), TAG_TOKENS)
  // Two tokens follow those of the vocabulary: one begins captions, the other tags.
  const [beginCaption, beginTags] = [vocabulary.size, vocabulary.size + 1]
  const encoded = await tags.run(
    { dims: [1, TAG_TOKENS], data: BigInt64Array.from([beginTags, ...ids.slice(1)], BigInt) },
    { dims: [1, TAG_TOKENS], data: BigInt64Array.from(ids, (_, i) => (i < used ? 1n : 0n)) },
    image,
  )
  const read = outputOf(encoded, 'encoded')
  const prompt = vocabulary.encode(PROMPT, TAG_TOKENS)
  const given = [beginCaption, ...prompt.ids.slice(1, prompt.used - 1)]
  const text = await beamSearch(
    given,
    async (texts) => {
      const tokens = BigInt64Array.from(texts.flat(), BigInt)
      const outputs = await words.run({ dims: [texts.length, texts[0]!.length], data: tokens }, read)
      return outputOf(outputs, 'logits').data
    },
    { ...CAPTION, end: vocabulary.id('[SEP]') },
  )
  return vocabulary.decode(text).slice(PROMPT.length)
}
