/**
 * Where keys may go. The base URL of a run on a queue, or of a run file from elsewhere, is somebody else's choice: it gets
 * a request only if it is the provider's own address, or one that the user of this machine has named.
 */
import { lookup } from 'node:dns'
import { BlockList, isIP, type LookupFunction } from 'node:net'
import { UserError } from '../base/errors.ts'

/** What the user of this machine allows. */
export interface Destinations {
  /**
   * Base URLs that the user has named, for one provider or for all. A URL allows everything below its path. Variables
   * are those that the user has sent there in a header.
   */
  allowed: readonly { url: string; provider?: string; variables?: readonly string[] }[]
  /** Environment variables that headers may refer to, whatever the address. */
  variables: readonly string[]
  /** Whether a server on this machine counts as the provider's own, as in `vllm/…` without a base URL. */
  thisMachine: boolean
  /** How the user can allow a URL. */
  hint: string
  /** How the user can allow a variable. */
  variableHint: string
  /** Asks the user about an address that nothing else allows, or about an environment variable that a header refers to. */
  confirm?(destination: Destination, variable?: string): Promise<boolean>
}

/** Variables with this prefix are meant for the models of any run: others may hold what is not meant for them. */
const OPEN_VARIABLE = 'SIGHTLINE_HEADER_'

export interface Destination {
  /** `openai/gpt-5.2`. */
  model: string
  url: string
  /** The address that this machine would use by itself: from its environment, or the provider's; null if there is none. */
  own: string | null
  /** Whether `own` comes from the environment. */
  isFromEnvironment: boolean
}

/** Also the metadata services of clouds elsewhere: Azure, Oracle, Alibaba, Amazon. NAT64 (64:ff9b::) leads to IPv4. */
const LINK_LOCAL = blockList(
  ['169.254.0.0', 16],
  ['168.63.129.16', 32],
  ['192.0.0.192', 32],
  ['100.100.100.200', 32],
  ['fe80::', 10],
  ['fd00:ec2::', 32],
  ['64:ff9b::a9fe:0', 112],
)
const THIS_MACHINE = blockList(['127.0.0.0', 8], ['0.0.0.0', 8], ['::', 127], ['64:ff9b::7f00:0', 104])

function blockList(...subnets: readonly [address: string, bits: number][]): BlockList {
  const list = new BlockList()
  for (const [address, bits] of subnets) list.addSubnet(address, bits, isIP(address) === 6 ? 'ipv6' : 'ipv4')
  return list
}

function isIn(list: BlockList, address: string): boolean {
  const kind = isIP(address)
  return kind !== 0 && list.check(address, kind === 6 ? 'ipv6' : 'ipv4')
}

/** Throws a `UserError` unless requests for a model may go to an address. */
export async function checkDestination(destination: Destination, destinations: Destinations): Promise<void> {
  const { model, url, own, isFromEnvironment } = destination
  if (namedFor(destination, destinations).length > 0) return
  const isOwn = own !== null && isBelow(url, new URL(own).origin)
  if (isOwn && (isFromEnvironment || destinations.thisMachine || !isLocal(new URL(url).hostname))) return
  if (await destinations.confirm?.(destination)) return
  throw new UserError(`It would ask ${model} at ${url}, an address that nobody on this machine has named.`, {
    hint: destinations.hint,
  })
}

/** What the user has named for an address. */
function namedFor({ model, url }: Destination, { allowed }: Destinations): Destinations['allowed'] {
  const [provider] = model.split('/')
  return allowed.filter((each) => (each.provider === undefined || each.provider === provider) && isBelow(url, each.url))
}

/** Throws a `UserError` unless a header to a checked address may contain an environment variable. */
export async function checkVariable(
  variable: string,
  header: string,
  destination: Destination,
  destinations: Destinations,
): Promise<void> {
  const sentBefore = namedFor(destination, destinations).some(({ variables = [] }) => variables.includes(variable))
  if (variable.startsWith(OPEN_VARIABLE) || destinations.variables.includes(variable) || sentBefore) return
  if (await destinations.confirm?.(destination, variable)) return
  throw new UserError(
    `Its header ${header} would send the environment variable ${variable} to ${destination.url}, which nobody on this machine has done before.`,
    { hint: destinations.variableHint },
  )
}

/** Refuses names that resolve to an address that belongs to the machine or its cloud, unless the user has named it. */
export function guardedLookup(
  { allowed }: Destinations,
  { own, isFromEnvironment }: Destination,
  resolve: typeof lookup = lookup,
): LookupFunction {
  const urls = [...allowed.map(({ url }) => url), ...(own !== null && isFromEnvironment ? [own] : [])]
  const named = new Set(urls.map((url) => new URL(url).hostname))
  return (hostname, options, callback) => {
    const lists = named.has(hostname) || isLocal(hostname) ? [LINK_LOCAL] : [LINK_LOCAL, THIS_MACHINE]
    resolve(hostname, { ...options, all: true }, (error, found) => {
      const wrong = error ? undefined : found.find(({ address }) => lists.some((list) => isIn(list, address)))
      if (error || wrong) {
        const message = `${hostname} resolves to ${wrong?.address}, which is not a model server`
        callback(error ?? Object.assign(new Error(message), { code: 'ERR_INVALID_ADDRESS' }), [])
      } else if (options.all) callback(null, found)
      else callback(null, found[0]!.address, found[0]!.family)
    })
  }
}

function isLocal(hostname: string): boolean {
  const address = hostname.replaceAll(/^\[|\]$/g, '')
  return /(^|\.)localhost\.?$/i.test(address) || isIn(THIS_MACHINE, address) || isIn(LINK_LOCAL, address)
}

/** The same origin, and a path below that of the other URL. */
function isBelow(text: string, above: string): boolean {
  const url = new URL(text)
  const base = new URL(above)
  const path = base.pathname.replace(/\/+$/, '')
  return url.origin === base.origin && (url.pathname === path || url.pathname.startsWith(`${path}/`))
}

/** Checks `--allow-base-url`. */
export function parseBaseUrls(given: readonly string[]): Destinations['allowed'] {
  for (const text of given) {
    if (!URL.canParse(text) || !/^https?:$/.test(new URL(text).protocol)) {
      throw new UserError(`Invalid --allow-base-url "${text}". Use a URL such as http://gpu-1:8000/v1.`)
    }
  }
  return given.map((url) => ({ url }))
}
