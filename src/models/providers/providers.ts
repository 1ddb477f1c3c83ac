/** The model providers: endpoints, environment variables and accepted media. */
import { UserError } from '../../base/errors.ts'
import { nearestName } from '../../base/nearest.ts'
import type { MediaType } from '../../media/ref.ts'
import { IMAGE_TYPES, AUDIO_TYPES } from './wire.ts'

type Env = Readonly<Record<string, string | undefined>>

export interface Provider {
  name: string
  family: 'openai' | 'anthropic' | 'google' | 'azure' | 'bedrock' | 'vertex' | 'compatible'
  /** Package of the AI SDK that users install themselves. */
  package?: string
  /** Environment variables for the API key, in order of preference. */
  keyNames: readonly [string, ...string[]]
  keyNeeded: boolean
  /** Environment variables that authenticate instead of the key. */
  insteadOfKey?: readonly string[]
  /** Environment variables with other secrets. */
  secretNames?: readonly string[]
  /** Environment variable for the base URL. */
  baseUrlName: string
  baseUrl: string | null | ((env: Env) => string | null)
  /** Environment variables that the default base URL is made of. */
  baseUrlFrom?: readonly string[]
  /** Appended to a base URL without a path. */
  defaultPath: string | ((env: Env) => string)
  /** Accepted media types. */
  media: readonly MediaType[]
  /** Upper bound of the adaptive connection limit. */
  maxConnections: number
  /** Holds one model in memory, as desktop servers do. */
  swapsModels: boolean
}

const HOSTED_CONNECTIONS = 64
/** A single GPU serves requests one after another: more concurrency only causes timeouts. */
const DESKTOP_CONNECTIONS = 4

const VIDEO: MediaType = 'video/mp4'
const GOOGLE_MEDIA: readonly MediaType[] = [
  'image/png',
  'image/jpeg',
  'image/webp',
  VIDEO,
  'video/quicktime',
  ...AUDIO_TYPES,
]

function compatible(
  name: string,
  baseUrl: string | null,
  settings: { media: readonly MediaType[]; maxConnections: number; keyNeeded?: boolean },
): Provider {
  const prefix = name.toUpperCase().replaceAll('-', '_')
  return {
    name,
    family: 'compatible',
    keyNames: [`${prefix}_API_KEY`],
    keyNeeded: settings.keyNeeded ?? false,
    baseUrlName: `${prefix}_BASE_URL`,
    baseUrl,
    defaultPath: '/v1',
    media: settings.media,
    maxConnections: settings.maxConnections,
    swapsModels: settings.maxConnections === DESKTOP_CONNECTIONS,
  }
}

