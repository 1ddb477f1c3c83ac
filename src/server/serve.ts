/** Starts the server: which address, which port, and how it ends. */
import { randomBytes } from 'node:crypto'
import type { Server } from 'node:http'
import { networkInterfaces } from 'node:os'
import { createAdaptorServer } from '@hono/node-server'
import { codeOf, UserError } from '../base/errors.ts'
import type { SuiteFinder } from '../library/suites.ts'
import { makeApp } from './app.ts'
import { bracketed, EVERYWHERE, isLoopback } from './http/guard.ts'
import type { PlayEnvironment } from './play/session.ts'
import { Pages, viewerFolder } from './static.ts'

export const DEFAULT_PORT = 7070
/** Ports that are tried when nobody asked for a certain one. */
const TRIED_PORTS = 50
const LOOPBACK = '127.0.0.1'
const LOOPBACK_6 = '::1'
/** Time for answers that are under way. */
const CLOSE_MS = 2000

export interface ServeOptions {
  /** The store, and what runs that people play are started with. */
  environment: PlayEnvironment
  finder: SuiteFinder
  version: string
  /** Default: loopback. */
  host?: string
  /** Default: 7070, or the next that is free. */
  port?: number
  onFault: (error: unknown) => void
}

export interface Serving {
  /** The address to open, with its token where one is needed. */
  address: string
  port: number
  token: string | null
  close(): Promise<void>
}

export async function serveViewer({
  environment,
  finder,
  version,
  host,
  port,
  onFault,
}: ServeOptions): Promise<Serving> {
  const bound = host ?? LOOPBACK
  const token = isLoopback(bound) ? null : randomBytes(24).toString('base64url')
  const pages = await Pages.open(viewerFolder())
  const viewer = makeApp({ store: environment.store, environment, finder, pages, version, host: bound, token, onFault })
  const makeServer = (): Server => createAdaptorServer({ fetch: viewer.app.fetch }) as Server
  const server = makeServer()
  const servers = [server]
  const taken = await listen(server, bound, port)
  if (bound === LOOPBACK) {
    // Some browsers take localhost for the other kind of loopback. Where there is none, one is enough.
    const second = makeServer()
    if (await isListening(second, LOOPBACK_6, taken)) servers.push(second)
  }
  viewer.warmUp().catch(onFault)
  const shown = bracketed(EVERYWHERE.has(bound) ? reachable() : bound)
  return {
    address: `http://${shown}:${taken}/${token === null ? '' : `?token=${token}`}`,
    port: taken,
    token,
    async close() {
      await viewer.close()
      await Promise.all(servers.map(closed))
    },
  }
}

/** An address under which others find this machine. */
function reachable(): string {
  const found = Object.values(networkInterfaces()).flatMap((addresses) => addresses ?? [])
  return found.find(({ internal, family }) => !internal && family === 'IPv4')?.address ?? LOOPBACK
}

async function listen(server: Server, host: string, port: number | undefined): Promise<number> {
  const first = port ?? DEFAULT_PORT
  const last = port === undefined ? first + TRIED_PORTS : first
  for (let at = first; at <= last; at++) {
    try {
      await started(server, host, at)
      const address = server.address()
      return typeof address === 'object' && address ? address.port : at
    } catch (error) {
      const code = codeOf(error)
      if (code === 'EADDRINUSE' && at < last) continue
      throw cannotListen(code, host, at, port === undefined, error)
    }
  }
  return first
}

function cannotListen(
  code: string | undefined,
  host: string,
  port: number,
  chosen: boolean,
  cause: unknown,
): UserError {
  if (code === 'EADDRINUSE') {
    return new UserError(
      chosen ? `No port from ${DEFAULT_PORT} to ${port} is free on ${host}.` : `Port ${port} on ${host} is taken.`,
      { hint: 'Choose another with --port, or leave it away and the next free one is taken.', cause },
    )
  }
  if (code === 'EACCES') {
    return new UserError(`Port ${port} may not be used: permission denied.`, { hint: 'Choose one above 1023.', cause })
  }
  return new UserError(`Nothing can listen on ${host}: it is not an address of this machine (${code ?? 'unknown'}).`, {
    hint: 'Leave --host away for this machine alone, or give one of its addresses.',
    cause,
  })
}

function started(server: Server, host: string, port: number): Promise<void> {
  return new Promise((resolve, reject) => {
    server.once('error', reject)
    server.listen(port, host, () => {
      server.off('error', reject)
      resolve()
    })
  })
}

function isListening(server: Server, host: string, port: number): Promise<boolean> {
  return started(server, host, port).then(
    () => true,
    () => false,
  )
}

function closed(server: Server): Promise<void> {
  return new Promise((resolve) => {
    const late = setTimeout(() => server.closeAllConnections(), CLOSE_MS)
    server.close(() => {
      clearTimeout(late)
      resolve()
    })
    server.closeIdleConnections()
  })
}
