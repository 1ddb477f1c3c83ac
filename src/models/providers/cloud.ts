/** Azure OpenAI, Amazon Bedrock and Google Vertex AI: AI SDK packages that users install themselves. */
import { codeOf, MissingAssetError, UserError } from '../../base/errors.ts'
import { ModelError } from '../types.ts'
import { RequestError } from './failure.ts'
import { googleWireOf, openaiWireOf, type SdkContext } from './sdk-providers.ts'
import { type ProviderOptions, sdkFetch, sdkWire } from './sdk.ts'
import { signature } from './sigv4.ts'
import { claudeName, claudeThinking } from './thinking.ts'
import type { Transport } from './transport.ts'
import type { Wire } from './wire.ts'

/** Imports a package that is not installed with Sightline. */
export async function separatePackage<Module>(
  { provider, model }: Pick<SdkContext, 'provider' | 'model'>,
  load: () => Promise<Module>,
): Promise<Module> {
  try {
    return await load()
  } catch (error) {
    if (codeOf(error) !== 'ERR_MODULE_NOT_FOUND') throw error
    throw new UserError(`${provider.name}/${model} needs a package that is not installed.`, {
      hint: `Install it with: npm install ${provider.package}`,
      cause: error,
    })
  }
}

/** Chat completions with an API version are the older API, with a path per deployment. */
export async function azureWire(context: SdkContext): Promise<Wire> {
  const { createAzure } = await separatePackage(context, () => import('@ai-sdk/azure'))
  const { options, baseUrl, key } = context
  const apiVersion = options.apiVersion ?? context.env.AZURE_API_VERSION
  const provider = createAzure({
    apiKey: key ?? '',
    fetch: sdkFetch(context.transport, context.media, options.extra),
    ...(apiVersion
      ? { apiVersion, baseURL: baseUrl.replace(/\/v1$/, ''), useDeploymentBasedUrls: true }
      : { baseURL: baseUrl }),
  })
  return openaiWireOf(provider, context, options.api === 'chat' || Boolean(apiVersion))
}

export async function bedrockWire(context: SdkContext): Promise<Wire> {
  const { createAmazonBedrock } = await separatePackage(context, () => import('@ai-sdk/amazon-bedrock'))
  const { model, baseUrl, key, media } = context
  const transport = key === undefined ? signedTransport(context) : context.transport
  const provider = createAmazonBedrock({
    // The SDK would sign the request before images are in it; the transport does it when it is complete.
    apiKey: key ?? 'signed by the transport',
    baseURL: baseUrl,
    fetch: sdkFetch(transport, media, context.options.extra),
  })
  const claude = claudeName(model)
  return sdkWire({
    model: provider.languageModel(model),
    accepts: new Set(context.provider.media),
    providerOptions: ({ effort }): ProviderOptions => {
      if (effort === undefined || effort === 'none') return {}
      const thinking = claude === undefined ? undefined : claudeThinking(claude, effort)
      if (thinking?.type === 'enabled') return { bedrock: { reasoningConfig: thinking } }
      const type = claude === undefined ? 'enabled' : 'adaptive'
      return { bedrock: { reasoningConfig: { type, maxReasoningEffort: effort } } }
    },
    media,
    warn: context.warn,
  })
}

function signedTransport({ provider, model, env, transport, now }: SdkContext): Transport {
  const { AWS_ACCESS_KEY_ID: accessKeyId, AWS_SECRET_ACCESS_KEY: secretAccessKey, AWS_REGION: region } = env
  if (!accessKeyId || !secretAccessKey || !region) {
    throw new UserError(`No credentials for ${provider.name}/${model}.`, {
      hint: 'Set AWS_BEARER_TOKEN_BEDROCK, or AWS_ACCESS_KEY_ID, AWS_SECRET_ACCESS_KEY and AWS_REGION.',
    })
  }
  const credentials = { accessKeyId, secretAccessKey, sessionToken: env.AWS_SESSION_TOKEN }
  return {
    async post(call) {
      const headers = await signature(call, credentials, region, 'bedrock', now())
      return transport.post({ ...call, headers })
    },
    request: (call) => transport.request(call),
    close: () => transport.close(),
  }
}

/** With an API key or, through Google's own library, with the credentials of this machine. */
export async function vertexWire(context: SdkContext): Promise<Wire> {
  const { createVertex } = await separatePackage(context, () => import('@ai-sdk/google-vertex'))
  const { env, key, baseUrl } = context
  const transport: Transport = {
    post: (call) => {
      context.keepSecret(call.headers.authorization?.replace(/^Bearer /, ''))
      return context.transport.post(call)
    },
    request: (call) => context.transport.request(call),
    close: () => context.transport.close(),
  }
  const provider = createVertex({
    ...(key === undefined ? {} : { apiKey: key }),
    project: env.GOOGLE_VERTEX_PROJECT ?? '',
    location: env.GOOGLE_VERTEX_LOCATION ?? '',
    ...(env.GOOGLE_APPLICATION_CREDENTIALS
      ? { googleAuthOptions: { keyFilename: env.GOOGLE_APPLICATION_CREDENTIALS } }
      : {}),
    baseURL: baseUrl,
    fetch: sdkFetch(transport, context.media, context.options.extra),
  })
  return googleWireOf(provider.languageModel(context.model), context, {
    explain: (error) => (isOurs(error) ? null : noCredentials(error)),
  })
}

function isOurs(error: Error): boolean {
  return error instanceof RequestError || error instanceof ModelError || error instanceof MissingAssetError
}

/** Google's library found no credentials, or they were rejected. */
function noCredentials(error: Error): RequestError {
  const [message = ''] = error.message.split('\n')
  return new RequestError({ kind: 'auth', retry: false, fatal: true, message: `no access token: ${message}` })
}