export const PROVIDERS: readonly Provider[] = [
  {
    name: 'openai',
    family: 'openai',
    keyNames: ['OPENAI_API_KEY'],
    keyNeeded: true,
    baseUrlName: 'OPENAI_BASE_URL',
    baseUrl: 'https://api.openai.com/v1',
    defaultPath: '/v1',
    media: IMAGE_TYPES,
    maxConnections: HOSTED_CONNECTIONS,
    swapsModels: false,
  },
  {
    name: 'anthropic',
    family: 'anthropic',
    keyNames: ['ANTHROPIC_API_KEY'],
    keyNeeded: true,
    baseUrlName: 'ANTHROPIC_BASE_URL',
    baseUrl: 'https://api.anthropic.com/v1',
    defaultPath: '/v1',
    media: IMAGE_TYPES,
    maxConnections: HOSTED_CONNECTIONS,
    swapsModels: false,
  },
  {
    name: 'google',
    family: 'google',
    keyNames: ['GOOGLE_API_KEY', 'GEMINI_API_KEY', 'GOOGLE_GENERATIVE_AI_API_KEY'],
    keyNeeded: true,
    baseUrlName: 'GOOGLE_BASE_URL',
    baseUrl: 'https://generativelanguage.googleapis.com/v1beta',
    defaultPath: '/v1beta',
    media: GOOGLE_MEDIA,
    maxConnections: HOSTED_CONNECTIONS,
    swapsModels: false,
  },
  {
    name: 'azure',
    family: 'azure',
    package: '@ai-sdk/azure@^3.0.128',
    keyNames: ['AZURE_API_KEY'],
    keyNeeded: true,
    baseUrlName: 'AZURE_BASE_URL',
    baseUrl: ({ AZURE_RESOURCE_NAME: resource }) =>
      resource ? `https://${encodeURIComponent(resource)}.openai.azure.com/openai/v1` : null,
    baseUrlFrom: ['AZURE_RESOURCE_NAME'],
    defaultPath: '/openai/v1',
    media: IMAGE_TYPES,
    maxConnections: HOSTED_CONNECTIONS,
    swapsModels: false,
  },
  {
    name: 'bedrock',
    family: 'bedrock',
    package: '@ai-sdk/amazon-bedrock@^4.0.186',
    keyNames: ['AWS_BEARER_TOKEN_BEDROCK'],
    keyNeeded: false,
    insteadOfKey: ['AWS_ACCESS_KEY_ID', 'AWS_SECRET_ACCESS_KEY'],
    secretNames: ['AWS_SECRET_ACCESS_KEY', 'AWS_SESSION_TOKEN'],
    baseUrlName: 'AWS_ENDPOINT_URL_BEDROCK_RUNTIME',
    baseUrl: ({ AWS_REGION: region }) =>
      region
        ? `https://bedrock-runtime.${encodeURIComponent(region)}.amazonaws.com${region.startsWith('cn-') ? '.cn' : ''}`
        : null,
    baseUrlFrom: ['AWS_REGION'],
    defaultPath: '',
    media: IMAGE_TYPES,
    maxConnections: HOSTED_CONNECTIONS,
    swapsModels: false,
  },
  {
    name: 'vertex',
    family: 'vertex',
    package: '@ai-sdk/google-vertex@^4.0.208',
    keyNames: ['GOOGLE_VERTEX_API_KEY'],
    keyNeeded: false,
    insteadOfKey: ['GOOGLE_APPLICATION_CREDENTIALS'],
    baseUrlName: 'GOOGLE_VERTEX_BASE_URL',
    baseUrl: (env) => {
      if (env.GOOGLE_VERTEX_API_KEY) return 'https://aiplatform.googleapis.com'
      const { GOOGLE_VERTEX_PROJECT: project, GOOGLE_VERTEX_LOCATION: location } = env
      if (!project || !location) return null
      if (location === 'global') return 'https://aiplatform.googleapis.com'
      if (location === 'us' || location === 'eu') return `https://aiplatform.${location}.rep.googleapis.com`
      return `https://${encodeURIComponent(location)}-aiplatform.googleapis.com`
    },
    baseUrlFrom: ['GOOGLE_VERTEX_PROJECT', 'GOOGLE_VERTEX_LOCATION'],
    defaultPath: ({ GOOGLE_VERTEX_API_KEY: key, GOOGLE_VERTEX_PROJECT: project, GOOGLE_VERTEX_LOCATION: location }) =>
      key || !project || !location
        ? '/v1/publishers/google'
        : `/v1beta1/projects/${encodeURIComponent(project)}/locations/${encodeURIComponent(location)}/publishers/google`,
    media: GOOGLE_MEDIA,
    maxConnections: HOSTED_CONNECTIONS,
    swapsModels: false,
  },
  compatible('openrouter', 'https://openrouter.ai/api/v1', {
    media: [...IMAGE_TYPES, VIDEO, ...AUDIO_TYPES],
    maxConnections: HOSTED_CONNECTIONS,
    keyNeeded: true,
  }),
  compatible('vllm', 'http://localhost:8000/v1', {
    media: [...IMAGE_TYPES, VIDEO, ...AUDIO_TYPES],
    maxConnections: HOSTED_CONNECTIONS,
  }),
  compatible('sglang', 'http://localhost:30000/v1', {
    media: [...IMAGE_TYPES, VIDEO, ...AUDIO_TYPES],
    maxConnections: HOSTED_CONNECTIONS,
  }),
  compatible('ollama', 'http://localhost:11434/v1', { media: IMAGE_TYPES, maxConnections: DESKTOP_CONNECTIONS }),
  compatible('lmstudio', 'http://localhost:1234/v1', { media: IMAGE_TYPES, maxConnections: DESKTOP_CONNECTIONS }),
  compatible('openai-compatible', null, {
    media: [...IMAGE_TYPES, VIDEO, ...AUDIO_TYPES],
    maxConnections: HOSTED_CONNECTIONS,
  }),
]

/** Providers without an HTTP endpoint in `PROVIDERS`. */
export const LOCAL_PROVIDERS = ['baseline', 'replay', 'generator', 'human'] as const

export interface ModelSpec {
  provider: string
  /** Everything after the first slash; can contain more slashes. */
  name: string
}

