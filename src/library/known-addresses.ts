/**
 * Addresses that this user has given on this machine, so `sightline resume` may use them again: base URLs of models by
 * provider, each with the environment variables that went there in headers, and queues. Kept in the user's state folder and
 * not in the store: a run from elsewhere must not decide where keys and passwords go.
 */
import { appendFile, mkdir, readFile } from 'node:fs/promises'
import { dirname } from 'node:path'
import { stateFile } from './known-suites.ts'

const FILE = 'base-urls'

export interface UsedAddress {
  /** `provider/name`. */
  id: string
  address: string | null
  /** Environment variables in headers. */
  variables?: readonly string[]
}

interface KnownAddress {
  provider: string
  url: string
  variables: readonly string[]
}

export async function knownAddresses(): Promise<KnownAddress[]> {
  const text = await readFile(stateFile(FILE), 'utf8').catch(() => '')
  return text.split('\n').flatMap((line) => {
    const [provider = '', url = '', ...variables] = line.split(' ')
    return URL.canParse(url) ? [{ provider, url, variables }] : []
  })
}

/** Best effort: if the file cannot be written, the user is only asked when the run is resumed. */
export async function rememberAddresses(addresses: readonly UsedAddress[]): Promise<void> {
  const known = await knownAddresses()
  const added = addresses.flatMap(({ id, address, variables = [] }) => {
    const provider = id.split('/')[0]!
    const name = id.slice(provider.length + 1)
    // A generator is named by its URL.
    const urls = URL.canParse(name) ? [name] : (address?.split(',') ?? [])
    const isKnown = (url: string): boolean =>
      known.some(
        (each) =>
          each.provider === provider &&
          each.url === url &&
          variables.every((variable) => each.variables.includes(variable)),
      )
    return urls.flatMap((url) => (isKnown(url) ? [] : [`${[provider, url, ...variables].join(' ')}\n`]))
  })
  if (added.length === 0) return
  try {
    await mkdir(dirname(stateFile(FILE)), { recursive: true })
    // Appended, because several runs may start at the same time.
    await appendFile(stateFile(FILE), added.join(''))
  } catch {
    // Best effort.
  }
}
