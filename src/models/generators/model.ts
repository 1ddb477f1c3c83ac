/** `generator/<name>`: something that makes videos, as a player. The same video is never paid for twice. */
import { messageOf } from '../../base/errors.ts'
import type { MediaRef } from '../../media/ref.ts'
import { videoType } from '../../media/video-type.ts'
import { eitherOf, realClock } from '../clock.ts'
import type { ModelDeps } from '../deps.ts'
import { cacheKey, requestKey } from '../key.ts'
import { DEFAULT_MAX_BYTES, Limiter } from '../limiter.ts'
import { redactor } from '../secrets.ts'
import { fromStored, toStored } from '../stored-reply.ts'
import { ModelError, type Model, type ModelRequest, NO_USAGE, type Reply, textOf } from '../types.ts'
import { type OpenedGenerator, openGenerator } from './open.ts'

/** Episodes that look at their videos while others are being made. */
const LOOKING = 2

export function generatorModel(id: string, name: string, deps: ModelDeps): Model {
  const generator = openGenerator(name, deps.generators ?? {}, deps.env)
  const limit = deps.maxConnections ?? generator.atOnce
  const clock = deps.clock ?? realClock
  const places = new Limiter({ fixed: limit, start: limit, max: limit, maxBytes: DEFAULT_MAX_BYTES }, clock)
  const never = new AbortController().signal

  const made = async (request: ModelRequest, signal: AbortSignal): Promise<Reply> => {
    const waiting = eitherOf(signal, request.draining ?? never)
    const lease = await places.acquire(places.ticket(), 0, waiting.signal).finally(() => waiting.release())
    try {
      const started = clock.now()
      const media = await makeVideo(generator, request, deps, signal)
      const ms = Math.round(clock.now() - started)
      return {
        text: '',
        media: [media],
        finish: 'stop',
        usage: { ...NO_USAGE, calls: 1, usd: null },
        ms,
        cached: false,
      }
    } finally {
      lease.release('neutral')
    }
  }

  return {
    id,
    local: false,
    output: 'video',
    address: generator.name,
    connections: () => limit + LOOKING,
    async ask(request, signal) {
      const { messages, sampling, epoch } = request
      const addressee = { model: id, baseUrl: generator.name, options: generator.settings }
      const key = cacheKey(addressee, messages, sampling, epoch)
      const known = fromStored(await deps.replies?.get(key))
      if (known?.media && (await allThere(known.media, deps))) return { ...known, key: requestKey(request) }
      const reply = await made(request, signal)
      await deps.replies?.put(key, toStored(id, reply)).catch((error: unknown) => {
        deps.log(`${id}: the video is made, but cannot be remembered: ${messageOf(error)}`)
      })
      return { ...reply, key: requestKey(request) }
    },
    close: () => {
      places.close()
      return Promise.resolve()
    },
  }
}

async function makeVideo(
  generator: OpenedGenerator,
  { messages, sampling }: ModelRequest,
  deps: ModelDeps,
  signal: AbortSignal,
): Promise<MediaRef> {
  const redact = redactor([generator.key])
  const text = textOf(messages.at(-1)!)
  let bytes: Uint8Array
  try {
    bytes = await generator.make({ text, seed: sampling.seed ?? 0, index: 0, signal })
  } catch (error) {
    signal.throwIfAborted()
    throw new ModelError('server', redact(messageOf(error)), 1, { cause: error })
  }
  const type = videoType(bytes)
  if (type === null) throw new ModelError('bad-reply', 'what the generator made is no video')
  if (!deps.keepMedia) throw new Error('a generator needs somewhere to keep its videos')
  return deps.keepMedia(bytes, type)
}

async function allThere(media: readonly MediaRef[], deps: ModelDeps): Promise<boolean> {
  for (const ref of media) if ((await deps.hasMedia?.(ref)) !== true) return false
  return true
}
