/**
 * Access control. The server exposes local data, and any web page open in the same browser can send requests to it, so
 * it only answers requests from its own pages.
 *
 * - Host must be a loopback name or the bound address; other names (DNS rebinding) are refused.
 * - Origin, if present, must be this server; writes require it.
 * - Cross-site requests (`Sec-Fetch-Site`) to the API are refused.
 * - Every request needs the token of this start: first from the printed link, then from a cookie, or from a Bearer header.
 *   Other users and programs of the machine can reach loopback, too.
 */
import { createHash, timingSafeEqual } from 'node:crypto'
import { hostname, networkInterfaces } from 'node:os'
import { isIP } from 'node:net'
import type { Context, MiddlewareHandler } from 'hono'
import { getCookie, setCookie } from 'hono/cookie'
import { openingPage, tokenRequiredPage } from './pages.ts'
import { HttpProblem } from './problem.ts'

const LOOPBACK_NAMES = new Set(['localhost', '127.0.0.1', '[::1]'])
export const ALL_INTERFACES: ReadonlySet<string> = new Set(['0.0.0.0', '::', '[::]'])
const TOKEN_PARAM = 'token'
const READ_METHODS = new Set(['GET', 'HEAD'])
const API_PATH = '/api/'
/** Only human play, votes and types of errors accept writes. */
const WRITABLE_PATHS = /^\/api\/(?:play\/|votes\/|errors$)/
const WRITE_METHODS = new Set(['POST', 'DELETE'])

export interface GuardOptions {
  /** The bound address, as given by the user. */
  host: string
  /** The secret of the link; several if everybody has one of their own. */
  token: string | readonly string[]
}

/** The secrets that requests came with. */
const presented = new WeakMap<Request, string>()

/** The secret that a guarded request came with. */
export function tokenOf(c: Context): string {
  return presented.get(c.req.raw) ?? ''
}

export function isLoopback(host: string): boolean {
  return LOOPBACK_NAMES.has(urlHost(host.toLowerCase()))
}

export function guard({ host, token }: GuardOptions): MiddlewareHandler {
  const known = allowedHosts(host)
  const secrets = (typeof token === 'string' ? [token] : token).map((each) => digest(each))
  const isSecret = (given: string | undefined): given is string => {
    if (given === undefined) return false
    const asked = digest(given)
    // All are compared, so that time tells nothing.
    return secrets.filter((secret) => timingSafeEqual(asked, secret)).length > 0
  }
  return async (c, next) => {
    const asked = parseHost(c.req.header('host'))
    if (!asked || !known.has(asked.name)) {
      throw new HttpProblem(403, 'Host not allowed.', 'Open the URL printed by `sightline view`.')
    }
    const origin = c.req.header('origin')
    if (origin !== undefined && !isOwnOrigin(origin, asked.host)) {
      throw new HttpProblem(403, 'Cross-site requests are not allowed.')
    }
    const { path, method } = c.req
    if (!READ_METHODS.has(method)) {
      if (!WRITABLE_PATHS.test(path) || !WRITE_METHODS.has(method)) {
        c.header('Allow', 'GET, HEAD')
        throw new HttpProblem(405, 'Method not allowed. Runs are read-only.')
      }
      if (origin === undefined) throw new HttpProblem(403, 'Writes require an Origin header.')
    }
    const site = c.req.header('sec-fetch-site')
    if (path.startsWith(API_PATH) && isFromElsewhere(site)) {
      throw new HttpProblem(403, 'Cross-site requests are not allowed.')
    }
    // Cookies are shared across all ports of a host.
    const cookie = `sightline-${asked.port}`
    const given = c.req.query(TOKEN_PARAM)
    if (READ_METHODS.has(method) && isSecret(given)) {
      setCookie(c, cookie, given, { httpOnly: true, sameSite: 'Strict', path: '/' })
      const target = withoutToken(c.req.url)
      return isFromElsewhere(site) ? openingPage(c, target) : c.redirect(target, 303)
    }
    const shown = [getCookie(c, cookie), bearerToken(c.req.header('authorization'))].find(isSecret)
    if (shown === undefined) {
      if (READ_METHODS.has(method) && c.req.header('accept')?.includes('text/html') && !path.startsWith(API_PATH)) {
        return isFromElsewhere(site) ? openingPage(c, withoutToken(c.req.url)) : tokenRequiredPage(c)
      }
      c.header('WWW-Authenticate', 'Bearer')
      throw new HttpProblem(401, 'Token required.', 'Open the link that `sightline view` printed, with its ?token=….')
    }
    presented.set(c.req.raw, shown)
    return next()
  }
}

/** Default headers of every response; routes can override them. */
export const POLICY = [
  "default-src 'none'",
  "script-src 'self'",
  "style-src 'self'",
  "img-src 'self' data: blob:",
  "media-src 'self' blob:",
  "connect-src 'self'",
  "font-src 'self'",
  "base-uri 'none'",
  "form-action 'none'",
  "frame-ancestors 'none'",
].join('; ')

const HEADERS: Readonly<Record<string, string>> = {
  'Content-Security-Policy': POLICY,
  'X-Content-Type-Options': 'nosniff',
  'X-Frame-Options': 'DENY',
  'Referrer-Policy': 'no-referrer',
  'Cross-Origin-Opener-Policy': 'same-origin',
  'Cross-Origin-Resource-Policy': 'same-origin',
  'Permissions-Policy': 'camera=(), geolocation=(), microphone=(), usb=()',
}

export function safeHeaders(): MiddlewareHandler {
  return async (c, next) => {
    await next()
    for (const [name, value] of Object.entries(HEADERS)) if (!c.res.headers.has(name)) c.res.headers.set(name, value)
  }
}

function allowedHosts(host: string): ReadonlySet<string> {
  const own = host.toLowerCase()
  if (!ALL_INTERFACES.has(own)) return new Set([...LOOPBACK_NAMES, urlHost(own)])
  const addresses = Object.values(networkInterfaces()).flatMap((found) => (found ?? []).map(({ address }) => address))
  return new Set([...LOOPBACK_NAMES, hostname().toLowerCase(), ...addresses.map(urlHost)])
}

/** The host as written in a URL: `[::1]`. */
export function urlHost(host: string): string {
  return isIP(host) === 6 ? `[${host}]` : host
}

function parseHost(header: string | undefined): { name: string; host: string; port: string } | null {
  if (header === undefined || !/^[\w.:[\]-]+$/.test(header)) return null
  const url = parseUrl(`http://${header}`)
  return url && { name: url.hostname, host: url.host, port: url.port || '80' }
}

function parseUrl(address: string): URL | null {
  return URL.canParse(address) ? new URL(address) : null
}

function isOwnOrigin(origin: string, host: string): boolean {
  const url = parseUrl(origin)
  return url !== null && (url.protocol === 'http:' || url.protocol === 'https:') && url.host === host
}

function digest(text: string): Buffer {
  return createHash('sha256').update(text).digest()
}

/** Whether another site sent the browser here. It then withholds the cookie, which is `SameSite=Strict`. */
function isFromElsewhere(site: string | undefined): boolean {
  return site !== undefined && site !== 'same-origin' && site !== 'none'
}

/** The requested path on this server; `//host/` would lead to another one. */
function withoutToken(url: string): string {
  const address = new URL(url)
  address.searchParams.delete(TOKEN_PARAM)
  return `${address.pathname.replace(/^[/\\]+/, '/')}${address.search}`
}

function bearerToken(header: string | undefined): string | undefined {
  return /^Bearer (\S+)$/i.exec(header ?? '')?.[1]
}
