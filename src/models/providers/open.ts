/** From `provider/model`, as the user spells it, to a model that can be asked. */
import { UserError } from '../../base/errors.ts'
import { realClock } from '../clock.ts'
import type { ModelDeps } from '../deps.ts'
import { ADAPTIVE_START, DEFAULT_MAX_BYTES, Limiter } from '../limiter.ts'
import { MediaBody } from './media-body.ts'
import { type ModelOptions, parseModelOptions } from './options.ts'
import { findBaseUrl, findKey, parseModelSpec, type Provider, PROVIDERS } from './providers.ts'
import { remoteModel } from './remote.ts'
import { replayModel } from './replay.ts'
import { passwordsIn, proxyPasswords, redactor } from '../secrets.ts'
import type { Model } from '../types.ts'
import type { Transport } from './transport.ts'
import type { Wire } from './wire.ts'

/**
 * Opens a model. Nothing is sent until it is asked; what is wrong with the name, the options or the environment is
 * said now, as a `UserError`.
 *
 * @example
 * const model = await openModel('openai/gpt-5.2', deps)
 * const reply = await model.ask({ messages, sampling: {}, epoch: 0, origin }, signal)
 */
export async function openModel(spec: string, deps: ModelDeps): Promise<Model> {
  const { provider: providerName, name } = parseModelSpec(spec)
  if (providerName === 'baseline') {
    throw new UserError(`${spec} plays only as the player of a suite.`)
  }
  if (providerName === 'replay') {
    if (!deps.recorded) throw new UserError(`${spec}: there are no recorded runs here.`)
    const { loose } = parseModelOptions(deps.options, 'the key of the provider')
    return replayModel(spec, await deps.recorded(name), loose)
  }
  if (providerName === 'generator') return (await import('../generators/model.ts')).generatorModel(spec, name, deps)
  if (providerName === 'human') {
    throw new UserError(`${spec} plays in the browser.`, { hint: 'Open it with `sightline view`, then choose Play.' })
  }
  const provider = PROVIDERS.find((known) => known.name === providerName)
  if (!provider) throw new UserError(`There is no model provider "${providerName}".`)
  return openRemote(spec, name, provider, deps)
}

async function openRemote(spec: string, name: string, provider: Provider, deps: ModelDeps): Promise<Model> {
  const options = parseModelOptions(deps.options, provider.keyNames[0])
  const key = findKey(provider, spec, deps.env)
  const { url: baseUrl, credentials } = findBaseUrl(provider, options.baseUrl, deps.env)
  const clock = deps.clock ?? realClock
  const redact = redactor([key, ...passwordsIn(credentials), ...proxyPasswords(deps.env)])
  const log = (line: string) => deps.log(redact(line))

  const { openTransport } = await import('./transport.ts')
  const transport = await openTransport(deps.env, () => clock.now())
  const wire = await openWire({ spec, name, provider, deps, options, key, baseUrl, credentials, transport, log })
  const limiter = new Limiter(
    {
      ...(deps.maxConnections === undefined ? {} : { fixed: Math.max(1, deps.maxConnections) }),
      start: ADAPTIVE_START,
      max: provider.maxConnections,
      maxBytes: DEFAULT_MAX_BYTES,
    },
    clock,
    (limit) => log(`${spec}: the server has too much to do; now at most ${limit} requests at a time`),
  )
  const rateLimiter = deps.rateLimiter?.(deps.maxConnections ?? provider.maxConnections)
  return remoteModel({
    id: spec,
    ...(rateLimiter ? { rateLimiter } : {}),
    wire,
    addressee: {
      model: spec,
      baseUrl,
      options: { ...options.extra, api: options.api, image_detail: options.imageDetail },
    },
    sampling: options.sampling,
    limiter,
    replies: deps.replies,
    price: deps.prices.of(spec),
    charges: provider.name === 'openrouter',
    maxRetries: deps.maxRetries,
    timeoutMs: deps.timeoutMs,
    clock,
    redact,
    authHint: `Check ${provider.keyNames[0]} and what it is allowed to do.`,
    log,
    close: async () => {
      await rateLimiter?.close()
      await transport.close()
    },
  })
}

interface WireContext {
  spec: string
  name: string
  provider: Provider
  deps: ModelDeps
  options: ModelOptions
  key: string | undefined
  baseUrl: string
  credentials: string | undefined
  transport: Transport
  log(line: string): void
}

async function openWire(context: WireContext): Promise<Wire> {
  const { provider, name, options, key, baseUrl, credentials, transport, deps } = context
  const media = new MediaBody((ref) => deps.readMedia(ref))
  if (provider.family === 'compatible') {
    const { compatibleWire } = await import('./compatible.ts')
    const authorization =
      key !== undefined
        ? `Bearer ${key}`
        : credentials !== undefined
          ? `Basic ${Buffer.from(credentials).toString('base64')}`
          : undefined
    return compatibleWire(
      {
        model: name,
        baseUrl,
        headers: authorization === undefined ? {} : { authorization },
        accepts: new Set(provider.media),
        extra: options.extra,
        effortField: provider.name === 'openrouter' ? 'reasoning' : 'reasoning_effort',
        imageDetail: options.imageDetail,
        media,
      },
      transport,
    )
  }
  const { anthropicWire, googleWire, openaiWire } = await import('./sdk-providers.ts')
  const open = { openai: openaiWire, anthropic: anthropicWire, google: googleWire }[provider.family]
  return open({
    provider,
    model: name,
    baseUrl,
    key: key ?? '',
    options,
    env: deps.env,
    transport,
    media,
    warn: (line) => context.log(`${context.spec}: ${line}`),
  })
}
