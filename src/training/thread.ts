/** Entry point of a thread that makes examples: it plays, draws and encodes. */
import { workerData } from 'node:worker_threads'
import { sha256 } from '../base/hash.ts'
import { LruCache } from '../base/lru-cache.ts'
import { callInPlace, serveThread } from '../base/thread.ts'
import { suiteOptions } from '../engine/options.ts'
import { openSource } from '../engine/source.ts'
import type { OpenedSource, SampleBase } from '../engine/suite.ts'
import { loadSuite } from '../library/suites.ts'
import { leaveUncompressed } from '../media/quick-png.ts'
import type { MediaRef } from '../media/ref.ts'
import { sharp } from '../media/sharp.ts'
import { mediaIn, type Message, type Part } from '../models/types.ts'
import { conversations, type Example, preference } from './formats/example.ts'
import type { MadeExamples, ThreadSettings, ThreadWork } from './make.ts'
import { playForExamples } from './play.ts'
import { ROUNDING } from './reward.ts'

const { suite: name, from, options: given, images, player, rejected, ...rules } = workerData as ThreadSettings
const suite = await loadSuite(name, from)
const played = { ...rules, suite, options: suiteOptions(suite, given) }

/** Batches of two seeds may be made at once. */
const opened = new LruCache<Promise<OpenedSource<SampleBase>>>(2)

// Scenes are built where they are drawn.
callInPlace()
if (isEncodedAgain('image/png')) leaveUncompressed()
// No picture is encoded twice, and every core has a thread like this one. All threads of the process share these settings, and
// sharp sets its defaults wherever it is loaded: each thread does this, and `makeData` restores what was there.
sharp().cache(false)
sharp().concurrency(1)

serveThread<ThreadWork>({
  async draw({ source, seed, positions }) {
    const { profile } = rules
    const found = await opened.getOrCreate(source, () => openSource(suite, source, given, { seed, profile }))
    const samples = await Promise.all(positions.map((position) => found.at!(position)))
    return samples.filter((sample) => sample !== null)
  },

  async make({ samples }) {
    const media = new Map<string, Uint8Array>()
    const examples: Example[] = []
    for (const sample of samples) examples.push(...(await examplesOf(sample, media)))
    const used = new Map(examples.flatMap(({ messages }) => mediaIn(messages)).map((ref) => [ref.sha256, ref]))
    // All at once: sharp encodes in threads of its own, while this one draws the next scene.
    const encoded = new Map(
      await Promise.all([...used].map(async ([hash, ref]) => [hash, await encode(ref, media.get(hash)!)] as const)),
    )
    return {
      examples: examples.map((example) => ({
        ...example,
        messages: example.messages.map((message) => withMedia(message, encoded)),
      })),
      media: [...new Map([...encoded.values()].map(({ ref, bytes }) => [ref.sha256, bytes]))],
    } satisfies MadeExamples
  },
})

async function examplesOf(sample: SampleBase, media: Map<string, Uint8Array>): Promise<Example[]> {
  const good = await playForExamples(played, sample, player, media)
  if (rejected !== null) {
    return preference(sample, good, await playForExamples({ ...played, reasons: false }, sample, rejected, media))
  }
  // A good player may still fail: its replies would teach the failure.
  return good.reward >= 1 - ROUNDING ? conversations(sample, good) : []
}

function isEncodedAgain(type: MediaRef['type']): boolean {
  return type.startsWith('image/') && (images.type !== 'png' || images.maxSide !== null)
}

/** Pictures are encoded once for all questions about them. */
async function encode(ref: MediaRef, bytes: Uint8Array): Promise<{ ref: MediaRef; bytes: Uint8Array }> {
  const { type, quality, maxSide } = images
  if (!isEncodedAgain(ref.type)) return { ref, bytes }
  const image = sharp()(bytes)
  const sized = maxSide === null ? image : image.resize(maxSide, maxSide, { fit: 'inside', withoutEnlargement: true })
  const { data, info } = await (type === 'png' ? sized.png() : sized.jpeg({ quality })).toBuffer({
    resolveWithObject: true,
  })
  const { width, height } = info
  return { ref: { sha256: sha256(data), type: `image/${type}`, bytes: data.length, width, height }, bytes: data }
}

function withMedia(message: Message, encoded: ReadonlyMap<string, { ref: MediaRef }>): Message {
  if (typeof message.content === 'string') return message
  const content = message.content.map((part): Part =>
    part.type === 'media' ? { ...part, media: encoded.get(part.media.sha256)!.ref } : part,
  )
  return { ...message, content }
}
