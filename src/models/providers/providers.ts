/** Who can be asked: where they are, which variables of the environment they need, what they can be shown. */
import { UserError } from '../../base/errors.ts'
import { nearestName } from '../../base/nearest.ts'
import type { MediaType } from '../../media/ref.ts'
import { PICTURES, SOUNDS } from './wire.ts'

export interface Provider {
  name: string
  family: 'openai' | 'anthropic' | 'google' | 'compatible'
  /** Variables that may hold the key, the usual one first. */
  keyNames: readonly [string, ...string[]]
  keyNeeded: boolean
  baseUrlName: string
  baseUrl: string | null
  /** Added to a base URL that is only a host. */
  defaultPath: string
  media: readonly MediaType[]
  /** The adaptive limit never grows beyond this. */
  maxConnections: number
}

const HOSTED = 64
/** One graphics card that answers one after the other: a long queue there only runs into time-outs. */
const DESKTOP = 4

const VIDEO: MediaType = 'video/mp4'

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
    media: PICTURES,
    maxConnections: HOSTED,
  },
  {
    name: 'anthropic',
    family: 'anthropic',
    keyNames: ['ANTHROPIC_API_KEY'],
    keyNeeded: true,
    baseUrlName: 'ANTHROPIC_BASE_URL',
    baseUrl: 'https://api.anthropic.com/v1',
    defaultPath: '/v1',
    media: PICTURES,
    maxConnections: HOSTED,
  },
  {
    name: 'google',
    family: 'google',
    keyNames: ['GOOGLE_API_KEY', 'GEMINI_API_KEY', 'GOOGLE_GENERATIVE_AI_API_KEY'],
    keyNeeded: true,
    baseUrlName: 'GOOGLE_BASE_URL',
    baseUrl: 'https://generativelanguage.googleapis.com/v1beta',
    defaultPath: '/v1beta',
    media: ['image/png', 'image/jpeg', 'image/webp', VIDEO, 'video/quicktime', ...SOUNDS],
    maxConnections: HOSTED,
  },
  compatible('openrouter', 'https://openrouter.ai/api/v1', {
    media: [...PICTURES, VIDEO, ...SOUNDS],
    maxConnections: HOSTED,
    keyNeeded: true,
  }),
  compatible('vllm', 'http://localhost:8000/v1', { media: [...PICTURES, VIDEO, ...SOUNDS], maxConnections: HOSTED }),
  compatible('sglang', 'http://localhost:30000/v1', { media: [...PICTURES, VIDEO, ...SOUNDS], maxConnections: HOSTED }),
  compatible('ollama', 'http://localhost:11434/v1', { media: PICTURES, maxConnections: DESKTOP }),
  compatible('lmstudio', 'http://localhost:1234/v1', { media: PICTURES, maxConnections: DESKTOP }),
  compatible('openai-compatible', null, { media: [...PICTURES, VIDEO, ...SOUNDS], maxConnections: HOSTED }),
]

/** Providers that are no endpoints. */
export const LOCAL_PROVIDERS = ['baseline', 'replay', 'generator', 'human'] as const

export interface ModelSpec {
  provider: string
  /** All after the first slash; may hold more of them. */
  name: string
}

export function parseModelSpec(spec: string): ModelSpec {
  const slash = spec.indexOf('/')
  const provider = slash < 0 ? spec : spec.slice(0, slash)
  const name = slash < 0 ? '' : spec.slice(slash + 1)
  const names = [...PROVIDERS.map((known) => known.name), ...LOCAL_PROVIDERS]
  if (!names.includes(provider)) {
    const guess = nearestName(provider, names)
    throw new UserError(`There is no model provider "${provider}" (in "${spec}").`, {
      hint: `${guess ? `Did you mean "${guess}"? ` : ''}A model is written provider/model; providers are: ${names.join(', ')}.`,
    })
  }
  if (name === '') {
    throw new UserError(`"${spec}" names no model.`, { hint: `Write ${provider}/ and the model's name after it.` })
  }
  return { provider, name }
}

type Env = Readonly<Record<string, string | undefined>>

/** The key from the environment; blanks around it are a slip of the hand. */
export function findKey(provider: Provider, spec: string, env: Env): string | undefined {
  for (const name of provider.keyNames) {
    const key = env[name]?.trim()
    if (!key) continue
    if (!/^[\x21-\x7e]+$/.test(key)) {
      throw new UserError(`${name} holds characters that cannot be part of a key (blanks, line breaks or accents).`)
    }
    return key
  }
  if (!provider.keyNeeded) return undefined
  throw new UserError(`${spec} needs a key, and ${provider.keyNames.join(' and ')} ${many(provider)} not set.`, {
    hint: `Set ${provider.keyNames[0]} in the environment or in a .env file.`,
  })
}

function many(provider: Provider): string {
  return provider.keyNames.length > 1 ? 'are' : 'is'
}

export interface BaseUrl {
  /** Without credentials and without a slash at the end. */
  url: string
  /** `user:password` of an address that has them. */
  credentials: string | undefined
}

export function findBaseUrl(provider: Provider, option: string | undefined, env: Env): BaseUrl {
  const fromEnv = env[provider.baseUrlName]?.trim()
  const text = option ?? (fromEnv || provider.baseUrl)
  const from = option === undefined ? provider.baseUrlName : '-M base_url'
  if (text === null) {
    throw new UserError(`${provider.name} needs an address.`, {
      hint: `Give -M base_url=http://host:port/v1 or set ${provider.baseUrlName}.`,
    })
  }
  const example = `It should look like http://localhost:8000${provider.defaultPath}.`
  const url = URL.canParse(text) ? new URL(text) : undefined
  if (url === undefined || !/^https?:$/.test(url.protocol) || url.search !== '' || url.hash !== '') {
    throw new UserError(`${from} is not the address of an HTTP service.`, { hint: example })
  }
  const credentials = url.username || url.password ? `${decode(url.username)}:${decode(url.password)}` : undefined
  if (credentials !== undefined && option !== undefined) {
    throw new UserError('-M base_url holds a password, and options are written into the files of a run.', {
      hint: `Set ${provider.baseUrlName} in the environment instead.`,
    })
  }
  if (credentials !== undefined && provider.family !== 'compatible') {
    throw new UserError(`${from} holds a password, which ${provider.name} does not use: it has a key.`)
  }
  const path = url.pathname.replace(/\/+$/, '')
  return { url: `${url.origin}${path === '' ? provider.defaultPath : path}`, credentials }
}

function decode(text: string): string {
  try {
    return decodeURIComponent(text)
  } catch {
    return text
  }
}
