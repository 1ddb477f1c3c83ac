/** Opens a model from its `provider/model` name. */
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
 * Opens a model without sending anything. Throws a `UserError` if the name, the options or the environment are invalid.
 *
 * @example
 * const model = await openModel('openai/gpt-5.2', deps)
 * const reply = await model.ask({ messages, sampling: {}, epoch: 0, origin }, signal)
 */
export async function openModel(spec: string, deps: ModelDeps): Promise<Model> {
  const { provider: providerName, name } = parseModelSpec(spec)
  if (providerName === 'baseline') {
    throw new UserError(`${spec} is a baseline and can only be used as the player.`, {
      hint: 'Use a model for the other roles: --model-role judge=provider/name',
    })
  }
  if (providerName === 'replay') {
    if (!deps.recorded) throw new UserError(`Cannot open ${spec}: recorded runs are not available here.`)
    const { loose } = parseModelOptions(deps.options, "the provider's environment variable")
    return replayModel(spec, await deps.recorded(name), loose)
  }
  if (providerName === 'generator') return (await import('../generators/model.ts')).generatorModel(spec, name, deps)
  if (providerName === 'human') {
    throw new UserError(`${spec} can only play in the browser.`, { hint: 'Run `sightline view` and choose Play.' })
  }
  const provider = PROVIDERS.find((known) => known.name === providerName)
  if (!provider) throw new UserError(`Unknown model provider "${providerName}".`)
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
  )
  const rateLimiter = deps.rateLimiter?.(deps.maxConnections ?? provider.maxConnections)
  return remoteModel({
    id: spec,
    ...(rateLimiter ? { rateLimiter } : {}),
    wire,
    target: {
      model: spec,
      baseUrl,
      options: { ...options.extra, api: options.api, image_detail: options.imageDetail },
    },
    sampling: options.sampling,
    limiter,
    replies: deps.replies,
    price: deps.prices.of(spec),
    trustReportedCost: provider.name === 'openrouter',
    maxRetries: deps.maxRetries,
    timeoutMs: deps.timeoutMs,
    clock,
    redact,
    keyName: provider.keyNames[0],
    baseUrlSetting: options.baseUrl === undefined ? provider.baseUrlName : `-M base_url=${redact(baseUrl)}`,
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
