/** Opens a model from its `provider/model` name. */
import { UserError } from '../../base/errors.ts'
import { Shared } from '../../base/shared.ts'
import { type Clock, realClock } from '../clock.ts'
import type { ModelDeps } from '../deps.ts'
import { checkDestination, checkVariable, type Destination, guardedLookup } from '../destinations.ts'
import { ADAPTIVE_START, Limiter, limiterKey } from '../limiter.ts'
import type { BatchHttp } from './batch-protocol.ts'
import type { FileUploads } from './file-uploads.ts'
import { MediaBody } from './media-body.ts'
import { type ModelOptions, parseModelOptions } from './options.ts'
import { findBaseUrls, findKey, parseModelSpec, type Provider, PROVIDERS } from './providers.ts'
import { resolveHeaders, variablesIn } from './headers.ts'
import { remoteModel } from './remote.ts'
import { replayModel } from './replay.ts'
import { passwordsIn, proxyPasswords, redactor } from '../secrets.ts'
import type { Model } from '../types.ts'
import { thinkingAllowance } from './thinking.ts'
import type { Transport } from './transport.ts'
import { Uploads } from './uploads.ts'
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
  if (providerName === 'generator') return (await import('../generators/model.ts')).openGeneratorModel(spec, name, deps)
  if (providerName === 'human') {
    throw new UserError(`${spec} can only play in the browser.`, { hint: 'Run `sightline view` and choose Play.' })
  }
  const provider = PROVIDERS.find((known) => known.name === providerName)
  if (!provider) throw new UserError(`Unknown model provider "${providerName}".`)
  return openRemote(spec, name, provider, deps)
}

/** Servers that take an id with media; of a compatible one the user knows. */
const KEEP_MEDIA: readonly string[] = ['vllm', 'openai-compatible', 'openai', 'anthropic', 'google']

async function openRemote(spec: string, name: string, provider: Provider, deps: ModelDeps): Promise<Model> {
  const options = parseModelOptions(deps.options, provider.keyNames[0])
  const key = findKey(provider, spec, deps.env)
  if (options.upload === 'once' && !KEEP_MEDIA.includes(provider.name)) {
    throw new UserError(`-M upload=once is not available for ${provider.name}.`, {
      hint: `These servers can keep media: ${KEEP_MEDIA.join(', ')}.`,
    })
  }
  if (options.upload === 'once' && provider.name === 'openai' && options.api === 'chat') {
    throw new UserError('-M upload=once needs the Responses API: use it without -M api=chat.')
  }
  const baseUrls = findBaseUrls(provider, options.baseUrl, deps.env)
  const clock = deps.clock ?? realClock
  const destinations = baseUrls.map(({ url }) => destinationOf(spec, url, provider, deps.env))
  for (const destination of deps.destinations ? destinations : []) {
    await checkDestination(destination, deps.destinations!)
    for (const { header, variable } of variablesIn(options.headers)) {
      await checkVariable(variable, header, destination, deps.destinations!)
    }
  }
  const headers = resolveHeaders(options.headers, deps.env)
  const secrets = [
    key,
    ...baseUrls.flatMap(({ credentials }) => passwordsIn(credentials)),
    ...proxyPasswords(deps.env),
    ...(provider.secretNames ?? []).map((secret) => deps.env[secret]),
    ...headers.secrets,
  ]
  let redactKnown = redactor(secrets)
  const redact = (text: string): string => redactKnown(text)
  const keepSecret = (secret: string | undefined): void => {
    if (secret === undefined || secrets.includes(secret)) return
    secrets.push(secret)
    redactKnown = redactor(secrets)
  }
  const log = (line: string) => deps.log(redact(line))

  const { openTransport } = await import('./transport.ts')
  const media = new MediaBody((ref) => deps.readMedia(ref))
  const bounds = {
    ...(deps.maxConnections === undefined ? {} : { fixed: Math.max(1, deps.maxConnections) }),
    start: ADAPTIVE_START,
    max: provider.maxConnections,
  }
  const limiters = deps.limiters ?? new Shared<Limiter>()
  const opened = await Promise.all(
    baseUrls.map(async ({ url, credentials }, at) => {
      const lookup = deps.destinations && guardedLookup(deps.destinations, destinations[at]!)
      const network = await openTransport(deps.env, lookup)
      const transport: Transport = {
        post: (call) => network.post({ ...call, headers: { ...call.headers, ...headers.values } }),
        request: (call) => network.request({ ...call, headers: { ...call.headers, ...headers.values } }),
        close: () => network.close(),
      }
      const given = { spec, name, provider, deps, options, key, baseUrl: url, credentials, media, transport }
      const files =
        options.upload === 'once' ? await openFiles(provider, url, transport, media, deps, clock) : undefined
      const about = { ...given, files, log, keepSecret, now: () => Date.now() }
      const wire = await openWire(about)
      return {
        url,
        wire,
        about,
        transport,
        limiter: limiters.hold(limiterKey(url, bounds), () => new Limiter(bounds, clock)),
      }
    }),
  )
  // The order in which they are given changes nothing.
  const baseUrl = baseUrls
    .map(({ url }) => url)
    .sort()
    .join(',')
  const batching =
    options.batch === false
      ? undefined
      : await (await import('./batching.ts')).openBatching(opened[0]!.about, openWire, { clock, redact })
  const rateLimiter = deps.rateLimiter?.(deps.maxConnections ?? provider.maxConnections)
  return remoteModel({
    id: spec,
    ...(rateLimiter ? { rateLimiter } : {}),
    servers: opened.map(({ url, wire, limiter }) => ({ url, wire, limiter: limiter.value })),
    target: {
      model: spec,
      baseUrl,
      options: {
        ...options.extra,
        api: options.api,
        image_detail: options.imageDetail,
        ...(options.apiVersion === undefined ? {} : { api_version: options.apiVersion }),
        ...(Object.keys(options.headers).length === 0 ? {} : { headers: options.headers }),
      },
    },
    sampling: options.sampling,
    thinkingAllowance: thinkingAllowance(name, options),
    swapsModels: provider.swapsModels,
    replies: deps.replies,
    ...(batching && { batching }),
    price: deps.prices.of(spec),
    trustReportedCost: provider.name === 'openrouter',
    maxRetries: deps.maxRetries,
    timeoutMs: deps.timeoutMs,
    clock,
    redact,
    keyName: (key === undefined ? provider.insteadOfKey?.join(' and ') : undefined) ?? provider.keyNames[0],
    baseUrlSetting: options.baseUrl === undefined ? provider.baseUrlName : `-M base_url=${redact(baseUrl)}`,
    log,
    close: async () => {
      for (const { limiter } of opened) await limiter.release()
      await rateLimiter?.close()
      // Batches that are still at the provider name them.
      if (!batching?.queue.isOpen) for (const { about } of opened) await about.files?.remove()
      for (const { transport } of opened) await transport.close()
    },
  })
}

