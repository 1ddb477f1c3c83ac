/** `generator/<name>`: a video generator as a model. Videos are cached, so the same one is never paid for twice. */
import { messageOf, trimFullStop } from '../../base/errors.ts'
import { Shared } from '../../base/shared.ts'
import type { MediaRef } from '../../media/ref.ts'
import { videoType } from '../../media/video-type.ts'
import { BudgetExceeded, ByteBudget } from '../byte-budget.ts'
import { anySignal, realClock } from '../clock.ts'
import type { ModelDeps } from '../deps.ts'
import { checkDestination } from '../destinations.ts'
import { cacheKey, requestKey } from '../key.ts'
import { Limiter, limiterKey } from '../limiter.ts'
import { redactor } from '../secrets.ts'
import { fromStored, toStored } from '../stored-reply.ts'
import { mediaIn, ModelError, type Model, type ModelRequest, NO_USAGE, type Reply, textOf } from '../types.ts'
import { MAX_VIDEO_BYTES } from './generator.ts'
import { isUrl, type OpenedGenerator, openGenerator } from './open.ts'

/** Videos being downloaded, until they are on disk. */
const VIDEO_MEMORY = new ByteBudget(MAX_VIDEO_BYTES)

/** Additional episodes that process finished videos while others are being generated. */
const EXTRA_EPISODES = 2

export async function openGeneratorModel(id: string, name: string, deps: ModelDeps): Promise<Model> {
  // The config is of this machine; a URL may come with a run from elsewhere, and would get the key.
  if (deps.destinations && !Object.hasOwn(deps.generators ?? {}, name) && isUrl(name)) {
    await checkDestination({ model: id, url: name, own: null, isFromEnvironment: false }, deps.destinations)
  }
  const generator = openGenerator(name, deps.generators ?? {}, deps.env)
  const limit = deps.maxConnections ?? generator.atOnce
  const clock = deps.clock ?? realClock
  const bounds = { fixed: limit, start: limit, max: limit }
  const limiters = deps.limiters ?? new Shared<Limiter>()
  const held = limiters.hold(limiterKey(generator.name, bounds), () => new Limiter(bounds, clock))
  const slots = held.value
  const never = new AbortController().signal

  const generate = async (request: ModelRequest, signal: AbortSignal): Promise<Reply> => {
    const waiting = anySignal(signal, request.draining ?? never)
    const lease = await slots.acquire(slots.ticket(), waiting.signal).finally(() => waiting.release())
    try {
      const started = clock.now()
      const media = await generateVideo(id, generator, request, deps, signal)
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
    connections: () => limit + EXTRA_EPISODES,
    async ask(request, signal) {
      const { messages, sampling, epoch } = request
      const target = { model: id, baseUrl: generator.name, options: generator.settings }
      const key = cacheKey(target, messages, sampling, epoch)
      const cached = fromStored(await deps.replies?.get(key))
      if (cached?.media && (await allStored(cached.media, deps))) return { ...cached, key: requestKey(request) }
      const reply = await generate(request, signal)
      await deps.replies?.put(key, toStored(id, reply)).catch((error: unknown) => {
        deps.log(`${id}: cannot write the response cache: ${messageOf(error)}`)
      })
      return { ...reply, key: requestKey(request) }
    },
    close: () => held.release(),
  }
}

async function generateVideo(
  id: string,
  generator: OpenedGenerator,
  { messages, sampling }: ModelRequest,
  deps: ModelDeps,
  signal: AbortSignal,
): Promise<MediaRef> {
  const redact = redactor([generator.key])
  const text = textOf(messages.at(-1)!)
  const [given] = mediaIn(messages)
  const image = given && { bytes: await deps.readMedia(given), type: given.type }
  const held = VIDEO_MEMORY.hold()
  const receive = (bytes: number): Promise<void> => held.take(bytes, signal)
  try {
    const bytes = await generator
      .make({ text, seed: sampling.seed ?? 0, index: 0, signal, receive, ...(image && { image }) })
      .catch((error: unknown) => {
        signal.throwIfAborted()
        if (error instanceof BudgetExceeded)
          throw new ModelError('too-large', `${id}: the responses for one video are together ${error.message}.`)
        throw new ModelError('server', `${id}: ${trimFullStop(redact(messageOf(error)))}.`, 1, { cause: error })
      })
    const type = videoType(bytes)
    if (type === null) throw new ModelError('bad-reply', `${id}: the generated file is not a video.`)
    if (!deps.storeMedia) throw new Error('a generator needs storeMedia')
    return await deps.storeMedia(bytes, type)
  } finally {
    held.release()
  }
}

async function allStored(media: readonly MediaRef[], deps: ModelDeps): Promise<boolean> {
  for (const ref of media) if ((await deps.hasMedia?.(ref)) !== true) return false
  return true
}
