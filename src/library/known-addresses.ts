/**
 * Addresses that this user has given on this machine, so `sightline resume` may use them again: base URLs of models by
 * provider, each with the environment variables in its headers, and queues. Kept in the user's state folder and not in the
 * store: a run from elsewhere must not decide where keys and passwords go.
 */
import { appendFile, mkdir, readFile } from 'node:fs/promises'
import { dirname } from 'node:path'
import { stateFile } from './known-suites.ts'

const FILE = 'base-urls'

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
export async function rememberAddresses(
  addresses: readonly { id: string; address: string | null; variables?: readonly string[] }[],
): Promise<void> {
  const known = new Set((await knownAddresses()).map(lineOf))
  const added = addresses.flatMap(({ id, address, variables = [] }) => {
    if (address === null || !URL.canParse(address)) return []
    const line = lineOf({ provider: id.split('/')[0]!, url: address, variables })
    return known.has(line) ? [] : [line]
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

function lineOf({ provider, url, variables }: KnownAddress): string {
  return `${[provider, url, ...variables].join(' ')}\n`
}