/** Uploads to the file API of a provider that has one. */
async function openFiles(
  { family }: Provider,
  baseUrl: string,
  transport: Transport,
  media: MediaBody,
  deps: ModelDeps,
  clock: Clock,
): Promise<FileUploads | undefined> {
  if (family !== 'openai' && family !== 'anthropic' && family !== 'google') return undefined
  const { FileUploads: Opened, openaiFiles, anthropicFiles, googleFiles } = await import('./file-uploads.ts')
  const open = { openai: openaiFiles, anthropic: anthropicFiles, google: googleFiles }[family]
  const http = {
    baseUrl,
    request: (call: Parameters<BatchHttp['request']>[0]) => transport.request({ headers: {}, ...call }),
  }
  return new Opened(
    (own) => open(own, clock),
    http,
    media,
    (ref) => deps.readMedia(ref),
  )
}

/** An address, and the one of this machine that it is compared with: that of the same server if there are several. */
function destinationOf(model: string, url: string, provider: Provider, env: ModelDeps['env']): Destination {
  const isFromEnvironment = Boolean(env[provider.baseUrlName]?.trim())
  try {
    const own = findBaseUrls(provider, undefined, env).map((each) => each.url)
    const same = own.find((each) => new URL(each).origin === new URL(url).origin)
    return { model, url, own: same ?? own[0]!, isFromEnvironment }
  } catch (error) {
    if (!(error instanceof UserError)) throw error
    return { model, url, own: null, isFromEnvironment }
  }
}

/** Servers of the OpenAI protocol take a key, compatible ones also a password. */
function authorizationOf({ key, credentials }: WireContext): Record<string, string> {
  if (key !== undefined) return { authorization: `Bearer ${key}` }
  if (credentials === undefined) return {}
  return { authorization: `Basic ${Buffer.from(credentials).toString('base64')}` }
}

export interface WireContext {
  spec: string
  name: string
  provider: Provider
  deps: ModelDeps
  options: ModelOptions
  key: string | undefined
  baseUrl: string
  credentials: string | undefined
  media: MediaBody
  files: FileUploads | undefined
  transport: Transport
  log(line: string): void
  keepSecret(secret: string | undefined): void
  now(): number
}

/** The protocols that have `/audio/transcriptions`. */
const TRANSCRIBING: ReadonlySet<Provider['family']> = new Set(['compatible', 'openai'])

async function openWire(context: WireContext): Promise<Wire> {
  const { provider, name, options, key, baseUrl, media, transport, deps } = context
  if (options.api === 'transcriptions') {
    if (!TRANSCRIBING.has(provider.family))
      throw new UserError(`${context.spec} cannot transcribe speech.`, {
        hint: 'Use openai/whisper-1, or a server with /audio/transcriptions: vllm/openai/whisper-large-v3.',
      })
    const { transcribeWire } = await import('./transcribe.ts')
    const headers = authorizationOf(context)
    return transcribeWire(
      { model: name, baseUrl, headers, extra: options.extra, read: (ref) => deps.readMedia(ref) },
      transport,
    )
  }
  if (provider.family === 'compatible') {
    const { compatibleWire } = await import('./compatible.ts')
    const warn = (line: string): void => context.log(`${context.spec}: ${line}`)
    return compatibleWire(
      {
        model: name,
        baseUrl,
        headers: authorizationOf(context),
        accepts: new Set(provider.media),
        extra: options.extra,
        effortField: provider.name === 'openrouter' ? 'reasoning' : 'reasoning_effort',
        imageDetail: options.imageDetail,
        media,
        ...(options.upload === 'once' && { uploads: new Uploads(warn, deps.clock ?? realClock) }),
      },
      transport,
    )
  }
  const sdk = await import('./sdk-providers.ts')
  const cloud = await import('./cloud.ts')
  const open = {
    openai: sdk.openaiWire,
    anthropic: sdk.anthropicWire,
    google: sdk.googleWire,
    azure: cloud.azureWire,
    bedrock: cloud.bedrockWire,
    vertex: cloud.vertexWire,
  }[provider.family]
  return open({
    provider,
    model: name,
    baseUrl,
    key,
    options,
    env: deps.env,
    transport,
    media,
    files: context.files,
    warn: (line) => context.log(`${context.spec}: ${line}`),
    keepSecret: (secret) => context.keepSecret(secret),
    now: () => context.now(),
  })
}