export function parseModelSpec(spec: string): ModelSpec {
  const slash = spec.indexOf('/')
  const provider = slash < 0 ? spec : spec.slice(0, slash)
  const name = slash < 0 ? '' : spec.slice(slash + 1)
  const names = [...PROVIDERS.map((known) => known.name), ...LOCAL_PROVIDERS]
  if (!names.includes(provider)) {
    const guess = nearestName(provider, names)
    throw new UserError(
      slash < 0 ? `"${spec}" has no provider.` : `Unknown model provider "${provider}" in "${spec}".`,
      {
        hint: `${guess ? `Did you mean "${guess}"? ` : ''}Use provider/model with one of these providers: ${names.join(', ')}.`,
      },
    )
  }
  if (name === '') {
    throw new UserError(`No model name in "${spec}".`, { hint: `Use ${provider}/<model>.` })
  }
  return { provider, name }
}

/** The API key from the environment, without surrounding spaces. */
export function findKey(provider: Provider, spec: string, env: Env): string | undefined {
  for (const name of provider.keyNames) {
    const key = env[name]?.trim()
    if (!key) continue
    if (!/^[\x21-\x7e]+$/.test(key)) {
      throw new UserError(`${name} is not a valid API key: it contains spaces, line breaks or non-ASCII characters.`)
    }
    return key
  }
  if (!provider.keyNeeded) return undefined
  const [keyName, ...alternatives] = provider.keyNames
  const others = alternatives.length > 0 ? ` (${alternatives.join(' and ')} also work)` : ''
  throw new UserError(`No API key for ${spec}: ${keyName} is not set.`, {
    hint: `Set ${keyName} in the environment or in a .env file${others}.`,
  })
}

export interface BaseUrl {
  /** Without credentials and without a trailing slash. */
  url: string
  /** `user:password` from the URL. */
  credentials: string | undefined
}

/** Several, separated by commas, serve the same model. */
export function findBaseUrls(provider: Provider, option: string | undefined, env: Env): BaseUrl[] {
  const fromEnv = env[provider.baseUrlName]?.trim()
  const standard = typeof provider.baseUrl === 'function' ? provider.baseUrl(env) : provider.baseUrl
  const defaultPath = typeof provider.defaultPath === 'function' ? provider.defaultPath(env) : provider.defaultPath
  const text = option ?? (fromEnv || standard)
  const from = option === undefined ? provider.baseUrlName : '-M base_url'
  if (text === null) {
    throw new UserError(`No base URL for ${provider.name}.`, {
      hint: provider.baseUrlFrom
        ? `Set ${provider.baseUrlFrom.join(' and ')}.`
        : `Use -M base_url=http://host:port/v1 or set ${provider.baseUrlName}.`,
    })
  }
  const texts = text.split(',').map((each) => each.trim())
  if (texts.length > 1 && provider.family !== 'compatible') {
    throw new UserError(`${from} has several URLs, but ${provider.name} has one.`, {
      hint: 'Servers that speak the OpenAI protocol can share the requests: vllm, sglang, openai-compatible.',
    })
  }
  const found = texts.map((each) => parseBaseUrl(each, { provider, from, isOption: option !== undefined, defaultPath }))
  return [...new Map(found.map((each) => [each.url, each])).values()]
}

interface Given {
  provider: Provider
  /** What the URL was given with. */
  from: string
  isOption: boolean
  defaultPath: string
}

function parseBaseUrl(text: string, { provider, from, isOption, defaultPath }: Given): BaseUrl {
  const url = URL.canParse(text) ? new URL(text) : undefined
  if (url === undefined || !/^https?:$/.test(url.protocol) || url.search !== '' || url.hash !== '') {
    throw new UserError(`${from} is not a valid HTTP base URL.`, {
      hint: `Use a URL such as http://localhost:8000${defaultPath}.`,
    })
  }
  const credentials = url.username || url.password ? `${decode(url.username)}:${decode(url.password)}` : undefined
  if (credentials !== undefined && isOption) {
    throw new UserError('-M base_url contains a password, but options are saved with the run.', {
      hint: `Set ${provider.baseUrlName} in the environment instead.`,
    })
  }
  if (credentials !== undefined && provider.family !== 'compatible') {
    throw new UserError(`${from} contains a password, but ${provider.name} uses an API key.`, {
      hint: `Remove the password from the URL and set ${provider.keyNames[0]}.`,
    })
  }
  const path = url.pathname.replace(/\/+$/, '')
  return { url: `${url.origin}${path === '' ? defaultPath : path}`, credentials }
}

function decode(text: string): string {
  try {
    return decodeURIComponent(text)
  } catch {
    return text
  }
}
