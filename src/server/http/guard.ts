/**
 * Who may ask. The server shows what is on this machine, and every web page that is open in the same browser can send
 * requests to it; so it answers only requests that its own page makes.
 *
 * - Host must be a loopback name or the address it listens on: another name that leads here (DNS rebinding) is refused.
 * - Origin, where there is one, must be this server; anything but reading needs one.
 * - Requests that another site's page caused (`Sec-Fetch-Site`) get no data.
 * - Bound to another address than loopback, a secret is needed: from the address that was printed, then in a cookie.
 */
import { createHash, timingSafeEqual } from 'node:crypto'
import { hostname, networkInterfaces } from 'node:os'
import { isIP } from 'node:net'
import type { MiddlewareHandler } from 'hono'
import { getCookie, setCookie } from 'hono/cookie'
import { HttpProblem } from './problem.ts'

const LOOPBACK_NAMES = new Set(['localhost', '127.0.0.1', '[::1]'])
/** Every address of the machine. */
export const EVERYWHERE: ReadonlySet<string> = new Set(['0.0.0.0', '::', '[::]'])
const TOKEN = 'token'
const READING = new Set(['GET', 'HEAD'])
const API = '/api/'
/** The only part in which something is written: human play. */
const WRITING = '/api/play/'
const WRITING_METHODS = new Set(['POST', 'DELETE'])

export interface GuardOptions {
  /** What it listens on, as the user wrote it. */
  host: string
  /** `null` on loopback. */
  token: string | null
}

export function isLoopback(host: string): boolean {
  return LOOPBACK_NAMES.has(bracketed(host.toLowerCase()))
}

export function guard({ host, token }: GuardOptions): MiddlewareHandler {
  const known = knownHosts(host)
  const secret = token === null ? null : digest(token)
  return async (c, next) => {
    const asked = hostOf(c.req.header('host'))
    if (!asked || !known.has(asked.name)) {
      throw new HttpProblem(
        403,
        'This server does not answer under that name.',
        'Open the address that `sightline view` printed.',
      )
    }
    const origin = c.req.header('origin')
    if (origin !== undefined && !isSelf(origin, asked.host)) {
      throw new HttpProblem(403, 'Another site may not ask here.')
    }
    const { path, method } = c.req
    if (!READING.has(method)) {
      if (!path.startsWith(WRITING) || !WRITING_METHODS.has(method)) {
        c.header('Allow', 'GET, HEAD')
        throw new HttpProblem(405, 'Runs can only be read here.')
      }
      if (origin === undefined) throw new HttpProblem(403, 'Only the page itself may write.')
    }
    const site = c.req.header('sec-fetch-site')
    if (path.startsWith(API) && site !== undefined && site !== 'same-origin' && site !== 'none') {
      throw new HttpProblem(403, 'Another site may not ask here.')
    }
    if (secret) {
      // Cookies are shared by all ports of a host.
      const cookie = `sightline-${asked.port}`
      const given = c.req.query(TOKEN)
      if (given !== undefined && READING.has(method) && isEqual(digest(given), secret)) {
        const address = new URL(c.req.url)
        address.searchParams.delete(TOKEN)
        setCookie(c, cookie, given, { httpOnly: true, sameSite: 'Strict', path: '/' })
        return c.redirect(`${address.pathname}${address.search}`, 303)
      }
      const kept = getCookie(c, cookie)
      if (kept === undefined || !isEqual(digest(kept), secret)) {
        throw new HttpProblem(
          401,
          'A token is needed to look at runs from another machine.',
          'Open the whole address that `sightline view` printed, with ?token=… in it.',
        )
      }
    }
    return next()
  }
}

/** Headers of every answer. Routes that need other ones set them themselves. */
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

function knownHosts(host: string): ReadonlySet<string> {
  const own = host.toLowerCase()
  if (!EVERYWHERE.has(own)) return new Set([...LOOPBACK_NAMES, bracketed(own)])
  const addresses = Object.values(networkInterfaces()).flatMap((found) => (found ?? []).map(({ address }) => address))
  return new Set([...LOOPBACK_NAMES, hostname().toLowerCase(), ...addresses.map(bracketed)])
}

/** As an address spells it: `[::1]`. */
export function bracketed(host: string): string {
  return isIP(host) === 6 ? `[${host}]` : host
}

function hostOf(header: string | undefined): { name: string; host: string; port: string } | null {
  if (header === undefined || !/^[\w.:[\]-]+$/.test(header)) return null
  const url = parsed(`http://${header}`)
  return url && { name: url.hostname, host: url.host, port: url.port || '80' }
}

function parsed(address: string): URL | null {
  return URL.canParse(address) ? new URL(address) : null
}

function isSelf(origin: string, host: string): boolean {
  const url = parsed(origin)
  return url !== null && (url.protocol === 'http:' || url.protocol === 'https:') && url.host === host
}

function digest(text: string): Buffer {
  return createHash('sha256').update(text).digest()
}

/** Takes the same time whatever is wrong. */
function isEqual(a: Buffer, b: Buffer): boolean {
  return timingSafeEqual(a, b)
}
